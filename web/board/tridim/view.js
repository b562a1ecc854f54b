/**
 * The seven boards of Tri-Dimensional chess in an SVG element: "flat" lays them side by side, "space" shows them in
 * perspective, to be rotated. Both are the same drawing under two projections. It knows no rules.
 */
/** @import { Color, Square, TridimGameView, TridimLastMove } from "../../messages.js" */
/** @import { Direction } from "./geometry.js" */
/** @import { Moving } from "./render.js" */
/** @import { Scene } from "./scene.js" */
import { closest, draw } from "../../shared/dom.js";
import { isAnimated } from "../look.js";
import { boardOf, fileName, fileOf, isAttack, levelOf, makeGeometry, rankOf } from "./geometry.js";
import { renderScene } from "./render.js";
import { buildScene } from "./scene.js";

const DRAG_PIXELS = 5, MOVE_MS = 320, DEGREES_PER_PIXEL = [0.4, 0.3], DEGREES_PER_KEY = [8, 5];
/** @type {Record<string, Direction>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @typedef {"flat" | "space"} Kind */
/**
 * A square, or an attack board or the free pin it may move to.
 * @typedef {{ square: Square, pin?: undefined } | { pin: string, square?: undefined }} Target
 */
/** @typedef {{ from: Square, to: Square, role: string, bow?: number }} MarkedArrow */

/**
 * What is chosen, where it may go, and why something is not possible.
 * @typedef {object} Marks
 * @property {Target | null} selected
 * @property {Map<Square, string>} targets their classes
 * @property {Set<string>} pinTargets
 * @property {Square[]} last
 * @property {Square | null} check
 * @property {Square[]} reason
 * @property {Map<Square, string>} squares other classes
 * @property {MarkedArrow[]} arrows
 * @property {{ square: Square, letter: string, color: Color }[]} ghosts pieces where they may go
 * @property {string | null} ghostBoard
 */

/**
 * `press` is a click or Enter; `canDrag` says what a drag takes along; `drop` gets `null` beside the boards.
 * @typedef {object} Handlers
 * @property {(target: Target | null) => void} press
 * @property {(target: Target) => Target | null} canDrag
 * @property {(source: Target) => void} pick
 * @property {(target: Target | null) => void} drop
 * @property {(square: Square) => string} describe
 * @property {(square: Square | null) => void} hover
 */

/** @param {HTMLElement} container @param {Kind} kind @param {Handlers} handlers */
export function makeView(container, kind, handlers) {
  const isSpace = kind === "space";
  const geometry = makeGeometry(kind);
  const svg = draw(container, "svg", {
    class: `board tri ${kind}`, role: "group", "aria-label": isSpace ? "The boards in 3D" : "The boards side by side",
  });

  /** @type {Pick<TridimGameView, "boards" | "pins" | "pieces">} */
  let game = { boards: [], pins: [], pieces: [] };
  /** @type {Marks} */
  let marks = {
    selected: null, targets: new Map(), pinTargets: new Set(), last: [], check: null, reason: [], squares: new Map(),
    arrows: [], ghosts: [], ghostBoard: null,
  };
  /** @type {Scene} */
  let scene = buildScene(svg, game, geometry);
  /** @type {Moving | null} */
  let moving = null;
  let focused = "b1W";
  /**
   * The pointer that is down, what it took along once it has moved, and the angles where it went down.
   * @type {{
   *   x: number, y: number, target: Target | null, started: boolean, source: Target | null, yaw: number, pitch: number, id: number,
   * } | null}
   */
  let drag = null;
  /** A click after a drag is a part of it. */
  let dragged = false;

  function build() {
    const hadFocus = svg.contains(document.activeElement);
    scene = buildScene(svg, game, geometry);
    const [square = focused] = scene.cells.has(focused) ? [focused] : scene.cells.keys();
    focused = square;
    for (const [name, { group }] of scene.cells) group.setAttribute("tabindex", name === focused ? "0" : "-1");
    if (hadFocus) focus();
  }

  function focus() {
    scene.cells.get(focused)?.group.focus({ preventScroll: true });
  }

  // Drawing.

  function render() {
    const { clientWidth: width, clientHeight: height } = container;
    if (!width || !height || !game.pins.length) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    geometry.fit(game, width, height);
    renderScene(scene, geometry, marks, moving);
  }

  function renderMarks() {
    const { selected, pinTargets } = marks, chosenPin = selected?.pin;
    for (const [square, { group }] of scene.cells) {
      const isSelected = selected?.square === square;
      const kinds = [
        group.classList.contains("light") ? "light" : "dark", "cell", marks.last.includes(square) && "last",
        marks.check === square && "check", isSelected && "selected", marks.targets.get(square),
        marks.reason.includes(square) && "reason", marks.squares.get(square),
      ];
      group.setAttribute("class", kinds.filter(Boolean).join(" "));
      group.setAttribute("aria-label", handlers.describe(square));
      group.setAttribute("aria-selected", String(isSelected));
    }
    for (const [name, { group, tag, data }] of scene.boards) {
      group.classList.toggle("chosen", chosenPin === name);
      group.classList.toggle("turns", pinTargets.has(name));
      if (!isAttack(name)) continue;
      const may = pinTargets.has(name) ? ", rotate it in place" : data.immobile ? "" : ", move it";
      tag.setAttribute("aria-label", `Attack board ${name}${may}`);
      tag.setAttribute("aria-pressed", String(chosenPin === name));
    }
    svg.classList.toggle("choosing-pin", chosenPin !== undefined);
    for (const [name, { group, data }] of scene.pins) {
      const isOpen = pinTargets.has(name) && data.free;
      group.classList.toggle("open", isOpen);
      const button = { role: "button", tabindex: "0", "aria-label": `Move the board to ${name}` };
      for (const [key, value] of Object.entries(button)) {
        if (isOpen) group.setAttribute(key, value);
        else group.removeAttribute(key);
      }
    }
    // Free pins are above everything while a board looks for one.
    if (chosenPin) scene.under.removeAttribute("aria-hidden");
    else scene.under.setAttribute("aria-hidden", "true");
  }

  /** @param {TridimLastMove | null | undefined} last */
  function animate(last) {
    if (!isAnimated() || !last) return;
    const started = performance.now(), move = { ...last, part: 0 };
    moving = move;
    const step = (/** @type {number} */ now) => {
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

  /** @param {Element | null} element @returns {Target | null} */
  function targetOf(element) {
    const found = element?.closest("[data-square], [data-tag], [data-pin]");
    if (!(found instanceof SVGElement) || !svg.contains(found)) return null;
    const { square, tag, pin } = found.dataset;
    return square ? { square } : { pin: tag ?? pin ?? "" };
  }

  /** @param {Event} event */
  const targetAt = (event) => targetOf(closest(event, "*"));

  svg.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const { yaw, pitch } = geometry.angles();
    drag = {
      x: event.clientX, y: event.clientY, target: targetAt(event), started: false, source: null, yaw, pitch, id: event.pointerId,
    };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag) return hover(targetAt(event));
    if (event.pointerId !== drag.id) return;
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
    if (!drag.source) return turn(drag.yaw + right * DEGREES_PER_PIXEL[0], drag.pitch + down * DEGREES_PER_PIXEL[1]);
    for (const shape of carried(drag.source)) shape.style.translate = `${right}px ${down}px`;
  });

  /** @param {PointerEvent} event @param {boolean} isDrop */
  function endDrag(event, isDrop) {
    if (!drag || event.pointerId !== drag.id) return;
    const { started, source } = drag;
    drag = null;
    svg.classList.remove("dragging");
    if (!started || !source) return;
    const shapes = carried(source);
    // What is carried does not hide what is under it.
    for (const shape of shapes) shape.classList.add("carried");
    const target = isDrop ? targetOf(document.elementFromPoint(event.clientX, event.clientY)) : null;
    for (const shape of shapes) {
      shape.classList.remove("carried");
      shape.style.removeProperty("translate");
    }
    handlers.drop(target);
  }
  svg.addEventListener("pointerup", (event) => endDrag(event, true));
  svg.addEventListener("pointercancel", (event) => endDrag(event, false));
  svg.addEventListener("pointerleave", () => hover(null));
  svg.addEventListener("click", (event) => {
    if (dragged) return void (dragged = false);
    const target = targetAt(event);
    if (target?.square) setFocus(target.square);
    handlers.press(target);
  });

  /** The shapes that follow the pointer. @param {Target} source */
  function carried({ square, pin }) {
    const taken = scene.pieces.filter((piece) => (square ? piece.square === square : boardOf(piece.square) === pin));
    const board = scene.boards.get(pin ?? "");
    return [...(board ? [board.group] : []), ...taken.map(({ use }) => use)];
  }

  /** @param {number} yaw @param {number} pitch */
  function turn(yaw, pitch) {
    geometry.turn(yaw, pitch);
    render();
  }

  /** The squares above and below a square are marked. @param {Target | null} target */
  function hover(target) {
    const square = target?.square && scene.cells.has(target.square) ? target.square : null;
    for (const [name, { group }] of scene.cells) {
      group.classList.toggle("column", square !== null && name !== square && name.startsWith(square.slice(0, 2)));
    }
    handlers.hover(square);
  }

  // The keyboard.

  /** @param {Square} square */
  function setFocus(square) {
    scene.cells.get(focused)?.group.setAttribute("tabindex", "-1");
    focused = square;
    scene.cells.get(square)?.group.setAttribute("tabindex", "0");
  }

  /** @param {string} column a file and a rank */
  const squaresIn = (column) => [...scene.cells.keys()].filter((name) => name.startsWith(column));

  /** @param {Square} square */
  function heightOf(square) {
    const board = scene.boards.get(boardOf(square));
    return board ? geometry.corner(board.data)[2] + levelOf(board.data.name) * 10 : 0;
  }

  /**
   * The next square in a direction: on the same board if it goes on, else on the nearest level.
   * @param {Square} square
   * @param {Direction} direction
   */
  function neighbor(square, [files, ranks]) {
    let file = fileOf(square) + files, rank = rankOf(square) + ranks;
    const near = (/** @type {Square} */ name) => Math.abs(heightOf(name) - heightOf(square));
    for (; file >= 0 && file < 6 && rank >= 0 && rank < 10; file += files, rank += ranks) {
      const [found] = squaresIn(`${fileName(file)}${rank}`).sort((a, b) => near(a) - near(b));
      if (found) return found;
    }
    return null;
  }

  /** The next square straight above (1) or below (-1). @param {Square} square @param {number} up */
  function above(square, up) {
    const order = (/** @type {Square} */ name) => (levelOf(boardOf(name)) * 10 + (isAttack(boardOf(name)) ? 5 : 0)) * up;
    const found = squaresIn(square.slice(0, 2)).filter((name) => order(name) > order(square));
    return found.sort((a, b) => order(a) - order(b))[0] ?? null;
  }

  svg.addEventListener("keydown", (event) => {
    const target = targetAt(event), step = STEPS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      if (target) handlers.press(target);
    } else if (event.key === "Escape") {
      handlers.press(null);
    } else if (isSpace && event.key === "Home") {
      view.reset();
    } else if (isSpace && step && event.shiftKey) {
      const { yaw, pitch } = geometry.angles();
      turn(yaw + step[0] * DEGREES_PER_KEY[0], pitch + step[1] * DEGREES_PER_KEY[1]);
    } else if (target?.square && (step || event.key === "PageUp" || event.key === "PageDown")) {
      const next = step ? neighbor(target.square, geometry.asSeen(step)) : above(target.square, event.key === "PageUp" ? 1 : -1);
      if (next) {
        setFocus(next);
        focus();
      }
    } else return;
    event.preventDefault();
  });
  // A listener for focus on the drawing itself would let Chromium focus all of it.
  container.addEventListener("focusin", (event) => {
    const target = targetAt(event);
    if (target?.square && event.target instanceof Element && event.target.matches(":focus-visible")) {
      setFocus(target.square);
      hover(target);
    }
  });

  new ResizeObserver(() => render()).observe(container);

  const view = {
    svg,
    /**
     * Shows a position; `last` is a move to animate.
     * @param {TridimGameView} newGame
     * @param {TridimLastMove | null | undefined} last
     */
    set(newGame, last) {
      [game, moving] = [newGame, null];
      build();
      animate(last);
      view.mark(marks);
    },
    /** @param {Marks} newMarks */
    mark(newMarks) {
      marks = newMarks;
      renderMarks();
      render();
    },
    /** @param {boolean} isFlipped */
    flip(isFlipped) {
      geometry.flip(isFlipped);
      render();
    },
    /** Attack boards aside, so that they hide nothing, or in their true place. @param {boolean} isAside */
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
    focus,
    render,
  };
  return view;
}
