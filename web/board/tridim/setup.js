/** The dialog for a new game of Tri-Dimensional chess. */
/** @import { Side, TridimRequest } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { button } from "../controls.js";

const SIDES = { white: "White", black: "Black", both: "Both sides" };

/** @param {(request: TridimRequest) => string | null} send */
export function setupDialog(send) {
  const radios = Object.entries(SIDES).map(([value, text]) =>
    element("label", {}, element("input", { type: "radio", name: "side", value, checked: value === "white" }), ` ${text} `));
  const text = element("textarea", { id: "tridim-position", rows: "3", spellcheck: "false", placeholder: "The start position" });
  const rotation = element("input", { type: "checkbox" });
  const error = element("p", { class: "wrong", role: "alert" });
  const form = element("form", { onsubmit: start },
    element("h2", {}, "New game"),
    element("fieldset", {}, element("legend", {}, "You play"), ...radios),
    element("p", {}, element("label", { for: "tridim-position" }, "Position as text"), text), error,
    element("p", {}, element("label", {}, rotation, " Attack boards may rotate in place")),
    element("p", { class: "buttons" }, element("button", { class: "primary" }, "Start"), button("Cancel", () => dialog.close())));
  const dialog = element("dialog", { class: "setup", "aria-label": "New game", onclose: () => fail("") }, form);

  /** @param {Event} event */
  function start(event) {
    event.preventDefault();
    fail("");
    const side = /** @type {Side} */ (new FormData(form).get("side")), position = text.value.trim() || null;
    fail(send({ type: "new", side, position, rotation: rotation.checked }) ?? "");
  }

  /** @param {string} why the game could not start */
  const fail = (why) => error.replaceChildren(why);

  return {
    dialog,
    open() {
      // The position of the last game is not that of the next.
      text.value = "";
      dialog.showModal();
    },
    /** The game has started. */
    started: () => dialog.close(),
    fail,
  };
}
