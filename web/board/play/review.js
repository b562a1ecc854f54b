/** After a game: the report on it. */
/** @import { AnalysisGameView, PlayGameView, PlayRequest } from "../../messages.js" */
/** @import { TreeNode } from "../analysis/move_tree.js" */
import { element } from "../../shared/dom.js";
import { linked, lineFrom, markOf } from "../analysis/move_tree.js";
import { button } from "../controls.js";
import { gameReport } from "../report.js";

/**
 * `show` shows a position of the game, `train` the exercises made of the user's mistakes.
 * @param {(message: PlayRequest) => void} request
 * @param {{ show(ply: number): void, train(): void }} page
 */
export function reviewPanel(request, { show, train }) {
  /** @type {AnalysisGameView | null} */
  let review = null;
  /** @type {TreeNode[]} */
  let line = [];
  /** @type {{ done: number, total: number } | null} */
  let progress = null;
  let over = false;

  const bar = element("progress", { id: "review-progress" }), barLabel = element("label", { for: "review-progress", class: "faint" }, "Looking for mistakes…");
  const report = gameReport(show), reportBox = element("div", { class: "report" }, ...report.parts);
  const start = button("Review the game", () => request({ type: "review" }));
  const rematch = button("Rematch", () => request({ type: "rematch" }), { title: "Play the same game with the other side", class: "primary" });
  const find = button("Train", train, { title: "Find better moves than your mistakes" });
  const buttons = element("div", { class: "actions after" }, rematch, start, find);
  const panel = element("section", { class: "card review", "aria-label": "Review", tabindex: "0", hidden: true }, barLabel, bar, reportBox);

  function draw() {
    const isRunning = progress !== null && !review;
    panel.hidden = !over || (!review && !isRunning);
    bar.hidden = barLabel.hidden = !isRunning;
    if (progress) {
      bar.max = progress.total;
      bar.value = progress.done;
    }
    reportBox.hidden = !review;
    buttons.hidden = !over;
    start.hidden = review !== null || isRunning;
    find.hidden = !review?.own;
  }

  draw();
  return {
    panel, buttons,
    /** @param {AnalysisGameView} next */
    take(next) {
      review = next;
      progress = null;
      line = lineFrom(linked(next.nodes)[0]);
      report.set(next, line);
      draw();
    },
    /** @param {PlayGameView} game whose review, if it is another one, is forgotten */
    set(game, isOther = false) {
      over = game.result !== null && game.moves.length > 0;
      if (isOther || !over) {
        review = null;
        line = [];
      }
      if (!review && game.thinking !== "review") progress = null;
      draw();
    },
    /** @param {number} done @param {number} total */
    setProgress(done, total) {
      progress = { done, total };
      draw();
    },
    redraw: () => review && report.set(review, line),
    pgn: () => review?.pgn ?? null,
    mark: report.mark,
    /** The reason a move was bad, if it is known. */
    reasonOf: (/** @type {number} */ ply) => line[ply + 1]?.comment ?? "",
    /** @param {number} ply of a move */
    markOf: (ply) => (line[ply + 1] ? markOf(line[ply + 1]) : ""),
  };
}
