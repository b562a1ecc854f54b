/** A game with its variations as a table of moves. */
/** @import { AnalysisNodeView, AnalysisScore } from "../../messages.js" */
import { closest, element, isolated } from "../../shared/dom.js";
import { localized } from "../../shared/letters.js";
import { isBlack, kindOf, signed, unbroken } from "../../shared/notation.js";
import { glyph } from "./glyphs.js";

/**
 * @typedef {Required<Omit<AnalysisNodeView, "score" | "points" | "seconds" | "clock" | "parent">> & {
 *   score?: AnalysisScore, points?: number, seconds?: number, clock?: number, parent: TreeNode | null, children: TreeNode[],
 * }} TreeNode
 */

/** @type {Record<number, string>} by their numeric annotation glyphs */
export const SYMBOLS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓",
  18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 32: "⟳", 33: "⟳", 36: "↑", 37: "↑", 40: "→", 41: "→", 132: "⇆", 133: "⇆", 146: "N",
};

/** @param {{ score?: AnalysisScore }} node */
export function evaluationOf({ score }) {
  if (!score) return "";
  return score.mate === undefined ? (score.cp / 100).toFixed(2) : `#${score.mate}`;
}

/** The assessment of a move: `?!` and the like. @param {TreeNode} node */
export const markOf = ({ nags }) => SYMBOLS[nags.find((nag) => nag <= 6) ?? 0] || "";

/** An assessment behind its move, if there is one. @param {string} mark */
export const markParts = (mark) => (mark ? [element("span", { class: `mark ${kindOf({ mark })}` }, mark)] : []);

/** A node and the main line after it. @param {TreeNode} start */
export function lineFrom(start) {
  const line = [start];
  for (let one = start.children[0]; one; one = one.children[0]) line.push(one);
  return line;
}

/** The nodes of a game, each with its parent and its children. @param {AnalysisNodeView[]} list */
export function linked(list) {
  /** @type {Map<number, TreeNode>} */
  const nodes = new Map();
  for (const one of list) {
    const parent = one.parent === undefined ? null : nodes.get(one.parent) ?? null;
    const made = { nags: [], comment: "", opening: "", number: "", san: "", ...one, parent, children: [] };
    nodes.set(one.id, made);
    parent?.children.push(made);
  }
  return [...nodes.values()];
}

/** @param {TreeNode} node */
const alternatives = ({ parent }) => parent?.children.slice(1) ?? [];

/** Stands in the place of White's move or Black's. */
const gap = () => element("span", { class: "gap" }, "…");

/**
 * Fills an element with the moves; `choose` gets the node that is clicked.
 * @param {HTMLElement} container
 * @param {(id: number) => void} choose
 */
export function moveTree(container, choose) {
  /** @type {Map<number, TreeNode>} */
  let nodes = new Map();
  /** @type {Map<number, HTMLElement>} */
  let buttons = new Map();
  let here = 0;
  /** Moves that come while a button is pressed are drawn afterwards, so that the click is not lost. */
  let pressed = false, waiting = false;

  container.classList.add("moves");
  container.addEventListener("click", (event) => {
    const pressedButton = closest(event, "button");
    if (pressedButton) choose(Number(pressedButton.dataset.node));
  });
  addEventListener("pointerdown", () => (pressed = true), true);
  for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, () => setTimeout(() => {
      pressed = false;
      if (waiting) drawTree();
    }), true);
  }

  /** @param {number} id */
  function node(id) {
    const found = nodes.get(id);
    if (!found) throw new Error(`the game has no node ${id}`);
    return found;
  }

  /** @param {TreeNode} one @param {string} text @param {string} [kind] */
  function moveButton(one, text, kind) {
    // The assessment of the move comes before that of the position.
    const symbols = [...one.nags].sort((nag, other) => Number(nag > 6) - Number(other > 6)).map((nag) => {
      const symbol = SYMBOLS[nag] || `$${nag}`;
      return element("span", { class: `mark ${kindOf({ mark: symbol })}` }, ...(nag > 6 ? [" ", glyph(symbol)] : [symbol]));
    });
    const name = element(kind === "step" ? "span" : "b", {}, text, ...symbols);
    const made = element("button", { type: "button", class: kind, tabindex: "-1", "data-node": one.id }, name);
    buttons.set(one.id, made);
    return made;
  }

  /** Variations, and those inside them, from their first moves. @param {TreeNode[]} starts @returns {HTMLElement[]} */
  function variationParts(starts) {
    return starts.map((start) => {
      const part = element("div", { class: "variation line" });
      if (start.opening) part.append(element("span", { class: "faint" }, `${localized(start.opening)} `));
      let needsNumber = true;
      for (const one of lineFrom(start)) {
        const text = (needsNumber || !isBlack(one) ? `${one.number} ` : "") + unbroken(one.san);
        part.append(moveButton(one, text, "step"), " ");
        if (one.comment) part.append(isolated(localized(one.comment), "faint"), " ");
        const others = one === start ? [] : alternatives(one);
        if (others.length) part.append(...variationParts(others));
        needsNumber = Boolean(one.comment) || others.length > 0;
      }
      return part;
    });
  }

  function drawTree() {
    waiting = false;
    buttons = new Map();
    /** @type {HTMLElement[]} */
    const parts = [];
    const [root, ...moves] = mainLine();
    if (root.comment) parts.push(element("p", { class: "aside" }, localized(root.comment)));
    let whiteMissing = true;
    for (const one of moves) {
      if (!isBlack(one)) parts.push(element("i", {}, one.number));
      else if (whiteMissing) parts.push(element("i", {}, one.number.replace("...", ".")), gap());
      const made = moveButton(one, unbroken(one.san));
      const value = evaluationOf(one);
      if (value) made.append(element("small", {}, signed(value)));
      parts.push(made);
      const below = variationParts(alternatives(one));
      if (one.comment) below.unshift(element("p", {}, localized(one.comment)));
      whiteMissing = isBlack(one) || below.length > 0;
      if (!below.length) continue;
      if (!isBlack(one)) parts.push(gap());
      parts.push(element("div", { class: "aside" }, ...below));
    }
    container.replaceChildren(...parts);
    mark();
  }

  function mark() {
    for (const old of buttons.values()) {
      old.classList.remove("here");
      old.removeAttribute("aria-current");
      old.tabIndex = -1;
    }
    const button = buttons.get(here);
    const first = button || container.querySelector("button");
    if (first) first.tabIndex = 0;
    button?.classList.add("here");
    button?.setAttribute("aria-current", "true");
    if (!button && here === 0) container.scrollTop = 0;
    keepInView();
  }

  function keepInView() {
    const button = buttons.get(here);
    if (!button) return;
    const box = container.getBoundingClientRect(), top = button.getBoundingClientRect().top - box.top;
    // On upright screens only the page scrolls, and it stays where the reader has put it.
    if (container.scrollHeight > container.clientHeight && (top < 0 || top + button.offsetHeight > box.height)) {
      container.scrollTop += top - (box.height - button.offsetHeight) / 2;
    }
  }
  // What is above it may grow, such as the lines of the engine.
  new ResizeObserver(keepInView).observe(container);

  /** @param {AnalysisNodeView[]} list */
  function set(list) {
    nodes = new Map(linked(list).map((one) => [one.id, one]));
    if (pressed) waiting = true;
    else drawTree();
  }

  /** @param {number} id */
  function show(id) {
    here = id;
    mark();
  }

  /** The assessments that moves after a node have in the game; "" where they have none. @param {number} id @param {string[]} sans */
  function marks(id, sans) {
    let one = nodes.get(id);
    return sans.map((san) => {
      one = one?.children.find((child) => child.san === san);
      return one ? markOf(one) : "";
    });
  }

  /** The nodes of the main line with the start position. */
  const mainLine = () => lineFrom(node(0));

  /** @param {number} id */
  const last = (id) => lineFrom(node(id)).at(-1) ?? node(id);

  /**
   * The alternative before or after a move; of a move without any, that of the next move before it with some.
   * @param {number} id
   * @param {number} step
   */
  function sibling(id, step) {
    for (let one = node(id); one.parent; one = one.parent) {
      const { children } = one.parent;
      if (children.length > 1) return children[children.indexOf(one) + step] ?? null;
    }
    return null;
  }

  /** The number of moves of the main line before a node leaves it. @param {number} id */
  function mainPly(id) {
    const line = mainLine();
    /** @type {TreeNode | null} */
    let one = node(id);
    while (one && !line.includes(one)) one = one.parent;
    return one ? line.indexOf(one) : 0;
  }

  /** @param {number} id */
  const isMain = (id) => mainLine().includes(node(id));
  return { set, show, node, marks, mainLine, last, sibling, mainPly, isMain };
}
