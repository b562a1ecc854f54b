/** The mode Play. The server keeps the game; this page shows its state and sends requests. */
(() => {
  const { element, send } = App;
  const section = document.getElementById("play");
  const TICK_MS = 100, TENTHS_BELOW = 10_000, MOVE_NOW_MS = 1500;
  /** The last state from the server, and when it came. */
  let game = null, received = 0;
  /** The position shown: the number of moves made, or `null` for the last one. */
  let shownPly = null;
  let flipped = false;
  /** What the server answered to an illegal move, until the next one. */
  let illegal = null;

  // The parts of the page.

  const boardBox = element("div", {});
  const board = Chessboard(boardBox, {
    move: (from, to, promotion, legal) => request({ type: "move", uci: legal.uci }),
    illegal: (from, to) => request({ type: "explain", from, to }),
    typed: (text) => request({ type: "typed", text }),
    premove: (from, to, promotion) => request(from ? { type: "premove", from, to, promotion } : { type: "cancel_premove" }),
  });
  const players = { above: playerBar(), below: playerBar() };
  const status = element("p", { class: "status", "aria-live": "polite" });
  const detail = element("p", { class: "detail", "aria-live": "polite" });
  const claims = element("div", { class: "claims" });
  const moves = element("div", { class: "moves card", tabindex: "0", role: "group", "aria-label": "Moves" });
  const now = element("output", { class: "now" });

  const button = (text, title, onclick, attributes = {}) => element("button", { type: "button", title, onclick, ...attributes }, text);
  const icon = (text, title, onclick) => button(text, title, onclick, { "aria-label": title });
  const first = icon("«", "Start of the game (Home)", () => show(0)), back = icon("‹", "Previous move (←)", () => step(-1));
  const forward = icon("›", "Next move (→)", () => step(1)), last = icon("»", "Last move (End)", () => show(null));
  const takeback = button("Take back", "Take back your last move", () => request({ type: "takeback" }));
  const redo = button("Redo", "Play again what was taken back", () => request({ type: "redo" }));
  const hint = button("Hint", "Show a good move", () => request({ type: "hint" }));
  const moveNow = button("Move now", "Castellan stops thinking and moves", () => request({ type: "move_now" }));
  const offer = button("Offer draw", "Offer or agree a draw", () => request({ type: "offer_draw" }));
  const resign = button("Resign", "Resign the game", askToResign);
  const sound = icon("♪", "Sounds", () => sound.setAttribute("aria-pressed", String(Sound.toggle())));
  sound.setAttribute("aria-pressed", String(Sound.isOn()));
  const copyPgn = button("Copy PGN", "Copy the game as PGN", () => game && copy(copyPgn, game.pgn));
  const copyFen = button("Copy FEN", "Copy the position shown as FEN", () => game && copy(copyFen, plyAt(shown()).fen));

  const newGame = NewGameDialog((wanted) => request(wanted));
  const resignTitle = element("h2", { id: "resign-title" });
  const resignDialog = element("dialog", { "aria-labelledby": "resign-title" },
    element("form", { method: "dialog" },
      resignTitle,
      element("div", { class: "buttons" },
        element("button", { autofocus: true }, "Play on"),
        element("button", { class: "primary", onclick: () => request({ type: "resign" }) }, "Resign"))));

  section.append(
    element("div", { class: "play" },
      element("div", { class: "table" }, players.above.bar, boardBox, players.below.bar),
      element("div", { class: "panel" },
        element("div", { class: "card state" }, status, detail, claims),
        moves,
        element("nav", { class: "browse", "aria-label": "Positions of the game" }, first, back, now, forward, last,
          icon("⇅", "Flip the board (F)", flip), sound),
        element("div", { class: "actions" }, takeback, redo, hint, moveNow, offer, resign),
        element("div", { class: "actions" },
          button("New game", "Start another game", () => newGame.open(), { class: "primary" }),
          button("Analyze", "Open the game in the mode Analyze", analyze), copyPgn,
          button("Download", "Save the game as a PGN file", download), copyFen))),
    newGame.dialog, resignDialog);

  function playerBar() {
    const disc = element("span", { class: "disc" }), name = element("b", {}), clock = element("span", { class: "clock number", hidden: true });
    return { bar: element("p", { class: "player" }, disc, name, clock), disc, name, clock };
  }

  function request(message) {
    if (!send("play", message)) App.toast("Not sent: there is no connection.");
  }

  function askToResign() {
    const side = game.fen.split(" ")[1] === "w" ? "White" : "Black";
    resignTitle.textContent = game.side === "both" ? `Does ${side} resign?` : "Resign this game?";
    resignDialog.showModal();
  }

  // Events.

  function event(answer) {
    if (answer.type === "game") takeGame(answer);
    else if (answer.type === "illegal") showIllegal(answer);
    else if (answer.type === "note") App.toast(answer.text);
    else if (!newGame.fail(answer.text)) fail(answer.text);
  }

  function fail(text) {
    illegal = { text, marks: [], arrows: [] };
    draw();
  }

  function showIllegal(answer) {
    illegal = answer;
    shownPly = null;
    draw();
  }

  function takeGame(next) {
    const before = game;
    const isOther = !before || before.start.fen !== next.start.fen || before.side !== next.side || before.saved.actions[0] !== next.saved.actions[0];
    if (isOther || next.moves.length < (before ? before.moves.length : 0)) shownPly = null;
    if (isOther) flipped = next.side === "black";
    if (before && next.moves.length !== before.moves.length) shownPly = null;
    game = next;
    received = performance.now();
    illegal = null;
    newGame.started();
    keep(next.saved);
    playSound(before, isOther);
    draw();
  }

  /** This tab's game survives a reload; the last game of all tabs is resumed by a new one. */
  function keep(saved) {
    App.store("play", saved);
    try {
      sessionStorage.setItem("castellan.play", JSON.stringify(saved));
    } catch { /* Then only the other one. */ }
  }

  function kept() {
    try {
      const saved = JSON.parse(sessionStorage.getItem("castellan.play"));
      if (saved) return saved;
    } catch { /* The other one. */ }
    return App.load("play");
  }

  function connected() {
    const saved = game ? game.saved : kept();
    request(saved ? { type: "restore", saved } : { type: "state" });
  }

  function playSound(before, isOther) {
    if (isOther) return;
    if (game.result && !before.result) {
      Sound.play("end");
    } else if (game.moves.length > before.moves.length) {
      const { san } = game.moves[game.moves.length - 1];
      Sound.play(san.endsWith("+") ? "check" : san.includes("x") ? "capture" : "move");
    }
  }

  // Looking at earlier positions.

  const shown = () => (shownPly === null ? game.moves.length : shownPly);
  const plyAt = (ply) => (ply === 0 ? game.start : game.moves[ply - 1].after);

  function show(ply) {
    if (!game) return;
    shownPly = ply === null || ply >= game.moves.length ? null : Math.max(ply, 0);
    illegal = null;
    draw();
  }

  const step = (by) => game && show(shown() + by);

  function flip() {
    flipped = !flipped;
    draw();
  }

  // Drawing.

  function draw() {
    if (!game) return;
    drawBoard();
    drawPlayers();
    drawState();
    drawClaims();
    drawMoves();
    const isUsers = game.legal.length > 0 && !game.thinking;
    takeback.disabled = !game.can_take_back;
    redo.disabled = !game.can_redo;
    hint.disabled = !isUsers;
    offerMoveNow();
    offer.disabled = !game.can_offer_draw;
    offer.textContent = game.side === "both" ? "Draw" : "Offer draw";
    resign.disabled = Boolean(game.result);
  }

  /** Only where Castellan takes its time. */
  function offerMoveNow() {
    const isLong = game.thinking === "move" && performance.now() - received > MOVE_NOW_MS;
    moveNow.hidden = !isLong;
    hint.hidden = isLong;
  }

  function drawBoard() {
    const ply = shown(), isLast = shownPly === null;
    const { fen, check } = plyAt(ply);
    const move = ply > 0 ? game.moves[ply - 1] : null;
    const advice = isLast && game.hint ? [{ from: game.hint.from, to: game.hint.to, kind: "hint" }] : [];
    board.set({
      fen, check, flipped, last: move ? [move.from, move.to] : [],
      legal: isLast ? game.legal : [], movable: isLast ? game.movable : null,
      premove: isLast ? game.premove : null,
      marks: illegal ? illegal.marks : [], arrows: illegal ? illegal.arrows : advice,
    });
  }

  function drawPlayers() {
    const sides = flipped ? { above: "white", below: "black" } : { above: "black", below: "white" };
    const toMove = game.fen.split(" ")[1] === "w" ? "white" : "black";
    for (const [place, side] of Object.entries(sides)) {
      const { bar, disc, name, clock } = players[place];
      disc.className = `disc ${side}`;
      name.textContent = game.players[side];
      bar.classList.toggle("to-move", side === toMove && !game.result);
      bar.classList.toggle("thinking", side === toMove && game.thinking === "move");
      clock.hidden = !game.clocks;
      clock.dataset.side = side;
    }
    drawClocks();
  }

  function drawClocks() {
    if (!game.clocks) return;
    const passed = performance.now() - received;
    for (const { clock } of Object.values(players)) {
      const { side } = clock.dataset;
      const left = Math.max(game.clocks[side] - (game.clocks.running === side ? passed : 0), 0);
      const text = time(left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", game.clocks.running === side);
      clock.classList.toggle("low", left < TENTHS_BELOW);
    }
  }

  /** As `castellan play` shows it: 4:07, 1:00:00, and 0:09.4 below ten seconds. */
  function time(left) {
    if (left < TENTHS_BELOW) return `0:0${Math.floor(left / 1000)}.${Math.floor((left % 1000) / 100)}`;
    const seconds = Math.ceil(left / 1000), two = (value) => String(value).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  }

  function drawState() {
    say(status, describe());
    const texts = { hint: "Looking for a good move …", draw_offer: "Castellan considers the draw …" };
    const advice = game.hint ? `Try ${game.hint.san}.` : "";
    const premove = game.premove ? `Premove ${game.premove.from}–${game.premove.to}; Escape cancels it.` : "";
    const earlier = shownPly === null ? "" : "An earlier position; » returns to the game.";
    say(detail, illegal ? illegal.text : earlier || texts[game.thinking] || advice || premove || game.start_name || "");
    detail.classList.toggle("wrong", Boolean(illegal));
  }

  /** Announces a text only when it changes. */
  function say(place, text) {
    if (place.textContent !== text) place.textContent = text;
  }

  function describe() {
    if (game.result) return `${game.result.text} ${game.result.result.replaceAll("1/2", "½")}`;
    const move = game.moves[game.moves.length - 1];
    const side = game.fen.split(" ")[1] === "w" ? "White" : "Black";
    const parts = [];
    if (move) parts.push(`${move.number} ${unbroken(move.san)}.`);
    if (plyAt(game.moves.length).check) parts.push("Check.");
    if (game.thinking === "move") parts.push("Castellan is thinking …");
    else parts.push(game.side === "both" ? `${side} to move.` : "Your move.");
    return parts.join(" ");
  }

  /** Keeps O-O from being broken at the end of a line. */
  const unbroken = (san) => san.replaceAll("-", "\u2011");

  function drawClaims() {
    const list = [];
    if (game.claims.length) {
      list.push(button(`Claim draw: ${game.claims.join(", ")}`, "Claim the draw", () => request({ type: "claim_draw" })));
    } else if (game.claims_with.length === 1) {
      const [{ uci, san, rule }] = game.claims_with;
      list.push(button(`Claim draw with ${san}: ${rule}`, "The move completes the claim; it is not played", () => request({ type: "claim_draw_with", uci })));
    } else if (game.claims_with.length) {
      const choice = element("select", { "aria-label": "Move that completes the claim" },
        ...game.claims_with.map(({ uci, san, rule }) => element("option", { value: uci }, `${san}: ${rule}`)));
      list.push(button("Claim draw with", "The move completes the claim; it is not played", () => request({ type: "claim_draw_with", uci: choice.value })), choice);
    }
    claims.hidden = !list.length;
    claims.replaceChildren(...list);
  }

  function drawMoves() {
    const cells = [];
    game.moves.forEach((move, index) => {
      const isBlack = move.number.endsWith("...");
      if (!isBlack || index === 0) cells.push(element("i", {}, isBlack ? `${parseInt(move.number, 10)}.` : move.number));
      if (isBlack && index === 0) cells.push(element("span", { class: "gap" }, "…"));
      const name = `${move.number} ${move.san}`;
      const cell = element("button", { type: "button", "aria-label": name, onclick: () => show(index + 1) }, unbroken(move.san));
      if (index + 1 === shown()) cell.setAttribute("aria-current", "step");
      cells.push(cell);
    });
    if (game.result) cells.push(element("p", { class: "result" }, game.result.result.replaceAll("1/2", "½")));
    moves.replaceChildren(...(cells.length ? cells : [element("p", { class: "faint empty" }, "No moves yet.")]));
    const current = moves.querySelector("[aria-current]");
    if (shownPly === null) moves.scrollTop = moves.scrollHeight;
    else if (current) current.scrollIntoView({ block: "nearest" });
    else moves.scrollTop = 0;
    const ply = shown();
    say(now, ply === 0 ? "Start" : `${game.moves[ply - 1].number} ${unbroken(game.moves[ply - 1].san)}`);
    first.disabled = back.disabled = ply === 0;
    forward.disabled = last.disabled = shownPly === null;
  }

  // The game as PGN.

  async function copy(from, text) {
    try {
      await navigator.clipboard.writeText(text);
      App.toast(`${from.textContent.replace("Copy ", "")} copied.`);
    } catch {
      App.toast("The browser does not allow copying.");
    }
  }

  function analyze() {
    if (game) Analysis.load(game.pgn);
  }

  function download() {
    if (!game) return;
    const address = URL.createObjectURL(new Blob([game.pgn], { type: "application/vnd.chess-pgn" }));
    element("a", { href: address, download: "castellan-game.pgn" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  // The keyboard, outside of the board and of fields.

  const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => show(0), End: () => show(null), f: flip };
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    const busy = section.hidden || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]");
    if (!action || busy || event.target.closest("input, select, textarea, [role=tab]")) return;
    event.preventDefault();
    action();
  });

  setInterval(() => {
    if (section.hidden || !game) return;
    drawClocks();
    offerMoveNow();
  }, TICK_MS);

  App.register("play", { event, connected });
})();
