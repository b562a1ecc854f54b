/** After a game: accuracy, the moments that decided it, and the search for better moves than one's own mistakes. */
/** @import { PlayGameView, PlayMistake, PlayMoveView, PlayRequest, PlayReviewView, PlayTried, Score } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { fillSummary } from "../../shared/game_info.js";
import { makeGraph } from "../../shared/graph.js";
import { isBlack, kindOf, signed, unbroken } from "../../shared/notation.js";
import { evaluationOf } from "../analysis/move_tree.js";
import { button } from "../controls.js";

/** @param {Score | null} score */
const written = (score) => (score ? signed(evaluationOf({ score })) : "mate");

/**
 * `show` shows a position of the game, `redraw` draws the board again.
 * @param {(message: PlayRequest) => void} request
 * @param {{ show(ply: number): void, redraw(): void }} page
 */
export function reviewPanel(request, { show, redraw }) {
  /** @type {PlayReviewView | null} */
  let review = null;
  /** @type {{ done: number, total: number } | null} */
  let progress = null;
  /** @type {{ list: PlayMistake[], index: number, text: string, solved: boolean, best: boolean } | null} */
  let practice = null;
  /** @type {PlayMoveView[]} */
  let moves = [];
  let over = false;

  const bar = element("progress", { id: "review-progress" }), barLabel = element("label", { for: "review-progress", class: "faint" }, "Looking for mistakes…");
  const graphBox = element("div", {
    role: "slider", tabindex: "0", "aria-label": "Move; the graph shows White's expected score, and the time of the moves", "aria-valuemin": "0",
  });
  const graph = makeGraph(graphBox, show);
  const summary = element("table"), moments = element("ul", { class: "moments" });
  const start = button("Review the game", () => request({ type: "review" }));
  const rematch = button("Rematch", () => request({ type: "rematch" }), { title: "Play the same game with the other side", class: "primary" });
  const find = button("", () => begin(own()), { title: "Try to find better moves than your mistakes" });
  const best = button("Show the best move", showBest), next = button("Next", () => turn(1)), stop = button("Stop", end);
  const buttons = element("div", { class: "actions after" }, rematch, start, find, best, next, stop);
  const panel = element("section", { class: "card review", "aria-label": "Review", tabindex: "0", hidden: true }, barLabel, bar, graphBox, moments, summary);

  const own = () => review?.mistakes.filter((mistake) => mistake.own) ?? [];
  const current = () => practice?.list[practice.index] ?? null;

  /** @param {PlayMistake[]} list */
  function begin(list) {
    if (!list.length) return;
    practice = { list, index: 0, text: "", solved: false, best: false };
    draw();
    redraw();
  }

  /** @param {number} by */
  function turn(by) {
    if (!practice) return;
    const index = practice.index + by;
    if (index >= practice.list.length) return end();
    practice = { list: practice.list, index, text: "", solved: false, best: false };
    draw();
    redraw();
  }

  function showBest() {
    const mistake = current();
    if (!practice || !mistake?.best) return;
    practice = { ...practice, text: `${mistake.best.san} is the best move.`, solved: true, best: true };
    draw();
    redraw();
  }

  function end() {
    practice = null;
    draw();
    redraw();
  }

  /** @param {PlayMistake} mistake */
  function momentItem(mistake) {
    const { ply, number, san, mark, before, after, best, reason } = mistake;
    const instead = best ? ` Better was ${unbroken(best.san)}.` : "";
    const row = button("", () => show(ply + 1), { title: "Show this position" });
    row.append(element("b", {}, `${number} ${unbroken(san)}${mark}`), element("span", { class: "faint" }, ` ${written(before)} → ${written(after)}.${reason ? ` ${unbroken(reason)}` : ""}${instead}`));
    return element("li", {}, row);
  }

  function draw() {
    const isRunning = progress !== null && !review;
    panel.hidden = !over || (!review && !isRunning) || practice !== null;
    bar.hidden = barLabel.hidden = !isRunning;
    if (progress) {
      bar.max = progress.total;
      bar.value = progress.done;
    }
    summary.hidden = moments.hidden = graphBox.hidden = !review;
    buttons.hidden = !over;
    rematch.hidden = practice !== null;
    start.hidden = review !== null || isRunning;
    find.hidden = practice !== null || !own().length;
    find.textContent = `Find better moves (${own().length})`;
    best.hidden = !practice || practice.solved;
    next.hidden = stop.hidden = !practice;
    next.textContent = practice && practice.index + 1 === practice.list.length ? "Finish" : "Next";
  }

  /** @param {PlayReviewView} next */
  function take(next) {
    review = next;
    progress = null;
    fillSummary(summary, review.white, review.black);
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
      over = game.result !== null && moves.length > 0;
      if (isOther || !over) review = progress = practice = null;
      draw();
    },
    /** @param {number} done @param {number} total */
    setProgress(done, total) {
      progress = { done, total };
      draw();
    },
    /** @param {PlayTried} tried */
    answer({ ply, uci, good, text }) {
      if (!practice || current()?.ply !== ply) return;
      practice = { ...practice, text, solved: practice.solved || good, best: practice.best || (good && current()?.best?.uci !== uci) };
      draw();
      redraw();
    },
    pgn: () => review?.pgn ?? null,
    mark: graph.mark,
    /** Why a move was bad, if it is known. */
    reasonOf: (/** @type {number} */ ply) => review?.mistakes.find((mistake) => mistake.ply === ply)?.reason ?? "",
    /** @param {number} ply of a move */
    markOf: (ply) => review?.mistakes.find((mistake) => mistake.ply === ply)?.mark ?? "",
    /** What is to be found now: `null` outside of the search for better moves. */
    task() {
      const mistake = current();
      if (!practice || !mistake) return null;
      const { number, san, mark, ply, legal, best } = mistake;
      const side = isBlack(mistake) ? "Black" : "White";
      return {
        ply, legal: practice.solved ? [] : legal, side: /** @type {"white" | "black"} */ (side.toLowerCase()),
        text: practice.text,
        title: `${practice.index + 1} of ${practice.list.length}: ${number} ${unbroken(san)}${mark} was played. ${practice.solved ? "" : `Find a better move for ${side}.`}`,
        arrows: practice.best && best ? [{ from: best.from, to: best.to, kind: "hint" }] : [],
      };
    },
    /** @param {string} uci */
    attempt(uci) {
      const mistake = current();
      if (mistake) request({ type: "try", ply: mistake.ply, uci });
    },
    end,
  };
}
