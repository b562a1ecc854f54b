/** The mode Play. The server keeps the game; this page shows its state and sends requests. */
/** @import { AnalysisGameView, Color, Illegal, LegalMove, PlayEvent, PlayGameView, PlayRequest } from "../../messages.js" */
/** @import { Mode } from "../frame.js" */
import { byId, element, replaceChildren } from "../../shared/dom.js";
import { localized, onLetters } from "../../shared/letters.js";
import { TENTHS_BELOW_MS, capitalized, clockText, isBlack, kindOf, sideToMove, unbroken } from "../../shared/notation.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { addShortcuts, addTyping, button, download, fileName, icon } from "../controls.js";
import { openIn, request as requestOf, show as showMode } from "../frame.js";
import { look } from "../look.js";
import { openLibrary } from "../games/games.js";
import { playSound, playSoundOf } from "../sound.js";
import { keep, kept } from "../storage.js";
import { copy, toast } from "../toast.js";
import { fillMaterial } from "./material.js";
import { withPremoves } from "./premoves.js";
import { newGameDialog } from "./new_game.js";
import { reviewPanel } from "./review.js";

const section = byId("play", HTMLElement);
const TICK_MS = 100, MOVE_NOW_MS = 1500;
/** The shortest game that is reviewed at once when it ends. */
const REVIEWED_PLIES = 10;
/** The last state from the server; the mode cannot be used before the first. @type {PlayGameView} */
let game;
/** When it came. */
let received = 0;
/** The position shown: the number of moves made, or `null` for the last one. @type {number | null} */
let shownPly = null;
let flipped = false;
/** The server's answer to an illegal move, until the next one. @type {Illegal | null} */
let illegal = null;
/** @type {LegalMove | null} a move that waits for confirmation */
let asked = null;

// The parts of the page.

const boardBox = element("div");
const board = makeChessboard(boardBox, {
  move: (move) => (look.confirm ? ask(move) : request({ type: "move", text: move.uci })),
  illegal: (from, to) => request({ type: "move", text: from + to }),
  typed: (text) => request({ type: "move", text }),
  wheel: (by) => step(by),
  premove: (premove) => request(premove ? { type: "premove", ...premove } : { type: "cancel_premove" }),
});
const players = { above: playerBar(), below: playerBar() };
const status = element("p", { class: "status", "aria-live": "polite" });
const detail = element("p", { class: "detail", "aria-live": "polite" });
const claims = element("div", { class: "claims" });
const moves = element("div", { class: "moves card", tabindex: "0", role: "group", "aria-label": "Moves" });
const now = element("output", { class: "now" });

const first = icon("«", "Start of the game (Home)", () => show(0)), back = icon("‹", "Previous move (←)", () => step(-1));
const forward = icon("›", "Next move (→)", () => step(1)), last = icon("»", "Last move (End)", () => show(null));
const takeback = button("Take back", () => request({ type: "takeback" }), { title: "Take back your last move" });
const redo = button("Redo", () => request({ type: "redo" }), { title: "Replay the move you took back" });
const hint = button("Hint", () => request({ type: "hint" }), { title: "Show a good move" });
const moveNow = button("Move now", () => request({ type: "move_now" }), { title: "Make Castellan move immediately" });
const offer = button("Offer draw", () => request({ type: "offer_draw" }), { title: "Offer a draw, or agree to one" });
const resign = button("Resign", askToResign, { title: "Resign the game" });
const zen = icon("◱", "Only the board (Alt+Z)", toggleZen, { "aria-pressed": "false" });

const pause = button("Pause", () => request({ type: game.paused ? "resume" : "pause" }), { title: "Stop both clocks" });
const review = reviewPanel(request, { show, train: () => showMode("training") });

const newGame = newGameDialog(request);
const resignTitle = element("h2", { id: "resign-title" });
const resignDialog = element("dialog", { "aria-labelledby": "resign-title" },
  element("form", { method: "dialog" },
    resignTitle,
    element("div", { class: "buttons" },
      element("button", { autofocus: true }, "Play on"),
      element("button", { class: "primary", onclick: () => request({ type: "resign" }) }, "Resign"))));

section.append(
  element("div", { class: "play" },
    element("div", { class: "table" }, players.above.bar, boardBox, players.below.bar),
    element("div", { class: "panel" },
      element("div", { class: "card state" }, status, detail, claims),
      review.buttons, element("div", { class: "record" }, review.panel, moves),
      element("nav", { class: "browse", "aria-label": "Positions of the game" }, first, back, now, forward, last,
        icon("⇅", "Flip the board (Alt+F)", flip), zen),
      element("div", { class: "actions" }, takeback, redo, hint, moveNow, pause, offer, resign),
      element("div", { class: "actions" },
        button("New game", () => newGame.open(), { title: "Start a new game", class: "primary" }),
        button("Games…", () => openLibrary(), { title: "The games you have played here" }),
        button("Analyze", () => openIn("analysis", { pgn: pgn(), id: game.saved.id ?? undefined, below: flipped ? "black" : "white" }), { title: "Open this game in Analyze" })),
      element("div", { class: "actions" },
        button("Copy PGN", () => copy("PGN", pgn()), { title: "Copy the game as PGN", class: "quiet" }),
        button("Download", () => download(pgn(), fileName(game.players.white, game.players.black, today())), { title: "Save the game as a PGN file", class: "quiet" }),
        button("Copy FEN", () => copy("FEN", plyAt(shown()).fen), { title: "Copy the position shown as FEN", class: "quiet" })))),
  newGame.dialog, resignDialog);

function playerBar() {
  const disc = element("span", { class: "disc" }), name = element("b");
  const material = element("span", { class: "material", role: "img" }), clock = element("span", { class: "clock number", hidden: true });
  return { bar: element("p", { class: "player" }, disc, name, material, clock), disc, name, material, clock };
}

/** The game, with the annotations of its review. */
const pgn = () => review.pgn() ?? game.pgn;
const today = () => /\[Date "([^"]*)"\]/.exec(game.pgn)?.[1] ?? "";

/** @param {PlayRequest} message */
function request(message) {
  requestOf("play", message);
}

function askToResign() {
  resignTitle.textContent = game.side === "both" ? `Resign for ${capitalized(sideToMove(game.fen))}?` : "Resign this game?";
  resignDialog.showModal();
}

// Events.

/** @param {PlayEvent} answer */
function event(answer) {
  if (answer.type === "game") takeGame(answer);
  else if (answer.type === "illegal") showIllegal(answer);
  else if (answer.type === "review") takeReview(answer);
  else if (answer.type === "review_progress") review.setProgress(answer.done, answer.total);
  else if (answer.type === "started") newGame.started();
  else if (answer.type === "not_started") newGame.fail(answer.text);
  else fail(answer.text);
}

/** @param {string} text */
function fail(text) {
  if (game) return showIllegal({ text, marks: [], arrows: [] }, shownPly);
  // The game that was kept cannot be resumed.
  toast(text);
  request({ type: "state" });
}

/** @param {Illegal} answer */
function showIllegal(answer, ply = /** @type {number | null} */ (null)) {
  illegal = answer;
  shownPly = ply;
  draw();
}

/** @param {PlayGameView} next */
function takeGame(next) {
  const before = game;
  const isOther = !before || before.start.fen !== next.start.fen || before.side !== next.side
    || before.saved.actions[0] !== next.saved.actions[0];
  if (isOther || next.moves.length !== before.moves.length) shownPly = null;
  if (isOther) flipped = next.side === "black";
  game = next;
  asked = null;
  received = performance.now();
  illegal = null;
  keep("play", next.saved, next.moves.length > 0);
  review.set(game, isOther);
  if (!isOther) {
    if (game.result && !before.result) playSound("end");
    else if (game.moves.length > before.moves.length) playSoundOf(game.moves[game.moves.length - 1].san);
    if (game.result && !before.result && game.moves.length >= REVIEWED_PLIES) request({ type: "review" });
  }
  draw();
}

/** @param {AnalysisGameView} answer */
function takeReview(answer) {
  review.take(answer);
  draw();
}

function connected() {
  const saved = game?.saved ?? kept("play");
  request(saved ? { type: "restore", saved } : { type: "state" });
}

// Looking at earlier positions.

const shown = () => shownPly ?? game.moves.length;
/** @param {number} ply */
const plyAt = (ply) => (ply === 0 ? game.start : game.moves[ply - 1].after);

/** @param {number | null} ply */
function show(ply) {
  shownPly = ply === null || ply >= game.moves.length ? null : Math.max(ply, 0);
  illegal = null;
  draw();
}

/** @param {number} by */
const step = (by) => show(shown() + by);

/** @param {LegalMove} move */
function ask(move) {
  asked = move;
  draw();
  claims.querySelector("button")?.focus();
}

function confirmAsked() {
  if (asked) request({ type: "move", text: asked.uci });
  asked = null;
}

/** Takes back what waits for confirmation, leaves the mode in which only the board is seen, or cancels on the board. */
function cancel() {
  if (asked) {
    asked = null;
    draw();
  } else if (section.hasAttribute("data-zen") && !game.premoves.length) toggleZen();
  else board.cancel();
}

function toggleZen() {
  const on = section.toggleAttribute("data-zen");
  document.body.toggleAttribute("data-zen", on);
  zen.setAttribute("aria-pressed", String(on));
}

function flip() {
  flipped = !flipped;
  draw();
}

// Drawing.

function draw() {
  if (!game) return;
  drawBoard();
  drawPlayers();
  drawState();
  drawClaims();
  drawMoves();
  takeback.disabled = !game.can_take_back;
  redo.disabled = !game.can_redo;
  takeback.hidden = redo.hidden = game.result !== null && takeback.disabled && redo.disabled;
  hint.disabled = game.legal.length === 0 || game.thinking !== null;
  offerMoveNow();
  offer.disabled = !game.can_offer_draw;
  offer.textContent = game.side === "both" ? "Draw" : "Offer draw";
  resign.disabled = game.result !== null;
  pause.hidden = !game.can_pause && !game.paused;
  pause.textContent = game.paused ? "Resume" : "Pause";
}

/** Only where Castellan takes its time. */
function offerMoveNow() {
  const isLong = game.thinking === "move" && performance.now() - received > MOVE_NOW_MS;
  moveNow.hidden = !isLong;
  hint.hidden = isLong || game.result !== null;
  offer.hidden = resign.hidden = game.result !== null;
}

function drawBoard() {
  const ply = shown(), isLast = shownPly === null;
  const { fen, check } = plyAt(ply);
  const move = ply > 0 ? game.moves[ply - 1] : null;
  const hinted = asked ? [asked.from, asked.to[0]] : game.hint?.squares;
  const advice = isLast && hinted ? [{ from: hinted[0], to: hinted[1], kind: "hint" }] : [];
  const premoves = isLast ? game.premoves : [];
  board.set({
    fen: withPremoves(fen, premoves), check, flipped, last: move?.squares ?? [], symbol: review.markOf(ply - 1),
    legal: isLast ? game.legal : [], movable: isLast ? game.movable : null,
    premoves,
    marks: illegal ? illegal.marks : [], arrows: illegal ? illegal.arrows : advice,
  });
}

/** @returns {[Color, ReturnType<typeof playerBar>][]} */
const sides = () => [["white", flipped ? players.above : players.below], ["black", flipped ? players.below : players.above]];

function drawPlayers() {
  const toMove = sideToMove(game.fen);
  const { fen } = plyAt(shown());
  for (const [side, { bar, disc, name, material, clock }] of sides()) {
    fillMaterial(material, game.start.fen, fen, side);
    disc.className = `disc ${side}`;
    name.textContent = game.players[side];
    bar.classList.toggle("to-move", side === toMove && !game.result);
    bar.classList.toggle("thinking", side === toMove && game.thinking === "move");
    clock.hidden = !game.clocks;
    clock.dataset.side = side;
  }
  drawClocks();
}

function drawClocks() {
  if (!game.clocks) return;
  const passed = performance.now() - received;
  for (const [side, { clock }] of sides()) {
    const left = Math.max(game.clocks[side] - (game.clocks.running === side ? passed : 0), 0);
    say(clock, clockText(left));
    clock.classList.toggle("running", game.clocks.running === side);
    clock.classList.toggle("low", left < TENTHS_BELOW_MS);
  }
}

function drawState() {
  say(status, describe());
  /** @type {Record<string, string>} */
  const texts = { move: "", hint: "Looking for a good move…", draw_offer: "Castellan is considering your draw offer…", review: "" };
  const thinking = game.thinking && texts[game.thinking];
  const advice = game.hint ? `Try ${unbroken(game.hint.san)}.` : "";
  const waiting = game.premoves.map(({ from, to }) => `${from}–${to}`).join(", ");
  const premove = waiting && `${game.premoves.length > 1 ? "Premoves" : "Premove"} ${waiting}; Escape cancels ${game.premoves.length > 1 ? "them" : "it"}.`;
  const earlier = shownPly === null ? "" : localized(review.reasonOf(shownPly - 1)) || "This is an earlier position; » returns to the current one.";
  say(detail, illegal ? localized(illegal.text) : earlier || thinking || advice || premove || [game.start_name, game.opening].filter(Boolean).join(", "));
  detail.classList.toggle("wrong", illegal !== null);
}

/** What the places say, before it is translated. @type {WeakMap<HTMLElement, string>} */
const said = new WeakMap();

/** Announces a text only when it changes. @param {HTMLElement} place @param {string} text */
function say(place, text) {
  if (said.get(place) !== text) place.textContent = text;
  said.set(place, text);
}

function describe() {
  if (game.result) return `${game.result.text} ${game.result.result.replaceAll("1/2", "½")}`;
  const move = game.moves.at(-1);
  const parts = move ? [`${move.number} ${unbroken(move.san)}.`] : [];
  if (game.paused) return [...parts, "Paused."].join(" ");
  if (plyAt(game.moves.length).check) parts.push("Check.");
  if (game.thinking === "move") parts.push("Castellan is thinking…");
  else parts.push(game.side === "both" ? `${capitalized(sideToMove(game.fen))} to move.` : "Your move.");
  return parts.join(" ");
}

function drawClaims() {
  const title = "Claim a draw with this as your next move";
  /** @type {HTMLElement[]} */
  const list = [];
  if (asked) {
    list.push(button(`Play ${unbroken(asked.san)}`, confirmAsked), button("Cancel", cancel));
  } else if (game.claims.length) {
    list.push(button(`Claim draw: ${game.claims.join(", ")}`, () => request({ type: "claim_draw" }), { title: "Claim the draw" }));
    if (game.claims_because) list.push(element("p", { class: "faint" }, `${capitalized(game.claims_because)}.`));
  } else if (game.claims_with.length === 1) {
    const [{ uci, san, rule }] = game.claims_with;
    list.push(button(`Claim draw with ${unbroken(san)}: ${rule}`, () => request({ type: "claim_draw_with", text: uci }), { title }));
  } else if (game.claims_with.length) {
    const choice = element("select", { "aria-label": "Next move" },
      ...game.claims_with.map(({ uci, san, rule }) => element("option", { value: uci }, `${unbroken(san)}: ${rule}`)));
    list.push(button("Claim draw with", () => request({ type: "claim_draw_with", text: choice.value }), { title }), choice);
  }
  claims.hidden = !list.length;
  claims.replaceChildren(...list);
}

function drawMoves() {
  /** @type {HTMLElement[]} */
  const cells = [];
  game.moves.forEach((move, index) => {
    if (!isBlack(move)) cells.push(element("i", {}, move.number));
    else if (index === 0) cells.push(element("i", {}, move.number.replace("...", ".")), element("span", { class: "gap" }, "…"));
    const mark = review.markOf(index);
    const name = element("b", {}, unbroken(move.san), element("span", { class: kindOf({ mark }) }, mark));
    cells.push(button([name], () => show(index + 1), {
      "aria-label": `${move.number} ${localized(move.san)}${mark}`, "aria-current": index + 1 === shown() && "step",
    }));
  });
  if (game.result) cells.push(element("p", { class: "result" }, game.result.result.replaceAll("1/2", "½")));
  replaceChildren(moves, ...(cells.length ? cells : [element("p", { class: "faint empty" }, "No moves yet.")]));
  showCurrentMove();
  const ply = shown(), move = game.moves[ply - 1];
  say(now, move ? `${move.number} ${unbroken(move.san)}` : "Start");
  review.mark(ply, now.textContent);
  first.disabled = back.disabled = ply === 0;
  forward.disabled = last.disabled = shownPly === null;
}

function showCurrentMove() {
  if (shownPly === null) moves.scrollTo(moves.scrollWidth, moves.scrollHeight);
  else if (shownPly === 0) moves.scrollTo(0, 0);
  else moves.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
// The review takes a part of its place.
new ResizeObserver(() => game && showCurrentMove()).observe(moves);

addShortcuts(section, {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => show(0), End: () => show(null), "Alt+f": flip, "Alt+z": toggleZen, Escape: cancel,
});
addTyping(section, board.type);
onLetters(() => {
  review.redraw();
  draw();
});

setInterval(() => {
  if (section.hidden || !game) return;
  drawClocks();
  offerMoveNow();
}, TICK_MS);

/** @type {Mode<PlayEvent>} */
export const play = { event, connected, ready: () => Boolean(game), open: newGame.open, hidden: () => section.hasAttribute("data-zen") && toggleZen() };
