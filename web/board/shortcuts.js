/** The list of the keys, which "?" opens. */
import { element } from "../shared/dom.js";
import { addShortcuts, closingDialog } from "./controls.js";

/** @typedef {[keys: string[], meaning: string][]} Keys */

/** @satisfies {Record<string, Keys>} by the names of the modes */
export const KEYS = {
  Everywhere: [
    [["Alt", "1", "2", "3", "4", "5", "6"], "Play, Analyze, Train, Openings, Castling, Tri-D"],
    [["e2e4", "Nf3"], "type a move, then Enter"], [["Tab"], "the next control"], [["?"], "this list"],
  ],
  "On a board": [
    [["←", "→", "↑", "↓"], "from square to square"], [["Enter"], "pick up and put down"], [["Esc"], "cancel"],
  ],
  Play: [
    [["←", "→"], "moves"], [["Home", "End"], "start, end"], [["Alt", "F"], "flip the board"], [["Alt", "Z"], "only the board (zen)"],
    [["Esc"], "cancel the premoves"],
  ],
  Analyze: [
    [["←", "→"], "moves"], [["↑", "↓"], "variations"], [["Home", "End"], "start, end"], [["Alt", "E"], "engine"],
    [["Alt", "X"], "threat"], [["Alt", "A"], "arrows"], [["Alt", "F"], "flip the board"], [["Ctrl", "Z"], "undo"], [["Ctrl", "Y"], "redo"],
  ],
  Train: [[["Enter"], "the next exercise, after an answer"], [["←", "→"], "moves of a line, or games of the progress"]],
  Openings: [[["←", "→"], "moves"], [["Home"], "start"]],
  "Tri-D": [[["PgUp", "PgDn"], "from level to level"], [["Shift"], "with an arrow key: rotate"], [["Home"], "reset the view"]],
};

/** @param {Keys} keys */
const rows = (keys) => keys.flatMap(([names, meaning]) =>
  [element("dt", {}, ...names.map((name) => element("kbd", {}, name))), element("dd", {}, meaning)]);

const dialog = closingDialog("shortcuts", "Keys", [
  element("div", { class: "lists" }, ...Object.entries(KEYS).map(([title, keys]) =>
    element("section", {}, element("h3", {}, title), element("dl", {}, ...rows(keys))))),
]);

addShortcuts(document.body, { "?": () => dialog.showModal() });
