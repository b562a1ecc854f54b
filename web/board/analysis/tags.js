/** The dialog for the tags of a game. */
import { element } from "../../shared/dom.js";
import { button } from "../controls.js";

/** @type {[string, string, string][]} tag, label and example */
const FIELDS = [
  ["White", "White", ""], ["WhiteElo", "White's rating", ""], ["Black", "Black", ""], ["BlackElo", "Black's rating", ""],
  ["Event", "Event", ""], ["Site", "Site", ""], ["Date", "Date", "2026.11.24"], ["Round", "Round", ""],
  ["ECO", "ECO code", ""], ["Opening", "Opening", ""],
];
const RESULTS = ["*", "1-0", "0-1", "1/2-1/2"];

/** @param {(tags: [string, string][]) => void} change gets the tags that were changed */
export function tagsDialog(change) {
  const fields = new Map(FIELDS.map(([name, , example]) =>
    [name, element("input", { type: "text", id: `tag-${name}`, placeholder: example, autocomplete: "off", spellcheck: "false" })]));
  const result = element("select", { id: "tag-Result" }, ...RESULTS.map((text) => element("option", { value: text }, text)));
  /** @type {Map<string, string>} */
  let before = new Map();

  const dialog = element("dialog", { class: "tags", "aria-labelledby": "tags-title" },
    element("form", { method: "dialog", onsubmit: submit },
      element("h2", { id: "tags-title" }, "Tags of the game"),
      element("div", { class: "fields" }, ...FIELDS.flatMap(([name, label]) => {
        const field = fields.get(name);
        return field ? [element("label", { for: field.id }, label), field] : [];
      }), element("label", { for: result.id }, "Result"), result),
      element("div", { class: "buttons" }, button("Cancel", () => dialog.close()), element("button", { class: "primary" }, "Save"))));

  function submit() {
    /** @type {[string, string][]} */
    const values = [...fields].map(([name, field]) => [name, field.value.trim()]);
    const changed = [...values, /** @type {[string, string]} */ (["Result", result.value])]
      .filter(([name, value]) => value !== (before.get(name) ?? ""));
    if (changed.length) change(changed);
  }

  return {
    dialog,
    /** @param {[string, string][]} tags */
    open(tags) {
      before = new Map(tags);
      for (const [name, field] of fields) field.value = before.get(name) ?? "";
      result.value = before.get("Result") ?? "*";
      dialog.showModal();
    },
  };
}
