/** The report on an annotated game: the graph, the moves that decided it, and the accuracy of both sides. */
/** @import { AnalysisGameView } from "../messages.js" */
/** @import { TreeNode } from "./analysis/move_tree.js" */
import { element } from "../shared/dom.js";
import { fillSummary } from "../shared/game_info.js";
import { makeGraph } from "../shared/graph.js";
import { kindOf, signed, unbroken } from "../shared/notation.js";
import { evaluationOf, markOf } from "./analysis/move_tree.js";
import { button } from "./controls.js";

/** @param {TreeNode} node */
const written = (node) => signed(evaluationOf(node)) || "mate";

/** `choose` shows the position at a ply. @param {(ply: number) => void} choose */
export function gameReport(choose) {
  const graph = makeGraph("Move; the graph shows White's expected score, and the time of the moves", choose);
  const summary = element("table"), moments = element("ul", { class: "moments" });

  /** @param {TreeNode} one @param {number} ply */
  function moment(one, ply) {
    const [, best] = one.parent?.children ?? [], before = one.parent?.score ? one.parent : best;
    const change = `${before ? written(before) : ""} → ${written(one)}.`;
    const facts = [change, unbroken(one.comment), best && `Better was ${unbroken(best.san)}.`];
    const name = element("b", {}, `${one.number} ${unbroken(one.san)}${markOf(one)}`);
    const about = element("span", { class: "faint" }, ` ${facts.filter(Boolean).join(" ")}`);
    return element("li", {}, button([name, about], () => choose(ply), { title: "Show this position" }));
  }

  return {
    parts: [graph.container, moments, summary],
    mark: graph.mark,
    /** @param {AnalysisGameView} game @param {TreeNode[]} mainLine */
    set(game, mainLine) {
      const known = mainLine.filter((one) => one.points !== undefined);
      const hasTimes = mainLine.some((one) => one.seconds !== undefined);
      const isEvaluated = 2 * known.length >= mainLine.length;
      graph.container.hidden = mainLine.length < 3 || (!isEvaluated && !hasTimes);
      graph.set(mainLine.map((one) => {
        const mark = markOf(one);
        return { points: isEvaluated ? one.points : undefined, seconds: one.seconds, eval: evaluationOf(one), number: one.number, san: one.san, mark, costly: kindOf({ mark }) !== "" };
      }));
      const items = mainLine.flatMap((one, ply) => (game.moments.includes(one.id) ? [moment(one, ply)] : []));
      summary.hidden = moments.hidden = !game.summary;
      moments.replaceChildren(...(items.length ? items : [element("li", { class: "faint" }, "No mistake decided the game.")]));
      if (game.summary) fillSummary(summary, ...game.summary, game.own?.color);
    },
  };
}
