from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import IO, Literal, TypeAlias, final

from .errors import FenError, PgnError

__all__ = [
    "Analysis",
    "Annotation",
    "Batch",
    "Book",
    "CastlingCondition",
    "Clock",
    "Engine",
    "Epd",
    "Game",
    "Info",
    "Line",
    "Move",
    "Node",
    "Outcome",
    "PgnReader",
    "Position",
    "Record",
    "Score",
    "SearchResult",
    "Side",
    "Tablebases",
    "TridimCastling",
    "TridimGame",
    "TridimMove",
    "TridimPosition",
    "TridimSearch",
    "__version__",
    "analyze",
    "annotate",
    "divide",
    "escape_controls",
    "evaluation_bytes",
    "excerpt",
    "parse_pgn",
    "perft",
    "plane_bytes",
    "polyglot",
    "polyglot_key",
    "read_pgn",
    "write_polyglot",
]

_Color: TypeAlias = Literal["white", "black"]
_Claim: TypeAlias = Literal["fifty_moves", "threefold_repetition"]
_Wdl: TypeAlias = tuple[int, int, int]
_Move: TypeAlias = Move | str
_Searchable: TypeAlias = Position | Game | str
_Options: TypeAlias = Mapping[str, str | int | bool]

__version__: str

@final
class Move:
    """A move as UCI writes it: two squares, and the piece a pawn promotes to."""
    def __new__(cls, uci: str) -> Move: ...
    @property
    def from_square(self) -> str:
        """The square of origin."""
    @property
    def to_square(self) -> str:
        """The destination, or in Chess960 the rook's square for castling."""
    @property
    def promotion(self) -> str | None:
        """The piece a pawn promotes to, as a letter."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

@final
class Position:
    """A legal position of chess or Chess960. Playing a move gives a new one."""
    def __new__(cls, fen: str | None = None, chess960: bool | None = None) -> Position: ...
    @staticmethod
    def chess960_start(number: int, black: int | None = None) -> Position:
        """The start position of Chess960 with this number, from 0 to 959; in Double Fischer Random
        Chess Black has that of another number."""
    def fen(self) -> str:
        """The FEN, with castling rights as KQkq where that is clear (X-FEN)."""
    def shredder_fen(self) -> str:
        """The FEN with castling rights as the files of the rooks."""
    def board(self) -> str:
        """The board as eight lines of letters."""
    @property
    def side_to_move(self) -> _Color:
        """The color to move, `"white"` or `"black"`."""
    @property
    def castling_rights(self) -> str:
        """The castling rights as in a FEN."""
    @property
    def en_passant(self) -> str | None:
        """The en passant square, if a capture on it is legal."""
    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
    @property
    def fullmove_number(self) -> int:
        """The number of the next move pair, from 1."""
    @property
    def chess960(self) -> bool:
        """True if castling follows the rules of Chess960."""
    @property
    def warnings(self) -> list[str]:
        """The parts of the FEN that the position cannot have: castling rights, an en passant square."""
    @property
    def key(self) -> int:
        """The Zobrist key."""
    @property
    def in_check(self) -> bool:
        """True if the side to move is in check."""
    @property
    def checkers(self) -> list[str]:
        """The squares of the pieces that give check."""
    @property
    def pinned(self) -> list[str]:
        """The squares of the pieces of the side to move that are pinned to their king."""
    def piece_on(self, square: str) -> str | None:
        """The piece on a square as a letter, uppercase for White; None if it is empty."""
    def pieces(self) -> dict[str, str]:
        """Every piece by its square."""
    def king(self, color: _Color) -> str:
        """The square of a king."""
    def bitboard(self, pieces: str | None = None) -> int:
        """A set of squares as a number whose lowest bit is a1, the next b1: those of the pieces with
        these letters, or of all pieces."""
    def attackers(self, square: str, color: _Color) -> list[str]:
        """The squares of the pieces of a color that attack a square."""
    def is_checkmate(self) -> bool: ...
    def is_stalemate(self) -> bool: ...
    def is_insufficient_material(self) -> bool:
        """True if no sequence of legal moves can mate: bare kings, a single minor piece, or only
        bishops that are all on squares of one color."""
    def legal_moves(self) -> list[Move]:
        """The legal moves."""
    def legal_sans(self) -> list[str]:
        """The legal moves in SAN, in the order of `legal_moves`."""
    def count_moves(self) -> int:
        """The number of legal moves."""
    def is_legal(self, move: _Move) -> bool: ...
    def move(self, move: _Move) -> Move:
        """The legal move that a text in UCI notation or SAN means."""
    def san(self, move: _Move) -> str:
        """A legal move in SAN."""
    def is_capture(self, move: _Move) -> bool:
        """True if a legal move captures, en passant included."""
    def gives_check(self, move: _Move) -> bool:
        """True if a legal move gives check."""
    def is_castling(self, move: _Move) -> bool:
        """True if a legal move castles."""
    def play(self, move: _Move) -> Position:
        """The position after a legal move."""
    def why_illegal(self, move: _Move) -> str | None:
        """The reason a move is illegal; None if it is legal."""
    def castling(self, color: _Color, side: Literal["king", "queen"]) -> list[CastlingCondition]:
        """The six conditions under which a color may castle to a side, `"king"` or `"queen"`. For the
        color that is not to move they are those after a null move."""
    def edit(
        self,
        pieces: Mapping[str, str | None] | None = None,
        *,
        side_to_move: str | None = None,
        castling_rights: str | None = None,
        en_passant: str | None = None,
        halfmove_clock: int | None = None,
        fullmove_number: int | None = None,
    ) -> Position:
        """The position with other pieces (None removes one), and with these fields of a FEN."""
    def flipped(self) -> Position:
        """The position with the colors swapped."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: object) -> Position: ...
    def __getnewargs__(self) -> tuple[str, bool]: ...

@final
class CastlingCondition:
    """A condition of castling: true if it is fulfilled."""
    def __new__(cls, name: str, reason: str | None = None) -> CastlingCondition: ...
    def __getnewargs__(self) -> tuple[str, str | None]: ...
    @property
    def name(
        self,
    ) -> Literal["right", "king_at_home", "rook_at_home", "path_empty", "not_in_check", "path_not_attacked"]:
        """`"right"`, `"king_at_home"`, `"rook_at_home"`, `"path_empty"`, `"not_in_check"` or
        `"path_not_attacked"`."""
    @property
    def reason(self) -> str | None:
        """The reason it is not fulfilled; None if it is."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """The end of a game."""
    def __new__(cls, kind: str, winner: _Color | None = None) -> Outcome: ...
    @property
    def kind(
        self,
    ) -> (
        Literal["checkmate", "stalemate", "insufficient_material", "seventy_five_moves", "fivefold_repetition"]
        | _Claim
        | Literal["resignation", "agreement"]
    ):
        """`"checkmate"`, `"stalemate"`, `"insufficient_material"`, `"seventy_five_moves"`,
        `"fivefold_repetition"`, a claim: `"fifty_moves"`, `"threefold_repetition"`, or what the players
        did: `"resignation"`, `"agreement"`."""
    @property
    def winner(self) -> _Color | None:
        """The side that won, `"white"` or `"black"`; None for a draw."""
    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"]:
        """The result as PGN writes it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, _Color | None]: ...

@final
class Game:
    """A start position and the moves played from it."""
    def __new__(cls, start: Position | str | None = None, moves: Iterable[_Move] | None = None) -> Game: ...
    @property
    def start(self) -> Position: ...
    @property
    def position(self) -> Position: ...
    @property
    def moves(self) -> list[Move]:
        """The moves played."""
    @property
    def sans(self) -> list[str]:
        """The moves played, in SAN."""
    def positions(self) -> list[Position]:
        """The positions from the start to the current one."""
    def play(self, move: _Move) -> Move:
        """Plays a move and returns it. Fails if it is illegal or the game is over."""
    def undo(self) -> Move | None:
        """Takes back the last move, or the claim, resignation or agreement; returns the move."""
    def redo(self) -> Move | None:
        """Plays the last move that was taken back again, and returns it; None after a claim, resignation
        or agreement."""
    def why_illegal(self, move: _Move) -> str | None:
        """The reason a move is illegal; None if it is legal. Unlike a position, a game knows how a castling
        right was lost."""
    def occurrences(self) -> int:
        """The number of times the current position has occurred, including now."""
    def claims(self, move: _Move | None = None) -> list[_Claim]:
        """The rules under which the side to move may claim a draw, with a move by naming it before
        it is played."""
    def claim_draw(self, move: _Move | None = None) -> Outcome:
        """Claims a draw, which ends the game; with a move by naming it before it is played."""
    def resign(self, color: _Color) -> Outcome:
        """Ends the game: this color resigns."""
    def agree_draw(self) -> Outcome:
        """Ends the game: the players agree on a draw."""
    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game goes on."""
    @property
    def opening(self) -> tuple[str, str] | None:
        """The ECO code and the name of the opening; None if it has none."""
    def _repr_svg_(self) -> str: ...
    def fen(self) -> str: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Game: ...
    def __getnewargs__(self) -> tuple[Position, list[str]]: ...
    def __getstate__(self) -> Outcome | None: ...
    def __setstate__(self, ended: Outcome | None) -> None: ...

@final
class Record:
    """A game of a PGN file: tags, moves, comments and variations."""
    def __new__(cls, pgn: str, warnings: Sequence[str] | None = None) -> Record: ...
    @staticmethod
    def from_game(game: Game, tags: dict[str, str] | None = None, result: str = "*") -> Record:
        """The record of a game, with these tags, of which Result may also be given as `result`. It must not
        contradict the end of the game."""
    @staticmethod
    def from_line(line: Line, tags: dict[str, str] | None = None, result: str = "*") -> Record:
        """The record of a line of moves, such as one of another record with other annotations, with tags and
        a result as for `from_game`."""
    @property
    def tags(self) -> dict[str, str]:
        """The tags in their order, without `Result`, `FEN` and `SetUp`."""
    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """`"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`."""
    @property
    def start(self) -> Position: ...
    @property
    def warnings(self) -> list[str]:
        """The parts of the text that were not kept: parts of the FEN that its position cannot have, and variations from
        an illegal move on."""
    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
    @property
    def sans(self) -> list[str]:
        """The moves of the main line in SAN."""
    @property
    def line(self) -> Line:
        """The main line with its annotations."""
    def game(self) -> Game:
        """The position after the last move, with its history."""
    @property
    def opening(self) -> tuple[str, str] | None:
        """The ECO code and the name of the opening; None if it has none."""
    def _repr_svg_(self) -> str: ...
    def pgn(self) -> str:
        """The text for a PGN file, which ends with a blank line."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[str, list[str]]: ...

@final
class Line:
    """A line of annotated moves: the main line of a game or a variation."""
    def __new__(
        cls,
        start: Position,
        moves: Sequence[Node | Move | str],
        comment: str = ...,
        *,
        eval: float | None = None,
        mate: int | None = None,
        clock: float | None = None,
    ) -> Line: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs_ex__(self) -> tuple[tuple[Position, list[Node]], dict[str, object]]: ...
    @property
    def start(self) -> Position: ...
    @property
    def comment(self) -> str:
        """The comment before the first move, without `[%eval]` and `[%clk]`."""
    @property
    def eval(self) -> float | None:
        """White's evaluation from `[%eval]`, in pawns; None if there is none or it is a mate."""
    @property
    def mate(self) -> int | None:
        """The moves to mate from `[%eval]`, negative if White is mated."""
    @property
    def clock(self) -> float | None:
        """The clock before the first move from `[%clk]`, in seconds."""
    @property
    def sans(self) -> list[str]:
        """The moves in SAN."""
    @property
    def moves(self) -> list[Node]:
        """The moves with their annotations."""
    def __len__(self) -> int: ...

@final
class Node:
    """A move with its annotations."""
    def __new__(
        cls,
        before: Position,
        move: Move | str | None,
        *,
        nags: Sequence[int] = ...,
        comment: str = ...,
        eval: float | None = None,
        mate: int | None = None,
        clock: float | None = None,
        variations: Sequence[Line] = ...,
    ) -> Node: ...
    def replace(
        self,
        *,
        nags: Sequence[int] = ...,
        comment: str = ...,
        eval: float | None = ...,
        mate: int | None = ...,
        clock: float | None = ...,
        variations: Sequence[Line] = ...,
    ) -> Node:
        """The node with other annotations, named as for a new one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs_ex__(self) -> tuple[tuple[Position, Move | None], dict[str, object]]: ...
    @property
    def before(self) -> Position:
        """The position before the move."""
    @property
    def move(self) -> Move | None:
        """None for a null move, which a variation may have."""
    @property
    def san(self) -> str: ...
    @property
    def nags(self) -> list[int]:
        """The numeric annotation glyphs, such as 4 for a blunder."""
    @property
    def comment(self) -> str:
        """The comment without `[%eval]` and `[%clk]`."""
    @property
    def eval(self) -> float | None:
        """White's evaluation from `[%eval]`, in pawns; None if there is none or it is a mate."""
    @property
    def mate(self) -> int | None:
        """The moves to mate from `[%eval]`, negative if White is mated."""
    @property
    def clock(self) -> float | None:
        """The clock after the move from `[%clk]`, in seconds."""
    @property
    def variations(self) -> list[Line]:
        """The alternatives to this move."""

@final
class Epd:
    """A line of EPD: a position with operations."""
    def __new__(cls, text: str, chess960: bool | None = None) -> Epd: ...
    @property
    def position(self) -> Position: ...
    @property
    def id(self) -> str | None:
        """The operand of `id`."""
    @property
    def warnings(self) -> list[str]:
        """The parts that the position cannot have or that break the standard, and were read all the same."""
    @property
    def operations(self) -> dict[str, list[str]]:
        """The operands of each operation."""
    def moves(self, code: str) -> list[Move]:
        """The moves that are the operands of an operation such as `bm`, without a mate such as `#3`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, bool]: ...

@final
class Tablebases:
    """The Syzygy tablebases of some folders."""
    def __new__(cls, *folders: str | PathLike[str]) -> Tablebases: ...
    def probe_wdl(self, position: Position | Game | str) -> int | None:
        """The value of a position for the side to move, its halfmove clock at 0: 2 if it is won, 1 if the
        fifty-move rule draws that, 0, -1 and -2; None if no table has it."""
    def probe_dtz(self, position: Position | Game | str) -> int | None:
        """The plies to the next capture, pawn move or mate, negative for the side that loses; it may be one
        more. None if no table has it."""
    @property
    def pieces(self) -> int:
        """The number of pieces of the largest tables."""

@final
class PgnReader:
    """The games of a PGN file, in the memory of one game."""
    def __iter__(self) -> PgnReader: ...
    def __next__(self) -> Record: ...

def read_pgn(
    path: str | PathLike[str] | IO[bytes] | IO[str],
    *,
    chess960: bool | None = None,
    on_error: Callable[[PgnError], object] | None = None,
) -> PgnReader:
    """The games of a PGN file, one after the other: a path, also of a file compressed with gzip or
    Zstandard, or an open file. `chess960` is for games without a Variant tag."""

def parse_pgn(
    pgn: str | bytes, *, chess960: bool | None = None, on_error: Callable[[PgnError], object] | None = None
) -> PgnReader:
    """The games of a text, or of bytes in UTF-8, Latin-1 or Windows-1252, as `read_pgn`."""

@final
class Score:
    """A score for the side to move: centipawns, where 100 is an even chance to win, or moves to mate.
    The greater one is better."""
    def __new__(cls, *, cp: int | None = None, mate: int | None = None, given: bool = False) -> Score: ...
    def __neg__(self) -> Score: ...
    @property
    def cp(self) -> int | None:
        """None for a mate."""
    @property
    def mate(self) -> int | None:
        """Moves to mate: negative when the side to move is mated, 0 in checkmate; else None."""
    @property
    def given(self) -> bool:
        """True for 0 moves to mate from the side of who has mated."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Score, /) -> bool: ...
    def __le__(self, other: Score, /) -> bool: ...
    def __gt__(self, other: Score, /) -> bool: ...
    def __ge__(self, other: Score, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int | bool | None]]: ...

@final
class Info:
    """A line of analysis."""
    def __new__(
        cls,
        position: Position,
        numbers: tuple[int, int, int],
        score: Score,
        bound: str,
        wdl: _Wdl,
        work: tuple[int, float, int],
        tables: tuple[int, int],
        pv: Sequence[_Move],
    ) -> Info: ...
    @property
    def depth(self) -> int: ...
    @property
    def seldepth(self) -> int: ...
    @property
    def multipv(self) -> int:
        """The number of the line, from 1."""
    @property
    def score(self) -> Score: ...
    @property
    def bound(self) -> Literal["exact", "lower", "upper"]:
        """`"exact"`, or what the score is for the true value: a `"lower"` or `"upper"` bound."""
    @property
    def wdl(self) -> _Wdl:
        """The chances to win, draw and lose, in permille."""
    @property
    def nodes(self) -> int: ...
    @property
    def time(self) -> float:
        """Seconds since the start."""
    @property
    def nps(self) -> int:
        """Nodes per second."""
    @property
    def hashfull(self) -> int:
        """The share of the hash table in use, in permille."""
    @property
    def tbhits(self) -> int: ...
    @property
    def white_score(self) -> Score:
        """The score from White's side."""
    @property
    def pv(self) -> list[Move]:
        """The principal variation."""
    @property
    def sans(self) -> list[str]:
        """The principal variation in SAN."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(
        self,
    ) -> tuple[Position, tuple[int, int, int], Score, str, _Wdl, tuple[int, float, int], tuple[int, int], list[Move]]: ...

@final
class SearchResult:
    """The result of a search."""
    def __new__(
        cls,
        position: Position,
        move: _Move | None,
        ponder: _Move | None,
        score: Score,
        wdl: _Wdl,
        work: tuple[int, int, float],
        lines: Sequence[Info],
        warnings: Sequence[str] = ...,
        line: int | None = None,
        id: str | None = None,
        solved: bool | None = None,
    ) -> SearchResult: ...
    @property
    def warnings(self) -> list[str]:
        """The parts of the line of a batch that its position cannot have or that break the standard."""
    @property
    def line(self) -> int | None:
        """The number of the line of a batch, from 1; None for another search."""
    @property
    def id(self) -> str | None:
        """The operand of `id` in the line of a batch."""
    @property
    def solved(self) -> bool | None:
        """True if the move is one of `bm` and none of `am`, and a mate in `dm` is found; None without these."""
    @property
    def position(self) -> Position:
        """The position that was searched."""
    @property
    def move(self) -> Move | None:
        """The move to play; None if there is no legal move."""
    @property
    def ponder(self) -> Move | None:
        """The expected reply."""
    @property
    def score(self) -> Score: ...
    @property
    def wdl(self) -> _Wdl:
        """The chances to win, draw and lose, in permille."""
    @property
    def depth(self) -> int:
        """The depth the best move was searched to."""
    @property
    def nodes(self) -> int: ...
    @property
    def time(self) -> float:
        """Seconds."""
    @property
    def white_score(self) -> Score:
        """The score from White's side."""
    @property
    def pv(self) -> list[Move]:
        """The principal variation."""
    @property
    def sans(self) -> list[str]:
        """The principal variation in SAN."""
    @property
    def lines(self) -> list[Info]:
        """The lines of analysis, the best first: as many as `multipv` or legal moves."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(
        self,
    ) -> tuple[
        Position,
        Move | None,
        Move | None,
        Score,
        _Wdl,
        tuple[int, int, float],
        list[Info],
        list[str],
        int | None,
        str | None,
        bool | None,
    ]: ...

@final
class Engine:
    """The engine, with a hash table that it keeps from search to search."""
    def __new__(cls, *, threads: int | None = None, hash: int | None = None, options: _Options | None = None) -> Engine: ...
    def search(
        self,
        position: _Searchable,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        mate: int | None = None,
        multipv: int | None = None,
        moves: Iterable[_Move] = ...,
    ) -> SearchResult:
        """Searches for the move to play, in the book and at the strength that the options say: a
        position or a FEN, or a game, whose history counts for repetitions."""
    def analyse(
        self,
        position: _Searchable,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        multipv: int | None = None,
        moves: Iterable[_Move] = ...,
    ) -> Analysis:
        """Searches at full strength and yields what it finds on the way. Without a limit it goes on
        until it is stopped, the engine is used again or nothing is left to search."""
    def play(
        self,
        position: _Searchable,
        *,
        clock: Clock,
        moves: Iterable[_Move] = ...,
        on_info: Callable[[Info], object] | None = None,
    ) -> SearchResult:
        """Searches for the move to play with these clocks, as `search`, and calls `on_info` with what it finds on the
        way. The result has the move, the ponder move and the lines."""
    def stop(self) -> None:
        """Ends the searches that run in other threads; they still have a result."""
    def set_option(self, name: str, value: str | int | bool) -> None:
        """Sets an option of UCI; waits for a search of another thread if the option needs that."""
    def options(self) -> dict[str, str | int | bool]:
        """The options with their values."""
    def option_lines(self) -> list[str]:
        """The options as the command `uci` lists them, with their defaults and ranges."""
    def new_game(self) -> None:
        """Forgets what was learned in the last game."""

@final
class Clock:
    """The clocks of both sides before a move, in seconds. Without `black` they are equal."""
    def __new__(
        cls,
        white: float,
        black: float | None = None,
        increment: float = 0.0,
        black_increment: float | None = None,
        moves_to_go: int | None = None,
    ) -> Clock: ...
    @property
    def white(self) -> float: ...
    @property
    def black(self) -> float: ...
    @property
    def increment(self) -> float:
        """The increment of White."""
    @property
    def black_increment(self) -> float: ...
    @property
    def moves_to_go(self) -> int | None:
        """Moves to the next time control."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[float, float, float, float, int | None]: ...

@final
class Analysis:
    """A search that runs: an iterator of its infos, also for `async for`; `await` waits for its result. Leaving its `with`
    block stops it."""
    def __iter__(self) -> Analysis: ...
    def __next__(self) -> Info: ...
    def __aiter__(self) -> Analysis: ...
    def __anext__(self) -> Coroutine[object, None, Info]: ...
    def __await__(self) -> Generator[object, None, SearchResult]: ...
    def stop(self) -> None:
        """Ends the search, which still has a result."""
    def result(self) -> SearchResult:
        """Waits for the end and returns the result; infos that have not been read are lost."""
    def __enter__(self) -> Analysis: ...
    def __exit__(
        self, type: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

@final
class Batch:
    """The results of `analyze`."""
    def __iter__(self) -> Batch: ...
    def __next__(self) -> SearchResult: ...

def analyze(
    positions: Iterable[_Searchable | bytes],
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    multipv: int | None = None,
    jobs: int | None = None,
    threads: int | None = None,
    hash: int | None = None,
    options: _Options | None = None,
    on_error: Callable[[FenError], object] | None = None,
    engine: Engine | None = None,
    first_line: int = 1,
) -> Batch:
    """Searches many positions, `castellan.analyze` on this machine, with the
    number of the first line, and an engine whose options and open files are used."""

def escape_controls(text: str) -> str:
    """A text with control characters escaped, as the command writes errors."""

def excerpt(text: str) -> str:
    """The start of a text with control characters escaped, as the command writes names."""

def perft(position: _Searchable, depth: int, *, threads: int = 1) -> int:
    """The number of leaves `depth` plies below a position."""

def divide(position: _Searchable, depth: int, *, threads: int = 1) -> dict[Move, int]:
    """The number of leaves below each legal move."""

def plane_bytes(positions: Iterable[_Searchable]) -> bytearray:
    """A byte for each position, plane, rank and file. The planes are the squares of the pieces
    (PNBRQKpnbrqk), those of White to move (all or none), of the four castling rights (all or none, KQkq) and
    the en passant square."""

def evaluation_bytes(positions: Iterable[_Searchable]) -> bytearray:
    """The static evaluation of each position in pawns, as the bytes of 32-bit floats."""

@final
class Side:
    """The quality of one side's play."""
    def __new__(cls, acpl: int | None, accuracy: float | None, inaccuracies: int, mistakes: int, blunders: int) -> Side: ...
    @property
    def acpl(self) -> int | None:
        """The average centipawn loss; None without moves."""
    @property
    def accuracy(self) -> float | None:
        """In percent; None without moves."""
    @property
    def inaccuracies(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def blunders(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(
        self,
    ) -> tuple[int | None, float | None, int, int, int]: ...

@final
class Annotation:
    """A game with evaluations, assessments and better lines, and what they say about both sides."""
    def __new__(cls, record: Record, white: Side, black: Side, best_moves: list[str | None]) -> Annotation: ...
    @property
    def record(self) -> Record: ...
    @property
    def white(self) -> Side: ...
    @property
    def black(self) -> Side: ...
    @property
    def best_moves(self) -> list[str | None]:
        """The engine's move in the start position and after each move, in UCI notation; None at the end of
        a game."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(
        self,
    ) -> tuple[Record, Side, Side, list[str | None]]: ...

def annotate(
    game: Game | Record,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    jobs: int | None = None,
    hash: int | None = None,
    options: _Options | None = None,
    engine: Engine | None = None,
) -> Annotation:
    """Annotates a game: `castellan.annotate` on this machine, with an engine whose options and open files are used."""

@final
class Book:
    """An open book."""
    def moves(self, position: _Searchable) -> list[tuple[Move, int]]:
        """The moves for a position, or the last one of a game, with their weights, the heaviest first."""
    def pick(self, position: _Searchable, *, seed: int | None = None) -> Move | None:
        """A move of the book, chosen by a seed with a probability proportional to its weight; without
        a seed the one of the greatest weight. None if the book has no move."""
    def __len__(self) -> int: ...

def polyglot(path: str | PathLike[str]) -> Book:
    """Opens a book in Polyglot's format."""

def write_polyglot(path: str | PathLike[str], entries: Iterable[tuple[_Searchable, _Move, int]]) -> None:
    """Writes a book in Polyglot's format, of positions (games for those whose last move counts), moves and weights
    from 0 to 65535."""

def polyglot_key(position: _Searchable) -> int:
    """The key of a position in Polyglot's books."""

@final
class TridimPosition:
    """A legal position of Tri-Dimensional chess. Playing a move gives a new one."""
    def __new__(cls, text: str | None = None, *, rotation: bool = False) -> TridimPosition: ...
    @property
    def side_to_move(self) -> _Color:
        """The color to move, `"white"` or `"black"`."""
    @property
    def in_check(self) -> bool: ...
    def is_checkmate(self) -> bool: ...
    def is_stalemate(self) -> bool: ...
    def legal_moves(self) -> list[str]:
        """The legal moves in full notation: of pieces, of attack boards, castling."""
    def play(self, move: str) -> TridimPosition:
        """The position after a legal move."""
    def why_illegal(self, move: str) -> str | None:
        """The reason a move is illegal; None if it is legal."""
    @property
    def activated(self) -> str | None:
        """The pin of the board that is activated: the turn will be a move of this board."""
    def activate(self, pin: str) -> TridimPosition:
        """The position with the board on a pin activated, which castling is not legal after."""
    def release(self) -> TridimPosition:
        """The position with no board activated."""
    def _repr_svg_(self) -> str: ...
    def castling(self) -> list[tuple[str, str | None]]:
        """The reason each kind of castling is not legal, by its name; None for one that is."""
    def perft(self, depth: int) -> int:
        """The number of positions `depth` plies below this one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, bool]]: ...

@final
class TridimCastling:
    """A castling move of Tri-Dimensional chess."""
    @property
    def kind(self) -> str:
        """`"kingside on KL"`, `"kingside on QL"` or `"queenside"`."""
    @property
    def boards(self) -> list[str]:
        """The pins of the boards."""
    @property
    def king(self) -> tuple[str, str]:
        """The squares of the king, before and after."""
    @property
    def rook(self) -> tuple[str, str]:
        """The squares of the rook, before and after."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class TridimMove:
    """A move of Tri-Dimensional chess that was played."""
    @property
    def notation(self) -> str:
        """The move in full notation."""
    @property
    def castling(self) -> TridimCastling | None:
        """The boards and squares of castling; None for another move."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class TridimSearch:
    """The result of a search in Tri-Dimensional chess."""
    @property
    def line(self) -> list[str]:
        """The principal variation in full notation; empty if there is no legal move."""
    @property
    def score(self) -> Score:
        """The score for the side to move."""
    @property
    def depth(self) -> int: ...

@final
class TridimGame:
    """A start position of Tri-Dimensional chess and the moves played from it."""
    def __new__(cls, start: TridimPosition | None = None, moves: Iterable[str | TridimMove] | None = None) -> TridimGame: ...
    @staticmethod
    def from_record(text: str) -> TridimGame:
        """The game of a record."""
    def record(self) -> str:
        """The game as the page saves it: a line for each move, castling with its squares."""
    @property
    def start(self) -> TridimPosition: ...
    @property
    def position(self) -> TridimPosition:
        """The position, with the board that is activated."""
    @property
    def moves(self) -> list[TridimMove]:
        """The moves played."""
    def play(self, move: str) -> TridimMove:
        """Plays a move and returns it. Fails if it is illegal or the game is over."""
    def activate(self, pin: str) -> None:
        """Activates the board on a pin, without moving it: the turn will be a move of this board."""
    def release(self) -> None:
        """Releases the board that is activated."""
    def undo(self) -> TridimMove | None:
        """Takes back the last move, or the claim, resignation or agreement; returns the move."""
    def redo(self) -> TridimMove | None:
        """Plays the last move that was taken back again, and returns it; None after a claim, resignation
        or agreement."""
    def occurrences(self) -> int:
        """The number of times the current position has occurred, including now."""
    def claims(self) -> list[_Claim]:
        """The rules under which the side to move may claim a draw."""
    def claim_draw(self) -> Outcome:
        """Claims a draw, which ends the game."""
    def resign(self, color: _Color) -> Outcome:
        """Ends the game: this color resigns."""
    def agree_draw(self) -> Outcome:
        """Ends the game: the players agree on a draw."""
    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game goes on."""
    def search(self, *, depth: int | None = None, time: float | None = None) -> TridimSearch:
        """Searches to a depth or for a time in seconds (1)."""
    def _repr_svg_(self) -> str: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> TridimGame: ...
