/** Facts about a game: its players, occasion and opening, and the accuracy of both sides. */
/** @import { AnalysisSideSummary, Heading, OwnSide, Player } from "../messages.js" */
import { element, isolated, named } from "./dom.js";

/** Facts about a game, in a row. @param {(string | false | null | undefined)[]} texts */
export const facts = (texts) => texts.flatMap((text) => (text ? [" · ", isolated(text)] : [])).slice(1);

/** @param {Player} player */
export function player({ title, name, rating }) {
  const whole = named([title, name].filter(Boolean).join(" "));
  return rating ? [whole, element("small", {}, ` ${rating}`)] : [whole];
}

/** @param {Pick<Heading, "white" | "black">} heading */
export const players = ({ white, black }) => [...player(white), " – ", ...player(black)];

/** The user's part in a game, if it is one of theirs. @param {OwnSide | null} own */
export const ownPart = (own) => own && `${own.result} with ${own.color === "white" ? "White" : "Black"}`;

/** @param {Heading} heading */
export const opening = ({ eco, opening }) => [eco, opening].filter(Boolean).join(" ");

/**
 * Fills a table with the accuracy and the mistakes of both sides.
 * @param {HTMLTableElement} table
 * @param {AnalysisSideSummary} white
 * @param {AnalysisSideSummary} black
 * @param {string} [own] the side of the user
 */
export function fillSummary(table, white, black, own) {
  /** @type {[string, keyof AnalysisSideSummary, (value: number) => string][]} */
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
  const sides = ["White", "Black"].map((side) => element("th", {}, own === side.toLowerCase() ? `${side} (you)` : side));
  const head = element("tr", {}, element("td"), ...sides);
  table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...cells));
  table.classList.add("summary");
  table.title = "Accuracy as computed by lichess.org (lichess.org/page/accuracy)";
}
