/** The panel with what tablebases, the book of the user and their own games know about the position. */
/** @import { AnalysisBookMoveView, AnalysisOwnMoveView, AnalysisPositionView, AnalysisTablebaseMove } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";
import { doorButton } from "../games/door.js";
import { resultsBar } from "./chances.js";
import { markParts } from "./move_tree.js";

/** @type {Record<AnalysisTablebaseMove["value"], string>} */
const VALUES = { win: "wins", cursed_win: "draws by 50 moves", draw: "draws", blessed_loss: "draws by 50 moves", loss: "loses" };

/** @param {AnalysisTablebaseMove} move */
function value({ value, mate, zeroing, dtz }) {
  if (mate) return "mates";
  if (value === "draw") return VALUES.draw;
  return `${VALUES[value]}${zeroing ? ", zeroing" : ""}, DTZ ${dtz}`;
}

/** @param {AnalysisBookMoveView} move */
const share = ({ share, weight }) => (weight ? `${share.toFixed(1)} %` : "not played");

/** @param {AnalysisOwnMoveView} move */
const results = ({ wins, draws, losses, score }) => `${wins + draws + losses}: ${score} % (+${wins} =${draws} −${losses})`;

/** @param {(uci: string) => void} play */
export function tablesPanel(play) {
  const verdict = element("b"), tablebase = element("ul", { class: "known" }), book = element("ul", { class: "known" });
  const tablebaseBox = element("div", {}, element("h2", {}, "Tablebase"), verdict, tablebase);
  const bookBox = element("div", {}, element("h2", {}, "Book"), book);
  const own = ["White", "Black"].map((side) => ({
    title: element("h2", {}, `Your games with ${side}`),
    list: element("ul", { class: "known", title: `Your games with ${side}: your score, wins, draws, losses` }),
  }));
  const ownNote = element("p", { class: "faint" }, "You finished no game with this position. Settings has the names under which you play.");
  const door = doorButton("Get your games…", "");
  const ownBox = element("div", {}, ...own.flatMap(({ title, list }) => [title, list]), ownNote, door);
  const panel = element("section", { class: "card tables", "aria-label": "Tablebase, book and own games", tabindex: "0" }, tablebaseBox, bookBox, ownBox);

  /** The assessment of a move in the game. @type {(san: string) => string} */
  let markOf = () => "";

  /** @param {{ uci: string, san: string }} move @param {string} text @param {string} kind @param {Node[]} more */
  const item = ({ uci, san }, text, kind, ...more) => element("li", {}, button([
    element("b", {}, unbroken(san), ...markParts(markOf(san))), element("span", {}, ` ${text}`), ...more,
  ], () => play(uci), { title: "Play this move", class: kind }));

  /** @param {AnalysisOwnMoveView} move */
  const ownItem = (move) => item(move, results(move), "own", resultsBar(move));

  /** @param {AnalysisPositionView} position @param {(san: string) => string} mark */
  function set({ tablebase: table, book: moves, own_games }, mark) {
    markOf = mark;
    tablebaseBox.hidden = !table;
    bookBox.hidden = !moves?.length;
    ownBox.hidden = !own_games;
    panel.hidden = tablebaseBox.hidden && bookBox.hidden && ownBox.hidden;
    if (own_games) {
      own.forEach(({ title, list }, index) => {
        list.replaceChildren(...own_games[index].map(ownItem));
        title.hidden = list.hidden = !own_games[index].length;
      });
      ownNote.hidden = door.hidden = own.some(({ list }) => !list.hidden);
    }
    if (table) {
      verdict.textContent = table.verdict;
      tablebase.replaceChildren(...table.moves.map((move) => item(move, value(move), move.value)));
    }
    if (moves) book.replaceChildren(...moves.map((move) => item(move, share(move), "")));
  }
  return { panel, set };
}
