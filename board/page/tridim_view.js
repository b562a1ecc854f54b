/**
 * Draws the seven boards of Tri-Dimensional chess into an SVG element: `kind` "flat" lays them side by side, "space" shows
 * them in perspective, to be rotated. Both are the same drawing under two projections. It knows no rules.
 *
 * `handlers`: `press(target)` for a click or Enter, `canDrag(target)`, `pick(target)` when a drag begins, `drop(target)`
 * (null beside the boards), `describe(square)` for screen readers, `hover(square)`. A target is `{square}` or `{pin}`: an
 * attack board, or the free pin it may move to.
 */
const TridimView = (container, kind, handlers) => {
  // Lengths in squares.
  const THICK = 0.16, FRAME = 0.1;
  const DRAG_PIXELS = 5, MOVE_MS = 320, DEGREES_PER_PIXEL = [0.4, 0.3], DEGREES_PER_KEY = [8, 5];
  const NAMES = { W: "White's board", N: "neutral board", B: "Black's board" };
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const isSpace = kind === "space";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const svg = Board.draw(container, "svg", {
    class: `board tri ${kind}`, role: "group",
    "aria-label": isSpace ? "The boards in space" : "The boards side by side",
  });

  let game = { boards: [], pins: [], pieces: [] }, marks = {};
  /** Shapes by name: squares, boards, pins. */
  let cells = new Map(), boards = new Map(), pins = new Map(), pieces = [];
  let overlay = null;
  let moving = null, focused = "b1W", drag = null, dragged = false;

  const draw = (parent, name, attributes = {}) => Board.draw(parent, name, attributes);
  const geometry = TridimGeometry(kind);
  const { boardOf, fileOf, rankOf, levelOf, isAttack, corner, foot, at, outline, area, circle, isFront } = geometry;

  // Building: one shape for everything of the position.

  function build() {
    const hadFocus = svg.contains(document.activeElement);
    svg.replaceChildren();
    [cells, boards, pins, pieces] = [new Map(), new Map(), new Map(), []];
    const under = draw(svg, "g", { "aria-hidden": "true" });
    for (const pin of game.pins) buildPin(under, pin);
    const heights = [...new Set(game.boards.map((board) => corner(board)[2]))].sort((a, b) => a - b);
    for (const height of heights) {
      const level = draw(svg, "g");
      for (const board of game.boards) if (corner(board)[2] === height) buildBoard(level, board);
      const standing = draw(level, "g", { "aria-hidden": "true" });
      for (const piece of game.pieces) {
        const board = boards.get(boardOf(piece.square));
        if (!board || corner(board.data)[2] !== height) continue;
        const use = draw(standing, "use", { href: `#${piece.letter}`, class: `piece ${piece.color}`, "data-square": piece.square });
        pieces.push({ ...piece, use });
      }
    }
    overlay = draw(svg, "g", { class: "overlay", "aria-hidden": "true" });
    if (cells.size && !cells.has(focused)) focused = cells.keys().next().value;
    for (const [square, cell] of cells) cell.group.setAttribute("tabindex", square === focused ? "0" : "-1");
    if (hadFocus && cells.has(focused)) cells.get(focused).group.focus({ preventScroll: true });
  }

  function buildPin(parent, pin) {
    const group = draw(parent, "g", { class: "pin", "data-pin": pin.name });
    const post = isSpace ? draw(group, "path", { class: "post" }) : null;
    const place = draw(group, "path", { class: "place" });
    const label = draw(group, "text", { class: "pin-name" });
    label.textContent = pin.name;
    pins.set(pin.name, { data: { ...pin, size: 2 }, group, post, place, label });
  }

  function buildBoard(parent, board) {
    const { name, size, owner } = board;
    const group = draw(parent, "g", { class: `level owner-${owner || "none"}`, "data-board": name });
    const label = isAttack(name) ? `Attack board ${name}, ${owner === "white" ? "White" : "Black"}'s` : `Board ${name}, ${NAMES[name]}`;
    const grid = draw(group, "g", { role: "grid", "aria-label": label });
    const frame = draw(grid, "path", { class: "frame", role: "presentation" });
    for (let v = size - 1; v >= 0; v--) {
      const row = draw(grid, "g", { role: "row" });
      for (let u = 0; u < size; u++) {
        const square = `${"zabcde"[board.file + u]}${board.rank + v}${name}`;
        const shade = (board.file + u + board.rank + v) % 2 ? "light" : "dark";
        const cell = draw(row, "g", { role: "gridcell", class: `cell ${shade}`, "data-square": square });
        const shape = draw(cell, "path", { class: "square" }), mark = draw(cell, "path", { class: "mark", "fill-rule": "evenodd" });
        cells.set(square, { group: cell, u, v, name, shape, mark });
      }
    }
    const edges = [];
    for (let step = 0; step < size; step++) {
      for (const text of ["zabcde"[board.file + step], String(board.rank + step)]) {
        const edge = draw(group, "text", { class: "edge", "aria-hidden": "true" });
        edge.textContent = text;
        edges.push(edge);
      }
    }
    const tag = isAttack(name)
      ? draw(group, "g", { class: "tag", role: "button", tabindex: "0", "data-tag": name })
      : draw(group, "g", { class: "title", "aria-hidden": "true" });
    const plate = isAttack(name) ? draw(tag, "rect", { rx: 5 }) : null;
    const text = draw(tag, "text");
    text.textContent = name;
    boards.set(name, { data: board, group, frame, edges, tag, plate, text });
  }

  // Drawing: where everything is.

  /** The corner of a board that stands, or is on its way. */
  function cornerNow(data) {
    const there = corner(data);
    if (!moving || !moving.board || moving.board[1] !== data.name) return there;
    const from = corner(pins.get(moving.board[0]).data);
    return there.map((value, axis) => from[axis] + (value - from[axis]) * moving.part);
  }

  /** The middle of a square, also of a board that has just left. */
  function middle(square) {
    const board = boards.get(boardOf(square)) || pins.get(boardOf(square));
    if (!board) return [0, 0, 0];
    const from = boards.has(boardOf(square)) ? cornerNow(board.data) : corner(board.data);
    return at(from, fileOf(square) - board.data.file + 0.5, rankOf(square) - board.data.rank + 0.5);
  }

  function render() {
    const { clientWidth: width, clientHeight: height } = container;
    if (!width || !height || !game.pins.length) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    geometry.fit(game, width, height);
    for (const { data, group, post, place: shape, label } of pins.values()) {
      const from = corner(data), [x, y, size] = at(from, 1, 1);
      shape.setAttribute("d", area(from, 0, 0, 2, 2));
      if (post) {
        // From the corner of the main board to the middle of the attack board.
        const ground = foot(data), knee = [ground[0], ground[1], from[2] - 0.25];
        const [[footX, footY], [kneeX, kneeY], [topX, topY]] = [at(ground, 0, 0), at(knee, 0, 0), at(from, 1, 1, -THICK)];
        post.setAttribute("d", `M${footX} ${footY}Q${kneeX} ${kneeY} ${topX} ${topY}`);
      }
      text(label, x, y, 0.42 * size);
      group.classList.toggle("taken", !data.free);
    }
    for (const board of boards.values()) renderBoard(board);
    for (const { group, u, v, name, shape, mark } of cells.values()) {
      const from = cornerNow(boards.get(name).data);
      shape.setAttribute("d", area(from, u, v, 1, 1));
      mark.setAttribute("d", group.classList.contains("capture") ? ring(from, u + 0.5, v + 0.5)
        : group.classList.contains("target") ? circle(from, u + 0.5, v + 0.5, 0.17) : "");
    }
    const places = pieces.map((piece) => [piece, pieceAt(piece)]);
    for (const [piece, [x, y, size]] of places) piece.use.setAttribute("transform", standing(x, y, size));
    // The far ones first.
    if (isSpace) for (const [piece] of places.sort(([, a], [, b]) => a[1] - b[1])) piece.use.parentNode.append(piece.use);
    renderOverlay();
  }

  const ring = (from, u, v) => circle(from, u, v, 0.47) + circle(from, u, v, 0.39);

  /** A piece on the drawing: upright in space, flat on the board otherwise. */
  function standing(x, y, size) {
    const width = size * (isSpace ? 1.02 : 0.94), up = isSpace ? 0.8 : 0.5;
    return `translate(${(x - width / 2).toFixed(1)} ${(y - up * width).toFixed(1)}) scale(${(width / 100).toFixed(4)})`;
  }

  function pieceAt(piece) {
    const there = middle(piece.square);
    const step = moving && !(moving.board && moving.board[0] !== moving.board[1]) && moving.pieces.find(([, to]) => to === piece.square);
    if (!step) return there;
    const from = middle(step[0]);
    return there.map((value, axis) => from[axis] + (value - from[axis]) * moving.part);
  }

  function text(label, x, y, size) {
    label.setAttribute("x", x.toFixed(1));
    label.setAttribute("y", y.toFixed(1));
    label.style.fontSize = `${Math.max(9, Math.min(20, size)).toFixed(1)}px`;
  }

  function renderBoard({ data, frame, edges, plate, text: title }) {
    const from = cornerNow(data), end = data.size;
    const nearer = ([one], [other]) => at(from, ...other)[1] - at(from, ...one)[1];
    const edgeOf = ([, side], far) => (side < 0 ? -far : end + far);
    // Labels are on the edges next to the viewer, level with the lower edge of the board.
    const below = isSpace ? -THICK : 0;
    const frontFirst = [[[end / 2, 0], -1], [[end / 2, end], 1]].sort(nearer)[0], front = edgeOf(frontFirst, isSpace ? 0.5 : 0.34);
    const sides = [[[0, end / 2], -1], [[end, end / 2], 1]];
    const left = isSpace ? sides.sort(nearer)[0] : sides.sort(([a], [b]) => at(from, ...a)[0] - at(from, ...b)[0])[0];
    const beside = edgeOf(left, isSpace ? 0.42 : 0.32);
    edges.forEach((edge, index) => {
      const step = Math.floor(index / 2) + 0.5;
      const [x, y, size] = index % 2 ? at(from, beside, step, below) : at(from, step, front, below);
      text(edge, x, y, 0.3 * size);
    });
    const [low, high] = [-FRAME, end + FRAME];
    const sidesOf = [[low, low, high, low], [high, low, high, high], [high, high, low, high], [low, high, low, low]];
    const face = ([u, v, toU, toV]) => [at(from, u, v), at(from, toU, toV), at(from, toU, toV, -THICK), at(from, u, v, -THICK)];
    frame.setAttribute("d", area(from, low, low, high - low, high - low) + (isSpace ? sidesOf.map(face).filter(isFront).map(outline).join("") : ""));
    // In space, what is before a main board may lie under the next one: its name is across from the ranks.
    const nameAt = !isSpace ? [end / 2, geometry.angles().flipped ? -0.38 : end + 0.38]
      : plate ? [end / 2, edgeOf(frontFirst, 1.12)] : [end - edgeOf(left, 0.42), end / 2];
    const tagAt = at(from, ...nameAt, below);
    const size = Math.max(11, Math.min(16, 0.34 * tagAt[2]));
    text(title, tagAt[0], tagAt[1], size);
    title.style.fontSize = `${size}px`;
    if (plate) {
      const width = size * 2.5, height = size * 1.35;
      const box = { x: tagAt[0] - width / 2, y: tagAt[1] - height / 2, width, height };
      for (const [name, value] of Object.entries(box)) plate.setAttribute(name, value.toFixed(1));
    }
  }

  function renderOverlay() {
    overlay.replaceChildren();
    for (const { from, to, role, bow = 0 } of marks.arrows || []) arrow(middle(from), middle(to), role, bow);
    for (const { square, letter, color } of marks.ghosts || []) {
      draw(overlay, "use", { href: `#${letter}`, class: `piece ${color} ghost`, transform: standing(...middle(square)) });
    }
    if (marks.ghostBoard) draw(overlay, "path", { class: "ghost-board", d: area(corner(pins.get(marks.ghostBoard).data), 0, 0, 2, 2) });
  }

  function arrow([x, y, size], [toX, toY], role, bow) {
    const length = Math.hypot(toX - x, toY - y) || 1, across = [-(toY - y) / length, (toX - x) / length];
    const bend = [(x + toX) / 2 + across[0] * bow * size, (y + toY) / 2 + across[1] * bow * size];
    const angle = Math.atan2(toY - bend[1], toX - bend[0]), head = Math.max(7, 0.22 * size);
    const tip = [toX - Math.cos(angle) * 0.12 * size, toY - Math.sin(angle) * 0.12 * size];
    const wing = (turn) => `${(tip[0] - head * Math.cos(angle + turn)).toFixed(1)} ${(tip[1] - head * Math.sin(angle + turn)).toFixed(1)}`;
    const shaft = `M${x} ${y}Q${bend[0]} ${bend[1]} ${tip[0]} ${tip[1]}`;
    draw(overlay, "path", { class: `way ${role}`, d: `${shaft}M${wing(-0.5)}L${tip[0]} ${tip[1]}L${wing(0.5)}` });
  }

  /** Shows what is chosen, where it may go, and why something is not possible. */
  function renderMarks() {
    const { selected, targets = new Map(), pinTargets = new Set(), last = [], check, reason = [], squares = new Map() } = marks;
    for (const [square, { group }] of cells) {
      const shade = group.classList.contains("light") ? "light" : "dark";
      const kinds = [
        shade, "cell", last.includes(square) && "last", check === square && "check", selected && selected.square === square && "selected",
        targets.get(square), reason.includes(square) && "reason", squares.get(square),
      ];
      group.setAttribute("class", kinds.filter(Boolean).join(" "));
      group.setAttribute("aria-label", handlers.describe(square));
      group.setAttribute("aria-selected", String(Boolean(selected && selected.square === square)));
    }
    for (const [name, { group, tag, data }] of boards) {
      group.classList.toggle("chosen", Boolean(selected && selected.pin === name));
      group.classList.toggle("turns", pinTargets.has(name));
      if (isAttack(name)) {
        const may = pinTargets.has(name) ? ", rotate it in place" : data.immobile ? "" : ", move it";
        tag.setAttribute("aria-label", `Attack board ${name}${may}`);
        tag.setAttribute("aria-pressed", String(Boolean(selected && selected.pin === name)));
      }
    }
    const choosing = Boolean(selected && selected.pin);
    svg.classList.toggle("choosing-pin", choosing);
    for (const [name, { group, data }] of pins) {
      const open = pinTargets.has(name) && data.free;
      group.classList.toggle("open", open);
      if (open) {
        const button = { role: "button", tabindex: "0", "aria-label": `Move the board to ${name}` };
        for (const [key, value] of Object.entries(button)) group.setAttribute(key, value);
      } else for (const key of ["role", "tabindex", "aria-label"]) group.removeAttribute(key);
    }
    const under = svg.firstElementChild;
    if (under) {
      // Free pins are above everything while a board looks for one.
      if (choosing) under.removeAttribute("aria-hidden");
      else under.setAttribute("aria-hidden", "true");
    }
  }

  // Moving.

  function animate(last) {
    if (still.matches || !last) return;
    const started = performance.now(), move = { ...last, part: 0 };
    moving = move;
    const step = (now) => {
      if (moving !== move) return;
      const time = Math.min(1, (now - started) / MOVE_MS);
      move.part = time * time * (3 - 2 * time);
      if (time >= 1) moving = null;
      else requestAnimationFrame(step);
      render();
    };
    requestAnimationFrame(step);
  }

  // The pointer.

  function targetOf(element) {
    const found = element && element.closest && element.closest("[data-square], [data-tag], [data-pin]");
    if (!found || !svg.contains(found)) return null;
    const { square, tag, pin } = found.dataset;
    return square ? { square } : { pin: tag || pin };
  }

  svg.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const target = targetOf(event.target);
    drag = { x: event.clientX, y: event.clientY, target, started: false, ...geometry.angles(), id: event.pointerId };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) {
      if (!drag) hover(targetOf(event.target));
      return;
    }
    const right = event.clientX - drag.x, down = event.clientY - drag.y;
    if (!drag.started) {
      if (Math.hypot(right, down) < DRAG_PIXELS) return;
      drag.source = drag.target && handlers.canDrag(drag.target);
      if (!drag.source && !isSpace) return void (drag = null);
      [drag.started, dragged] = [true, true];
      svg.setPointerCapture(event.pointerId);
      svg.classList.add("dragging");
      if (drag.source) handlers.pick(drag.source);
    }
    if (drag.source) carry(right, down);
    else turn(drag.yaw + right * DEGREES_PER_PIXEL[0], drag.pitch + down * DEGREES_PER_PIXEL[1]);
  });
  const endDrag = (event, isDrop) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { started, source } = drag;
    drag = null;
    svg.classList.remove("dragging");
    if (!started || !source) return;
    carried(source).forEach((shape) => shape.classList.add("carried"));
    const target = isDrop ? targetOf(document.elementFromPoint(event.clientX, event.clientY)) : null;
    carried(source).forEach((shape) => shape.classList.remove("carried"));
    carried(source).forEach((shape) => shape.style.removeProperty("translate"));
    handlers.drop(target);
  };
  svg.addEventListener("pointerup", (event) => endDrag(event, true));
  svg.addEventListener("pointercancel", (event) => endDrag(event, false));
  svg.addEventListener("pointerleave", () => hover(null));
  svg.addEventListener("click", (event) => {
    if (dragged) return void (dragged = false);
    const target = targetOf(event.target);
    if (target && target.square) setFocus(target.square);
    handlers.press(target);
  });

  /** The shapes that follow the pointer. */
  function carried(source) {
    if (source.square) return pieces.filter(({ square }) => square === source.square).map(({ use }) => use);
    const riders = pieces.filter(({ square }) => boardOf(square) === source.pin).map(({ use }) => use);
    return [boards.get(source.pin).group, ...riders];
  }

  function carry(right, down) {
    for (const shape of carried(drag.source)) shape.style.translate = `${right}px ${down}px`;
  }

  function turn(yaw, pitch) {
    geometry.turn(yaw, pitch);
    render();
  }

  /** The squares above and below a square are marked. */
  function hover(target) {
    const square = target && target.square;
    const shown = square && cells.has(square) ? square : null;
    for (const [name, { group }] of cells) {
      group.classList.toggle("column", Boolean(shown) && name !== shown && name.startsWith(shown.slice(0, 2)));
    }
    handlers.hover(shown);
  }

  // The keyboard.

  function setFocus(square) {
    if (cells.has(focused)) cells.get(focused).group.setAttribute("tabindex", "-1");
    focused = square;
    cells.get(square).group.setAttribute("tabindex", "0");
  }

  /** The next square in a direction: on the same board if it goes on, else on the nearest level. */
  function neighbor(square, [files, ranks]) {
    const height = (name) => corner(boards.get(name).data)[2] + levelOf(name) * 10;
    let file = fileOf(square) + files, rank = rankOf(square) + ranks;
    for (; file >= 0 && file < 6 && rank >= 0 && rank < 10; file += files, rank += ranks) {
      const column = "zabcde"[file] + rank;
      const found = [...cells.keys()].filter((name) => name.startsWith(column));
      const near = (name) => Math.abs(height(boardOf(name)) - height(boardOf(square)));
      if (found.length) return found.sort((a, b) => near(a) - near(b))[0];
    }
    return null;
  }

  /** The next square straight above or below. */
  function above(square, up) {
    const height = (name) => levelOf(boardOf(name)) * 10 + (isAttack(boardOf(name)) ? 5 : 0);
    const found = [...cells.keys()].filter((name) => name.startsWith(square.slice(0, 2)) && (height(name) - height(square)) * up > 0);
    return found.sort((a, b) => (height(a) - height(b)) * up)[0] || null;
  }

  svg.addEventListener("keydown", (event) => {
    const target = targetOf(event.target);
    const step = STEPS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      if (target) handlers.press(target);
    } else if (event.key === "Escape") {
      handlers.press(null);
    } else if (isSpace && event.key === "Home") {
      view.reset();
    } else if (isSpace && step && event.shiftKey) {
      const { yaw, pitch } = geometry.angles();
      turn(yaw + step[0] * DEGREES_PER_KEY[0], pitch + step[1] * DEGREES_PER_KEY[1]);
    } else if (target && target.square && (step || event.key === "PageUp" || event.key === "PageDown")) {
      const next = step ? neighbor(target.square, geometry.asSeen(step)) : above(target.square, event.key === "PageUp" ? 1 : -1);
      if (next) {
        setFocus(next);
        cells.get(next).group.focus({ preventScroll: true });
      }
    } else return;
    event.preventDefault();
  });
  // A listener for focus on the drawing itself would let Chromium focus all of it.
  container.addEventListener("focusin", (event) => {
    const target = targetOf(event.target);
    if (target && target.square && event.target.matches(":focus-visible")) {
      setFocus(target.square);
      hover(target);
    }
  });

  new ResizeObserver(() => render()).observe(container);

  const view = {
    /** Shows a position; `last` is a move to animate. */
    set(newGame, last) {
      [game, moving] = [newGame, null];
      build();
      animate(last);
      view.mark(marks);
    },
    mark(newMarks) {
      marks = newMarks;
      renderMarks();
      render();
    },
    flip(isFlipped) {
      geometry.flip(isFlipped);
      render();
    },
    /** Attack boards aside, so that they hide nothing, or in their true place. */
    spread(isAside) {
      geometry.spread(isAside);
      build();
      view.mark(marks);
    },
    reset() {
      geometry.reset();
      render();
    },
    hasFocus: () => svg.contains(document.activeElement),
    focus() {
      if (cells.has(focused)) cells.get(focused).group.focus({ preventScroll: true });
    },
    render,
  };
  return view;
};
