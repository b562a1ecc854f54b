/** The search of the library by position, in a dialog. */
/** @import { FinderEvent, FinderFound, FinderPart } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { opening, ownPart } from "../../shared/game_info.js";
import { counted, unbroken } from "../../shared/notation.js";
import { button, closingDialog } from "../controls.js";
import { listen, request } from "../frame.js";
import { filteredList, gameRow } from "./filter.js";

/** @type {[FinderPart, string][]} */
const PARTS = [["position", "This position"], ["pawns", "These pawns"], ["material", "This material"]];
let searched = { fen: "", chess960: false };
/** @type {FinderPart} */
let part = "position";

const { filter, list, set } = filteredList("Search these games", item);
const parts = PARTS.map(([name, text]) => button(text, () => find(name)));
const status = element("p", { class: "faint", role: "status" });
const dialog = closingDialog("games", "Games with this position", [
  element("div", { class: "chips", role: "group", "aria-label": "What is the same" }, ...parts),
  status, filter, list,
]);

/** @param {FinderFound} game */
function item({ id, heading, own, ply, next }) {
  const about = [next && unbroken(next), ownPart(own), heading.date, opening(heading)];
  return element("li", {}, gameRow(heading, about, () => {
    if (request("library", { type: "open", id, ply })) dialog.close();
  }, { title: "Open in Analyze at this position", class: "row" }));
}

/** @param {FinderPart} next */
function find(next) {
  part = next;
  parts.forEach((one, index) => one.setAttribute("aria-pressed", String(PARTS[index][0] === part)));
  filter.value = status.textContent = "";
  set([]);
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
    status.textContent = `${counted(count, "game")}${more}.`;
    set(games);
  }
}

listen("finder", take);

/** @param {{ fen: string, chess960: boolean }} position */
export function findGames(position) {
  searched = position;
  dialog.showModal();
  find("position");
}
