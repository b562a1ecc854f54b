/**
 * The JSON that the pages get from the Rust programs, and what Castellan Board's page sends back: only types, never served.
 * The Rust side is `board/src/session/` and `engine/src/commands/annotate/`.
 */

/** @typedef {"white" | "black"} Color */
/** @typedef {string} Square such as `e4`; in Tri-Dimensional chess `b2W` */
/** @typedef {{ fen: string, check: boolean }} Ply */

/**
 * @typedef {object} LegalMove
 * @property {string} uci
 * @property {string} san
 * @property {Square} from
 * @property {Square[]} to the destination; for castling also the square of the rook
 * @property {string} [promotion] the letter of a role
 */

/** @typedef {{ square: Square, kind: string }} Mark */
/** @typedef {{ from: Square, to: Square, kind: string }} Arrow */
/** @typedef {"green" | "red" | "yellow" | "blue"} ShapeColor */
/** @typedef {{ from: Square, to: Square | null, color: ShapeColor }} Shape an arrow or a circle that somebody has drawn */
/** @typedef {{ text: string, marks: Mark[], arrows: Arrow[] }} Illegal why a move is illegal */

// The frame.

/** @typedef {"play" | "analysis" | "castling" | "tridim"} ModeName */
/** @typedef {{ type: "hello", program: string, engine: EngineSettings } | { type: "error", text: string }} SessionEvent */

/**
 * @typedef {{ mode: "session", event: SessionEvent } | { mode: "play", event: PlayEvent }
 *   | { mode: "analysis", event: AnalysisEvent } | { mode: "castling", event: CastlingEvent }
 *   | { mode: "tridim", event: TridimEvent } | { mode: "editor", event: EditorEvent }
 *   | { mode: "engine", event: EngineSettings } | { mode: "library", event: LibraryEvent }} ServerEvent
 */

/**
 * Fields changed since the last event "game" of a mode, each by a path of keys: a new value, or how much of a list or a text remains,
 * and what follows.
 * @typedef {([path: string[], value: any] | [path: string[], keep: number, rest: string | any[]])[]} Changes
 */
/** @typedef {ServerEvent | { mode: ModeName, changes: Changes }} ServerMessage */

/**
 * The requests by their mode; `show` says which mode the page shows.
 * @typedef {{
 *   show: ModeName, play: PlayRequest, analysis: AnalysisRequest, castling: CastlingRequest, tridim: TridimRequest,
 *   editor: EditorRequest, engine: EngineRequest, library: LibraryRequest,
 * }} Requests
 */

// The editor of positions, and the settings of the engine.

/** @typedef {{ type: "check", fen: string, chess960: boolean }} EditorRequest */

/**
 * What is to be said about a position that is edited; with a problem it is not legal.
 * @typedef {{ fen: string, chess960: boolean, problem: string | null, notes: string[] }} EditorEvent
 */

/** @typedef {{ threads?: number, hash?: number, syzygy?: string, book?: string }} EngineRequest the hash table in MB; directories as in PATH */

/**
 * What is set, what the machine has (without files, neither tablebases nor a book), and what could not be set.
 * @typedef {Required<EngineRequest> & {
 *   cores: number, max_threads: number, has_files: boolean, memory: number | null, tables: number, pieces: number, problems: string[],
 * }} EngineSettings
 */

// The library of the games played here.

/** @typedef {{ id: string, heading: Heading, moves: number, tridim: boolean }} KeptGame */
/**
 * @typedef {{ type: "games", games: KeptGame[], folder: string | null } | { type: "opened", id: string, pgn: string }
 *   | { type: "exported", pgn: string }
 *   | { type: "opened_tridim", id: string, saved: string[] } | { type: "error", text: string }} LibraryEvent
 */
/** @typedef {{ type: "list" | "export" } | { type: "open" | "delete", id: string }} LibraryRequest */

// Play.

/**
 * @typedef {object} PlayedMove
 * @property {string} number `12.` or `12...`
 * @property {string} uci
 * @property {string} san
 * @property {Square} from
 * @property {Square} to the king's destination for castling
 * @property {number | null} clock the mover's clock after the move, in milliseconds
 * @property {Ply} after
 */

/**
 * @typedef {object} Game
 * @property {string} fen
 * @property {Color | "both"} side
 * @property {Ply} start
 * @property {string | null} start_name
 * @property {PlayedMove[]} moves
 * @property {string | null} opening
 * @property {LegalMove[]} legal
 * @property {Color | "both" | null} movable whose pieces the user may move, now or as a premove
 * @property {{ white: number, black: number, running: Color | null, control: string } | null} clocks in milliseconds
 * @property {"move" | "hint" | "draw_offer" | "review" | "try" | null} thinking
 * @property {{ from: Square, to: Square, promotion: string | null }[]} premoves one after each move of the engine
 * @property {PlayedMove | null} hint
 * @property {string[]} claims the rules under which a draw may be claimed now
 * @property {string | null} claims_because the moves that they rest on, in words
 * @property {{ uci: string, san: string, rule: string }[]} claims_with the moves with which a draw may be claimed
 * @property {boolean} can_take_back
 * @property {boolean} can_redo
 * @property {boolean} can_pause
 * @property {boolean} paused
 * @property {boolean} can_offer_draw
 * @property {{ text: string, result: string } | null} result
 * @property {Record<Color, string>} players
 * @property {string} pgn
 * @property {SavedGame} saved
 */

/** @typedef {{ actions: string[], settings: object, paused: boolean, id: string | null }} SavedGame */

/**
 * A move that cost its side something.
 * @typedef {object} Mistake
 * @property {number} ply the number of moves before it
 * @property {string} number
 * @property {string} san
 * @property {string} mark `?!`, `?` or `??`
 * @property {boolean} own whether the user made it
 * @property {Score | null} before
 * @property {Score | null} after
 * @property {PlayedMove | null} best
 * @property {string | null} reason why the move is bad, where that can be proven
 * @property {LegalMove[]} legal
 */

/** @typedef {{ points: number, score: Score | null, seconds: number | null }} ReviewedPosition with the time of the move before it */
/**
 * @typedef {{
 *   white: SideReport, black: SideReport, mistakes: Mistake[], moments: number[], positions: ReviewedPosition[], pgn: string,
 * }} Review
 */
/** @typedef {{ ply: number, uci: string, good: boolean, text: string }} Tried */

/**
 * @typedef {({ type: "game" } & Game) | ({ type: "illegal" } & Illegal) | { type: "note", text: string }
 *   | { type: "review_progress", done: number, total: number } | ({ type: "review" } & Review) | ({ type: "tried" } & Tried)
 *   | { type: "started" } | { type: "not_started" | "error", text: string }} PlayEvent
 */

/**
 * @typedef {object} NewGame
 * @property {"new"} type
 * @property {string} side
 * @property {object} start
 * @property {string | null} clock
 * @property {number | null} move_time in milliseconds
 * @property {number | null} elo
 * @property {boolean} resigns
 * @property {string} name of the user
 * @property {boolean} takes_time whether a limited level takes a moment for its moves
 */

/**
 * @typedef {NewGame | { type: "state" | "cancel_premove" | "move_now" | "takeback" | "redo" | "resign" | "offer_draw"
 *     | "claim_draw" | "hint" | "pause" | "resume" | "rematch" | "review" }
 *   | { type: "try", ply: number, uci: string } | { type: "continue", id: string }
 *   | { type: "move" | "claim_draw_with", uci: string } | { type: "typed", text: string }
 *   | { type: "explain", from: Square, to: Square }
 *   | { type: "premove", from: Square, to: Square, promotion: string | null }
 *   | { type: "restore", saved: SavedGame }} PlayRequest
 */

// Analyze.

/** @typedef {{ cp: number, mate?: undefined } | { mate: number, cp?: undefined }} Score from White's view */
/** @typedef {{ name: string, title: string, rating: string }} Player */

/**
 * @typedef {object} Heading
 * @property {Player} white
 * @property {Player} black
 * @property {string} result
 * @property {string} event
 * @property {string} site
 * @property {string} round
 * @property {string} date
 * @property {string} sortable_date
 * @property {string} time_control
 * @property {string} termination
 * @property {string} eco
 * @property {string} opening
 */

/**
 * @typedef {object} SideReport
 * @property {number | null} accuracy in percent
 * @property {number | null} acpl
 * @property {number} inaccuracies
 * @property {number} mistakes
 * @property {number} blunders
 */

/**
 * A position of the game; the root has no parent and no move.
 * @typedef {object} GameNode
 * @property {number} id
 * @property {number} [parent]
 * @property {string} [number] `12.` or `12...`
 * @property {string} [san]
 * @property {number[]} [nags]
 * @property {Score} [score]
 * @property {number} [points] White's expected score
 * @property {number} [seconds] the time that the move took, in the main line
 * @property {number} [clock] the mover's clock after it, in milliseconds
 * @property {string} [opening] the comment before a variation's first move
 * @property {string} [comment]
 */

/**
 * @typedef {object} AnalyzedGame
 * @property {string} id its name in the library
 * @property {Heading} heading
 * @property {boolean} chess960
 * @property {[string, string][]} tags as in PGN
 * @property {GameNode[]} nodes each after its parent and in the order of its siblings
 * @property {[SideReport, SideReport]} [summary] of an annotated game
 * @property {string} pgn
 * @property {boolean} undo
 * @property {boolean} redo
 */

/** @typedef {{ fen: string, last: [Square, Square] | null, check: boolean }} BoardPosition */

/**
 * @typedef {BoardPosition & {
 *   node: number, path: number[], legal: LegalMove[], outcome: string | null, opening: string | null, shapes: Shape[],
 *   no_threat: string | null, tablebase: Tablebase | null, book: BookMove[] | null, own_games: OwnMove[] | null,
 * }} AnalyzedPosition
 */

/** @typedef {{ uci: string, san: string, squares: [Square, Square] }} KnownMove */
/**
 * The value is that for the side to move; DTZ that of the position after it.
 * @typedef {KnownMove & {
 *   value: "win" | "cursed_win" | "draw" | "blessed_loss" | "loss", mate: boolean, zeroing: boolean, dtz: number,
 * }} TablebaseMove
 */
/** @typedef {{ verdict: string, moves: TablebaseMove[] }} Tablebase */
/** @typedef {KnownMove & { weight: number, share: number }} BookMove the share of all weights in percent */

/** @typedef {KnownMove & { white: number, draws: number, black: number }} OwnMove with the results of one's own games */

/** @typedef {{ uci: string, san: string, number: string, squares: [Square, Square] }} PvMove */

/**
 * @typedef {object} Line
 * @property {number} depth
 * @property {Score} score
 * @property {number} points
 * @property {[number, number, number]} wdl White's chances in permille
 * @property {PvMove[]} pv
 */

/**
 * @typedef {object} Lines
 * @property {number} node
 * @property {number} depth
 * @property {number} selective_depth
 * @property {number} nodes
 * @property {number} nodes_per_second
 * @property {number} tablebase_hits
 * @property {boolean} threat of the other side, as if it were to move
 * @property {Line[]} lines
 */

/** @typedef {{ heading: Heading, moves: number, error?: undefined } | { error: string }} Choice a game of a file */

/**
 * @typedef {({ type: "game" } & AnalyzedGame) | ({ type: "position" } & AnalyzedPosition)
 *   | { type: "choices", games: Choice[], cut: boolean } | ({ type: "preview", moves: string[] } & BoardPosition)
 *   | ({ type: "illegal" } & Illegal) | { type: "engine", on: boolean, lines: number, threat: boolean } | ({ type: "lines" } & Lines)
 *   | { type: "progress", done: number, total: number } | { type: "annotated", text: string | null }
 *   | { type: "tried", node: number, uci: string, good: boolean, text: string } | { type: "kept", count: number }
 *   | { type: "opened" } | { type: "not_opened" | "error", text: string }} AnalysisEvent
 */

/**
 * @typedef {{ type: "new" | "undo" | "redo" | "keep" | "cancel_annotation" }
 *   | { type: "restore", pgn: string, path: number[], id?: string | null } | { type: "load_pgn", text: string, id?: string }
 *   | { type: "typed", text: string } | { type: "choose", game: number } | { type: "load_fen", fen: string }
 *   | { type: "go" | "delete" | "promote", node: number } | { type: "move", uci: string }
 *   | { type: "line" | "preview", moves: string[] } | { type: "explain", from: Square, to: Square }
 *   | { type: "tags", tags: [string, string][] } | { type: "comment", node: number, text: string }
 *   | { type: "symbols", node: number, nags: number[] } | { type: "shapes", node: number, shapes: Shape[] }
 *   | { type: "try", node: number, uci: string } | { type: "keep_choices" } | { type: "own_games", on: boolean }
 *   | { type: "engine", on: boolean, lines: number, threat: boolean } | { type: "annotate", nodes: number }} AnalysisRequest
 */

// Castling.

/** @typedef {"kingside" | "queenside"} CastlingSide */

/**
 * @typedef {object} CastlingReport
 * @property {CastlingSide} side
 * @property {string} san
 * @property {string | null} uci the move, if castling is legal
 * @property {{ title: string, reason: string | null }[]} conditions with the reason why one is not fulfilled
 * @property {[Square, Square]} king
 * @property {[Square, Square]} rook
 * @property {Square[]} king_path the squares the king crosses and lands on
 * @property {Square[]} rook_path
 * @property {Square[]} blockers what stands on these paths
 * @property {{ square: Square, from: Square[] }[]} attackers of the king's path
 */

/**
 * @typedef {object} ColorReport
 * @property {Color} color
 * @property {boolean} to_move
 * @property {string | null} impossible why it cannot be this color's turn
 * @property {CastlingReport[]} castling
 * @property {Square[]} attacked every square its opponent attacks
 */

/** @typedef {LegalMove & { resets: boolean, revokes: string }} InspectedMove */

/**
 * @typedef {object} InspectedPosition
 * @property {string} fen
 * @property {boolean} chess960
 * @property {Color} side_to_move
 * @property {boolean} check
 * @property {InspectedMove[]} legal
 * @property {InspectedMove[]} others the moves of the other side, where either side may move
 * @property {Square[]} empty
 * @property {string[]} notes what is wrong with the FEN's castling rights
 * @property {ColorReport[]} sides
 * @property {{ plies: number, text: string }} clock the halfmove clock
 * @property {{ san: string, from: Square, to: Square, effects: string[] } | null} played
 */

/** @typedef {({ type: "report" } & InspectedPosition) | { type: "error", text: string }} CastlingEvent */

/**
 * @typedef {{ type: "inspect", fen: string, chess960: boolean, free: boolean }
 *   | { type: "move", fen: string, chess960: boolean, uci: string, free: boolean }} CastlingRequest
 */

// Tri-D.

/** @typedef {{ seconds: number } | { depth: number }} Limit */
/** @typedef {{ name: string, file: number, rank: number, size: number }} Place of a board; the z-file is 0 */
/** @typedef {Place & { owner: Color | null, immobile: string | null }} TridimBoard */
/** @typedef {{ name: string, level: number, file: number, rank: number, free: boolean }} TridimPin */
/** @typedef {{ square: Square, color: Color, role: string, letter: string }} TridimPiece */
/** @typedef {{ from: Square, to: Square }} Step */

/**
 * @typedef {object} TridimMove
 * @property {string} text
 * @property {"piece" | "board" | "castling" | "promotion"} kind
 * @property {string} from a square, or the pin of a board
 * @property {string[]} to the squares or the pin that mean it; the destination is the first
 * @property {string | null} promotion the letter of the role
 * @property {boolean} capture
 */

/**
 * One kind of castling: `open` with its move and squares, or the reason why it is not possible.
 * @typedef {{ kind: string, move: string, boards: string[], crossed: { column: string, attackers: Square[] }[] } & ({ open: true, king: Step, rook: Step, reason: null }
 *   | { open: false, king: null, rook: null, reason: string })} TridimCastling
 */

/** @typedef {{ pieces: [Square, Square][], board: [string, string] | null }} LastMove each from and to */

/**
 * @typedef {object} TridimGame
 * @property {string} id its name in the library
 * @property {string} position
 * @property {Color | "both"} side
 * @property {Color} side_to_move
 * @property {boolean} movable
 * @property {boolean} thinking
 * @property {Limit} limit
 * @property {TridimBoard[]} boards
 * @property {TridimPin[]} pins
 * @property {TridimPiece[]} pieces
 * @property {TridimMove[]} legal
 * @property {TridimCastling[]} castling
 * @property {{ number: number, color: Color, text: string, castling: string | null, time: string | null }[]} moves
 * @property {LastMove | null} last
 * @property {Square | null} check
 * @property {Square | null} pending the pawn that waits for its promotion
 * @property {string | null} activated
 * @property {string[]} claims
 * @property {boolean} over
 * @property {string} status
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {string[]} saved
 */

/**
 * @typedef {({ type: "game" } & TridimGame) | { type: "illegal", text: string, squares: Square[] }
 *   | { type: "thinking", depth: number, score: string, line: string[] } | { type: "started" } | { type: "typed" | "hint" | "not_started" | "error", text: string }} TridimEvent
 */

/**
 * @typedef {{ type: "release" | "go" | "stop" | "undo" | "redo" | "claim" | "resign" | "hint" } | { type: "typed", text: string }
 *   | { type: "new", side: string, position: string | null, rotation: boolean } | { type: "limit", limit: Limit }
 *   | { type: "move", text: string } | { type: "restore", saved: string[], limit: Limit, id?: string | null }} TridimRequest
 */

// The data of annotated pages.

/**
 * A position and the move before it, if any.
 * @typedef {object} AnnotatedNode
 * @property {string} fen
 * @property {string} [number]
 * @property {string} [san]
 * @property {[Square, Square]} [squares]
 * @property {string} [mark] `?!` and the like
 * @property {string} [eval]
 * @property {number} [points]
 * @property {string} [clock]
 * @property {number} [seconds] the time that the move took
 * @property {string} [comment]
 * @property {boolean} [costly] the engine found a better move
 * @property {AnnotatedNode[]} [line] the engine's line from this position
 * @property {{ engine: boolean, comment?: string, moves: AnnotatedNode[] }[]} [variations]
 */

/**
 * @typedef {object} GamePage
 * @property {string} program
 * @property {Heading} heading
 * @property {SideReport} white
 * @property {SideReport} black
 * @property {AnnotatedNode[]} nodes
 * @property {number[]} moments the positions after the most costly moves
 * @property {string} pgn
 */

/** @typedef {{ page: string, heading: Heading, white: SideReport, black: SideReport, moves: number }} IndexEntry */

export {};
