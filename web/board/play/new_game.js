/** The dialog for a new game. Its choices are remembered. */
/** @import { PlayChosenSide, PlayRequest, PlayStart } from "../../messages.js" */
/** @import { Attributes } from "../../shared/dom.js" */
import { element } from "../../shared/dom.js";
import { sideToMove } from "../../shared/notation.js";
import { button } from "../controls.js";
import { editPosition } from "../editor/dialog.js";
import { START } from "../editor/setup.js";
import { load, store } from "../storage.js";

const KEY = "play.new";
/** @type {[number, number][]} minutes and seconds */
const CLOCKS = [[1, 0], [3, 2], [5, 3], [10, 0], [15, 10]];
/** @type {[number, string][]} */
const LEVELS = [[800, "Beginner"], [1200, "Casual"], [1600, "Club"], [2000, "Expert"], [2400, "Master"], [2800, "Grandmaster"]];
const WEAKEST = 800, STRONGEST = 3000, LAST_POSITION = 959;

/** @param {(request: PlayRequest) => void} start */
export function newGameDialog(start) {
  /** @param {string} name @param {string} value @param {string} text */
  const radio = (name, value, text, checked = false) =>
    element("label", { class: "choice" }, element("input", { type: "radio", name, value, checked }), element("span", {}, text));
  /** @param {Attributes} attributes */
  const number = (attributes) => element("input", { type: "number", inputmode: "decimal", required: true, ...attributes });
  /** @param {string} label */
  const position = (label) => element("input", { type: "number", min: 0, max: LAST_POSITION, placeholder: "random", "aria-label": label });

  const sides = element("fieldset", {}, element("legend", {}, "You play"),
    element("div", { class: "choices-row" },
      radio("side", "white", "White", true), radio("side", "black", "Black"), radio("side", "random", "Random"), radio("side", "both", "Both")));

  const kind = element("select", { id: "new-start", name: "start" },
    element("option", { value: "standard" }, "Standard"), element("option", { value: "chess960" }, "Chess960"),
    element("option", { value: "dfrc" }, "DFRC (a number for each side)"), element("option", { value: "fen" }, "From a position (FEN)"));
  const white = position("Position number, 0 to 959; White's in DFRC"), black = position("Black's position number, 0 to 959");
  const fen = element("input", { type: "text", "aria-label": "FEN", placeholder: "FEN", spellcheck: "false", autocomplete: "off" });
  const fen960 = element("input", { type: "checkbox" });
  const numbers = element("span", { class: "row" }, white, black);
  const edit = button("Edit…", setUp, { title: "Set up the position on a board" });
  const fenRow = element("span", { class: "row" }, fen, edit, element("label", { class: "check" }, fen960, "Chess960"));

  const elo = element("input", { type: "range", id: "new-elo", min: WEAKEST, max: STRONGEST, step: 50, value: 1500 });
  const eloText = element("output", { for: "new-elo", class: "number" });
  const full = element("input", { type: "checkbox" });

  const minutes = number({ min: 0.1, max: 1440, step: "any", value: 5, "aria-label": "Minutes" });
  const increment = number({ min: 0, max: 600, step: "any", value: 3, "aria-label": "Seconds added per move" });
  const seconds = number({ min: 0.05, max: 3600, step: "any", value: 1 });
  const thinkTime = element("label", { class: "check" }, "Castellan thinks for", seconds, "s");
  const clocks = element("div", { class: "chips", role: "group", "aria-label": "Clocks" }, ...CLOCKS.map(([base, added]) =>
    button(`${base}+${added}`, () => chooseClock(base, added), { title: `${base} min + ${added} s` })));
  const levels = element("div", { class: "chips", role: "group", "aria-label": "Levels" }, ...LEVELS.map(([rating, name]) =>
    button(name, () => chooseLevel(rating), { title: `${rating} Elo`, "data-elo": rating })));
  const times = element("fieldset", {}, element("legend", {}, "Time"),
    element("div", { class: "row" }, radio("time", "move", "No clock", true), thinkTime),
    element("div", { class: "row" }, radio("time", "clock", "Clock"), minutes, element("span", {}, "min +"), increment, element("span", {}, "s")), clocks);
  const resigns = element("input", { type: "checkbox" }), takesTime = element("input", { type: "checkbox", checked: true });
  const moment = element("label", { class: "check" }, takesTime, "Takes a moment for its moves");
  const error = element("p", { class: "error", role: "alert" });

  const engine = element("div", { class: "engine" },
    element("div", { class: "row" }, element("label", { for: "new-elo" }, "Strength"), elo, eloText), levels,
    element("div", { class: "row" }, element("label", { class: "check" }, full, "Full strength"), element("label", { class: "check" }, resigns, "Castellan resigns lost games"), moment));

  const more = element("details", {}, element("summary", {}, "More options"),
    element("div", { class: "field" }, element("label", { for: "new-start" }, "Start position"), kind, numbers, fenRow));

  const form = element("form", { method: "dialog", class: "new-game", onsubmit: submit },
    element("h2", { id: "new-title" }, "New game"), sides,
    engine, times, more, error,
    element("div", { class: "buttons" },
      button("Cancel", () => dialog.close()),
      element("button", { class: "primary", type: "submit" }, "Start")));
  const dialog = element("dialog", { "aria-labelledby": "new-title" }, form);
  form.addEventListener("input", update);

  /** @param {"side" | "time"} name */
  const chosen = (name) => String(new FormData(form).get(name));

  /** @param {number} base @param {number} added */
  function chooseClock(base, added) {
    minutes.value = String(base);
    increment.value = String(added);
    const clock = form.querySelector("[name=time][value=clock]");
    if (clock instanceof HTMLInputElement) clock.checked = true;
    update();
  }

  /** @param {number} rating */
  function chooseLevel(rating) {
    full.checked = false;
    elo.value = String(rating);
    update();
  }

  function setUp() {
    const flipped = chosen("side") === "black";
    editPosition({ fen: fen.value || START, chess960: fen960.checked, flipped }, "Use this position", (edited) => {
      fen.value = edited.fen;
      fen960.checked = edited.chess960;
      update();
    });
  }

  function update() {
    numbers.hidden = !["chess960", "dfrc"].includes(kind.value);
    black.hidden = kind.value !== "dfrc";
    white.placeholder = kind.value === "dfrc" ? "White: random" : "random";
    black.placeholder = "Black: random";
    fenRow.hidden = kind.value !== "fen";
    engine.hidden = chosen("side") === "both";
    // A limited level decides by itself how much it searches.
    thinkTime.hidden = engine.hidden || !full.checked;
    moment.hidden = full.checked;
    elo.disabled = full.checked;
    eloText.textContent = full.checked ? "full" : `${elo.value} Elo`;
    const clock = chosen("time") === "clock";
    minutes.disabled = increment.disabled = !clock;
    const time = `${Number(minutes.value)}+${Number(increment.value)}`;
    for (const chip of clocks.children) chip.setAttribute("aria-pressed", String(clock && chip.textContent === time));
    const named = LEVELS.findLast(([rating]) => rating <= Number(elo.value));
    for (const chip of levels.children) {
      chip.setAttribute("aria-pressed", String(!full.checked && chip instanceof HTMLElement && chip.dataset.elo === String(named?.[0])));
    }
    seconds.disabled = clock;
    error.textContent = "";
  }

  /** @returns {PlayRequest} */
  function request() {
    /** @param {HTMLInputElement} input */
    const value = (input) => (input.value === "" ? null : Number(input.value));
    /** @type {Record<string, PlayStart>} */
    const starts = {
      standard: { kind: "standard" }, chess960: { kind: "chess960", number: value(white) },
      dfrc: { kind: "dfrc", white: value(white), black: value(black) },
      fen: { kind: "fen", fen: fen.value.trim(), chess960: fen960.checked },
    };
    const clock = chosen("time") === "clock";
    return {
      type: "new", side: /** @type {PlayChosenSide} */ (chosen("side")), start: starts[kind.value],
      clock: clock ? `${minutes.value}+${increment.value}` : null,
      move_time: clock ? null : Math.round(1000 * Number(seconds.value)),
      elo: full.checked ? null : Number(elo.value), resigns: resigns.checked, takes_time: takesTime.checked,
    };
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    start(request());
  }

  const REMEMBERED = { elo, minutes, increment, seconds };

  function remember() {
    const values = Object.entries(REMEMBERED).map(([name, input]) => [name, input.value]);
    store(KEY, { ...Object.fromEntries(values), side: chosen("side"), time: chosen("time"), full: full.checked, resigns: resigns.checked, takesTime: takesTime.checked });
  }

  function recall() {
    const values = load(KEY);
    if (!values) return;
    for (const [name, input] of Object.entries(REMEMBERED)) if (values[name]) input.value = values[name];
    for (const input of form.querySelectorAll("input")) {
      if (input.type === "radio" && input.value === values[input.name]) input.checked = true;
    }
    full.checked = Boolean(values.full);
    resigns.checked = Boolean(values.resigns);
    takesTime.checked = values.takesTime !== false;
  }

  /** @param {{ fen: string, chess960: boolean }} [from] the start position */
  function open(from) {
    recall();
    more.open = Boolean(from);
    kind.value = from ? "fen" : "standard";
    if (from) {
      fen.value = from.fen;
      fen960.checked = from.chess960;
      for (const input of sides.querySelectorAll("input")) input.checked = input.value === sideToMove(from.fen);
    }
    update();
    dialog.showModal();
  }

  /** @param {string} text why the game could not start */
  const fail = (text) => error.replaceChildren(text);

  function started() {
    remember();
    dialog.close();
  }

  return { dialog, open, fail, started };
}
