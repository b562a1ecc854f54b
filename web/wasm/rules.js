/**
 * The rules of chess and Chess960, without the engine: positions, legal moves, why a move is illegal, castling in detail, PGN.
 *
 * @import { Castling, FoundMove, PgnGame, PgnGames, PgnMove, Reason, State } from "./rules_types.js"
 */

import { load, resolved } from "./files.js";

/** The reason a move is illegal: `message` in words, and each reason. */
export class IllegalMoveError extends Error {
  /** @param {string} message @param {Reason[]} reasons */
  constructor(message, reasons) {
    super(message);
    this.name = "IllegalMoveError";
    /** The reasons against the move, the first obstacle first; none if the text is not a move. */
    this.reasons = reasons;
  }
}

/** @typedef {{ uci: string, san: string, from: string, to: string, promotion?: string }} Move */
/** @typedef {string | { uci: string }} AnyMove in UCI notation or SAN, or one of `legalMoves` */
/** @typedef {Partial<Omit<PgnMove, "variations">> & { variations?: LineToWrite[] }} MoveToWrite */
/** @typedef {{ comment?: string, moves: MoveToWrite[] }} LineToWrite */
/** @typedef {(...fields: string[]) => any} Ask */

/** @param {AnyMove} move */
const textOf = (move) => (typeof move === "string" ? move : move.uci);

/**
 * Loads the rules.
 * @param {{ url?: string | URL }} [options] `url`: that of castellan-rules.wasm, if it is not beside this script
 */
export async function loadRules({ url } = {}) {
  const program = url ? resolved(url) : new URL("castellan-rules.wasm", import.meta.url);
  const module = await WebAssembly.compile(await load(program));
  // The few calls to a system are for random numbers, and for messages of failures that cannot happen.
  const random = (/** @type {number} */ at, /** @type {number} */ length) => {
    crypto.getRandomValues(new Uint8Array(exports.memory.buffer, at, length));
    return 0;
  };
  const system = new Proxy({}, { get: (_, name) => (name === "random_get" ? random : () => 52 /* ENOSYS */) });
  /** @type {any} */
  const exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system })).exports;
  exports._initialize?.();
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return new Rules((...fields) => {
    const request = encoder.encode(fields.map((field) => field.replaceAll("\0", "\ufffd")).join("\0"));
    const at = exports.request(request.length);
    new Uint8Array(exports.memory.buffer).set(request, at);
    const length = exports.execute();
    const answer = JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, exports.answer_at(), length)));
    if (answer.error !== undefined) {
      throw fields[0] === "find" ? new IllegalMoveError(answer.error, answer.reasons) : new Error(answer.error);
    }
    return answer;
  });
}

export class Rules {
  #ask;

  /** @param {Ask} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * A position, after `moves`. Throws if it is illegal.
   * @param {string} [fen] the start position by default
   * @param {{ chess960?: boolean, moves?: AnyMove[] }} [options] `chess960`: without it, a FEN is Chess960 if it names
   * rooks by file letters that standard chess cannot mean
   */
  position(fen = "startpos", { chess960, moves = [] } = {}) {
    return new Position(this.#ask, fen, flag(chess960), moves.map(textOf));
  }

  /**
   * The games of a text, with comments, variations and NAGs.
   * @param {string} text @param {{ chess960?: boolean }} [options] `chess960`: for games without a `Variant` tag
   * @returns {PgnGames}
   */
  readPgn(text, { chess960 } = {}) {
    return this.#ask("read_pgn", flag(chess960), text);
  }

  /**
   * A game as text for a PGN file. Throws if a move is illegal, or if the result contradicts the end of the game or the tag `Result`.
   * @param {LineToWrite & Partial<Omit<PgnGame, "moves">>} game of whose moves `uci` is read where there is no `san`
   * @returns {string}
   */
  writePgn({ tags = [], fen, chess960, result = "*", comment, moves }) {
    const tagged = tags.findLast(([name]) => name === "Result")?.[1] ?? "*";
    const stated = result === "*" ? tagged : result;
    if (![stated, "*"].includes(tagged)) throw new Error(`the result is ${stated}, found the tag '${tagged}'`);
    const all = [...tags, ["Result", stated], ...(chess960 ? [["Variant", "Chess960"]] : []), ...(fen ? [["FEN", fen]] : [])];
    const lines = all.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&").replace(/[\r\n]/g, " ")}"]`);
    const start = fen ?? tags.findLast(([name]) => name === "FEN")?.[1];
    const line = movetext({ comment, moves }, moves.some(lacksSan) ? this.position(start, { chess960 }) : null);
    return this.#ask("write_pgn", `${lines.join("\n")}\n\n${line} ${stated}\n`);
  }
}

/** The variant in a request, which leaves it to the FEN if it is not given. @param {boolean | undefined} chess960 */
const flag = (chess960) => (chess960 === undefined ? "" : chess960 ? "1" : "0");

/** @param {string | undefined} text */
const braces = (text) => (text ? `{ ${text.replaceAll("}", ")")} }` : "");

/** @param {MoveToWrite} move @returns {boolean} whether it or one of a variation is to be written from `uci` */
const lacksSan = ({ uci, san, variations = [] }) =>
  (san === undefined && uci !== undefined) || variations.some(({ moves }) => moves.some(lacksSan));

/**
 * @param {LineToWrite} line @param {Position | null} position before it, if that is needed for SAN
 * @returns {string} with blanks to spare
 */
function movetext({ comment, moves }, position) {
  const words = moves.map(({ uci, san = uci === undefined ? "--" : position?.san(uci), nags = [], comment, eval: value, clock, variations = [] }) => {
    const commands = [value && `[%eval ${value.cp !== undefined ? (value.cp / 100).toFixed(2) : `#${value.mate}`}]`, clock !== undefined && clockText(clock)];
    const annotations = [...nags.map((nag) => `$${nag}`), braces([...commands, comment].filter(Boolean).join(" "))];
    const lines = variations.map((line) => `(${movetext(line, position)})`);
    position = position && (san === "--" ? position.pass() : position.play(uci ?? san ?? ""));
    return [san, ...annotations, ...lines].join(" ");
  });
  return [braces(comment), ...words].join(" ");
}

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000), pad = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const fraction = milliseconds % 1000 ? `.${String(Math.floor(milliseconds % 1000)).padStart(3, "0")}` : "";
  return `[%clk ${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}]`;
}

/** @param {FoundMove} found @returns {Move} */
function named([uci, san]) {
  const promotion = uci[4];
  return { uci, san, from: uci.slice(0, 2), to: uci.slice(2, 4), ...(promotion && { promotion }) };
}

/** A position with the moves that led to it, which stays as it is. */
export class Position {
  #ask;
  /** The start of the requests: FEN, variant and moves of the game. @type {[string, string, string]} */
  #game;
  /** @type {State} */
  #state;
  /** @type {Move[] | undefined} */
  #legal;

  /** @param {Ask} ask @param {string} fen @param {string} chess960 @param {string[]} moves */
  constructor(ask, fen, chess960, moves) {
    this.#ask = ask;
    this.#game = [fen, chess960, moves.join(" ")];
    this.#state = ask("state", ...this.#game);
  }

  /** In Chess960 a Shredder-FEN. */
  get fen() {
    return this.#state.fen;
  }

  get chess960() {
    return this.#state.chess960;
  }

  /** The side to move. */
  get turn() {
    return this.#state.turn;
  }

  get inCheck() {
    return this.#state.inCheck;
  }

  /** The moves played, as they were given. @returns {string[]} */
  get moves() {
    return this.#game[2].split(" ").filter(Boolean);
  }

  /** Parts of the FEN that the position cannot have, such as a castling right without its rook. */
  get warnings() {
    return this.#state.warnings;
  }

  /** The end of the game: by mate, stalemate, dead position, fivefold repetition or the seventy-five-move rule. */
  get outcome() {
    return this.#state.outcome;
  }

  /** The rules by which a draw may be claimed. */
  get claims() {
    return this.#state.claims;
  }

  /** @returns {Move[]} */
  get legalMoves() {
    return (this.#legal ??= this.#ask("legal", ...this.#game).map(named));
  }

  /** A legal move. @param {AnyMove} move @returns {Move} @throws {IllegalMoveError} */
  find(move) {
    return named(this.#ask("find", ...this.#game, textOf(move)));
  }

  /** @param {AnyMove} move @returns {string} @throws {IllegalMoveError} */
  san(move) {
    return this.find(move).san;
  }

  /** The position after a move. @param {AnyMove} move @returns {Position} @throws {IllegalMoveError} */
  play(move) {
    const [fen, chess960, moves] = this.#game;
    return new Position(this.#ask, fen, chess960, [moves, this.find(move).uci]);
  }

  /** @internal The position after a null move. */
  pass() {
    const [board, turn, castling] = this.fen.split(" ");
    const fen = [board, turn === "w" ? "b" : "w", castling, "-"].join(" ");
    return new Position(this.#ask, fen, this.#game[1], []);
  }

  /** The reason a move is illegal; null if it is legal. @param {AnyMove} move @returns {{ text: string, reasons: Reason[] } | null} */
  whyIllegal(move) {
    try {
      this.find(move);
      return null;
    } catch (error) {
      if (!(error instanceof IllegalMoveError)) throw error;
      return { text: error.message, reasons: error.reasons };
    }
  }

  /**
   * The six conditions of castling, with the squares they are about; for the color that is not to move, after a null move.
   * @param {"king" | "queen"} side @param {"white" | "black"} [color]
   * @returns {Castling}
   */
  castling(side, color = this.turn) {
    return this.#ask("castling", ...this.#game, color, side);
  }
}
