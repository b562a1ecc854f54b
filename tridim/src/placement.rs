//! The placement of attack boards on pins and of pieces on squares, with the sets and the
//! Zobrist key derived from them. It knows nothing of turns, rights or rules.

use common::rng::{SplitMix64, split_mix};
use movegen::{Color, Piece, Role};

use crate::pin::Pin;
use crate::square::{Board, Column, Square};
use crate::square_set::SquareSet;

/// Boards and pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The owner of the board on each pin.
    owners: [Option<Color>; Pin::COUNT],
    pieces: [Option<Piece>; Square::COUNT],
    sides: [SquareSet; 2],
    roles: [SquareSet; 6],
    /// The squares that exist: those of the main boards and of the boards on pins.
    existing: SquareSet,
    /// A bit per column with a piece on any level.
    shadows: u64,
    key: u64,
}

impl Placement {
    /// The three main boards alone.
    pub const fn empty() -> Self {
        Self {
            owners: [None; Pin::COUNT],
            pieces: [None; Square::COUNT],
            sides: [SquareSet::EMPTY; 2],
            roles: [SquareSet::EMPTY; 6],
            existing: SquareSet::MAIN,
            shadows: 0,
            key: 0,
        }
    }

    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// The owner of the board on a pin.
    pub const fn owner(&self, pin: Pin) -> Option<Color> {
        self.owners[pin.index()]
    }

    /// The owner of an attack board.
    pub const fn board_owner(&self, board: Board) -> Option<Color> {
        match board {
            Board::Attack(pin) => self.owner(pin),
            _ => None,
        }
    }

    /// The main boards, then the attack boards by pin.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let pins = Pin::all().filter(|&pin| self.owner(pin).is_some());
        Board::MAIN.into_iter().chain(pins.map(Board::Attack))
    }

    /// The squares that exist.
    pub const fn existing(&self) -> SquareSet {
        self.existing
    }

    /// The existing squares of a column.
    pub fn on_column(&self, column: Column) -> SquareSet {
        SquareSet::of_column(column) & self.existing
    }

    /// The pieces of a side.
    pub const fn by_color(&self, color: Color) -> SquareSet {
        self.sides[color.index()]
    }

    pub fn occupied(&self) -> SquareSet {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of a side and role.
    pub fn pieces(&self, side: Color, role: Role) -> SquareSet {
        self.by_color(side) & self.roles[role.index()]
    }

    /// The king of a side; a legal position has one.
    pub fn king(&self, side: Color) -> Option<Square> {
        self.pieces(side, Role::King).first()
    }

    /// A bit per column with a piece on it.
    pub(crate) const fn shadows(&self) -> u64 {
        self.shadows
    }

    /// True if a piece stands on a column, on any level.
    pub const fn has_shadow(&self, column: Column) -> bool {
        self.shadows >> column.index() & 1 != 0
    }

    /// The first piece on the columns between two columns of a line.
    pub(crate) fn first_between(&self, from: Column, to: Column) -> Option<Square> {
        let occupied = self.occupied();
        from.between(to)
            .find_map(|column| (SquareSet::of_column(column) & occupied).first())
    }

    /// The Zobrist key of boards and pieces.
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    /// Puts a board on a pin.
    pub(crate) fn put_board(&mut self, pin: Pin, owner: Color) {
        self.owners[pin.index()] = Some(owner);
        self.existing |= SquareSet::of_pin(pin);
        self.key ^= zobrist_board(owner, pin);
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        let at = SquareSet::of(square);
        self.pieces[square.index()] = Some(piece);
        self.sides[piece.color().index()] |= at;
        self.roles[piece.role().index()] |= at;
        self.shadows |= 1 << square.column().index();
        self.key ^= zobrist_piece(piece, square);
    }

    /// Removes the piece on a square.
    pub(crate) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.pieces[square.index()].take()?;
        let others = !SquareSet::of(square);
        self.sides[piece.color().index()] &= others;
        self.roles[piece.role().index()] &= others;
        let column = square.column();
        if (SquareSet::of_column(column) & self.occupied()).is_empty() {
            self.shadows &= !(1 << column.index());
        }
        self.key ^= zobrist_piece(piece, square);
        Some(piece)
    }

    /// Promotes a pawn.
    pub(crate) fn promote(&mut self, square: Square, role: Role) {
        if let Some(pawn) = self.take(square) {
            self.put(Piece::new(pawn.color(), role), square);
        }
    }

    /// Moves a board with its pieces to a free pin, or rotates it in place if both pins are the
    /// same.
    pub(crate) fn move_board(&mut self, from: Pin, to: Pin) {
        let Some(owner) = self.owner(from) else {
            return;
        };
        let mut passengers = [None; 4];
        for (passenger, square) in passengers.iter_mut().zip(SquareSet::of_pin(from)) {
            *passenger = self.take(square).map(|piece| (piece, square));
        }
        if from != to {
            self.owners[from.index()] = None;
            self.existing &= !SquareSet::of_pin(from);
            self.key ^= zobrist_board(owner, from);
            self.put_board(to, owner);
        }
        for (piece, square) in passengers.into_iter().flatten() {
            let destination = if from == to {
                square.rotated()
            } else {
                square.moved_to(to)
            };
            self.put(piece, destination);
        }
    }
}

/// Zobrist keys.
struct Keys {
    pieces: [[u64; Square::COUNT]; 12],
    boards: [[u64; Pin::COUNT]; 2],
    side_to_move: u64,
    rotation: u64,
}

static KEYS: Keys = {
    let mut keys = Keys {
        pieces: [[0; Square::COUNT]; 12],
        boards: [[0; Pin::COUNT]; 2],
        side_to_move: 0,
        rotation: 0,
    };
    let mut rng = SplitMix64::new(0x7472_6964_696d_0001);
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < Square::COUNT {
            keys.pieces[piece][square] = rng.next_u64();
            square += 1;
        }
        piece += 1;
    }
    let mut pin = 0;
    while pin < Pin::COUNT {
        keys.boards[0][pin] = rng.next_u64();
        keys.boards[1][pin] = rng.next_u64();
        pin += 1;
    }
    keys.side_to_move = rng.next_u64();
    keys.rotation = rng.next_u64();
    keys
};

pub(crate) const fn zobrist_piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

pub(crate) const fn zobrist_board(owner: Color, pin: Pin) -> u64 {
    KEYS.boards[owner.index()][pin.index()]
}

pub(crate) const fn zobrist_side_to_move(side_to_move: Color) -> u64 {
    match side_to_move {
        Color::White => 0,
        Color::Black => KEYS.side_to_move,
    }
}

pub(crate) const fn zobrist_rotation(rotation: bool) -> u64 {
    if rotation { KEYS.rotation } else { 0 }
}

/// The key of the rights.
pub(crate) const fn zobrist_state(unmoved: SquareSet, en_passant: Option<Square>) -> u64 {
    let bits = unmoved.bits();
    let mut number = split_mix(bits as u64) ^ split_mix((bits >> 64) as u64).rotate_left(1);
    if let Some(square) = en_passant {
        number ^= split_mix(square.index() as u64 + 1).rotate_left(2);
    }
    number
}
