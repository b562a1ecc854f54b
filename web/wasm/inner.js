/** The worker in which the program runs. */
/** @import { Message, Task } from "./engine.js" */
import { Ring } from "./ring.js";
import { directory, run, sleep } from "./wasi.js";

/** @param {Task} task @param {(message: Message) => void} post */
function execute({ module, network, args, ring, input: lines }, post) {
  const receiver = ring && new Ring(ring);
  let left = lines;
  /** @param {number} longest @param {boolean} idle */
  const input = (longest, idle) => {
    if (receiver) {
      const line = receiver.receive(longest);
      return line === "" ? null : line;
    }
    const all = left;
    left = undefined;
    if (all !== undefined || idle) {
      return all ?? null;
    }
    sleep(longest); // The search ends by itself, or with this worker.
    return undefined;
  };
  const status = run(module, directory({ "castellan.net": network }), {
    args: ["castellan", ...args],
    input,
    output: (line) => post({ line }),
    error: (line) => console.error(line),
  });
  post({ status });
}

if ("process" in globalThis) {
  const port = "node:worker_threads";
  import(port).then(({ parentPort }) => {
    parentPort.once("message", (/** @type {Task} */ task) => execute(task, (message) => parentPort.postMessage(message)));
  });
} else {
  onmessage = ({ data }) => execute(data, (message) => postMessage(message));
}
