/** Castellan as a library: searches as promises and async iterators, beside the raw lines of UCI. */
import { start } from "./engine.js";

/**
 * @typedef {{ cp: number } | { mate: number }} Score for the side to move: centipawns, or moves to mate, negative if it is mated
 *
 * @typedef {object} Info the state of a search
 * @property {number} depth
 * @property {number} seldepth
 * @property {number} multipv the number of the line, from 1
 * @property {Score} score
 * @property {"lower" | "upper"} [bound] missing if the score is exact
 * @property {[number, number, number]} [wdl] win, draw and loss in permille, with the option `UCI_ShowWDL`
 * @property {number} nodes
 * @property {number} nps
 * @property {number} time in milliseconds
 * @property {string[]} pv the principal variation, in UCI notation
 *
 * @typedef {object} Result
 * @property {string | null} move the best move in UCI notation; null if there is no legal one
 * @property {string | null} ponder the reply that is expected
 * @property {Info | null} info the last of the best line
 *
 * @typedef {object} Limits
 * @property {string} [fen] the position; the start position by default
 * @property {string[]} [moves] that follow it, in UCI notation or SAN
 * @property {number} [depth]
 * @property {number} [nodes]
 * @property {number} [movetime] in milliseconds
 * @property {number} [mate] the longest mate to search for, in moves
 * @property {string[]} [searchmoves] the only root moves to search, in UCI notation
 * @property {AbortSignal} [signal] that stops the search and rejects the promise with its reason
 *
 * @typedef {{ [name: string]: string | number | boolean }} UciOptions
 */

const LIMITS = /** @type {const} */ (["depth", "nodes", "movetime", "mate"]);

export class Castellan {
  /** @type {import("./engine.js").Engine | undefined} */
  #engine;
  /** Receives the lines of the task that runs. @type {((line: string) => void) | null} */
  #task = null;
  /** Rejects the task that runs. @type {((error: Error) => void) | null} */
  #fail = null;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** The last search without a limit. @type {Search | null} */
  #analysis = null;
  #ended = false;
  /** Called with every line of the engine. @type {((line: string) => void) | null} */
  onLine = null;

  /**
   * Loads and starts an engine.
   * @param {UciOptions} [options] of UCI, such as `{ Hash: 64 }`
   * @param {{ url?: string | URL }} [from] `url`: that of a folder with the files of this package, if they are not beside this script
   * @returns {Promise<Castellan>}
   */
  static async create(options = {}, { url } = {}) {
    const castellan = new Castellan();
    castellan.#engine = await start({
      url,
      output: (line) => castellan.#receive(line),
      ended: (status) => castellan.#end(status),
    });
    return castellan.setOptions(options).then(() => castellan, (error) => {
      castellan.quit();
      throw error;
    });
  }

  /** Sends a line of UCI; the answers go to `onLine`. @param {string} line */
  send(line) {
    this.#engine?.send(line);
  }

  /** @param {UciOptions} options @returns {Promise<void>} rejected for an unknown name or a bad value */
  setOptions(options) {
    const lines = Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`);
    return this.#queue(() => this.#run([...lines, "isready"], "readyok")).then(() => {});
  }

  /**
   * Searches, after the searches before. The promise is that of the result; iteration gives each `Info` on the way. Without a limit
   * it ends at `stop`, or when another search or option is asked for.
   * @param {Limits} [limits]
   * @returns {Search}
   */
  go({ fen, moves = [], searchmoves = [], signal, ...limits } = {}) {
    const position = `position ${fen === undefined ? "startpos" : `fen ${fen}`}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
    const words = LIMITS.flatMap((name) => (limits[name] === undefined ? [] : [name, limits[name]]));
    const unknown = Object.keys(limits).find((name) => LIMITS.every((known) => known !== name));
    const roots = searchmoves.length > 0 ? ["searchmoves", ...searchmoves] : [];
    const go = ["go", ...(words.length > 0 ? words : ["infinite"]), ...roots].join(" ");
    const search = new Search(() => this.send("stop"));
    const result = this.#queue(async () => {
      signal?.throwIfAborted();
      if (unknown !== undefined) throw new TypeError(`unknown limit '${unknown}'; the limits are ${LIMITS.join(", ")}`);
      await this.#run([position, "isready"], "readyok");
      return search.result(await this.#run(search.begin(go), "bestmove ", (line) => search.add(line)));
    });
    this.#analysis = words.length > 0 ? null : search;
    search.end(signal ? abortable(result, signal, search) : result);
    return search;
  }

  /** Ends the engine; searches that have not ended are rejected. */
  quit() {
    this.send("stop");
    this.send("quit");
    this.#end(0);
  }

  /** @template T @param {() => Promise<T>} task @returns {Promise<T>} */
  #queue(task) {
    this.#analysis?.stop(); // which nothing else would end
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }

  /**
   * Sends lines, and waits for the last answer. An error of the engine before it rejects, once a search that goes on in spite of it
   * has been stopped.
   * @param {string[]} lines @param {string} last @param {(line: string) => void} [receive]
   * @returns {Promise<string>}
   */
  #run(lines, last, receive) {
    return new Promise((resolve, reject) => {
      /** @type {Error | null} */
      let error = null;
      const broken = lines.find((line) => /[\r\n]/.test(line));
      if (broken !== undefined) {
        reject(new TypeError(`unexpected line feed in ${JSON.stringify(broken)}`));
        return;
      }
      const settle = (/** @type {() => void} */ action) => {
        this.#task = this.#fail = null;
        action();
      };
      this.#fail = (reason) => settle(() => reject(reason));
      if (this.#ended) {
        this.#fail(new Error("the engine has ended"));
        return;
      }
      this.#task = (line) => {
        receive?.(line);
        const [, text] = /^info string error: (.*)/.exec(line) ?? [];
        if (text !== undefined && !error) {
          error = new Error(text);
          if (last !== "readyok") {
            // Whether it searches or not: this ends after the search, without another best move.
            ["stop", "go perft 1"].forEach((command) => this.send(command));
            last = "Nodes searched";
          }
        }
        if (line.startsWith(last)) {
          settle(() => (error ? reject(error) : resolve(line)));
        }
      };
      lines.forEach((line) => this.send(line));
    });
  }

  /** @param {string} line */
  #receive(line) {
    this.#task?.(line);
    this.onLine?.(line);
  }

  /** @param {number} status */
  #end(status) {
    this.#ended = true;
    this.#fail?.(new Error(status === 0 ? "the engine has ended" : `the engine has ended with status ${status}`));
  }
}

/**
 * A result that is also rejected, and the search stopped, by a signal.
 * @param {Promise<Result>} result @param {AbortSignal} signal @param {Search} search
 * @returns {Promise<Result>}
 */
function abortable(result, signal, search) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      search.stop();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** @extends {Promise<Result>} */
export class Search extends Promise {
  #settle;
  #stop;
  #began = false;
  #stopped = false;
  #ended = false;
  /** @type {Info[]} */
  #infos = [];
  /** @type {Info | null} */
  #best = null;
  /** Wakes those who iterate. */
  #wake = () => {};
  #news = Promise.resolve();

  /** Makes `then` return a plain promise. */
  static get [Symbol.species]() {
    return Promise;
  }

  /** @param {() => void} stop */
  constructor(stop) {
    let settle = /** @type {(done: Promise<Result>) => void} */ (() => {});
    super((resolve) => (settle = resolve));
    this.#settle = settle;
    this.#stop = stop;
    // Who only iterates does not wait for it.
    this.catch(() => {});
    this.#expect();
  }

  /** Ends the search with the best move so far. */
  stop() {
    this.#stopped = true;
    if (this.#began && !this.#ended) {
      this.#stop();
    }
  }

  /** @internal The lines that begin it. @param {string} go */
  begin(go) {
    this.#began = true;
    return this.#stopped ? [go, "stop"] : [go];
  }

  /** @internal @param {string} line */
  add(line) {
    this.#ended ||= line.startsWith("bestmove ");
    const info = parsed(line);
    if (info) {
      this.#infos.push(info);
      this.#best = info.multipv === 1 ? info : this.#best;
      this.#tell();
    }
  }

  /** @internal @param {string} line @returns {Result} */
  result(line) {
    const [, move, , ponder] = line.split(" ");
    return { move: move === "(none)" ? null : (move ?? null), ponder: ponder ?? null, info: this.#best };
  }

  /** @internal @param {Promise<Result>} done */
  end(done) {
    this.#settle(done);
    const tell = () => {
      this.#ended = true;
      this.#tell();
    };
    this.then(tell, tell);
  }

  /** Leaving a loop over it stops the search. @returns {AsyncGenerator<Info, Result>} */
  async *[Symbol.asyncIterator]() {
    try {
      for (let next = 0; ; ) {
        const info = this.#infos[next];
        if (info) {
          next += 1;
          yield info;
        } else if (this.#ended) {
          return await this;
        } else {
          await this.#news;
        }
      }
    } finally {
      this.stop();
    }
  }

  #expect() {
    this.#news = new Promise((resolve) => (this.#wake = resolve));
  }

  #tell() {
    this.#wake();
    this.#expect();
  }
}

/** The facts about a search in a line of `info`, if it has any. @param {string} line @returns {Info | null} */
function parsed(line) {
  const [, head = "", pv] = /^info (?!string )(.*?)(?: pv (.*))?$/.exec(line) ?? [];
  const number = (/** @type {string} */ name) => Number(new RegExp(`\\b${name} (-?\\d+)`).exec(head)?.[1] ?? 0);
  const [, kind, value] = /\bscore (cp|mate) (-?\d+)/.exec(head) ?? [];
  if (!kind) {
    return null;
  }
  const [, bound] = /\b(lower|upper)bound\b/.exec(head) ?? [];
  const [, ...wdl] = /\bwdl (\d+) (\d+) (\d+)/.exec(head) ?? [];
  return {
    depth: number("depth"),
    seldepth: number("seldepth"),
    multipv: number("multipv") || 1,
    score: kind === "cp" ? { cp: Number(value) } : { mate: Number(value) },
    ...(bound && { bound: /** @type {"lower" | "upper"} */ (bound) }),
    ...(wdl.length > 0 && { wdl: /** @type {[number, number, number]} */ (wdl.map(Number)) }),
    nodes: number("nodes"),
    nps: number("nps"),
    time: number("time"),
    pv: pv?.split(" ") ?? [],
  };
}
