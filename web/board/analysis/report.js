/** The annotation of the game: its start and progress, and the report on it. */
/** @import { AnalysisGameView, AnalysisRequest } from "../../messages.js" */
/** @import { TreeNode } from "./move_tree.js" */
import { element } from "../../shared/dom.js";
import { annotationControls } from "../annotation.js";
import { gameReport } from "../report.js";
import { toast } from "../toast.js";

/** @param {(request: AnalysisRequest) => void} send @param {(ply: number) => void} choose */
export function reportPanel(send, choose) {
  const report = gameReport(choose);
  const controls = annotationControls("Annotate game", (nodes) => send({ type: "annotate", nodes }), () => send({ type: "cancel_annotation" }));
  const announced = element("p", { class: "visually-hidden", role: "status" });

  return {
    panel: element("section", { class: "card report", "aria-label": "Annotation" }, ...report.parts, ...controls.parts, announced),
    mark: report.mark, isRunning: controls.isRunning, setRunning: controls.setRunning, setProgress: controls.setProgress,
    /** @param {AnalysisGameView} game @param {TreeNode[]} mainLine */
    set(game, mainLine) {
      report.set(game, mainLine);
      controls.start.disabled = mainLine.length < 2;
      controls.start.textContent = game.summary ? "Annotate again" : "Annotate game";
    },
    /** The annotation has ended, for a reason if it is not complete. @param {string | null} why */
    ended(why) {
      controls.setRunning(false);
      announced.textContent = why ? "" : "Annotation complete.";
      if (why && why !== "canceled") toast(`The annotation stopped: ${why}.`);
    },
  };
}
