/** The connection to the session of the static page, which runs in a worker; in the place of `board/socket.js`. */
/** @import { Event as ServerEvent } from "../messages.js" */
import { keepGame, loadGames } from "../wasm/games.js";
import { Ring } from "../wasm/ring.js";

const RELOADED = "castellan.reloaded";
/** The address before the page has changed it. */
const ADDRESS = location.href;
/** How long a request may wait before the worker, which cannot hear of it while it searches, is replaced; in milliseconds. */
const PATIENCE = 400;
/** @type {string[]} Requests that the last worker has not taken. */
let left = [];

/** Only a service worker makes a page of any web server cross-origin isolated, which memory shared with a worker requires. */
async function isolate() {
  if (!navigator.serviceWorker) return;
  const registered = navigator.serviceWorker.register("sw.js").catch(() => null);
  if (crossOriginIsolated) return sessionStorage.removeItem(RELOADED);
  if (!(await registered) || sessionStorage.getItem(RELOADED)) return;
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
    const games = await loadGames();
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
    worker.onmessage = ({ data }) => {
      if (data.game !== undefined) return keepGame(data.game, data.pgn);
      if (data.taken) {
        waiting.shift();
        if (!waiting.length) clearTimeout(timer);
      } else if (data.ready) {
        send = ring ? share : post;
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
