/** The mode Tri-D: a game of Tri-Dimensional chess. */
/** @import { Square, TridimEvent, TridimGameView, TridimLegalMove, TridimLimit, TridimPieceView, TridimRequest } from "../../messages.js" */
/** @import { Mode } from "../frame.js" */
/** @import { Choice, OpenCastling } from "./marks.js" */
/** @import { Target } from "./view.js" */
import { drawPicture } from "../../shared/diagram.js";
import { byId, copyText, element } from "../../shared/dom.js";
import { capitalized } from "../../shared/notation.js";
import { ROLES } from "../chessboard/pieces.js";
import { button } from "../controls.js";
import { send as sendTo } from "../frame.js";
import { openLibrary } from "../games/games.js";
import { playSound } from "../sound.js";
import { keep, kept, load, store } from "../storage.js";
import { toast } from "../toast.js";
import { boardOf } from "./geometry.js";
import { begun, fillCastling, fillMoves } from "./lists.js";
import { castlingOf, isSame, marksOf, movesOf, reversed } from "./marks.js";
import { showRules } from "./rules.js";
import { setupDialog } from "./setup.js";
import { makeView } from "./view.js";

const section = byId("tridim", HTMLElement);
/** @type {Record<string, string>} */
const VIEWS = { flat: "Flat", space: "3D", both: "Both" };
const REASON_MS = 6000, WIDE = "(min-width: 1000px) and (min-height: 640px)";
const byWidth = () => (matchMedia(WIDE).matches ? "both" : "flat");
const settings = {
  view: byWidth(), confirm: true, aside: true, limit: /** @type {TridimLimit} */ ({ seconds: 1 }), ...load("tridim.settings"),
};
/** @param {TridimRequest} request */
const send = (request) => sendTo("tridim", request);

/** The last state from the server; the mode cannot be used before the first. @type {TridimGameView} */
let game;
/** @type {Choice} */
let choice = { selected: null, proposed: null, advised: null, hinted: null, reason: [] };
/** @type {{ focus(): void } | null} the view that had the focus when a move was proposed */
let focusedView = null;
let reasonTimer = 0, flipped = false;

// The page.

const stages = { flat: element("div", { class: "stage" }), space: element("div", { class: "stage" }) };
const readout = element("p", { class: "readout faint", "aria-hidden": "true" });
const spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
const status = element("p", { class: "status", role: "status" });
const thinking = element("p", { class: "thinking faint number", "aria-hidden": "true" });
const question = element("p", { role: "status" });
const playButton = button("Play", () => choice.proposed && play(choice.proposed), { class: "primary" });
const confirmation = element("div", { class: "confirmation", hidden: true }, question, playButton, button("Cancel", cancel));
const moves = element("ol", { class: "moves", tabindex: "0", "aria-label": "Moves" });
const castling = element("ul", { class: "castling" });
const typed = element("input", {
  id: "tridim-move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "b2W-b4N, QL1-QL3, O-O",
});
const buttons = {
  undo: button("Undo", () => send({ type: "undo" })),
  redo: button("Redo", () => send({ type: "redo" })),
  hint: button("Hint", () => send({ type: "hint" }), { title: "Show a good move" }),
  go: button("Engine move", () => send({ type: "go" }), { title: "Let the engine make this move" }),
  stop: button("Move now", () => send({ type: "stop" })),
  claim: button("Claim draw", () => send({ type: "claim" })),
  activate: button("Activate board", activate, { title: "This turn will be a move of the selected board; no castling" }),
  release: button("Release board", () => send({ type: "release" }), { title: "Any move is possible again" }),
  promote: button("Promote", () => askPromotion(game.legal)),
  resign: button("Resign", () => resignation.showModal()),
};
const viewButtons = Object.entries(VIEWS).map(([name, text]) => button(text, () => set({ view: name }), { "data-view": name }));
const aside = button("Spread", () => set({ aside: !settings.aside }), {
  title: "Show the attack boards beside the others, so that they hide nothing, or in their true place",
});
const views = {
  flat: makeView(stages.flat, "flat", { press, canDrag, pick: select, drop, describe, hover }),
  space: makeView(stages.space, "space", { press, canDrag, pick: select, drop, describe, hover }),
};
const bothViews = Object.values(views);
const reset = button("Reset", views.space.reset, { "aria-label": "Reset view" });
const flip = button("Flip", () => turn(!flipped));
const confirmMoves = element("input", { type: "checkbox", onchange: () => set({ confirm: confirmMoves.checked }) });
const amount = element("input", {
  type: "number", min: "1", max: "600", step: "any", class: "amount", "aria-label": "Amount", onchange: changeLimit,
});
const unit = element("select", { "aria-label": "Unit", onchange: changeLimit },
  element("option", { value: "seconds" }, "seconds"), element("option", { value: "depth" }, "plies"));

const promotion = element("dialog", { class: "promotion-choice", "aria-label": "Promote to" });
const resignation = element("dialog", { "aria-label": "Resign" }, element("p", {}, "Resign this game?"),
  element("p", { class: "buttons" },
    button("Resign", resign, { class: "primary" }), button("Play on", () => resignation.close())));
const setup = setupDialog(send);

const keys = element("p", { id: "tridim-keys", class: "visually-hidden" },
  "The arrow keys move from square to square, Page Up and Page Down from level to level. Enter selects a piece or a board, then its ",
  "destination; Escape cancels. In the 3D view, Shift with an arrow key rotates the boards, and Home resets the view.");
for (const { svg } of bothViews) svg.setAttribute("aria-describedby", keys.id);
const boards = element("div", { class: "boards" }, keys,
  element("div", { class: "bar" },
    element("div", { class: "choice", role: "group", "aria-label": "View" }, ...viewButtons), aside, reset, flip, readout, confirmation),
  element("div", { class: "stages" }, stages.space, stages.flat));
const side = element("div", { class: "side" },
  element("div", { class: "card now" }, status, thinking,
    element("div", { class: "buttons" }, ...Object.values(buttons))),
  element("div", { class: "card record" }, element("h2", {}, "Moves"), moves,
    element("form", { class: "typing", onsubmit: submitTyped }, element("label", { for: "tridim-move" }, "Move"), typed, element("button", {}, "Enter"))),
  element("div", { class: "card" }, element("h2", {}, "Castling"), castling),
  element("div", { class: "card options" },
    element("label", {}, confirmMoves, " Confirm moves"),
    element("label", { class: "limit" }, "Engine ", amount, unit),
    element("div", { class: "buttons" },
      button("New game…", setup.open), button("Games…", openLibrary, { title: "The games you have played here" }),
      button("Copy position", copyPosition), button("Rules", showRules))),
  spoken);
section.append(boards, side, promotion, resignation, setup.dialog);

function resign() {
  resignation.close();
  send({ type: "resign" });
}

// Choosing and moving.

/** @param {Square | undefined} square */
const pieceOn = (square) => game?.pieces.find((piece) => piece.square === square);
/** @param {string} pin */
const boardOn = (pin) => game.boards.find((board) => board.name === pin);
/** @param {TridimPieceView | undefined} piece */
const isOwn = (piece) => piece?.color === game.side_to_move;
/** @param {Target} target */
const nameOf = (target) => target.square ?? target.pin;

/** @param {Square} square */
function describe(square) {
  const piece = pieceOn(square);
  const parts = [square, piece ? `${piece.color} ${piece.role}` : "empty"];
  const target = choice.selected && movesOf(game, choice.selected).find((move) => move.to.includes(square));
  if (target) parts.push(target.kind === "castling" ? "castling" : target.capture ? "capture" : "legal move");
  return parts.join(", ");
}

/** A board stands for itself where no piece is meant. @param {Target} target @returns {Target | null} */
function sourceAt({ square, pin }) {
  if (square === undefined) return boardOn(pin) ? { pin } : null;
  if (isOwn(pieceOn(square))) return { square };
  const board = boardOn(boardOf(square));
  return board?.owner && !pieceOn(square) && !board.immobile ? { pin: board.name } : null;
}

/** @param {Target} target */
function canDrag(target) {
  return game?.movable && !choice.proposed ? sourceAt(target) : null;
}

/** @param {Square | null} square */
function hover(square) {
  readout.textContent = square ? describe(square) : "";
}

/** @param {Target | null} target */
function drop(target) {
  const source = choice.selected;
  const isHere = !target || isSame(target, source) || (target.square && source?.pin === boardOf(target.square));
  if (isHere || !source) select(null);
  else go(source, target);
}

/** @param {Target | null} target */
function press(target) {
  if (!game) return;
  const { proposed, selected } = choice;
  if (proposed) {
    if (target && proposed.to.includes(nameOf(target))) play(proposed);
    else cancel();
    return;
  }
  if (!target || !game.movable) return select(null);
  if (selected && movesOf(game, selected).some((move) => move.to.includes(nameOf(target)))) return go(selected, target);
  if (isSame(selected, target)) return select(null);
  const source = sourceAt(target), immobile = source?.pin && boardOn(source.pin)?.immobile;
  if (target.square && game.pending === target.square) askPromotion(game.legal);
  else if (immobile) explain(immobile, []);
  else if (source && !(selected?.square && source.pin)) select(source);
  else if (selected) go(selected, target);
}

/** @param {Target | null} source */
function select(source) {
  choice.selected = source;
  if (source) {
    const targets = [...new Set(movesOf(game, source).map((move) => move.to[0]))];
    const piece = pieceOn(source.square);
    const what = piece ? `${piece.role} on ${source.square}` : `board ${source.pin}`;
    say(`${capitalized(what)}: ${targets.length ? targets.join(", ") : "no legal move"}`);
  }
  mark();
}

function activate() {
  const pin = choice.selected?.pin;
  if (pin) send({ type: "activate", pin });
}

/** Makes a move, or has the server say why it is illegal. @param {Target} source @param {Target} target */
function go(source, target) {
  const legal = movesOf(game, source).filter((move) => move.to.includes(nameOf(target)));
  if (legal.length > 1) return askPromotion(legal);
  if (legal.length) return propose(legal[0]);
  // A board does not move to a square.
  const to = source.pin && target.square ? boardOf(target.square) : nameOf(target);
  if (!(source.square && target.pin)) send({ type: "move", text: `${nameOf(source)}-${to}` });
  select(null);
}

/** @param {TridimLegalMove} move */
function propose(move) {
  if (!settings.confirm) return play(move);
  choice = { ...choice, proposed: move, advised: null, selected: null };
  const option = castlingOf(game, move);
  const squares = option ? `: king ${option.king.from}–${option.king.to}, rook ${option.rook.from}–${option.rook.to}` : "";
  question.textContent = `Play ${move.text}${squares}?`;
  focusedView = bothViews.find((view) => view.hasFocus()) ?? null;
  showProposed();
  mark();
  playButton.focus({ preventScroll: true });
}

function showProposed() {
  confirmation.hidden = !choice.proposed;
  readout.hidden = !confirmation.hidden;
}

function cancel() {
  choice = { ...choice, proposed: null, selected: null };
  showProposed();
  focusedView?.focus();
  focusedView = null;
  mark();
}

/** @param {TridimLegalMove} move */
function play(move) {
  send({ type: "move", text: move.text });
  cancel();
}

/** @param {Event} event */
function submitTyped(event) {
  event.preventDefault();
  const text = typed.value.trim();
  if (text) send({ type: "typed", text });
  typed.value = "";
}

/** @param {TridimLegalMove[]} legal */
function askPromotion(legal) {
  const roles = legal.flatMap((move) => {
    const role = move.promotion;
    if (!role) return [];
    const chosen = button("", () => {
      promotion.close();
      propose(move);
    }, { "aria-label": ROLES[role] });
    drawPicture(chosen, role, game.side_to_move);
    return [chosen];
  });
  promotion.replaceChildren(element("p", {}, "Promote to"), element("div", { class: "roles" }, ...roles));
  select(null);
  promotion.showModal();
}

/** @param {string} text */
const sentence = (text) => `${begun(text)}.`;

/** @param {string} text the notation of a legal move */
const legalMove = (text) => game.legal.find((move) => move.text === text);

/** Proposes a typed move, which is confirmed like every other. @param {string} text */
function proposeTyped(text) {
  const move = legalMove(text);
  if (move) propose(move);
}

/** @param {string} text */
function advise(text) {
  const move = legalMove(text);
  if (!move) return;
  choice = { ...choice, selected: null, advised: move };
  mark();
  say(`Try ${text}`);
  status.textContent = `Try ${text}.`;
}

/** Shows the reason something is not possible. @param {string} text @param {Square[]} squares */
function explain(text, squares) {
  clearTimeout(reasonTimer);
  reasonTimer = setTimeout(() => {
    choice.reason = [];
    mark();
  }, REASON_MS);
  toast(sentence(text));
  choice = { ...choice, reason: squares, selected: null };
  mark();
}

// Showing.

/** @param {string} text */
function say(text) {
  readout.textContent = text;
  spoken.textContent = text;
}

/** @param {OpenCastling | null} hinted */
function hint(hinted) {
  choice.hinted = hinted;
  mark();
}

function mark() {
  if (!game) return;
  buttons.activate.hidden = !(choice.selected?.pin && game.movable && !game.activated);
  const marks = marksOf(game, choice);
  for (const view of bothViews) view.mark(marks);
}

/** @param {TridimGameView} event */
function show(event) {
  const before = game;
  game = event;
  choice = { selected: null, proposed: null, advised: null, hinted: null, reason: [] };
  showProposed();
  keep("tridim.game", { saved: game.saved, id: game.id }, game.moves.length > 0);
  set({ limit: game.limit });
  const step = before ? game.moves.length - before.moves.length : 0;
  const isUnchanged = before && before.position === game.position && step === 0;
  if (!isUnchanged) {
    for (const view of bothViews) view.set(game, step === 1 ? game.last : step === -1 ? reversed(before.last) : null);
  }
  if (!before || before.side !== game.side) turn(game.side === "black");
  mark();
  showStatus();
  fillCastling(castling, game, { propose, hint });
  fillMoves(moves, game.moves);
  const played = step === 1 && game.moves.at(-1);
  if (played) say(`${capitalized(played.color)}: ${played.text}`);
  if (before) playSoundOf(before);
  if (game.pending && game.movable && !promotion.open && !isUnchanged) askPromotion(game.legal);
  if (!game.pending && promotion.open) promotion.close();
}

/** @param {TridimGameView} before */
function playSoundOf(before) {
  if (game.over && !before.over) playSound("end");
  else if (game.moves.length > before.moves.length) playSound(game.check ? "check" : game.pieces.length < before.pieces.length ? "capture" : "move");
}

function showStatus() {
  status.textContent = capitalized(game.status);
  status.classList.toggle("over", game.over);
  if (!game.thinking) thinking.textContent = "";
  const { undo, redo, hint: advice, go, stop, claim, release, promote, resign } = buttons;
  undo.disabled = !game.can_undo;
  redo.disabled = !game.can_redo;
  advice.hidden = go.hidden = game.thinking || game.over;
  advice.disabled = !game.movable;
  stop.hidden = !game.thinking;
  claim.hidden = !game.claims.length;
  claim.title = game.claims.join(", ");
  release.hidden = !game.activated;
  promote.hidden = !(game.pending && game.movable);
  resign.disabled = game.over;
  const [[name, value]] = Object.entries(game.limit);
  if (document.activeElement !== amount) amount.value = String(value);
  unit.value = name;
  confirmMoves.checked = settings.confirm;
}

/** @param {Partial<typeof settings>} changes */
function set(changes) {
  Object.assign(settings, changes);
  store("tridim.settings", settings);
  if ("view" in changes || "aside" in changes) arrange();
  if ("aside" in changes) views.space.spread(settings.aside);
}

function arrange() {
  const shown = settings.view in VIEWS ? settings.view : byWidth();
  for (const one of viewButtons) one.setAttribute("aria-pressed", String(one.dataset.view === shown));
  boards.dataset.view = shown;
  stages.flat.hidden = shown === "space";
  stages.space.hidden = shown === "flat";
  aside.hidden = reset.hidden = shown === "flat";
  aside.setAttribute("aria-pressed", String(settings.aside));
  for (const view of bothViews) view.render();
}

/** @param {boolean} isFlipped */
function turn(isFlipped) {
  flipped = isFlipped;
  flip.setAttribute("aria-pressed", String(flipped));
  for (const view of bothViews) view.flip(flipped);
}

function changeLimit() {
  const value = Number(amount.value);
  send({ type: "limit", limit: unit.value === "depth" ? { depth: Math.round(value) } : { seconds: value } });
}

async function copyPosition() {
  toast(await copyText(game.position) ? "Position copied." : game.position);
}

section.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && (choice.proposed || choice.selected)) cancel();
});

/** @param {TridimEvent} event */
function event(event) {
  if (event.type === "game") show(event);
  else if (event.type === "illegal") explain(event.text, event.squares);
  else if (event.type === "typed") proposeTyped(event.text);
  else if (event.type === "hint") advise(event.text);
  else if (event.type === "thinking") thinking.textContent = `Depth ${event.depth}  ${event.score}  ${event.line.join(" ")}`;
  else if (event.type === "started") setup.started();
  else setup.fail(sentence(event.text));
}

/** @param {{ saved: string[], id: string | null }} one a game */
const open = ({ saved, id }) => send({ type: "restore", saved, id, limit: settings.limit });

function connected() {
  const last = game ?? kept("tridim.game");
  if (last) open(last);
}

/** @type {Mode<TridimEvent>} */
export const tridim = {
  event, connected, ready: () => Boolean(game), shown: arrange,
  open(one) {
    open(one);
    // The search of a game that is restored begins when its mode is shown.
    sendTo("show", "tridim");
  },
};

views.space.spread(settings.aside);
arrange();
