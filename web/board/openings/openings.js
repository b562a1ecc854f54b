/** The mode Openings: a tree of the openings of one's own games, and the repertoire. */
/** @import { Color, Illegal, OpeningsCostlyView, OpeningsDeparture, OpeningsEvent, OpeningsKnownMove, OpeningsOverview, OpeningsPositionView, OpeningsRequest } from "../../messages.js" */
/** @import { Mode } from "../frame.js" */
import { byId, element, replaceChildren } from "../../shared/dom.js";
import { facts } from "../../shared/game_info.js";
import { capitalized, counted, unbroken } from "../../shared/notation.js";
import { resultsBar } from "../analysis/chances.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { textOf } from "../analysis/open_game.js";
import { addShortcuts, addTyping, button, download, fileField, icon } from "../controls.js";
import { openIn, request as sendTo } from "../frame.js";
import { doorButton } from "../games/door.js";
import { openSettings } from "../settings.js";
import { load, store } from "../storage.js";
import { toast } from "../toast.js";

const section = byId("openings", HTMLElement);
/** @type {Color} */
let color = load("openings.color") === "black" ? "black" : "white";
/** The moves to the position shown, and those after it that were taken back. @type {string[]} */
let moves = [];
/** @type {string[]} */
let ahead = [];
/** The lines that have been requested and are not shown yet, in turn: keys do not wait for answers. @type {string[][]} */
let requested = [];
/** @type {OpeningsPositionView | null} */
let position = null;
/** @type {Partial<Record<Color, OpeningsOverview>>} */
const overviews = {};
/** @type {Illegal | null} */
let illegal = null;
const SOURCES = { repertoire: "your repertoire", book: "the book", usual: "your usual move" };

/** @param {OpeningsRequest} message */
const request = (message) => sendTo("openings", message);

/** Returns whether it was requested. @param {string[]} next @param {string} [text] a move to play */
function go(next, text) {
  const isSent = request({ type: "go", color, moves: next, text });
  if (isSent && text === undefined) requested.push(next);
  return isSent;
}

const target = () => requested.at(-1) ?? moves;

/** @param {string[]} next */
function jump(next) {
  ahead = [];
  go(next);
}

function back() {
  const last = target().at(-1);
  if (last && go(target().slice(0, -1))) ahead = [last, ...ahead];
}

function forward() {
  // The moves of the position shown are not those of the one that is requested.
  const next = ahead[0] ?? (requested.length ? undefined : position?.known[0]?.uci);
  if (next && go([...target(), next])) ahead = ahead.slice(1);
}

/** @param {Color} next */
function choose(next) {
  color = next;
  store("openings.color", color);
  jump([]);
}

const boardBox = element("div");
const board = makeChessboard(boardBox, {
  move: ({ uci }) => jump([...moves, uci]),
  illegal: (from, to) => go(moves, from + to),
  typed: (text) => go(moves, text),
  wheel: (step) => (step > 0 ? forward() : back()),
});
const sides = /** @type {Color[]} */ (["white", "black"]).map((side) => button("", () => choose(side), { "data-side": side }));
const path = element("p", { class: "line", "aria-label": "Line" }), opening = element("p", { class: "faint" });
const list = element("ul", { class: "tree" }), note = element("p", { class: "faint" });
const known = element("p", { class: "faint" });
const mark = button("Add line to repertoire", () => request({ type: "mark", color, moves }), { class: "primary", title: "Make your moves in this line your repertoire" });
const unmark = button("Remove from repertoire", () => request({ type: "unmark", color, moves }), { title: "Remove your last move in this line from the repertoire" });
const drill = button("Drill", () => openIn("training", { group: "Openings" }), { title: "Show the exercises of openings in Train" });
const analyze = button("Analyze", () => openIn("analysis", { pgn: `${text()} *`, ply: moves.length, below: color }), { title: "Open this line in Analyze" });
const names = button("Your names…", openSettings, { title: "The names under which you play" });
const games = doorButton("Get your games…", "");
const file = fileField({ accept: ".pgn,application/x-chess-pgn", "aria-label": "Lines as PGN" }, async ([chosen]) => {
  request({ type: "import", color, pgn: await textOf(chosen) });
});
const save = button("Export", () => request({ type: "export", color }), { class: "quiet", title: "Save the repertoire as PGN" });
const costly = listing("Costly lines"), left = listing("Where you left your line");

section.append(element("div", { class: "training openings" }, boardBox, element("div", { class: "facts" },
  element("section", { class: "card exercise", "aria-label": "Openings" },
    element("div", { class: "chips", role: "group", "aria-label": "Your color" }, ...sides), element("div", { class: "where" },
      icon("«", "Go to the start (Home)", () => jump([])), icon("‹", "Previous move (←)", back), icon("›", "Next move (→)", forward), path), opening, list, note,
    element("div", { class: "buttons" }, mark, unmark, analyze, names, games)),
  element("section", { class: "card exercise", "aria-label": "Repertoire" }, element("h2", {}, "Repertoire"), known,
    element("div", { class: "buttons" }, drill, button("Import…", () => file.click(), { class: "quiet", title: "Add the lines of a PGN file" }), save, file)),
  costly.card, left.card)));

/** A card with a list. @param {string} title */
function listing(title) {
  const items = element("ul", { class: "choices" });
  return { items, card: element("section", { class: "card exercise", "aria-label": title, hidden: true }, element("h2", {}, title), items) };
}

const text = () => position?.path.map(({ text }) => text).join(" ") ?? "";
/** @param {number} pawns */
const cost = (pawns) => (pawns < 0.005 ? "0.00" : `−${pawns.toFixed(2)}`);

/** @param {OpeningsKnownMove} move */
function moveRow(move) {
  const { uci, san, wins, draws, losses, score, loss, evaluated, repertoire, book } = move;
  const count = wins + draws + losses, isOwn = position?.fen.split(" ")[1] === color[0];
  const average = loss === null ? "" : `Pawns lost on average, in ${counted(evaluated, "annotated game")}`;
  const row = button([
    element("b", {}, unbroken(san)),
    element("span", { class: "number faint" }, count ? `${count}` : book ? "book" : ""),
    element("span", { class: "number" }, count ? `${score} %` : ""), count ? resultsBar(move) : "",
    element("span", { class: "number cost", title: average }, loss === null ? "" : cost(loss)),
  ], () => jump([...moves, uci]), {
    class: "row", title: count ? `Play this move: ${score} % in ${counted(count, "game")}` : "Play this move",
  });
  const star = icon(repertoire ? "★" : "☆", repertoire ? `Remove ${san} from the repertoire` : `Make ${san} the move of the repertoire`,
    () => request({ type: repertoire ? "unmark" : "mark", color, moves: [...moves, uci] }), { "aria-pressed": String(repertoire), class: "quiet star", hidden: !isOwn });
  return element("li", {}, star, row);
}

/** @param {OpeningsCostlyView} line */
function costlyRow({ moves: line, text, loss, evaluated, results: { wins, draws, losses, score } }) {
  const played = counted(wins + draws + losses, "game");
  const about = ` ${cost(loss)} on average of ${evaluated} · ${score} % of ${played}`;
  const parts = [element("b", {}, unbroken(text)), element("span", { class: "faint" }, about)];
  return element("li", {}, button(parts, () => jump(line), { class: "row", title: "Show this line" }));
}

/** @param {OpeningsDeparture} departure */
function departureRow({ id, ply, heading, played, known, source, games }) {
  const opponent = color === "white" ? heading.black.name : heading.white.name;
  return element("li", {}, button([
    element("b", {}, unbroken(played)), ` not ${unbroken(known)}, ${SOURCES[source]} `,
    element("span", { class: "faint" }, ...facts([games > 1 && counted(games, "game"), opponent, heading.date])),
  ], () => sendTo("library", { type: "open", id, ply }), {
    class: "row", title: games > 1 ? "Open the latest in Analyze" : "Open in Analyze",
  }));
}

function draw() {
  if (!position) return;
  board.set({
    fen: position.fen, last: position.last ?? [], check: position.check, legal: position.legal, movable: "both", flipped: color === "black",
    arrows: illegal?.arrows ?? [], marks: illegal?.marks ?? [],
  });
  const overview = overviews[color];
  sides.forEach((side) => {
    const name = /** @type {Color} */ (side.dataset.side);
    side.textContent = `${capitalized(name)} · ${counted(overviews[name]?.games ?? 0, "game")}`;
    side.setAttribute("aria-pressed", String(name === color));
  });
  replaceChildren(path, ...position.path.map(({ text }, index) => button(unbroken(text), () => jump(moves.slice(0, index + 1)), { class: "step" })));
  if (!moves.length) path.textContent = "Start";
  opening.textContent = position.opening ?? "";
  replaceChildren(list, ...position.known.map(moveRow));
  const hasGames = Boolean(overview?.games);
  note.hidden = position.known.length > 0;
  note.textContent = !hasGames ? `No finished game of yours with ${capitalized(color)} in the library yet. The names under which you play tell which games are yours.`
    : "You have no game with this position.";
  names.hidden = games.hidden = hasGames;
  const hasOwn = moves.length > (color === "white" ? 0 : 1);
  mark.hidden = !hasOwn || position.marked;
  unmark.hidden = !hasOwn || !position.marked;
  analyze.hidden = !moves.length;
  known.textContent = overview?.repertoire ? `${counted(overview.repertoire, "position")} with ${capitalized(color)}, which Train asks for.`
    : `One move in each of your positions with ${capitalized(color)}: play a line and add it, or mark moves with ☆.`;
  drill.hidden = !overview?.repertoire && !overview?.left.length;
  save.hidden = !overview?.repertoire;
  costly.card.hidden = !overview?.costly.length;
  left.card.hidden = !overview?.left.length;
  costly.items.replaceChildren(...(overview?.costly ?? []).map(costlyRow));
  left.items.replaceChildren(...(overview?.left ?? []).map(departureRow));
}

/** @param {OpeningsEvent} event */
function event(event) {
  illegal = null;
  switch (event.type) {
    case "position":
      position = event;
      moves = event.path.map(({ uci }) => uci);
      requested.splice(0, requested.findIndex((line) => line.join() === moves.join()) + 1);
      return draw();
    case "overview":
      overviews[event.color] = event;
      if (event.color === color) go(target());
      return;
    case "imported":
      return toast([`${counted(event.added, "move")} added.`, event.other && `${event.other} left out where the repertoire has another.`,
        event.unread && `${counted(event.unread, "game")} not read.`].filter(Boolean).join(" "));
    case "exported": return download(event.pgn, `castellan-repertoire-${event.color}.pgn`);
    case "illegal":
      illegal = event;
      toast(event.text);
      return draw();
    case "error":
      requested = [];
      return toast(event.text);
  }
}

addShortcuts(section, { ArrowLeft: back, ArrowRight: forward, Home: () => jump([]), Escape: board.cancel });
addTyping(section, board.type);

function connected() {
  requested = [];
}

/** @type {Mode<OpeningsEvent>} */
export const openings = { event, connected, ready: () => Boolean(position) };
