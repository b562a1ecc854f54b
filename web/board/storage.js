/** What the browser remembers for the page. */

const PREFIX = "castellan.";

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
