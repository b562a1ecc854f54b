(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { nodes, heading } = data;
  const end = nodes.length - 1;
  const at = (id) => document.getElementById(id);
  const { make, quoted, facts, player, LABELS, kindOf, unbroken, signed, called, isBlack, short, fillSummary, copy } = Words;
  const { main, subline, nodeAt, before, engineLine, mainPly } = Lines(nodes);
  const graph = Graph(at("graph"), (ply) => go({ line: main, ply }));
  /** The position shown: the number of moves made in a line. */
  let here = { line: main, ply: 0 };
  let flipped = false, arrows = true;
  /** The buttons of moves: element, line and ply. */
  const mainButtons = [];
  let saidButtons = [];

  // The board and what stands around it.

  function evaluation(place) {
    const node = nodeAt(place);
    if (node.points !== undefined) return { points: node.points, label: node.eval ? short(node.eval) : "" };
    if (place.line.kind !== "engine") return { points: null };
    return evaluation({ line: place.line.parent, ply: place.line.branch });
  }

  function bestMove(place) {
    const node = nodeAt(place);
    const next = place.line.kind === "engine" ? place.line.moves[place.ply] : node.line && node.line[0];
    return next ? next.squares : null;
  }

  function drawBoard() {
    const node = nodeAt(here);
    const check = /[+#]$/.test(node.san || "");
    Board.show(at("board"), { fen: node.fen, last: node.squares, arrow: arrows ? bestMove(here) : null, check, flipped });
    at("board").setAttribute("aria-label", node.san ? `Board after ${called(node)}` : "Start position");
    const shown = evaluation(here);
    Board.showEvaluation(at("bar"), { ...shown, flipped });
    at("bar").setAttribute("aria-label", node.eval ? `Evaluation ${signed(node.eval)}` : "Evaluation");
  }

  /** The clock of a side: the last one recorded. */
  function clock(black) {
    for (let place = here; place.ply > 0; place = before(place)) {
      const node = nodeAt(place);
      if (node.clock && isBlack(node) === black) return node.clock;
    }
    return "";
  }

  function fillSide(id, player, black) {
    const side = at(id);
    const name = make("b", [player.title, player.name].filter(Boolean).join(" "));
    side.replaceChildren(make("span", "", black ? "disc black" : "disc"), name, make("span", player.rating, "faint number"));
    const time = clock(black);
    if (time) side.append(make("span", time, "clock"));
    side.classList.toggle("moves", (nodeAt(here).fen.split(" ")[1] === "b") === black);
  }

  function drawSides() {
    fillSide(flipped ? "above" : "below", heading.white, false);
    fillSide(flipped ? "below" : "above", heading.black, true);
  }

  // What is said about the current move.

  function stepButton(line, ply, list) {
    const node = line.moves[ply - 1];
    const number = ply === 1 || !isBlack(node) ? `${node.number} ` : "";
    const button = make("button", "", "step");
    button.append(number + unbroken(node.san));
    if (node.mark) button.append(make("span", node.mark, `mark ${kindOf(node)}`));
    button.addEventListener("click", () => go({ line, ply }));
    list.push({ button, line, ply });
    return button;
  }

  function linePart(title, line, list) {
    const part = make("p", "", "line");
    part.append(make("em", title));
    line.moves.forEach((_, index) => part.append(stepButton(line, index + 1, list), " "));
    return part;
  }

  function describe(node) {
    const title = make("p");
    title.append(make("b", node.san ? `${node.number} ${unbroken(node.san)}${node.mark || ""}` : "Start position"));
    if (node.eval) title.append(make("span", ` ${signed(node.eval)}`, "number"));
    const label = LABELS[node.mark];
    if (label) title.append(make("span", ` ${label}`, `label ${kindOf(node)}`));
    return title;
  }

  function say() {
    const node = nodeAt(here), said = at("said"), { line, ply } = here;
    saidButtons = [];
    said.replaceChildren(describe(node));
    if (line.kind === "engine") {
      said.append(linePart("Engine", line, saidButtons));
    } else {
      if (node.comment) said.append(make("p", node.comment));
      if (line.kind === "variation") said.append(linePart("Variation", line, saidButtons));
      const better = node.costly ? engineLine(before(here)) : null;
      if (better) said.append(linePart("Best", better, saidButtons));
      const next = engineLine(here);
      if (next) said.append(linePart("Engine", next, saidButtons));
    }
    if (line === main && ply === end && heading.result !== "*") {
      said.append(make("p", [heading.result, heading.termination].filter(Boolean).join(" · ")));
    }
    if (line !== main) {
      const leaving = make("button", "Back to the game");
      leaving.id = "leave";
      leaving.title = "Back to the game (Esc)";
      leaving.addEventListener("click", leave);
      said.prepend(leaving);
    }
    said.scrollTop = 0;
    at("now").textContent = node.san ? called(node) : "Start";
  }

  // The moves.

  function show(button) {
    let list = button.parentElement;
    while (list && !/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement;
    // On upright screens only the page scrolls, and it stays where the reader has put it.
    if (!list || list === document.body) return;
    const top = button.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (top < 0 || top + button.offsetHeight > list.clientHeight)
      list.scrollTop += top - (list.clientHeight - button.offsetHeight) / 2;
  }

  function mark(list) {
    for (const { button, line, ply } of list) {
      const now = line === here.line && ply === here.ply;
      button.classList.toggle("here", now);
      if (now) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (now) show(button);
    }
  }

  /** The alternatives to a move and those inside them; `place` is that of the move. */
  function variationParts(place) {
    const start = before(place);
    return (nodeAt(place).variations || []).map(({ moves, engine, comment }) => {
      const line = subline("variation", moves, start.line, start.ply);
      const part = make("div", "", "variation line");
      part.append(make("em", engine ? "Engine" : "Variation"));
      if (comment) part.append(quoted(comment, "faint"), " ");
      moves.forEach((node, index) => {
        part.append(stepButton(line, index + 1, mainButtons), " ");
        if (node.comment) part.append(quoted(node.comment, "faint"), " ");
        part.append(...variationParts({ line, ply: index + 1 }));
      });
      return part;
    });
  }

  function listMoves() {
    const list = at("moves");
    let whiteMissing = true;
    if (nodes[0].comment) list.append(make("p", nodes[0].comment, "aside"));
    main.moves.forEach((node, index) => {
      const place = { line: main, ply: index + 1 };
      if (!isBlack(node)) list.append(make("i", node.number));
      else if (whiteMissing) list.append(make("i", node.number.replace("...", ".")), make("span", "…", "gap"));
      const name = make("b", unbroken(node.san));
      if (node.mark) name.append(make("span", node.mark, kindOf(node)));
      const button = make("button");
      button.append(name, make("small", node.eval ? signed(node.eval) : ""));
      button.dataset.place = place.ply;
      button.addEventListener("click", () => go(place));
      mainButtons.push({ button, ...place });
      list.append(button);
      const parts = variationParts(place);
      if (node.comment) parts.unshift(make("p", node.comment));
      whiteMissing = isBlack(node) || parts.length > 0;
      if (!parts.length) return;
      if (!isBlack(node)) list.append(make("span", "…", "gap"));
      const aside = make("div", "", "aside");
      aside.append(...parts);
      list.append(aside);
    });
  }

  // The report.

  function listMoments() {
    at("decided").hidden = data.moments.length === 0;
    for (const number of data.moments) {
      const node = nodes[number], earlier = nodes[number - 1];
      const button = make("button");
      button.append(make("b", called(node), kindOf(node)));
      const values = earlier.eval && node.eval ? ` ${signed(earlier.eval)} → ${signed(node.eval)}` : "";
      const best = earlier.line ? ` Best: ${unbroken(earlier.line[0].san)}` : "";
      button.append(make("span", values + best));
      button.dataset.place = number;
      button.addEventListener("click", () => go({ line: main, ply: number }));
      const item = make("li");
      item.append(button);
      at("moments").append(item);
    }
  }

  // Moving about.

  function go(place) {
    const last = place.line.moves.length;
    const ply = Math.min(Math.max(place.ply, 0), last);
    here = ply === 0 && place.line.parent ? before({ line: place.line, ply }) : { line: place.line, ply };
    const current = mainPly(here);
    drawBoard();
    drawSides();
    say();
    graph.mark(current, at("now").textContent);
    at("first").disabled = at("back").disabled = here.ply === 0;
    at("last").disabled = at("forward").disabled = here.ply === here.line.moves.length;
    mark(mainButtons);
    mark(saidButtons);
    document.body.dataset.place = current;
    document.body.dataset.line = here.line.kind;
  }

  const forward = () => go({ line: here.line, ply: here.ply + 1 });
  const back = () => go(before(here));
  const first = () => go({ line: main, ply: 0 });
  const last = () => go({ line: here.line, ply: here.line.moves.length });

  /** Back to the game, where a variation left it. */
  function leave() {
    go({ line: main, ply: mainPly(here) });
  }

  /** Goes to the next key moment in a direction. */
  function leap(direction) {
    const ahead = data.moments.filter((moment) => (moment - mainPly(here)) * direction > 0);
    if (ahead.length) go({ line: main, ply: direction > 0 ? ahead[0] : ahead[ahead.length - 1] });
  }

  function enterEngineLine() {
    const line = here.line.kind === "engine" ? null : engineLine(here);
    if (line) go({ line, ply: 1 });
  }

  function flip() {
    flipped = !flipped;
    drawSides();
    drawBoard();
  }

  function toggleArrow() {
    arrows = !arrows;
    at("arrow").setAttribute("aria-pressed", arrows);
    drawBoard();
  }

  const keys = {
    ArrowRight: forward, ArrowLeft: back, Home: first, End: last,
    ArrowUp: () => leap(-1), ArrowDown: () => leap(1),
    Escape: leave, e: enterEngineLine, f: flip, a: toggleArrow,
  };
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  at("board").addEventListener("click", (event) => {
    const box = at("board").getBoundingClientRect();
    if (event.clientX < box.left + box.width / 2) back();
    else forward();
  });
  at("first").addEventListener("click", first);
  at("back").addEventListener("click", back);
  at("forward").addEventListener("click", forward);
  at("last").addEventListener("click", last);
  at("flip").addEventListener("click", flip);
  at("arrow").addEventListener("click", toggleArrow);
  at("copy-fen").addEventListener("click", () => copy(at("copy-fen"), nodeAt(here).fen));
  at("copy-pgn").addEventListener("click", () => copy(at("copy-pgn"), data.pgn));

  at("players").append(...player(heading.white), " – ", ...player(heading.black));
  if (heading.result !== "*") at("players").append(" ", make("span", heading.result, "result"));
  const opening = [heading.eco, heading.opening].filter(Boolean).join(" ");
  const round = heading.round && `round ${heading.round}`;
  const occasion = [heading.event, round, heading.site, heading.date, heading.time_control, opening];
  at("occasion").append(...facts(occasion));
  at("credit").textContent = `Annotated by ${data.program}.`;
  at("to-index").hidden = location.search !== "?index";
  listMoves();
  listMoments();
  fillSummary(at("summary"), data.white, data.black);
  graph.set(nodes);
  go({ line: main, ply: parseInt(location.hash.slice(1), 10) || 0 });
})();
