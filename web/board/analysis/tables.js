/** The panel with what tablebases and the book of the user know about the position. */
/** @import { AnalyzedPosition, BookMove, KnownMove, TablebaseMove } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";

/** @type {Record<TablebaseMove["value"], string>} */
const VALUES = { win: "wins", cursed_win: "draws by 50 moves", draw: "draws", blessed_loss: "draws by 50 moves", loss: "loses" };

/** @param {TablebaseMove} move */
function value({ value, mate, zeroing, dtz }) {
  if (mate) return "mates";
  if (value === "draw") return VALUES.draw;
  return `${VALUES[value]}${zeroing ? ", zeroing" : ""}, DTZ ${dtz}`;
}

/** @param {BookMove} move */
const share = ({ share, weight }) => (weight ? `${share.toFixed(1)} %` : "not played");

/** @param {(uci: string) => void} play */
export function tablesPanel(play) {
  const verdict = element("b"), tablebase = element("ul", { class: "known" }), book = element("ul", { class: "known" });
  const tablebaseBox = element("div", {}, element("h2", {}, "Tablebase"), verdict, tablebase);
  const bookBox = element("div", {}, element("h2", {}, "Book"), book);
  const panel = element("section", { class: "card tables", "aria-label": "Tablebase and book", tabindex: "0" }, tablebaseBox, bookBox);

  /** @param {KnownMove} move @param {string} text @param {string} kind */
  const item = ({ uci, san }, text, kind) => {
    const row = button("", () => play(uci), { title: "Play this move", class: kind });
    row.append(element("b", {}, unbroken(san)), element("span", {}, ` ${text}`));
    return element("li", {}, row);
  };

  /** @param {AnalyzedPosition} position */
  function set({ tablebase: table, book: moves }) {
    tablebaseBox.hidden = !table;
    bookBox.hidden = !moves?.length;
    panel.hidden = tablebaseBox.hidden && bookBox.hidden;
    if (table) {
      verdict.textContent = table.verdict;
      tablebase.replaceChildren(...table.moves.map((move) => item(move, value(move), move.value)));
    }
    if (moves) book.replaceChildren(...moves.map((move) => item(move, share(move), "")));
  }
  return { panel, set };
}
