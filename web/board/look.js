/** The look of the page: theme, pieces and their letters, board, animation, and how moves are entered. The choices are remembered. */
import { usePieces } from "../shared/diagram.js";
import { setLetters } from "../shared/letters.js";
import { language } from "./language.js";
import { load, store } from "./storage.js";

/** @type {Record<string, string>} */
export const THEMES = { system: "System", light: "Light", dark: "Dark" };
/** @type {Record<string, string>} */
export const PIECE_SETS = { solid: "Solid", staunton: "Staunton" };
/** @type {Record<string, string>} */
export const BOARDS = { wood: "Wood", green: "Green", blue: "Blue", gray: "Gray" };

/** The start of the names of the drawings of a set. @param {string} set */
export const prefixOf = (set) => (set === "solid" ? "" : `${set}-`);

const KEY = "look";
export const look = { theme: "system", pieces: "solid", letters: language, board: "wood", coordinates: true, animation: true, autoQueen: false, confirm: false, ...load(KEY) };

/** @param {Partial<typeof look>} [change] */
export function setLook(change) {
  Object.assign(look, change);
  // Another page may have changed the rest.
  if (change) store(KEY, { ...load(KEY), ...change });
  const { dataset } = document.documentElement;
  dataset.theme = look.theme;
  dataset.board = look.board;
  dataset.coordinates = String(look.coordinates);
  dataset.animation = String(look.animation);
  usePieces(prefixOf(look.pieces));
  setLetters(look.letters);
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
export const isAnimated = () => look.animation && !still.matches;
