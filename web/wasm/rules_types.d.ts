/** Such as `e4`; in Tri-Dimensional chess `b2W`. */
export type Square = string;
export type Color = "white" | "black";

export type Answer = State
  | FoundMove[]
  | FoundMove
  | Castling
  | PgnPart
  | string
  | Failure;

export type AttackedSquare = { square: Square; attackers: Attacker[]; };

/** A piece that attacks, displayed as `the queen on f3`. */ export type Attacker = { /** The role of the piece. */ role: string; /** The square it stands on. */ square: Square; };

export type Castling = { /** True if all conditions are fulfilled. */ legal: boolean; /** `O-O` or `O-O-O`. */ san: string; conditions: Condition[]; /** The king's square before and after. */ king: [Square, Square]; /** The rook's square before and after. */ rook: [Square, Square]; /** The squares of the pieces in the way. */ blockers: Square[]; /** The attacked squares that the king crosses or lands on. */ attacked: AttackedSquare[]; };

/** The reason one of the six castling conditions fails; see [`CastlingReport`](crate::CastlingReport). */ export type CastlingError = /** The right is gone, and the position does not tell how; a [`Game`](crate::Game) does. */ { code: "no_right", detail: { color: Color; side: string; } }
  | /** The right was lost when the king moved, by a move of the game. */ { code: "king_moved", detail: { color: Color; side: string; home: Square; by: string; } }
  | /** The right was lost when the rook moved. */ { code: "rook_moved", detail: { color: Color; side: string; home: Square; by: string; } }
  | /** The right was lost when the rook was captured. */ { code: "rook_captured", detail: { color: Color; side: string; home: Square; by: string; } }
  | /** The start position of the game does not have the right. */ { code: "not_in_fen", detail: { color: Color; side: string; } }
  | /** The king is away from its home square. */ { code: "king_not_home", detail: { side: string; king: Square; /** In Chess960 it is not known for a king that is not on its first rank. */ home: Square | null; } }
  | /** In Chess960, no rook is on that side of the king. */ { code: "no_rook", detail: { side: string; } }
  | /** The rook is away from its home square. */ { code: "rook_not_home", detail: { side: string; home: Square; found: string | null; } }
  | /** The right is that of another rook on the same side. */ { code: "other_rook", detail: { side: string; square: Square; home: Square; } }
  | /** A square that king or rook cross or land on is occupied. */ { code: "blocked", detail: { side: string; square: Square; } }
  | /** The king is in check. */ { code: "in_check", detail: { side: string; checkers: Attacker[]; } }
  | /** A square that the king crosses or lands on is attacked. */ { code: "attacked", detail: { side: string; square: Square; attackers: Attacker[]; } };

/** The fault by which a condition of castling fails. */ export type CastlingReason = CastlingError & { /** In words. */ text: string; };

export type ClaimName = "fifty_moves"
  | "threefold";

export type Condition = { name: string; fulfilled: boolean; reasons: CastlingReason[]; };

export type Ended = { reason: OutcomeName; winner: Color | null; /** `1-0`, `0-1` or `1/2-1/2`. */ result: string; /** In words. */ text: string; };

/** The reason a request has no answer. */ export type Failure = { error: string; /** Everything against an illegal move. */ reasons: Reason[]; };

/** A legal move in UCI notation and in SAN. */ export type FoundMove = [string, string];

/** The reason a move is illegal. */ export type IllegalMove = /** No piece stands on the origin. */ { code: "empty_square", detail: Square }
  | /** The piece belongs to the side that is not to move. */ { code: "not_your_piece", detail: { piece: string; square: Square; } }
  | /** The destination is occupied by a piece of the same color. */ { code: "own_piece", detail: Square }
  | /** The piece does not move that way, on an empty board either. */ { code: "unreachable", detail: { role: string; from: Square; to: Square; } }
  | /** The piece moves that way, but another one is in between. */ { code: "blocked", detail: { role: string; from: Square; to: Square; /** The first occupied square on the way; for a pawn possibly the destination. */ square: Square; } }
  | /** A pawn moves diagonally to a square with nothing to capture. */ { code: "nothing_to_capture", detail: { from: Square; to: Square; } }
  | /** The pawn beside has not just moved two squares. */ { code: "no_en_passant", detail: { pawn: Square; /** The move that brought it there, if a [`Game`](crate::Game) tells. */ cameWith: string | null; } }
  | /** A promotion by a piece that is not a pawn, or to a rank that is not its last. */ { code: "invalid_promotion", detail: { role: string; from: Square; to: Square; } }
  | /** The pawn promotes, and the new piece is not named. */ { code: "missing_promotion", detail: Square }
  | /** The king would move to an attacked square. */ { code: "king_attacked", detail: { to: Square; attackers: Attacker[]; } }
  | /** Another piece than the king moves without resolving a check. */ { code: "in_check", detail: Attacker[] }
  | /** Another piece than the king moves in double check. */ { code: "double_check", detail: Attacker[] }
  | /** The piece leaves the line between its king and an enemy piece. */ { code: "pinned", detail: Pin }
  | /** The two pawns that a capture en passant removes from their squares shield the king. */ { code: "en_passant_check", detail: Attacker[] }
  | /** A condition of castling fails. */ { code: "castling", detail: CastlingError }
  | /** Castling, written in SAN as a move of the king. */ { code: "castling_as_king_move", detail: string };

export type OutcomeName = "checkmate"
  | "stalemate"
  | "insufficient_material"
  | "seventy_five_moves"
  | "fivefold_repetition"
  | "draw_claimed";

/** An invalid game. */ export type PgnError = { text: string; line: number; /** The game up to an illegal move. */ part: PgnGame | null; };

/** Centipawns, or moves to mate. */ export type PgnEval = { cp: number; mate?: undefined; }
  | { mate: number; cp?: undefined; };

export type PgnGame = { /** Without `Result`, `FEN`, `SetUp` and `Variant`, which derive from the rest. */ tags?: [string, string][]; /** Missing for the start position. */ fen?: string; chess960?: boolean; /** Before the first move. */ comment?: string; moves: PgnMove[]; /** `1-0`, `0-1`, `1/2-1/2` or `*`. */ result: string; /** Parts of the text that were not kept. */ warnings?: string[]; };

/** The games of a text, and what is wrong with others. */ export type PgnGames = { games: PgnGame[]; errors: PgnError[]; };

export type PgnLine = { /** Before the first move. */ comment?: string; moves: PgnMove[]; };

export type PgnMove = { /** In UCI notation; missing for a null move. */ uci?: string; /** `--` for a null move. */ san: string; /** Numeric annotation glyphs. */ nags?: number[]; comment?: string; /** For White, from `[%eval]`. */ eval?: PgnEval; /** In milliseconds, from `[%clk]`. */ clock?: number; /** The alternatives to the move. */ variations?: PgnLine[]; };

/** The games of a part of a file, and where the next part begins. */ export type PgnPart = PgnGames & { end: PgnPlace; };

/** The games and lines before a place in a file, and the bytes before it in its part. */ export type PgnPlace = { games: number; lines: number; bytes: number; };

/** A piece that must not leave the line between its king and an enemy piece, displayed as `the knight on e2 is pinned to its king by the rook on e4`. */ export type Pin = { /** The role of the pinned piece. */ role: string; /** The square of the pinned piece. */ square: Square; /** The piece that pins it. */ pinner: Attacker; };

/** A reason why a move is illegal. */ export type Reason = IllegalMove & { /** In words. */ text: string; };

export type State = { fen: string; chess960: boolean; turn: Color; inCheck: boolean; /** The rule that has ended the game. */ outcome: Ended | null; /** The rules by which a draw may be claimed. */ claims: ClaimName[]; /** Parts of the FEN that the position cannot have. */ warnings: string[]; };
