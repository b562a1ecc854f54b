/** The mode Tri-D: a game of Tri-Dimensional chess on the boards that `TridimView` draws. */
(() => {
  const { element } = App;
  const VIEWS = { flat: "Flat", space: "3D", both: "Both" };
  const ROLES = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
  const REASON_MS = 6000, WIDE = "(min-width: 1000px) and (min-height: 640px)";
  const byWidth = () => (matchMedia(WIDE).matches ? "both" : "flat");
  const settings = { view: byWidth(), confirm: true, aside: true, limit: { seconds: 1 }, ...App.load("tridim.settings") };

  let game = null, saved = (App.load("tridim.game") || {}).saved || null;
  /** What is chosen: `{square}` or `{pin}`. */
  let selected = null;
  /** A move that waits to be confirmed, and the view that had the focus. */
  let proposed = null, focusedView = null;
  let reason = [], reasonTimer = 0, hinted = null, flipped = false;
  /** Whether the dialog waits for its new game. */
  let isStarting = false;

  // The page.

  const stages = { flat: element("div", { class: "stage" }), space: element("div", { class: "stage" }) };
  const readout = element("p", { class: "readout faint", "aria-hidden": "true" });
  const status = element("p", { class: "status", role: "status" });
  const thinking = element("p", { class: "thinking faint number", "aria-hidden": "true" });
  const question = element("p", { role: "status" });
  const play = element("button", { class: "primary", onclick: () => send(proposed) }, "Play");
  const confirmation = element("div", { class: "confirmation", hidden: true },
    question, play, element("button", { onclick: cancel }, "Cancel"));
  const moves = element("ol", { class: "moves", tabindex: "0", "aria-label": "Moves" });
  const castling = element("ul", { class: "castling" });
  const typed = element("input", {
    id: "tridim-move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "b2W-b4N, QL1-QL3, O-O",
  });
  const button = (text, listener, attributes = {}) => element("button", { type: "button", onclick: listener, ...attributes }, text);
  const request = (type) => () => App.send("tridim", { type });
  const buttons = {
    undo: button("Undo", request("undo")),
    redo: button("Redo", request("redo")),
    go: button("Engine move", request("go"), { title: "Let the engine make this move" }),
    stop: button("Move now", request("stop")),
    claim: button("Claim draw", request("claim")),
    release: button("Release board", request("release")),
    promote: button("Promote", () => askPromotion(game.legal)),
    resign: button("Resign", () => resignation.showModal()),
  };
  const viewButtons = Object.entries(VIEWS).map(([name, text]) => button(text, () => set({ view: name }), { "data-view": name }));
  const aside = button("Spread", () => set({ aside: !settings.aside }), {
    title: "Attack boards beside the others, so that they hide nothing, or in their true place",
  });
  const reset = button("Reset", () => views.space.reset(), { "aria-label": "Reset view" });
  const flip = button("Flip", () => turn(!flipped));
  const confirmMoves = element("input", { type: "checkbox", onchange: () => set({ confirm: confirmMoves.checked }) });
  const amount = element("input", {
    type: "number", min: "1", max: "600", step: "any", class: "amount", "aria-label": "Amount", onchange: changeLimit,
  });
  const unit = element("select", { "aria-label": "Unit", onchange: changeLimit },
    element("option", { value: "seconds" }, "seconds"), element("option", { value: "depth" }, "plies"));

  const promotion = element("dialog", { class: "promotion-choice", "aria-label": "Promote to" });
  const resignation = element("dialog", { "aria-label": "Resign" }, element("p", {}, "Resign this game?"),
    element("p", { class: "buttons" }, button("Resign", resign, { class: "primary" }), button("Continue", () => resignation.close())));
  const setupError = element("p", { class: "wrong", role: "alert", hidden: true });
  const setup = setupDialog();

  const views = {};
  for (const kind of ["flat", "space"]) {
    views[kind] = TridimView(stages[kind], kind, { press, canDrag, pick: select, drop, describe, hover });
  }

  const keys = element("p", { id: "tridim-keys", class: "visually-hidden" },
    "The arrow keys go from square to square, Page Up and Page Down from level to level. Enter chooses a piece or a board, then where it goes; ",
    "Escape cancels. In the view in space, Shift and an arrow key turn the boards, and Home restores the view.");
  for (const svg of [stages.flat.firstChild, stages.space.firstChild]) svg.setAttribute("aria-describedby", keys.id);
  const boards = element("div", { class: "boards" }, keys,
    element("div", { class: "bar" },
      element("div", { class: "choice", role: "group", "aria-label": "View" }, ...viewButtons), aside, reset, flip, readout, confirmation),
    element("div", { class: "stages" }, stages.space, stages.flat));
  const side = element("div", { class: "side" },
    element("div", { class: "card now" }, status, thinking,
      element("div", { class: "buttons" }, ...Object.values(buttons))),
    element("div", { class: "card record" }, element("h2", {}, "Moves"), moves,
      element("form", { class: "typing", onsubmit: submitTyped }, element("label", { for: "tridim-move" }, "Move"), typed, element("button", {}, "Enter"))),
    element("div", { class: "card" }, element("h2", {}, "Castling"), castling),
    element("div", { class: "card options" },
      element("label", {}, confirmMoves, " Confirm moves"),
      element("label", { class: "limit" }, "Engine ", amount, unit),
      element("div", { class: "buttons" }, button("New game…", () => setup.showModal()), button("Copy position", copyPosition))));
  document.getElementById("tridim").append(boards, side, promotion, resignation, setup);

  function resign() {
    resignation.close();
    App.send("tridim", { type: "resign" });
  }

  function setupDialog() {
    const sides = { white: "White", black: "Black", both: "Both sides" };
    const radios = Object.entries(sides).map(([value, text]) =>
      element("label", {}, element("input", { type: "radio", name: "tridim-side", value, checked: value === "white" }), ` ${text} `));
    const text = element("textarea", { id: "tridim-position", rows: "3", spellcheck: "false", placeholder: "The start position" });
    const rotation = element("input", { type: "checkbox" });
    const start = (event) => {
      event.preventDefault();
      const chosen = dialog.querySelector("input[type=radio]:checked").value, position = text.value.trim();
      setupError.hidden = true;
      isStarting = App.send("tridim", { type: "new", side: chosen, position: position || null, rotation: rotation.checked });
      if (!isStarting) failed("There is no connection to castellan-board.");
    };
    const onclose = () => {
      isStarting = false;
      setupError.hidden = true;
    };
    const dialog = element("dialog", { class: "setup", "aria-label": "New game", onclose },
      element("form", { onsubmit: start },
        element("h2", {}, "New game"),
        element("fieldset", {}, element("legend", {}, "You play"), ...radios),
        element("p", {}, element("label", { for: "tridim-position" }, "Position as text"), text), setupError,
        element("p", {}, element("label", {}, rotation, " Attack boards may rotate in place")),
        element("p", { class: "buttons" }, element("button", { class: "primary" }, "Start"), button("Cancel", () => dialog.close()))));
    return dialog;
  }

  /** Shows why the game could not start. */
  function failed(text) {
    isStarting = false;
    setupError.textContent = text;
    setupError.hidden = false;
  }

  // Choosing and moving.

  const pieceOn = (square) => game.pieces.find((piece) => piece.square === square);
  const boardOn = (pin) => game.boards.find((board) => board.name === pin);
  const isOwn = (piece) => Boolean(piece) && piece.color === game.side_to_move;
  const sourceOf = (move) => (move.kind === "board" ? { pin: move.from } : { square: move.from });
  const same = (a, b) => Boolean(a && b) && a.square === b.square && a.pin === b.pin;
  const movesOf = (source) => game.legal.filter((move) => same(sourceOf(move), source));
  const nameOf = (target) => target.square || target.pin;
  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  function describe(square) {
    const piece = pieceOn(square);
    const parts = [square, piece ? `${piece.color} ${piece.role}` : "empty"];
    const target = selected && movesOf(selected).find((move) => move.to.includes(square));
    if (target) parts.push(target.kind === "castling" ? "castling" : target.capture ? "capture" : "legal move");
    return parts.join(", ");
  }

  /** A board stands for itself where no piece is meant. */
  function sourceAt(target) {
    if (target.pin) return boardOn(target.pin) ? target : null;
    if (isOwn(pieceOn(target.square))) return target;
    const pin = target.square.slice(2), board = boardOn(pin);
    return board && board.owner && !pieceOn(target.square) && !board.immobile ? { pin } : null;
  }

  function canDrag(target) {
    return game && game.movable && !proposed ? sourceAt(target) : null;
  }

  function hover(square) {
    readout.textContent = square ? describe(square) : "";
  }

  function drop(target) {
    const source = selected;
    const here = !target || same(target, source) || (source.pin && target.square && target.square.slice(2) === source.pin);
    if (here) select(null);
    else go(source, target);
  }

  function press(target) {
    if (!game) return;
    if (proposed) {
      if (target && proposed.to.includes(nameOf(target))) send(proposed);
      else cancel();
      return;
    }
    if (!target || !game.movable) return select(null);
    if (selected && movesOf(selected).some((move) => move.to.includes(nameOf(target)))) return go(selected, target);
    if (same(selected, target)) return select(null);
    const source = sourceAt(target);
    const isPawnWaiting = target.square && game.pending === target.square;
    if (isPawnWaiting) askPromotion(game.legal);
    else if (source && source.pin && boardOn(source.pin).immobile) explain(boardOn(source.pin).immobile, []);
    else if (source && !(selected && selected.square && source.pin)) select(source);
    else if (selected) go(selected, target);
  }

  function select(source) {
    selected = source;
    if (source) {
      const targets = [...new Set(movesOf(source).map((move) => move.to[0]))];
      const piece = source.square && pieceOn(source.square);
      const what = piece ? `${piece.role} on ${source.square}` : `board ${source.pin}`;
      say(`${capital(what)}: ${targets.length ? targets.join(", ") : "no legal move"}`);
    }
    mark();
  }

  /** Makes a move, or has the server say why it is illegal. */
  function go(source, target) {
    const legal = movesOf(source).filter((move) => move.to.includes(nameOf(target)));
    if (!legal.length) {
      // A board does not move to a square.
      const to = source.pin && target.square ? target.square.slice(2) : nameOf(target);
      if (source.square && target.pin) return select(null);
      App.send("tridim", { type: "move", text: `${nameOf(source)}-${to}` });
      select(null);
    } else if (legal.length > 1) askPromotion(legal);
    else propose(legal[0]);
  }

  function propose(move) {
    if (!settings.confirm) return send(move);
    [proposed, selected] = [move, null];
    question.textContent = `Play ${described(move)}?`;
    focusedView = Object.values(views).find((view) => view.hasFocus()) || null;
    showProposed();
    mark();
    play.focus({ preventScroll: true });
  }

  function showProposed() {
    confirmation.hidden = !proposed;
    readout.hidden = Boolean(proposed);
  }

  function described(move) {
    const option = move.kind === "castling" && optionOf(move);
    return option ? `${move.text}: king ${option.king.from}–${option.king.to}, rook ${option.rook.from}–${option.rook.to}` : move.text;
  }

  /** The kind of castling a legal move is. */
  const optionOf = (move) => game.castling.find((option) => option.open && option.move === move.text);

  function cancel() {
    [proposed, selected] = [null, null];
    showProposed();
    if (focusedView) focusedView.focus();
    focusedView = null;
    mark();
  }

  function send(move) {
    if (move) App.send("tridim", { type: "move", text: move.text });
    cancel();
  }

  function submitTyped(event) {
    event.preventDefault();
    const text = typed.value.trim();
    if (text) App.send("tridim", { type: "move", text });
    typed.value = "";
  }

  function askPromotion(legal) {
    const color = game.side_to_move;
    promotion.replaceChildren(element("p", {}, "Promote to"), element("div", { class: "roles" }, ...legal.filter((move) => move.promotion).map((move) => {
      const choice = button("", () => { promotion.close(); propose(move); }, { "aria-label": ROLES[move.promotion] });
      const svg = Board.draw(choice, "svg", { viewBox: "0 0 100 100", class: "board", "aria-hidden": "true" });
      Board.draw(svg, "use", { href: `#${move.promotion}`, class: `piece ${color}` });
      return choice;
    })));
    select(null);
    promotion.showModal();
  }

  /** Why something is not possible. */
  function explain(text, squares) {
    reason = squares;
    clearTimeout(reasonTimer);
    reasonTimer = setTimeout(() => { reason = []; mark(); }, REASON_MS);
    App.toast(`${capital(text)}.`);
    selected = null;
    mark();
  }

  // Showing.

  function say(text) {
    readout.textContent = text;
    spoken.textContent = text;
  }
  const spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
  side.append(spoken);

  function mark() {
    if (!game) return;
    const targets = new Map(), pinTargets = new Set(), squares = new Map(), arrows = [], ghosts = [];
    const chosen = proposed ? sourceOf(proposed) : selected;
    for (const move of selected ? movesOf(selected) : []) {
      if (move.kind === "board") pinTargets.add(move.to[0]);
      else for (const square of move.to) targets.set(square, move.capture ? "target capture" : "target");
    }
    // Castling: of a chosen king every option, otherwise the one that is pointed at or proposed.
    const shown = hinted || (proposed && proposed.kind === "castling" && optionOf(proposed));
    const options = shown ? [shown] : game.castling.filter((option) => option.open && selected && selected.square === option.king.from);
    for (const { kind, king, rook } of options) {
      for (const square of [king.from, king.to]) squares.set(square, "castling-king");
      for (const square of [rook.from, rook.to]) if (!squares.has(square)) squares.set(square, "castling-rook");
      const bow = kind === "queenside" ? 1.3 : 0.55;
      if (shown) arrows.push({ ...king, role: "king", bow: -bow }, { ...rook, role: "rook", bow: -bow });
    }
    let ghostBoard = null;
    if (proposed && proposed.kind === "board") {
      ghostBoard = proposed.to[0];
      ghosts.push(...carriedBy(proposed));
    } else if (proposed && proposed.kind === "piece") {
      const piece = pieceOn(proposed.from);
      ghosts.push({ square: proposed.to[0], letter: proposed.promotion || piece.letter, color: piece.color });
      arrows.push({ from: proposed.from, to: proposed.to[0], role: "move" });
    }
    const { last } = game;
    const lastSquares = last ? last.pieces.flat() : [];
    for (const view of Object.values(views)) {
      view.mark({ selected: chosen, targets, pinTargets, last: lastSquares, check: game.check, reason, squares, arrows, ghosts, ghostBoard });
    }
  }

  /** The pieces on a board, where its move takes them. */
  function carriedBy(move) {
    const from = boardOn(move.from), to = game.pins.find((pin) => pin.name === move.to[0]);
    const turned = (step) => (move.from === move.to[0] ? 1 - step : step);
    return game.pieces.filter(({ square }) => square.slice(2) === move.from).map(({ square, letter, color }) => {
      const file = to.file + turned("zabcde".indexOf(square[0]) - from.file), rank = to.rank + turned(Number(square[1]) - from.rank);
      return { square: `${"zabcde"[file]}${rank}${to.name}`, letter, color };
    });
  }

  function show(event) {
    const before = game;
    game = event;
    if (isStarting) setup.close();
    [proposed, selected, hinted, reason] = [null, null, null, []];
    showProposed();
    saved = game.saved;
    App.store("tridim.game", { saved });
    settings.limit = game.limit;
    App.store("tridim.settings", settings);
    const step = before ? game.moves.length - before.moves.length : 0;
    const back = (last) => last && { pieces: last.pieces.map(([from, to]) => [to, from]), board: last.board && [...last.board].reverse() };
    const isSame = before && before.position === game.position && before.moves.length === game.moves.length;
    if (!isSame) {
      for (const view of Object.values(views)) view.set(game, step === 1 ? game.last : step === -1 ? back(before.last) : null);
    }
    if (!before || before.side !== game.side) turn(game.side === "black");
    mark();
    showStatus();
    showCastling();
    showMoves();
    const played = step === 1 && game.moves.at(-1);
    if (played) say(`${capital(played.color)}: ${played.text}`);
    if (game.pending && game.movable && !promotion.open && !isSame) askPromotion(game.legal);
    if (!game.pending && promotion.open) promotion.close();
  }

  function showStatus() {
    status.textContent = capital(game.status);
    status.classList.toggle("over", game.over);
    if (!game.thinking) thinking.textContent = "";
    const { undo, redo, go, stop, claim, release, promote, resign } = buttons;
    undo.disabled = !game.can_undo;
    redo.disabled = !game.can_redo;
    go.hidden = game.thinking || game.over;
    stop.hidden = !game.thinking;
    claim.hidden = !game.claims.length;
    claim.title = game.claims.join(", ");
    release.hidden = !game.activated;
    promote.hidden = !(game.pending && game.movable);
    resign.disabled = game.over;
    const [[name, value]] = Object.entries(game.limit);
    if (document.activeElement !== amount) amount.value = value;
    unit.value = name;
    confirmMoves.checked = settings.confirm;
  }

  function showCastling() {
    castling.replaceChildren(...game.castling.map((option) => {
      const name = `${option.move} ${option.kind}`;
      if (!option.open) {
        return element("li", {}, element("span", { class: "kind" }, name), element("span", { class: "faint" }, capital(option.reason.replace(/^.*?: /, ""))));
      }
      const move = game.legal.find((one) => one.kind === "castling" && one.text === option.move);
      const hint = (shown) => () => { hinted = shown; mark(); };
      return element("li", { class: "open" },
        button(name, () => { hinted = null; propose(move); }, {
          disabled: !move, onpointerenter: hint(option), onpointerleave: hint(null), onfocus: hint(option), onblur: hint(null),
        }),
        element("span", {}, `King ${option.king.from}–${option.king.to}, rook ${option.rook.from}–${option.rook.to}`));
    }));
  }

  function showMoves() {
    const rows = [];
    for (const { number, color, text, castling: detail } of game.moves) {
      const word = element("span", { title: detail || false }, text);
      const row = rows.at(-1);
      // The promotion of a waiting pawn comes before the move of the same side.
      if (row && row.number === number && (color === "black" || row.color === "white")) {
        row[color].push(word);
      } else rows.push({ number, color, white: color === "white" ? [word] : [], black: color === "black" ? [word] : [] });
    }
    const cell = (words) => element("span", {}, ...words.flatMap((word) => [word, " "]));
    moves.replaceChildren(...rows.map(({ number, white, black }) =>
      element("li", {}, element("span", { class: "faint number" }, `${number}.`), cell(white.length ? white : ["…"]), cell(black))));
    moves.scrollTop = moves.scrollHeight;
  }

  function set(changes) {
    Object.assign(settings, changes);
    App.store("tridim.settings", settings);
    arrange();
    if ("aside" in changes) views.space.spread(settings.aside);
  }

  function arrange() {
    const shown = settings.view in VIEWS ? settings.view : byWidth();
    for (const one of viewButtons) one.setAttribute("aria-pressed", String(one.dataset.view === shown));
    boards.dataset.view = shown;
    stages.flat.hidden = shown === "space";
    stages.space.hidden = shown === "flat";
    aside.hidden = reset.hidden = shown === "flat";
    aside.setAttribute("aria-pressed", String(settings.aside));
    for (const view of Object.values(views)) view.render();
  }

  function turn(isFlipped) {
    flipped = isFlipped;
    flip.setAttribute("aria-pressed", String(flipped));
    for (const view of Object.values(views)) view.flip(flipped);
  }

  function changeLimit() {
    const value = Number(amount.value);
    const limit = unit.value === "depth" ? { depth: Math.round(value) } : { seconds: value };
    App.send("tridim", { type: "limit", limit });
  }

  async function copyPosition() {
    try {
      await navigator.clipboard.writeText(game.position);
      App.toast("Position copied.");
    } catch {
      App.toast(game.position);
    }
  }

  document.getElementById("tridim").addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (proposed || selected)) cancel();
  });

  App.register("tridim", {
    event(event) {
      if (event.type === "game") show(event);
      else if (event.type === "illegal") explain(event.text, event.squares);
      else if (event.type === "error") (isStarting ? failed : App.toast)(`${capital(event.text)}.`);
      else if (event.type === "thinking") thinking.textContent = `Depth ${event.depth}  ${event.score}  ${event.line.join(" ")}`;
    },
    connected() {
      if (saved) App.send("tridim", { type: "restore", saved, limit: settings.limit });
    },
    ready: () => game !== null,
    shown: arrange,
  });
  views.space.spread(settings.aside);
  arrange();
})();
