"use strict";
/** Draws a board into an SVG element of 800 by 800, and an evaluation bar. Uses the drawings of pieces.svg. */
const Board = (() => {
  const SIZE = 100;

  function draw(parent, name, attributes) {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    parent.append(shape);
    return shape;
  }

  /** The pieces of a FEN, from a8 to h1; "" is an empty square. */
  function pieces(fen) {
    const squares = [];
    for (const letter of fen.split(" ")[0]) {
      if (letter === "/") continue;
      if (letter >= "1" && letter <= "8") squares.push(...Array(Number(letter)).fill(""));
      else squares.push(letter);
    }
    return squares;
  }

  const squareName = (index) => "abcdefgh"[index % 8] + (8 - Math.floor(index / 8));

  /** The left upper corner of a square on the drawing. */
  function corner(square, flipped) {
    const file = "abcdefgh".indexOf(square[0]), row = 8 - Number(square[1]);
    return flipped ? [SIZE * (7 - file), SIZE * (7 - row)] : [SIZE * file, SIZE * row];
  }

  const center = (square, flipped) => corner(square, flipped).map((edge) => edge + SIZE / 2);

  function drawArrow(board, [from, to], flipped, kind = "") {
    const [x, y] = center(from, flipped), [toX, toY] = center(to, flipped);
    const length = Math.hypot(toX - x, toY - y), shaft = length - 42;
    const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
    draw(board, "path", {
      class: `arrow ${kind}`.trim(), d: `M22 -9H${shaft}V-27L${length - 4} 0L${shaft} 27V9H22A9 9 0 0 1 22 -9Z`,
      transform: `translate(${x} ${y}) rotate(${angle})`,
    });
  }

  /** Draws the squares and coordinates; see `show`. */
  function drawSquares(board, { fen, last = [], check = false, flipped = false }) {
    const king = fen.split(" ")[1] === "w" ? "K" : "k";
    pieces(fen).forEach((piece, index) => {
      const square = squareName(index);
      const [x, y] = corner(square, flipped);
      const shade = (index + Math.floor(index / 8)) % 2 === 0 ? "light" : "dark";
      const kind = last.includes(square) ? `${shade} last` : shade;
      draw(board, "rect", { x, y, width: SIZE, height: SIZE, class: check && piece === king ? "check" : kind });
      if (x === 0) draw(board, "text", { x: 5, y: y + 20, class: kind }).textContent = square[1];
      if (y === 700) draw(board, "text", { x: x + 84, y: 793, class: kind }).textContent = square[0];
    });
  }

  /** Draws a piece, given as in a FEN, with its left upper corner at a point. */
  function drawPiece(board, piece, [x, y]) {
    const side = piece === piece.toUpperCase() ? "white" : "black";
    const shape = draw(board, "use", { href: `#${piece.toLowerCase()}`, class: `piece ${side}` });
    shape.setAttribute("transform", `translate(${x} ${y})`);
    return shape;
  }

  /** Draws the pieces of a FEN; returns their elements by square. */
  function drawPieces(board, { fen, flipped = false }) {
    const drawn = new Map();
    pieces(fen).forEach((piece, index) => {
      const square = squareName(index);
      if (piece) drawn.set(square, drawPiece(board, piece, corner(square, flipped)));
    });
    return drawn;
  }

  /**
   * Draws a position. `last` are origin and destination of the last move, `arrow` those of a suggested one; in check, the
   * king of the side to move is marked.
   */
  function show(board, state) {
    board.replaceChildren();
    drawSquares(board, state);
    drawPieces(board, state);
    if (state.arrow) drawArrow(board, state.arrow, state.flipped);
  }

  /** Shows White's expected score, from 0 to 1, or `null`, and a short label. */
  function showEvaluation(bar, { points, label = "", flipped = false }) {
    const ahead = points >= 0.5 ? "white-ahead" : "black-ahead";
    bar.className = `evaluation ${ahead}${flipped ? " flipped" : ""}${points === null ? " unknown" : ""}`;
    const part = document.createElement("i"), text = document.createElement("span");
    const [old] = bar.getElementsByTagName("i");
    (old || bar.appendChild(part)).style.height = `${100 * (points === null ? 0.5 : points)}%`;
    const [shown] = bar.getElementsByTagName("span");
    (shown || bar.appendChild(text)).textContent = label;
  }

  return {
    SIZE, draw, pieces, squareName, corner, center, drawSquares, drawPiece, drawPieces, drawArrow, show, showEvaluation,
  };
})();
