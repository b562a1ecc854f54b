/** The way in: one's games from a site or from files, one's names in them, and their annotation, which leads to the exercises. */
/** @import { LibraryEvent } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { counted } from "../../shared/notation.js";
import { importForm } from "../analysis/import.js";
import { textOf } from "../analysis/open_game.js";
import { button, fileField } from "../controls.js";
import { listen, request, send, show } from "../frame.js";
import { chooseNames, downloadAll, names, setNames } from "./games.js";
import { namesList } from "./players.js";

/** Of the text of one request, in which a line break counts twice. */
const MAX_PART = 1.9 * (1 << 20);
const NODES = 400_000;

const status = element("p", { role: "status" }), problem = element("p", { class: "wrong", role: "alert" });
const file = fileField({ accept: ".pgn,.txt,text/plain", multiple: true, "aria-label": "PGN files" }, readFiles);
const importer = importForm(add, fail, 5000, 300);
importer.open = true;
const own = namesList((ticked) => {
  setNames({ others: ticked });
  start.disabled = !own.isAny();
});
const whose = element("section", { hidden: true }, element("h3", {}, "2. Which names are yours?"), own.list);
const start = button("Find my mistakes", begin, { class: "primary", disabled: true });
const dialog = element("dialog", { class: "door", "aria-labelledby": "door-title" },
  element("h2", { id: "door-title" }, "Train with your own games"),
  element("p", { class: "faint" }, "Castellan looks through your games, and your mistakes become exercises: the first ones after the first game."),
  element("section", {}, element("h3", {}, "1. Get your games"),
    element("div", { class: "buttons" }, button("Choose PGN files…", () => file.click()), file), importer, status, problem),
  whose,
  element("div", { class: "buttons" }, start, button("Close", () => dialog.close())));
document.body.append(dialog);

/** The parts of a text that are still to be sent. @type {string[]} */
let parts = [];
const total = { count: 0, known: 0, invalid: 0 };

/** @param {string} why */
function fail(why) {
  problem.textContent = why;
}

/** Splits a text between games. @param {string} pgn */
function split(pgn) {
  /** @type {string[]} */
  const found = [];
  for (const game of pgn.split(/^(?=\[Event )/m)) {
    const last = found.length - 1;
    if (last >= 0 && found[last].length + game.length < MAX_PART) found[last] += game;
    else found.push(game);
  }
  return found;
}

/** @param {string} pgn */
function add(pgn) {
  const isRunning = parts.length > 0;
  parts.push(...split(pgn));
  if (isRunning) return;
  Object.assign(total, { count: 0, known: 0, invalid: 0 });
  status.textContent = "The games are added…";
  sendPart();
}

function sendPart() {
  const why = send("library", { type: "add", pgn: parts[0] });
  if (why) stop(why);
}

/** @param {string} why */
function stop(why) {
  parts = [];
  status.textContent = "";
  fail(why);
}

/** @param {File[]} files */
async function readFiles(files) {
  fail("");
  add((await Promise.all(files.map(textOf))).join("\n\n"));
}

/** @param {Extract<LibraryEvent, { type: "added" }>} event */
function added({ count, known, invalid }) {
  total.count += count;
  total.known += known;
  total.invalid += invalid;
  parts.shift();
  const { length } = parts;
  status.textContent = [
    counted(total.count, "new game"), total.known && `${total.known} known`,
    total.invalid && `${total.invalid} that cannot be read`, length && "…",
  ].filter(Boolean).join(", ");
  if (length) sendPart();
  else askNames();
}

/** Shows the names in the games; one that is in most of them is the user's. */
function askNames() {
  chooseNames((players) => {
    const [first, second] = players, others = names.others ?? [];
    const isClear = first && !players.some((player) => player.own) && first.games > 2 && first.games >= 2 * (second?.games ?? 0);
    if (isClear) {
      first.own = true;
      setNames({ others: [...others, first.name] });
    }
    own.set(players, isClear ? [...others, first.name] : others);
    whose.hidden = !players.length;
    start.disabled = !own.isAny();
  });
}

function begin() {
  if (!request("training", { type: "annotate", nodes: NODES, own: true })) return;
  dialog.close();
  show("training");
}

listen("library", (event, isHello) => {
  if (!parts.length) return;
  // The answer of an earlier session will not come.
  if (isHello) sendPart();
  else if (event.type === "added") added(event);
  else if (event.type === "not_added") stop(event.text);
});

function openDoor() {
  document.querySelectorAll("dialog[open]").forEach((open) => open instanceof HTMLDialogElement && open.close());
  status.textContent = "";
  fail("");
  dialog.showModal();
  askNames();
}

/** A button that leads here, for what is empty without games. */
export const doorButton = (text = "Get your games…", kind = "primary") => button(text, openDoor, { class: kind, title: "From lichess.org, chess.com or PGN files, for exercises made of your mistakes" });
downloadAll.before(doorButton("Get games…", ""));
