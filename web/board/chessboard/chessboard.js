/**
 * An interactive chessboard: moves by drag, click, arrow keys and typing, promotion, premoves, arrows, marks and paths. It
 * knows no rules: what is legal is in its state, and it asks its handlers about everything else.
 *
 * A transparent grid of 64 cells lies on the drawing; it takes the pointer and the focus and tells screen readers what is
 * on each square.
 */
/** @import { AnalysisShape, Arrow, Color, LegalMove, Square } from "../../messages.js" */
/** @import { Point } from "../../shared/diagram.js" */
/** @import { Mark } from "./marks.js" */
/** @import { Pieces } from "./pieces.js" */
import {
  colorOf, corner, drawPieces, drawSquares, piecesBySquare, squareName,
} from "../../shared/diagram.js";
import { draw, element } from "../../shared/dom.js";
import { english } from "../../shared/letters.js";
import { counted, sideToMove } from "../../shared/notation.js";
import { isAnimated, look } from "../look.js";
import { drawArrows, drawBadge, drawMarks, drawPaths } from "./marks.js";
import { animatePieces, pieceName } from "./pieces.js";
import { askPromotion } from "./promotion.js";
import { makeShapes } from "./shapes.js";
import { findTyped, squaresOf } from "./typed.js";

const DRAG_PIXELS = 4, DROP_MS = 700, WHEEL_STEP = 50, MAX_TYPED = 12;

/** @typedef {{ from: Square, to: Square, promotion: string | null }} Premove */

/**
 * @typedef {object} BoardState
 * @property {string} fen
 * @property {Square[]} last origin and destination of the last move
 * @property {string} symbol the assessment of the last move
 * @property {boolean} check
 * @property {LegalMove[]} legal
 * @property {Color | "both" | null} movable whose pieces may be moved
 * @property {boolean} free pieces may be put anywhere
 * @property {Arrow[]} arrows
 * @property {AnalysisShape[]} shapes
 * @property {Mark[]} marks
 * @property {{ squares: Square[], kind: string }[]} paths
 * @property {Premove[]} premoves which the position shown has already
 * @property {boolean} anyTurn the pieces of both sides may be moved at any time
 * @property {boolean} flipped
 * @property {boolean} animate
 */

/**
 * What the board calls: `illegal` for a move that is not legal, `typed` for a typed text that is none of the legal moves.
 * With `premove`, which gets `null` to cancel one, moves out of turn are allowed. `wheel` gets 1 or -1. On a board that is
 * free, `moved` gets the destination of a piece, or `null` if it leaves the board, `put` the letter of a piece that is typed
 * on a square, or "" to remove it, and `pressed` says whether it has used a click. `shapes` keeps what was drawn; without it,
 * a click removes all drawings.
 * @typedef {{
 *   move?(legal: LegalMove): void, illegal?(from: Square, to: Square): void, typed?(text: string): void,
 *   premove?(premove: Premove | null): void, wheel?(step: number): void,
 *   moved?(from: Square, to: Square | null): void, put?(square: Square, piece: string): void, pressed?(square: Square): boolean,
 *   shapes?(shapes: AnalysisShape[]): void,
 * }} Handlers
 */

/** @param {HTMLElement} container @param {Handlers} handlers */
export function makeChessboard(container, handlers) {
  /** @type {Required<BoardState>} */
  const defaults = {
    fen: "8/8/8/8/8/8/8/8 w - - 0 1", last: [], symbol: "", check: false, legal: [], movable: null, free: false, arrows: [], shapes: [],
    marks: [], paths: [], premoves: [], anyTurn: false, flipped: false, animate: true,
  };
  let state = defaults;
  /** @type {Pieces} */
  let pieces = new Map();
  /** @type {Map<Square, SVGElement>} their elements */
  let drawn = new Map();
  /** @type {Square | null} */
  let selected = null;
  let focused = "e1", typed = "";
  /** The element that had the focus before a move was typed. @type {Element | null} */
  let leftByTyping = null;
  /**
   * The pointer that is down, where it went down, and whether it picked up the piece there.
   * @type {{ id: number, square: Square, wasSelected: boolean, picks: boolean, x: number, y: number } | null}
   */
  let pointer = null;
  /** @type {{ from: Square, x: number, y: number, over: Square | null } | null} a piece that follows it */
  let drag = null;
  /** @type {{ from: Square, to: Square } | null} a move made by dragging that no new position has confirmed */
  let dropped = null;
  const noDialog = () => {};
  let closePromotion = noDialog;

  const svg = draw(container, "svg", { class: "board", viewBox: "0 0 800 800", "aria-hidden": "true" });
  const [squareLayer, markLayer, pathLayer, pieceLayer, arrowLayer, shapeLayer, badgeLayer] = Array.from({ length: 7 }, () => draw(svg, "g", {}));
  const grid = element("div", { role: "grid", class: "cells", "aria-label": "Chessboard" });
  /** @type {HTMLElement[]} */
  const cells = [];
  /** Their labels, before they are translated. @type {string[]} */
  const labels = [];
  for (let row = 0; row < 8; row++) {
    const line = element("div", { role: "row" });
    for (let file = 0; file < 8; file++) cells.push(line.appendChild(element("div", { role: "gridcell", tabindex: "-1" })));
    grid.append(line);
  }
  const typedText = element("output", { class: "typed", translate: "no", "aria-label": "Typed move", hidden: "" });
  const spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
  container.classList.add("chessboard");
  container.append(grid, typedText, spoken);

  // What may be moved.

  const turn = () => sideToMove(state.fen);
  /** @param {Square} from */
  const movesOf = (from) => state.legal.filter((move) => move.from === from);
  /** @param {Square} square */
  const isTarget = (square) => selected !== null && movesOf(selected).some((move) => move.to.includes(square));

  /** True for the rook of a king that is selected out of turn, in Chess960: only its FEN names the files of rooks. @param {Square} square */
  function isCastlingRook(square) {
    if (!selected || !handlers.premove || selected[1] !== square[1]) return false;
    const pair = `${pieces.get(selected)}${pieces.get(square)}`, file = pair === "KR" ? square[0].toUpperCase() : square[0];
    return /^(KR|kr)$/.test(pair) && colorOf(pair) !== turn() && state.fen.split(" ")[2].includes(file);
  }

  /** True where a press ends the move instead of picking another piece. @param {Square} square */
  const isDestination = (square) => isTarget(square) || isCastlingRook(square);

  /** @param {Square} square */
  function canPick(square) {
    const piece = pieces.get(square);
    if (piece && state.free) return true;
    if (!piece || !state.movable) return false;
    if (state.anyTurn) return true;
    if (state.movable === "both") return colorOf(piece) === turn();
    return state.movable === colorOf(piece) && (colorOf(piece) === turn() || Boolean(handlers.premove));
  }

  /** @param {Square | null} square */
  function select(square) {
    selected = square;
    const piece = square && pieces.get(square);
    if (square && piece) {
      const targets = [...new Set(movesOf(square).map((move) => move.to[0]))];
      const moves = targets.length ? `${counted(targets.length, "square")}: ${targets.join(", ")}` : "no legal move";
      say(`${pieceName(piece)} on ${square}${state.free ? "" : `, ${moves}`}`);
    }
    showMarks();
    labelCells();
  }

  /**
   * Makes a move, or has the page explain why it is illegal; `promotion` is the letter of a premove's, if it is known.
   * @param {Square} from @param {Square} to
   */
  function attempt(from, to, { isDrop = false, promotion = "" } = {}) {
    const moves = movesOf(from).filter((move) => move.to.includes(to));
    const piece = pieces.get(from) || "";
    select(null);
    if (state.free) {
      handlers.moved?.(from, to);
    } else if (!state.anyTurn && colorOf(piece) !== turn()) {
      const promotes = piece.toLowerCase() === "p" && /[18]/.test(to[1]);
      /** @param {string | null} role */
      const premove = (role) => handlers.premove?.({ from, to, promotion: role });
      if (!promotes) premove(null);
      else if (promotion) premove(promotion);
      else choosePromotion(to, colorOf(piece), premove);
    } else if (!moves.length) {
      handlers.illegal?.(from, to);
    } else {
      if (isDrop) showDropped(from, to);
      if (!moves[0].promotion) return handlers.move?.(moves[0]);
      choosePromotion(to, colorOf(piece), (role) => {
        const chosen = moves.find((move) => move.promotion === role);
        if (chosen) handlers.move?.(chosen);
      });
    }
  }

  /** A square is clicked, or Enter is pressed on it. @param {Square} square */
  function press(square) {
    if (state.free && handlers.pressed?.(square)) {
      select(null);
    } else if (!selected) {
      if (canPick(square)) select(square);
      else if (state.premoves.length) handlers.premove?.(null);
    } else if (square === selected) {
      select(null);
    } else if (!state.free && canPick(square) && !isDestination(square)) {
      select(square);
    } else {
      attempt(selected, square);
    }
  }

  /** @param {Square} from @param {Square} to */
  function showDropped(from, to) {
    dropped = { from, to };
    showPieces();
    setTimeout(() => {
      if (!dropped || dropped.from !== from || dropped.to !== to) return;
      dropped = null;
      if (closePromotion === noDialog) showPieces();
    }, DROP_MS);
  }

  /** @param {Square} to @param {Color} color @param {(role: string) => void} choose */
  function choosePromotion(to, color, choose) {
    closePromotion();
    if (look.autoQueen) return choose("q");
    grid.inert = true;
    closePromotion = askPromotion(container, { to, color, flipped: state.flipped }, choose, () => {
      closePromotion = noDialog;
      dropped = null;
      showPieces();
      grid.inert = false;
      focus();
    });
  }

  // Drawing.

  function showMarks() {
    const marks = [...state.marks];
    for (const { from, to } of state.premoves) marks.push({ square: from, kind: "premove" }, { square: to, kind: "premove" });
    if (drag && drag.over && drag.over !== drag.from) marks.push({ square: drag.over, kind: "over" });
    if (selected) marks.push({ square: selected, kind: "selected" });
    const targets = new Set(selected ? movesOf(selected).flatMap((move) => move.to) : []);
    drawMarks(markLayer, marks, [...targets].map((square) => [square, pieces.has(square)]), state.flipped);
  }

  function showPieces() {
    pieceLayer.replaceChildren();
    drawn = drawPieces(pieceLayer, state);
    const piece = dropped && drawn.get(dropped.from);
    if (dropped && piece) {
      drawn.get(dropped.to)?.remove();
      place(piece, corner(dropped.to, state.flipped));
    }
    if (drag && drawn.has(drag.from)) moveDragged();
    else drag = null;
  }

  /** @param {SVGElement} piece @param {Point} corner */
  const place = (piece, [x, y]) => piece.setAttribute("transform", `translate(${x} ${y})`);

  function labelCells() {
    cells.forEach((cell, index) => {
      const square = squareName(state.flipped ? 63 - index : index);
      const piece = pieces.get(square);
      const label = `${square}, ${piece ? pieceName(piece) : "empty"}${isTarget(square) ? ", legal move" : ""}`;
      if (labels[index] !== label) cell.setAttribute("aria-label", labels[index] = label);
      cell.dataset.square = square;
      cell.setAttribute("aria-selected", String(square === selected));
      cell.tabIndex = square === focused ? 0 : -1;
      cell.classList.toggle("pickable", canPick(square));
    });
  }

  // The pointer.

  /** The square under a pointer, or `null` outside of the board. @param {PointerEvent} event */
  function squareAt(event) {
    const box = grid.getBoundingClientRect();
    const file = Math.floor((8 * (event.clientX - box.left)) / box.width);
    const row = Math.floor((8 * (event.clientY - box.top)) / box.height);
    if (file < 0 || file > 7 || row < 0 || row > 7) return null;
    const index = 8 * row + file;
    return squareName(state.flipped ? 63 - index : index);
  }

  function moveDragged() {
    const piece = drag && drawn.get(drag.from);
    if (!drag || !piece) return;
    const box = grid.getBoundingClientRect();
    const x = (800 * (drag.x - box.left)) / box.width - 50, y = (800 * (drag.y - box.top)) / box.height - 50;
    pieceLayer.append(piece);
    place(piece, [x, y]);
  }

  /** @param {PointerEvent} event */
  function pointerDown(event) {
    const square = squareAt(event);
    if (event.button !== 0 || !square || pointer) return;
    const wasSelected = selected === square;
    const picks = canPick(square) && (wasSelected || !isDestination(square));
    if (picks && !wasSelected && !state.free) select(square);
    pointer = { id: event.pointerId, square, wasSelected, picks, x: event.clientX, y: event.clientY };
    grid.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function pointerMove(event) {
    if (!pointer || event.pointerId !== pointer.id || !pointer.picks) return;
    const { square, x, y } = pointer;
    if (!drag && Math.hypot(event.clientX - x, event.clientY - y) < DRAG_PIXELS) return;
    if (!drawn.has(square) || !canPick(square)) return release();
    const over = squareAt(event);
    const entered = !drag || drag.over !== over;
    container.classList.add("dragging");
    drag = { from: square, x: event.clientX, y: event.clientY, over };
    moveDragged();
    if (entered) showMarks();
  }

  /** @param {PointerEvent} event */
  function pointerUp(event) {
    if (!pointer || event.pointerId !== pointer.id) return;
    const { square, wasSelected, picks } = pointer, target = squareAt(event), dragged = Boolean(drag);
    release();
    if (state.free) {
      if (dragged && target !== square) handlers.moved?.(square, target);
      else if (!dragged && target === square) press(square);
    } else if (!picks && target === square) press(square);
    else if (dragged && target && target !== square) attempt(square, target, { isDrop: true });
    else if (dragged || (picks && wasSelected)) select(null);
  }

  /** Puts the piece down; also when a touch scrolls the page instead. */
  function release() {
    pointer = null;
    if (!drag) return;
    drag = null;
    container.classList.remove("dragging");
    showPieces();
    showMarks();
  }

  grid.addEventListener("pointerdown", pointerDown);
  grid.addEventListener("pointermove", pointerMove);
  grid.addEventListener("pointerup", pointerUp);
  grid.addEventListener("pointercancel", release);
  grid.addEventListener("dragstart", (event) => event.preventDefault());
  const drawing = makeShapes(grid, shapeLayer, squareAt, () => !state.free, () => {
    release();
    select(null);
  }, handlers.shapes);

  let turned = 0;
  grid.addEventListener("wheel", (event) => {
    if (!handlers.wheel || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    turned = Math.sign(event.deltaY) === Math.sign(turned) ? turned + event.deltaY : event.deltaY;
    // A notch of a mouse is enough, a touchpad has to be moved some way.
    if (Math.abs(turned) < WHEEL_STEP && event.deltaMode === WheelEvent.DOM_DELTA_PIXEL) return;
    handlers.wheel(Math.sign(turned));
    turned = 0;
  }, { passive: false });

  // The keyboard.

  /** @param {string} text */
  function say(text) {
    spoken.textContent = text;
  }

  /** @param {string} text */
  function showTyped(text) {
    typed = text;
    typedText.textContent = text;
    typedText.hidden = !text;
    if (text || !leftByTyping) return;
    const left = leftByTyping;
    leftByTyping = null;
    if (grid.contains(document.activeElement)) blur();
    if (left instanceof HTMLElement && left !== document.body) left.focus({ preventScroll: true });
  }

  /** Begins a move with a key that was pressed elsewhere. @param {string} key */
  function type(key) {
    if (state.free || !state.movable || grid.inert) return false;
    leftByTyping ??= document.activeElement;
    focus();
    showTyped((typed + key).slice(0, MAX_TYPED));
    return true;
  }

  /** Plays a move typed by its squares or in SAN. @param {string} entered */
  function playTyped(entered) {
    const text = english(entered);
    showTyped("");
    const found = findTyped(state.legal, text), squares = squaresOf(text);
    if (found && state.movable) handlers.move?.(found);
    else if (squares && handlers.premove && canPick(squares[0]) && colorOf(pieces.get(squares[0]) ?? "") !== turn()) {
      attempt(squares[0], squares[1], { promotion: squares[2].toLowerCase() });
    } else if (handlers.typed) handlers.typed(text);
    else if (squares && handlers.illegal) handlers.illegal(squares[0], squares[1]);
    else say(`${entered} is not a legal move`);
  }

  /** @param {number} files @param {number} rows */
  function moveFocus(files, rows) {
    const index = cells.findIndex((cell) => squareOf(cell) === focused);
    const file = Math.min(Math.max((index % 8) + files, 0), 7), row = Math.min(Math.max(Math.floor(index / 8) + rows, 0), 7);
    focused = squareOf(cells[8 * row + file]);
    labelCells();
    focus();
  }

  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, [number, number]>} */
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (arrows[event.key]) moveFocus(...arrows[event.key]);
    else if (state.free && /^[kqrbnp]$/i.test(event.key)) handlers.put?.(focused, event.key);
    else if (state.free && /^(Delete|Backspace)$/.test(event.key)) handlers.put?.(focused, "");
    else if (event.key === "Enter" && typed) playTyped(typed);
    else if (event.key === "Enter" || event.key === " ") press(focused);
    else if (event.key === "Escape" && isBusy()) cancel();
    else if (event.key === "Backspace" && typed) showTyped(typed.slice(0, -1));
    else if (!state.free && /^[\p{L}\p{N}=+#-]$/u.test(event.key)) showTyped((typed + event.key).slice(0, MAX_TYPED));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function blur() {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && grid.contains(focused)) focused.blur();
  }

  // After the pointer the keys are those of the mode again; a touch moves the focus only before its click.
  for (const type of ["pointerup", "click"]) {
    grid.addEventListener(type, blur);
  }

  grid.addEventListener("focusin", (event) => {
    const cell = cells.find((one) => one === event.target);
    if (!cell || squareOf(cell) === focused) return;
    focused = squareOf(cell);
    labelCells();
  });

  const isBusy = () => Boolean(typed || selected || state.premoves.length);

  /** Takes back what has been typed or selected, or else the premove. */
  function cancel() {
    if (!typed && !selected && state.premoves.length) handlers.premove?.(null);
    showTyped("");
    select(null);
  }

  /** @param {HTMLElement} cell */
  const squareOf = (cell) => cell.dataset.square || "";

  // The component.

  /** @param {Partial<BoardState>} next */
  function set(next) {
    const old = state, before = pieces, origin = dropped;
    state = { ...defaults, ...next, flipped: next.flipped ?? old.flipped };
    const turned = state.flipped !== old.flipped, moved = state.fen !== old.fen;
    if (moved) {
      pieces = piecesBySquare(state.fen);
      dropped = null;
      closePromotion();
      drawing.clear();
    }
    if (selected && !canPick(selected)) selected = null;
    squareLayer.replaceChildren();
    drawSquares(squareLayer, state);
    // Otherwise an animation may be running.
    if (moved || turned) showPieces();
    showMarks();
    drawPaths(pathLayer, state.paths, state.flipped);
    drawBadge(badgeLayer, state.last[1], state.symbol, state.flipped);
    drawArrows(arrowLayer, state.arrows, state.flipped);
    drawing.set(state.shapes, state.flipped);
    labelCells();
    if (moved && !turned && before.size && state.animate && isAnimated()) {
      animatePieces(pieceLayer, drawn, before, pieces, { last: state.last, flipped: state.flipped, origin });
    }
  }

  function flip() {
    set({ ...state, flipped: !state.flipped });
    return state.flipped;
  }

  /** Puts the keyboard's focus on the board. */
  function focus() {
    const cell = cells.find((one) => squareOf(one) === focused);
    cell?.focus({ preventScroll: true });
  }

  set({});
  return { set, flip, focus, squareAt, cancel, type };
}
