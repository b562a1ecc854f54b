/** The lists beside the boards: the moves of the game, and the kinds of castling. */
/** @import { TridimGameView, TridimLegalMove } from "../../messages.js" */
/** @import { OpenCastling } from "./marks.js" */
import { element } from "../../shared/dom.js";
import { capitalized } from "../../shared/notation.js";
import { button } from "../controls.js";
import { isOpen } from "./marks.js";

/** The start of a sentence; the name of a square keeps its small letter. @param {string} text */
export const begun = (text) => (/^[a-z]\d/.test(text) ? text : capitalized(text));

/** @param {string} time */
const written = (time) => `played at ${new Date(time).toLocaleString()}`;

/** @param {HTMLElement} list @param {TridimGameView["moves"]} moves */
export function fillMoves(list, moves) {
  /** @type {{ number: number, white: HTMLElement[], black: HTMLElement[] }[]} */
  const rows = [];
  for (const { number, color, text, castling, time } of moves) {
    let row = rows.at(-1);
    // The promotion of a waiting pawn comes before the move of the same side.
    if (!row || row.number !== number || (color === "white" && !row.white.length)) {
      row = { number, white: [], black: [] };
      rows.push(row);
    }
    row[color].push(element("span", { title: [castling, time && written(time)].filter(Boolean).join(", ") }, text));
  }
  const cell = (/** @type {(Node | string)[]} */ words) => element("span", {}, ...words.flatMap((word) => [word, " "]));
  list.replaceChildren(...rows.map(({ number, white, black }) =>
    element("li", {}, element("span", { class: "faint number" }, `${number}.`), cell(white.length ? white : ["…"]), cell(black))));
  list.scrollTop = list.scrollHeight;
}

/**
 * What is said about the places that the king crosses, which may be attacked.
 * @param {OpenCastling["crossed"]} crossed
 */
function crossing(crossed) {
  if (!crossed.length) return "";
  const attacked = crossed.filter(({ attackers }) => attackers.length)
    .map(({ column, attackers }) => `${column} is attacked from ${attackers.join(" and ")}`);
  const found = attacked.length ? `${attacked.join(", ")}, which castling allows` : "not attacked";
  return `The king crosses ${crossed.map(({ column }) => column).join(", ")}: ${found}.`;
}

/**
 * Lists each kind of castling with a button, or the reason why it is not possible.
 * @param {HTMLElement} list
 * @param {TridimGameView} game
 * @param {{ propose(move: TridimLegalMove): void, hint(option: OpenCastling | null): void }} handlers
 */
export function fillCastling(list, game, { propose, hint }) {
  list.replaceChildren(...game.castling.map((option) => {
    const name = `${option.move} ${option.kind}`;
    if (!isOpen(option)) {
      return element("li", {}, element("span", { class: "kind" }, name),
        element("span", { class: "faint" }, begun((option.reason ?? "").replace(/^.*?: /, ""))));
    }
    const move = game.legal.find((one) => one.kind === "castling" && one.text === option.move);
    const show = () => hint(option), hide = () => hint(null);
    const choose = () => {
      hide();
      if (move) propose(move);
    };
    return element("li", { class: "open" },
      button(name, choose, { disabled: !move, onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide }),
      element("span", {}, `King ${option.king.from}–${option.king.to}, rook ${option.rook.from}–${option.rook.to}`),
      element("span", { class: "faint" }, crossing(option.crossed)));
  }));
}
