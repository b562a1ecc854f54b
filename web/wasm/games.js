/** The games that were played here, by the names of their files, in the database of the browser. */

/** A change of a file, from what the session has read. @typedef {{ name: string, before: Uint8Array | null, pgn: Uint8Array | null }} Change */

/** Begins a message to the worker with a file as another tab has kept it: `{ name, text }`. */
export const FILE = "file ";

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

/** @param {Uint8Array | null} one @param {Uint8Array | null} other */
const isSame = (one, other) => one === other || (one?.length === other?.length && one?.every((byte, index) => byte === other?.[index]));

/**
 * Keeps a game in the place of what the session has read; one that is null is deleted. Resolves to what another tab has kept
 * instead, if it has, which then stays, and to `undefined` once the game is kept.
 * @param {Change} change
 * @returns {Promise<{ present: Uint8Array } | undefined>}
 */
export async function keepGame({ name, before, pgn }) {
  const transaction = await begin("readwrite"), store = transaction.objectStore(STORE);
  return new Promise((resolve, reject) => {
    /** @type {{ present: Uint8Array } | undefined} */
    let other;
    const read = store.get(name);
    read.onsuccess = () => {
      const present = read.result ?? null;
      // A game that was deleted is kept again.
      if (present && !isSame(present, before) && !isSame(present, pgn)) other = { present };
      else if (pgn) store.put(pgn, name);
      else store.delete(name);
      // At once: a page that is left now has no time for more.
      transaction.commit();
    };
    transaction.oncomplete = () => resolve(other);
    transaction.onabort = () => reject(transaction.error);
  });
}
