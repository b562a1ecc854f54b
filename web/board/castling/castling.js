/** The castling inspector: why each castling move is legal or not, drawn on the board, and the halfmove clock. */
/** @import { CastlingColorReport, CastlingEvent, CastlingInspectedPosition, CastlingRequest, CastlingSideReport, Color, LegalMove, Square } from "../../messages.js" */
/** @import { BoardState } from "../chessboard/chessboard.js" */
/** @import { Mode } from "../frame.js" */
import { byId, element, replaceChildren } from "../../shared/dom.js";
import { localized, onLetters } from "../../shared/letters.js";
import { capitalized } from "../../shared/notation.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { button } from "../controls.js";
import { makeEditor } from "../editor/editor.js";
import { START } from "../editor/setup.js";
import { send } from "../frame.js";
import { load, store } from "../storage.js";

/** @typedef {{ fen: string, chess960: boolean, moves: string[] }} Inspected */

/** @type {[string, string, boolean?][]} */
const EXAMPLES = [
  ["All four are legal", "r3k2r/pp3ppp/2n2n2/4p3/4P3/2N2N2/PP3PPP/R3K2R w KQkq - 6 12"],
  ["Start position: the path is blocked", START],
  ["The king would cross an attacked square", "r3k2r/ppp2ppp/2n2n2/8/2b5/2N2N2/PPP2PPP/R3K2R w KQkq - 0 12"],
  ["The king is in check", "r3k2r/pppp1ppp/2n2n2/8/1b6/2N2N2/PPP2PPP/R3K2R w KQkq - 3 9"],
  ["An attacked rook may castle", "4k3/8/8/8/4b3/8/8/R3K2R w KQ - 0 1"],
  ["b1 may be attacked: only the rook crosses it", "4k3/8/8/8/8/6q1/8/R3K3 w Q - 0 1"],
  ["Capturing the rook also removes the right to castle", "r3k2r/8/8/8/8/2B5/8/R3K2R w KQkq - 4 20"],
  ["Fifty-move rule: a claim becomes available after the next move", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 99 80"],
  ["Chess960: king b1, rooks a1 and g1", "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAga - 0 1", true],
  ["Chess960: the rook shields the king from a check", "1k6/8/8/8/8/8/8/qRK5 w B - 0 1", true],
];
const section = byId("castling", HTMLElement);
/** @type {CastlingInspectedPosition | null} */
let report = null;
/** @type {{ color: Color, side: string }} the castling whose squares are shown */
let chosen = { color: "white", side: "kingside" };
/** @type {LegalMove | null} a castling move that waits for confirmation */
let asked = null;
/** @type {{ position: Inspected, isMove: boolean }[]} the requests without an answer */
let pending = [];
/** @type {Inspected} the position asked for last; without a connection, it is asked for again */
let wanted = { fen: EXAMPLES[0][1], chess960: false, moves: [], ...load("castling") };
/** The position of the report. */
let shown = wanted;
/** True if the FEN field has a text that was not sent. */
let edited = false;
/** True if the position is being edited, and the one before is gone. */
let isEditing = false, isInvalid = false;

// The panels.

const boardBox = element("div");
/** @type {ReturnType<typeof makeEditor>} */
const editor = makeEditor({
  changed() {
    fen.value = editor.fen();
    chess960.checked = editor.chess960();
    inspect(typed());
  },
  flip: () => board.flip(), squareAt: (event) => board.squareAt(event),
});
const board = makeChessboard(boardBox, {
  ...editor.handlers,
  move: (move) => (move.san.startsWith("O-O") ? ask(move) : play(move.uci)),
  illegal: (from, to) => play(from + to),
});
const blocker = button("Blocker", () => editor.choose(chosen.color === "white" ? "N" : "n"), {
  title: "A click on a square puts a piece of the castling side there",
});
const attacker = button("Attacker", () => editor.choose(chosen.color === "white" ? "r" : "R"), {
  title: "A click on a square puts a rook of the other side there",
});
const editing = element("div", { class: "card editing", hidden: true }, element("div", { class: "quick" },
  element("span", {}, "Put a"), blocker, attacker, element("span", { class: "faint" }, "then click on squares.")), editor.panel);
const edit = button("Edit", () => setEditing(!isEditing), { "aria-pressed": "false", title: "Edit the position" });
const fen = element("input", { type: "text", "aria-label": "FEN", spellcheck: "false", autocomplete: "off", oninput: () => { edited = true; } });
const chess960 = element("input", { type: "checkbox", id: "castling-960" });
const examples = element("select", { "aria-label": "Example", onchange: chooseExample },
  element("option", { value: "" }, "Examples…"), ...EXAMPLES.map(([name], index) => element("option", { value: index }, name)));
/** The marks on the board. */
const layers = {
  path: layer("Path", "The squares that king and rook cross and land on", true),
  attack: layer("Attack", "Every square the other side attacks", true),
  empty: layer("Empty", "Every square without a piece", false),
  intersection: layer("Intersection", "The squares of the king's path that are attacked, and what stands on the paths", true),
};
const free = element("input", { type: "checkbox", onchange: () => inspect(report && !isInvalid ? shown : wanted) });
const undo = button("Undo", takeBack);
const message = element("p", { class: "message", role: "status", "aria-live": "polite" });
const question = element("div", { class: "card question", role: "group", "aria-label": "Confirm castling", hidden: "" });
const sets = element("dl", { class: "card sets" });
const colors = element("div", { class: "colors" });
const clock = element("div", { class: "card" });
const effects = element("ul", { class: "effects" });

section.append(element("div", { class: "inspector" },
  element("div", { class: "board-side" },
    boardBox,
    element("form", { class: "position", onsubmit: submit },
      fen, element("button", { class: "primary" }, "Show"),
      element("label", { for: "castling-960" }, chess960, " Chess960"),
      examples, edit, undo,
      button("Flip", board.flip),
      element("label", { title: "Either side may move at any time; the castling rights follow" }, free, " Free moves"),
      element("span", { class: "layers", role: "group", "aria-label": "Marked on the board" },
        ...Object.values(layers).map(({ label }) => label)))),
  element("div", { class: "facts" }, editing, message, question, effects, sets, colors, clock)));

/** @param {string} name @param {string} title @param {boolean} checked */
function layer(name, title, checked) {
  const box = element("input", { type: "checkbox", checked, onchange: () => draw() });
  return { box, label: element("label", { title, class: name.toLowerCase() }, box, ` ${name}`) };
}

// Requests.

/** @param {boolean} on */
function setEditing(on) {
  isEditing = on;
  editing.hidden = !on;
  edit.setAttribute("aria-pressed", String(on));
  edit.textContent = on ? "Done" : "Edit";
  if (on) {
    asked = null;
    const isWaiting = pending.length > 0 && !pending.at(-1)?.isMove;
    if (report && !isWaiting && !isInvalid) wanted = shown = { fen: report.fen, chess960: report.chess960, moves: [] };
    editor.load(wanted.fen, wanted.chess960);
  }
  draw();
}

/** @param {Inspected} position */
function inspect(position, isMove = false) {
  /** @type {CastlingRequest} */
  const request = { type: "inspect", ...position, free: free.checked };
  if (!isMove) wanted = position;
  const problem = send("castling", request);
  if (problem) sayWrong(problem);
  else pending.push({ position, isMove });
}

/** @returns {Inspected} */
const typed = () => ({ fen: fen.value.trim(), chess960: chess960.checked, moves: [] });

/** @param {Event} submitted */
function submit(submitted) {
  submitted.preventDefault();
  edited = false;
  inspect(typed());
  if (isEditing) editor.load(fen.value, chess960.checked);
}

/** @param {string} uci */
function play(uci) {
  edited = false;
  inspect({ ...shown, moves: [...shown.moves, uci] }, true);
}

function takeBack() {
  inspect({ ...shown, moves: shown.moves.slice(0, -1) });
}

function chooseExample() {
  const example = EXAMPLES[Number(examples.value)];
  if (examples.value === "" || !example) return;
  edited = false;
  inspect({ fen: example[1], chess960: Boolean(example[2]), moves: [] });
  if (isEditing) editor.load(example[1], Boolean(example[2]));
  examples.value = "";
}

// Answers.

/** @param {CastlingEvent} answer */
function event(answer) {
  const { position, isMove } = pending.shift() ?? { position: wanted, isMove: false };
  if (answer.type === "error") {
    // While the position is edited, its editor says it.
    sayWrong(isEditing ? "" : localized(capitalized(answer.text)));
    // A move that is illegal changes nothing; of a position that is not legal nothing can be said.
    if (!isMove) isInvalid = true;
    if (report) drawFacts(report);
    board.set(boardState());
    return;
  }
  isInvalid = false;
  // What was asked for since then takes the place of the move's position.
  if (isMove && !pending.length && isEditing) editor.load(answer.fen, answer.chess960);
  report = answer;
  asked = null;
  // Rights that the position cannot have are not taken from the user's text.
  shown = position.moves.length || report.notes.length ? position : { fen: report.fen, chess960: report.chess960, moves: [] };
  // Unless another position was asked for since then.
  if (pending.every((one) => one.isMove)) {
    wanted = shown;
    store("castling", wanted);
  }
  const own = report.sides.find((side) => side.to_move) ?? report.sides[0];
  if (!find(report)) chosen = { ...chosen, color: own.color };
  if (!report.played && !isEditing) chosen = { color: own.color, side: (own.castling.find((one) => !one.uci) || own.castling[0]).side };
  draw();
}

/** @param {string} text */
function sayWrong(text) {
  message.replaceChildren(text);
  message.classList.add("wrong");
}

/** @param {CastlingInspectedPosition} position */
const colorOf = ({ sides }) => sides.find((one) => one.color === chosen.color);
/** @param {CastlingInspectedPosition} position */
const find = (position) => colorOf(position)?.castling.find((one) => one.side === chosen.side);

/** The squares of the castling shown; none in a position that is not legal. */
function squareSets() {
  const castling = report && !isInvalid ? find(report) : undefined;
  const { king = [], rook = [], king_path = [], rook_path = [], blockers = [], attackers = [] } = castling ?? {};
  return {
    king, rook, attackers, blockers, path: [...new Set([...king_path, ...rook_path])].sort(),
    attacked: (castling && report && colorOf(report)?.attacked) || [],
    intersection: attackers.map(({ square }) => square),
  };
}

/** @returns {Partial<BoardState>} */
function boardState() {
  const { king, rook, attackers, path, attacked, intersection, blockers } = squareSets();
  /** @param {keyof typeof layers} name @param {Square[]} squares @param {string} kind */
  const marked = (name, squares, kind) => (layers[name].box.checked ? squares.map((square) => ({ square, kind })) : []);
  const drawn = {
    marks: [
      ...marked("empty", report && !isInvalid ? report.empty : [], "empty"),
      ...marked("attack", attacked, "shaded"), ...marked("path", path, "on-path"),
      ...marked("intersection", intersection, "attacked"), ...marked("intersection", blockers, "blocker"),
    ],
    paths: [{ squares: king, kind: "king" }, { squares: rook, kind: "rook" }].filter(({ squares: [from, to] }) => from !== to),
    arrows: attackers.flatMap(({ square, from }) => from.map((origin) => ({ from: origin, to: square, kind: "threat" }))),
  };
  if (isEditing) return { ...drawn, fen: editor.fen(), free: true, animate: false };
  if (!report) return { fen: START };
  const { fen, legal, others, check, played } = report;
  return { ...drawn, fen, legal: [...legal, ...others], anyTurn: free.checked, check, movable: isInvalid ? null : "both", last: played ? [played.from, played.to] : [] };
}

onLetters(draw);
function draw() {
  if (!report) return;
  board.set(boardState());
  drawFacts(report);
  if (isInvalid) return;
  message.classList.remove("wrong");
  message.replaceChildren(...(isEditing ? [] : report.notes).flatMap((note) => [localized(note), element("br")]));
  // What the user has written stays while it has rights that the position cannot have.
  if (!edited) {
    fen.value = wanted.moves.length ? report.fen : wanted.fen;
    chess960.checked = wanted.chess960;
  }
  undo.disabled = shown.moves.length === 0;
  effects.replaceChildren(...(report.played ? [`${report.played.san}:`, ...report.played.effects] : []).map((text) => element("li", {}, localized(text))));
  const ordered = [...report.sides].sort((one, other) => Number(other.to_move) - Number(one.to_move));
  replaceChildren(colors, ...ordered.map(colorCard));
  drawClock(report);
}

/**
 * The squares of the castling shown, as sets; nothing can be said about a position that is not legal.
 * @param {CastlingInspectedPosition} position
 */
function drawFacts(position) {
  for (const part of [effects, sets, colors, clock]) part.hidden = isInvalid;
  drawQuestion(position);
  if (isInvalid || !find(position)) return sets.replaceChildren();
  const { path, attacked, intersection, blockers } = squareSets();
  const isEmpty = new Set(position.empty);
  const { color, side } = chosen, opponent = color === "white" ? "Black" : "White";
  /** @param {string} kind @param {string} name @param {Square[]} squares */
  const row = (kind, name, squares) => element("div", { class: kind }, element("dt", {}, name), element("dd", {}, squares.join(" ") || "none"));
  sets.replaceChildren(
    element("div", { class: "title" }, element("dt", {}, `${capitalized(color)} ${side}`)),
    row("path", "Path of king and rook", path), row("empty", "Empty in the path", path.filter((square) => isEmpty.has(square))), row("blocked", "Pieces in the path", blockers),
    row("attack", `Attacked by ${opponent}`, attacked), row("intersection", "Attacked in the king's path", intersection));
}

/** @param {CastlingColorReport} report */
function colorCard({ color, to_move, impossible, castling }) {
  const heading = element("h2", {}, `${capitalized(color)}${to_move ? " to move" : ", if it were to move"}`);
  if (impossible) return element("div", { class: "card" }, heading, element("p", { class: "faint" }, impossible));
  return element("div", { class: "card" }, heading, element("div", { class: "sides" }, ...castling.map((one) => sideCard(color, to_move, one))));
}

/** @param {Color} color @param {boolean} toMove @param {CastlingSideReport} castling */
function sideCard(color, toMove, castling) {
  const shown = chosen.color === color && chosen.side === castling.side;
  const verdict = castling.uci ? element("span", { class: "fulfilled" }, "legal") : element("span", { class: "failed" }, "not legal");
  const choose = () => {
    chosen = { color, side: castling.side };
    draw();
  };
  const name = `${capitalized(castling.side)} ${castling.san} `;
  const heading = button([name, verdict], choose, { "aria-pressed": String(shown) });
  const conditions = element("ol", {}, ...castling.conditions.map(condition));
  const card = element("div", { class: shown ? "side shown" : "side", "data-castling": `${color} ${castling.side}` }, heading, conditions);
  const move = [...(toMove ? report?.legal ?? [] : report?.others ?? [])].find((one) => one.uci === castling.uci);
  if (move) card.append(button(`Castle ${castling.side}`, () => ask(move)));
  return card;
}

/** @param {{ title: string, reason: string | null }} condition */
function condition({ title: text, reason }) {
  const mark = reason ? element("b", { class: "failed" }, "✗") : element("b", { class: "fulfilled" }, "✓");
  const state = element("span", { class: "visually-hidden" }, reason ? "not fulfilled: " : "fulfilled: ");
  const item = element("li", {}, mark, " ", state, text);
  if (reason) item.append(element("span", { class: "reason" }, localized(reason)));
  return item;
}

/** @param {CastlingInspectedPosition} position */
function drawClock({ clock: { plies, text }, legal }) {
  const resets = legal.filter((move) => move.resets).map((move) => move.san);
  const revokes = legal.filter((move) => move.revokes).map((move) => `${move.san} (${move.revokes})`);
  /** @param {string} name @param {string[]} moves */
  const line = (name, moves) => element("p", {}, element("strong", {}, name), localized(moves.join(", ")) || "none");
  clock.replaceChildren(
    element("h2", {}, "Halfmove clock"),
    element("p", {}, element("span", { class: "number plies" }, String(plies)), " ", text),
    element("progress", { max: 100, value: Math.min(plies, 100), "aria-label": "Plies toward a draw claim" }),
    line("Moves that reset it (captures and pawn moves): ", resets),
    line("Moves that lose castling rights: ", revokes));
}

// A castling move is confirmed.

/** @param {LegalMove} move */
function ask(move) {
  if (!report) return;
  asked = move;
  const side = move.san.startsWith("O-O-O") ? "queenside" : "kingside";
  const isOther = report.others.includes(/** @type {any} */ (move));
  chosen = { color: isOther === (report.side_to_move === "black") ? "white" : "black", side };
  draw();
  question.querySelector("button")?.focus();
}

/** @param {CastlingInspectedPosition} position */
function drawQuestion(position) {
  const castling = find(position), uci = asked?.uci;
  question.hidden = !uci || isInvalid;
  if (!uci || !castling) return question.replaceChildren();
  const { king, rook, side } = castling;
  question.replaceChildren(
    element("p", {}, `Castle ${side}: the king goes from ${king[0]} to ${king[1]}, the rook from ${rook[0]} to ${rook[1]}.`),
    button("Castle", () => play(uci), { class: "primary" }), button("Cancel", cancel));
}

function cancel() {
  asked = null;
  draw();
}

function connected() {
  pending = [];
  inspect(wanted);
}

/** @type {Mode<CastlingEvent>} */
export const castling = { event, connected };
