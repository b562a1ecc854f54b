/** The games that were played here, by the names of their files, in the database of the browser. */

const STORE = "games";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @type {IDBDatabase | undefined} stays open, so that a change does not wait */
let database;

/** @param {IDBTransactionMode} mode */
async function begin(mode) {
  if (!database) {
    const request = indexedDB.open("castellan", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    database = await done(request);
    database.onclose = () => {
      database = undefined;
    };
  }
  return database.transaction(STORE, mode);
}

/** @returns {Promise<[string, Uint8Array][]>} */
export async function loadGames() {
  try {
    const store = (await begin("readonly")).objectStore(STORE);
    const [names, games] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return names.map((name, index) => [String(name), games[index]]);
  } catch {
    return []; // The browser keeps nothing for this page.
  }
}

/** Keeps a game; one that is null is deleted. @param {string} name @param {Uint8Array | null} pgn */
export async function keepGame(name, pgn) {
  try {
    const transaction = await begin("readwrite"), store = transaction.objectStore(STORE);
    const changed = pgn ? done(store.put(pgn, name)) : done(store.delete(name));
    // At once: a page that is left now has no time for more.
    transaction.commit();
    await changed;
  } catch { /* Then it lasts as long as the page. */ }
}
