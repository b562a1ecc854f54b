/** The settings of the page: the look, and the engine with what the machine has. */
/** @import { EngineEvent, EngineRequest, Names } from "../messages.js" */
import { drawPiece } from "../shared/diagram.js";
import { byId, draw, element } from "../shared/dom.js";
import { lineCount, setLineCount } from "./analysis/analysis.js";
import { MAX_LINES } from "./analysis/engine_lines.js";
import { button } from "./controls.js";
import { listen, send } from "./frame.js";
import { names, setNames } from "./games/games.js";
import { BOARDS, PIECE_SETS, THEMES, look, prefixOf, setLook } from "./look.js";
import { isSoundOn, setSound } from "./sound.js";
import { load, store } from "./storage.js";

const KEY = "engine";
/** @type {EngineRequest} what the user has chosen */
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

const sounds = element("input", { type: "checkbox", checked: isSoundOn(), onchange: () => setSound(sounds.checked) });
/** @type {Record<keyof Names, string>} */
const NAMES = { own: "Your name", lichess: "on lichess.org", chess_com: "on chess.com" };
const nameFields = /** @type {(keyof Names)[]} */ (Object.keys(NAMES)).map((key) => {
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
    const use = drawPiece(draw(box, "svg", { class: "board", viewBox: "0 0 100 100" }), piece, [0, 0]);
    use.setAttribute("href", `#${prefixOf(set)}${piece.toLowerCase()}`);
    use.classList.add("fixed");
  }
  return box;
}

/** @param {string} board */
const colors = (board) => element("span", { class: "swatch", "data-board": board, "aria-hidden": "true" }, element("i"), element("i"));

const threads = element("input", { id: "set-threads", type: "number", min: 1, onchange: () => choose("threads", number(threads)) });
const hash = element("input", { id: "set-hash", type: "number", min: 1, step: "any", onchange: () => choose("hash", number(hash)) });
const lines = element("select", { id: "set-lines", onchange: () => setLineCount(Number(lines.value)) },
  ...Array.from({ length: MAX_LINES }, (_, index) => element("option", { value: index + 1 }, `${index + 1}`)));
const syzygy = element("input", {
  id: "set-syzygy", type: "text", placeholder: "/path/to/syzygy", spellcheck: "false", autocomplete: "off",
  onchange: () => choose("syzygy", syzygy.value),
});
const book = element("input", {
  id: "set-book", type: "text", placeholder: "/path/to/book.bin", spellcheck: "false", autocomplete: "off",
  onchange: () => choose("book", book.value),
});
const cores = element("span", { class: "faint" }), memory = element("span", { class: "faint" }), tables = element("span", { class: "faint" });
const files = element("div", { class: "files" },
  element("label", { for: "set-syzygy" }, "Syzygy tablebases"), syzygy, tables,
  element("label", { for: "set-book" }, "Polyglot book"), book, element("span", { class: "faint" }, "shown in Analyze"));
const problems = element("p", { class: "wrong", role: "alert" });

const dialog = element("dialog", { class: "settings", "aria-labelledby": "settings-title" },
  element("form", { method: "dialog" },
    element("h2", { id: "settings-title" }, "Settings"),
    choice("theme", "Theme", THEMES), choice("pieces", "Pieces", PIECE_SETS, pieces), choice("board", "Board", BOARDS, colors),
    element("div", { class: "row" }, tick("coordinates", "Coordinates"), tick("animation", "Animation"), element("label", { class: "check" }, sounds, "Sounds")),
    element("div", { class: "row" }, tick("autoQueen", "Always promote to a queen"), tick("confirm", "Confirm moves in Play")),
    element("div", { class: "names", title: "Games under these names are yours" }, ...nameFields.flatMap(({ label, field }) => [label, field])),
    element("fieldset", { class: "machine" }, element("legend", {}, "Engine"),
      element("label", { for: "set-threads" }, "Threads"), threads, cores,
      element("label", { for: "set-hash" }, "Hash table (MB)"), hash, memory,
      element("label", { for: "set-lines" }, "Lines in Analyze"), lines, element("span"),
      files),
    problems,
    element("div", { class: "buttons" }, button("Reset", reset, { title: "Forget the settings of the engine" }),
      element("button", { class: "primary" }, "Close"))));
document.body.append(dialog);

/** @param {HTMLInputElement} field */
const number = (field) => (field.value ? Math.round(Number(field.value)) : undefined);

/**
 * Takes what was chosen in one field; the other fields may show the answer to an earlier choice.
 * @template {"threads" | "hash" | "syzygy" | "book"} Name
 * @param {Name} name
 * @param {EngineRequest[Name]} value
 */
function choose(name, value) {
  if (!defaults) return;
  chosen[name] = value;
  if (value === undefined || value === defaults[name]) delete chosen[name];
  apply(defaults);
}

function reset() {
  chosen = {};
  if (defaults) apply(defaults);
}

/**
 * What is not chosen is as on the command line.
 * @param {EngineEvent} commandLine
 */
function apply({ threads, hash, syzygy, book }) {
  store(KEY, chosen);
  send("engine", { threads, hash, syzygy, book, ...chosen });
}

/** @type {EngineEvent | null} */
let settings = null;
/** @type {EngineEvent | null} those of the command line */
let defaults = null;

/**
 * What is being typed stays.
 * @param {HTMLInputElement} field
 * @param {string | number} value
 */
function show(field, value) {
  if (document.activeElement !== field) field.value = String(value);
}

/**
 * Every connection begins with the settings of the command line.
 * @param {EngineEvent} next
 * @param {boolean} isHello
 */
function takeSettings(next, isHello) {
  settings = next;
  if (isHello) {
    defaults = next;
    if (Object.keys(chosen).length) send("engine", chosen);
  }
  show(threads, next.threads);
  show(hash, next.hash);
  show(syzygy, next.syzygy);
  show(book, next.book);
  threads.max = String(next.max_threads);
  threads.disabled = next.max_threads === 1;
  files.hidden = !next.has_files;
  cores.textContent = `of ${next.cores} ${next.cores === 1 ? "core" : "cores"}`;
  memory.textContent = next.memory === null ? "" : `${next.memory.toLocaleString("en")} MB of memory available`;
  tables.textContent = next.tables ? `${next.tables} tables, up to ${next.pieces} pieces` : next.syzygy ? "no tables found" : "";
  problems.textContent = next.problems.join(" ");
  const used = next.cores === 1 ? "1 thread" : `${next.threads} of ${next.cores} threads`;
  for (const one of document.querySelectorAll(".engine-facts")) {
    one.textContent = `${used}, ${next.hash} MB`;
  }
}

listen("engine", takeSettings);

export function openSettings() {
  lines.value = String(lineCount());
  for (const { key, field } of nameFields) field.value = names[key];
  problems.textContent = settings?.problems.join(" ") ?? "";
  dialog.showModal();
}

byId("settings", HTMLButtonElement).addEventListener("click", openSettings);
