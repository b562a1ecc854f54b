/** Opens a game or a position: a dialog, dropped files, pasted texts, and the choice from a file with several games. */
/** @import { AnalysisChoice, AnalysisRequest } from "../../messages.js" */
import { closest, element } from "../../shared/dom.js";
import { opening, ownPart } from "../../shared/game_info.js";
import { counted } from "../../shared/notation.js";
import { button, fileField, icon } from "../controls.js";
import { MAX_BYTES, TOO_LARGE } from "../frame.js";
import { filteredList, gameRow } from "../games/filter.js";
import { importForm } from "./import.js";

/** A line that begins with ranks, right or wrong. @param {string} text */
const isFen = (text) => /^\s*[^\s[{(]+(\/[^\s/]*){3,}.*\s*$/.test(text);

const utf8 = new TextDecoder("utf-8", { fatal: true }), windows1252 = new TextDecoder("windows-1252");
/** Bytes that may be a character of UTF-8, or one that is not, one as each letter. */
const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;

/** The text of a file in UTF-8; bytes that are not are of Latin-1 or Windows-1252, as for `castellan`. @param {File} file */
export async function textOf(file) {
  /** @param {Uint8Array} some @param {() => string} otherwise */
  const attempt = (some, otherwise) => {
    try {
      return utf8.decode(some);
    } catch {
      return otherwise();
    }
  };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return attempt(bytes, () => {
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return letters.replace(CHARACTER, (found) => {
      const some = Uint8Array.from(found, (one) => one.charCodeAt(0));
      return attempt(some, () => windows1252.decode(some));
    });
  });
}

/** @param {HTMLElement} section @param {(request: AnalysisRequest) => string | null} send */
export function gameOpener(section, send) {
  const message = element("p", { class: "wrong", role: "alert" }), dialogMessage = element("p", { class: "wrong", role: "alert" });
  const text = element("textarea", {
    rows: "12", "aria-label": "PGN or FEN", placeholder: "Paste PGN or a FEN here, or drop a file.", spellcheck: "false",
  });
  const file = fileField({ accept: ".pgn,.txt,.fen,text/plain" }, ([chosen]) => readFile(chosen));
  const { filter, list: choices, set } = filteredList("Search the file", choiceItem);
  const cutNote = element("p", { class: "faint" });
  const keepAll = button("Keep all in your games", () => ask({ type: "keep_choices" }), {
    title: "Copies the games of the file, up to 1000, to the games that are listed under Games…",
  });
  const deleteKept = button("", () => ask({ type: "delete_kept" }), { title: "Delete those copies again" });
  const annotateKept = button("Annotate them", () => {
    ask({ type: "annotate_kept" });
    annotateKept.hidden = true;
  }, { title: "In the background; Train shows how far it is" });
  const choiceBox = element("div", { class: "choose" }, filter, choices, cutNote, element("div", { class: "buttons" }, keepAll, annotateKept, deleteKept));
  const importer = importForm((pgn) => {
    text.value = pgn;
    loadText(pgn);
  }, (why) => showError(why));
  const entry = element("form", { onsubmit: submit }, text,
    element("div", { class: "buttons" },
      element("button", { class: "primary" }, "Load"), button("Choose file…", () => file.click()), file));
  const dialog = element("dialog", { class: "open-game", "aria-label": "Open a game", onclose: () => showError("") },
    element("header", {}, element("h2", {}, "Open a game"), button("Close", () => dialog.close(), { class: "close" })),
    dialogMessage, entry, importer, choiceBox);
  section.append(dialog);

  // The file from which the game was chosen, with its neighbors.
  /** @type {AnalysisChoice[]} */
  let games = [];
  /** @type {number | null} the game that is open, and the one that has been requested */
  let chosen = null, requested = /** @type {number | null} */ (null);
  const previous = icon("‹", "Previous game of the file", () => step(-1)), following = icon("›", "Next game of the file", () => step(1));
  const place = button("", () => showChoices(), { title: "Back to the list of the file" });
  const fileBar = element("nav", { class: "file", "aria-label": "Games of the file", hidden: true }, previous, place, following);

  /** @param {number} by the next game in this direction that can be opened */
  function neighbor(by) {
    let index = (chosen ?? 0) + by;
    while (games[index] && "error" in games[index]) index += by;
    return games[index] ? index : null;
  }

  /** @param {number} by */
  function step(by) {
    const index = neighbor(by);
    if (index !== null) load({ type: "choose", game: index });
  }

  function drawFile() {
    fileBar.hidden = chosen === null;
    if (chosen === null) return;
    place.textContent = `Game ${chosen + 1} of ${games.length}`;
    previous.disabled = neighbor(-1) === null;
    following.disabled = neighbor(1) === null;
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    loadText(text.value);
  }

  function showEntry() {
    choiceBox.hidden = true;
    entry.hidden = importer.hidden = false;
  }

  function open() {
    showEntry();
    text.value = "";
    showError("");
    if (!dialog.open) dialog.showModal();
    text.focus();
  }

  /** @param {AnalysisChoice} choice @param {number} index */
  function choiceItem(choice, index) {
    if ("error" in choice) return element("li", { class: "wrong" }, choice.error);
    const { heading, own, moves } = choice, { event, date } = heading;
    const about = [ownPart(own), event, date, opening(heading), counted(moves, "move")];
    return element("li", {}, gameRow(heading, about, () => load({ type: "choose", game: index })));
  }

  /** Lets the user choose one of the games of a file. @param {AnalysisChoice[]} found @param {boolean} isCut */
  function choose(found, isCut) {
    showError("");
    games = found;
    chosen = null;
    drawFile();
    filter.value = "";
    set(games);
    kept(0);
    cutNote.textContent = isCut ? `Only the first ${games.length} games are listed.` : "";
    showChoices();
  }

  /** @param {number} count the games of the file that have been kept */
  function kept(count) {
    keepAll.hidden = count > 0;
    deleteKept.hidden = annotateKept.hidden = !count;
    deleteKept.textContent = `Undo: delete the ${count} games`;
  }

  function showChoices() {
    entry.hidden = importer.hidden = true;
    choiceBox.hidden = false;
    if (!dialog.open) dialog.showModal();
    choices.querySelector("button")?.focus();
  }

  /** @param {string} words */
  function showError(words) {
    const [shown, other] = dialog.open ? [dialogMessage, message] : [message, dialogMessage];
    shown.textContent = words;
    other.textContent = "";
  }

  /** Sends a request, or shows why not. @param {AnalysisRequest} request */
  function ask(request) {
    showError(send(request) ?? "");
  }

  /** @param {AnalysisRequest} request */
  function load(request) {
    requested = request.type === "choose" ? request.game : null;
    ask(request);
  }

  /** @param {string} words */
  function loadText(words) {
    if (isFen(words)) load({ type: "load_fen", fen: words.trim() });
    else load({ type: "load_pgn", text: words });
  }

  /** @param {File} chosen */
  async function readFile(chosen) {
    if (chosen.size > MAX_BYTES) showError(TOO_LARGE);
    else loadText(await textOf(chosen));
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
    open, load, choose, kept,
    /** Shows errors outside of the dialog. */
    message,
    /** The request is fulfilled: a game is open. */
    opened() {
      dialog.close();
      showError("");
      chosen = requested;
      drawFile();
    },
    /** A new session does not know the file. */
    forget() {
      chosen = requested = null;
      drawFile();
      showEntry();
    },
    /** The place of the game in its file. */
    file: fileBar,
    /** Shows why it cannot be opened. */
    fail: showError,
  };
}
