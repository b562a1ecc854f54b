"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const places = game.positions;
  const end = places.length - 1;
  const drawing = "http://www.w3.org/2000/svg";
  const at = (id) => document.getElementById(id);
  let here = 0;
  let flipped = false;

  function make(name, text, kind) {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }

  function draw(parent, name, attributes) {
    const shape = document.createElementNS(drawing, name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    parent.append(shape);
    return shape;
  }

  const severity = (mark) => (mark === "?!" ? "dubious" : mark.includes("?") ? "bad" : "");
  const called = (place) => `${place.number} ${place.san}${place.mark}`;
  /** Keeps O-O from being broken at the end of a line. */
  const unbroken = (moves) => moves.replaceAll("-", "\u2011");
  const signed = (value) => (value.startsWith("#") || value.startsWith("-") ? value : `+${value}`);

  /** The pieces of a FEN's first field, from a8 to h1. */
  function pieces(board) {
    const squares = [];
    for (const letter of board) {
      if (letter === "/") continue;
      if (letter >= "1" && letter <= "8") squares.push(...Array(Number(letter)).fill(""));
      else squares.push(letter);
    }
    return squares;
  }

  function drawBoard() {
    const board = at("board");
    board.replaceChildren();
    const [from, to] = places[here].squares;
    pieces(places[here].board).forEach((piece, index) => {
      const file = index % 8, down = Math.floor(index / 8);
      const name = "abcdefgh"[file] + (8 - down);
      const x = 100 * (flipped ? 7 - file : file), y = 100 * (flipped ? 7 - down : down);
      const light = (file + down) % 2 === 0;
      const kind = name === from ? "from" : name === to ? "to" : light ? "light" : "dark";
      draw(board, "rect", { x, y, width: 100, height: 100, class: kind });
      const marked = name === from || name === to;
      const ink = marked ? "on-marked" : light ? "on-light" : "on-dark";
      if (x === 0) draw(board, "text", { x: 5, y: y + 20, class: ink }).textContent = 8 - down;
      if (y === 700) draw(board, "text", { x: x + 84, y: 793, class: ink }).textContent = name[0];
      if (piece) {
        const side = piece === piece.toUpperCase() ? "white" : "black";
        const shape = draw(board, "use", { href: `#${piece.toLowerCase()}`, class: `piece ${side}` });
        shape.setAttribute("transform", `translate(${x} ${y})`);
      }
    });
    board.setAttribute("aria-label", here ? `Board after ${called(places[here])}` : "Start position");
    board.dataset.position = places[here].board;
  }

  function side(id, name, play) {
    at(id).replaceChildren(make("b", name), make("span", play || ""));
  }

  function drawSides() {
    side(flipped ? "above" : "below", `♔ ${game.white}`, game.white_play);
    side(flipped ? "below" : "above", `♚ ${game.black}`, game.black_play);
  }

  function say() {
    const place = places[here];
    const said = at("said");
    said.replaceChildren();
    const line = make("p");
    line.append(make("b", here ? called(place) : "Start position"));
    if (place.eval) line.append(make("span", ` ${signed(place.eval)}`));
    said.append(line);
    if (place.better) said.append(make("p", `Best: ${unbroken(place.better)}`));
    if (place.comment) said.append(make("p", place.comment));
    if (here === end) said.append(make("p", game.result));
    at("now").textContent = here ? `${place.number} ${place.san}` : "Start";
  }

  const left = (number) => `${(100 * number) / Math.max(end, 1)}%`;

  function go(number) {
    here = Math.min(Math.max(number, 0), end);
    drawBoard();
    say();
    at("marker").style.left = left(here);
    at("first").disabled = at("back").disabled = here === 0;
    at("last").disabled = at("forward").disabled = here === end;
    for (const button of at("moves").querySelectorAll("button")) {
      const now = Number(button.dataset.place) === here;
      button.classList.toggle("here", now);
      if (now) show(button);
    }
    document.body.dataset.place = here;
  }

  /** Scrolls the list of moves, never the page. */
  function show(button) {
    const list = at("moves");
    const top = button.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + button.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top + button.offsetHeight - list.clientHeight;
  }

  function flip() {
    flipped = !flipped;
    drawSides();
    drawBoard();
  }

  /** Goes to the next key moment in a direction. */
  function leap(direction) {
    const ahead = game.moments.filter((moment) => (moment - here) * direction > 0);
    if (ahead.length) go(direction > 0 ? ahead[0] : ahead[ahead.length - 1]);
  }

  function button(number, parts) {
    const made = make("button");
    made.append(...parts);
    made.dataset.place = number;
    made.addEventListener("click", () => go(number));
    return made;
  }

  function listMoves() {
    const list = at("moves");
    places.forEach((place, number) => {
      if (number === 0) return;
      const black = place.number.endsWith("...");
      if (!black) list.append(make("i", place.number));
      else if (number === 1) list.append(make("i", place.number.replace("...", ".")), make("span", "…"));
      const name = make("span", place.san);
      if (place.mark) name.append(make("span", place.mark, severity(place.mark)));
      list.append(button(number, [name, make("small", place.eval ? signed(place.eval) : "")]));
    });
  }

  function listMoments() {
    at("decided").hidden = game.moments.length === 0;
    for (const number of game.moments) {
      const place = places[number], before = places[number - 1];
      const item = make("li");
      const name = make("b", called(place), severity(place.mark));
      const values = before.eval && place.eval ? ` ${signed(before.eval)} → ${signed(place.eval)}` : "";
      const better = place.better ? ` Best: ${unbroken(place.better)}` : "";
      item.append(button(number, [name, make("span", values + better)]));
      at("moments").append(item);
      const dot = make("i", "", "moment");
      dot.style.left = left(number);
      dot.style.top = `${100 * (1 - place.points)}%`;
      at("graph").append(dot);
    }
  }

  function drawGraph() {
    const box = at("graph").querySelector("svg");
    const width = Math.max(end, 1);
    box.setAttribute("viewBox", `0 0 ${width} 1`);
    const heights = places.map((place, number) => `L${number} ${1 - place.points}`);
    if (end === 0) heights.push(`L1 ${1 - places[0].points}`);
    box.querySelector("path").setAttribute("d", `M0 1${heights.join("")}L${width} 1Z`);
    const even = { x1: 0, x2: width, y1: 0.5, y2: 0.5 };
    for (const [key, value] of Object.entries(even)) box.querySelector("line").setAttribute(key, value);
  }

  const keys = {
    ArrowRight: () => go(here + 1),
    ArrowLeft: () => go(here - 1),
    Home: () => go(0),
    End: () => go(end),
    ArrowUp: () => leap(-1),
    ArrowDown: () => leap(1),
    f: flip,
  };
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  const share = (event, element) => {
    const box = element.getBoundingClientRect();
    return (event.clientX - box.left) / box.width;
  };
  at("board").addEventListener("click", (event) => go(here + (share(event, at("board")) < 0.5 ? -1 : 1)));
  at("graph").addEventListener("click", (event) => go(Math.round(share(event, at("graph")) * end)));
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(here - 1));
  at("forward").addEventListener("click", () => go(here + 1));
  at("last").addEventListener("click", () => go(end));
  at("flip").addEventListener("click", flip);

  at("players").textContent = `${game.white} – ${game.black}  ${game.result}`;
  at("occasion").textContent = game.occasion;
  listMoves();
  listMoments();
  drawGraph();
  drawSides();
  go(Number(location.hash.slice(1)) || 0);
})();
