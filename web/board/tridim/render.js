/** Puts the shapes of a scene where its geometry has them, with a board or piece that is on its way. */
/** @import { Square, TridimLastMove } from "../../messages.js" */
/** @import { Geometry, Place, Point3, Seen } from "./geometry.js" */
/** @import { BoardShape, PieceShape, PinShape, Scene } from "./scene.js" */
/** @import { Marks, MarkedArrow } from "./view.js" */
import { pieceAddress } from "../../shared/diagram.js";
import { draw } from "../../shared/dom.js";
import { boardOf, fileOf, isFront, outline, rankOf } from "./geometry.js";

// Lengths in squares.
const THICK = 0.16, FRAME = 0.1;

/** @typedef {TridimLastMove & { part: number }} Moving a move, and how much of it is done, from 0 to 1 */

/**
 * @param {Scene} scene
 * @param {Geometry} geometry fitted to the size of the drawing
 * @param {Marks} marks
 * @param {Moving | null} moving
 */
export function renderScene(scene, geometry, marks, moving) {
  const { cells, boards, pins, pieces, overlay } = scene;
  const { isSpace, corner, at, area, circle } = geometry;

  /** @param {Point3} from @param {Point3} to @returns {Point3} */
  const between = ([x, y, z], [toX, toY, toZ], part = moving?.part ?? 1) =>
    [x + (toX - x) * part, y + (toY - y) * part, z + (toZ - z) * part];

  /** The corner of a board that stands, or is on its way. @param {Place} data */
  function cornerNow(data) {
    const there = corner(data), from = moving?.board?.[1] === data.name && pins.get(moving.board[0]);
    return from ? between(corner(from.data), there) : there;
  }

  /** The middle of a square, also of a board that has just left. @param {Square} square @returns {Seen} */
  function middle(square) {
    const board = boards.get(boardOf(square)), place = board ?? pins.get(boardOf(square));
    if (!place) return [0, 0, 0];
    const from = board ? cornerNow(board.data) : corner(place.data);
    return at(from, fileOf(square) - place.data.file + 0.5, rankOf(square) - place.data.rank + 0.5);
  }

  /** @param {PieceShape} piece */
  function pieceAt({ square }) {
    const there = middle(square);
    // The pieces on a board go with it, except when it rotates in place.
    if (moving?.board && moving.board[0] !== moving.board[1]) return there;
    const step = moving?.pieces.find(([, to]) => to === square);
    return step ? between(middle(step[0]), there) : there;
  }

  /** A piece on the drawing: upright in space, flat on the board otherwise. @param {Seen} place */
  function standing([x, y, size]) {
    const width = size * (isSpace ? 1.02 : 0.94), up = isSpace ? 0.8 : 0.5;
    return `translate(${(x - width / 2).toFixed(1)} ${(y - up * width).toFixed(1)}) scale(${(width / 100).toFixed(4)})`;
  }

  /** @param {PinShape} pin */
  function renderPin({ data, group, post, place, label }) {
    const from = corner(data), [x, y, size] = at(from, 1, 1);
    place.setAttribute("d", area(from, 0, 0, 2, 2));
    if (post) {
      // From the corner of the main board to the middle of the attack board.
      const ground = geometry.foot(data);
      const [footX, footY] = at(ground, 0, 0), [kneeX, kneeY] = at([ground[0], ground[1], from[2] - 0.25], 0, 0);
      const [topX, topY] = at(from, 1, 1, -THICK);
      post.setAttribute("d", `M${footX} ${footY}Q${kneeX} ${kneeY} ${topX} ${topY}`);
    }
    placeText(label, x, y, 0.42 * size);
    group.classList.toggle("taken", !data.free);
  }

  /** @param {BoardShape} board */
  function renderBoard({ data, frame, edges, plate, text: title }) {
    const from = cornerNow(data), end = data.size;
    const down = (/** @type {Edge} */ [point]) => -at(from, ...point)[1];
    const across = (/** @type {Edge} */ [point]) => at(from, ...point)[0];
    // Labels are on the edges next to the viewer, level with the lower edge of the board.
    const below = isSpace ? -THICK : 0;
    const frontFirst = least([[[end / 2, 0], -1], [[end / 2, end], 1]], down)[1];
    const front = edgeAt(frontFirst, end, isSpace ? 0.5 : 0.34);
    const left = least([[[0, end / 2], -1], [[end, end / 2], 1]], isSpace ? down : across)[1];
    const beside = edgeAt(left, end, isSpace ? 0.42 : 0.32);
    edges.forEach((edge, index) => {
      const step = Math.floor(index / 2) + 0.5;
      const [x, y, size] = index % 2 ? at(from, beside, step, below) : at(from, step, front, below);
      placeText(edge, x, y, 0.3 * size);
    });
    const [low, high] = [-FRAME, end + FRAME];
    const corners = [[low, low], [high, low], [high, high], [low, high]];
    const faces = corners.map(([u, v], index) => {
      const [toU, toV] = corners[(index + 1) % corners.length];
      return [at(from, u, v), at(from, toU, toV), at(from, toU, toV, -THICK), at(from, u, v, -THICK)];
    });
    const sides = isSpace ? faces.filter(isFront).map(outline).join("") : "";
    frame.setAttribute("d", area(from, low, low, high - low, high - low) + sides);
    // In space, what is before a main board may lie under the next one: its name is across from the ranks.
    const [u, v] = !isSpace ? [end / 2, geometry.angles().flipped ? -0.38 : end + 0.38]
      : plate ? [end / 2, edgeAt(frontFirst, end, 1.12)] : [end - edgeAt(left, end, 0.42), end / 2];
    const [x, y, scale] = at(from, u, v, below);
    const size = Math.max(11, Math.min(16, 0.34 * scale));
    placeText(title, x, y, size);
    title.style.fontSize = `${size}px`;
    if (plate) {
      const width = size * 2.5, height = size * 1.35;
      const box = { x: x - width / 2, y: y - height / 2, width, height };
      for (const [name, value] of Object.entries(box)) plate.setAttribute(name, value.toFixed(1));
    }
  }

  function renderOverlay() {
    overlay.replaceChildren();
    for (const one of marks.arrows) drawWay(overlay, middle(one.from), middle(one.to), one);
    for (const { square, letter, color } of marks.ghosts) {
      draw(overlay, "use", { href: pieceAddress(letter), class: `piece ${color} ghost`, transform: standing(middle(square)) });
    }
    const ghost = pins.get(marks.ghostBoard ?? "");
    if (ghost) draw(overlay, "path", { class: "ghost-board", d: area(corner(ghost.data), 0, 0, 2, 2) });
  }

  for (const pin of pins.values()) renderPin(pin);
  for (const board of boards.values()) renderBoard(board);
  for (const { group, u, v, name, shape, mark } of cells.values()) {
    const board = boards.get(name);
    if (!board) continue;
    const from = cornerNow(board.data);
    shape.setAttribute("d", area(from, u, v, 1, 1));
    const ring = () => circle(from, u + 0.5, v + 0.5, 0.47) + circle(from, u + 0.5, v + 0.5, 0.39);
    mark.setAttribute("d", group.classList.contains("capture") ? ring()
      : group.classList.contains("target") ? circle(from, u + 0.5, v + 0.5, 0.17) : "");
  }
  const places = pieces.map((piece) => ({ ...piece, seen: pieceAt(piece) }));
  for (const { use, seen } of places) use.setAttribute("transform", standing(seen));
  // The far ones first.
  if (isSpace) for (const { use } of places.sort((a, b) => a.seen[1] - b.seen[1])) use.parentNode?.append(use);
  renderOverlay();
}

/** @typedef {[[number, number], number]} Edge of a board: its middle, and whether it is the low (-1) or the high one */

/** @param {Edge[]} edges @param {(edge: Edge) => number} measure */
const least = (edges, measure) => edges.reduce((one, other) => (measure(other) < measure(one) ? other : one));

/** A place outside of an edge. @param {number} side @param {number} end @param {number} far */
const edgeAt = (side, end, far) => (side < 0 ? -far : end + far);

/** @param {SVGElement} label @param {number} x @param {number} y @param {number} size */
function placeText(label, x, y, size) {
  label.setAttribute("x", x.toFixed(1));
  label.setAttribute("y", y.toFixed(1));
  label.style.fontSize = `${Math.max(9, Math.min(20, size)).toFixed(1)}px`;
}

/** @param {SVGElement} parent @param {Seen} from @param {Seen} to @param {MarkedArrow} arrow */
function drawWay(parent, [x, y, size], [toX, toY], { role, bow = 0 }) {
  const length = Math.hypot(toX - x, toY - y) || 1, across = [-(toY - y) / length, (toX - x) / length];
  const bend = [(x + toX) / 2 + across[0] * bow * size, (y + toY) / 2 + across[1] * bow * size];
  const angle = Math.atan2(toY - bend[1], toX - bend[0]), head = Math.max(7, 0.22 * size);
  const tip = [toX - Math.cos(angle) * 0.12 * size, toY - Math.sin(angle) * 0.12 * size];
  const wing = (/** @type {number} */ turn) =>
    `${(tip[0] - head * Math.cos(angle + turn)).toFixed(1)} ${(tip[1] - head * Math.sin(angle + turn)).toFixed(1)}`;
  const shaft = `M${x} ${y}Q${bend[0]} ${bend[1]} ${tip[0]} ${tip[1]}`;
  draw(parent, "path", { class: `way ${role}`, d: `${shaft}M${wing(-0.5)}L${tip[0]} ${tip[1]}L${wing(0.5)}` });
}
