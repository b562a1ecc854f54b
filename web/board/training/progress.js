/** The user's play: accuracy and mistakes over time, and by phase, color and opening, each with its moves. */
/** @import { Aspect, Group, Progress, StudiedMistake } from "../../messages.js" */
import { element, named } from "../../shared/dom.js";
import { makeGraph } from "../../shared/graph.js";
import { counted, unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";

const MAX_SHOWN = 200;
/** The least percentage points at the ends of the scale. */
const MIN_SCALE = 2;
/** @type {[Aspect, string][]} */
const ASPECTS = [["phase", "Phases"], ["color", "Colors"], ["opening", "Openings"]];

/** `open` shows a game at a ply. @param {(id: string, ply: number) => void} open */
export function progressPanel(open) {
  /** @type {Progress} */
  let progress = { games: [], mistakes: [], groups: [] };
  let chosen = 0;
  const graph = makeGraph("Game; the graph shows its accuracy, bars up its blunders, bars down its mistakes", chooseGame);
  const first = element("span"), last = element("span"), axis = element("p", { class: "axis faint number" }, first, last);
  const groups = element("div", { class: "groups" });
  const title = element("h3", { "aria-live": "polite" }), moves = element("ul", { class: "choices" });
  const panel = element("section", { class: "card trend", "aria-label": "Progress", hidden: true },
    element("h2", {}, "Progress"), graph.container, axis, groups, title, moves);

  /** @param {number} index */
  const opponent = (index) => {
    const { heading, side } = progress.games[index];
    return side === "white" ? heading.black.name : heading.white.name;
  };

  /** @param {number} index */
  const about = (index) => {
    const { heading, accuracy, mistakes, blunders } = progress.games[index];
    return `${opponent(index)}, ${heading.date}: ${accuracy.toFixed(1)} %, ${counted(mistakes, "mistake")}, ${counted(blunders, "blunder")}`;
  };

  /** @type {StudiedMistake[]} those that are listed */
  let listed = [];

  /** @param {string} text @param {StudiedMistake[]} list */
  function showMoves(text, list) {
    title.textContent = text;
    listed = list;
    const items = list.slice(-MAX_SHOWN).reverse().map(({ game, ply, text }) => {
      const { id, heading } = progress.games[game], about = ` ${opponent(game)}, ${heading.date || "no date"}`;
      const parts = [element("b", {}, unbroken(text)), element("span", { class: "faint" }, about)];
      return element("li", {}, button(parts, () => open(id, ply), { title: "Open in Analyze", class: "row" }));
    });
    moves.replaceChildren(...items);
    if (items.length) moves.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  function chooseGame(index) {
    if (!progress.games[index]) return;
    chosen = index;
    graph.mark(index, about(index));
    showMoves(about(index), progress.mistakes.filter(({ game }) => game === index));
  }

  /** A row with the difference from the average, on a scale with `most` at its ends. @param {Group} group @param {number} most */
  function groupRow({ aspect, name, games, accuracy, difference, margin, mistakes, blunders }, most) {
    const bar = element("i"), width = (50 * Math.min(Math.abs(difference), most)) / most;
    const change = `${difference > -0.05 ? "+" : "−"}${Math.abs(difference).toFixed(1)}${margin === null ? "" : ` ± ${margin.toFixed(1)}`}`;
    const facts = `${change}, ${mistakes.toFixed(1)} ?, ${blunders.toFixed(1)} ??`;
    bar.style.width = `${width}%`;
    bar.style.left = `${difference < 0 ? 50 - width : 50}%`;
    bar.className = margin === null || Math.abs(difference) < margin ? "unsure" : difference < 0 ? "worse" : "";
    const sure = bar.className === "unsure" ? ": too few to be sure" : "";
    const label = aspect === "opening" ? named(name) : name;
    const list = () => progress.mistakes.filter(({ groups }) => groups.includes(name));
    return button([
      element("span", { class: "name" }, label, element("span", { class: "faint" }, ` ${games}`)),
      element("span", { class: "bar" }, bar), element("span", { class: "number faint" }, facts),
    ], () => showMoves(`${name}: ${accuracy.toFixed(1)} %, ${facts}`, list()), {
      title: `Accuracy ${accuracy.toFixed(1)} %, its difference from your average, and ? and ?? a game, in ${counted(games, "game")}${sure}`,
      class: "group",
    });
  }

  return {
    panel,
    /** @param {Progress} next */
    set(next) {
      progress = next;
      const { games } = progress;
      panel.hidden = !games.length;
      if (!games.length) return;
      graph.set(games.map((game, index) => ({
        points: game.accuracy / 100, bars: [game.blunders, game.mistakes], costly: true,
        tip: about(index), mark: game.blunders ? "??" : game.mistakes ? "?" : "?!",
      })));
      [first.textContent, last.textContent] = [games[0].heading.date, games[games.length - 1].heading.date];
      const most = Math.max(MIN_SCALE, ...progress.groups.map(({ difference }) => Math.abs(difference)));
      groups.replaceChildren(...ASPECTS.flatMap(([aspect, title]) => {
        const rows = progress.groups.filter((group) => group.aspect === aspect).map((group) => groupRow(group, most));
        return rows.length ? [element("h3", {}, title), ...rows] : [];
      }));
      // Not before they are wanted: they tell what to avoid in the exercise.
      showMoves("Choose a game or a row to see its mistakes.", []);
      chosen = games.length - 1;
      graph.mark(chosen, about(chosen));
    },
    redraw: () => showMoves(title.textContent ?? "", listed),
    /** @param {number} by */
    step: (by) => chooseGame(chosen + by),
  };
}
