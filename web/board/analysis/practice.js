/** The search for better moves than the mistakes of an annotated game. */
/** @import { AnalysisRequest, Color } from "../../messages.js" */
/** @import { TreeNode } from "./move_tree.js" */
import { element } from "../../shared/dom.js";
import { isBlack, kindOf, unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";
import { markOf } from "./move_tree.js";

/**
 * `go` shows a node, `face` turns the board to a side.
 * @param {(request: AnalysisRequest) => void} send
 * @param {(node: number) => void} go
 * @param {(color: Color) => void} face
 */
export function practicePanel(send, go, face) {
  /** @type {TreeNode[]} */
  let mistakes = [];
  /** @type {{ list: TreeNode[], index: number, text: string } | null} */
  let task = null;

  /** @param {Color} color */
  const of = (color) => mistakes.filter((one) => isBlack(one) === (color === "black"));
  const white = button("", () => begin("white")), black = button("", () => begin("black"));
  const title = element("p", { role: "status" }), answer = element("p", { class: "faint", role: "status" });
  const next = button("Next", () => turn(1)), stop = button("Stop", end);
  const solution = button("Show the move", () => task && say(`${unbroken(best(task.list[task.index]))} was better.`));
  const offers = element("div", { class: "buttons offers" }, element("span", {}, "Find better moves"), white, black);
  const panel = element("div", { class: "practice" }, offers, title, answer, element("div", { class: "buttons" }, solution, next, stop));

  /** @param {TreeNode} one */
  const best = (one) => one.parent?.children[1]?.san ?? "another move";

  /** @param {Color} color */
  function begin(color) {
    task = { list: of(color), index: -1, text: "" };
    face(color);
    turn(1);
  }

  /** @param {number} by */
  function turn(by) {
    if (!task) return;
    const index = task.index + by, one = task.list[index];
    if (!one) return end();
    task = { ...task, index, text: "" };
    go(one.parent?.id ?? 0);
    draw();
    panel.scrollIntoView({ block: "nearest" });
  }

  function end() {
    task = null;
    draw();
  }

  /** @param {string} text */
  function say(text) {
    if (task) task.text = text;
    draw();
  }

  function draw() {
    const one = task?.list[task.index];
    panel.hidden = !mistakes.length;
    offers.hidden = Boolean(one);
    panel.classList.toggle("running", Boolean(one));
    for (const part of [title, answer, next, stop, solution]) part.hidden = !one;
    for (const [row, color] of /** @type {[HTMLButtonElement, Color][]} */ ([[white, "white"], [black, "black"]])) {
      row.hidden = !of(color).length;
      row.textContent = `${color === "white" ? "White" : "Black"} (${of(color).length})`;
      row.setAttribute("aria-label", `Find better moves: ${row.textContent}`);
    }
    if (!task || !one) return;
    title.textContent = `${task.index + 1} of ${task.list.length}: ${one.number} ${unbroken(one.san)}${markOf(one)} was played. Find a better move.`;
    answer.textContent = task.text;
    next.textContent = task.index + 1 === task.list.length ? "Finish" : "Next";
  }

  draw();
  return {
    panel, begin,
    /** @param {TreeNode[]} mainLine */
    set(mainLine) {
      mistakes = mainLine.filter((one) => kindOf({ mark: markOf(one) }) && one.parent?.score);
      if (task && !task.list.every((one) => mistakes.some(({ id }) => id === one.id))) task = null;
      draw();
    },
    /** The node at which a better move is to be found. */
    node: () => task?.list[task.index]?.parent?.id ?? null,
    /** @param {string} uci */
    attempt(uci) {
      const node = task?.list[task.index]?.parent?.id;
      if (node !== undefined) send({ type: "try", node, uci });
    },
    say,
  };
}
