/**
 * The editor of positions: a palette and the fields of a FEN, for a chessboard that is free. The server says what is wrong
 * with the position, while it is edited.
 */
/** @import { EditorEvent, Square } from "../../messages.js" */
/** @import { Handlers } from "../chessboard/chessboard.js" */
import { drawPicture } from "../../shared/diagram.js";
import { element } from "../../shared/dom.js";
import { pieceName } from "../chessboard/pieces.js";
import { button } from "../controls.js";
import { listen, send } from "../frame.js";
import { EMPTY, RIGHTS, START, enPassantSquares, fenOf, parseSetup } from "./setup.js";

const PIECES = [..."KQRBNPkqrbnp"];
/** The effect of a click on a square besides putting a piece there. */
const MOVE = "", REMOVE = "-";
const RIGHT_NAMES = { K: "White O-O", Q: "White O-O-O", k: "Black O-O", q: "Black O-O-O" };
const DRAG_PIXELS = 4;

/**
 * `changed` is called after every change by the user; `checked` with what the server says about it; `squareAt` tells where a
 * piece that is dragged from the palette is dropped.
 * @param {{
 *   changed(): void, flip(): void, squareAt(event: PointerEvent): Square | null, checked?(answer: EditorEvent): void,
 * }} owner
 */
export function makeEditor({ changed, flip, squareAt, checked }) {
  let setup = parseSetup(START);
  let brush = MOVE;
  let isChecked = false;

  // The palette.

  /** @param {string} value @param {string} name @param {string} [text] */
  function paletteButton(value, name, text = "") {
    const made = button(text, () => choose(value), { "aria-label": name, title: name, class: "brush", "data-brush": value });
    if (!text) {
      drawPicture(made, value);
      made.addEventListener("pointerdown", (event) => dragFrom(made, value, event));
    }
    return made;
  }
  const brushes = [
    paletteButton(MOVE, "Move pieces", "✥"), ...PIECES.slice(0, 6).map((piece) => paletteButton(piece, pieceName(piece))),
    paletteButton(REMOVE, "Remove pieces", "✕"), ...PIECES.slice(6).map((piece) => paletteButton(piece, pieceName(piece))),
  ];
  const palette = element("div", { class: "palette", role: "group", "aria-label": "What a click on a square does" }, ...brushes);

  /** @param {string} value */
  function choose(value) {
    brush = brush === value ? MOVE : value;
    for (const one of brushes) one.setAttribute("aria-pressed", String(one.dataset.brush === brush));
  }

  /**
   * A piece is dragged from the palette to the board.
   * @param {HTMLElement} source
   * @param {string} piece
   * @param {PointerEvent} down
   */
  function dragFrom(source, piece, down) {
    if (down.button !== 0) return;
    /** @type {Element | null} */
    let ghost = null;
    source.setPointerCapture(down.pointerId);
    /** @param {PointerEvent} event */
    const move = (event) => {
      if (!ghost && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < DRAG_PIXELS) return;
      if (!ghost) {
        const made = element("div", { class: "dragged-piece" });
        made.append(...[...source.children].map((child) => child.cloneNode(true)));
        ghost = (source.closest("dialog") ?? document.body).appendChild(made);
      }
      if (ghost instanceof HTMLElement) ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    };
    /** @param {PointerEvent} event */
    const end = (event) => {
      source.removeEventListener("pointermove", move);
      for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) source.removeEventListener(kind, end);
      if (!ghost) return;
      ghost.remove();
      const square = event.type === "pointerup" && squareAt(event);
      if (square) put(square, piece);
      // The click that follows is none.
      source.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
    };
    source.addEventListener("pointermove", move);
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) source.addEventListener(kind, end);
  }

  // The fields.

  const turn = element("select", { "aria-label": "Side to move", onchange: () => {
    setup.turn = turn.value === "black" ? "black" : "white";
    change();
  } }, element("option", { value: "white" }, "White to move"), element("option", { value: "black" }, "Black to move"));
  const rights = RIGHTS.map((right) => {
    const box = element("input", { type: "checkbox", onchange: () => {
      if (box.checked) setup.rights.set(right, right);
      else setup.rights.delete(right);
      change();
    } });
    const name = RIGHT_NAMES[/** @type {keyof typeof RIGHT_NAMES} */ (right)];
    return { right, box, label: element("label", {}, box, ` ${name.replaceAll("-", "\u2011")}`) };
  });
  const enPassant = element("select", { onchange: () => {
    setup.enPassant = enPassant.value;
    change();
  } });
  const chess960 = element("input", { type: "checkbox", onchange: change });
  const problems = element("div", { class: "problems", role: "status" });
  const fen = element("input", {
    type: "text", "aria-label": "FEN of the edited position", spellcheck: "false", autocomplete: "off",
    onchange: () => load(fen.value, chess960.checked, true),
  });
  const panel = element("div", { class: "editor" }, palette,
    element("div", { class: "fields" }, turn, element("label", {}, "En passant ", enPassant), element("label", {}, chess960, " Chess960"),
      element("fieldset", { class: "rights" }, element("legend", { class: "visually-hidden" }, "Castling rights"), ...rights.map(({ label }) => label))),
    element("div", { class: "fields" },
      button("Clear", () => load(EMPTY, chess960.checked, true)), button("Start position", () => load(START, false, true)), button("Flip", flip)),
    fen, problems);

  // Changes.

  /** @param {Square} square @param {string} piece */
  function put(square, piece) {
    if (piece) setup.pieces.set(square, piece);
    else setup.pieces.delete(square);
    change();
  }

  /** @type {Handlers} */
  const handlers = {
    pressed(square) {
      if (brush === MOVE) return false;
      put(square, brush === REMOVE || setup.pieces.get(square) === brush ? "" : brush);
      return true;
    },
    put,
    moved(from, to) {
      const piece = setup.pieces.get(from);
      setup.pieces.delete(from);
      if (to && piece) setup.pieces.set(to, piece);
      change();
    },
  };

  function change() {
    show();
    check();
    changed();
  }

  function check() {
    isChecked = false;
    send("editor", { type: "check", fen: fenOf(setup), chess960: chess960.checked });
  }

  function show() {
    const squares = enPassantSquares(setup);
    if (!squares.includes(setup.enPassant)) setup.enPassant = "";
    turn.value = setup.turn;
    for (const { right, box } of rights) box.checked = setup.rights.has(right);
    enPassant.replaceChildren(...["", ...squares].map((square) => element("option", { value: square }, square || "–")));
    enPassant.value = setup.enPassant;
    enPassant.disabled = !squares.length;
    fen.value = fenOf(setup);
  }

  /** @param {EditorEvent} next */
  function takeAnswer(next) {
    if (next.fen !== fenOf(setup) || next.chess960 !== chess960.checked) return;
    isChecked = true;
    const words = [...(next.problem ? [next.problem] : []), ...next.notes];
    problems.replaceChildren(...words.map((text) => element("p", { class: text === next.problem ? "wrong" : "faint" }, text)));
    checked?.(next);
  }
  listen("editor", takeAnswer);

  /** @param {string} text @param {boolean} is960 */
  function load(text, is960, isChange = false) {
    setup = parseSetup(text);
    chess960.checked = is960;
    show();
    if (isChange) change();
    else check();
  }

  choose(MOVE);
  return {
    panel, handlers, load, check,
    fen: () => fenOf(setup),
    chess960: () => chess960.checked,
    /** True if the server has judged the position as it is. */
    isChecked: () => isChecked,
    /** Chooses what a click on a square puts there. */
    choose,
  };
}
