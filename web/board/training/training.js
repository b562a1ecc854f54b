/** The mode Train: the user's mistakes as exercises. */
/** @import { Illegal, TrainingEvent, TrainingExerciseView, TrainingRequest } from "../../messages.js" */
/** @import { Mode } from "../frame.js" */
import { byId, element } from "../../shared/dom.js";
import { facts, player } from "../../shared/game_info.js";
import { capitalized, unbroken } from "../../shared/notation.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { annotationControls } from "../annotation.js";
import { addShortcuts, addTyping, button } from "../controls.js";
import { send } from "../frame.js";
import { openSettings } from "../settings.js";
import { toast } from "../toast.js";
import { progressPanel } from "./progress.js";

const section = byId("training", HTMLElement);
/** @type {TrainingExerciseView | null} */
let exercise = null;
/** @type {Illegal | null} why a move is illegal */
let illegal = null;
let isKnown = false;

const boardBox = element("div");
const board = makeChessboard(boardBox, {
  move: ({ uci }) => request({ type: "move", text: uci }),
  illegal: (from, to) => request({ type: "move", text: from + to }),
  typed: (text) => request({ type: "move", text }),
});
const count = element("p", { class: "faint number" }), game = element("p", { class: "faint" });
const task = element("p", { class: "status", role: "status" }), answer = element("div", { class: "answer" });
const solve = button("Show the answer", () => request({ type: "solve" }));
const next = button("Next", () => request({ type: "next" }), { class: "primary" });
/** @param {string} id @param {number} ply */
const openGame = (id, ply) => send("library", { type: "open", id, ply });
const open = button("Analyze", () => exercise && openGame(exercise.game, exercise.ply), { title: "Open the game at this position in Analyze" });
const progress = progressPanel(openGame);
const annotation = annotationControls("Annotate all", (nodes) => request({ type: "annotate", nodes }), () => request({ type: "cancel_annotation" }));
const wanting = element("p"), annotationCard = element("section", { class: "card exercise", "aria-label": "Annotation", hidden: true }, wanting, ...annotation.parts);
const names = button("Your names…", openSettings, { title: "The names under which you play" });

section.append(element("div", { class: "training" }, boardBox,
  element("div", { class: "facts" },
    element("section", { class: "card exercise", "aria-label": "Exercise" }, count, task, answer, game,
      element("div", { class: "buttons" }, solve, next, open, names)), annotationCard, progress.panel)));

/** @param {TrainingRequest} message */
function request(message) {
  const why = send("training", message);
  if (why) toast(why);
}

function draw() {
  const { fen = "8/8/8/8/8/8/8/8 w - - 0 1", last, check = false, legal = [], color = "white", answer: given } = exercise ?? {};
  const arrows = given ? [
    ...(given.best ? [{ from: given.best[0], to: given.best[1], kind: "" }] : []),
    ...(given.tried && !given.good ? [{ from: given.tried[0], to: given.tried[1], kind: "threat" }] : []),
  ] : illegal?.arrows ?? [];
  board.set({ fen, last: last ?? [], check, legal: exercise?.judging ? [] : legal, movable: exercise && !given ? color : null, flipped: color === "black", arrows, marks: illegal?.marks ?? [] });
  solve.hidden = !exercise || Boolean(given);
  next.hidden = open.hidden = !given;
  names.hidden = game.hidden = Boolean(exercise);
  answer.replaceChildren(...(given ? answerParts(given) : []));
  if (!exercise) return;
  const { heading, due, count: all, judging } = exercise;
  count.textContent = `${due} of ${all} due`;
  task.classList.toggle("good", given?.good ?? false);
  task.textContent = judging ? "The engine looks at your move…"
    : given ? unbroken(given.text || "The answer:") : `${capitalized(color)} to move. In the game you lost points here: find a better move.`;
  game.hidden = !given;
  game.replaceChildren(...player(heading.white), " – ", ...player(heading.black), ` ${heading.result} `, ...facts([heading.event, heading.date]));
}

/** @param {NonNullable<TrainingExerciseView["answer"]>} given */
function answerParts({ refutation, line, played, due }) {
  /** @type {[string, string | null][]} */
  const parts = [["Refutation", refutation], ["Best", line], ["You played", played], ["Again", `on ${due}`]];
  return parts.flatMap(([name, text]) => (text ? [element("p", {}, element("em", {}, `${name}: `), unbroken(text))] : []));
}

/** @param {Extract<TrainingEvent, { type: "annotation" }>} event */
function takeAnnotation({ wanting: count, running }) {
  annotationCard.hidden = !count && !running;
  wanting.textContent = running ? "Games are annotated while the engine has nothing else to do."
    : count === 1 ? "One game of the library is not annotated." : `${count} games of the library are not annotated.`;
  annotation.setRunning(running !== null);
  if (running) annotation.setProgress(running.positions, running.of_positions, `${running.games} of ${running.of_games} games`);
}

/** @param {TrainingEvent} event */
function event(event) {
  if (event.type === "progress") return progress.set(event);
  if (event.type === "annotation") return takeAnnotation(event);
  let isAnswered = true;
  illegal = null;
  isKnown = true;
  if (event.type === "illegal") {
    illegal = event;
    toast(event.text);
  } else if (event.type === "error") {
    toast(event.text);
  } else {
    isAnswered = Boolean(exercise?.answer);
    exercise = event.type === "exercise" ? event : null;
    if (event.type === "done") {
      count.textContent = `${event.count} ${event.count === 1 ? "exercise" : "exercises"}`;
      task.textContent = event.count ? `Nothing is due${event.next ? ` until ${event.next}` : ""}.`
        : "No exercises yet: they are the mistakes and blunders of your annotated games in the library.";
    }
  }
  draw();
  // Enter goes on.
  if (exercise?.answer && !isAnswered) next.focus();
}

addShortcuts(section, { ArrowLeft: () => progress.step(-1), ArrowRight: () => progress.step(1), Escape: board.cancel });
addTyping(section, board.type);

/** @type {Mode<TrainingEvent>} */
export const training = { event, ready: () => isKnown };
