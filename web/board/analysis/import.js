/** Games of a user of lichess.org or chess.com. Nothing is sent before the user asks for it. */
import { element } from "../../shared/dom.js";
import { names, setNames } from "../games/games.js";

const GET = "Get the games";

/** @param {string} address @param {Record<string, string>} [headers] */
async function fetchFrom(address, headers = {}) {
  const host = new URL(address).host;
  const unreachable = () => {
    throw new Error(`${host} cannot be reached`);
  };
  const answer = await fetch(address, { headers, credentials: "omit", referrerPolicy: "no-referrer" }).catch(unreachable);
  if (answer.status === 404) throw new Error("there is no such user");
  if (!answer.ok) throw new Error(`the answer is ${answer.status} ${answer.statusText}`);
  return answer;
}

/** @type {Record<string, (name: string, count: number) => Promise<string>>} */
const SITES = {
  "lichess.org": async (name, count) => {
    const address = `https://lichess.org/api/games/user/${encodeURIComponent(name)}?max=${count}&clocks=true`;
    return (await fetchFrom(address, { Accept: "application/x-chess-pgn" })).text();
  },
  // Month by month, in files with the earliest game first.
  "chess.com": async (name, count) => {
    const user = `https://api.chess.com/pub/player/${encodeURIComponent(name.toLowerCase())}/games/`;
    const { archives } = await (await fetchFrom(`${user}archives`)).json();
    const months = archives.map((/** @type {unknown} */ month) => /\/(\d{4}\/\d{2})$/.exec(String(month))?.[1]).filter(Boolean);
    /** @type {string[]} */
    const games = [];
    while (games.length < count && months.length) {
      const month = await (await fetchFrom(`${user}${months.pop()}/pgn`)).text();
      games.push(...month.split(/^(?=\[Event )/m).filter((game) => game.trim()).reverse());
    }
    return games.slice(0, count).join("\n\n");
  },
};

/**
 * `load` gets the PGN, `fail` why there is none.
 * @param {(pgn: string) => void} load
 * @param {(why: string) => void} fail
 * @param {number} most games, and how many unless the user says otherwise
 */
export function importForm(load, fail, most = 500, usual = 100) {
  const site = element("select", { "aria-label": "Site", onchange: draw }, ...Object.keys(SITES).map((name) => element("option", {}, name)));
  const name = element("input", { type: "text", "aria-label": "User name", placeholder: "User name", autocomplete: "off", spellcheck: "false", required: true });
  const count = element("input", { type: "number", "aria-label": "Number of games", min: 1, max: most, value: usual, required: true });
  const note = element("p", { class: "faint" }), get = element("button", {}, GET);
  const own = element("input", { type: "checkbox" });
  const form = element("form", { class: "import", onsubmit: submit }, note, element("div", { class: "row" }, site, name, count, get),
    element("label", {}, own, " This is my name there."));
  const key = () => (site.value === "chess.com" ? "chess_com" : "lichess");

  function draw() {
    name.value = names[key()];
    own.checked = !names[key()];
    const host = site.value === "chess.com" ? "api.chess.com" : site.value;
    note.textContent = `Your browser asks ${host} for the public games of this user: it sends the name, the number and, like every `
      + "request, your network address. Nothing else on this page uses the network.";
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    // Another site may be chosen before the games are here.
    const host = site.value, field = key(), user = name.value.trim(), isOwn = own.checked;
    get.disabled = true;
    get.textContent = "Getting them…";
    fail("");
    try {
      const pgn = await SITES[host](user, Number(count.value));
      if (pgn.trim()) {
        if (isOwn && user !== names[field]) setNames({ [field]: user });
        load(pgn);
      } else fail(`${host} has no games of ${user}.`);
    } catch (error) {
      fail(`No games from ${host}: ${error instanceof Error ? error.message : error}.`);
    }
    get.disabled = false;
    get.textContent = GET;
  }

  return element("details", { ontoggle: draw }, element("summary", {}, "From lichess.org or chess.com…"), form);
}
