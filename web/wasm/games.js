/** The games that were played here, by the names of their files, in the database of the browser. */

const STORE = "games";

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @param {IDBTransactionMode} mode */
async function open(mode) {
  const request = indexedDB.open("castellan", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return (await done(request)).transaction(STORE, mode).objectStore(STORE);
}

/** @returns {Promise<[string, Uint8Array][]>} */
export async function loadGames() {
  try {
    const store = await open("readonly");
    const [names, games] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return names.map((name, index) => [String(name), games[index]]);
  } catch {
    return []; // The browser keeps nothing for this page.
  }
}

/**
 * Keeps a game; one that is null is deleted.
 * @param {string} name
 * @param {Uint8Array | null} pgn
 */
export async function keepGame(name, pgn) {
  try {
    const store = await open("readwrite");
    await (pgn ? done(store.put(pgn, name)) : done(store.delete(name)));
  } catch { /* Then it lasts as long as the page. */ }
}
