/** Such as `e4`; in Tri-Dimensional chess `b2W`. */
export type Square = string;
export type Color = "white" | "black";

/** A move of the book with its share of all games, in percent. */ export type AnalysisBookMoveView = NamedMove & { weight: number; share: number; };

/** A game of a file with several. */ export type AnalysisChoice = { heading: Heading; own: OwnSide | null; moves: number; }
  | { error: string; };

export type AnalysisEvent = { type: "game" } & AnalysisGameView
  | /** The game that was requested is the one shown. */ { type: "opened" }
  | /** The request cannot be opened. */ { type: "not_opened" } & { text: string; }
  | { type: "position" } & AnalysisPositionView
  | { type: "choices" } & { games: AnalysisChoice[]; /** There may be more games, which are not read. */ cut: boolean; }
  | /** Games are kept. */ { type: "kept" } & { count: number; /** True if they are the games of a file, and can be deleted again. */ choices: boolean; }
  | /** The games of a file that were kept are deleted. */ { type: "kept_deleted" } & { count: number; }
  | { type: "preview" } & BoardView & { moves: string[]; }
  | { type: "illegal" } & Illegal
  | { type: "engine" } & { on: boolean; lines: number; threat: boolean; }
  | { type: "lines" } & AnalysisLinesView
  | /** The number of positions of the game that are evaluated. */ { type: "progress" } & { done: number; total: number; }
  | /** The annotation has ended, with `text` if it is not complete. */ { type: "annotated" } & { text: string | null; }
  | { type: "error" } & { text: string; };

/** The game with all its variations. */ export type AnalysisGameView = { id: GameId; /** The revision of the text of the library that the game is based on. */ based_on: string | null; heading: Heading; own: OwnSide | null; chess960: boolean; /** All tags that can be changed. */ tags: [string, string][]; /** Each node behind its parent and in the order of its siblings. */ nodes: AnalysisNodeView[]; /** The play of both sides in an annotated game. */ summary?: [AnalysisSideSummary, AnalysisSideSummary]; /** The moves that decided it. */ moments: number[]; /** The game can be restored from it. */ pgn: string; undo: boolean; redo: boolean; };

export type AnalysisLineView = { depth: number; score: AnalysisScore; points: number; /** White's chances to win, to draw and to lose, in permille. */ wdl: [number, number, number]; pv: AnalysisPvMove[]; };

/** The lines of the running search. */ export type AnalysisLinesView = { node: number; depth: number; selective_depth: number; nodes: number; nodes_per_second: number; tablebase_hits: number; threat: boolean; lines: AnalysisLineView[]; };

export type AnalysisNodeView = { id: number; parent?: number; /** `12.` or `12...`. */ number?: string; san?: string; nags?: number[]; score?: AnalysisScore; /** White's expected score. */ points?: number; /** The time that a move of the main line took. */ seconds?: number; /** The mover's clock after the move, in milliseconds. */ clock?: number; /** The comment before a variation's first move. */ opening?: string; comment?: string; };

/** A move of own games with the user's results. */ export type AnalysisOwnMoveView = NamedMove & { wins: number; draws: number; losses: number; /** In percent. */ score: number; };

/** The position that is shown. */ export type AnalysisPositionView = BoardView & { node: number; /** Leads to it after a restart. */ path: number[]; legal: LegalMove[]; /** The outcome of the game. */ outcome: string | null; opening: string | null; /** Arrows and circles of its comment. */ shapes: AnalysisShape[]; /** The reason the other side threatens nothing. */ no_threat: string | null; tablebase: AnalysisTablebaseView | null; /** Without a book of the user `None`. */ book: AnalysisBookMoveView[] | null; /** The moves of the user's games with White and with Black, if they are to be shown. */ own_games: [AnalysisOwnMoveView[], AnalysisOwnMoveView[]] | null; };

export type AnalysisPvMove = NamedMove & { /** `12.` or `12...`. */ number: string; };

export type AnalysisRequest = /** Restores the game of an earlier session. */ { type: "restore" } & { pgn: string; path: number[]; id?: GameId | null; /** The revision of the text of the library that the game is based on. */ based_on?: string | null; }
  | { type: "new" }
  | { type: "load_pgn" } & { text: string; /** The name of a game of the library. */ id?: GameId | null; }
  | /** Opens one of the games of the text loaded last. */ { type: "choose" } & { game: number; }
  | { type: "load_fen" } & { fen: string; /** If it is not given, the FEN tells. */ chess960?: boolean | null; }
  | { type: "go" } & { node: number; }
  | /** Plays a move by its squares or in SAN; the answer to an illegal one is the reason. */ { type: "move" } & { text: string; }
  | /** Plays successive moves. */ { type: "line" } & { moves: string[]; }
  | /** Shows where successive moves lead. */ { type: "preview" } & { moves: string[]; }
  | { type: "delete" } & { node: number; }
  | { type: "promote" } & { node: number; }
  | { type: "comment" } & { node: number; text: string; }
  | /** Sets the symbols of a move and its position, by their numeric annotation glyphs. */ { type: "symbols" } & { node: number; nags: number[]; }
  | /** Sets the arrows and circles of a position. */ { type: "shapes" } & { node: number; shapes: AnalysisShape[]; }
  | /** Keeps the game in the library. */ { type: "keep" }
  | /** Keeps the games of the text loaded last in the library. */ { type: "keep_choices" }
  | /** Deletes the games that were kept by that. */ { type: "delete_kept" }
  | /** Annotates them in the background. */ { type: "annotate_kept" }
  | /** True if the moves of the user's games are shown. */ { type: "own_games" } & { on: boolean; }
  | /** Sets tags of the game; those with an empty value are removed. */ { type: "tags" } & { tags: [string, string][]; }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "engine" } & { on: boolean; lines: number; /** Searches what the other side would play. */ threat?: boolean; }
  | { type: "annotate" } & { nodes: number; }
  | { type: "cancel_annotation" };

/** A score from White's view. */ export type AnalysisScore = { cp: number; mate?: undefined; }
  | { mate: number; cp?: undefined; };

/** A circle, or with `to` an arrow. */ export type AnalysisShape = { from: Square; to: Square | null; color: AnalysisShapeColor; };

export type AnalysisShapeColor = "green"
  | "red"
  | "yellow"
  | "blue";

/** The play of one side, by the annotations. */ export type AnalysisSideSummary = { accuracy: number | null; acpl: number | null; inaccuracies: number; mistakes: number; blunders: number; };

export type AnalysisTablebaseMove = NamedMove & { value: AnalysisValue; mate: boolean; /** A capture or pawn move. */ zeroing: boolean; /** The distance to zeroing after it, without sign; 0 in draws. */ dtz: number; };

export type AnalysisTablebaseView = { verdict: string; moves: AnalysisTablebaseMove[]; };

/** The value of a position or a move for the side to move. */ export type AnalysisValue = "win"
  | /** Won, but drawn by the fifty-move rule. */ "cursed_win"
  | "draw"
  | /** Lost, but drawn by the fifty-move rule. */ "blessed_loss"
  | "loss";

/** The progress so far. */ export type AnnotatorView = { games: number; of_games: number; positions: number; of_positions: number; /** `None` until it can be told from the speed. */ seconds_left: number | null; };

export type Arrow = { from: Square; to: Square; kind: string; };

/** The dimensions by which moves are grouped. */ export type Aspect = "phase"
  | "color"
  | "opening";

/** A position and the move before it. */ export type BoardView = { fen: string; last: [Square, Square] | null; check: boolean; };

export type BrowserRequest = /** The browser has not kept a change of a file, which another tab had changed before. The library has the text of that tab. */ { type: "refused" } & { name: string; before?: string | null; /** None for a file that was deleted. */ after?: string | null; }
  | /** The reason for which the browser keeps nothing; none if it does again. */ { type: "unkept" } & { error?: string | null; };

export type CastlingAttackers = { square: string; from: string[]; };

export type CastlingClock = { plies: number; text: string; };

/** The castling moves of one color. */ export type CastlingColorReport = { color: Color; to_move: boolean; /** The reason it cannot be this color's turn, if it is not. */ impossible: string | null; castling: CastlingSideReport[]; /** Every square its opponent attacks. */ attacked: string[]; };

export type CastlingCondition = { title: string; /** The reason it is not fulfilled. */ reason: string | null; };

export type CastlingEvent = { type: "report" } & CastlingInspectedPosition
  | /** The position of the request is unusable, and the one shown remains. */ { type: "error" } & { text: string; };

export type CastlingInspectedMove = LegalMove & { /** It sets the halfmove clock to 0. */ resets: boolean; /** The castling rights it revokes, as in a FEN. */ revokes: string; };

export type CastlingInspectedPosition = { /** Complete, with the rights that the position supports. */ fen: string; chess960: boolean; side_to_move: Color; check: boolean; legal: CastlingInspectedMove[]; /** The moves of the other side, if it were to move, where either side may. */ others: CastlingInspectedMove[]; /** Every square without a piece. */ empty: string[]; /** The parts dropped from the FEN. */ notes: string[]; sides: CastlingColorReport[]; clock: CastlingClock; played: CastlingPlayed | null; };

/** The move that led to the position. */ export type CastlingPlayed = { san: string; from: string; to: string; effects: string[]; };

export type CastlingRequest = /** Explain the position after these moves, and what the last of them changed. */ { type: "inspect" } & { fen: string; chess960: boolean; /** In UCI notation. */ moves?: string[]; /** Either side may move. */ free?: boolean; };

export type CastlingSideReport = { side: string; san: string; /** The move in UCI notation, if castling is legal. */ uci: string | null; conditions: CastlingCondition[]; king: [string, string]; rook: [string, string]; king_path: string[]; rook_path: string[]; /** The pieces on these paths. */ blockers: string[]; /** The attacked squares of the king's path, each with the pieces that attack it. */ attackers: CastlingAttackers[]; };

/** The legality of a kind of castling; its squares, or the reason why not. */ export type CastlingStatus = { kind: string; move: string; /** The home pins of the boards it takes place on. */ boards: string[]; /** True if it is legal. */ open: boolean; king: Step | null; rook: Step | null; /** The squares that the king crosses if it is legal; they may be attacked. */ crossed: Crossed[]; reason: string | null; };

/** A file and rank that the king crosses, on whatever board, and the squares of the pieces that attack it. */ export type Crossed = { column: string; attackers: string[]; };

/** About the position of a request, which is repeated. */ export type EditorEvent = { fen: string; chess960: boolean; /** The reason the position is not legal. */ problem: string | null; /** The parts that are dropped when it is used. */ notes: string[]; };

export type EditorRequest = { type: "check" } & { fen: string; chess960: boolean; };

/** The settings, and the resources of the machine. */ export type EngineEvent = { options: EngineField[]; /** Threads and hash table in short. */ summary: string; /** The reason something could not be set. */ problems: string[]; };

/** An option. */ export type EngineField = { name: string; label: string; value: string; kind: EngineFieldKind; /** The memory or the processors that the machine has for it. */ note: string; };

/** The values that an option takes. */ export type EngineFieldKind = /** `true` or `false`. */ { type: "check" }
  | { type: "number" } & { min: number; max: number; }
  | /** A path. */ { type: "file" };

/** The user's changes; the rest stays. */ export type EngineRequest = { /** Names and values. */ options: [string, string][]; };

export type Event = { mode: "session", event: SessionEvent }
  | { mode: "play", event: PlayEvent }
  | { mode: "analysis", event: AnalysisEvent }
  | { mode: "training", event: TrainingEvent }
  | { mode: "openings", event: OpeningsEvent }
  | { mode: "castling", event: CastlingEvent }
  | { mode: "tridim", event: TridimEvent }
  | { mode: "editor", event: EditorEvent }
  | { mode: "finder", event: FinderEvent }
  | { mode: "engine", event: EngineEvent }
  | { mode: "library", event: LibraryEvent };

export type FinderEvent = /** The search waits until all games have been read. */ { type: "indexing" } & { done: number; total: number; }
  | { type: "found" } & { part: FinderPart; /** The number of games, of which only the latest are listed. */ count: number; games: FinderFound[]; }
  | { type: "failed" } & { text: string; };

/** A game with a position like the one that is searched. */ export type FinderFound = { id: GameId; heading: Heading; own: OwnSide | null; /** The number of moves before the position. */ ply: number; /** The move in the position, with its number. */ next: string | null; };

/** The part of a position that is the same in the games that are found. */ export type FinderPart = "position"
  | "pawns"
  | "material";

export type FinderRequest = /** The games with a position like this one. */ { type: "find" } & { part: FinderPart; fen: string; chess960: boolean; };

/** Names a game: the time of its first move and a number, so that names sort by age. */ export type GameId = string;

/** The user's moves in a phase, with a color or in an opening. */ export type Group = { aspect: Aspect; name: string; games: number; /** The average of the moves' accuracies, in percent. */ accuracy: number; /** The difference from the average of all moves, in percentage points. */ difference: number; /** Half of the 95 % confidence interval of the accuracy, from its spread over the games; `None` for one game. */ margin: number | null; /** For each game. */ mistakes: number; blunders: number; };

/** Names, result, date and so on; what is not known is empty. */ export type Heading = { white: Player; black: Player; result: string; event: string; site: string; round: string; date: string; /** The date as it sorts. */ sortable_date: string; time_control: string; termination: string; eco: string; opening: string; };

/** An illegal move as the page shows it. */ export type Illegal = { text: string; marks: Mark[]; /** From attackers to what they attack. */ arrows: Arrow[]; };

/** A legal move and the squares that a person may name for it. */ export type LegalMove = { uci: string; san: string; from: string; /** The destination; for castling also the square of the rook. */ to: string[]; /** The letter of the piece a pawn promotes to. */ promotion?: string; };

export type LibraryEvent = { type: "games" } & { games: LibraryKept[]; /** Their folder. */ folder: string | null; /** The reason for which they are not kept. */ unkept: string | null; }
  | { type: "opened" } & { id: GameId; pgn: string; ply: number; }
  | /** A game of Tri-Dimensional chess, by the lines of a saved game. */ { type: "opened_tridim" } & { id: GameId; saved: string[]; }
  | { type: "exported" } & { pgn: string; /** JSON, as it is in the library. */ profile: string; }
  | /** A profile has been added. */ { type: "imported" } & { /** The number of exercises that have changed. */ exercises: number; names: Names; }
  | { type: "not_imported" } & { text: string; }
  | /** Games have been added. */ { type: "added" } & { count: number; /** The number of those that were there. */ known: number; /** The number of those that cannot be read, or have no moves. */ invalid: number; }
  | { type: "not_added" } & { text: string; }
  | { type: "players" } & { players: LibraryPlayerName[]; }
  | { type: "names" } & { names: Names; };

/** A game of the list. */ export type LibraryKept = { id: GameId; heading: Heading; own: OwnSide | null; moves: number; /** True for Tri-Dimensional chess. */ tridim: boolean; };

/** A name in the games of the library. */ export type LibraryPlayerName = { name: string; games: number; /** True for a name of the user. */ own: boolean; };

export type LibraryRequest = { type: "list" }
  | /** The PGN of a game, to be shown at a ply. */ { type: "open" } & { id: GameId; ply?: number; }
  | { type: "delete" } & { ids: GameId[]; }
  | /** The PGN of all games, and the profile. */ { type: "export" }
  | /** Adds the exercises and names of a profile that was exported, which is JSON. */ { type: "import" } & { profile: string; }
  | /** Keeps the games of a PGN text, except those that are there. */ { type: "add" } & { pgn: string; }
  | /** The names in the games, for the user to say which are theirs. */ { type: "players" }
  | /** The user's names from now on. */ { type: "names" } & { names: Names; };

export type Mark = { square: Square; kind: MarkKind; };

export type MarkKind = /** The king may not stand here. */ "attacked"
  | /** A piece that gives check, pins, or attacks a square. */ "attacker"
  | /** A piece in the way, or a square whose piece is the obstacle. */ "blocker";

/** The parts of the page. */ export type Mode = "play"
  | "analysis"
  | "training"
  | "openings"
  | "castling"
  | "tridim";

/** A move as the page names and draws it. */ export type NamedMove = { uci: string; san: string; squares: [Square, Square]; };

/** The names under which the user plays; those that are not known are empty. */ export type Names = { own: string; lichess: string; chess_com: string; /** Other forms of the user's name in files, such as `Byron, A.`. */ others?: string[]; };

export type OpeningsCostlyView = { moves: string[]; text: string; results: AnalysisOwnMoveView; /** In pawns, on average. */ loss: number; evaluated: number; };

export type OpeningsDeparture = { id: GameId; ply: number; heading: Heading; /** The move of the game with its number. */ played: string; /** The move that was to be played. */ known: string; source: Source; /** The number of games with this move, of which this is the latest. */ games: number; };

export type OpeningsEvent = { type: "position" } & OpeningsPositionView
  | { type: "overview" } & OpeningsOverview
  | { type: "imported" } & { added: number; /** The number of moves in positions that have another one. */ other: number; /** The number of games that could not be read, or begin elsewhere. */ unread: number; }
  | { type: "exported" } & { color: Color; pgn: string; }
  | { type: "illegal" } & Illegal
  | { type: "error" } & { text: string; };

/** A move of own games, of the repertoire or of the book. */ export type OpeningsKnownMove = AnalysisOwnMoveView & { /** The pawns that the user's move has lost on average. */ loss: number | null; /** The number of games of which that is the average. */ evaluated: number; repertoire: boolean; book: boolean; };

/** The openings of the user's games with a color. */ export type OpeningsOverview = { color: Color; games: number; /** The number of positions in the repertoire. */ repertoire: number; /** The lines that have cost the user most. */ costly: OpeningsCostlyView[]; /** The moves that left the repertoire, the book or the usual move, the most frequent first. */ left: OpeningsDeparture[]; };

export type OpeningsPathMove = { uci: string; /** The move with its number, that of Black only at the start. */ text: string; };

export type OpeningsPositionView = BoardView & { color: Color; /** The moves that lead there. */ path: OpeningsPathMove[]; legal: LegalMove[]; opening: string | null; /** The known moves, the most frequent first. */ known: OpeningsKnownMove[]; /** True if all of the user's moves in the path are their repertoire. */ marked: boolean; };

export type OpeningsRequest = /** The position after some moves in the user's games with a color. `text` is one more move, by its squares or in SAN; the answer to an illegal one is the reason. */ { type: "go" } & { color: Color; moves: string[]; text?: string | null; }
  | /** Makes the user's moves in a line their repertoire. */ { type: "mark" } & { color: Color; moves: string[]; }
  | /** Removes the last of the user's moves in a line from their repertoire. */ { type: "unmark" } & { color: Color; moves: string[]; }
  | /** Adds the user's moves in the games of a PGN and their variations. */ { type: "import" } & { color: Color; pgn: string; }
  | { type: "export" } & { color: Color; };

export type OwnResult = "lost"
  | "drew"
  | "won"
  | /** The game has no result. */ "played";

/** The side that the user played, and their result. */ export type OwnSide = { color: Color; result: OwnResult; };

/** The side that the user chooses. */ export type PlayChosenSide = "white"
  | "black"
  | "random"
  | "both";

export type PlayClaimView = NamedMove & { rule: string; };

export type PlayClocksView = { white: number; black: number; /** The side whose clock runs. */ running: Color | null; /** Seconds and increment, such as `300+3`. */ control: string; };

export type PlayEvent = /** The complete state. */ { type: "game" } & PlayGameView
  | /** The new game that was requested is the one shown. */ { type: "started" }
  | /** The new game that was requested cannot start. */ { type: "not_started" } & { text: string; }
  | { type: "illegal" } & Illegal
  | /** The number of positions evaluated for the review of the game. */ { type: "review_progress" } & { done: number; total: number; }
  | /** The annotated game. */ { type: "review" } & AnalysisGameView
  | { type: "error" } & { text: string; };

export type PlayGameView = { /** The last position. */ fen: string; side: Side; start: PlayPlyView; /** The name of the start position, unless it is obvious. */ start_name: string | null; moves: PlayMoveView[]; /** The opening, by the last position that has a name. */ opening: string | null; legal: LegalMove[]; /** The side whose pieces the user may move, now or as a premove. */ movable: Side | null; clocks: PlayClocksView | null; thinking: string | null; /** The moves to play as soon as the engine has moved, one after each of its moves. */ premoves: Premove[]; hint: PlayMoveView | null; /** The rules under which a draw may be claimed now. */ claims: string[]; /** The moves that they rest on, in words. */ claims_because: string | null; /** The moves with which a draw may be claimed. */ claims_with: PlayClaimView[]; can_take_back: boolean; can_redo: boolean; can_pause: boolean; paused: boolean; can_offer_draw: boolean; result: PlayResultView | null; players: PlayPlayers; pgn: string; saved: PlaySaved; };

export type PlayMoveView = NamedMove & { /** `12.` or `12...`. */ number: string; /** The mover's clock after the move, in milliseconds. */ clock: number | null; after: PlayPlyView; };

/** A request for a new game. */ export type PlayNewRequest = { side?: PlayChosenSide; start?: PlayStart; /** Minutes and seconds per move, such as `5+3`. */ clock?: string | null; /** Limits the playing strength. */ elo?: number | null; move_time?: number | null; resigns?: boolean; takes_time?: boolean; };

export type PlayPlayers = { white: string; black: string; };

/** A position of the game. */ export type PlayPlyView = { fen: string; check: boolean; };

export type PlayRequest = /** The page wants the state of the game. */ { type: "state" }
  | { type: "new" } & PlayNewRequest
  | /** Plays a move by its squares or in SAN; the answer to an illegal one is the reason. */ { type: "move" } & { text: string; }
  | /** A move to play as soon as the engine has moved, if it is legal then. */ { type: "premove" } & Premove
  | { type: "cancel_premove" }
  | /** The engine moves at once. */ { type: "move_now" }
  | { type: "takeback" }
  | { type: "redo" }
  | { type: "resign" }
  | { type: "offer_draw" }
  | { type: "claim_draw" }
  | /** A claim with an intended move. */ { type: "claim_draw_with" } & { text: string; }
  | { type: "hint" }
  | /** Stops both clocks. */ { type: "pause" }
  | { type: "resume" }
  | /** Starts such a game with the other side. */ { type: "rematch" }
  | /** Continues an unfinished game of the library. */ { type: "continue" } & { id: GameId; }
  | /** The review of the game that is over. */ { type: "review" }
  | /** The game as an earlier state described it. */ { type: "restore" } & { saved: PlaySaved; };

export type PlayResultView = { text: string; /** The result in PGN. */ result: string; };

/** The state that the page keeps, so that a game outlives its session. */ export type PlaySaved = { /** The lines of a saved game. */ actions: string[]; settings: PlaySettings; paused: boolean; /** Names the game in the library. */ id: GameId | null; };

/** The limits of the engine in one game. */ export type PlaySettings = { /** Milliseconds per move. */ move_time: number | null; /** True if the engine resigns lost games. */ resigns: boolean; /** True if the engine takes a moment for its moves, as a person does, where its strength is limited. */ takes_time: boolean; /** The name of the start position, unless it is obvious. */ start: string | null; /** The name of the user, if it is known. */ name: string | null; };

/** The start position that the user chooses; a missing number is random. */ export type PlayStart = { kind: "standard" }
  | { kind: "fen" } & { fen: string; chess960?: boolean; }
  | { kind: "chess960" } & { number?: number | null; }
  | { kind: "dfrc" } & { white?: number | null; black?: number | null; };

export type Player = { /** `White` or `Black` where it is not known. */ name: string; /** `GM` and the like. */ title: string; rating: string; };

/** A move out of turn, by its squares. */ export type Premove = { from: Square; to: Square; promotion: string | null; };

export type Progress = { /** The earliest first. */ games: StudiedGame[]; mistakes: StudiedMistake[]; groups: Group[]; };

export type Request = /** The page now shows this mode. */ { mode: "show", request: Mode }
  | { mode: "play", request: PlayRequest }
  | { mode: "analysis", request: AnalysisRequest }
  | { mode: "training", request: TrainingRequest }
  | { mode: "openings", request: OpeningsRequest }
  | { mode: "castling", request: CastlingRequest }
  | { mode: "tridim", request: TridimRequest }
  | { mode: "editor", request: EditorRequest }
  | { mode: "finder", request: FinderRequest }
  | { mode: "engine", request: EngineRequest }
  | { mode: "library", request: LibraryRequest }
  | { mode: "browser", request: BrowserRequest };

export type SessionEvent = /** The first event of every session. */ { type: "hello" } & { program: string; /** The settings of the command line. */ engine: EngineEvent; names: Names; }
  | /** A message for the user. */ { type: "note" } & { text: string; }
  | /** The annotation of games in the background; `None` when none waits any more. */ { type: "annotation" } & { running: AnnotatorView | null; };

/** The side whose moves the user makes. */ export type Side = "white"
  | "black"
  | "both";

/** The source of the move that an exercise of an opening asks for. */ export type Source = "repertoire"
  | "book"
  | /** The user's usual move. */ "usual";

/** The squares of a piece that castles. */ export type Step = { from: string; to: string; };

/** An annotated game of the user. */ export type StudiedGame = { id: GameId; heading: Heading; side: Side; /** In percent. */ accuracy: number; mistakes: number; blunders: number; };

/** A mistake or blunder of the user. */ export type StudiedMistake = { /** The index of its game. */ game: number; /** The number of moves before it. */ ply: number; /** The move with its number and symbol: `12... Nf6??`. */ text: string; /** The names of its groups. */ groups: string[]; };

/** The reply to an answered exercise. */ export type TrainingAnswerView = { good: boolean; /** The move of the game, with the reason it is a mistake. */ played: string | null; /** The better line. */ line: TrainingLineMove[]; best: [Square, Square] | null; /** The day on which the exercise comes again. */ due: string; };

export type TrainingEvent = { type: "exercise" } & TrainingExerciseView
  | /** No exercise is due, or those of today are done. */ { type: "done" } & TrainingNumbers & { /** The next day on which one is due. */ next: string | null; }
  | /** The user's play in the annotated games. */ { type: "progress" } & Progress
  | /** The games of the library that are not annotated. */ { type: "annotation" } & { wanting: number; /** Those of the user among them. */ own: number; }
  | { type: "illegal" } & Illegal
  | { type: "error" } & { text: string; };

export type TrainingExerciseView = TrainingNumbers & BoardView & { /** `None` for an exercise of the repertoire. */ game: GameId | null; ply: number; heading: Heading; /** The source of the move, if it is an exercise of an opening. */ opening: Source | null; /** The moves before an exercise of the repertoire. */ path: string; color: Color; /** The position before the opponent's last move. */ before: BoardView | null; /** None once it is answered. */ legal: LegalMove[]; /** True while a move is judged. */ judging: boolean; /** The squares of the best move that hints have told. */ hint: Square[]; /** True if there is another hint. */ more_hints: boolean; /** The moves that were tried. */ tries: TrainingTryView[]; answer: TrainingAnswerView | null; };

/** A move of a line with its number, and the position after it. */ export type TrainingLineMove = BoardView & { text: string; };

/** The numbers of exercises. */ export type TrainingNumbers = { count: number; due: number; /** Those answered today, of those for today. */ done: number; today: number; /** The number that is chosen for every day. */ daily: number; dropped: number; /** True if one was dropped or deferred on this page. */ can_undo: boolean; };

export type TrainingRequest = /** Another exercise. */ { type: "next" }
  | /** Plays a move by its squares or in SAN; the answer to an illegal one is the reason. */ { type: "move" } & { text: string; }
  | /** Asks for the piece to move, then for its destination. */ { type: "hint" }
  | /** Gives the exercise up. */ { type: "solve" }
  | /** Never shows the exercise again. */ { type: "drop" }
  | /** Shows the exercise tomorrow. */ { type: "later" }
  | /** Brings back the exercise that was dropped or deferred last. */ { type: "undo" }
  | /** Brings back all exercises that were dropped. */ { type: "restore" }
  | /** Shows only exercises in all of these groups. */ { type: "filter" } & { groups: string[]; }
  | /** The number of exercises a day from now on. */ { type: "daily" } & { count: number; }
  | /** More exercises today. */ { type: "more" }
  | /** Annotates the games of the library that are not, or only those of the user. */ { type: "annotate" } & { nodes: number; own?: boolean; }
  | { type: "cancel_annotation" };

/** The judgement of a move that was tried. */ export type TrainingTryView = { good: boolean; text: string; squares: [Square, Square]; /** The reason it is bad, where it can be proven. */ reason: string | null; /** The move and the engine's line after it. */ line: TrainingLineMove[]; };

export type TridimBoardView = { name: string; /** The side that owns an attack board. */ owner: Color | null; /** The leftmost file; the z-file is 0. */ file: number; /** The lowest rank. */ rank: number; size: number; /** The reason an attack board cannot move. */ immobile: string | null; };

export type TridimEvent = /** The complete state. */ { type: "game" } & TridimGameView
  | /** The new game that was requested is the one shown. */ { type: "started" }
  | /** The new game that was requested cannot start. */ { type: "not_started" } & { text: string; }
  | /** A move was illegal; the squares show why. */ { type: "illegal" } & { text: string; squares: string[]; }
  | /** The move in notation that a typed text means. */ { type: "typed" } & { text: string; }
  | /** A good move in notation. */ { type: "hint" } & { text: string; }
  | /** The engine has finished an iteration. */ { type: "thinking" } & { depth: number; /** For White, in pawns or moves to mate. */ score: string; line: string[]; };

export type TridimGameView = { /** The name of the game in the library. */ id: GameId; /** The position as one line of text. */ position: string; /** The side of the user. */ side: Side; side_to_move: Color; /** True if the user may move. */ movable: boolean; /** The engine is searching. */ thinking: boolean; limit: TridimLimit; boards: TridimBoardView[]; pins: TridimPinView[]; pieces: TridimPieceView[]; legal: TridimLegalMove[]; castling: CastlingStatus[]; moves: TridimPlayedMove[]; last: TridimLastMove | null; /** The king in check. */ check: string | null; /** The waiting pawn. */ pending: string | null; /** The pin of the activated board. */ activated: string | null; /** The draws the user can claim. */ claims: string[]; over: boolean; /** The side to move, or the end of the game, in words. */ status: string; can_undo: boolean; can_redo: boolean; /** Restores the game. */ saved: string[]; };

export type TridimLastMove = { /** Origin and destination of each piece. */ pieces: [string, string][]; /** The pins of an attack board. */ board: [string, string] | null; };

export type TridimLegalMove = { /** In notation, without marks. */ text: string; kind: TridimMoveKind; /** A square, or the pin of a board. */ from: string; /** The squares or the pin that mean it; the destination is the first. */ to: string[]; /** The letter of the role. */ promotion: string | null; capture: boolean; };

/** When the engine moves. */ export type TridimLimit = { seconds: number; depth?: undefined; }
  | /** In plies. */ { depth: number; seconds?: undefined; };

export type TridimMoveKind = "piece"
  | "board"
  | "castling"
  | /** The promotion of a waiting pawn. */ "promotion";

export type TridimPieceView = { square: string; color: Color; role: string; /** The letter of the role, lower case. */ letter: string; };

/** A place for an attack board. */ export type TridimPinView = { name: string; level: number; file: number; rank: number; free: boolean; };

export type TridimPlayedMove = { number: number; color: Color; text: string; /** The kind and squares of castling. */ castling: string | null; /** When it was made. */ time: string | null; };

export type TridimRequest = /** Starts a game. */ { type: "new" } & { side: Side; /** The start position by default. */ position?: string | null; rotation?: boolean; }
  | /** Limits the engine's next searches. */ { type: "limit" } & { limit: TridimLimit; }
  | /** Plays a move in notation. */ { type: "move" } & { text: string; }
  | /** Which move a typed text means, so that it can be confirmed. */ { type: "typed" } & { text: string; }
  | /** A good move for the user. */ { type: "hint" }
  | /** Activates the board on a pin: the turn will be a move of this board. */ { type: "activate" } & { pin: string; }
  | /** Releases the activated board. */ { type: "release" }
  | /** The engine makes this move. */ { type: "go" }
  | /** The engine moves now. */ { type: "stop" }
  | /** Undoes moves up to the user's last turn. */ { type: "undo" }
  | { type: "redo" }
  | /** Claims a draw. */ { type: "claim" }
  | { type: "resign" }
  | /** Resumes a game. */ { type: "restore" } & { saved: string[]; limit: TridimLimit; /** The name of the game in the library. */ id?: GameId | null; };
