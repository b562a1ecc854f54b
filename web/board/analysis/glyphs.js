/** Symbols for positions that many systems have no glyph for: they are drawn. */
import { draw, element } from "../../shared/dom.js";

/** @type {Record<string, string>} lines in a square of 20 by 20 */
const DRAWN = {
  "⩲": "M10 2v8M6 6h8M3 13h14M3 18h14", "⩱": "M3 2h14M3 7h14M10 10v8M6 14h8",
  "±": "M10 2v10M5 7h10M5 17h10", "∓": "M5 3h10M10 8v10M5 13h10",
  "□": "M4 4h12v12H4z", "⨀": "M10 2a8 8 0 1 0 .01 0M10 9.5v1",
  "⟳": "M16 6a7 7 0 1 0 1 5M17 2v5h-5", "⇆": "M3 6h13M13 3l3 3-3 3M17 14H4M7 11l-3 3 3 3",
};

/** A symbol, or its drawing with the symbol for screen readers and copying. @param {string} symbol */
export function glyph(symbol) {
  if (!DRAWN[symbol]) return symbol;
  const made = element("span", { class: "glyph" }, element("span", { class: "visually-hidden" }, symbol));
  const svg = draw(made, "svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  draw(svg, "path", { d: DRAWN[symbol] });
  return made;
}
