#!/usr/bin/env node
/**
 * Castellan, a UCI chess engine. `new Worker("castellan.js")` takes and posts lines as messages; `node castellan.js` has them on
 * standard input and output, and takes UCI commands as arguments.
 *
 * A page whose server sends the headers of cross-origin isolation has the whole of UCI. On others the engine starts anew for every
 * search, with an empty hash table.
 */
const load = import("./engine.js");

if ("process" in globalThis) {
  load.then(({ runInNode }) => runInNode());
} else {
  const engine = load.then(({ start }) => start({ output: postMessage, ended: close }));
  engine.catch((error) => postMessage(`info string error: ${error.message}`));
  onmessage = async ({ data }) => (await engine).send(String(data));
}
