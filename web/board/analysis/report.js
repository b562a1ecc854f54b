/** The annotation of the game: its start and progress, the graph, and the accuracy of both sides. */
/** @import { AnalysisGameView, AnalysisRequest } from "../../messages.js" */
/** @import { TreeNode } from "./move_tree.js" */
import { element } from "../../shared/dom.js";
import { fillSummary } from "../../shared/game_info.js";
import { makeGraph } from "../../shared/graph.js";
import { kindOf } from "../../shared/notation.js";
import { annotationControls } from "../annotation.js";
import { toast } from "../toast.js";
import { evaluationOf, markOf } from "./move_tree.js";

/** @param {(request: AnalysisRequest) => void} send @param {(ply: number) => void} choose */
export function reportPanel(send, choose) {
  const graphBox = element("div", {
    role: "slider", tabindex: "0", "aria-label": "Move; the graph shows White's expected score, and the time of the moves", "aria-valuemin": "0",
  });
  const graph = makeGraph(graphBox, choose);
  const summary = element("table");
  const controls = annotationControls("Annotate game", (nodes) => send({ type: "annotate", nodes }), () => send({ type: "cancel_annotation" }));
  const announced = element("p", { class: "visually-hidden", role: "status" });

  return {
    panel: element("section", { class: "card report", "aria-label": "Annotation" }, graphBox, summary, ...controls.parts, announced),
    mark: graph.mark,
    isRunning: controls.isRunning, setRunning: controls.setRunning, setProgress: controls.setProgress,
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
      controls.start.disabled = mainLine.length < 2;
      controls.start.textContent = game.summary ? "Annotate again" : "Annotate game";
    },
    /**
     * The annotation has ended, for a reason if it is not complete.
     * @param {string | null} why
     */
    ended(why) {
      controls.setRunning(false);
      announced.textContent = why ? "" : "Annotation complete.";
      if (why && why !== "canceled") toast(`The annotation stopped: ${why}.`);
    },
  };
}
