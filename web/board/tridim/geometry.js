/**
 * Where the boards of Tri-Dimensional chess lie: side by side ("flat"), or in perspective ("space"), seen from an angle. Points
 * of the boards are `[x, y, z]` in squares, points of the drawing `[x, y, size of a square]` in pixels.
 */
/** @import { Square, TridimBoardView, TridimPinView } from "../../messages.js" */

/** @typedef {[number, number, number]} Point3 of a board */
/** @typedef {[number, number, number]} Seen on the drawing */
/** @typedef {[number, number]} Direction to the right and up, or in files and ranks */
/** @typedef {Pick<TridimBoardView, "name" | "file" | "rank" | "size">} Place of a board; the z-file is 0 */
/** @typedef {{ boards: Place[], pins: TridimPinView[] }} Places */

// Lengths in squares.
const LEVEL = 2.75, RAISED = 1.2, LOW = 0.6, ASIDE = 1.4, GAP = 0.5, PANEL = 8 + 2 * GAP, PANEL_GAP = 0.75, STACK_GAP = 1, DISTANCE = 36;
// Seen from Black's side the higher boards would hide the lower ones: there they stand lower and further apart.
const LEVEL_BEHIND = 1.6, SLIDE_BEHIND = 3.9;
// In degrees.
const YAW = -20, PITCH = 34, PITCH_BEHIND = 56, LOWEST_PITCH = 14, HIGHEST_PITCH = 88;
const MARGIN = 12;
const MAIN = ["W", "N", "B"], FILES = "zabcde";

/** @param {Square} square */
export const boardOf = (square) => square.slice(2);
/** @param {Square} square */
export const fileOf = (square) => FILES.indexOf(square[0]);
/** @param {Square} square */
export const rankOf = (square) => Number(square[1]);
/** @param {number} file */
export const fileName = (file) => FILES[file];
/** @param {string} board */
export const isAttack = (board) => !MAIN.includes(board);
/** @param {string} board */
export const levelOf = (board) => (isAttack(board) ? Math.floor((Number(board[2]) - 1) / 2) : MAIN.indexOf(board));

/** @param {Seen[]} points */
export const outline = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
/** True if a side of a board, listed clockwise, faces the viewer. @param {Seen[]} side */
export const isFront = ([[x, y], [toX, toY], [lowX, lowY]]) => (toX - x) * (lowY - y) > (toY - y) * (lowX - x);

/** @typedef {ReturnType<typeof makeGeometry>} Geometry */

/** @param {"flat" | "space"} kind */
export function makeGeometry(kind) {
  const isSpace = kind === "space";

  let yaw = YAW, pitch = PITCH, aside = true, flipped = false;
  let layout = "stairs", fitted = { scale: 1, x: 0, y: 0 };

  const turned = () => ((yaw + (flipped ? 180 : 0)) * Math.PI) / 180;
  /** The distance of the viewer behind the boards, from 0 to 1; 0 when the boards have their true places. */
  const behind = () => (aside ? (1 - Math.cos(turned())) / 2 : 0);
  const levelHeight = () => LEVEL + (LEVEL_BEHIND - LEVEL) * behind();

  /**
   * The first corner of a board, or of the board that might stand on a pin.
   * @param {{ name: string, file: number, rank: number }} place
   * @returns {Point3}
   */
  function corner({ name, file, rank }) {
    const level = levelOf(name), side = !isAttack(name) ? 0 : name[0] === "Q" ? -1 : 1;
    if (isSpace) {
      const slide = (level - 1) * SLIDE_BEHIND * behind(), raised = aside ? LOW : RAISED;
      return [file + (aside ? side * ASIDE : 0), rank + slide, level * levelHeight() + (side ? raised : 0)];
    }
    const x = file + 1 + side * (1 + GAP);
    const sideways = level * (PANEL + PANEL_GAP);
    if (layout === "stairs") return [x + sideways, rank, 0];
    if (layout === "row") return [x + sideways, rank - 2 * level, 0];
    return [x, rank - 2 * level + level * (6 + STACK_GAP), 0];
  }

  /** The corner of a main board that carries a pin. @param {TridimPinView} pin @returns {Point3} */
  const foot = (pin) => [pin.file + 1, corner(pin)[1] + 1, levelOf(pin.name) * levelHeight()];

  /**
   * Where a point lies on the drawing, in squares, and how large it appears there.
   * @param {Point3} point
   * @returns {Seen}
   */
  function project([x, y, z]) {
    if (!isSpace) return flipped ? [-x, y, 1] : [x, -y, 1];
    const turn = turned(), tilt = (pitch * Math.PI) / 180;
    const [fromX, fromY, fromZ] = [x - 3, y - 5, z - levelHeight()];
    const across = fromX * Math.cos(turn) - fromY * Math.sin(turn);
    const away = fromX * Math.sin(turn) + fromY * Math.cos(turn);
    const size = DISTANCE / (DISTANCE + away * Math.cos(tilt) - fromZ * Math.sin(tilt));
    return [across * size, -(away * Math.sin(tilt) + fromZ * Math.cos(tilt)) * size, size];
  }

  /** @param {Point3} point @returns {Seen} */
  function place(point) {
    const [x, y, size] = project(point);
    return [fitted.x + x * fitted.scale, fitted.y + y * fitted.scale, size * fitted.scale];
  }

  /** A point of a board, from its first corner. @param {Point3} corner @param {number} u @param {number} v */
  const at = ([x, y, z], u, v, w = 0) => place([x + u, y + v, z + w]);

  /** @param {Point3} from @param {number} u @param {number} v @param {number} width @param {number} depth */
  const area = (from, u, v, width, depth, w = 0) =>
    outline([at(from, u, v, w), at(from, u + width, v, w), at(from, u + width, v + depth, w), at(from, u, v + depth, w)]);

  /** @param {Point3} from @param {number} u @param {number} v @param {number} radius */
  function circle(from, u, v, radius) {
    const points = Array.from({ length: 20 }, (_, step) => {
      const angle = (step * Math.PI) / 10;
      return at(from, u + radius * Math.cos(angle), v + radius * Math.sin(angle));
    });
    return outline(points);
  }

  /** Every place a board may have, so that moves of boards do not change the scale. @param {Places} places */
  function extent({ boards, pins }) {
    const places = [...boards.filter(({ name }) => !isAttack(name)), ...pins.map((pin) => ({ ...pin, size: 2 }))];
    const points = places.flatMap((board) => {
      const [x, y, z] = corner(board), end = board.size;
      // Labels lie around the boards; in space the names are before or behind them, and pieces stand on them.
      const edge = isSpace ? 0.45 : 0.5, front = isSpace ? 1.35 : edge, back = isSpace ? 0.45 : 0.62;
      /** @type {[number, number][]} */
      const corners = [
        [x - edge, y - edge], [x + end + edge, y - edge], [x - edge, y + end + back], [x + end + edge, y + end + back],
        [x + end / 2, y - front], [x + end / 2, y + end + front],
      ];
      /** @type {Point3[]} */
      const flat = corners.map(([u, v]) => [u, v, z]);
      if (!isSpace) return flat;
      return [...flat, ...flat.map(([u, v]) => /** @type {Point3} */ ([u, Math.max(y, Math.min(y + end, v)), z + 0.7]))];
    });
    const on = points.map(project), xs = on.map(([x]) => x), ys = on.map(([, y]) => y);
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }

  /**
   * Chooses scale and place, and of the boards side by side also the layout, so that all fits.
   * @param {Places} places
   * @param {number} width
   * @param {number} height
   */
  function fit(places, width, height) {
    let best = { scale: 0, x: 0, y: 0, layout };
    for (const one of isSpace ? ["space"] : ["stairs", "row", "stack"]) {
      layout = one;
      const { left, right, top, bottom } = extent(places);
      const scale = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top));
      const x = width / 2 - (scale * (left + right)) / 2, y = height / 2 - (scale * (top + bottom)) / 2;
      if (scale > best.scale * 1.02) best = { scale, x, y, layout };
    }
    layout = best.layout;
    fitted = best;
  }

  /** A step on the drawing as a step on the boards. @param {Direction} step @returns {Direction} */
  function asSeen([right, up]) {
    const quarters = Math.round((isSpace ? yaw : 0) / 90) + (flipped ? 2 : 0), turn = (quarters * Math.PI) / 2;
    const [cos, sin] = [Math.round(Math.cos(turn)), Math.round(Math.sin(turn))];
    return [right * cos + up * sin, up * cos - right * sin];
  }

  /** @param {number} toYaw @param {number} toPitch */
  function turn(toYaw, toPitch) {
    yaw = ((toYaw + 540) % 360) - 180;
    pitch = Math.min(HIGHEST_PITCH, Math.max(LOWEST_PITCH, toPitch));
  }

  const reset = () => turn(YAW, flipped ? PITCH_BEHIND : PITCH);

  return {
    isSpace, corner, foot, at, area, circle, fit, turn, reset, asSeen,
    angles: () => ({ yaw, pitch, flipped }),
    /** @param {boolean} isFlipped */
    flip(isFlipped) {
      flipped = isFlipped;
      reset();
    },
    /** Attack boards aside, so that they hide nothing, or in their true place. @param {boolean} isAside */
    spread(isAside) {
      aside = isAside;
    },
  };
}
