/** Loads the files beside the scripts, in a browser or in Node. */

/** An address as the page or the script that runs understands it. @param {string | URL} url */
export const resolved = (url) => new URL(url, globalThis.location?.href ?? import.meta.url);

/** @param {string} name of a module of Node @returns {Promise<any>} */
export const node = (name) => import(/* @vite-ignore */ `node:${name}`);

/** @param {URL} url of a file that is not a page @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function load(url) {
  if (url.protocol === "file:") {
    return (await node("fs/promises")).readFile(url);
  }
  const response = await fetch(url);
  // A server may answer for a missing file with a page.
  if (!response.ok || response.headers.get("content-type")?.startsWith("text/html")) {
    throw new Error(`cannot load ${url}: ${response.ok ? "found a page" : `status ${response.status}`}; the option 'url' says where it is`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
