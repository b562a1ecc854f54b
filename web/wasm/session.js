/** The session of the static page, in a worker of the page. */
import { Directory, File } from "@bjorn3/browser_wasi_shim";
import { FILE } from "./games.js";
import { Ring } from "./ring.js";
import { directory, load, sleep } from "./wasi.js";

/**
 * What the page sends first: requests follow in the ring or, where memory cannot be shared, as messages.
 * @typedef {{ ring?: SharedArrayBuffer, games: [string, Uint8Array][] }} Begin
 */

/** True for a file that is complete: the program renames it at the end. @param {string} name */
const isKept = (name) => /\.(pgn|tridim|json)$/.test(name);

/** The files of the library. */
class Games extends Map {
  /** @param {string} name @param {File} file */
  set(name, file) {
    if (isKept(name)) postMessage({ name, before: this.get(name)?.data ?? null, pgn: file.data });
    return super.set(name, file);
  }

  /** @param {string} name */
  delete(name) {
    if (isKept(name)) postMessage({ name, before: this.get(name)?.data ?? null, pgn: null });
    return super.delete(name);
  }

  /** Takes a file over, unless the message is a request, which is returned. @param {string | undefined} message */
  take(message) {
    if (!message?.startsWith(FILE)) return message;
    const { name, text } = JSON.parse(message.slice(FILE.length));
    if (text === null) super.delete(name);
    else super.set(name, new File(new TextEncoder().encode(text)));
  }
}

/** @param {string} name */
async function bytes(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`cannot load ${response.url}: status ${response.status}`);
  return response.arrayBuffer();
}

/** @param {Begin} begin */
async function start({ ring: buffer, games }) {
  /** The files of other tabs that come before the session runs. @type {string[]} */
  const early = [];
  onmessage = ({ data }) => early.push(data);
  const [program, network] = await Promise.all([bytes("castellan-board.wasm"), bytes("castellan.net")]);
  const ring = buffer && new Ring(buffer);
  const folder = new Games();
  /** @type {string[]} */
  const requests = [];
  /** @param {number} longest */
  function next(longest) {
    if (ring) return folder.take(ring.receive(longest));
    if (requests.length) postMessage({ taken: true });
    else if (longest) sleep(longest);
    return requests.shift();
  }
  /** @type {string | undefined} */
  let waiting;
  const files = directory({ "castellan.net": new Uint8Array(network) });
  files.dir.contents.set("games", new Directory(folder));
  for (const [name, pgn] of games) Map.prototype.set.call(folder, name, new File(pgn));
  const { program: session, instance } = load(await WebAssembly.compile(program), files, {
    args: ["castellan-board"],
    input(longest) {
      const request = waiting ?? next(longest);
      waiting = undefined;
      return request && `${request}\n`;
    },
    output: (event) => postMessage({ event }),
    error: (line) => console.error(line),
  });
  postMessage({ ready: true });
  session.start(instance);
  const serve = /** @type {() => number} */ (instance.exports.serve);
  if (ring) {
    for (;;) waiting = folder.take(ring.receive(serve() >>> 0));
  }
  let timer = 0;
  const turn = () => {
    timer = setTimeout(turn, serve() >>> 0);
  };
  /** @param {string} message */
  const take = (message) => {
    const request = folder.take(message);
    if (request === undefined) return;
    requests.push(request);
    clearTimeout(timer);
    // After the other requests that are here.
    timer = setTimeout(turn, 10);
  };
  early.forEach(take);
  onmessage = ({ data }) => take(data);
  turn();
}

// An error of an asynchronous function would not reach the page.
onmessage = ({ data }) => start(data).catch((error) => setTimeout(() => { throw error; }));
