/** The system of a WebAssembly program, in a worker that does not return to its event loop while the program runs. */
import { ConsoleStdout, Fd, File, PreopenDirectory, WASI, wasi } from "@bjorn3/browser_wasi_shim";

/**
 * @typedef {object} System
 * @property {string[]} args the first is the name of the program
 * @property {(longest: number, idle: boolean) => string | null | undefined} input more input, after waiting for it up to this many
 *   milliseconds: `undefined` if there is none yet, `null` at its end; an idle program does nothing without it
 * @property {(line: string) => void} output
 * @property {(line: string) => void} error
 */

/**
 * A program that can be started.
 * @param {WebAssembly.Module} module
 * @param {PreopenDirectory} files
 * @param {System} system
 */
export function load(module, files, { args, input, output, error }) {
  const stdin = new Input(input);
  const descriptors = [stdin, ConsoleStdout.lineBuffered(output), ConsoleStdout.lineBuffered(error), files];
  const program = new WASI(args, [], descriptors, { debug: false });
  const instance = /** @type {any} */ (new WebAssembly.Instance(module, {
    wasi_snapshot_preview1: { ...program.wasiImport, poll_oneoff: pollOf(stdin, () => program.inst.exports.memory.buffer) },
  }));
  return { program, instance };
}

/**
 * Runs a program until it ends, and returns its exit status.
 * @param {WebAssembly.Module} module
 * @param {PreopenDirectory} files
 * @param {System} system
 */
export function run(module, files, system) {
  const { program, instance } = load(module, files, system);
  return program.start(instance);
}

/** @param {Record<string, Uint8Array>} files */
export function directory(files) {
  return new PreopenDirectory("/", new Map(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)])));
}

class Input extends Fd {
  #pending = new Uint8Array();
  #ended = false;

  /** @param {System["input"]} input */
  constructor(input) {
    super();
    this.input = input;
  }

  /** True if a read would not wait, after waiting for that up to this many milliseconds. @param {number} longest */
  ready(longest, idle = false) {
    if (this.#pending.length === 0 && !this.#ended) {
      const more = this.input(longest, idle);
      this.#ended = more === null;
      this.#pending = new TextEncoder().encode(more ?? "");
    }
    return this.#ended || this.#pending.length > 0;
  }

  /** @param {number} size */
  fd_read(size) {
    while (!this.ready(Infinity, true));
    const data = this.#pending.subarray(0, size);
    this.#pending = this.#pending.subarray(size);
    return { ret: wasi.ERRNO_SUCCESS, data };
  }

  fd_fdstat_get() {
    return { ret: wasi.ERRNO_SUCCESS, fdstat: new wasi.Fdstat(wasi.FILETYPE_CHARACTER_DEVICE, 0) };
  }
}

/** Waits for input, for a time, or for whichever comes first. @param {Input} stdin @param {() => ArrayBuffer} memory */
function pollOf(stdin, memory) {
  const SUBSCRIPTION_BYTES = 48;
  const EVENT_BYTES = 32;
  const NANOSECONDS = 1e6; // in a millisecond
  return (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ count, /** @type {number} */ found) => {
    const view = new DataView(memory());
    const subscriptions = Array.from({ length: count }, (_, index) => wasi.Subscription.read_bytes(view, from + index * SUBSCRIPTION_BYTES));
    const isClock = (/** @type {{ eventtype: number }} */ { eventtype }) => eventtype === wasi.EVENTTYPE_CLOCK;
    const times = subscriptions.filter(isClock).map(({ clockid, timeout, flags }) => {
      const now = clockid === wasi.CLOCKID_REALTIME ? Date.now() : performance.now();
      return Math.max(0, Number(timeout) / NANOSECONDS - (flags & wasi.SUBCLOCKFLAGS_SUBSCRIPTION_CLOCK_ABSTIME ? now : 0));
    });
    const wait = subscriptions.every(isClock) ? sleep : (/** @type {number} */ longest) => stdin.ready(longest);
    const hasInput = wait(Math.min(...times));
    const happened = subscriptions.filter((subscription) => isClock(subscription) !== hasInput);
    for (const [index, { userdata, eventtype }] of happened.entries()) {
      new wasi.Event(userdata, wasi.ERRNO_SUCCESS, eventtype).write_bytes(view, to + index * EVENT_BYTES);
    }
    view.setUint32(found, happened.length, true);
    return wasi.ERRNO_SUCCESS;
  };
}

// A page that is not cross-origin isolated cannot share this memory, but can wait on it.
const asleep = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);

/** Waits for this many milliseconds; always `false`. @param {number} longest */
export function sleep(longest) {
  return Atomics.wait(asleep, 0, 0, longest) === "ok";
}
