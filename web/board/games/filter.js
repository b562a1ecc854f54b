/** A list of games with a field to search it: only some of the matches are made elements. */
/** @import { Heading, OwnSide } from "../../messages.js" */
/** @import { Attributes } from "../../shared/dom.js" */
import { element } from "../../shared/dom.js";
import { facts, opening, ownPart, players } from "../../shared/game_info.js";
import { button } from "../controls.js";

/** @typedef {{ heading: Heading, own: OwnSide | null } | { error: string }} Listed a game, or why it cannot be read */

const SHOWN = 200;
/** Letters that are not others with marks. */
const LETTERS = new Map(Object.entries({ ß: "ss", æ: "ae", ø: "o", ł: "l", đ: "d", ı: "i" }));

/** A text without marks and capitals, with plain hyphens. @param {string} text */
function folded(text) {
  const plain = text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("–", "-");
  return plain.replaceAll(/[ßæøłđı]/g, (letter) => LETTERS.get(letter) ?? letter);
}

/** The words of a game that are searched. @param {Listed} game */
function wordsOf(game) {
  if ("error" in game) return game.error;
  const { heading, own } = game, { white, black, date, sortable_date, result, event } = heading;
  const drawn = /^(½|1\/2)/.test(result) ? "draw drawn ½-½ 1/2-1/2" : "";
  return [white.name, black.name, date, sortable_date, result, drawn, event, opening(heading), ownPart(own)].join(" ");
}

/**
 * The row of a game, with facts about it.
 * @param {Heading} heading @param {Parameters<typeof facts>[0]} about @param {() => void} onclick
 * @param {Attributes} [attributes]
 */
export function gameRow(heading, about, onclick, attributes) {
  const result = heading.result === "*" ? "" : ` ${heading.result}`;
  const name = element("b", {}, ...players(heading), result);
  return button([name, element("span", { class: "faint" }, ...facts(about))], onclick, attributes);
}

/**
 * `item` is the element of a game; `matches()` are the games that the search finds.
 * @template {Listed} Game
 * @param {string} label
 * @param {(game: Game, index: number) => HTMLElement} item
 */
export function filteredList(label, item, onDrawn = () => {}) {
  /** @type {{ game: Game, index: number, words: string }[]} */
  let games = [];
  let empty = "";
  const filter = element("input", {
    type: "search", "aria-label": label, placeholder: `${label}: players, date, opening, result`, autocomplete: "off", oninput: draw,
    // It would close the dialog.
    onkeydown: (event) => event instanceof KeyboardEvent && event.key === "Enter" && event.preventDefault(),
  });
  const list = element("ul", { class: "choices" });

  const wanted = () => folded(filter.value).split(/\s+/).filter(Boolean);

  function matching() {
    const all = wanted();
    return games.filter(({ words }) => all.every((word) => words.includes(word)));
  }

  function draw() {
    const found = matching();
    const items = found.slice(0, SHOWN).map(({ game, index }) => item(game, index));
    const some = wanted().length ? `${found.length} of ${games.length} games.` : "";
    const more = found.length > SHOWN ? `The first ${SHOWN} of ${found.length} games; search to see others.` : some;
    const none = games.length ? "No game matches." : empty;
    const note = found.length ? more : none;
    list.replaceChildren(...items, ...(note ? [element("li", { class: "faint" }, note)] : []));
    onDrawn();
  }

  /** @param {Game[]} next @param {string} [text] what is said if there are none */
  function set(next, text = "") {
    games = next.map((game, index) => ({ game, index, words: folded(wordsOf(game)) }));
    empty = text;
    filter.hidden = games.length < 2;
    draw();
  }
  return { filter, list, set, matches: () => matching().map(({ game }) => game) };
}
