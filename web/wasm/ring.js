/**
 * Messages from one thread to another through shared memory: the receiver can wait for them
 * without returning to its event loop.
 */

/** The longest message, in bytes of UTF-8. */
const LONGEST = 4 << 20;

// A power of two, so that positions stay right when the counters overflow. A message is its length
// in four bytes and its text.
const CAPACITY = 2 * LONGEST;
const PREFIX = 4;

// Bytes ever written and read.
const WRITTEN = 0;
const READ = 1;
const COUNTERS = 8;

/** The time after which a sender looks for room again, in milliseconds. */
const RETRY = 5;

/** An end of a ring; the other end is made from the same buffer. */
export class Ring {
  #counters;
  #bytes;
  /** @type {Uint8Array[]} for which there was no room */
  #unsent = [];

  /** @param {SharedArrayBuffer} buffer of the other end, if there is one */
  constructor(buffer = new SharedArrayBuffer(COUNTERS + CAPACITY)) {
    this.buffer = buffer;
    this.#counters = new Int32Array(buffer, 0, 2);
    this.#bytes = new Uint8Array(buffer, COUNTERS, CAPACITY);
  }

  /** Sends a message without waiting, from a thread that returns to its event loop. @param {string} text */
  send(text) {
    const encoded = new TextEncoder().encode(text);
    if (encoded.length > LONGEST) {
      throw new RangeError(`the message is ${encoded.length} bytes long; at most ${LONGEST} are possible`);
    }
    const message = new Uint8Array(PREFIX + encoded.length);
    new DataView(message.buffer).setUint32(0, encoded.length);
    message.set(encoded, PREFIX);
    this.#unsent.push(message);
    if (this.#unsent.length === 1) {
      this.#flush();
    }
  }

  #flush() {
    for (let message = this.#unsent[0]; message; message = this.#unsent[0]) {
      const written = Atomics.load(this.#counters, WRITTEN);
      const used = (written - Atomics.load(this.#counters, READ)) >>> 0;
      if (message.length > CAPACITY - used) {
        setTimeout(() => this.#flush(), RETRY);
        return;
      }
      const at = (written >>> 0) % CAPACITY;
      const head = message.subarray(0, CAPACITY - at);
      this.#bytes.set(head, at);
      this.#bytes.set(message.subarray(head.length), 0);
      Atomics.store(this.#counters, WRITTEN, written + message.length);
      Atomics.notify(this.#counters, WRITTEN);
      this.#unsent.shift();
    }
  }

  /**
   * The next message, after waiting for it up to this many milliseconds; `undefined` if there is
   * none. Only in a worker, unless the time is 0.
   * @param {number} longest
   * @returns {string | undefined}
   */
  receive(longest) {
    const read = Atomics.load(this.#counters, READ);
    const end = performance.now() + longest;
    // A notification may be that of an earlier message, which was read before it came.
    while (Atomics.load(this.#counters, WRITTEN) === read) {
      const left = end - performance.now();
      if (left <= 0) {
        return undefined;
      }
      Atomics.wait(this.#counters, WRITTEN, read, left);
    }
    const length = new DataView(this.#take(read, PREFIX).buffer).getUint32(0);
    const text = new TextDecoder().decode(this.#take(read + PREFIX, length));
    Atomics.store(this.#counters, READ, read + PREFIX + length);
    return text;
  }

  /** A copy of some bytes. @param {number} from @param {number} length */
  #take(from, length) {
    const bytes = new Uint8Array(length);
    const at = (from >>> 0) % CAPACITY;
    const head = this.#bytes.subarray(at, at + length);
    bytes.set(head);
    bytes.set(this.#bytes.subarray(0, length - head.length), head.length);
    return bytes;
  }
}
