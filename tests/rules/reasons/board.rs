//! A mailbox board of the test's own, and how pieces move on it.

use movegen::{Color, Piece, Position, Role, Square};

/// A mailbox; squares are indices from a1.
#[derive(Clone)]
pub(super) struct Board([Option<Piece>; 64]);

impl Board {
    pub(super) fn of(position: &Position) -> Board {
        let mut board = Board([None; 64]);
        for square in Square::all() {
            board.0[square.index()] = position.piece_on(square);
        }
        board
    }

    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    pub(super) fn has(&self, square: Square, color: Color, role: Role) -> bool {
        self.at(square) == Some(Piece::new(color, role))
    }

    pub(super) fn king(&self, color: Color) -> Square {
        Square::all()
            .find(|&square| self.has(square, color, Role::King))
            .expect("a king")
    }

    /// The occupied squares between two squares of a line, from the first on; none on other squares.
    pub(super) fn between(&self, from: Square, to: Square) -> Vec<Square> {
        let (files, ranks) = steps(from, to);
        let length = files.abs().max(ranks.abs());
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return Vec::new();
        }
        let step = files.signum() + 8 * ranks.signum();
        (1..length)
            .map(|count| index(from.index() as i32 + step * count))
            .filter(|&square| self.at(square).is_some())
            .collect()
    }

    pub(super) fn attacks(&self, from: Square, to: Square) -> bool {
        self.at(from).is_some_and(|piece| {
            let capture = has_shape(piece, from, to)
                && (piece.role() != Role::Pawn || steps(from, to).0 != 0);
            capture && self.between(from, to).is_empty()
        })
    }

    pub(super) fn attackers(&self, square: Square, by: Color) -> Vec<Square> {
        Square::all()
            .filter(|&from| self.at(from).is_some_and(|piece| piece.color() == by))
            .filter(|&from| self.attacks(from, square))
            .collect()
    }

    pub(super) fn after(&self, from: Square, to: Square) -> Board {
        let mut board = self.clone();
        board.0[to.index()] = board.0[from.index()].take();
        board
    }

    pub(super) fn place(&mut self, piece: Piece, square: Square) {
        self.0[square.index()] = Some(piece);
    }

    pub(super) fn without(&self, square: Square) -> Board {
        let mut board = self.clone();
        board.0[square.index()] = None;
        board
    }
}

pub(super) fn index(index: i32) -> Square {
    Square::wrapping(index.rem_euclid(64) as u8)
}

pub(super) fn steps(from: Square, to: Square) -> (i32, i32) {
    let (from, to) = (from.index() as i32, to.index() as i32);
    (to % 8 - from % 8, to / 8 - from / 8)
}

/// Whether a piece moves like this on some board.
pub(super) fn has_shape(piece: Piece, from: Square, to: Square) -> bool {
    let (files, ranks) = steps(from, to);
    let (wide, high) = (files.abs(), ranks.abs());
    let (forward, home) = match piece.color() {
        Color::White => (1, 1),
        Color::Black => (-1, 6),
    };
    let straight = (wide == 0) != (high == 0);
    let diagonal = wide == high && wide != 0;
    match piece.role() {
        Role::Pawn => {
            ranks == forward && wide <= 1
                || wide == 0 && ranks == 2 * forward && from.index() / 8 == home
        }
        Role::Knight => wide * high == 2,
        Role::Bishop => diagonal,
        Role::Rook => straight,
        Role::Queen => straight || diagonal,
        Role::King => wide.max(high) == 1,
    }
}

pub(super) fn on_last_rank(color: Color, square: Square) -> bool {
    square.index() / 8 == if color == Color::White { 7 } else { 0 }
}
