/** The annotation of the game: its start and progress, the graph, and the accuracy of both sides. */
/** @import { AnalysisGameView, AnalysisRequest } from "../../messages.js" */
/** @import { TreeNode } from "./move_tree.js" */
import { element } from "../../shared/dom.js";
import { fillSummary } from "../../shared/game_info.js";
import { makeGraph } from "../../shared/graph.js";
import { duration, kindOf } from "../../shared/notation.js";
import { button } from "../controls.js";
import { toast } from "../toast.js";
import { evaluationOf, markOf } from "./move_tree.js";

/** @type {[number, string][]} nodes per position */
const EFFORTS = [[100_000, "Quick"], [400_000, "Normal"], [1_000_000, "Thorough"], [5_000_000, "Deep"]];
const DEFAULT_EFFORT = 400_000;

/** @param {(request: AnalysisRequest) => void} send @param {(ply: number) => void} choose */
export function reportPanel(send, choose) {
  let isRunning = false, started = 0, from = 0;
  const graphBox = element("div", {
    role: "slider", tabindex: "0", "aria-label": "Move; the graph shows White's expected score, and the time of the moves", "aria-valuemin": "0",
  });
  const graph = makeGraph(graphBox, choose);
  const summary = element("table");
  const efforts = element("select", { "aria-label": "Effort" }, ...EFFORTS.map(([nodes, name]) =>
    element("option", { value: nodes, title: `${nodes.toLocaleString("en")} nodes per position` }, name)));
  efforts.value = String(DEFAULT_EFFORT);
  const start = button("Annotate game", () => send({ type: "annotate", nodes: Number(efforts.value) }), { class: "primary" });
  const cancel = button("Cancel", () => send({ type: "cancel_annotation" }), {
    title: "Cancel the annotation", "aria-label": "Cancel the annotation",
  });
  const bar = element("progress", { "aria-label": "Annotation", max: "1", value: "0" });
  const barText = element("span", { class: "number faint" });
  const progress = element("div", { class: "progress", hidden: true }, bar, barText, cancel);
  const startRow = element("div", { class: "start" }, start, efforts);
  const announced = element("p", { class: "visually-hidden", role: "status" });

  /** @param {boolean} running */
  function setRunning(running) {
    if (running && !isRunning) started = 0;
    isRunning = running;
    progress.hidden = !running;
    startRow.hidden = running;
  }

  return {
    panel: element("section", { class: "card report", "aria-label": "Annotation" }, graphBox, summary, startRow, progress, announced),
    mark: graph.mark,
    isRunning: () => isRunning,
    setRunning,
    /** @param {AnalysisGameView} game @param {TreeNode[]} mainLine */
    set(game, mainLine) {
      const known = mainLine.filter((one) => one.points !== undefined);
      const hasTimes = mainLine.some((one) => one.seconds !== undefined);
      const isEvaluated = 2 * known.length >= mainLine.length;
      graphBox.hidden = mainLine.length < 3 || (!isEvaluated && !hasTimes);
      graph.set(mainLine.map((one) => {
        const mark = markOf(one);
        return { points: isEvaluated ? one.points : undefined, seconds: one.seconds, eval: evaluationOf(one), number: one.number, san: one.san, mark, costly: kindOf({ mark }) !== "" };
      }));
      summary.hidden = !game.summary;
      if (game.summary) fillSummary(summary, ...game.summary, game.own?.color);
      start.disabled = mainLine.length < 2;
      start.textContent = game.summary ? "Annotate again" : "Annotate game";
    },
    /** @param {number} done @param {number} total */
    setProgress(done, total) {
      bar.max = total;
      bar.value = done;
      if (!started) [started, from] = [performance.now(), done];
      const each = (performance.now() - started) / 1000 / (done - from), left = each * (total - done);
      barText.textContent = `${done} of ${total}${done - from < 3 ? "" : `, ${duration(Math.ceil(left))} left`}`;
    },
    /**
     * The annotation has ended, for a reason if it is not complete.
     * @param {string | null} why
     */
    ended(why) {
      setRunning(false);
      announced.textContent = why ? "" : "Annotation complete.";
      if (why && why !== "canceled") toast(`The annotation stopped: ${why}.`);
    },
  };
}
