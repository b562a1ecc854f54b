/** The frame of the page: the connection to the server, the tabs of the modes, messages. */
const App = (() => {
  const FIRST_DELAY = 250, LONGEST_DELAY = 4000, TOAST_TIME = 5000;
  const modes = new Map();
  let socket = null, delay = FIRST_DELAY, shown = "", connected = false, toastTimer = 0;

  const byId = (id) => document.getElementById(id);

  /** An element with attributes (`on…` are listeners, `class` and so on strings, true or false) and children (nodes or text). */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  /**
   * A mode has `event(event)`, and may have `connected()`, `shown()` and `hidden()`. With `ready()` it cannot be used
   * until that is true.
   */
  function register(name, mode) {
    modes.set(name, mode);
    updateInert(name);
  }

  function updateInert(name) {
    const { ready } = modes.get(name);
    byId(name).inert = Boolean(ready) && !ready();
  }

  /** Returns whether the request was sent; without a connection it is not kept. */
  function send(mode, request) {
    const open = socket !== null && socket.readyState === WebSocket.OPEN;
    if (open) socket.send(JSON.stringify({ mode, request }));
    return open;
  }

  function toast(text) {
    const box = byId("toast");
    box.textContent = text;
    box.classList.add("shown");
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => box.classList.remove("shown"), TOAST_TIME);
  }

  function store(key, value) {
    try {
      localStorage.setItem(`castellan.${key}`, JSON.stringify(value));
    } catch { /* Nothing is remembered, then. */ }
  }

  function load(key) {
    try {
      return JSON.parse(localStorage.getItem(`castellan.${key}`));
    } catch {
      return null;
    }
  }

  /** Without a connection `text` says why. */
  function showConnection(text) {
    const banner = byId("connection");
    document.body.toggleAttribute("data-connected", text === "");
    banner.hidden = text === "";
    banner.textContent = text;
  }

  function connect() {
    const token = encodeURIComponent(new URLSearchParams(location.search).get("token") || "");
    socket = new WebSocket(`ws://${location.host}/socket?token=${token}`);
    socket.onmessage = (message) => receive(JSON.parse(message.data));
    socket.onclose = (event) => {
      connected = false;
      const reason = event.reason ? ` (${event.reason})` : "";
      showConnection(`No connection to castellan-board${reason}. Start it again, and the page continues; nothing is lost.`);
      setTimeout(connect, delay);
      delay = Math.min(2 * delay, LONGEST_DELAY);
    };
  }

  function receive({ mode, event }) {
    if (mode !== "session") {
      const receiver = modes.get(mode);
      if (!receiver) return;
      receiver.event(event);
      updateInert(mode);
    } else if (event.type === "hello") {
      delay = FIRST_DELAY;
      connected = true;
      showConnection("");
      for (const one of modes.values()) if (one.connected) one.connected(event);
      send("show", shown);
    } else {
      toast(event.text);
    }
  }

  /** Shows a mode; the address remembers it. */
  function show(name) {
    if (!modes.has(name) || name === shown) return;
    const before = modes.get(shown);
    shown = name;
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const selected = tab.dataset.mode === name;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      byId(tab.dataset.mode).hidden = !selected;
    }
    history.replaceState(null, "", `#${name}`);
    if (before && before.hidden) before.hidden();
    if (connected) send("show", name);
    const now = modes.get(name);
    if (now.shown) now.shown();
  }

  function start() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const tab of tabs) {
      tab.addEventListener("click", () => show(tab.dataset.mode));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
        next.focus();
        show(next.dataset.mode);
      });
    }
    addEventListener("hashchange", () => show(location.hash.slice(1)));
    show(location.hash.slice(1));
    if (!shown) show(modes.keys().next().value);
    connect();
  }

  return { element, register, send, toast, store, load, show, start };
})();
