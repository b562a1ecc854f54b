/** The settings of the page: the look, and the engine with what the machine has. */
/** @import { EngineEvent, EngineField, Names } from "../messages.js" */
import { drawPicture } from "../shared/diagram.js";
import { byId, element } from "../shared/dom.js";
import { LETTERS } from "../shared/letters.js";
import { lineCount, setLineCount } from "./analysis/analysis.js";
import { MAX_LINES } from "./analysis/engine_lines.js";
import { button, closingDialog } from "./controls.js";
import { listen, send } from "./frame.js";
import { chooseNames, names, setNames } from "./games/games.js";
import { LANGUAGES, language, setLanguage } from "./language.js";
import { BOARDS, PIECE_SETS, THEMES, look, prefixOf, setLook } from "./look.js";
import { isSoundOn, setSound } from "./sound.js";
import { load, store } from "./storage.js";

const KEY = "options";
/** @type {Record<string, string>} the values that the user has chosen, by the names of the options */
let chosen = load(KEY) ?? {};

/**
 * Radio buttons for one of some names.
 * @param {"theme" | "pieces" | "board"} name
 * @param {string} title
 * @param {Record<string, string>} names
 * @param {(value: string) => Node} [picture]
 */
function choice(name, title, names, picture) {
  return element("fieldset", {}, element("legend", {}, title), element("div", { class: "choices-row" },
    ...Object.entries(names).map(([value, text]) => element("label", { class: "choice" },
      element("input", { type: "radio", name, value, checked: look[name] === value, onchange: () => setLook({ [name]: value }) }),
      ...(picture ? [picture(value)] : []), element("span", {}, text)))));
}

/** @param {"coordinates" | "animation" | "autoQueen" | "confirm"} name @param {string} text */
function tick(name, text) {
  const box = element("input", { type: "checkbox", checked: look[name], onchange: () => setLook({ [name]: box.checked }) });
  return element("label", { class: "check" }, box, text);
}

const letters = element("select", { id: "set-letters", translate: "no", onchange: () => setLook({ letters: letters.value }) },
  ...Object.entries(LETTERS).map(([value, [name, some]]) => element("option", { value, selected: look.letters === value }, `${name}: ${some.join(" ")}`)));
const sounds = element("input", { type: "checkbox", checked: isSoundOn(), onchange: () => setSound(sounds.checked) });
/** @typedef {Exclude<keyof Names, "others">} NameField */
/** @type {Record<NameField, string>} */
const NAMES = { own: "Your name", lichess: "on lichess.org", chess_com: "on chess.com" };
const nameFields = /** @type {NameField[]} */ (Object.keys(NAMES)).map((key) => {
  const field = element("input", {
    id: `set-${key}`, type: "text", placeholder: key === "own" ? "You" : "", maxlength: 60, autocomplete: "off", spellcheck: "false",
    onchange: () => setNames({ [key]: field.value.trim() }),
  });
  return { key, field, label: element("label", { for: field.id }, NAMES[key]) };
});

/** @param {string} set */
function pieces(set) {
  const box = element("span", { class: "pictures", "aria-hidden": "true" });
  for (const piece of "Nq") {
    const use = drawPicture(box, piece);
    use.setAttribute("href", `#${prefixOf(set)}${piece.toLowerCase()}`);
    use.classList.add("fixed");
  }
  return box;
}

/** @param {string} board */
const colors = (board) => element("span", { class: "swatch", "data-board": board, "aria-hidden": "true" }, element("i"), element("i"));

const lines = element("select", { id: "set-lines", onchange: () => setLineCount(Number(lines.value)) },
  ...Array.from({ length: MAX_LINES }, (_, index) => element("option", { value: index + 1 }, `${index + 1}`)));
const machine = element("fieldset", { class: "machine" }, element("legend", {}, "Engine"),
  element("label", { for: "set-lines" }, "Lines in Analyze"), lines, element("span"));
const languages = element("select", { id: "set-language", translate: "no", onchange: () => setLanguage(languages.value) },
  ...Object.entries(LANGUAGES).map(([value, text]) => element("option", { value, lang: value, selected: value === language }, text)));
const problems = element("p", { class: "wrong", role: "alert" });

const dialog = closingDialog("settings", "Settings", [
  element("div", { class: "row" }, element("label", { for: "set-language" }, "Language"), languages),
  choice("theme", "Theme", THEMES), choice("pieces", "Pieces", PIECE_SETS, pieces), choice("board", "Board", BOARDS, colors),
  element("div", { class: "row" }, element("label", { for: letters.id }, "Piece letters"), letters),
  element("div", { class: "row" }, tick("coordinates", "Coordinates"), tick("animation", "Animation"), element("label", { class: "check" }, sounds, "Sounds")),
  element("div", { class: "row" }, tick("autoQueen", "Always promote to a queen"), tick("confirm", "Confirm moves in Play")),
  element("div", { class: "names", title: "Games under these names are yours" }, ...nameFields.flatMap(({ label, field }) => [label, field]),
    element("span"), button("Names in your games…", () => chooseNames(), { title: "Tick other forms of your name, as J. Mueller for Müller, Jürgen" })),
  machine, problems,
], button("Reset", reset, { title: "Forget the settings of the engine" }));

/** @type {Map<string, { input: HTMLInputElement, note: HTMLElement }>} by the names of the options */
const fields = new Map();

/** @param {EngineField} option */
function fieldOf({ name, label, kind }) {
  const known = fields.get(name);
  if (known) return known;
  const id = `set-${name.toLowerCase().replaceAll(" ", "-")}`, note = element("span", { class: "faint" });
  const look = kind.type === "check" ? { type: "checkbox" }
    : kind.type === "number" ? { type: "number", min: kind.min, max: kind.max, step: "any", disabled: kind.min === kind.max }
      : { type: "text", placeholder: "/path/to/files", spellcheck: "false", autocomplete: "off" };
  const value = () => (kind.type === "check" ? `${input.checked}` : kind.type === "number" && input.value ? `${Math.round(Number(input.value))}` : input.value);
  const input = element("input", { id, ...look, onchange: () => choose(name, value()) });
  machine.append(element("label", { for: id }, label), input, note);
  fields.set(name, { input, note });
  return { input, note };
}

/**
 * Takes what was chosen in one field; the other fields may show the answer to an earlier choice.
 * @param {string} name
 * @param {string} value
 */
function choose(name, value) {
  const option = defaults?.options.find((option) => option.name === name);
  chosen = { ...(load(KEY) ?? chosen), [name]: value };
  if (value === option?.value || (value === "" && option?.kind.type === "number")) delete chosen[name];
  apply();
}

function reset() {
  chosen = {};
  apply();
}

/** Applies the choices; the rest is as on the command line. */
function apply() {
  store(KEY, chosen);
  send("engine", { options: defaults?.options.map(({ name, value }) => [name, chosen[name] ?? value]) ?? [] });
}

/** @type {EngineEvent | null} those of the command line */
let defaults = null;

/**
 * Every connection begins with the settings of the command line. What is being typed stays.
 * @param {EngineEvent} next
 * @param {boolean} isHello
 */
function takeSettings(next, isHello) {
  if (isHello) {
    defaults = next;
    if (Object.keys(chosen).length) send("engine", { options: Object.entries(chosen) });
  }
  for (const option of next.options) {
    const { input, note } = fieldOf(option);
    if (option.kind.type === "check") input.checked = option.value === "true";
    else if (document.activeElement !== input) input.value = option.value;
    note.textContent = option.note;
  }
  showNames();
  problems.textContent = next.problems.join(" ");
  for (const one of document.querySelectorAll(".engine-facts")) one.textContent = next.summary;
}

function showNames() {
  for (const { key, field } of nameFields) if (document.activeElement !== field) field.value = names[key];
}

listen("engine", takeSettings);

export function openSettings() {
  lines.value = String(lineCount());
  showNames();
  dialog.showModal();
}

byId("settings", HTMLButtonElement).addEventListener("click", openSettings);
