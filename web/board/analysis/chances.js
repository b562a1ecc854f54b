/** A bar of White's wins, draws and Black's wins. */
import { element } from "../../shared/dom.js";

/** Narrower parts have no text, in percent. */
const MIN_LABELLED = 12;

/**
 * `labelled` parts state their percentages; `names` are those of the first and the last.
 * @param {{ labelled: boolean, names?: [string, string] }} options
 */
export function chancesBar({ labelled, names: [win, loss] = ["White wins", "Black wins"] }) {
  const parts = ["white", "draw", "black"].map((kind) => element("i", { class: kind }));
  const bar = element("span", { class: "chances", role: "img" }, ...parts);

  /** @param {[win: number, draw: number, loss: number]} percent */
  function set(percent) {
    percent.forEach((share, index) => {
      parts[index].style.flexGrow = String(share);
      parts[index].textContent = labelled && share >= MIN_LABELLED ? `${Math.round(share)} %` : "";
    });
    bar.title = `${win} ${percent[0]} %, draw ${percent[1]} %, ${loss} ${percent[2]} %`;
    bar.setAttribute("aria-label", bar.title);
  }

  return { bar, set };
}
