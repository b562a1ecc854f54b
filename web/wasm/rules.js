/**
 * The rules of chess and Chess960, without the engine: positions, legal moves, why a move is illegal, castling in detail, PGN.
 *
 * @import { Castling, Color, Ended, FoundMove, PgnError, PgnGame, PgnGames, PgnMove, PgnPart, Reason, State } from "./rules_types.js"
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

/** @typedef {"pawn" | "knight" | "bishop" | "rook" | "queen" | "king"} Role */
/** @typedef {{ readonly color: Color, readonly role: Role }} Piece */
/**
 * `role` is that of the piece that moves, `capture` that of the captured one, `castling` the side.
 * @typedef {{
 *   uci: string, san: string, from: string, to: string, role: Role, promotion?: string, capture?: Role, enPassant?: true,
 *   castling?: "king" | "queen", check: boolean, checkmate: boolean,
 * }} Move
 */
/** @typedef {string | { uci: string } | { from: string, to: string, promotion?: string }} AnyMove in UCI notation or SAN, or a `Move` */
/** @typedef {AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>} PgnStream */
/** @typedef {Partial<Omit<PgnMove, "variations">> & { variations?: LineToWrite[] }} MoveToWrite */
/** @typedef {{ comment?: string, moves: MoveToWrite[] }} LineToWrite */
/** @typedef {(...fields: (string | Uint8Array)[]) => any} Ask */

/** @param {AnyMove} move */
const textOf = (move) => (typeof move === "string" ? move : "uci" in move ? move.uci : move.from + move.to + (move.promotion ?? ""));

const encoder = new TextEncoder(), decoder = new TextDecoder();

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
  return new Rules((...fields) => {
    const parts = fields.map((field) => (typeof field === "string" ? encoder.encode(field.replaceAll("\0", "\ufffd")) : field));
    let at = exports.request(parts.reduce((sum, { length }) => sum + length + 1, -1));
    const memory = new Uint8Array(exports.memory.buffer);
    for (const [index, part] of parts.entries()) {
      if (index) memory[at++] = 0;
      memory.set(part, at);
      at += part.length;
    }
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
   * @overload @param {string} text @param {{ chess960?: boolean }} [options] `chess960`: for games without a `Variant` tag
   * @returns {PgnGames}
   */
  /**
   * The games of a file or another stream, one after the other, in the memory of a few. Without `onError`, an invalid game is
   * thrown as an error.
   * @overload @param {PgnStream} stream @param {{ chess960?: boolean, onError?: (error: PgnError) => void }} [options]
   * @returns {AsyncGenerator<PgnGame, void>}
   */
  /** @param {string | PgnStream} source @param {{ chess960?: boolean, onError?: (error: PgnError) => void }} [options] */
  readPgn(source, { chess960, onError } = {}) {
    const reader = new PgnReader(this.#ask, flag(chess960));
    return typeof source === "string" ? reader.all(encoder.encode(source)) : reader.stream(source, onError);
  }

  /**
   * A game as text for a PGN file; of two tags with the same name the last counts. Throws if a move is illegal, or if the result
   * contradicts the end of the game or the tag `Result`.
   * @param {LineToWrite & Partial<Omit<PgnGame, "moves">>} game of whose moves `uci` is read where there is no `san`
   * @returns {string}
   */
  writePgn({ tags = [], fen, chess960, result = "*", comment, moves }) {
    const all = new Map(tags);
    const tagged = all.get("Result") ?? "*";
    const stated = result === "*" ? tagged : result;
    if (![stated, "*"].includes(tagged)) throw new Error(`the result is ${stated}, found the tag '${tagged}'`);
    all.set("Result", stated);
    if (chess960) all.set("Variant", "Chess960");
    if (fen) all.set("FEN", fen);
    const lines = Array.from(all, ([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&").replace(/[\r\n]/g, " ")}"]`);
    const start = fen ?? all.get("FEN");
    const line = movetext({ comment, moves }, moves.some(lacksSan) ? this.position(start, { chess960 }) : null);
    return this.#ask("write_pgn", `${lines.join("\n")}\n\n${line} ${stated}\n`);
  }
}

/** The bytes that are read at once. */
const PART = 1 << 18;

/** Reads a PGN file in parts. */
class PgnReader {
  #ask;
  #chess960;
  /** The bytes that have not been read. */
  #rest = new Uint8Array();
  #before = { games: 0, lines: 0 };

  /** @param {Ask} ask @param {string} chess960 */
  constructor(ask, chess960) {
    this.#ask = ask;
    this.#chess960 = chess960;
  }

  /** @param {Uint8Array[]} more @param {boolean} isLast @returns {PgnGames} */
  #read(more, isLast) {
    const bytes = new Uint8Array(more.reduce((sum, { length }) => sum + length, this.#rest.length));
    let at = 0;
    for (const part of [this.#rest, ...more]) {
      bytes.set(part, at);
      at += part.length;
    }
    const lines = bytes.subarray(0, isLast ? at : bytes.lastIndexOf(10) + 1), { games, lines: number } = this.#before;
    /** @type {PgnPart} */
    const part = this.#ask("read_pgn", this.#chess960, isLast ? "1" : "0", `${games}`, `${number}`, lines);
    this.#before = part.end;
    this.#rest = bytes.subarray(part.end.bytes);
    return part;
  }

  /** @param {Uint8Array} bytes @returns {PgnGames} */
  all(bytes) {
    /** @type {PgnGames} */
    const all = { games: [], errors: [] };
    for (let at = 0; at === 0 || at < bytes.length; at += PART) {
      const { games, errors } = this.#read([bytes.subarray(at, at + PART)], at + PART >= bytes.length);
      all.games.push(...games);
      all.errors.push(...errors);
    }
    return all;
  }

  /** @param {PgnStream} stream @param {(error: PgnError) => void} [onError] @returns {AsyncGenerator<PgnGame, void>} */
  async *stream(stream, onError = (error) => { throw Object.assign(new Error(error.text), error); }) {
    /** @type {Uint8Array[]} */
    let parts = [];
    let size = 0;
    for await (const part of Symbol.asyncIterator in stream ? stream : partsOf(stream)) {
      const bytes = typeof part === "string" ? encoder.encode(part) : part;
      parts.push(bytes);
      size += bytes.length;
      // A game longer than a part is not read again for each part.
      if (size < Math.max(PART, this.#rest.length)) continue;
      const { games, errors } = this.#read(parts, false);
      [parts, size] = [[], 0];
      yield* games;
      errors.forEach(onError);
    }
    const { games, errors } = this.#read(parts, true);
    yield* games;
    errors.forEach(onError);
  }
}

/** The parts of a stream, in browsers where it cannot be iterated over. @param {ReadableStream<Uint8Array>} stream */
async function* partsOf(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
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
 * @returns {string} with blanks to spare, in lines that are short enough to be read
 */
function movetext({ comment, moves }, position) {
  const words = moves.map(({ uci, san = uci === undefined ? "--" : position?.san(uci), nags = [], comment, eval: value, clock, variations = [] }) => {
    const commands = [value && `[%eval ${value.cp !== undefined ? (value.cp / 100).toFixed(2) : `#${value.mate}`}]`, clock !== undefined && clockText(clock)];
    const annotations = [...nags.map((nag) => `$${nag}`), braces([...commands, comment].filter(Boolean).join(" "))];
    const lines = variations.map((line) => `(${movetext(line, position)})`);
    position = position && (san === "--" ? position.pass() : position.play(uci ?? san ?? ""));
    return [san, ...annotations, ...lines].join("\n");
  });
  return [braces(comment), ...words].join("\n");
}

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000), pad = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const fraction = milliseconds % 1000 ? `.${String(Math.floor(milliseconds % 1000)).padStart(3, "0")}` : "";
  return `[%clk ${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}]`;
}

/** @type {Record<string, Role>} */
const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const FILES = "abcdefgh";

/** @param {string} letter as in a FEN, or a blank @returns {Piece | null} */
function pieceOf(letter) {
  const role = ROLES[letter.toLowerCase()];
  return role ? Object.freeze({ color: letter in ROLES ? "black" : "white", role }) : null;
}

/** @param {Position} position @param {FoundMove} found @returns {Move} */
function named(position, [uci, san]) {
  const from = uci.slice(0, 2), to = uci.slice(2, 4), promotion = uci[4], target = position.get(to);
  return {
    uci, san, from, to, role: position.get(from)?.role ?? "pawn",
    ...(promotion && { promotion }),
    ...(san.includes("x") && (target ? { capture: target.role } : { capture: "pawn", enPassant: true })),
    ...(san.startsWith("O-O") && { castling: san.startsWith("O-O-O") ? "queen" : "king" }),
    check: /[+#]$/.test(san), checkmate: san.endsWith("#"),
  };
}

/** A position with the moves that led to it, which stays as it is. */
export class Position {
  #ask;
  /** The start of the requests: FEN, variant and moves of the game. @type {[string, string, string]} */
  #game;
  /** @type {State} */
  #state;
  /** @type {FoundMove[] | undefined} */
  #legal;
  /** @type {readonly (readonly (Piece | null)[])[] | undefined} */
  #board;

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

  /** The ranks from 8 to 1, each from file a to h. */
  get board() {
    const ranks = () => this.fen.split(" ")[0].replace(/\d/g, (count) => " ".repeat(Number(count))).split("/");
    return (this.#board ??= Object.freeze(ranks().map((rank) => Object.freeze(Array.from(rank, pieceOf)))));
  }

  /** The piece on a square. @param {string} square @returns {Piece | null} */
  get(square) {
    const [file, rank] = square;
    return (square.length === 2 && this.board[8 - Number(rank)]?.[FILES.indexOf(file)]) || null;
  }

  /** The pieces with their squares, or those of a color or a role. @param {Partial<Piece>} [of] */
  pieces({ color, role } = {}) {
    const all = this.board.flatMap((rank, row) => rank.map((piece, file) => piece && { square: FILES[file] + (8 - row), ...piece }));
    return all.filter((one) => one !== null).filter((one) => one.color === (color ?? one.color) && one.role === (role ?? one.role));
  }

  /** What is known about the position; `rules.position(start, { chess960, moves })` makes it again. */
  toJSON() {
    return { start: this.#game[0], moves: this.moves, ...structuredClone(this.#state) };
  }

  /** The moves played, as they were given. @returns {string[]} */
  get moves() {
    return this.#game[2].split(" ").filter(Boolean);
  }

  /** Parts of the FEN that the position cannot have, such as a castling right without its rook. */
  get warnings() {
    return [...this.#state.warnings];
  }

  /** The end of the game: by mate, stalemate, dead position, fivefold repetition or the seventy-five-move rule. @returns {Ended | null} */
  get outcome() {
    const { outcome } = this.#state;
    return outcome && { ...outcome };
  }

  /** The rules by which a draw may be claimed. */
  get claims() {
    return [...this.#state.claims];
  }

  /** @returns {Move[]} */
  get legalMoves() {
    const found = (this.#legal ??= this.#ask("legal", ...this.#game));
    return found.map((/** @type {FoundMove} */ move) => named(this, move));
  }

  /** A legal move. @param {AnyMove} move @returns {Move} @throws {IllegalMoveError} */
  find(move) {
    return named(this, this.#ask("find", ...this.#game, textOf(move)));
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
