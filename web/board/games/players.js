/** The names in the games, of which the user ticks their own. */
/** @import { LibraryPlayerName } from "../../messages.js" */
import { element, named } from "../../shared/dom.js";
import { counted } from "../../shared/notation.js";
import { closingDialog } from "../controls.js";

/** @param {(others: string[]) => void} choose gets the ticked names besides those of the settings */
export function namesList(choose) {
  const list = element("div", { class: "names-list" });

  /** @param {LibraryPlayerName[]} players @param {string[]} others */
  function set(players, others) {
    const ticked = new Set(others);
    list.replaceChildren(...players.map(({ name, games, own }) => {
      const box = element("input", { type: "checkbox", checked: own, disabled: own && !ticked.has(name), onchange: () => {
        if (box.checked) ticked.add(name);
        else ticked.delete(name);
        choose([...ticked]);
      } });
      const count = element("span", { class: "faint" }, ` ${counted(games, "game")}`);
      return element("label", { class: "check" }, box, named(name), count);
    }));
    if (!players.length) list.textContent = "No games yet.";
  }

  return { list, set, isAny: () => list.querySelector("input:checked") !== null };
}

/** @param {(others: string[]) => void} choose */
export function playersDialog(choose) {
  const { list, set } = namesList(choose);
  const dialog = closingDialog("players", "Which names are yours?", [list]);

  /** @param {LibraryPlayerName[]} players @param {string[]} others */
  function show(players, others) {
    set(players, others);
    if (!dialog.open) dialog.showModal();
  }

  return { show };
}
