/** The mode Train: the user's mistakes as exercises. */
/** @import { AnnotatorView, Illegal, TrainingEvent, TrainingExerciseView, TrainingLineMove, TrainingRequest } from "../../messages.js" */
/** @import { Mode } from "../frame.js" */
import { byId, element, replaceChildren } from "../../shared/dom.js";
import { facts, opening as openingName, players } from "../../shared/game_info.js";
import { localized, onLetters } from "../../shared/letters.js";
import { capitalized, counted, unbroken } from "../../shared/notation.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { annotationControls } from "../annotation.js";
import { cancel, timeLeft } from "../background.js";
import { addShortcuts, addTyping, button } from "../controls.js";
import { listen, openIn, request as requestOf, send, show } from "../frame.js";
import { doorButton } from "../games/door.js";
import { isAnimated } from "../look.js";
import { openSettings } from "../settings.js";
import { toast } from "../toast.js";
import { choicePanel } from "./choice.js";
import { progressPanel } from "./progress.js";

const section = byId("training", HTMLElement);
/** @type {TrainingExerciseView | null} */
let exercise = null;
/** @type {Illegal | null} why a move is illegal */
let illegal = null;
let isKnown = false;
/** The line that is stepped through, with the number of its move shown, or -1 for the exercise. @type {TrainingLineMove[]} */
let line = [];
let at = -1, timer = 0;
/** Before the opponent's move that led to the exercise is played. */
let isBefore = false;
const OPENING_TASKS = {
  repertoire: "What is the move of your repertoire?", book: "In the game you left the book here: find its move.",
  usual: "In the game you left your usual move here: find it.",
};
const PLAY_MS = 1100, MAX_PLAYED = 4, BEFORE_MS = 700;
const EMPTY = { fen: "8/8/8/8/8/8/8/8 w - - 0 1", last: null, check: false };

const boardBox = element("div");
const board = makeChessboard(boardBox, {
  move: ({ uci }) => request({ type: "move", text: uci }),
  illegal: (from, to) => request({ type: "move", text: from + to }),
  typed: (text) => request({ type: "move", text }),
});
const count = element("p", { class: "faint number" }), game = element("p", { class: "faint" });
const task = element("p", { class: "status", role: "status" }), answer = element("div", { class: "answer" });
const again = button("Try again", () => stepTo(line, -1), { class: "primary", title: "Back to the exercise" });
const hint = button("Hint", () => request({ type: "hint" }), { title: "First the piece to move, then its square" });
const solve = button("Show the answer", () => request({ type: "solve" }));
const next = button("Next", () => request({ type: "next" }), { class: "primary" });
const more = button("More today", () => request({ type: "more" }), { class: "primary", title: "Go beyond the daily number" });
const later = button("Later", () => request({ type: "later" }), { class: "quiet", title: "Show this exercise tomorrow" });
const drop = button("Not useful", () => request({ type: "drop" }), { class: "quiet", title: "Never show this exercise again" });
const undo = button("Undo", () => request({ type: "undo" }), { class: "quiet", title: "Bring back the exercise that was put aside last" });
const choice = choicePanel(request);
/** @param {string} id @param {number} ply */
const openGame = (id, ply) => send("library", { type: "open", id, ply });
/** Leads back from Analyze, in the header. */
const back = button("‹ Back to the exercise", () => show("training"), { class: "primary", hidden: true });
byId("settings", HTMLButtonElement).before(back);
const open = button("Analyze", analyze, { title: "Open the game at this position in Analyze" });
const progress = progressPanel(openGame);
const annotation = annotationControls("Annotate all", (nodes) => request({ type: "annotate", nodes }), cancel);
const wanting = element("p"), annotationCard = element("section", { class: "card exercise", "aria-label": "Annotation", hidden: true }, wanting, ...annotation.parts);
const door = doorButton();
const names = button("Your names…", openSettings, { title: "The names under which you play" });

section.append(element("div", { class: "training" }, boardBox,
  element("div", { class: "facts" },
    element("section", { class: "card exercise", "aria-label": "Exercise" }, count, task, answer, game,
      element("div", { class: "buttons" }, again, hint, solve, next, open, more, door, names, later, drop, undo), choice.panel), annotationCard, progress.panel)));

function analyze() {
  if (!exercise) return;
  if (exercise.game) openGame(exercise.game, exercise.ply);
  else openIn("analysis", { pgn: `${exercise.path} *`, ply: exercise.ply, below: exercise.color });
  back.hidden = false;
}

/** @param {TrainingRequest} message */
function request(message) {
  requestOf("training", message);
}

/** Shows the position after a move of a line. @param {TrainingLineMove[]} moves @param {number} index */
function stepTo(moves, index) {
  clearTimeout(timer);
  isBefore = false;
  line = moves;
  at = Math.min(Math.max(index, -1), line.length - 1);
  draw();
}

/** Plays the first moves of a line. @param {TrainingLineMove[]} moves */
function play(moves, index = 0) {
  stepTo(moves, index);
  if (index + 1 < Math.min(moves.length, MAX_PLAYED)) timer = setTimeout(() => play(moves, index + 1), PLAY_MS);
}

/** Shows the opponent's move that led to the exercise. */
function lead() {
  clearTimeout(timer);
  isBefore = isAnimated() && Boolean(exercise?.before);
  [line, at] = [[], -1];
  draw();
  if (isBefore) timer = setTimeout(() => stepTo([], -1), BEFORE_MS);
}

/** @param {number} by */
const step = (by) => (line.length ? stepTo(line, at + by) : progress.step(by));

/** The arrows in the position of the exercise. */
function answerArrows() {
  if (!exercise?.answer) return illegal?.arrows ?? [];
  const { answer: { best }, tries } = exercise;
  return [
    ...(best ? [{ from: best[0], to: best[1], kind: "" }] : []),
    ...tries.filter(({ good }) => !good).map(({ squares: [from, to] }) => ({ from, to, kind: "threat" })),
  ];
}

function draw() {
  const { color = "white", answer: given = null, tries = [], hint: told = [] } = exercise ?? {};
  const shown = (isBefore ? exercise?.before : line[at] ?? exercise) ?? EMPTY, following = at >= 0 && line[at + 1]?.last;
  const isFree = exercise && !given && at < 0 && !isBefore;
  board.set({
    fen: shown.fen, last: shown.last ?? [], check: shown.check, legal: isFree && !exercise?.judging ? exercise?.legal : [],
    movable: isFree ? color : null, flipped: color === "black",
    arrows: following ? [{ from: following[0], to: following[1], kind: line === given?.line ? "" : "threat" }] : at < 0 ? answerArrows() : [],
    marks: illegal?.marks ?? (at < 0 ? told.map((square) => ({ square, kind: "good" })) : []),
  });
  again.hidden = !exercise || Boolean(given) || at < 0;
  hint.hidden = !exercise?.more_hints || Boolean(given);
  solve.hidden = !exercise || Boolean(given);
  next.hidden = open.hidden = !given;
  later.hidden = drop.hidden = !exercise;
  names.hidden = game.hidden = Boolean(exercise);
  if (exercise) more.hidden = true;
  replaceChildren(answer, ...(exercise ? answerParts(exercise) : []));
  if (!exercise) return;
  const { heading, judging, opening } = exercise, tried = tries[tries.length - 1];
  task.classList.toggle("good", given?.good ?? false);
  task.textContent = judging ? "The engine looks at your move…"
    : given ? (given.good || tries.length > 1 ? unbroken(tried.text) : "The answer:")
      : tried ? `${unbroken(tried.text)} You have another try.`
        : `${capitalized(color)} to move. ${opening ? OPENING_TASKS[opening] : "In the game you lost points here: find a better move."}`;
  game.hidden = !given;
  if (!exercise.game) game.textContent = `Your repertoire: ${openingName(heading)}`;
  else game.replaceChildren(...players(heading), ` ${heading.result} `, ...facts([heading.event, heading.date]));
}

/** A line whose moves show their positions. @param {TrainingLineMove[]} moves */
const steps = (moves) => moves.map(({ text }, index) => button(unbroken(text), () => stepTo(moves, index), {
  class: "step", "aria-current": moves === line && index === at ? "step" : null,
}));

/** @param {TrainingExerciseView} exercise */
function answerParts({ answer: given, tries, hint: [from, to], opening }) {
  /** @type {[string, (string | Node)[]][]} */
  const parts = given ? [[opening ? "Your line" : "Best", steps(given.line)], ["You played", given.played ? [unbroken(given.played)] : []], ["Again", [`on ${given.due}`]]]
    : from ? [["Hint", [`the piece on ${from}${to ? ` goes to ${to}` : ""}`]]] : [];
  const refuted = tries.filter(({ line }) => line.length).map(({ reason, line }) =>
    /** @type {[string, (string | Node)[]]} */ (["Refutation", [reason ? `${unbroken(reason)} ` : "", ...steps(line)]]));
  return [...refuted, ...parts].flatMap(([name, words]) => (words.length ? [element("p", {}, element("em", {}, `${name}: `), ...words)] : []));
}

const isServed = new URLSearchParams(location.search).has("token");
/** The number of games that are not annotated, and the annotation that runs. */
let unannotated = 0, running = /** @type {AnnotatorView | null} */ (null);
/** True if there are no exercises at all. */
let isEmpty = false;

function drawAnnotation() {
  annotationCard.hidden = !unannotated && !running;
  wanting.textContent = running ? isServed ? "Games are annotated on the cores that nothing else needs, also without this page."
    : "Games are annotated while the engine has nothing else to do."
    : unannotated === 1 ? "One game of the library is not annotated." : `${unannotated} games of the library are not annotated.`;
  annotation.setRunning(running !== null);
  if (running) annotation.setProgress(running.positions, running.of_positions, `${running.games} of ${running.of_games} games${timeLeft(running)}`);
  if (!exercise && isEmpty) task.textContent = emptyText();
  door.hidden = !isEmpty || running !== null;
}

listen("annotation", (event) => {
  running = event.running;
  drawAnnotation();
});

const emptyText = () => (running ? "Looking for your mistakes. The first exercise is shown as soon as one is found."
  : "No exercises yet: they are the mistakes and blunders of your annotated games in the library.");

/** @param {TrainingEvent} event */
function event(event) {
  if (event.type === "progress") {
    choice.setGroups(event.groups);
    return progress.set(event);
  }
  if (event.type === "annotation") {
    unannotated = event.wanting;
    return drawAnnotation();
  }
  const before = exercise;
  illegal = null;
  isKnown = true;
  if (event.type === "illegal") {
    illegal = event;
    toast(localized(event.text));
  } else if (event.type === "error") {
    toast(event.text);
  } else {
    exercise = event.type === "exercise" ? event : null;
    const { count: all, due, done, today, can_undo: canUndo } = event;
    count.textContent = `${done} of ${today} today, ${due} due of ${counted(all, "exercise")}`;
    count.hidden = choice.panel.hidden = !all;
    undo.hidden = !canUndo;
    isEmpty = !all;
    door.hidden = !isEmpty || running !== null;
    choice.setNumbers(event);
    if (event.type === "done") {
      more.hidden = !due;
      task.classList.remove("good");
      task.textContent = due ? `Done for today: ${done} exercises.`
        : !all ? emptyText()
          : choice.isLimited() ? "Nothing is due in this choice." : `Nothing is due${event.next ? ` until ${event.next}` : ""}.`;
      stepTo([], -1);
    }
  }
  if (event.type !== "exercise") return draw();
  const { tries, answer: given } = event, isNew = tries.length > (before?.tries.length ?? 0);
  if (before && event.fen === before.fen && tries.length === before.tries.length && Boolean(given) === Boolean(before.answer)) {
    // The line that is shown is one of these.
    exercise = { ...event, tries: before.tries, answer: before.answer };
    return draw();
  }
  if (given) stepTo(given.line, -1);
  else if (isNew && tries[tries.length - 1].line.length) play(tries[tries.length - 1].line);
  else if (event.fen !== before?.fen) lead();
  else stepTo(line, at);
  // Enter goes on.
  if (given && !before?.answer) next.focus();
  else if (isNew) again.focus();
}

addShortcuts(section, { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Escape: board.cancel });
addTyping(section, board.type);
onLetters(() => {
  draw();
  progress.redraw();
});

/** @type {Mode<TrainingEvent>} */
export const training = {
  event, connected: choice.connected, ready: () => isKnown, open: ({ group }) => choice.limit(group),
  shown: () => {
    back.hidden = true;
  },
};
