/**
 * Arrows and circles that the user draws with the right mouse button, as on lichess: dragging draws an arrow, a click a circle;
 * the same again removes it. Shift or Ctrl makes it red, Alt blue, both yellow. On a touch screen a finger that stays for a moment
 * draws.
 */
/** @import { AnalysisShape, AnalysisShapeColor, Square } from "../../messages.js" */
import { SQUARE_SIZE, center, drawArrow } from "../../shared/diagram.js";
import { draw } from "../../shared/dom.js";

const HOLD_MS = 450, HOLD_PIXELS = 8;

/** @param {PointerEvent} event @returns {AnalysisShapeColor} */
function colorOf({ shiftKey, ctrlKey, altKey }) {
  const red = shiftKey || ctrlKey;
  return red && altKey ? "yellow" : red ? "red" : altKey ? "blue" : "green";
}

/** @param {AnalysisShape} one @param {AnalysisShape} other */
const isSamePlace = (one, other) => one.from === other.from && one.to === other.to;

/** @param {Element} layer @param {AnalysisShape[]} shapes @param {boolean} flipped */
function drawShapes(layer, shapes, flipped) {
  layer.replaceChildren();
  for (const { from, to, color } of shapes) {
    if (to) drawArrow(layer, [from, to], flipped, `drawn ${color}`);
    else {
      const [cx, cy] = center(from, flipped);
      draw(layer, "circle", { cx, cy, r: SQUARE_SIZE / 2 - 5, class: `circle drawn ${color}` });
    }
  }
}

/**
 * @param {HTMLElement} grid
 * @param {SVGElement} layer
 * @param {(event: PointerEvent) => Square | null} squareAt
 * @param {() => boolean} isEnabled
 * @param {() => void} begun with a finger, which then moves no piece
 * @param {(shapes: AnalysisShape[]) => void} [keep] what keeps the drawings
 */
export function makeShapes(grid, layer, squareAt, isEnabled, begun, keep) {
  /** @type {AnalysisShape[]} */
  let own = [];
  /** @type {AnalysisShape[]} those of the game, which stay */
  let given = [];
  let flipped = false;
  /** @type {{ id: number, shape: AnalysisShape } | null} what is being drawn */
  let pending = null;
  /** @type {{ timer: number, x: number, y: number } | null} a finger that stays */
  let held = null;

  function letGo() {
    clearTimeout(held?.timer);
    held = null;
  }

  /** @param {PointerEvent} event @param {Square} from */
  function hold(event, from) {
    const { pointerId, clientX: x, clientY: y } = event, color = colorOf(event);
    const timer = setTimeout(() => {
      held = null;
      begun();
      pending = { id: pointerId, shape: { from, to: null, color } };
      show();
    }, HOLD_MS);
    held = { timer, x, y };
  }

  const show = () => drawShapes(layer, [...given, ...own, ...(pending ? [pending.shape] : [])], flipped);

  grid.addEventListener("contextmenu", (event) => event.preventDefault());
  grid.addEventListener("pointerdown", (event) => {
    const from = squareAt(event);
    letGo();
    if (event.pointerType === "touch" && from && isEnabled()) return hold(event, from);
    if (event.button === 0) clear();
    if (event.button !== 2 || !from || !isEnabled()) return;
    pending = { id: event.pointerId, shape: { from, to: null, color: colorOf(event) } };
    grid.setPointerCapture(event.pointerId);
    show();
  });
  grid.addEventListener("pointermove", (event) => {
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > HOLD_PIXELS) letGo();
    if (event.pointerId !== pending?.id) return;
    const over = squareAt(event), { from } = pending.shape;
    pending.shape = { from, to: over === from ? null : over, color: colorOf(event) };
    show();
  });
  grid.addEventListener("pointerup", (event) => {
    if (held) clear();
    letGo();
    if (event.pointerId !== pending?.id) return;
    const { shape } = pending, drawn = keep ? given : own, before = drawn.find((one) => isSamePlace(one, shape));
    pending = null;
    if (squareAt(event)) {
      const next = [...drawn.filter((one) => one !== before), ...(before?.color === shape.color ? [] : [shape])];
      if (keep) {
        given = next;
        keep(next);
      } else own = next;
    }
    show();
  });
  // A finger that draws does not scroll.
  grid.addEventListener("touchmove", (event) => pending && event.preventDefault(), { passive: false });
  grid.addEventListener("pointercancel", () => {
    letGo();
    pending = null;
    show();
  });

  function clear() {
    if (!own.length) return;
    own = [];
    show();
  }

  /** @param {AnalysisShape[]} shapes @param {boolean} isFlipped */
  function set(shapes, isFlipped) {
    given = shapes;
    flipped = isFlipped;
    show();
  }
  return { set, clear };
}
