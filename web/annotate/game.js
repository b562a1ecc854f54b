/** The page of an annotated game, to step through. */
/** @import { AnnotatedNode, AnnotatedPageData, Player } from "../messages.js" */
/** @import { MoveLine, Place } from "./lines.js" */
import { drawDiagram, showEvaluation } from "../shared/diagram.js";
import { byId, copy, element, quoted } from "../shared/dom.js";
import { facts, fillSummary, opening, player } from "../shared/game_info.js";
import { makeGraph } from "../shared/graph.js";
import { LABELS, called, isBlack, kindOf, short, sideToMove, signed, unbroken } from "../shared/notation.js";
import { makeLines } from "./lines.js";

/** @type {AnnotatedPageData} */
const data = JSON.parse(byId("data", HTMLElement).textContent);
const { nodes, heading } = data;
const { main, subline, nodeAt, before, engineLine, mainPly } = makeLines(nodes);
const graph = makeGraph(byId("graph", HTMLElement), (ply) => go({ line: main, ply }));
const boardBox = byId("board", SVGElement), bar = byId("bar", HTMLElement), now = byId("now", HTMLElement);
const firstButton = button("first"), backButton = button("back"), forwardButton = button("forward"), lastButton = button("last");

/** @type {Place} the position shown */
let here = { line: main, ply: 0 };
let flipped = false, arrows = true;
/** @typedef {{ button: HTMLElement, line: MoveLine, ply: number }} MoveButton */
/** @type {MoveButton[]} */
const mainButtons = [];
/** @type {MoveButton[]} */
let saidButtons = [];

/** @param {string} id */
function button(id) {
  return byId(id, HTMLButtonElement);
}

// The board and what stands around it.

/**
 * The evaluation of a place; in an engine's line that of the place where it begins.
 * @param {Place} place
 * @returns {{ points: number | null, label?: string }}
 */
function evaluation(place) {
  const node = nodeAt(place), { kind, parent, branch } = place.line;
  if (node.points !== undefined) return { points: node.points, label: node.eval ? short(node.eval) : "" };
  return kind === "engine" && parent ? evaluation({ line: parent, ply: branch }) : { points: null };
}

/** @param {Place} place */
function bestMove(place) {
  const next = place.line.kind === "engine" ? place.line.moves[place.ply] : nodeAt(place).line?.[0];
  return next?.squares;
}

function drawBoard() {
  const node = nodeAt(here);
  const check = /[+#]$/.test(node.san || "");
  drawDiagram(boardBox, { fen: node.fen, last: node.squares, arrow: arrows ? bestMove(here) : null, check, flipped });
  boardBox.setAttribute("aria-label", node.san ? `Board after ${called(node)}` : "Start position");
  showEvaluation(bar, { ...evaluation(here), flipped });
  bar.setAttribute("aria-label", node.eval ? `Evaluation ${signed(node.eval)}` : "Evaluation");
}

/**
 * The clock of a side: the last one recorded.
 * @param {boolean} black
 */
function clock(black) {
  for (let place = here; place.ply > 0; place = before(place)) {
    const node = nodeAt(place);
    if (node.clock && isBlack(node) === black) return node.clock;
  }
  return "";
}

/** @param {string} id @param {Player} player @param {boolean} black */
function fillSide(id, { title, name, rating }, black) {
  const side = byId(id, HTMLElement), time = clock(black);
  side.replaceChildren(element("span", { class: black ? "disc black" : "disc" }),
    element("b", {}, [title, name].filter(Boolean).join(" ")), element("span", { class: "faint number" }, rating));
  if (time) side.append(element("span", { class: "clock" }, time));
  side.classList.toggle("moves", (sideToMove(nodeAt(here).fen) === "black") === black);
}

function drawSides() {
  fillSide(flipped ? "above" : "below", heading.white, false);
  fillSide(flipped ? "below" : "above", heading.black, true);
}

// What is said about the current move.

/** @param {MoveLine} line @param {number} ply @param {MoveButton[]} list */
function stepButton(line, ply, list) {
  const node = line.moves[ply - 1];
  const number = ply === 1 || !isBlack(node) ? `${node.number} ` : "";
  const made = element("button", { class: "step", onclick: () => go({ line, ply }) }, number + unbroken(node.san ?? ""));
  if (node.mark) made.append(element("span", { class: `mark ${kindOf(node)}` }, node.mark));
  list.push({ button: made, line, ply });
  return made;
}

/** @param {string} title @param {MoveLine} line */
function linePart(title, line) {
  const steps = line.moves.flatMap((_, index) => [stepButton(line, index + 1, saidButtons), " "]);
  return element("p", { class: "line" }, element("em", {}, title), ...steps);
}

/** @param {AnnotatedNode} node */
function describe(node) {
  const title = element("p", {}, element("b", {}, node.san ? unbroken(called(node)) : "Start position"));
  if (node.eval) title.append(element("span", { class: "number" }, ` ${signed(node.eval)}`));
  const label = LABELS[node.mark ?? ""];
  if (label) title.append(element("span", { class: `label ${kindOf(node)}` }, ` ${label}`));
  return title;
}

function say() {
  const node = nodeAt(here), said = byId("said", HTMLElement), { line, ply } = here;
  saidButtons = [];
  said.replaceChildren(describe(node));
  if (line.kind === "engine") {
    said.append(linePart("Engine", line));
  } else {
    if (node.comment) said.append(element("p", {}, node.comment));
    if (line.kind === "variation") said.append(linePart("Variation", line));
    const better = node.costly && engineLine(before(here));
    if (better) said.append(linePart("Best", better));
    const next = engineLine(here);
    if (next) said.append(linePart("Engine", next));
  }
  if (line === main && ply === main.moves.length && heading.result !== "*") {
    said.append(element("p", {}, [heading.result, heading.termination].filter(Boolean).join(" · ")));
  }
  if (line !== main) {
    said.prepend(element("button", { id: "leave", title: "Back to the game (Esc)", onclick: leave }, "Back to the game"));
  }
  said.scrollTop = 0;
  now.textContent = node.san ? called(node) : "Start";
}

// The moves.

/**
 * Scrolls the list of a button so that it is in view.
 * @param {HTMLElement} button
 */
function reveal(button) {
  let list = button.parentElement;
  while (list && !/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement;
  // On upright screens only the page scrolls, and it stays where the reader has put it.
  if (!list || list === document.body) return;
  const top = button.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (top < 0 || top + button.offsetHeight > list.clientHeight)
    list.scrollTop += top - (list.clientHeight - button.offsetHeight) / 2;
}

/** @param {MoveButton[]} list */
function mark(list) {
  for (const { button, line, ply } of list) {
    const isHere = line === here.line && ply === here.ply;
    button.classList.toggle("here", isHere);
    if (isHere) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    if (isHere) reveal(button);
  }
}

/**
 * The alternatives to a move and those inside them; `place` is that of the move.
 * @param {Place} place
 * @returns {HTMLElement[]}
 */
function variationParts(place) {
  return (nodeAt(place).variations ?? []).map(({ moves, engine, comment }) => {
    const line = subline("variation", moves, before(place));
    const part = element("div", { class: "variation line" }, element("em", {}, engine ? "Engine" : "Variation"));
    if (comment) part.append(quoted(comment, "faint"), " ");
    moves.forEach((node, index) => {
      part.append(stepButton(line, index + 1, mainButtons), " ");
      if (node.comment) part.append(quoted(node.comment, "faint"), " ");
      part.append(...variationParts({ line, ply: index + 1 }));
    });
    return part;
  });
}

function listMoves() {
  const list = byId("moves", HTMLElement), gap = () => element("span", { class: "gap" }, "…");
  let whiteMissing = true;
  if (nodes[0].comment) list.append(element("p", { class: "aside" }, nodes[0].comment));
  main.moves.forEach((node, index) => {
    const place = { line: main, ply: index + 1 }, number = node.number ?? "";
    if (!isBlack(node)) list.append(element("i", {}, number));
    else if (whiteMissing) list.append(element("i", {}, number.replace("...", ".")), gap());
    const made = element("button", { "data-place": place.ply, onclick: () => go(place) },
      element("b", {}, unbroken(node.san ?? ""), ...(node.mark ? [element("span", { class: kindOf(node) }, node.mark)] : [])),
      element("small", {}, node.eval ? signed(node.eval) : ""));
    mainButtons.push({ button: made, ...place });
    list.append(made);
    const parts = variationParts(place);
    if (node.comment) parts.unshift(element("p", {}, node.comment));
    whiteMissing = isBlack(node) || parts.length > 0;
    if (!parts.length) return;
    if (!isBlack(node)) list.append(gap());
    list.append(element("div", { class: "aside" }, ...parts));
  });
}

// The report.

function listMoments() {
  byId("decided", HTMLElement).hidden = data.moments.length === 0;
  byId("moments", HTMLElement).append(...data.moments.map((number) => {
    const node = nodes[number], earlier = nodes[number - 1];
    const values = earlier.eval && node.eval ? ` ${signed(earlier.eval)} → ${signed(node.eval)}` : "";
    const best = earlier.line ? ` Best: ${unbroken(earlier.line[0].san ?? "")}` : "";
    return element("li", {}, element("button", { "data-place": number, onclick: () => go({ line: main, ply: number }) },
      element("b", { class: kindOf(node) }, called(node)), element("span", {}, values + best)));
  }));
}

// Moving about.

/** @param {Place} place */
function go(place) {
  const ply = Math.min(Math.max(place.ply, 0), place.line.moves.length);
  here = ply === 0 && place.line.parent ? before({ line: place.line, ply }) : { line: place.line, ply };
  const current = mainPly(here);
  drawBoard();
  drawSides();
  say();
  graph.mark(current, now.textContent);
  firstButton.disabled = backButton.disabled = here.ply === 0;
  lastButton.disabled = forwardButton.disabled = here.ply === here.line.moves.length;
  mark(mainButtons);
  mark(saidButtons);
  document.body.dataset.place = String(current);
  document.body.dataset.line = here.line.kind;
}

const forward = () => go({ line: here.line, ply: here.ply + 1 });
const back = () => go(before(here));
const first = () => go({ line: main, ply: 0 });
const last = () => go({ line: here.line, ply: here.line.moves.length });

/** Back to the game, where a variation left it. */
function leave() {
  go({ line: main, ply: mainPly(here) });
}

/**
 * Goes to the next key moment in a direction.
 * @param {number} direction
 */
function leap(direction) {
  const ahead = data.moments.filter((moment) => (moment - mainPly(here)) * direction > 0);
  if (ahead.length) go({ line: main, ply: direction > 0 ? ahead[0] : ahead[ahead.length - 1] });
}

function enterEngineLine() {
  const line = here.line.kind !== "engine" && engineLine(here);
  if (line) go({ line, ply: 1 });
}

function flip() {
  flipped = !flipped;
  drawSides();
  drawBoard();
}

function toggleArrow() {
  arrows = !arrows;
  button("arrow").setAttribute("aria-pressed", String(arrows));
  drawBoard();
}

/** @type {Record<string, () => void>} */
const keys = {
  ArrowRight: forward, ArrowLeft: back, Home: first, End: last,
  ArrowUp: () => leap(-1), ArrowDown: () => leap(1),
  Escape: leave, e: enterEngineLine, f: flip, a: toggleArrow,
};
document.addEventListener("keydown", (event) => {
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
});
boardBox.addEventListener("click", (event) => {
  const { left, width } = boardBox.getBoundingClientRect();
  if (event.clientX < left + width / 2) back();
  else forward();
});
firstButton.addEventListener("click", first);
backButton.addEventListener("click", back);
forwardButton.addEventListener("click", forward);
lastButton.addEventListener("click", last);
button("flip").addEventListener("click", flip);
button("arrow").addEventListener("click", toggleArrow);
button("copy-fen").addEventListener("click", () => copy(button("copy-fen"), nodeAt(here).fen));
button("copy-pgn").addEventListener("click", () => copy(button("copy-pgn"), data.pgn));

const players = byId("players", HTMLElement), round = heading.round && `round ${heading.round}`;
players.append(...player(heading.white), " – ", ...player(heading.black));
if (heading.result !== "*") players.append(" ", element("span", { class: "result" }, heading.result));
byId("occasion", HTMLElement).append(
  ...facts([heading.event, round, heading.site, heading.date, heading.time_control, opening(heading)]));
byId("credit", HTMLElement).textContent = `Annotated by ${data.program}.`;
listMoves();
listMoments();
fillSummary(byId("summary", HTMLTableElement), data.white, data.black);
graph.set(nodes);
go({ line: main, ply: parseInt(location.hash.slice(1), 10) || 0 });
