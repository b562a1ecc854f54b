/** A list of games with a field to search it: only some of the matches are made elements. */
import { element } from "../../shared/dom.js";

const SHOWN = 200;

/**
 * `wordsOf` is what is searched of a game, `item` its element.
 * @template Game
 * @param {string} label
 * @param {(game: Game) => string} wordsOf
 * @param {(game: Game, index: number) => HTMLElement} item
 */
export function filteredList(label, wordsOf, item) {
  /** @type {{ game: Game, index: number, words: string }[]} */
  let games = [];
  let empty = "";
  const filter = element("input", {
    type: "search", "aria-label": label, placeholder: `${label}: players, date, opening, result`, autocomplete: "off", oninput: draw,
  });
  const list = element("ul", { class: "choices" });

  function draw() {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = games.filter(({ words }) => wanted.every((word) => words.includes(word)));
    const items = found.slice(0, SHOWN).map(({ game, index }) => item(game, index));
    const more = found.length > SHOWN ? `The first ${SHOWN} of ${found.length} games; search to see others.` : "";
    const none = games.length ? "No game matches." : empty;
    const note = found.length ? more : none;
    list.replaceChildren(...items, ...(note ? [element("li", { class: "faint" }, note)] : []));
  }

  /** @param {Game[]} next @param {string} text what is said if there are none */
  function set(next, text) {
    games = next.map((game, index) => ({ game, index, words: wordsOf(game).toLowerCase() }));
    empty = text;
    filter.hidden = games.length < 2;
    draw();
  }
  return { filter, list, set };
}
