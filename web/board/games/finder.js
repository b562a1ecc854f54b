/** The search of the library by position, in a dialog. */
/** @import { FinderEvent, FinderFound, FinderPart } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { facts, opening, ownPart, player } from "../../shared/game_info.js";
import { unbroken } from "../../shared/notation.js";
import { button } from "../controls.js";
import { listen, request } from "../frame.js";
import { filteredList, wordsOf } from "./filter.js";

/** @type {[FinderPart, string][]} */
const PARTS = [["position", "This position"], ["pawns", "These pawns"], ["material", "This material"]];
let searched = { fen: "", chess960: false };
/** @type {FinderPart} */
let part = "position";

const { filter, list, set } = filteredList("Search these games", wordsOf, item);
const parts = PARTS.map(([name, text]) => button(text, () => find(name)));
const status = element("p", { class: "faint", role: "status" });
const dialog = element("dialog", { class: "games", "aria-labelledby": "finder-title" },
  element("form", { method: "dialog" }, element("h2", { id: "finder-title" }, "Games with this position"),
    element("div", { class: "chips", role: "group", "aria-label": "What is the same" }, ...parts), status, filter, list,
    element("div", { class: "buttons" }, element("button", { class: "primary" }, "Close"))));
document.body.append(dialog);

/** @param {FinderFound} game */
function item({ id, heading, own, ply, next }) {
  const { white, black, result, date } = heading;
  const row = button("", () => {
    if (request("library", { type: "open", id, ply })) dialog.close();
  }, { title: "Open in Analyze at this position", class: "row" });
  row.append(element("b", {}, ...player(white), " – ", ...player(black), result === "*" ? "" : ` ${result}`),
    element("span", { class: "faint" }, ...facts([next && unbroken(next), ownPart(own), date, opening(heading)])));
  return element("li", {}, row);
}

/** @param {FinderPart} next */
function find(next) {
  part = next;
  parts.forEach((one, index) => one.setAttribute("aria-pressed", String(PARTS[index][0] === part)));
  filter.value = status.textContent = "";
  set([], "");
  request("finder", { type: "find", part, ...searched });
}

/** @param {FinderEvent} event */
function take(event) {
  if (event.type === "indexing") {
    status.textContent = `Reading your games: ${event.done} of ${event.total}…`;
  } else if (event.type === "failed") {
    status.textContent = event.text;
  } else if (event.part === part) {
    const { count, games } = event, more = count > games.length ? `, the latest ${games.length} listed` : "";
    status.textContent = `${count} ${count === 1 ? "game" : "games"}${more}.`;
    set(games, "");
  }
}

listen("finder", take);

/** @param {{ fen: string, chess960: boolean }} position */
export function findGames(position) {
  searched = position;
  dialog.showModal();
  find("position");
}
