/** Moves and evaluations as people write them. */
/** @import { Color } from "../messages.js" */
import { localized } from "./letters.js";

/** @typedef {{ number?: string, san?: string, mark?: string }} Named a move with its number and assessment */

/** @type {Record<string, string>} */
const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
/** @type {Record<string, string>} */
export const LABELS = {
  "?!": "Inaccuracy", "?": "Mistake", "??": "Blunder", "!": "Good move", "!!": "Brilliant move", "!?": "Interesting move",
};

/** @param {Named} node */
export const kindOf = ({ mark = "" }) => KINDS[mark] || "";
/** @param {Named} node */
export const called = ({ number = "", san = "", mark = "" }) => `${number} ${unbroken(san)}${mark}`;
/** @param {Named} node */
export const isBlack = ({ number = "" }) => number.endsWith("...");

/**
 * A move, or a text with moves, as it is shown: with the chosen letters of pieces, and with O-O unbroken at the end of a line.
 * @param {string} text
 */
export const unbroken = (text) => localized(text).replaceAll("-", "\u2011");

/** An evaluation in pawns or moves to mate, with its sign. @param {string} value */
export const signed = (value) => (/^[#-]/.test(value) || Number(value) === 0 ? value.replace("-", "−") : `+${value}`);

/** The label of the evaluation bar: at most four characters. @param {string} value */
export function short(value) {
  if (value.startsWith("#")) return value.replace("-", "");
  const pawns = Math.abs(Number(value));
  return pawns < 10 ? pawns.toFixed(1) : pawns.toFixed(0);
}

/** A time as people write it: `4.2 s`, `1:05`. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

export const TENTHS_BELOW_MS = 10_000;

/**
 * A clock as `castellan play` shows it: 4:07, 1:00:00, and 0:09.4 below ten seconds.
 * @param {number} left in milliseconds
 */
export function clockText(left) {
  if (left < TENTHS_BELOW_MS) return `0:0${Math.floor(left / 1000)}.${Math.floor((left % 1000) / 100)}`;
  const seconds = Math.ceil(left / 1000), minutes = Math.floor(seconds / 60);
  /** @param {number} value */
  const two = (value) => String(value).padStart(2, "0");
  const hours = minutes < 60 ? "" : `${Math.floor(minutes / 60)}:`;
  return `${hours}${hours ? two(minutes % 60) : minutes}:${two(seconds % 60)}`;
}

/** The side to move in a FEN. @param {string} fen @returns {Color} */
export const sideToMove = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");

/** @param {string} text */
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A number and a noun, as in `1 game` and `2 games`. @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
