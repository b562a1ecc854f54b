/** The mode Analyze: a game with variations, the lines of the engine, and the annotation of the game. */
const Analysis = (() => {
  const MAX_BYTES = 3_500_000, MAX_ARROWS = 3;
  const ASSESSMENTS = [["", "–"], [1, "!"], [2, "?"], [3, "!!"], [4, "??"], [5, "!?"], [6, "?!"]];
  const EFFORTS = [[100_000, "Quick"], [400_000, "Normal"], [1_000_000, "Thorough"], [5_000_000, "Deep"]];
  const { element } = App;
  const { make, facts, player, unbroken, called, short, signed, LABELS, kindOf, fillSummary, copy } = Words;
  const section = document.getElementById("analysis");
  const send = (request) => App.send("analysis", request);
  let game = null, position = null;
  /** The lines of the position shown, if there are any. */
  let live = null;
  let engine = { on: false, lines: Number(App.load("analysis.lines")) || 3 };
  /** The position after a move of a line that is pointed at. */
  let preview = null, previewed = null;
  let flipped = false, arrows = true, isAnnotating = false;
  /** What the next error is about: "fen", "pgn" or nothing. */
  let pending = "";
  /** Why a move is illegal, with marks and arrows. */
  let illegal = null;

  // The parts of the page.

  const button = (text, label, onclick, attributes = {}) =>
    element("button", { type: "button", title: label, "aria-label": label, onclick, ...attributes }, text);
  const bar = element("div", { role: "img" });
  const boardBox = element("div", {});
  const board = Chessboard(boardBox, {
    move: (from, to, promotion, move) => send({ type: "move", uci: move.uci }),
    illegal: (from, to) => send({ type: "explain", from, to }),
    typed: (words) => send({ type: "typed", text: words }),
  });
  // After the pointer the arrow keys walk through the game again.
  boardBox.addEventListener("pointerup", () => setTimeout(() => {
    if (document.activeElement.getAttribute("role") === "gridcell") document.activeElement.blur();
  }));

  const now = element("output", { "aria-live": "polite" });
  const first = button("«", "Go to the start (Home)", () => go(0));
  const back = button("‹", "Previous move (←)", () => go(parentOf()));
  const forward = button("›", "Next move (→)", () => go(childOf()));
  const last = button("»", "Go to the end (End)", () => go(lastOf()));
  const arrowButton = button("↗", "Show the best moves (A)", toggleArrows, { "aria-pressed": "true" });
  const steps = element("nav", { class: "steps", "aria-label": "Navigation" }, first, back, now, forward, last, arrowButton,
    button("⇅", "Flip the board (F)", flip));

  const enginePanel = element("section", { class: "card engine", "aria-label": "Engine" });
  const engineLines = EngineLines(enginePanel, {
    engine: (on, lines) => {
      App.store("analysis.lines", lines);
      // Without a connection it is sent when there is one.
      engine = { on, lines };
      send({ type: "engine", on, lines });
    },
    play: (moves) => {
      showPreview(null);
      send({ type: "line", moves });
    },
    preview: showPreview,
  });

  const players = element("h2", { class: "players" }), occasion = element("p", { class: "faint occasion" });
  const movesBox = element("div", { "aria-label": "Moves", role: "group" });
  const tree = MoveTree(movesBox, (id) => go(id));
  const hint = element("p", { class: "faint hint" }, "Play moves on the board, or open a game. A different move becomes a variation.");
  const assessment = element("select", { "aria-label": "Assessment", onchange: assess },
    ...ASSESSMENTS.map(([nag, symbol]) => element("option", { value: nag }, symbol)));
  const comment = element("input", { type: "text", placeholder: "Comment", "aria-label": "Comment", autocomplete: "off", onchange: writeComment });
  const promote = button("Promote", "Make this variation the main line", () => send({ type: "promote", node: position.node }));
  const remove = button("Delete", "Delete this move and all that follow", () => send({ type: "delete", node: position.node }));
  const undo = button("Undo", "Undo the last change of the game", () => send({ type: "undo" }));
  const gamePanel = element("section", { class: "card game", "aria-label": "Game" },
    element("div", { class: "heading" }, players, occasion), hint, movesBox,
    element("div", { class: "edit" }, assessment, comment), element("div", { class: "buttons" }, promote, remove, undo));

  const graphBox = element("div", { role: "slider", tabindex: "0", "aria-label": "Move; the graph shows White's expected score", "aria-valuemin": "0" });
  const graph = Graph(graphBox, (ply) => go(tree.mainLine()[ply].id));
  const summary = element("table", {});
  const efforts = element("select", { "aria-label": "Effort" }, ...EFFORTS.map(([nodes, name]) =>
    element("option", { value: nodes, title: `${nodes.toLocaleString("en")} nodes per position` }, name)));
  efforts.value = "400000";
  const start = element("button", { type: "button", class: "primary", onclick: annotate }, "Annotate game");
  const bargraph = element("progress", { "aria-label": "Annotation", max: "1", value: "0" });
  const progressText = element("span", { class: "number faint" });
  const progress = element("div", { class: "progress", hidden: true }, bargraph, progressText,
    button("Cancel", "Cancel the annotation", () => send({ type: "cancel_annotation" })));
  const startRow = element("div", { class: "start" }, start, efforts);
  const announced = element("p", { class: "visually-hidden", role: "status" });
  const report = element("section", { class: "card report", "aria-label": "Annotation" }, graphBox, summary, startRow, progress, announced);

  const fen = element("input", { type: "text", "aria-label": "FEN", spellcheck: "false", autocomplete: "off" });
  const message = element("p", { class: "wrong", role: "alert", hidden: true });
  const copyFen = element("button", { type: "button", onclick: () => copy(copyFen, position.fen) }, "Copy FEN");
  const copyPgn = element("button", { type: "button", onclick: () => copy(copyPgn, game.pgn) }, "Copy PGN");
  const files = element("section", { class: "card files", "aria-label": "Position and game" },
    element("form", { class: "fen", onsubmit: submitFen }, fen, element("button", {}, "Set")), message,
    element("div", { class: "buttons" },
      element("button", { type: "button", onclick: () => openDialog() }, "Open…"),
      element("button", { type: "button", onclick: () => load("new", { type: "new" }) }, "New"),
      copyFen, copyPgn,
      element("button", { type: "button", onclick: download }, "Download")));

  const KEYS = [[["←", "→"], "moves"], [["↑", "↓"], "variations"], [["Home", "End"], "start, end"], [["E"], "engine"], [["A"], "arrows"], [["F"], "flip"]];
  const help = element("p", { class: "faint keys" }, ...KEYS.map(([names, meaning]) =>
    element("span", {}, ...names.map((name) => element("kbd", {}, name)), ` ${meaning}`)));

  section.append(element("div", { class: "analysis" },
    element("div", { class: "stage" }, element("div", { class: "table" }, bar, boardBox), steps),
    element("div", { class: "middle" }, enginePanel, gamePanel),
    element("div", { class: "side" }, report, files, help)));

  // The dialog.

  const text = element("textarea", { rows: "12", "aria-label": "PGN or FEN", placeholder: "Paste PGN or a FEN here, or drop a file.", spellcheck: "false" });
  const file = element("input", { type: "file", accept: ".pgn,.txt,.fen,text/plain", hidden: true, onchange: () => readFile(file.files[0]) });
  const dialogMessage = element("p", { class: "wrong", role: "alert", hidden: true });
  const choices = element("ul", { class: "choices" });
  const entry = element("form", { onsubmit: (event) => { event.preventDefault(); loadText(text.value); } }, text,
    element("div", { class: "buttons" }, element("button", { class: "primary" }, "Load"),
      element("button", { type: "button", onclick: () => file.click() }, "Choose file…"), file));
  const closing = element("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
  const dialog = element("dialog", { class: "open-game", "aria-label": "Open a game" },
    element("header", {}, element("h2", {}, "Open a game"), closing), dialogMessage, entry, choices);
  section.append(dialog);
  dialog.addEventListener("close", () => showError(""));

  function openDialog() {
    choices.hidden = true;
    entry.hidden = false;
    text.value = "";
    showError("");
    if (!dialog.open) dialog.showModal();
    text.focus();
  }

  function showChoices(games, isCut) {
    choices.replaceChildren(...games.map((one, index) => {
      if (one.error) return element("li", { class: "wrong" }, one.error);
      const { white, black, result, event, date } = one.heading;
      const names = [...player(white), " – ", ...player(black), result === "*" ? "" : ` ${result}`];
      const about = facts([event, date, `${one.moves} ${one.moves === 1 ? "move" : "moves"}`]);
      const onclick = () => load("pgn", { type: "choose", game: index });
      return element("li", {}, element("button", { type: "button", onclick }, element("b", {}, ...names), element("span", { class: "faint" }, ...about)));
    }));
    if (isCut) choices.append(element("li", { class: "faint" }, `Only the first ${games.length} games are listed.`));
    entry.hidden = true;
    choices.hidden = false;
    if (!dialog.open) dialog.showModal();
    const offered = choices.querySelector("button");
    if (offered) offered.focus();
  }

  // Loading and saving.

  function showError(words) {
    const [shown, other] = dialog.open ? [dialogMessage, message] : [message, dialogMessage];
    shown.textContent = words;
    shown.hidden = !words;
    other.hidden = true;
  }

  function load(kind, request) {
    pending = kind;
    showError("");
    if (!send(request)) App.toast("There is no connection to castellan-board.");
  }

  const isFen = (words) => /^\s*([pnbrqk1-8]+\/){7}[pnbrqk1-8]+(\s+[wb]\b.*)?\s*$/i.test(words);

  /** Loads PGN or a FEN. */
  function loadText(words) {
    if (isFen(words)) load("fen", { type: "load_fen", fen: words.trim() });
    else if (new Blob([words]).size > MAX_BYTES) showError("The text is too long: at most 3.5 MB can be loaded.");
    else load("pgn", { type: "load_pgn", text: words });
  }

  async function readFile(chosen) {
    file.value = "";
    if (!chosen) return;
    if (chosen.size > MAX_BYTES) showError(`${chosen.name} is too large: at most 3.5 MB can be loaded.`);
    else loadText(await chosen.text());
  }

  function submitFen(event) {
    event.preventDefault();
    load("fen", { type: "load_fen", fen: fen.value });
  }

  function download() {
    const { white, black } = game.heading;
    const name = `${white.name}-${black.name}`.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    const url = URL.createObjectURL(new Blob([game.pgn], { type: "application/x-chess-pgn" }));
    element("a", { href: url, download: `${name || "game"}.pgn` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  section.addEventListener("dragover", (event) => {
    event.preventDefault();
    section.classList.add("dropping");
  });
  section.addEventListener("dragleave", (event) => {
    if (!section.contains(event.relatedTarget)) section.classList.remove("dropping");
  });
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    section.classList.remove("dropping");
    const [dropped] = event.dataTransfer.files;
    if (dropped) readFile(dropped);
    else loadText(event.dataTransfer.getData("text/plain"));
  });
  document.addEventListener("paste", (event) => {
    if (section.hidden || event.target.closest("input, textarea, dialog")) return;
    const pasted = event.clipboardData.getData("text/plain");
    if (pasted.trim()) loadText(pasted);
  });

  // Walking through the game.

  const here = () => tree.node(position.node);
  const parentOf = () => (here().parent ? here().parent.id : 0);
  const childOf = () => (here().children.length ? here().children[0].id : position.node);
  const lastOf = () => tree.last(position.node).id;

  function go(id) {
    showPreview(null);
    if (id !== position.node) send({ type: "go", node: id });
  }

  function leap(step) {
    const found = tree.sibling(position.node, step);
    if (found) go(found.id);
  }

  function flip() {
    flipped = board.flip();
    drawBar();
  }

  function toggleArrows() {
    arrows = !arrows;
    arrowButton.setAttribute("aria-pressed", String(arrows));
    drawBoard();
  }

  const keys = {
    ArrowRight: () => go(childOf()), ArrowLeft: () => go(parentOf()), Home: () => go(0), End: () => go(lastOf()),
    ArrowUp: () => leap(-1), ArrowDown: () => leap(1), e: engineLines.toggle, f: flip, a: toggleArrows,
  };
  document.addEventListener("keydown", (event) => {
    if (section.hidden || !position || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea, dialog, [role=tab], [role=grid], .promotion")) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // Drawing.

  /** The evaluation of the position shown: that of the running search, or else that of the game. */
  function evaluation() {
    if (live) {
      const [{ points, score }] = live.lines;
      return { points, text: tree.evaluation({ score }) };
    }
    const { points } = here();
    return points === undefined ? { points: null, text: "" } : { points, text: tree.evaluation(here()) || "" };
  }

  function drawBar() {
    const { points, text: value } = evaluation();
    Board.showEvaluation(bar, { points, label: value ? short(value) : "", flipped });
    bar.setAttribute("aria-label", value ? `Evaluation ${signed(value)}` : "No evaluation");
  }

  function drawBoard() {
    const shown = preview || position;
    const lines = live && arrows && !preview ? live.lines.slice(0, MAX_ARROWS) : [];
    const drawn = lines.map(({ pv: [move] }, index) => ({ from: move.squares[0], to: move.squares[1], kind: index ? "second" : "" }));
    boardBox.classList.toggle("previewing", Boolean(preview));
    board.set({
      fen: shown.fen, last: shown.last || [], check: shown.check, legal: preview ? [] : position.legal, movable: preview ? null : "both",
      arrows: illegal ? illegal.arrows : drawn.reverse(), marks: illegal ? illegal.marks : [], animate: !preview,
    });
    drawBar();
  }

  function showPreview(moves) {
    previewed = moves;
    if (moves) send({ type: "preview", moves });
    else if (preview) {
      preview = null;
      drawBoard();
    }
  }

  function drawHeading() {
    const { heading } = game;
    const isKnown = heading.white.name !== "White" || heading.black.name !== "Black" || heading.event;
    const result = heading.result === "*" ? [] : [" ", make("span", heading.result, "result")];
    players.replaceChildren(...(isKnown ? [...player(heading.white), " – ", ...player(heading.black), ...result] : ["Analysis", ...result]));
    const round = heading.round && `round ${heading.round}`;
    const opening = (position && position.opening) || [heading.eco, heading.opening].filter(Boolean).join(" ");
    occasion.replaceChildren(...facts([heading.event, round, heading.site, heading.date, game.chess960 && "Chess960", opening]));
    occasion.title = occasion.textContent;
  }

  function drawReport() {
    const line = tree.mainLine();
    const known = line.filter((one) => one.points !== undefined);
    graphBox.hidden = line.length < 3 || 2 * known.length < line.length;
    graph.set(line.map((one) => {
      const mark = tree.markOf(one), costly = Boolean(kindOf({ mark }));
      return { points: one.points, eval: tree.evaluation(one), number: one.number, san: one.san, mark, costly };
    }));
    summary.hidden = !game.summary;
    if (game.summary) fillSummary(summary, ...game.summary);
    start.disabled = line.length < 2;
    start.textContent = game.summary ? "Annotate again" : "Annotate game";
  }

  function drawPosition() {
    const one = here();
    const mark = tree.markOf(one);
    tree.show(position.node);
    now.textContent = one.san ? called({ ...one, mark, san: unbroken(one.san) }) : "Start";
    now.title = LABELS[mark] || "";
    graph.mark(tree.mainPly(position.node), now.textContent);
    first.disabled = back.disabled = !one.parent;
    forward.disabled = last.disabled = !one.children.length;
    promote.disabled = tree.isMain(position.node);
    remove.disabled = assessment.disabled = !one.parent;
    assessment.value = String(one.nags.find((nag) => nag <= 6) || "");
    if (document.activeElement !== comment) comment.value = one.comment;
    if (document.activeElement !== fen) fen.value = position.fen;
    const isOver = position.outcome && `${position.outcome[0].toUpperCase()}${position.outcome.slice(1)}.`;
    if (isOver && !position.legal.length) engineLines.clear(isOver);
    else if (!live) engineLines.clear(engineText());
    drawHeading();
    drawBoard();
  }

  function engineText() {
    if (isAnnotating) return "Paused during the annotation.";
    return engine.on ? "Searching…" : "";
  }

  // Changing the game.

  function assess() {
    send({ type: "assess", node: position.node, nag: Number(assessment.value) || null });
  }

  function writeComment() {
    send({ type: "comment", node: position.node, text: comment.value });
  }

  function annotate() {
    send({ type: "annotate", nodes: Number(efforts.value) });
  }

  function showAnnotation(isRunning) {
    isAnnotating = isRunning;
    progress.hidden = !isRunning;
    startRow.hidden = isRunning;
  }

  // Answers.

  const events = {
    game(event) {
      game = event;
      tree.set(event.nodes);
      App.store("analysis.pgn", event.pgn);
      undo.disabled = !event.undo;
      hint.hidden = event.nodes.length > 1;
      drawHeading();
      drawReport();
      if (pending) {
        pending = "";
        if (dialog.open) dialog.close();
        showError("");
      }
    },
    position(event) {
      position = event;
      App.store("analysis.path", event.path);
      live = preview = illegal = null;
      drawPosition();
    },
    choices({ games, cut }) {
      pending = "";
      showError("");
      showChoices(games, cut);
    },
    preview({ moves, ...shown }) {
      if (!previewed || moves.join() !== previewed.join()) return;
      preview = shown;
      drawBoard();
    },
    illegal(event) {
      illegal = event;
      App.toast(event.text);
      drawBoard();
    },
    engine({ on, lines }) {
      engine = { on, lines };
      engineLines.setEngine(on, lines);
      if (on) return;
      live = null;
      engineLines.clear(engineText());
      if (position) drawBoard();
    },
    lines(event) {
      if (event.node !== position.node) return;
      live = event;
      engineLines.set(event);
      if (preview) drawBar();
      else drawBoard();
    },
    progress({ done, total }) {
      if (!isAnnotating) {
        showAnnotation(true);
        live = null;
        drawPosition();
      }
      bargraph.max = total;
      bargraph.value = done;
      progressText.textContent = `${done} of ${total}`;
    },
    annotated({ text: why }) {
      showAnnotation(false);
      if (!live) engineLines.clear(engineText());
      announced.textContent = why ? "" : "The game is annotated.";
      if (why && why !== "canceled") App.toast(`The annotation has ended: ${why}.`);
    },
    error({ text: words }) {
      const written = `${words[0].toUpperCase()}${words.slice(1)}`;
      if (pending) showError(written);
      else App.toast(written);
      pending = "";
      if (position) drawBoard();
    },
  };

  function connected() {
    const pgn = App.load("analysis.pgn");
    showAnnotation(false);
    if (pgn) send({ type: "restore", pgn, path: App.load("analysis.path") || [] });
    send({ type: "engine", ...engine });
  }

  App.register("analysis", {
    event: (event) => events[event.type](event), connected, ready: () => position !== null, hidden: () => showPreview(null),
  });

  /** Shows this mode with a game, as another mode gives it. */
  function open(pgn) {
    load("pgn", { type: "load_pgn", text: pgn });
    App.show("analysis");
  }

  return { load: open };
})();
