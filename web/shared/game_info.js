/** What is said about a game: its players, occasion and opening, and the accuracy of both sides. */
/** @import { Heading, Player, SideReport } from "../messages.js" */
import { element, quoted } from "./dom.js";

/**
 * Facts about a game, in a row.
 * @param {(string | false | null | undefined)[]} texts
 */
export const facts = (texts) => texts.flatMap((text) => (text ? [" · ", quoted(text)] : [])).slice(1);

/** @param {Player} player */
export function player({ title, name, rating }) {
  const named = quoted([title, name].filter(Boolean).join(" "));
  return rating ? [named, element("small", {}, ` ${rating}`)] : [named];
}

/** @param {Heading} heading */
export const opening = ({ eco, opening }) => [eco, opening].filter(Boolean).join(" ");

/**
 * Fills a table with the accuracy and the mistakes of both sides.
 * @param {HTMLTableElement} table
 * @param {SideReport} white
 * @param {SideReport} black
 */
export function fillSummary(table, white, black) {
  /** @type {[string, keyof SideReport, (value: number) => string][]} */
  const rows = [
    ["Accuracy (lichess)", "accuracy", (value) => `${value.toFixed(1)}\u00a0%`],
    ["Average centipawn loss", "acpl", String],
    ["Inaccuracies ?!", "inaccuracies", String],
    ["Mistakes ?", "mistakes", String],
    ["Blunders ??", "blunders", String],
  ];
  const cells = rows.map(([title, key, written]) =>
    element("tr", {}, element("th", {}, title), ...[white, black].map(({ [key]: value }) =>
      element("td", {}, value === null ? "–" : written(value)))));
  const head = element("tr", {}, element("td"), element("th", {}, "White"), element("th", {}, "Black"));
  table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...cells));
  table.classList.add("summary");
  table.title = "Accuracy as computed by lichess.org (lichess.org/page/accuracy)";
}
