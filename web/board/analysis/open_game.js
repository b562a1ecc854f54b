/** How a game or a position is opened: a dialog, dropped files, pasted texts, and the choice from a file with several games. */
/** @import { AnalysisRequest, Choice } from "../../messages.js" */
import { closest, element } from "../../shared/dom.js";
import { facts, opening, player } from "../../shared/game_info.js";
import { button } from "../controls.js";
import { MAX_BYTES, TOO_LARGE } from "../frame.js";
import { filteredList } from "../games/filter.js";

/** @param {string} text */
const isFen = (text) => /^\s*([pnbrqk1-8]+\/){7}[pnbrqk1-8]+(\s+[wb]\b.*)?\s*$/i.test(text);

/** @param {HTMLElement} section @param {(request: AnalysisRequest) => string | null} send */
export function gameOpener(section, send) {
  const message = element("p", { class: "wrong", role: "alert", hidden: true });
  const dialogMessage = element("p", { class: "wrong", role: "alert", hidden: true });
  const text = element("textarea", {
    rows: "12", "aria-label": "PGN or FEN", placeholder: "Paste PGN or a FEN here, or drop a file.", spellcheck: "false",
  });
  const file = element("input", {
    type: "file", accept: ".pgn,.txt,.fen,text/plain", hidden: true, onchange: () => readFile(file.files?.[0]),
  });
  const { filter, list: choices, set } = filteredList("Search the file", wordsOf, choiceItem);
  const cutNote = element("p", { class: "faint" });
  const choiceBox = element("div", { class: "choose" }, filter, choices, cutNote);
  const entry = element("form", { onsubmit: submit }, text,
    element("div", { class: "buttons" },
      element("button", { class: "primary" }, "Load"), button("Choose file…", () => file.click()), file));
  const dialog = element("dialog", { class: "open-game", "aria-label": "Open a game", onclose: () => showError("") },
    element("header", {}, element("h2", {}, "Open a game"), button("Close", () => dialog.close(), { class: "close" })),
    dialogMessage, entry, choiceBox);
  section.append(dialog);

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    loadText(text.value);
  }

  function open() {
    choiceBox.hidden = true;
    entry.hidden = false;
    text.value = "";
    showError("");
    if (!dialog.open) dialog.showModal();
    text.focus();
  }

  /** @param {Choice} choice */
  function wordsOf(choice) {
    if (choice.error !== undefined) return choice.error;
    const { white, black, result, event, date, sortable_date } = choice.heading;
    return [white.name, black.name, result, result.replaceAll("–", "-"), event, date, sortable_date, opening(choice.heading)].join(" ");
  }

  /** @param {Choice} choice @param {number} index */
  function choiceItem(choice, index) {
    if (choice.error !== undefined) return element("li", { class: "wrong" }, choice.error);
    const { white, black, result, event, date } = choice.heading;
    const names = [...player(white), " – ", ...player(black), result === "*" ? "" : ` ${result}`];
    const about = facts([event, date, opening(choice.heading), `${choice.moves} ${choice.moves === 1 ? "move" : "moves"}`]);
    const row = button("", () => load({ type: "choose", game: index }));
    row.append(element("b", {}, ...names), element("span", { class: "faint" }, ...about));
    return element("li", {}, row);
  }

  /**
   * Lets the user choose one of the games of a file.
   * @param {Choice[]} games
   * @param {boolean} isCut
   */
  function choose(games, isCut) {
    showError("");
    filter.value = "";
    set(games, "");
    cutNote.textContent = isCut ? `Only the first ${games.length} games are listed.` : "";
    entry.hidden = true;
    choiceBox.hidden = false;
    if (!dialog.open) dialog.showModal();
    choices.querySelector("button")?.focus();
  }

  /** @param {string} words */
  function showError(words) {
    const [shown, other] = dialog.open ? [dialogMessage, message] : [message, dialogMessage];
    shown.textContent = words;
    shown.hidden = !words;
    other.hidden = true;
  }

  /** @param {AnalysisRequest} request */
  function load(request) {
    showError(send(request) ?? "");
  }

  /** @param {string} words */
  function loadText(words) {
    if (isFen(words)) load({ type: "load_fen", fen: words.trim() });
    else load({ type: "load_pgn", text: words });
  }

  /** @param {File | undefined} chosen */
  async function readFile(chosen) {
    file.value = "";
    if (!chosen) return;
    if (chosen.size > MAX_BYTES) showError(TOO_LARGE);
    else loadText(await chosen.text());
  }

  section.addEventListener("dragover", (event) => {
    event.preventDefault();
    section.classList.add("dropping");
  });
  section.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && section.contains(relatedTarget))) section.classList.remove("dropping");
  });
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    section.classList.remove("dropping");
    const dropped = event.dataTransfer?.files[0];
    if (dropped) readFile(dropped);
    else loadText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  document.addEventListener("paste", (event) => {
    if (section.hidden || closest(event, "input, textarea, dialog")) return;
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.trim()) loadText(pasted);
  });

  return {
    open, load, choose,
    /** Where errors are shown outside of the dialog. */
    message,
    /** What was requested is open. */
    opened() {
      dialog.close();
      showError("");
    },
    /** Shows why it cannot be opened. */
    fail: showError,
  };
}
