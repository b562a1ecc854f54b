/** The library: the games that were played here, in a dialog. */
/** @import { LibraryEvent, LibraryKept, LibraryPlayerName, Names } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { facts, opening, ownPart, player } from "../../shared/game_info.js";
import { button, download } from "../controls.js";
import { listen, openIn, request, show } from "../frame.js";
import { toast } from "../toast.js";
import { filteredList, wordsOf } from "./filter.js";
import { playersDialog } from "./players.js";

/** The names under which the user plays. @type {Names} */
export const names = { own: "", lichess: "", chess_com: "", others: [] };

/** @param {Partial<Names>} change */
export function setNames(change) {
  request("library", { type: "names", names: { ...names, ...change } });
}

const players = playersDialog((others) => setNames({ others }));
/** @type {(players: LibraryPlayerName[]) => void} */
const showPlayers = (found) => players.show(found, names.others ?? []);
let takePlayers = showPlayers;
/** Shows the names in the games, for the user to tick their own. */
export function chooseNames(take = showPlayers) {
  takePlayers = take;
  request("library", { type: "players" });
}

const folder = element("p", { class: "faint folder" });
/** @type {LibraryKept[]} */
let games = [];
/** The games that are selected, and those that are deleted when the dialog is closed. @type {[Set<string>, Set<string>]} */
const [selected, deleted] = [new Set(), new Set()];
const { filter, list, set, matches } = filteredList("Search your games", wordsOf, item, drawSelection);
const every = element("input", { type: "checkbox", onchange: () => {
  selected.clear();
  if (every.checked) for (const { id } of matches()) selected.add(id);
  draw();
} });
const remove = button("Delete", () => {
  for (const { id } of chosen()) deleted.add(id);
  selected.clear();
  draw();
});
const undo = button("", () => {
  deleted.clear();
  draw();
});
const selection = element("div", { class: "selection" }, element("label", {}, every, " Select all"), remove, undo);
const all = button("Download all", () => request("library", { type: "export" }), { title: "Save all games as one PGN file, and your names and exercises as JSON" });
const profile = element("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": "Profile", onchange: importProfile });
const importButton = button("Import exercises…", () => profile.click(), { title: "Add the exercises of a castellan-profile.json, each as it was answered last" });
export const gamesButtons = element("div", { class: "buttons" }, all, importButton, profile, element("button", { class: "primary" }, "Close"));
const dialog = element("dialog", { class: "games", "aria-labelledby": "games-title" },
  element("form", { method: "dialog" },
    element("h2", { id: "games-title" }, "Your games"), filter, selection, list, folder,
    gamesButtons));
document.body.append(dialog);

async function importProfile() {
  const [file] = profile.files ?? [];
  if (file) request("library", { type: "import", profile: await file.text() });
  profile.value = "";
}

/** @param {LibraryKept} game */
function item({ id, heading, own, moves, tridim }) {
  const { white, black, result, date, time_control } = heading;
  const isOver = result !== "*";
  const open = () => request("library", { type: "open", id });
  const row = button("", open, { title: tridim ? "Open in Tri-D" : "Open in Analyze", class: "row" });
  const count = `${moves} ${moves === 1 ? "move" : "moves"}`;
  row.append(element("b", {}, ...player(white), " – ", ...player(black), isOver ? ` ${result}` : ""),
    element("span", { class: "faint" }, ...facts([ownPart(own), date, tridim && "Tri-D", count, time_control, opening(heading), !isOver && "unfinished"])));
  const resume = button("Continue", () => {
    if (tridim) return open();
    dialog.close();
    show("play");
    request("play", { type: "continue", id });
  }, { title: `Continue this game in ${tridim ? "Tri-D" : "Play"}`, hidden: isOver });
  const select = element("input", { type: "checkbox", checked: selected.has(id), "aria-label": "Select", onchange: () => {
    if (select.checked) selected.add(id);
    else selected.delete(id);
    drawSelection();
  } });
  return element("li", { "data-id": id }, select, row, resume);
}

function draw() {
  set(games.filter(({ id }) => !deleted.has(id)), "No games yet. Every game you play here is kept.");
}

/** The selected games among those that are found. */
const chosen = () => matches().filter(({ id }) => selected.has(id));

function drawSelection() {
  const found = matches(), count = chosen().length;
  every.checked = found.length > 0 && found.every(({ id }) => selected.has(id));
  selection.hidden = !games.length;
  remove.disabled = !count;
  remove.textContent = count ? `Delete ${count}` : "Delete";
  undo.hidden = !deleted.size;
  undo.textContent = `Undo: ${deleted.size} deleted`;
}

// Until then they can be brought back.
dialog.addEventListener("close", () => {
  if (!deleted.size) return;
  request("library", { type: "delete", ids: [...deleted] });
  deleted.clear();
});

/** @param {Names} next */
const takeNames = (next) => void Object.assign(names, { others: [] }, next);

/** @param {LibraryEvent} event */
function take(event) {
  switch (event.type) {
    case "games":
      games = event.games;
      draw();
      all.disabled = !event.games.length;
      folder.textContent = event.unkept ?? (event.folder ? `Kept in ${event.folder}` : "This computer has no folder to keep games in.");
      return;
    case "opened":
      dialog.close();
      return openIn("analysis", event);
    case "opened_tridim":
      dialog.close();
      return openIn("tridim", event);
    case "players": return takePlayers(event.players);
    case "imported":
      toast(`${event.exercises} ${event.exercises === 1 ? "exercise is" : "exercises are"} new or changed.`);
      return takeNames(event.names);
    case "not_imported": return toast(event.text);
    case "names": return takeNames(event.names);
    case "exported":
      download(event.pgn, "castellan-games.pgn");
      return download(event.profile, "castellan-profile.json");
  }
}

listen("library", take);

export function openLibrary() {
  if (!request("library", { type: "list" })) return;
  filter.value = "";
  selected.clear();
  dialog.showModal();
}
