/**
 * An interactive chessboard, drawn with `Board`: moves by drag, click, arrow keys and typing, promotion, premoves, arrows,
 * marks and paths. It knows no rules: what is legal is in its state, and it asks `handlers` about everything else.
 *
 * A transparent grid of 64 cells lies on the drawing; it takes the pointer and the focus and tells screen readers what is
 * on each square.
 *
 * `handlers`: `move(from, to, promotion, legal)`, `illegal(from, to)` for a move that is not in `legal`, `typed(text)` for
 * a typed text that is none of them, `premove(from, to, promotion)` to allow moves out of turn, called without arguments
 * to cancel. All but `move` may be missing.
 */
const Chessboard = (container, handlers) => {
  const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const PROMOTIONS = ["q", "r", "b", "n"];
  const MOVE_MS = 170, CASTLING_MS = 320, DRAG_PIXELS = 4, DROP_MS = 700, MAX_ANIMATED = 4;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const { element } = App;

  let state = {
    fen: "8/8/8/8/8/8/8/8 w - - 0 1", last: [], check: false, legal: [], movable: null, arrows: [], marks: [], paths: [],
    premove: null, flipped: false, animate: true,
  };
  const defaults = state;
  /** The pieces of the FEN by square. */
  let pieces = new Map();
  /** Their elements. */
  let drawn = new Map();
  let selected = null, focused = "e1", typed = "";
  /** The pointer that is down, and where it went down. */
  let pointer = null;
  /** A piece that follows it. */
  let drag = null;
  /** A move made by dragging that the page has not confirmed by a new position. */
  let dropped = null;
  let closePromotion = () => {};

  const svg = Board.draw(container, "svg", { class: "board", viewBox: "0 0 800 800", "aria-hidden": "true" });
  const [squareLayer, markLayer, pathLayer, pieceLayer, arrowLayer] = Array.from({ length: 5 }, () => Board.draw(svg, "g", {}));
  const grid = element("div", { role: "grid", class: "cells", "aria-label": "Chessboard" });
  const cells = [];
  for (let row = 0; row < 8; row++) {
    const line = element("div", { role: "row" });
    for (let file = 0; file < 8; file++) cells.push(line.appendChild(element("div", { role: "gridcell", tabindex: "-1" })));
    grid.append(line);
  }
  const typedText = element("output", { class: "typed", "aria-label": "Typed move", hidden: "" });
  const spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
  container.classList.add("chessboard");
  container.append(grid, typedText, spoken);

  // What may be moved.

  const sideOf = (piece) => (piece === piece.toUpperCase() ? "white" : "black");
  const pieceName = (piece) => `${sideOf(piece)} ${NAMES[piece.toLowerCase()]}`;
  const sideToMove = () => (state.fen.split(" ")[1] === "b" ? "black" : "white");
  const movesOf = (from) => state.legal.filter((move) => move.from === from);
  const isPremove = (from) => sideOf(pieces.get(from) || "") !== sideToMove();

  function canPick(square) {
    const piece = pieces.get(square);
    if (!piece || !state.movable) return false;
    if (sideOf(piece) === sideToMove()) return state.movable === "both" || state.movable === sideToMove();
    return state.movable === sideOf(piece) && Boolean(handlers.premove);
  }

  function select(square) {
    selected = square;
    if (square) {
      const targets = [...new Set(movesOf(square).map((move) => move.to[0]))];
      const count = `${targets.length} ${targets.length === 1 ? "square" : "squares"}: ${targets.join(", ")}`;
      say(`${pieceName(pieces.get(square))} on ${square}, ${targets.length ? count : "no legal move"}`);
    }
    drawMarks();
    labelCells();
  }

  /** Makes a move, or has the page explain why it is illegal. */
  function attempt(from, to, isDrop = false) {
    const moves = movesOf(from).filter((move) => move.to.includes(to));
    const isAhead = isPremove(from);
    const piece = pieces.get(from);
    select(null);
    if (isAhead) {
      const promotes = piece.toLowerCase() === "p" && /[18]/.test(to[1]);
      if (promotes) choosePromotion(to, sideOf(piece), (role) => handlers.premove(from, to, role));
      else handlers.premove(from, to, null);
    } else if (!moves.length) {
      if (handlers.illegal) handlers.illegal(from, to);
    } else {
      if (isDrop) showDropped(from, to);
      const promotion = moves.some((move) => move.promotion);
      if (!promotion) return handlers.move(from, to, null, moves[0]);
      choosePromotion(to, sideOf(piece), (role) => {
        const chosen = moves.find((move) => move.promotion === role);
        if (chosen) handlers.move(from, to, role, chosen);
      });
    }
  }

  /** A square is clicked, or Enter is pressed on it. */
  function press(square) {
    if (!selected) {
      if (canPick(square)) select(square);
      else if (state.premove && handlers.premove) handlers.premove();
    } else if (square === selected) {
      select(null);
    } else if (canPick(square) && !movesOf(selected).some((move) => move.to.includes(square))) {
      select(square);
    } else {
      attempt(selected, square);
    }
  }

  function showDropped(from, to) {
    dropped = { from, to };
    drawPieces();
    setTimeout(() => {
      if (!dropped || dropped.from !== from || dropped.to !== to) return;
      dropped = null;
      if (!container.querySelector(".promotion")) drawPieces();
    }, DROP_MS);
  }

  // Promotion.

  function choosePromotion(to, side, choose) {
    const [x, y] = Board.corner(to, state.flipped);
    const goesUp = y > 350;
    const order = goesUp ? [...PROMOTIONS].reverse() : PROMOTIONS;
    const buttons = order.map((role) => {
      const button = element("button", { type: "button", "aria-label": NAMES[role], title: NAMES[role], "data-role": role });
      const picture = Board.draw(button, "svg", { class: "board", viewBox: "0 0 100 100", "aria-hidden": "true" });
      Board.drawPiece(picture, side === "white" ? role.toUpperCase() : role, [0, 0]);
      button.addEventListener("click", () => {
        close();
        choose(role);
      });
      return button;
    });
    const list = element("div", { class: "choices" }, ...buttons);
    const dialog = element("div", { class: "promotion", role: "dialog", "aria-modal": "true", "aria-label": "Promote to" }, list);
    list.style.left = `${x / 8}%`;
    list.style[goesUp ? "bottom" : "top"] = "0";
    const close = () => {
      dialog.remove();
      closePromotion = () => {};
      dropped = null;
      drawPieces();
      grid.inert = false;
      focus();
    };
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) close();
    });
    dialog.addEventListener("keydown", (event) => {
      const at = buttons.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
      const letter = PROMOTIONS.includes(event.key.toLowerCase()) && event.key.toLowerCase();
      if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
      else if (letter) buttons[order.indexOf(letter)].click();
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    closePromotion();
    closePromotion = close;
    grid.inert = true;
    container.append(dialog);
    buttons[order.indexOf("q")].focus();
  }

  // Drawing.

  function drawMarks() {
    markLayer.replaceChildren();
    const shade = (square, kind) => {
      const [x, y] = Board.corner(square, state.flipped);
      return Board.draw(markLayer, "rect", { x, y, width: Board.SIZE, height: Board.SIZE, class: `mark ${kind}` });
    };
    for (const { square, kind, text } of state.marks) {
      shade(square, kind);
      const [x, y] = Board.corner(square, state.flipped);
      if (text) Board.draw(markLayer, "text", { x: x + 50, y: y + 57, class: "mark-text" }).textContent = text;
    }
    if (state.premove) for (const square of [state.premove.from, state.premove.to]) shade(square, "premove");
    if (drag && drag.over && drag.over !== drag.from) shade(drag.over, "over");
    if (!selected) return;
    shade(selected, "selected");
    for (const square of new Set(movesOf(selected).flatMap((move) => move.to))) {
      const [cx, cy] = Board.center(square, state.flipped);
      const shape = pieces.has(square) ? { r: 43, class: "target capture" } : { r: 15, class: "target" };
      Board.draw(markLayer, "circle", { cx, cy, ...shape });
    }
  }

  function drawArrows() {
    pathLayer.replaceChildren();
    arrowLayer.replaceChildren();
    for (const { squares, kind } of state.paths) {
      const points = squares.map((square) => Board.center(square, state.flipped));
      Board.draw(pathLayer, "polyline", { class: `path ${kind}`, points: points.map((point) => point.join(",")).join(" ") });
      const [cx, cy] = points[points.length - 1];
      Board.draw(pathLayer, "circle", { cx, cy, r: 12, class: `path-end ${kind}` });
    }
    for (const { from, to, kind } of state.arrows) Board.drawArrow(arrowLayer, [from, to], state.flipped, kind);
  }

  function drawPieces() {
    pieceLayer.replaceChildren();
    drawn = Board.drawPieces(pieceLayer, state);
    if (dropped && drawn.has(dropped.from)) {
      if (drawn.has(dropped.to)) drawn.get(dropped.to).remove();
      place(drawn.get(dropped.from), Board.corner(dropped.to, state.flipped));
    }
    if (!drag) return;
    drag.piece = drawn.get(drag.from);
    if (drag.piece) moveDragged();
    else drag = null;
  }

  const place = (piece, [x, y]) => piece.setAttribute("transform", `translate(${x} ${y})`);

  function labelCells() {
    const targets = new Set(selected ? movesOf(selected).flatMap((move) => move.to) : []);
    cells.forEach((cell, index) => {
      const square = Board.squareName(state.flipped ? 63 - index : index);
      const piece = pieces.get(square);
      const label = `${square}, ${piece ? pieceName(piece) : "empty"}${targets.has(square) ? ", legal move" : ""}`;
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.dataset.square = square;
      cell.setAttribute("aria-selected", String(square === selected));
      cell.tabIndex = square === focused ? 0 : -1;
      cell.classList.toggle("pickable", canPick(square));
    });
  }

  /** Lets the pieces that have moved glide, and those that are gone fade. */
  function animate(before, origin) {
    const appeared = [], vanished = [];
    for (const [square, piece] of pieces) if (before.get(square) !== piece) appeared.push({ square, piece });
    for (const [square, piece] of before) if (pieces.get(square) !== piece) vanished.push({ square, piece, used: false });
    if (appeared.length > MAX_ANIMATED) return;
    const [lastFrom, lastTo] = state.last || [];
    const distance = (one, other) => Math.hypot(one.charCodeAt(0) - other.charCodeAt(0), one.charCodeAt(1) - other.charCodeAt(1));
    const duration = appeared.length > 1 ? CASTLING_MS : MOVE_MS;
    for (const { square, piece } of appeared) {
      const same = vanished.filter((old) => !old.used && old.piece === piece);
      same.sort((one, other) => distance(one.square, square) - distance(other.square, square));
      const promoted = vanished.find((old) => !old.used && old.square === lastFrom && square === lastTo);
      const old = same[0] || promoted;
      if (!old) continue;
      old.used = true;
      const start = origin && origin.from === old.square ? origin.to : old.square;
      if (start === square) continue;
      const frames = [start, square].map((corner) => {
        const [x, y] = Board.corner(corner, state.flipped);
        return { transform: `translate(${x}px, ${y}px)` };
      });
      drawn.get(square).animate(frames, { duration, easing: "ease-in-out" });
    }
    for (const { square, piece, used } of vanished) {
      if (used) continue;
      const ghost = Board.drawPiece(pieceLayer, piece, Board.corner(square, state.flipped));
      pieceLayer.prepend(ghost);
      ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration }).addEventListener("finish", () => ghost.remove());
    }
  }

  // The pointer.

  function squareAt(event) {
    const box = grid.getBoundingClientRect();
    const file = Math.floor((8 * (event.clientX - box.left)) / box.width);
    const row = Math.floor((8 * (event.clientY - box.top)) / box.height);
    if (file < 0 || file > 7 || row < 0 || row > 7) return null;
    const index = 8 * row + file;
    return Board.squareName(state.flipped ? 63 - index : index);
  }

  function moveDragged() {
    const box = grid.getBoundingClientRect();
    const x = (800 * (drag.x - box.left)) / box.width - 50, y = (800 * (drag.y - box.top)) / box.height - 50;
    pieceLayer.append(drag.piece);
    place(drag.piece, [x, y]);
  }

  function pointerDown(event) {
    const square = squareAt(event);
    if (event.button !== 0 || !square || pointer) return;
    const wasSelected = selected === square;
    const picks = canPick(square) && (!selected || wasSelected || !movesOf(selected).some((move) => move.to.includes(square)));
    if (picks && !wasSelected) select(square);
    pointer = { id: event.pointerId, square, wasSelected, picks, x: event.clientX, y: event.clientY };
    grid.setPointerCapture(event.pointerId);
  }

  function pointerMove(event) {
    if (!pointer || event.pointerId !== pointer.id || !pointer.picks) return;
    const { square, x, y } = pointer;
    if (!drag && Math.hypot(event.clientX - x, event.clientY - y) < DRAG_PIXELS) return;
    if (!drawn.has(square) || !canPick(square)) return release();
    const over = squareAt(event);
    const entered = !drag || drag.over !== over;
    container.classList.add("dragging");
    drag = { from: square, piece: drawn.get(square), x: event.clientX, y: event.clientY, over };
    moveDragged();
    if (entered) drawMarks();
  }

  function pointerUp(event) {
    if (!pointer || event.pointerId !== pointer.id) return;
    const { square, wasSelected, picks } = pointer, target = squareAt(event), dragged = Boolean(drag);
    release();
    if (!picks && target === square) press(square);
    else if (dragged && target && target !== square) attempt(square, target, true);
    else if (dragged || (picks && wasSelected)) select(null);
  }

  /** Also when a touch scrolls the page instead. */
  function release() {
    pointer = null;
    if (!drag) return;
    drag = null;
    container.classList.remove("dragging");
    drawPieces();
    drawMarks();
  }

  const POINTER = { pointerdown: pointerDown, pointermove: pointerMove, pointerup: pointerUp, pointercancel: release };
  for (const [kind, listener] of Object.entries(POINTER)) grid.addEventListener(kind, listener);
  grid.addEventListener("dragstart", (event) => event.preventDefault());

  // The keyboard.

  function say(text) {
    spoken.textContent = text;
  }

  function showTyped(text) {
    typed = text;
    typedText.textContent = text;
    typedText.hidden = !text;
  }

  /** Plays a move typed by its squares or in SAN. */
  function playTyped(text) {
    showTyped("");
    const plain = (san) => san.replace(/[+#=x]/g, "").replaceAll("0", "O");
    const squares = /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/i.exec(text);
    const found =
      state.legal.find((move) => move.uci === text.toLowerCase()) ||
      (squares && state.legal.find((move) => move.from === squares[1] && move.to.includes(squares[2]) && (move.promotion || "") === squares[3].toLowerCase())) ||
      state.legal.find((move) => plain(move.san) === plain(text));
    if (found && state.movable) handlers.move(found.from, found.to[0], found.promotion || null, found);
    else if (handlers.typed) handlers.typed(text);
    else if (squares && handlers.illegal) handlers.illegal(squares[1], squares[2]);
    else say(`No legal move is written ${text}`);
  }

  function moveFocus(files, rows) {
    const index = cells.findIndex((cell) => cell.dataset.square === focused);
    const file = Math.min(Math.max((index % 8) + files, 0), 7), row = Math.min(Math.max(Math.floor(index / 8) + rows, 0), 7);
    focused = cells[8 * row + file].dataset.square;
    labelCells();
    focus();
  }

  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (arrows[event.key]) moveFocus(...arrows[event.key]);
    else if (event.key === "Enter" && typed) playTyped(typed);
    else if (event.key === "Enter" || event.key === " ") press(focused);
    else if (event.key === "Escape" && (typed || selected || state.premove)) cancel();
    else if (event.key === "Backspace" && typed) showTyped(typed.slice(0, -1));
    else if (/^[a-hkqrnoKQRBNO0-8x=+#-]$/.test(event.key) && typed.length < 8) showTyped(typed + event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  grid.addEventListener("focusin", (event) => {
    const { square } = event.target.dataset;
    if (!square || square === focused) return;
    focused = square;
    labelCells();
  });

  function cancel() {
    if (!typed && !selected && state.premove && handlers.premove) handlers.premove();
    showTyped("");
    select(null);
  }

  // The component.

  function set(next) {
    const old = state, before = pieces, origin = dropped;
    state = { ...defaults, ...next, flipped: next.flipped === undefined ? old.flipped : next.flipped };
    const turned = state.flipped !== old.flipped, moved = state.fen !== old.fen;
    if (moved) {
      pieces = new Map(Board.pieces(state.fen).flatMap((piece, index) => (piece ? [[Board.squareName(index), piece]] : [])));
      dropped = null;
      closePromotion();
    }
    if (selected && !canPick(selected)) selected = null;
    squareLayer.replaceChildren();
    Board.drawSquares(squareLayer, state);
    // Otherwise an animation may be running.
    if (moved || turned) drawPieces();
    drawMarks();
    drawArrows();
    labelCells();
    if (moved && !turned && before.size && state.animate && !still.matches) animate(before, origin);
  }

  function flip() {
    set({ ...state, flipped: !state.flipped });
    return state.flipped;
  }

  /** Puts the keyboard's focus on the board. */
  function focus() {
    const cell = cells.find((one) => one.dataset.square === focused);
    if (cell) cell.focus({ preventScroll: true });
  }

  set({});
  return { set, flip, focus };
};
