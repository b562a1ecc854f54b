/** After a game: accuracy, and the moments that decided it. */
/** @import { PlayGameView, PlayMistake, PlayMoveView, PlayRequest, PlayReviewView, Score } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { fillSummary } from "../../shared/game_info.js";
import { makeGraph } from "../../shared/graph.js";
import { kindOf, signed, unbroken } from "../../shared/notation.js";
import { evaluationOf } from "../analysis/move_tree.js";
import { button } from "../controls.js";

/** @param {Score | null} score */
const written = (score) => (score ? signed(evaluationOf({ score })) : "mate");

/**
 * `show` shows a position of the game, `train` the exercises made of the user's mistakes.
 * @param {(message: PlayRequest) => void} request
 * @param {{ show(ply: number): void, train(): void }} page
 */
export function reviewPanel(request, { show, train }) {
  /** @type {PlayReviewView | null} */
  let review = null;
  /** @type {{ done: number, total: number } | null} */
  let progress = null;
  /** @type {PlayMoveView[]} */
  let moves = [];
  let over = false;
  /** @type {PlayGameView["side"]} */
  let side = "both";

  const bar = element("progress", { id: "review-progress" }), barLabel = element("label", { for: "review-progress", class: "faint" }, "Looking for mistakes…");
  const graphBox = element("div", {
    role: "slider", tabindex: "0", "aria-label": "Move; the graph shows White's expected score, and the time of the moves", "aria-valuemin": "0",
  });
  const graph = makeGraph(graphBox, show);
  const summary = element("table"), moments = element("ul", { class: "moments" });
  const start = button("Review the game", () => request({ type: "review" }));
  const rematch = button("Rematch", () => request({ type: "rematch" }), { title: "Play the same game with the other side", class: "primary" });
  const find = button("Train", train, { title: "Find better moves than your mistakes" });
  const buttons = element("div", { class: "actions after" }, rematch, start, find);
  const panel = element("section", { class: "card review", "aria-label": "Review", tabindex: "0", hidden: true }, barLabel, bar, graphBox, moments, summary);

  /** @param {PlayMistake} mistake */
  function momentItem(mistake) {
    const { ply, number, san, mark, before, after, best, reason } = mistake;
    const instead = best ? ` Better was ${unbroken(best)}.` : "";
    const row = button("", () => show(ply + 1), { title: "Show this position" });
    row.append(element("b", {}, `${number} ${unbroken(san)}${mark}`), element("span", { class: "faint" }, ` ${written(before)} → ${written(after)}.${reason ? ` ${unbroken(reason)}` : ""}${instead}`));
    return element("li", {}, row);
  }

  function draw() {
    const isRunning = progress !== null && !review;
    panel.hidden = !over || (!review && !isRunning);
    bar.hidden = barLabel.hidden = !isRunning;
    if (progress) {
      bar.max = progress.total;
      bar.value = progress.done;
    }
    summary.hidden = moments.hidden = graphBox.hidden = !review;
    buttons.hidden = !over;
    start.hidden = review !== null || isRunning;
    find.hidden = !review || side === "both";
  }

  /** @param {PlayReviewView} next */
  function take(next) {
    review = next;
    progress = null;
    fillSummary(summary, review.white, review.black, side);
    const { mistakes } = review;
    graph.set(review.positions.map(({ points, score, seconds }, ply) => {
      const { number, san } = moves[ply - 1] ?? {}, mark = mistakes.find((mistake) => mistake.ply === ply - 1)?.mark ?? "";
      return { points, seconds, eval: score ? evaluationOf({ score }) : "", number, san, mark, costly: kindOf({ mark }) !== "" };
    }));
    const shown = review.moments.flatMap((ply) => mistakes.filter((mistake) => mistake.ply === ply));
    moments.replaceChildren(...(shown.length ? shown.map(momentItem) : [element("li", { class: "faint" }, "No mistake decided the game.")]));
    draw();
  }

  draw();
  return {
    panel, buttons, take,
    /** @param {PlayGameView} game whose review, if it is another one, is forgotten */
    set(game, isOther = false) {
      moves = game.moves;
      side = game.side;
      over = game.result !== null && moves.length > 0;
      if (isOther || !over) review = progress = null;
      draw();
    },
    /** @param {number} done @param {number} total */
    setProgress(done, total) {
      progress = { done, total };
      draw();
    },
    pgn: () => review?.pgn ?? null,
    mark: graph.mark,
    /** Why a move was bad, if it is known. */
    reasonOf: (/** @type {number} */ ply) => review?.mistakes.find((mistake) => mistake.ply === ply)?.reason ?? "",
    /** @param {number} ply of a move */
    markOf: (ply) => review?.mistakes.find((mistake) => mistake.ply === ply)?.mark ?? "",
  };
}
