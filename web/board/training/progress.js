/** The user's play: accuracy and mistakes over time, and by phase, color and opening, each with its moves. */
/** @import { Group, Progress, StudiedMistake } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { makeGraph } from "../../shared/graph.js";
import { unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";

const MAX_SHOWN = 200;
/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

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

  /** @param {string} text @param {StudiedMistake[]} list */
  function showMoves(text, list) {
    title.textContent = text;
    const items = list.slice(-MAX_SHOWN).reverse().map(({ game, ply, text }) => {
      const row = button("", () => open(progress.games[game].id, ply), { title: "Open in Analyze", class: "row" });
      row.append(element("b", {}, unbroken(text)), element("span", { class: "faint" }, ` ${opponent(game)}, ${progress.games[game].heading.date || "no date"}`));
      return element("li", {}, row);
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

  /** @param {Group} group */
  function groupRow({ name, games, accuracy, mistakes, blunders }) {
    const bar = element("i"), facts = `${accuracy.toFixed(1)} %, ${mistakes.toFixed(1)} ?, ${blunders.toFixed(1)} ??`;
    bar.style.width = `${accuracy}%`;
    const row = button("", () => showMoves(`${name}: ${facts}`, progress.mistakes.filter(({ groups }) => groups.includes(name))), {
      title: `Accuracy, and ? and ?? a game, in ${counted(games, "game")}`, class: "group",
    });
    row.append(element("span", { class: "name" }, name), element("span", { class: "bar" }, bar), element("span", { class: "number faint" }, facts));
    return row;
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
      groups.replaceChildren(...progress.groups.map(groupRow));
      // Not before they are wanted: they tell what to avoid in the exercise.
      showMoves("Choose a game or a row to see its mistakes.", []);
      chosen = games.length - 1;
      graph.mark(chosen, about(chosen));
    },
    /** @param {number} by */
    step: (by) => chooseGame(chosen + by),
  };
}
