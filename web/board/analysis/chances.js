/** Bars of wins, draws and losses. */
import { element } from "../../shared/dom.js";

/** Narrower parts have no text, in percent. */
const MIN_LABELLED = 12;

/** A bar of White's wins, draws and Black's wins; `labelled` parts state their percentages. */
export function chancesBar(labelled = true, [win, loss] = ["White wins", "Black wins"]) {
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

/** A bar of the user's results. @param {{ wins: number, draws: number, losses: number }} results */
export function resultsBar({ wins, draws, losses }) {
  const { bar, set } = chancesBar(false, ["You win", "You lose"]);
  const games = Math.max(wins + draws + losses, 1);
  /** @param {number} count */
  const percent = (count) => Math.round((100 * count) / games);
  set([percent(wins), percent(draws), percent(losses)]);
  return bar;
}
