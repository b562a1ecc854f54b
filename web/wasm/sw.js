/**
 * The service worker of the static page: keeps its files, so that it works without a network, and gives them the headers with
 * which the page is cross-origin isolated.
 */

/** Both are set by `scripts/web.sh`. */
const VERSION = "@VERSION@", FILES = "@FILES@".split(" ");
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
};
const worker = /** @type {any} */ (self);

async function install() {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
  await worker.skipWaiting();
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith("castellan-") && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.match(request, { cacheName: VERSION, ignoreSearch: true });
  const { body, status, statusText, headers } = kept ?? await fetch(request);
  return new Response(body, { status, statusText, headers: { ...Object.fromEntries(headers), ...HEADERS } });
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(worker.registration.scope)) event.respondWith(answer(request));
});
