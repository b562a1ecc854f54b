/** The graph of White's expected score over a game. */
import { draw, element } from "./dom.js";
import { called, kindOf, signed } from "./notation.js";

/**
 * A position of the game; `points` are missing where they are not known.
 * @typedef {{
 *   points?: number, eval?: string, number?: string, san?: string, mark?: string, costly?: boolean,
 * }} GraphNode
 */

/**
 * Makes an element the graph; `choose` gets the number of the position that is clicked or dragged to.
 * @param {HTMLElement} container
 * @param {(number: number) => void} choose
 */
export function makeGraph(container, choose) {
  /** @type {GraphNode[]} */
  let nodes = [];
  let end = 0;
  const box = draw(container, "svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const area = draw(box, "path"), even = draw(box, "line", { x1: 0, y1: 0.5, y2: 0.5 });
  const dots = element("div"), marker = element("i", { class: "marker" }), tip = element("span", { class: "tip", hidden: true });
  container.classList.add("graph");
  container.append(dots, marker, tip);
  /** @param {number} number */
  const left = (number) => `${(100 * number) / Math.max(end, 1)}%`;

  /** @param {GraphNode[]} next */
  function set(next) {
    nodes = next;
    end = nodes.length - 1;
    const width = Math.max(end, 1);
    box.setAttribute("viewBox", `0 0 ${width} 1`);
    even.setAttribute("x2", String(width));
    let points = nodes.find((node) => node.points !== undefined)?.points ?? 0.5;
    const heights = nodes.map((node, number) => `L${number} ${1 - (points = node.points ?? points)}`);
    if (end === 0) heights.push(`L1 ${1 - points}`);
    area.setAttribute("d", `M0 1${heights.join("")}L${width} 1Z`);
    dots.replaceChildren();
    nodes.forEach((node, number) => {
      if (!node.costly || node.points === undefined) return;
      const dot = element("i", { class: `moment ${kindOf(node) || "inaccuracy"}` });
      dot.style.left = left(number);
      dot.style.top = `${100 * (1 - node.points)}%`;
      dots.append(dot);
    });
    container.setAttribute("aria-valuemax", String(end));
  }

  /** @param {MouseEvent} event */
  function numberUnder(event) {
    const { left: start, width } = container.getBoundingClientRect();
    return Math.min(Math.max(Math.round(((event.clientX - start) / width) * end), 0), end);
  }

  container.addEventListener("pointermove", (event) => {
    const number = numberUnder(event), node = nodes[number];
    if (!node) return;
    tip.hidden = false;
    tip.textContent = node.san ? `${called(node)} ${node.eval ? signed(node.eval) : ""}` : "Start";
    tip.style.left = left(number);
    tip.style.transform = `translateX(${number > end / 2 ? "calc(-100% - 6px)" : "6px"})`;
    if (event.buttons & 1) choose(number);
  });
  container.addEventListener("pointerleave", () => (tip.hidden = true));
  container.addEventListener("click", (event) => choose(numberUnder(event)));

  /**
   * Marks a position, and says what it is.
   * @param {number} number
   * @param {string} text
   */
  function mark(number, text) {
    marker.style.left = left(number);
    container.setAttribute("aria-valuenow", String(number));
    container.setAttribute("aria-valuetext", text);
  }

  return { set, mark };
}
