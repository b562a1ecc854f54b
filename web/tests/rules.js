/**
 * Compares the rules for JavaScript with chessops in positions of random games, one half of them of Chess960, and measures both:
 *
 *     node web/tests/rules.js DIRECTORY [POSITIONS]    a directory that scripts/web.sh has written
 *
 * Prints what differs.
 */
import { Chess } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { makeSan } from "chessops/san";
import { makeUci, opposite, parseSquare } from "chessops/util";

/** @type {any} */
const { process } = globalThis;
const [directory = "dist/web", positions = "20000"] = process.argv.slice(2);
/** @type {typeof import("../wasm/rules.js")} */
const { loadRules } = await import(new URL(`${directory}/rules.js`, `file://${process.cwd()}/`).href);
const rules = await loadRules();
/** @type {Set<string>} */
const differences = new Set();
const seconds = { castellan: 0, chessops: 0 };

/** @template T @param {keyof typeof seconds} who @param {() => T} work @returns {T} */
function measured(who, work) {
  const start = performance.now();
  const result = work();
  seconds[who] += (performance.now() - start) / 1000;
  return result;
}

/** @param {string} what @param {unknown} found @param {unknown} expected */
function compare(what, found, expected) {
  const [left, right] = [found, expected].map((value) => JSON.stringify(value));
  if (left !== right) differences.add(`${what}: ${left}, chessops ${right}`);
}

let state = 1;
/** A linear congruential generator, so that a run can be repeated. @param {number} below */
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** The legal moves in UCI notation, with their SAN. @param {Chess} position @param {boolean} chess960 */
function legalMoves(position, chess960) {
  const moves = [];
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const promotes = position.board.getRole(from) === "pawn" && (to < 8 || to >= 56);
      for (const promotion of promotes ? /** @type {const} */ (["queen", "rook", "bishop", "knight"]) : [undefined]) {
        const move = { from, to, ...(promotion && { promotion }) };
        const castles = position.board.getRole(from) === "king" && position.board[position.turn].has(to);
        const target = castles && !chess960 ? { from, to: from + (to > from ? 2 : -2) } : move;
        moves.push({ uci: makeUci(target), san: makeSan(position, move), move });
      }
    }
  }
  return moves.sort((one, other) => (one.uci < other.uci ? -1 : 1));
}

/** @param {Chess} position */
function outcome(position) {
  if (position.isCheckmate()) return ["checkmate", opposite(position.turn)];
  if (position.isStalemate()) return ["stalemate", null];
  return position.isInsufficientMaterial() ? ["insufficient_material", null] : null;
}

/** A start position of Chess960. */
function shuffled() {
  for (;;) {
    const pieces = [..."rnbqkbnr"];
    for (let last = pieces.length - 1; last > 0; last -= 1) {
      const other = random(last + 1);
      [pieces[last], pieces[other]] = [pieces[other], pieces[last]];
    }
    const row = pieces.join(""), [king, first, second] = [row.indexOf("k"), row.indexOf("r"), row.lastIndexOf("r")];
    if (first < king && king < second && (row.indexOf("b") + row.lastIndexOf("b")) % 2 === 1) {
      return `${row}/pppppppp/8/8/8/8/PPPPPPPP/${row.toUpperCase()} w KQkq - 0 1`;
    }
  }
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
for (let compared = 0; compared < Number(positions); ) {
  const chess960 = random(2) === 1;
  const fen = chess960 ? shuffled() : START;
  const theirs = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
  let ours = rules.position(fen, { chess960 });
  for (let ply = 0; ply < 120; ply += 1, compared += 1) {
    const own = ours;
    const found = measured("castellan", () => own.legalMoves);
    const expected = measured("chessops", () => legalMoves(theirs, chess960));
    const where = makeFen(theirs.toSetup());
    found.sort((one, other) => (one.uci < other.uci ? -1 : 1));
    compare(where, found.map(({ uci, san }) => [uci, san]), expected.map(({ uci, san }) => [uci, san]));
    compare(`${where} in check`, ours.inCheck, theirs.isCheck());
    // What depends on the history is not chessops'.
    const ended = /fivefold|seventy/.test(ours.outcome?.reason ?? "") ? null : ours.outcome;
    compare(`${where} outcome`, ended && [ended.reason, ended.winner], outcome(theirs));
    const squares = [random(64), random(64)];
    const text = makeUci({ from: squares[0], to: squares[1] });
    const isLegal = expected.some(({ uci }) => uci.startsWith(text));
    const reasons = ours.whyIllegal(text)?.reasons ?? [];
    // Promotions need their piece, and king onto rook is castling in standard chess too.
    if (!isLegal && reasons.length === 0 && !legalMoves(theirs, true).some(({ uci }) => uci === text)) {
      differences.add(`${where} ${text}: no reason against it`);
    } else if (isLegal && reasons.some(({ code }) => code !== "missing_promotion")) {
      differences.add(`${where} ${text}: ${JSON.stringify(reasons)}`);
    }
    if (expected.length === 0 || ours.outcome || differences.size > 5) break;
    const { uci, move } = expected[random(expected.length)];
    ours = measured("castellan", () => own.play(uci));
    measured("chessops", () => theirs.play(move));
  }
  if (differences.size > 5) break;
}

// A pawn, a pinned knight, and castling through an attack; each reason with the squares it is about.
const { code, detail } = rules.position("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1").whyIllegal("Nc3")?.reasons[0] ?? {};
compare("a pin", [code, detail], ["pinned", { role: "knight", square: "e2", pinner: { role: "rook", square: "e8" } }]);
const castling = rules.position("r3k2r/8/8/8/8/5q2/8/R3K2R w KQ").castling("king");
compare("castling", [castling.legal, castling.attacked], [false, [{ square: "f1", attackers: [{ role: "queen", square: "f3" }] }]]);
compare("a square", parseSquare(castling.king[1]), 6);
// A game keeps what it has through writing and reading.
const annotated = '[Event "A \\"game\\""]\n\n{first} 1. e4 {[%eval 0.3] [%clk 0:01:02.5] best} 1... e5 $1 (1... c5 (1... -- 2. d4)) 2. Nf3 1-0\n\n';
const [game] = rules.readPgn(annotated).games;
compare("a game", rules.readPgn(rules.writePgn(game)).games[0].moves, game.moves);
compare("its annotations", [game.comment, game.moves[0].eval, game.moves[0].clock, game.moves[1].nags], ["first", { cp: 30 }, 62500, [1]]);
// What cannot be is refused in words, and the module goes on.
for (const wrong of [() => rules.position("8/8/8/8"), () => rules.position("\0"), () => rules.writePgn({ moves: [{ san: "e5" }] })]) {
  try {
    wrong();
    differences.add(`${wrong} is accepted`);
  } catch (error) {
    compare(`${wrong}`, error instanceof Error && error.message.length > 0, true);
  }
}

for (const difference of differences) console.log(difference);
const ratio = seconds.chessops / seconds.castellan;
console.log(`${positions} positions: legal moves with SAN and a move played in ${ratio.toFixed(2)} times less time than chessops`);
