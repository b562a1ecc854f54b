/** The list of annotated games, to sort and filter. */
/** @import { AnnotatedIndexEntry, SideReport } from "../messages.js" */
import { byId, closest, element, quoted } from "../shared/dom.js";
import { opening, player } from "../shared/game_info.js";

/** @type {AnnotatedIndexEntry[]} */
const games = JSON.parse(byId("data", HTMLElement).textContent);
const filter = byId("filter", HTMLInputElement), count = byId("count", HTMLElement), table = byId("games", HTMLTableElement);

/** @param {AnnotatedIndexEntry} game */
const number = (game) => Number(game.page.replace(/\D/g, ""));
/** @param {SideReport} side */
const percent = ({ accuracy }) => (accuracy === null ? "" : `${accuracy.toFixed(1)} %`);
/** @param {string} text */
const textCell = (text) => element("td", {}, ...(text ? [quoted(text)] : []));
/** @param {string} text */
const numberCell = (text, title = "") => element("td", { class: "number", "data-title": title }, text);

/** @param {AnnotatedIndexEntry} game */
function resultCell(game) {
  const { white, black, result } = game.heading;
  const label = `Game ${number(game)}: ${white.name} – ${black.name}, ${result}`;
  return element("td", {}, element("a", { href: `${game.page}?index`, "aria-label": label }, result));
}

/**
 * Title, sort key and cell of each column.
 * @type {[string, (game: AnnotatedIndexEntry) => string | number | null, (game: AnnotatedIndexEntry) => HTMLElement][]}
 */
const columns = [
  ["#", number, (game) => numberCell(String(number(game)))],
  ["White", ({ heading }) => heading.white.name, ({ heading }) => element("td", {}, ...player(heading.white))],
  ["Result", ({ heading }) => heading.result, resultCell],
  ["Black", ({ heading }) => heading.black.name, ({ heading }) => element("td", {}, ...player(heading.black))],
  ["Moves", ({ moves }) => moves, ({ moves }) => numberCell(String(moves))],
  ["Date", ({ heading }) => heading.sortable_date, ({ heading }) => textCell(heading.date)],
  ["Event", ({ heading }) => heading.event, ({ heading }) => textCell(heading.event)],
  ["Opening", ({ heading }) => opening(heading), ({ heading }) => textCell(opening(heading))],
  ["White acc.", ({ white }) => white.accuracy, ({ white }) => numberCell(percent(white), "White ")],
  ["Black acc.", ({ black }) => black.accuracy, ({ black }) => numberCell(percent(black), "Black ")],
];

const rows = games.map((game) => {
  const row = element("tr", {}, ...columns.map(([, , cell]) => cell(game)));
  row.addEventListener("click", (event) => {
    if (!closest(event, "a")) row.querySelector("a")?.click();
  });
  const { white, black, event, site, date, result } = game.heading;
  const words = [white.name, black.name, event, site, date, result, opening(game.heading)].join(" ").toLowerCase();
  return { game, row, words };
});
let sorted = { column: 0, isUp: true };

/** @param {string | number | null} one @param {string | number | null} other */
function compare(one, other) {
  if (typeof one === "string" && typeof other === "string") return one.localeCompare(other);
  return Number(one ?? -1) - Number(other ?? -1);
}

function list() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows.filter((row) => words.every((word) => row.words.includes(word)));
  const [, key] = columns[sorted.column];
  const direction = sorted.isUp ? 1 : -1;
  shown.sort((one, other) => direction * compare(key(one.game), key(other.game)) || number(one.game) - number(other.game));
  table.tBodies[0].replaceChildren(...shown.map(({ row }) => row));
  const all = `${rows.length} ${rows.length === 1 ? "game" : "games"}`;
  count.textContent = shown.length === rows.length ? all : `${shown.length} of ${all}`;
  headings.forEach((cell, column) => {
    if (column === sorted.column) cell.setAttribute("aria-sort", sorted.isUp ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  });
}

const headings = columns.map(([title], column) => element("th", {}, element("button", {
  onclick: () => {
    sorted = { column, isUp: sorted.column === column ? !sorted.isUp : true };
    list();
  },
}, title)));
table.tHead?.rows[0].append(...headings);
filter.addEventListener("input", list);
list();
