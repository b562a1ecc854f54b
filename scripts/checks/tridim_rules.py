"""The rules of Tri-Dimensional chess once more: slow, simple, and written from the rules page alone.

Each piece tries every square that exists, seen from above. Only the position itself is stored, so that no cached data can be
wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

FILES = "zabcde"
START = "W:4/4/P+P+P+P+/NBBN,N:4/4/4/4,B:nbbn/p+p+p+p+/4/4,QL1w:P+P+/R+Q,KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 1"

# The lowest rank of each board, and of each level of attack boards.
MAIN_RANKS = {"W": 1, "N": 3, "B": 5}
LEVEL_RANKS = {1: 0, 2: 4, 3: 2, 4: 6, 5: 4, 6: 8}
LEVELS_NEXT = {1: (2, 3), 2: (1, 3, 4), 3: (1, 2, 4, 5), 4: (2, 3, 5, 6), 5: (3, 4, 6), 6: (4, 5)}
PINS = [f"{flank}L{level}" for level in LEVEL_RANKS for flank in "QK"]


def layout(board: str) -> list[list[str]]:
    """The squares of a board in rows, the highest rank first, as in the text."""
    if board in MAIN_RANKS:
        files, low, size = "abcd", MAIN_RANKS[board], 4
    else:
        files, low, size = ("za" if board[0] == "Q" else "de"), LEVEL_RANKS[int(board[2])], 2
    return [[f"{file}{rank}{board}" for file in files] for rank in range(low + size - 1, low - 1, -1)]


LAYOUT = {board: layout(board) for board in [*MAIN_RANKS, *PINS]}
# Every square that can exist: its column and its board.
SQUARES = {
    square: ((FILES.index(square[0]), int(square[1])), board)
    for board, rows in LAYOUT.items()
    for row in rows
    for square in row
}


def column(square: str) -> tuple[int, int]:
    return SQUARES[square][0]


def board_of(square: str) -> str:
    return SQUARES[square][1]


def side_of(piece: str) -> str:
    return "w" if piece.isupper() else "b"


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def ahead(side: str) -> int:
    return 1 if side == "w" else -1


@dataclass(frozen=True)
class Position:
    pieces: dict[str, str]
    boards: dict[str, str]
    unmoved: frozenset[str]
    turn: str
    passing: str | None
    clock: int
    number: int
    rotation: bool = False

    def exists(self, square: str) -> bool:
        board = board_of(square)
        return board in MAIN_RANKS or board in self.boards

    def squares(self) -> Iterator[str]:
        return (square for square in SQUARES if self.exists(square))

    def shadow(self, spot: tuple[int, int]) -> bool:
        return any(column(square) == spot for square in self.pieces)

    def is_clear(self, here: tuple[int, int], there: tuple[int, int]) -> bool:
        """Whether the columns between two on one line are empty."""
        files, ranks = there[0] - here[0], there[1] - here[1]
        length = max(abs(files), abs(ranks))
        spots = {(here[0] + files // length * step, here[1] + ranks // length * step) for step in range(1, length)}
        return not any(column(square) in spots for square in self.pieces)

    def attacks(self, square: str, target: str) -> bool:
        """Whether the piece on a square attacks another square, whatever stands there."""
        piece = self.pieces[square]
        here, there = column(square), column(target)
        files, ranks = abs(there[0] - here[0]), abs(there[1] - here[1])
        if files == ranks == 0:
            return False
        kind = piece.upper()
        if kind == "P":
            return files == 1 and there[1] - here[1] == ahead(side_of(piece))
        if kind == "N":
            return {files, ranks} == {1, 2}
        if kind == "K":
            return max(files, ranks) == 1
        straight, slanting = 0 in (files, ranks), files == ranks
        fits = (straight and kind in "RQ") or (slanting and kind in "BQ")
        return fits and self.is_clear(here, there)

    def attackers(self, target: str, side: str) -> list[str]:
        return [square for square, piece in self.pieces.items() if side_of(piece) == side and self.attacks(square, target)]

    def king(self, side: str) -> str:
        letter = "K" if side == "w" else "k"
        return next(square for square, piece in self.pieces.items() if piece == letter)

    def in_check(self, side: str) -> bool:
        return bool(self.attackers(self.king(side), other(side)))

    def text(self) -> str:
        boards = []
        for board, rows in LAYOUT.items():
            if board in MAIN_RANKS or board in self.boards:
                ranks = "/".join(self.rank_text(row) for row in rows)
                boards.append(f"{board}{self.boards.get(board, '')}:{ranks}")
        passing = self.passing if self.passing and passing_matters(self) else "-"
        return f"{','.join(boards)} {self.turn} {passing} {self.clock} {self.number}"

    def rank_text(self, row: list[str]) -> str:
        text, gap = "", 0
        for square in [*row, None]:
            if square is not None and square not in self.pieces:
                gap += 1
                continue
            text += str(gap or "")
            gap = 0
            if square is not None:
                text += self.pieces[square] + ("+" if square in self.unmoved else "")
        return text


def read(text: str, rotation: bool = False) -> Position:
    boards_text, turn, passing, clock, number = text.split()
    pieces: dict[str, str] = {}
    boards: dict[str, str] = {}
    unmoved = set()
    for part in boards_text.split(","):
        name, ranks = part.split(":")
        if name not in MAIN_RANKS:
            name, owner = name[:-1], name[-1]
            boards[name] = owner
        for row, squares in zip(ranks.split("/"), LAYOUT[name], strict=True):
            place = 0
            for letter in row:
                if letter.isdigit():
                    place += int(letter)
                elif letter == "+":
                    unmoved.add(squares[place - 1])
                else:
                    pieces[squares[place]] = letter
                    place += 1
    waiting = None if passing == "-" else passing
    return Position(pieces, boards, frozenset(unmoved), turn, waiting, int(clock), int(number), rotation)


# Promotion


def last_rank(position: Position, side: str, file: int) -> int:
    """The furthest rank that exists on a file in this position."""
    corner = {"a": "Q", "d": "K"}.get(FILES[file])
    if FILES[file] in "ze":
        furthest = 9
    elif corner is None:
        furthest = 8
    else:
        furthest = 9 if f"{corner}L{6 if side == 'w' else 1}" in position.boards else 8
    return furthest if side == "w" else 9 - furthest


def promoting(position: Position, side: str) -> list[str]:
    """Pawns of a side on their promotion squares."""
    letter = "P" if side == "w" else "p"
    return [
        square
        for square, piece in position.pieces.items()
        if piece == letter and column(square)[1] == last_rank(position, side, column(square)[0])
    ]


def promote(position: Position, square: str, letter: str) -> Position:
    piece = letter if position.pieces[square].isupper() else letter.lower()
    return replace(position, pieces=position.pieces | {square: piece}, unmoved=position.unmoved - {square}, clock=0)


# Each kind of move yields its text and the position after it; the king may be left in check.


def after_move(position: Position, **changes: Any) -> Position:
    after: dict[str, Any] = {"passing": None, "clock": position.clock + 1, "turn": other(position.turn)} | changes
    number = position.number + (position.turn == "b")
    return replace(position, number=number, **after)


def with_promotions(text: str, after: Position, mover: str) -> Iterator[tuple[str, Position]]:
    pawns = promoting(after, mover)
    if not pawns:
        yield text, after
    for letter in "QRBN" if pawns else "":
        yield f"{text}={letter}", promote(after, pawns[0], letter)


def is_pawn_start(side: str, square: str) -> bool:
    home, rank, inner, level = ("W", 2, 1, "1") if side == "w" else ("B", 7, 8, "6")
    board = board_of(square)
    if board in MAIN_RANKS:
        return board == home and column(square)[1] == rank
    return board[2] == level and column(square)[1] == inner


def passed_column(position: Position) -> tuple[int, int] | None:
    if position.passing is None:
        return None
    file, rank = column(position.passing)
    return file, rank - ahead(other(position.turn))


def reaches(position: Position, square: str, target: str) -> bool:
    piece = position.pieces[square]
    there = position.pieces.get(target)
    if there is not None and side_of(there) == position.turn:
        return False
    if piece.upper() != "P":
        return position.attacks(square, target)
    if position.attacks(square, target):
        return there is not None or column(target) == passed_column(position)
    here, goal = column(square), column(target)
    if there is not None or here[0] != goal[0]:
        return False
    steps = (goal[1] - here[1]) * ahead(position.turn)
    if steps == 1:
        return True
    may_run = square in position.unmoved and is_pawn_start(position.turn, square)
    return steps == 2 and may_run and not position.shadow((here[0], here[1] + ahead(position.turn)))


def piece_moves(position: Position) -> Iterator[tuple[str, Position]]:
    ours = [square for square, piece in position.pieces.items() if side_of(piece) == position.turn]
    targets = list(position.squares())
    for square in ours:
        for target in targets:
            if reaches(position, square, target):
                yield from piece_move(position, square, target)


def piece_move(position: Position, square: str, target: str) -> Iterator[tuple[str, Position]]:
    piece = position.pieces[square]
    pawn = piece.upper() == "P"
    gone = {square, target}
    en_passant = pawn and column(square)[0] != column(target)[0] and target not in position.pieces
    if en_passant and position.passing:
        gone.add(position.passing)
    takes = en_passant or target in position.pieces
    pieces = {at: standing for at, standing in position.pieces.items() if at not in gone}
    ran = pawn and abs(column(square)[1] - column(target)[1]) == 2
    after = after_move(
        position,
        pieces=pieces | {target: piece},
        unmoved=position.unmoved - gone,
        clock=0 if pawn or takes else position.clock + 1,
        passing=target if ran else None,
    )
    text = f"{'' if pawn else piece.upper()}{square}{'x' if takes else '-'}{target}"
    if pawn:
        yield from with_promotions(text, after, position.turn)
    else:
        yield text, after


def board_moves(position: Position) -> Iterator[tuple[str, Position]]:
    for pin, owner in position.boards.items():
        riders = [square for square in position.pieces if board_of(square) == pin]
        if len(riders) > 1:
            continue
        controller = side_of(position.pieces[riders[0]]) if riders else owner
        if controller != position.turn:
            continue
        flank, level = pin[0], int(pin[2])
        across = f"{'K' if flank == 'Q' else 'Q'}L{level}"
        for goal in [across, *(f"{flank}L{near}" for near in LEVELS_NEXT[level])]:
            backward = (int(goal[2]) - level) * ahead(position.turn) < 0
            if goal not in position.boards and not (riders and backward) and not shaded(position, pin, goal):
                yield from board_move(position, pin, goal)
        if position.rotation:
            yield from board_move(position, pin, pin)


def shaded(position: Position, pin: str, goal: str) -> bool:
    """Whether the board would stand above or below a piece that is not a knight."""
    spots = {column(square) for row in LAYOUT[goal] for square in row}
    return any(
        piece.upper() != "N" and column(square) in spots and board_of(square) != pin
        for square, piece in position.pieces.items()
    )


def board_move(position: Position, pin: str, goal: str) -> Iterator[tuple[str, Position]]:
    old = [square for row in LAYOUT[pin] for square in row]
    new = [square for row in LAYOUT[goal] for square in row]
    if pin == goal:
        new.reverse()
    carried = dict(zip(old, new, strict=True))
    boards = {at: owner for at, owner in position.boards.items() if at != pin}
    after = after_move(
        position,
        pieces={carried.get(square, square): piece for square, piece in position.pieces.items()},
        boards=boards | {goal: position.boards[pin]},
        unmoved=position.unmoved - set(old),
    )
    for text, promoted in with_promotions(f"{pin}-{goal}", after, position.turn):
        # A pawn of the opponent that can promote now may become any piece before the next move.
        pawns = promoting(promoted, promoted.turn)
        dangers = [promote(promoted, pawns[0], letter) for letter in "QRBN"] if pawns else []
        if not any(danger.in_check(position.turn) for danger in dangers):
            yield text, promoted


def castlings(position: Position) -> Iterator[tuple[str, Position]]:
    """King and rook are on attack boards on the home pins, on the back rank, unmoved."""
    side = position.turn
    rank, level = (0, 1) if side == "w" else (9, 6)
    king = position.king(side)
    pin = board_of(king)
    at_home = pin in (f"QL{level}", f"KL{level}") and column(king)[1] == rank and king in position.unmoved
    if position.number == 1 or position.in_check(side) or not at_home:
        return
    letter = "R" if side == "w" else "r"
    opposite = f"{'K' if pin[0] == 'Q' else 'Q'}L{level}"
    for name, home in (("O-O", pin), ("O-O-O", opposite)):
        boards = {pin, home}
        foreign = any(board_of(square) in boards and side_of(piece) != side for square, piece in position.pieces.items())
        if home not in position.boards or foreign:
            continue
        rooks = [
            square
            for square in position.unmoved
            if position.pieces[square] == letter and board_of(square) == home and column(square)[1] == rank
        ]
        if not rooks:
            continue
        rook = min(rooks, key=lambda square: abs(column(square)[0] - column(king)[0]))
        if not position.is_clear(column(king), column(rook)):
            continue
        towards = 1 if column(king)[0] > column(rook)[0] else -1
        beside = (column(rook)[0] + towards, rank)
        places = [square for row in LAYOUT[home] for square in row if column(square) == beside]
        lands = places[0] if home != pin and places else rook
        pieces = {square: piece for square, piece in position.pieces.items() if square not in (king, rook)}
        after = after_move(
            position,
            pieces=pieces | {lands: position.pieces[king], king: letter},
            unmoved=position.unmoved - {king, rook, lands},
        )
        yield name, after


def legal_moves(position: Position) -> dict[str, Position]:
    """Every legal move's text, with the position after it."""
    waiting = promoting(position, position.turn)
    if waiting:
        return {f"{waiting[0]}={letter}": replace(promote(position, waiting[0], letter), passing=None) for letter in "QRBN"}
    found = [*piece_moves(position), *board_moves(position), *castlings(position)]
    return {text: after for text, after in found if not after.in_check(position.turn)}


def passing_matters(position: Position) -> bool:
    """Whether the pawn that made a double step can legally be captured en passant."""
    spot = passed_column(position)
    return any(
        column(square)[0] != spot[0] and column(target) == spot and not after.in_check(position.turn)
        for square, piece in position.pieces.items()
        if side_of(piece) == position.turn and piece.upper() == "P"
        for target in position.squares()
        if column(target) == spot and reaches(position, square, target)
        for _, after in piece_move(position, square, target)
    )


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = legal_moves(position)
    return len(moves) if depth == 1 else sum(perft(after, depth - 1) for after in moves.values())
