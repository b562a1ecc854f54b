(() => {
  const games = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const body = at("games").tBodies[0];

  const { make, quoted, player } = Words;

  const number = (game) => Number(game.page.replace(/\D/g, ""));
  const percent = (side) => (side.accuracy === null ? "" : `${side.accuracy.toFixed(1)} %`);
  const opening = ({ heading }) => [heading.eco, heading.opening].filter(Boolean).join(" ");

  function cellOf(...parts) {
    const cell = make("td");
    cell.append(...parts);
    return cell;
  }

  const textCell = (text) => (text ? cellOf(quoted(text)) : make("td"));

  function resultCell(game) {
    const link = make("a", game.heading.result);
    link.href = `${game.page}?index`;
    link.setAttribute("aria-label", `Game ${number(game)}: ${game.heading.white.name} – ${game.heading.black.name}, ${game.heading.result}`);
    return cellOf(link);
  }

  function numberCell(text, title = "") {
    const cell = make("td", text, "number");
    cell.dataset.title = title;
    return cell;
  }

  /** Title, sort key and cell of each column. */
  const columns = [
    ["#", number, (game) => make("td", String(number(game)), "number")],
    ["White", (game) => game.heading.white.name, (game) => cellOf(...player(game.heading.white))],
    ["Result", (game) => game.heading.result, resultCell],
    ["Black", (game) => game.heading.black.name, (game) => cellOf(...player(game.heading.black))],
    ["Moves", (game) => game.moves, (game) => numberCell(String(game.moves))],
    ["Date", (game) => game.heading.sortable_date, (game) => textCell(game.heading.date)],
    ["Event", (game) => game.heading.event, (game) => textCell(game.heading.event)],
    ["Opening", opening, (game) => textCell(opening(game))],
    ["White acc.", (game) => game.white.accuracy, (game) => numberCell(percent(game.white), "White ")],
    ["Black acc.", (game) => game.black.accuracy, (game) => numberCell(percent(game.black), "Black ")],
  ];

  const rows = games.map((game) => {
    const row = make("tr");
    row.append(...columns.map(([, , cell]) => cell(game)));
    row.addEventListener("click", (event) => {
      if (!event.target.closest("a")) row.querySelector("a").click();
    });
    const { white, black, event, site, date, result } = game.heading;
    const words = [white.name, black.name, event, site, date, result, opening(game)].join(" ").toLowerCase();
    return { game, row, words };
  });
  let sorted = { column: 0, up: true };

  function compare(one, other) {
    if (typeof one === "number" || typeof other === "number") return (one ?? -1) - (other ?? -1);
    return one.localeCompare(other);
  }

  function list() {
    const words = at("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter((row) => words.every((word) => row.words.includes(word)));
    const [, key] = columns[sorted.column];
    const direction = sorted.up ? 1 : -1;
    shown.sort((one, other) => direction * compare(key(one.game), key(other.game)) || number(one.game) - number(other.game));
    body.replaceChildren(...shown.map(({ row }) => row));
    at("count").textContent = shown.length === rows.length ? `${rows.length} games` : `${shown.length} of ${rows.length} games`;
    [...at("games").tHead.rows[0].cells].forEach((cell, column) => {
      if (column === sorted.column) cell.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
  }

  columns.forEach(([title], column) => {
    const button = make("button", title);
    button.addEventListener("click", () => {
      sorted = { column, up: sorted.column === column ? !sorted.up : true };
      list();
    });
    const cell = make("th");
    cell.append(button);
    at("games").tHead.rows[0].append(cell);
  });
  at("filter").addEventListener("input", list);
  list();
})();
