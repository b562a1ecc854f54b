/** The connection to the session of the static page, which runs in a worker; in the place of `board/socket.js`. */
/** @import { BrowserRequest, Event as ServerEvent } from "../messages.js" */
/** @import { Change } from "../wasm/games.js" */
import { FILE, keepGame, loadGames } from "../wasm/games.js";
import { Ring } from "../wasm/ring.js";

const RELOADED = "castellan.reloaded";
/** The address before the page has changed it. */
const ADDRESS = location.href;
/** The time that a request may wait before the worker, which cannot hear of it while it searches, is replaced; in milliseconds. */
const PATIENCE = 400;
/** @type {string[]} Requests that the last worker has not taken. */
let left = [];

/** Tells the other tabs what this one has kept. */
const tabs = new BroadcastChannel("castellan.games");
/** Changes that the browser does not keep, by name, until it does. @type {Map<string, Change>} */
const unkept = new Map();
/** Changes are kept one after the other. @type {Promise<void>} */
let keeping = Promise.resolve();

/** @param {Uint8Array | null | undefined} bytes */
const textOf = (bytes) => (bytes ? new TextDecoder().decode(bytes) : null);

/** The games that the browser has, with those that it does not keep. */
async function currentGames() {
  await keeping;
  const games = new Map(await loadGames());
  for (const { name, pgn } of unkept.values()) {
    if (pgn) games.set(name, pgn);
    else games.delete(name);
  }
  return [...games];
}

/**
 * Keeps a change, and all that could not be kept before. What another tab has kept instead is handed to the session, with what it
 * was to be: `settle` is false if there is none.
 * @param {Change | null} change
 * @param {(change: Change, present: Uint8Array) => boolean} settle
 * @param {(request: BrowserRequest) => void} tell
 */
async function keep(change, settle, tell) {
  const wasKept = unkept.size === 0;
  if (change) unkept.set(change.name, { ...change, before: (unkept.get(change.name) ?? change).before });
  /** @type {string | null} */
  let error = null;
  for (const one of [...unkept.values()]) {
    try {
      const other = await keepGame(one);
      if (other && !settle(one, other.present)) throw new Error("Castellan starts again");
      if (!other) tabs.postMessage({ name: one.name, pgn: one.pgn });
      unkept.delete(one.name);
    } catch (why) {
      error = why instanceof Error || why instanceof DOMException ? why.message || why.name : String(why);
    }
  }
  if (error !== null || !wasKept) tell({ type: "unkept", error });
}

/** Whether the page was reloaded for it; also where the browser keeps nothing, or it would be reloaded forever. */
function wasReloaded() {
  try {
    return sessionStorage.getItem(RELOADED) !== null;
  } catch {
    return true;
  }
}

/** Only a service worker makes a page of any web server cross-origin isolated, which memory shared with a worker requires. */
async function isolate() {
  if (!navigator.serviceWorker) return;
  const registered = navigator.serviceWorker.register("sw.js").catch(() => null);
  const again = wasReloaded();
  if (crossOriginIsolated) {
    try {
      sessionStorage.removeItem(RELOADED);
    } catch { /* It keeps nothing. */ }
    return;
  }
  if (!(await registered) || again) return;
  await navigator.serviceWorker.ready;
  sessionStorage.setItem(RELOADED, "true");
  history.replaceState(null, "", ADDRESS);
  location.reload();
  await new Promise(() => {});
}

/**
 * Starts the session. `closed` is called with the reason when it has ended.
 * @param {(message: ServerEvent) => void} receive
 * @param {(reason: string) => void} closed
 * @returns {(message: string) => boolean} sends a request; false if that is not possible
 */
export function connect(receive, closed) {
  /** @type {(message: string) => boolean} */
  let send = () => false;
  start().catch((error) => closed(`Castellan cannot be started: ${error}`));
  return (message) => send(message);

  async function start() {
    await isolate();
    const games = await currentGames();
    const ring = crossOriginIsolated ? new Ring() : null;
    const worker = new Worker(new URL("../wasm/session.js", import.meta.url), { type: "module" });
    /** @type {string[]} */
    const waiting = [];
    let timer = 0;
    /** @param {string} reason */
    const end = (reason) => {
      send = () => false;
      worker.terminate();
      left = waiting;
      closed(reason);
    };
    /** @param {string} message */
    const post = (message) => {
      waiting.push(message);
      worker.postMessage(message);
      clearTimeout(timer);
      timer = setTimeout(end, PATIENCE, "The engine is interrupted; nothing is lost.");
      return true;
    };
    /** @param {string} message */
    const share = (message) => {
      ring?.send(message);
      return true;
    };
    /** Gives the worker a file as another tab has kept it. @param {string} name @param {Uint8Array | null} bytes */
    const adopt = (name, bytes) => {
      const message = FILE + JSON.stringify({ name, text: textOf(bytes) });
      if (ring) ring.send(message);
      else worker.postMessage(message);
    };
    /** @param {BrowserRequest} request */
    const tell = (request) => send(JSON.stringify({ mode: "browser", request }));
    /** @param {Change} change @param {Uint8Array} present */
    const settle = ({ name, before, pgn }, present) => {
      adopt(name, present);
      return tell({ type: "refused", name, before: textOf(before), after: textOf(pgn) });
    };
    /** @param {Change | null} change */
    const keepNext = (change) => {
      keeping = keeping.then(() => keep(change, settle, tell));
    };
    tabs.onmessage = ({ data }) => adopt(data.name, data.pgn);
    worker.onmessage = ({ data }) => {
      if (data.name !== undefined) return keepNext(data);
      if (data.taken) {
        waiting.shift();
        if (!waiting.length) clearTimeout(timer);
      } else if (data.ready) {
        send = ring ? share : post;
        if (unkept.size) keepNext(null);
      } else {
        receive(JSON.parse(data.event));
        // The first event is the greeting, after which the page restores everything.
        for (const message of left.splice(0)) send(message);
      }
    };
    worker.onerror = (event) => end(`Castellan has failed: ${event.message || "it cannot be loaded"}. It starts again; nothing is lost.`);
    worker.postMessage({ ring: ring?.buffer, games });
  }
}
