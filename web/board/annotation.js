/** The controls of an annotation in Analyze and in Train: its effort, start, progress with the time left, and cancel. */
import { element } from "../shared/dom.js";
import { duration } from "../shared/notation.js";
import { button } from "./controls.js";

/** @type {[number, string][]} nodes per position */
const EFFORTS = [[100_000, "Quick"], [400_000, "Normal"], [1_000_000, "Thorough"], [5_000_000, "Deep"]];
const DEFAULT_EFFORT = 400_000;

/** @param {string} label @param {(nodes: number) => void} begin @param {() => void} cancel */
export function annotationControls(label, begin, cancel) {
  let isRunning = false, started = 0, from = 0;
  const efforts = element("select", { "aria-label": "Effort" }, ...EFFORTS.map(([nodes, name]) =>
    element("option", { value: nodes, title: `${nodes.toLocaleString("en")} nodes per position` }, name)));
  efforts.value = String(DEFAULT_EFFORT);
  const start = button(label, () => begin(Number(efforts.value)), { class: "primary" });
  const bar = element("progress", { "aria-label": "Annotation", max: "1", value: "0" }), text = element("span", { class: "number faint" });
  const startRow = element("div", { class: "start" }, start, efforts);
  const progress = element("div", { class: "progress", hidden: true }, bar, text,
    button("Cancel", cancel, { title: "Cancel the annotation", "aria-label": "Cancel the annotation" }));

  return {
    start, parts: [startRow, progress],
    isRunning: () => isRunning,
    /** @param {boolean} running */
    setRunning(running) {
      if (running && !isRunning) started = 0;
      isRunning = running;
      progress.hidden = !running;
      startRow.hidden = running;
    },
    /** @param {number} done positions @param {number} total @param {string} [what] what is done, and the time left */
    setProgress(done, total, what = "") {
      bar.max = total;
      bar.value = done;
      if (!started) [started, from] = [performance.now(), done];
      const seconds = (performance.now() - started) / 1000, left = (seconds / (done - from)) * (total - done);
      text.textContent = what || `${done} of ${total}${done === from || seconds < 3 ? "" : `, ${duration(Math.ceil(left))} left`}`;
    },
  };
}
