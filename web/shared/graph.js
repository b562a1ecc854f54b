/** The graph of White's expected score over a game, and of the time that the moves took; or of other values with `bars`. */
import { draw, element } from "./dom.js";
import { called, duration, isBlack, kindOf, signed } from "./notation.js";

/** So far from the edges a dot is whole. */
const EDGE = 0.06;

/**
 * A position of the game; `points` are missing where they are not known.
 * @typedef {{
 *   points?: number, eval?: string, seconds?: number | null, number?: string, san?: string, mark?: string, costly?: boolean,
 *   tip?: string, bars?: number[],
 * }} GraphNode
 */

/** `choose` gets the number of the position that is clicked or dragged to. @param {string} label @param {(number: number) => void} choose */
export function makeGraph(label, choose) {
  const container = element("div", { class: "graph", role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": "0" });
  /** @type {GraphNode[]} */
  let nodes = [];
  let end = 0;
  const box = draw(container, "svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const area = draw(box, "path"), even = draw(box, "line", { x1: 0, y1: 0.5, y2: 0.5 });
  const times = draw(container, "svg", { class: "times", preserveAspectRatio: "none", "aria-hidden": "true" });
  const whiteTimes = draw(times, "path"), blackTimes = draw(times, "path", { class: "black" });
  const dots = element("div", { class: "dots" }), marker = element("i", { class: "marker" }), tip = element("span", { class: "tip", hidden: true });
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
      dot.style.top = `${100 * (1 - Math.min(Math.max(node.points, EDGE), 1 - EDGE))}%`;
      dots.append(dot);
    });
    drawTimes(width);
    container.setAttribute("aria-valuemax", String(end));
  }

  /**
   * White's times up from the middle, Black's down, or the bars of a node; with heights by the root: most moves are short.
   * @param {number} width
   */
  function drawTimes(width) {
    const all = nodes.map((node) => node.bars ?? (isBlack(node) ? [0, node.seconds ?? 0] : [node.seconds ?? 0, 0]));
    const longest = Math.max(...all.flat());
    container.classList.toggle("timed", longest > 0);
    times.setAttribute("viewBox", `0 -1 ${width} 2`);
    [whiteTimes, blackTimes].forEach((path, side) => {
      // The time of a move lies before its position.
      const bars = all.map((pair, number) => ({ left: number - (nodes[number].bars ? 0.5 : 1), height: Math.sqrt(pair[side] / longest) })).filter(({ height }) => height > 0);
      path.setAttribute("d", bars.map(({ left, height }) => `M${left} 0V${side ? height : -height}h1V0Z`).join(""));
    });
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
    const seconds = node.seconds ?? null;
    const facts = [called(node), node.eval && signed(node.eval), seconds !== null && duration(seconds)];
    tip.textContent = node.tip ?? (node.san ? facts.filter(Boolean).join(" ") : "Start");
    tip.style.left = left(number);
    tip.style.transform = `translateX(${number > end / 2 ? "calc(-100% - 6px)" : "6px"})`;
    if (event.buttons & 1) choose(number);
  });
  container.addEventListener("pointerleave", () => (tip.hidden = true));
  container.addEventListener("click", (event) => choose(numberUnder(event)));

  /** Marks a position, and says what it is. @param {number} number @param {string} text */
  function mark(number, text) {
    marker.style.left = left(number);
    container.setAttribute("aria-valuenow", String(number));
    container.setAttribute("aria-valuetext", text);
  }

  return { container, set, mark };
}
