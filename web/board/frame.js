/** The frame of the page: the connection to its session, the tabs of the modes, and the menu of the others. */
/** @import { AnnotatorView, Color, EditorEvent, EngineEvent, Event as ServerEvent, FinderEvent, LibraryEvent, Mode as ModeName, Request } from "../messages.js" */
import { byId } from "../shared/dom.js";
import { addShortcuts } from "./controls.js";
import { menuButton } from "./menu.js";
import { connect as connectTo } from "./socket.js";
import { hideToast, toast } from "./toast.js";

/**
 * A mode gets its events, and may be told when there is a connection, when it is shown and hidden, and what it is to open. With
 * `ready` it cannot be used until that is true.
 * @template Event
 * @typedef {{
 *   event(event: Event): void, connected?(): void, shown?(): void, hidden?(): void, open?(what: any): void, ready?(): boolean,
 * }} Mode
 */

/**
 * What can be opened in another mode: a position; a game of chess, of the library with `id`, after some moves and with a color below;
 * the exercises of a group; a game of Tri-Dimensional chess.
 * @typedef {{
 *   play: { fen: string, chess960: boolean }, analysis: { fen: string } | { pgn: string, id?: string, ply?: number, below?: Color },
 *   training: { group: string }, tridim: { saved: string[], id: string },
 * }} Openable
 */

/** @typedef {{ editor: EditorEvent, engine: EngineEvent, finder: FinderEvent, library: LibraryEvent, annotation: { running: AnnotatorView | null } }} Answers */

const FIRST_DELAY = 250, LONGEST_DELAY = 4000;
const NOT_CONNECTED = "There is no connection yet; try again in a moment.";
/** A larger message ends the connection. */
export const MAX_BYTES = 4 << 20;
export const TOO_LARGE = "The text is too large: the limit is 4 MiB, in which a line break or a quotation mark counts twice.";

/** @type {Map<string, Mode<any>>} */
let modes = new Map();
/** For answers that belong to no mode. @type {Map<string, ((event: any, isHello: boolean) => void)[]>} */
const listeners = new Map();
/** @type {(message: string) => boolean} */
let sendMessage = () => false;
let delay = FIRST_DELAY, shown = "", connected = false;

/** @param {string} name */
function updateInert(name) {
  byId(name, HTMLElement).inert = modes.get(name)?.ready?.() === false;
}

/** @template {Request["mode"]} Name @typedef {Extract<Request, { mode: Name }>["request"]} Message to a mode */

/**
 * Returns why the request was not sent, if it was not; it is not kept.
 * @template {Request["mode"]} Name
 * @param {Name} mode
 * @param {Message<Name>} request
 */
export function send(mode, request) {
  const message = JSON.stringify({ mode, request });
  if (new Blob([message]).size > MAX_BYTES) return TOO_LARGE;
  return sendMessage(message) ? null : NOT_CONNECTED;
}

/**
 * Sends a request, or says why not; returns whether it was sent.
 * @template {Request["mode"]} Name
 * @param {Name} mode
 * @param {Message<Name>} message
 */
export function request(mode, message) {
  const problem = send(mode, message);
  if (problem) toast(problem);
  return !problem;
}

/**
 * @template {keyof Answers} Name
 * @param {Name} name
 * @param {(event: Answers[Name], isHello: boolean) => void} listener
 */
export function listen(name, listener) {
  listeners.set(name, [...(listeners.get(name) ?? []), listener]);
}

/** @template {keyof Answers} Name @param {Name} name @param {Answers[Name]} event */
function tell(name, event, isHello = false) {
  for (const listener of listeners.get(name) ?? []) listener(event, isHello);
}

/** Without a connection `text` says why. @param {string} text */
function showConnection(text) {
  document.body.toggleAttribute("data-connected", text === "");
  byId("connection", HTMLElement).textContent = text;
}

function connect() {
  sendMessage = connectTo(receive, (reason) => {
    connected = false;
    showConnection(reason);
    setTimeout(connect, delay);
    delay = Math.min(2 * delay, LONGEST_DELAY);
  });
}

/** @param {ServerEvent} message */
function receive({ mode, event }) {
  if (mode === "editor" || mode === "engine" || mode === "finder" || mode === "library") {
    tell(mode, /** @type {any} */ (event));
  } else if (mode !== "session") {
    modes.get(mode)?.event(event);
    updateInert(mode);
  } else if (event.type === "hello") {
    delay = FIRST_DELAY;
    connected = true;
    showConnection("");
    tell("library", { type: "names", names: event.names }, true);
    tell("engine", event.engine, true);
    tell("annotation", { running: null });
    for (const one of modes.values()) one.connected?.();
    send("show", /** @type {ModeName} */ (shown));
  } else if (event.type === "annotation") {
    tell("annotation", event);
  } else {
    toast(event.text);
  }
}

/** A position that the address names, as in `#fen=8/8/8/8/8/8/8/8_w_-_-_0_1`. @param {string} text */
function readFen(text) {
  try {
    return decodeURIComponent(text).replaceAll("_", " ");
  } catch {
    return text;
  }
}

/** @type {() => HTMLElement[]} */
const tabs = () => [...document.querySelectorAll("header [role=tab]")].filter((tab) => tab instanceof HTMLElement);
/** @param {HTMLElement} tab */
const modeOf = (tab) => tab.dataset.mode || "";

/** The modes without a tab, by their names in the address. @type {Record<string, string>} */
const OTHERS = { castling: "Castling", tridim: "Tri-D" };
const more = menuButton("More", () => [["", Object.entries(OTHERS).map(([name, text]) =>
  ({ text, checked: name === shown, choose: () => {
    show(name);
    byId(name, HTMLElement).focus();
  } }))]], { id: "more" });
document.querySelector("header nav")?.after(more.button);

/** Shows a mode; the address remembers it. @param {string} name */
export function show(name) {
  const mode = modes.get(name);
  if (!mode || name === shown) return;
  const before = modes.get(shown);
  shown = name;
  for (const tab of tabs()) {
    const selected = modeOf(tab) === name;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
  }
  // Without a selected tab the first one takes the focus.
  if (OTHERS[name]) tabs()[0].tabIndex = 0;
  more.name(OTHERS[name] ?? "More");
  more.button.classList.toggle("selected", name in OTHERS);
  for (const one of modes.keys()) byId(one, HTMLElement).hidden = one !== name;
  history.replaceState(null, "", `#${name}`);
  before?.hidden?.();
  hideToast();
  if (connected) send("show", /** @type {ModeName} */ (name));
  mode.shown?.();
}

/** @template {keyof Openable} Name @param {Name} mode @param {Openable[Name]} what */
export function openIn(mode, what) {
  show(mode);
  modes.get(mode)?.open?.(what);
}

/** @param {KeyboardEvent} event */
function changeTab(event) {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const all = tabs(), at = all.findIndex((tab) => tab === event.currentTarget);
  if (!step) return;
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  show(modeOf(next));
}

/** Shows the mode that the address names, or the first one, and connects. @param {Record<ModeName, Mode<any>>} all */
export function start(all) {
  modes = new Map(Object.entries(all));
  for (const name of modes.keys()) updateInert(name);
  for (const tab of tabs()) {
    tab.addEventListener("click", (event) => {
      show(modeOf(tab));
      if (event.detail === 0) return;
      // After the mouse the arrow keys are those of the mode, also of one that is not ready for the focus yet.
      tab.blur();
      byId(modeOf(tab), HTMLElement).focus();
    });
    tab.addEventListener("keydown", changeTab);
  }
  const showAddressed = () => {
    const [, fen] = /^#fen=(.+)$/.exec(location.hash) ?? [];
    const pgn = new URLSearchParams(location.hash.slice(1)).get("pgn");
    if (fen) openIn("analysis", { fen: readFen(fen) });
    else if (pgn) openIn("analysis", { pgn });
    else show(location.hash.slice(1));
  };
  addShortcuts(document.body, Object.fromEntries([...modes.keys()].map((name, index) => [`Alt+${index + 1}`, () => show(name)])));
  addEventListener("hashchange", showAddressed);
  showAddressed();
  if (!shown) show("play");
  connect();
}
