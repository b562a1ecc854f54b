/** The mode Analyze: a game with variations, the lines of the engine, and the annotation of the game. */
/** @import { BoardView, AnalysisEvent, AnalysisGameView, AnalysisLinesView, AnalysisPositionView, AnalysisRequest, Color, Illegal } from "../../messages.js" */
/** @import { Mode, Openable } from "../frame.js" */
import { showEvaluation } from "../../shared/diagram.js";
import { byId, element } from "../../shared/dom.js";
import { facts, opening, player, players as playersOf } from "../../shared/game_info.js";
import { localized, onLetters } from "../../shared/letters.js";
import { LABELS, called, capitalized, clockText, isBlack, short, signed } from "../../shared/notation.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { addShortcuts, addTyping, button, download, fileName, icon } from "../controls.js";
import { editPosition } from "../editor/dialog.js";
import { openIn, request, send as sendTo } from "../frame.js";
import { findGames } from "../games/finder.js";
import { openLibrary } from "../games/games.js";
import { menuButton } from "../menu.js";
import { KEYS } from "../shortcuts.js";
import { playSoundOf } from "../sound.js";
import { keep, kept, load, store } from "../storage.js";
import { copy, toast } from "../toast.js";
import { engineLinesPanel } from "./engine_lines.js";
import { glyph } from "./glyphs.js";
import { SYMBOLS, evaluationOf, markOf, moveTree } from "./move_tree.js";
import { gameOpener } from "./open_game.js";
import { reportPanel } from "./report.js";
import { tablesPanel } from "./tables.js";
import { tagsDialog } from "./tags.js";

const MAX_ARROWS = 3;
const section = byId("analysis", HTMLElement);
/** @param {AnalysisRequest} request */
const send = (request) => sendTo("analysis", request);

/** The game and the position shown; the mode cannot be used before the first. @type {AnalysisGameView} */
let game;
/** @type {AnalysisPositionView} */
let position;
/** @type {AnalysisLinesView | null} the lines of the position shown, if there are any */
let live = null;
let engine = { on: load("analysis.engine") === true, lines: Number(load("analysis.lines")) || 3, threat: false };
/** @type {BoardView | null} the position after a move of a line that is pointed at */
let preview = null;
/** @type {string[] | null} the moves to it */
let previewed = null;
let flipped = false, arrows = true;
/** @type {Illegal | null} why a move is illegal */
let illegal = null;

// The parts of the page.

const bars = { above: playerBar(), below: playerBar() };
const bar = element("div", { role: "img" });
const boardBox = element("div");
const board = makeChessboard(boardBox, {
  move: ({ uci }) => send({ type: "move", text: uci }),
  shapes: (shapes) => send({ type: "shapes", node: position.node, shapes }),
  illegal: (from, to) => send({ type: "move", text: from + to }),
  typed: (text) => send({ type: "move", text }),
  wheel: (step) => go(step > 0 ? childOf() : parentOf()),
});

const now = element("output", { "aria-live": "polite" });
const first = icon("«", "Go to the start (Home)", () => go(0));
const back = icon("‹", "Previous move (←)", () => go(parentOf()));
const forward = icon("›", "Next move (→)", () => go(childOf()));
const last = icon("»", "Go to the end (End)", () => go(lastOf()));
const arrowButton = icon("↗", "Show the best moves (Alt+A)", toggleArrows, { "aria-pressed": "true" });
const steps = element("nav", { class: "steps", "aria-label": "Navigation" }, first, back, now, forward, last, arrowButton,
  icon("⇅", "Flip the board (Alt+F)", flip));

const enginePanel = element("section", { class: "card engine", "aria-label": "Engine" });
const engineLines = engineLinesPanel(enginePanel, {
  engine: (on, lines) => {
    store("analysis.lines", lines);
    changeEngine({ on, lines, threat: on && engine.threat });
  },
  threat: (threat) => changeEngine({ threat, on: threat || engine.on }),
  play: (moves) => {
    showPreview(null);
    send({ type: "line", moves });
  },
  preview: showPreview,
});

/** @param {Partial<typeof engine>} change */
function changeEngine(change) {
  // Without a connection it is sent when there is one.
  engine = { ...engine, ...change };
  store("analysis.engine", engine.on);
  send({ type: "engine", ...engine });
}

export const lineCount = () => engine.lines;
/** @param {number} lines */
export function setLineCount(lines) {
  store("analysis.lines", lines);
  changeEngine({ lines });
}

const players = element("h2", { class: "players" }), occasion = element("p", { class: "faint occasion" });
const movesBox = element("div", { "aria-label": "Moves", role: "group" });
const tree = moveTree(movesBox, go);
const hint = element("p", { class: "faint hint" }, "Play moves on the board, or open a game. A different move becomes a variation.");
const symbols = menuButton("Symbols", symbolItems, { title: "Symbols of the move and the position" });
const comment = element("input", {
  type: "text", placeholder: "Comment", "aria-label": "Comment", autocomplete: "off",
  onchange: () => send({ type: "comment", node: position.node, text: comment.value }),
});
const opener = gameOpener(section, send);
const tags = tagsDialog((changed) => send({ type: "tags", tags: changed }));
const undo = () => game.undo && send({ type: "undo" }), redo = () => game.redo && send({ type: "redo" });
const edits = menuButton("Edit", () => [["", [
  { text: "Undo", choose: undo, disabled: !game.undo, title: "Undo the last change to the game (Ctrl+Z)" },
  { text: "Redo", choose: redo, disabled: !game.redo, title: "Make the change again that was undone (Ctrl+Y)" },
  { text: "Promote", choose: () => send({ type: "promote", node: position.node }), disabled: tree.isMain(position.node), title: "Make this variation the main line" },
  { text: "Delete", choose: () => send({ type: "delete", node: position.node }), disabled: !here().parent, title: "Delete this move and the moves after it" },
  { text: "Tags…", choose: () => tags.open(game.tags), title: "Edit players, event and date" },
  { text: "Keep in your games", choose: () => send({ type: "keep" }), disabled: !hasMoves(), title: "Keep this game, as it is here, in your games" },
]]], { title: "Change or keep the game" });
const gamePanel = element("section", { class: "card game", "aria-label": "Game" },
  opener.file, element("div", { class: "heading" }, players, occasion), hint, movesBox,
  element("div", { class: "edit" }, symbols.button, comment, edits.button));

const report = reportPanel(send, goToPly);
const ownGames = button("Moves of your games", () => setOwnGames(!showsOwnGames), { title: "Show what you played here in your games, with the results" });
const fen = element("input", { type: "text", "aria-label": "FEN", spellcheck: "false", autocomplete: "off" });
// The address of one's own server has a token that is a secret, and is of no use to others.
const isShared = !new URLSearchParams(location.search).has("token");
const links = [
  { text: "Copy link", choose: () => copyLink("Link", `fen=${position.fen.replaceAll(" ", "_")}`), title: "Copy an address that opens this position" },
  { text: "Copy game link", choose: () => copyLink("Link", `${new URLSearchParams({ pgn: game.pgn })}`), title: "Copy an address that opens this game, with its annotations" },
];
const share = menuButton("Share", () => [["", [
  { text: "Copy PGN", choose: () => copy("PGN", game.pgn) }, { text: "Copy FEN", choose: () => copy("FEN", position.fen) },
  { text: "Download", choose: save, title: "Save the game as a PGN file" }, ...(isShared ? links : []),
]]], { title: "Copy or save the game or the position" });
const files = element("section", { class: "card files", "aria-label": "Position and game" },
  element("form", { class: "fen", onsubmit: submitFen }, fen, element("button", { title: "Show the position of the FEN" }, "Set up")), opener.message,
  element("div", { class: "buttons" },
    button("Open…", opener.open), button("Games…", () => openLibrary(), { title: "The games you have played here" }),
    button("Games with this position", () => findGames({ fen: position.fen, chess960: game.chess960 }), { title: "Search your games for this position, its pawns or its material" }),
    button("New", () => opener.load({ type: "new" }), { title: "A new game without moves" }), button("Edit position…", edit, { title: "Set up the position on the board" }),
    button("Play from here", () => openIn("play", { fen: position.fen, chess960: game.chess960 }), { title: "Play the position shown against Castellan" }), share.button, ownGames));

const help = element("p", { class: "faint keys" }, ...KEYS.Analyze.map(([names, meaning]) =>
  element("span", {}, ...names.map((name) => element("kbd", {}, name)), ` ${meaning}`)));

const tables = tablesPanel((uci) => send({ type: "move", text: uci }));

section.append(tags.dialog);
section.prepend(element("div", { class: "analysis" },
  element("div", { class: "stage" }, bars.above.bar, element("div", { class: "table" }, bar, boardBox), bars.below.bar, steps),
  element("div", { class: "middle" }, element("div", { class: "lookup" }, enginePanel, tables.panel), gamePanel),
  element("div", { class: "side" }, report.panel, files, help)));

function playerBar() {
  const name = element("span", { class: "name" }), clock = element("span", { class: "clock number" });
  return { bar: element("p", { class: "player", hidden: true }, name, clock), name, clock };
}

/** @type {[number, string][]} symbols of positions and of moves besides assessments */
const OTHERS = [
  [10, "equal"], [13, "unclear"], [14, "White is slightly better"], [15, "Black is slightly better"], [16, "White is better"],
  [17, "Black is better"], [18, "White is winning"], [19, "Black is winning"], [7, "only move"], [22, "zugzwang"],
  [32, "development"], [36, "initiative"], [40, "attack"], [132, "counterplay"], [146, "novelty"],
];

/** @param {number[]} nags */
const setSymbols = (nags) => send({ type: "symbols", node: position.node, nags: nags.filter(Boolean) });

/** An assessment takes the place of another. @param {number} nag */
function toggleSymbol(nag) {
  const { nags } = here();
  if (nags.includes(nag)) setSymbols(nags.filter((one) => one !== nag));
  else setSymbols(nag <= 6 ? [nag, ...nags.filter((one) => one > 6)] : [...nags, nag]);
}

/** @returns {ReturnType<Parameters<typeof menuButton>[1]>} */
function symbolItems() {
  const { nags } = here();
  const assessments = [3, 1, 5, 6, 2, 4].map((nag) => /** @type {const} */ ([nag, LABELS[SYMBOLS[nag]].toLowerCase()]));
  const unnamed = nags.filter((nag) => nag > 6 && !OTHERS.some(([one]) => one === nag)).map((nag) => /** @type {const} */ ([nag, `$${nag}`]));
  /** @param {readonly (readonly [number, string])[]} some */
  const items = (some) => some.map(([nag, meaning]) => ({
    text: element("span", {}, element("b", {}, glyph(SYMBOLS[nag] ?? "")), ` ${meaning}`), checked: nags.includes(nag), choose: () => toggleSymbol(nag),
  }));
  return [["Move", items(assessments)], ["Position", items([...OTHERS, ...unnamed])]];
}

let showsOwnGames = load("analysis.own_games") === true;

/** @param {boolean} on */
function setOwnGames(on) {
  showsOwnGames = on;
  store("analysis.own_games", on);
  ownGames.setAttribute("aria-pressed", String(on));
  send({ type: "own_games", on });
}

function edit() {
  editPosition({ fen: position.fen, chess960: game.chess960, flipped }, "Analyze", (edited) => opener.load({ type: "load_fen", ...edited }));
}

/** @param {Event} event */
function submitFen(event) {
  event.preventDefault();
  opener.load({ type: "load_fen", fen: fen.value });
}

function save() {
  const { white, black, sortable_date } = game.heading;
  download(game.pgn, fileName(white.name, black.name, sortable_date));
}

/** Copies an address of the page. @param {string} what @param {string} hash */
function copyLink(what, hash) {
  const address = new URL(location.href);
  address.hash = hash;
  copy(what, address.href);
}

// Walking through the game.

/** @type {number[]} the positions that have been requested and are not shown yet, in turn: keys do not wait for answers */
let ahead = [];
const target = () => ahead.at(-1) ?? position.node;
const here = () => tree.node(position.node);
const parentOf = () => tree.node(target()).parent?.id ?? 0;
const childOf = () => tree.node(target()).children[0]?.id ?? target();
const lastOf = () => tree.last(target()).id;

/** @param {number} node */
function go(node) {
  showPreview(null);
  // A comment that is being written belongs to the move that is left.
  comment.blur();
  if (node !== target() && !send({ type: "go", node })) ahead.push(node);
}

/** @param {number} ply */
function goToPly(ply) {
  const line = tree.mainLine();
  go(line[Math.min(ply, line.length - 1)].id);
}

/** @param {number} step */
function leap(step) {
  const found = tree.sibling(target(), step);
  if (found) go(found.id);
}

function flip() {
  flipped = board.flip();
  if (!position) return;
  drawBar();
  drawPlayers();
}

/** @param {Color | null} color whose pieces are to be below */
function face(color) {
  if (color && flipped !== (color === "black")) flip();
}

function toggleArrows() {
  arrows = !arrows;
  arrowButton.setAttribute("aria-pressed", String(arrows));
  drawBoard();
}

addShortcuts(section, {
  ArrowRight: () => go(childOf()), ArrowLeft: () => go(parentOf()), Home: () => go(0), End: () => go(lastOf()),
  ArrowUp: () => leap(-1), ArrowDown: () => leap(1), "Alt+e": engineLines.toggle, "Alt+x": engineLines.toggleThreat, "Alt+f": flip, "Alt+a": toggleArrows,
  Escape: board.cancel, "Ctrl+z": undo, "Ctrl+y": redo, "Ctrl+Shift+z": redo,
});
addTyping(section, board.type);
onLetters(() => {
  if (!position) return;
  tree.set(game.nodes);
  report.set(game, tree.mainLine());
  drawPosition();
  if (live) takeLines(live);
});

// Drawing.

/** Shows the evaluation by the running search, or else that of the game. */
function drawBar() {
  const evaluated = live && !live.threat ? live.lines[0] : here();
  const text = evaluated.points === undefined ? "" : evaluationOf(evaluated);
  showEvaluation(bar, { points: evaluated.points ?? null, label: text ? short(text) : "", flipped });
  bar.setAttribute("aria-label", text ? `Evaluation ${signed(text)}` : "No evaluation");
}

function drawBoard() {
  const shown = preview || position;
  const lines = live && arrows && !preview ? live.lines.slice(0, MAX_ARROWS) : [];
  const best = lines.map(({ pv: [move] }, index) => ({ from: move.squares[0], to: move.squares[1], kind: live?.threat ? "threat" : index ? "second" : "" }));
  boardBox.classList.toggle("previewing", preview !== null);
  board.set({
    fen: shown.fen, last: shown.last || [], symbol: preview ? "" : markOf(here()), check: shown.check, legal: preview ? [] : position.legal, movable: preview ? null : "both",
    arrows: illegal ? illegal.arrows : best.reverse(), marks: illegal ? illegal.marks : [], animate: !preview,
    shapes: preview ? [] : position.shapes,
  });
  drawBar();
}

/** @param {string[] | null} moves */
function showPreview(moves) {
  previewed = moves;
  if (moves) send({ type: "preview", moves });
  else if (preview) {
    preview = null;
    drawBoard();
  }
}

const hasMoves = () => game.nodes.length > 1;
const isKnown = () => game.heading.white.name !== "White" || game.heading.black.name !== "Black";

function drawHeading() {
  const { heading } = game;
  const result = heading.result === "*" ? [] : [" ", element("span", { class: "result" }, heading.result)];
  const named = isKnown() || heading.event ? playersOf(heading) : ["Analysis"];
  players.replaceChildren(...named, ...result);
  const round = heading.round && `round ${heading.round}`;
  const played = position?.opening || opening(heading);
  occasion.replaceChildren(...facts([heading.event, round, heading.site, heading.date, game.chess960 && "Chess960", played]));
  occasion.title = occasion.textContent;
}

/** The players beside the board, where they are known, with their clocks in the position shown. */
function drawPlayers() {
  const isNamed = isKnown(), control = game.tags.find(([name]) => name === "TimeControl")?.[1] ?? "";
  // A number of moves may come first, as in 40/5400+30.
  const [, base] = /^(?:\d+\/)?(\d+)/.exec(control) ?? [];
  const start = base === undefined ? undefined : 1000 * Number(base);
  /** @type {{ white?: number, black?: number }} */
  const clocks = {};
  for (let one = here(); one.parent; one = one.parent) clocks[isBlack(one) ? "black" : "white"] ??= one.clock;
  const hasClocks = tree.mainLine().some(({ clock }) => clock !== undefined);
  for (const [side, { bar, name, clock }] of /** @type {const} */ ([["white", flipped ? bars.above : bars.below], ["black", flipped ? bars.below : bars.above]])) {
    bar.hidden = !isNamed && !hasClocks;
    name.replaceChildren(...player(game.heading[side]));
    const left = hasClocks ? clocks[side] ?? start : undefined;
    clock.hidden = left === undefined;
    clock.textContent = left === undefined ? "" : clockText(left);
  }
}

function drawPosition() {
  const one = here();
  const mark = markOf(one);
  tree.show(position.node);
  now.textContent = one.san ? called({ ...one, mark }) : "Start";
  now.title = LABELS[mark] || "";
  report.mark(tree.mainPly(position.node), now.textContent);
  first.disabled = back.disabled = !one.parent;
  forward.disabled = last.disabled = !one.children.length;
  symbols.button.disabled = !one.parent;
  if (document.activeElement !== comment) comment.value = one.comment;
  if (document.activeElement !== fen) fen.value = position.fen;
  if (position.outcome && !position.legal.length) engineLines.clear(`${capitalized(position.outcome)}.`);
  else if (!live) engineLines.clear(engineText());
  tables.set(position, (san) => tree.marks(position.node, [san])[0]);
  drawHeading();
  drawPlayers();
  drawBoard();
}

function engineText() {
  if (report.isRunning()) return "Paused during annotation.";
  if (engine.on && engine.threat && position?.no_threat) return position.no_threat;
  return engine.on ? "Searching…" : "";
}

// Answers.

/** @param {number} count */
const gamesAre = (count) => `${count} ${count === 1 ? "game is" : "games are"}`;

/** @param {AnalysisEvent} event */
function event(event) {
  switch (event.type) {
    case "game": return takeGame(event);
    case "opened":
      opener.opened();
      face(game.own?.color ?? null);
      goToPly(openedPly);
      openedPly = 0;
      return;
    case "not_opened":
      openedPly = 0;
      return opener.fail(capitalized(event.text));
    case "position": return takePosition(event);
    case "choices": return opener.choose(event.games, event.cut);
    case "preview": return takePreview(event.moves, event);
    case "illegal": return showIllegal(event);
    case "engine": return setEngine(event);
    case "lines": return takeLines(event);
    case "kept":
      if (event.choices) opener.kept(event.count);
      return toast(`${gamesAre(event.count)} kept in your games.`);
    case "kept_deleted":
      opener.kept(0);
      return toast(`${gamesAre(event.count)} deleted again.`);
    case "progress": return showProgress(event.done, event.total);
    case "annotated": return endAnnotation(event.text);
    case "error": return showError(capitalized(event.text));
  }
}

/** @param {AnalysisGameView} next */
function takeGame(next) {
  game = next;
  ahead = [];
  tree.set(game.nodes);
  keep("analysis.pgn", game.pgn, hasMoves());
  keep("analysis.id", game.id, hasMoves());
  keep("analysis.based_on", game.based_on, hasMoves());
  hint.hidden = hasMoves();
  drawHeading();
  report.set(game, tree.mainLine());
}

/** @param {AnalysisPositionView} next */
function takePosition(next) {
  const before = position?.node;
  position = next;
  if (before !== undefined && here().parent?.id === before) playSoundOf(here().san);
  ahead.splice(0, ahead.indexOf(position.node) + 1);
  keep("analysis.path", position.path, hasMoves());
  live = preview = illegal = null;
  drawPosition();
  if (waiting) open(waiting);
}

/** @param {string[]} moves @param {BoardView} shown */
function takePreview(moves, shown) {
  if (!previewed || moves.join() !== previewed.join()) return;
  preview = shown;
  drawBoard();
}

/** @param {Illegal} why */
function showIllegal(why) {
  illegal = why;
  toast(localized(why.text));
  drawBoard();
}

/** @param {typeof engine} next */
function setEngine({ on, lines, threat }) {
  const isSame = on && threat === engine.threat;
  engine = { on, lines, threat };
  engineLines.setEngine(engine);
  if (isSame && !(live && live.threat !== threat)) return;
  live = null;
  engineLines.clear(engineText());
  if (position) drawBoard();
}

/** @param {AnalysisLinesView} lines */
function takeLines(lines) {
  if (lines.node !== position.node) return;
  live = lines;
  engineLines.set(lines, (sans) => tree.marks(lines.node, sans));
  if (preview) drawBar();
  else drawBoard();
}

/** @param {number} done @param {number} total */
function showProgress(done, total) {
  if (!report.isRunning()) {
    report.setRunning(true);
    live = null;
    drawPosition();
  }
  report.setProgress(done, total);
}

/** @param {string | null} why */
function endAnnotation(why) {
  report.ended(why);
  if (!live) engineLines.clear(engineText());
}

/** @param {string} text */
function showError(text) {
  ahead = [];
  toast(text);
  if (position) drawBoard();
}

/** The number of moves after which a game is shown as soon as it is there. */
let openedPly = 0;
/** @type {Openable["analysis"] | null} what waits for the first position */
let waiting = null;

/** @param {Openable["analysis"]} what */
function open(what) {
  waiting = position ? null : what;
  if (waiting) return;
  if ("fen" in what) return opener.load({ type: "load_fen", fen: what.fen });
  openedPly = what.ply ?? 0;
  face(what.below ?? null);
  opener.load({ type: "load_pgn", text: what.pgn, id: what.id });
}

function connected() {
  // Where the browser keeps nothing, there is still the game that is shown.
  const last = game ? { pgn: game.pgn, path: position?.path, id: game.id, based_on: game.based_on }
    : { pgn: kept("analysis.pgn"), path: kept("analysis.path"), id: kept("analysis.id"), based_on: kept("analysis.based_on") };
  report.setRunning(false);
  opener.forget();
  ahead = [];
  if (last.pgn) request("analysis", { type: "restore", ...last, path: last.path ?? [] });
  send({ type: "engine", ...engine });
  if (showsOwnGames) setOwnGames(true);
}

/** @type {Mode<AnalysisEvent>} */
export const analysis = { event, connected, ready: () => Boolean(position), open, hidden: () => showPreview(null) };
