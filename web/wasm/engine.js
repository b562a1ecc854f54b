/** The engine in an inner worker, which executes UCI lines and posts others. */
import { load, node, resolved } from "./files.js";
import { Ring } from "./ring.js";

/**
 * @typedef {object} Engine
 * @property {(line: string) => void} send
 * @property {() => void} end what a pipe does at its end: lets a search finish that would, and quits
 *
 * @typedef {object} Options
 * @property {(line: string) => void} output
 * @property {(status: number) => void} ended
 * @property {string[]} [args] a command to execute instead of the lines that are sent
 * @property {boolean} [shared] whether to use shared memory
 * @property {string | URL} [url] of the folder with the files of the package, if they are not beside this script
 *
 * @typedef {object} Task what an inner worker is to do
 * @property {WebAssembly.Module} module
 * @property {Uint8Array} network
 * @property {string[]} args
 * @property {SharedArrayBuffer} [ring] with lines, and an empty message at their end
 * @property {string} [input] all lines, where there is no ring
 *
 * @typedef {{ line?: string, status?: number }} Message from an inner worker
 * @typedef {(task: Partial<Task>, receive: (message: Message) => void) => () => void} Run starts a worker, returns how to end it
 */

/** @type {any} */
const { process, crossOriginIsolated = true } = globalThis;
const isNode = process?.versions?.node !== undefined;

/** @param {Options} options @returns {Promise<Engine>} */
export async function start({ output, ended, args = [], shared = crossOriginIsolated, url }) {
  const folder = url && resolved(`${url}`.replace(/\/?$/, "/"));
  // Bundlers look for addresses written like these.
  const [program, network] = await Promise.all([
    load(folder ? new URL("castellan.wasm", folder) : new URL("castellan.wasm", import.meta.url)),
    load(folder ? new URL("castellan.net", folder) : new URL("castellan.net", import.meta.url)),
  ]);
  const module = await WebAssembly.compile(program);
  const Worker = isNode ? (await node("worker_threads")).Worker : globalThis.Worker;
  /** @type {Run} */
  const run = (task, receive) => {
    const worker = folder
      ? new Worker(new URL("inner.js", folder), { type: "module" })
      : new Worker(new URL("inner.js", import.meta.url), { type: "module" });
    const failed = (/** @type {{ message: string }} */ { message }) => {
      worker.terminate();
      output(`info string error: the engine has failed: ${message}`);
      ended(1);
    };
    if (isNode) {
      worker.on("message", receive);
      worker.on("error", failed);
    } else {
      worker.onmessage = (/** @type {MessageEvent} */ { data }) => receive(data);
      worker.onerror = failed;
    }
    worker.postMessage({ module, network, args, ...task });
    return () => worker.terminate();
  };
  return shared ? connected(run, output, ended) : restarted(run, output, ended);
}

/**
 * One worker, which hears every line at once.
 * @param {Run} run @param {Options["output"]} output @param {Options["ended"]} ended
 * @returns {Engine}
 */
function connected(run, output, ended) {
  const ring = new Ring();
  const terminate = run({ ring: ring.buffer }, ({ line, status }) => {
    if (line !== undefined) {
      output(line);
    } else {
      terminate();
      ended(status ?? 0);
    }
  });
  return { send: (line) => ring.send(`${line}\n`), end: () => ring.send("") };
}

/**
 * A worker for every command, which hears nothing until it has ended: it is ended from outside.
 * @param {Run} run @param {Options["output"]} output @param {Options["ended"]} ended
 * @returns {Engine}
 */
function restarted(run, output, ended) {
  /** The lines that have set the state: known from an earlier worker, or new. */
  let known = /** @type {string[]} */ ([]);
  let fresh = /** @type {string[]} */ ([]);
  const waiting = /** @type {string[]} */ ([]);
  /** @type {{ command: string, isSearch: boolean, terminate: () => void, best: string, stopped: boolean } | null} */
  let running = null;
  let isClosed = false;

  /** @param {string} command */
  function begin(command) {
    const isSearch = /^\s*go\b(?!.*\bperft\b)/.test(command);
    const input = [...known, "isready", ...fresh, command, ""].join("\n");
    known = [...known, ...fresh];
    fresh = [];
    let repeated = true;
    const terminate = run({ input }, ({ line, status }) => {
      if (running?.terminate !== terminate) {
        return; // posted before it was ended
      }
      if (repeated) {
        repeated = line !== "readyok";
      } else if (line !== undefined) {
        note(line);
      }
      if (status !== undefined) {
        finish();
      }
    });
    running = { command, isSearch, terminate, best: "", stopped: false };
  }

  /** Passes output on, and keeps the best move so far. @param {string} line */
  function note(line) {
    if (running && line === "info string error: the last position was refused") {
      running.best = "bestmove 0000";
    }
    const [, first, second] = /^info (?!.*multipv (?!1 )).* pv (\S+) ?(\S*)/.exec(line) ?? [];
    if (running && (first || line.startsWith("info depth 0 "))) {
      running.best = `bestmove ${first ?? "(none)"}${second ? ` ponder ${second}` : ""}`;
    }
    output(line);
    if (running && line.startsWith("bestmove")) {
      running.isSearch = false;
    } else if (running?.stopped) {
      stop();
    }
  }

  function stop() {
    if (running?.best) {
      output(running.best);
      finish();
    } else if (running) {
      running.stopped = true; // once there is a move
    }
  }

  function finish() {
    running?.terminate();
    running = null;
    waiting.splice(0).forEach(send); // a search that begins hears what came after it
    if (isClosed && !running) ended(0);
  }

  /** @param {string} line while nothing is running */
  function execute(line) {
    const [word] = line.trim().split(/\s+/);
    if (word === "position") {
      [known, fresh] = [known, fresh].map((lines) => lines.filter((other) => !/^\s*position\b/.test(other)));
    }
    if (["debug", "position", "setoption"].includes(word)) {
      fresh.push(line);
    } else if (word === "quit") {
      ended(0);
    } else if (word === "isready" && fresh.length === 0) {
      output("readyok");
    } else if (!["", "ponderhit", "stop", "ucinewgame"].includes(word)) {
      begin(line);
    }
  }

  /** @param {string} line */
  function send(line) {
    const [word] = line.trim().split(/\s+/);
    if (!running) {
      execute(line);
    } else if (!running.isSearch || !["isready", "ponderhit", "quit", "stop"].includes(word)) {
      waiting.push(line);
    } else if (word === "stop") {
      stop();
    } else if (word === "ponderhit") {
      running.terminate();
      begin(running.command.replace(/\bponder\b/, ""));
    } else {
      execute(line);
    }
  }

  function end() {
    isClosed = true;
    if (!running) ended(0);
  }

  return { send, end };
}

/** UCI on standard input and output. */
export async function runInNode() {
  /** @param {number} status */
  const ended = (status) => {
    process.exitCode = status; // once the output is written
    process.stdin.destroy();
  };
  const engine = await start({ output: console.log, ended, args: process.argv.slice(2) });
  const { createInterface } = await node("readline");
  const lines = createInterface({ input: process.stdin });
  lines.on("line", engine.send);
  lines.on("close", engine.end);
}
