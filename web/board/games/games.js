/** The library: the games that were played here, in a dialog. */
/** @import { LibraryEvent, LibraryKept, LibraryPlayerName, Names } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { opening, ownPart } from "../../shared/game_info.js";
import { counted } from "../../shared/notation.js";
import { button, closingDialog, download, fileField } from "../controls.js";
import { listen, openIn, request, show } from "../frame.js";
import { toast } from "../toast.js";
import { filteredList, gameRow } from "./filter.js";
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
const { filter, list, set, matches } = filteredList("Search your games", item, drawSelection);
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
export const downloadAll = button("Download all", () => request("library", { type: "export" }), { title: "Save all games as one PGN file, and your names and exercises as JSON" });
const profile = fileField({ accept: ".json,application/json", "aria-label": "Profile" }, async ([file]) => {
  request("library", { type: "import", profile: await file.text() });
});
const importButton = button("Import exercises…", () => profile.click(), { title: "Add the exercises of a castellan-profile.json, each as it was answered last" });
const parts = [filter, selection, list, folder];
const dialog = closingDialog("games", "Your games", parts, downloadAll, importButton, profile);

/** @param {LibraryKept} game */
function item({ id, heading, own, moves, tridim }) {
  const { result, date, time_control } = heading, isOver = result !== "*";
  const open = () => request("library", { type: "open", id });
  const about = [
    ownPart(own), date, tridim && "Tri-D", counted(moves, "move"), time_control, opening(heading),
    !isOver && "unfinished",
  ];
  const row = gameRow(heading, about, open, { title: tridim ? "Open in Tri-D" : "Open in Analyze", class: "row" });
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
      downloadAll.disabled = !event.games.length;
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
