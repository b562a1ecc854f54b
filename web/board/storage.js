/**
 * What the browser remembers for the page: choices, which all tabs share, and the games of this tab, which survive a reload.
 * When the browser is opened again, its first tab resumes the games of the last one.
 */

const PREFIX = "castellan.", TAB = "tab";
/** True if no other tab is open. */
let isFirst = true;

/** @param {string} key @param {unknown} value */
export function store(key, value, storage = () => localStorage) {
  try {
    storage().setItem(PREFIX + key, JSON.stringify(value));
  } catch { /* Nothing is remembered, then. */ }
}

/**
 * The value stored under a key, which may come from an older version of the page, or null.
 * @param {string} key
 * @returns {any}
 */
export function load(key, storage = () => localStorage) {
  try {
    return JSON.parse(storage().getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Takes a lock for as long as the page lives; false if another tab has it.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
const lock = (name) => new Promise((resolve) => {
  const held = navigator.locks.request(PREFIX + name, { ifAvailable: true }, (one) => {
    resolve(one !== null);
    return one && new Promise(() => {});
  });
  held.catch(() => resolve(true));
});

/** Finds out whether other tabs are open, and whether this one is the copy of one of them. Before anything is kept. */
export async function claimTab() {
  if (!navigator.locks) return;
  const tab = load(TAB, () => sessionStorage);
  if (tab === null || !(await lock(`${TAB}.${tab}`))) {
    // A tab that was duplicated has the games of the other.
    try {
      sessionStorage.clear();
    } catch { /* It keeps nothing. */ }
    const name = crypto.randomUUID();
    store(TAB, name, () => sessionStorage);
    await lock(`${TAB}.${name}`);
  }
  isFirst = await lock("first");
}

/**
 * Keeps a game of this tab; one without moves is not resumed by another tab.
 * @param {string} key
 * @param {unknown} value
 * @param {boolean} hasMoves
 */
export function keep(key, value, hasMoves) {
  for (const storage of [() => sessionStorage, ...(hasMoves ? [() => localStorage] : [])]) {
    // Where this one has no room, no earlier game stays, which would be taken for it.
    store(key, null, storage);
    store(key, value, storage);
  }
}

/** A value that this tab has kept, or the last one to be closed. @param {string} key @returns {any} */
export const kept = (key) => load(key, () => sessionStorage) ?? (isFirst ? load(key) : null);
