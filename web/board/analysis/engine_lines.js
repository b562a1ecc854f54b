/** The panel of the live search: a switch, the number of lines, and the lines with their evaluations. */
/** @import { AnalysisLineView, AnalysisLinesView } from "../../messages.js" */
import { byId, closest, element } from "../../shared/dom.js";
import { signed, unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";
import { chancesBar } from "./chances.js";
import { evaluationOf, markParts } from "./move_tree.js";

export const MAX_LINES = 5;

/** 1234567 becomes 1.2 M. @param {number} value */
function rounded(value) {
  /** @type {[number, string][]} */
  const units = [[1e9, " G"], [1e6, " M"], [1e3, " k"]];
  const [divisor, unit] = units.find(([least]) => value >= least) ?? [1, ""];
  const number = value / divisor;
  return `${unit && number < 10 ? number.toFixed(1) : Math.round(number)}${unit}`;
}

/**
 * @param {HTMLElement} container
 * @param {{
 *   engine(on: boolean, lines: number): void, threat(on: boolean): void,
 *   play(moves: string[]): void, preview(moves: string[] | null): void,
 * }} handlers with moves in UCI notation; `preview(null)` when the pointer leaves
 */
export function engineLinesPanel(container, handlers) {
  let on = false, count = 3, threat = false;
  /** @type {AnalysisLineView[]} what the rows show */
  let shown = [];

  const toggle = element("input", { type: "checkbox", role: "switch", id: "engine-on", onchange: () => handlers.engine(toggle.checked, count) });
  const numbers = Array.from({ length: MAX_LINES }, (_, index) => element("option", { value: index + 1 }, `${index + 1}`));
  const select = element("select", { "aria-label": "Number of lines", onchange: () => handlers.engine(on, Number(select.value)) }, ...numbers);
  const threatButton = button("Threat", () => handlers.threat(!threat), {
    title: "What would the other side play, if it were to move? (Alt+X)", "aria-pressed": "false", class: "quiet",
  });
  const settings = button("", () => byId("settings", HTMLButtonElement).click(), {
    title: "Threads and hash table of the engine: open the settings", class: "quiet engine-facts number",
  });
  const facts = element("p", { class: "facts faint number" });
  const chances = chancesBar();
  chances.bar.hidden = true;
  /** @type {HTMLElement[]} */
  const rows = [];
  const list = element("ol", { class: "lines", "aria-label": "Best lines" });
  container.append(
    element("div", { class: "engine-head" },
      element("label", { for: "engine-on", class: "switch" }, toggle, element("span", {}, "Engine")),
      threatButton, settings,
      element("label", { class: "count" }, select, element("span", { "aria-hidden": "true" }, "lines"))),
    chances.bar, list, facts);

  function makeRow() {
    const score = element("button", { type: "button", class: "score number", title: "Show the whole line", "aria-expanded": "false" });
    const row = element("li", {}, score, element("span", { class: "pv" }));
    score.addEventListener("click", () => score.setAttribute("aria-expanded", String(row.classList.toggle("open"))));
    list.append(row);
    return row;
  }

  /**
   * Changes the texts of a row in place, so that a click is not lost.
   * @param {HTMLElement} row
   * @param {AnalysisLineView} line
   * @param {number} number
   * @param {string[]} marks
   */
  function fillRow(row, line, number, marks) {
    const [score, moves] = row.children;
    const isBlack = line.points < 0.5;
    score.textContent = signed(evaluationOf(line));
    score.classList.toggle("black", isBlack);
    row.title = `Depth ${line.depth}`;
    while (moves.children.length > line.pv.length) moves.lastElementChild?.remove();
    while (moves.children.length < line.pv.length) {
      const index = moves.children.length;
      moves.append(element("button", { type: "button", class: "step", tabindex: index === 0 ? "0" : "-1", "data-line": number, "data-index": index }));
    }
    line.pv.forEach(({ san, number: before }, index) => {
      const text = (index === 0 || !before.endsWith("...") ? `${before} ` : "") + unbroken(san);
      const mark = marks[index] ?? "";
      if (moves.children[index].textContent !== text + mark) moves.children[index].replaceChildren(text, ...markParts(mark));
    });
  }

  /** The moves up to the one whose button is under the pointer or focused. @param {Event} event */
  function movesOf(event) {
    // The moves of a threat are not possible in the position.
    if (threat) return null;
    const button = closest(event, "button.step");
    const line = button && shown[Number(button.dataset.line)];
    return line ? line.pv.slice(0, Number(button.dataset.index) + 1).map((move) => move.uci) : null;
  }

  list.addEventListener("click", (event) => {
    const moves = movesOf(event);
    if (moves) handlers.play(moves);
  });
  list.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") handlers.preview(movesOf(event));
  });
  list.addEventListener("pointerleave", () => handlers.preview(null));
  list.addEventListener("focusin", (event) => {
    if (closest(event, ":focus-visible")) handlers.preview(movesOf(event));
  });
  list.addEventListener("focusout", () => handlers.preview(null));
  list.addEventListener("keydown", (event) => {
    const pressed = closest(event, "button.step");
    if (!pressed || !["ArrowRight", "ArrowLeft"].includes(event.key)) return;
    const next = event.key === "ArrowRight" ? pressed.nextElementSibling : pressed.previousElementSibling;
    event.preventDefault();
    event.stopPropagation();
    if (next instanceof HTMLElement) next.focus();
  });

  /** @param {AnalysisLinesView} search @param {(sans: string[]) => string[]} marksOf the assessments that its moves have in the game */
  function set({ lines, depth, selective_depth, nodes, nodes_per_second, tablebase_hits }, marksOf) {
    shown = lines;
    while (rows.length > lines.length) rows.pop()?.remove();
    while (rows.length < lines.length) rows.push(makeRow());
    lines.forEach((line, number) => fillRow(rows[number], line, number, marksOf(threat ? [] : line.pv.map(({ san }) => san))));
    const hits = tablebase_hits ? ` · ${rounded(tablebase_hits)} TB hits` : "";
    facts.textContent = `Depth ${depth}/${selective_depth} · ${rounded(nodes)} nodes · ${rounded(nodes_per_second)}/s${hits}`;
    const [win, draw, loss] = lines[0].wdl;
    chances.set([win / 10, draw / 10, loss / 10]);
    chances.bar.hidden = false;
  }

  /** Without lines; `text` says why. */
  function clear(text = "") {
    shown = [];
    rows.length = 0;
    list.replaceChildren();
    chances.bar.hidden = true;
    facts.textContent = text;
  }

  /** @param {{ on: boolean, lines: number, threat: boolean }} engine */
  function setEngine(engine) {
    ({ on, lines: count, threat } = engine);
    threatButton.setAttribute("aria-pressed", String(threat));
    list.classList.toggle("threats", threat);
    toggle.checked = on;
    select.value = String(count);
    container.style.setProperty("--rows", String(on ? count : 0));
    list.classList.toggle("folded", count > 1);
  }

  return { set, clear, setEngine, toggle: () => handlers.engine(!on, count), toggleThreat: () => handlers.threat(!threat) };
}
