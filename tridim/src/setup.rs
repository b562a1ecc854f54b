//! A position before it is validated, and validation.

use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
use common::plural;
use movegen::{Color, Piece, Role};
use thiserror::Error;

use crate::pin::{Flank, Pin};
use crate::placement::Placement;
use crate::position::{Position, Rules};
use crate::square::{Board, Square, forward};
use crate::square_set::SquareSet;

/// Boards, pieces and state, not yet validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    pub placement: Placement,
    pub side_to_move: Color,
    /// Kings, rooks and pawns that have not moved.
    pub unmoved: SquareSet,
    /// A pawn that has just made a double step.
    pub en_passant: Option<Square>,
    pub halfmove_clock: u16,
    pub move_number: u16,
    /// The activated board.
    pub activated: Option<Pin>,
}

/// The pieces of each board at the start, from their side's first rank.
const MAIN: [[Role; 4]; 2] = [[Knight, Bishop, Bishop, Knight], [Pawn, Pawn, Pawn, Pawn]];
const QUEENS: [[Role; 2]; 2] = [[Rook, Queen], [Pawn, Pawn]];
const KINGS: [[Role; 2]; 2] = [[King, Rook], [Pawn, Pawn]];

impl Setup {
    /// The three main boards, empty; White to move.
    pub const fn empty() -> Self {
        Self {
            placement: Placement::empty(),
            side_to_move: Color::White,
            unmoved: SquareSet::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            move_number: 1,
            activated: None,
        }
    }

    /// The start position.
    pub fn start() -> Self {
        let mut setup = Self::empty();
        for side in Color::ALL {
            let main = match side {
                Color::White => Board::White,
                Color::Black => Board::Black,
            };
            setup.fill(side, main, &MAIN);
            for (flank, pieces) in [(Flank::Queen, &QUEENS), (Flank::King, &KINGS)] {
                let pin = Pin::home(flank, side);
                setup.placement.put_board(pin, side);
                setup.fill(side, Board::Attack(pin), pieces);
            }
        }
        setup
    }

    /// Puts pieces on the ranks of a board that are nearest to their side.
    fn fill<const WIDTH: usize>(&mut self, side: Color, board: Board, ranks: &[[Role; WIDTH]; 2]) {
        let squares: Vec<Square> = SquareSet::of_board(board).into_iter().collect();
        let rows = squares.chunks(WIDTH);
        let rows: Vec<&[Square]> = match side {
            Color::White => rows.collect(),
            Color::Black => rows.rev().collect(),
        };
        for (row, roles) in rows.into_iter().zip(ranks) {
            for (&square, &role) in row.iter().zip(roles) {
                self.placement.put(Piece::new(side, role), square);
                if matches!(role, King | Rook | Pawn) {
                    self.unmoved |= SquareSet::of(square);
                }
            }
        }
    }
}

impl Position {
    /// The start position.
    pub fn start(rules: Rules) -> Self {
        Setup::start().unchecked(rules)
    }
}

/// True if pawns of a side start on a square: on the second rank of its main board, and on the
/// inner ranks of its attack boards.
pub(crate) fn is_pawn_start(side: Color, square: Square) -> bool {
    let (main, main_rank, attack_rank) = match side {
        Color::White => (Board::White, 2, 1),
        Color::Black => (Board::Black, 7, 8),
    };
    match square.board() {
        Board::Attack(pin) => pin == Pin::home(pin.flank(), side) && square.rank() == attack_rank,
        board => board == main && square.rank() == main_rank,
    }
}

/// The number of attack boards of each side.
const BOARDS: usize = 2;

/// The reason a position is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalPosition {
    #[error("{side} has {}, expected 2", plural(*count, "attack board"))]
    BoardCount { side: Color, count: usize },
    #[error("{side} has {count} kings, expected 1")]
    KingCount { side: Color, count: u32 },
    #[error("the piece on {0} cannot be marked as unmoved: only kings, rooks and pawns can")]
    UnmovedPiece(Square),
    #[error("the pawn on {0} cannot be marked as unmoved: pawns do not start there")]
    UnmovedPawn(Square),
    #[error("the pawn on {0} is on its last rank and has not been promoted")]
    UnpromotedPawn(Square),
    #[error(
        "no board move can have uncovered the pawn on {0}: it attacks the king as a queen or knight"
    )]
    UncoveredPawn(Square),
    #[error("{side} is in check from {attacker}, but the opponent is to move")]
    KingCapturable { side: Color, attacker: Square },
    #[error("the pawn on {0} cannot have made a double step")]
    EnPassant(Square),
    #[error("the board on {0} cannot be activated: it has no legal move")]
    Activated(Pin),
}

impl Setup {
    /// Returns the position if it is legal under these rules.
    pub fn position(&self, rules: Rules) -> Result<Position, IllegalPosition> {
        self.check_boards_and_kings()?;
        self.check_unmoved()?;
        let mut position = self.unchecked(rules);
        if let Some(pawn) = self.unpromoted_pawn() {
            return Err(IllegalPosition::UnpromotedPawn(pawn));
        }
        let side = !self.side_to_move;
        if let Some(attacker) = self.placement.checkers(side).first() {
            return Err(IllegalPosition::KingCapturable { side, attacker });
        }
        if let Some(pawn) = position.pending_promotion()
            && self.placement.could_attack(side, pawn)
        {
            return Err(IllegalPosition::UncoveredPawn(pawn));
        }
        if let Some(pawn) = self.en_passant {
            if !self.has_gone_two_steps(pawn) {
                return Err(IllegalPosition::EnPassant(pawn));
            }
            position.en_passant = Some(pawn);
            position.clear_unusable_en_passant();
        }
        match self.activated {
            Some(pin) => position
                .activate(pin)
                .map_err(|_| IllegalPosition::Activated(pin)),
            None => Ok(position),
        }
    }

    /// The position without en passant and activated board, not validated.
    pub(crate) fn unchecked(&self, rules: Rules) -> Position {
        Position {
            placement: self.placement,
            side_to_move: self.side_to_move,
            unmoved: self.unmoved,
            en_passant: None,
            halfmove_clock: self.halfmove_clock,
            move_number: self.move_number.max(1),
            activated: None,
            rules,
        }
    }

    fn check_boards_and_kings(&self) -> Result<(), IllegalPosition> {
        for side in Color::ALL {
            let count = Pin::all()
                .filter(|&pin| self.placement.owner(pin) == Some(side))
                .count();
            if count != BOARDS {
                return Err(IllegalPosition::BoardCount { side, count });
            }
            let count = self.placement.pieces(side, Role::King).count();
            if count != 1 {
                return Err(IllegalPosition::KingCount { side, count });
            }
        }
        Ok(())
    }

    fn check_unmoved(&self) -> Result<(), IllegalPosition> {
        for square in self.unmoved {
            let piece = self.placement.piece_on(square);
            match piece.map(|piece| (piece.role(), piece.color())) {
                Some((King | Rook, _)) => {}
                Some((Pawn, side)) if is_pawn_start(side, square) => {}
                Some((Pawn, _)) => return Err(IllegalPosition::UnmovedPawn(square)),
                _ => return Err(IllegalPosition::UnmovedPiece(square)),
            }
        }
        Ok(())
    }

    /// A pawn that should have been promoted: any on its last rank, except one of the side to move
    /// that the opponent's board may have just uncovered.
    fn unpromoted_pawn(&self) -> Option<Square> {
        let arrived = |side| {
            let pawns = self.placement.pieces(side, Role::Pawn).into_iter();
            pawns.filter(move |&square| self.placement.promotes_on(side, square))
        };
        let theirs = arrived(!self.side_to_move);
        let mut ours = arrived(self.side_to_move).peekable();
        let uncovered = ours.next_if(|&pawn| is_corner(pawn));
        theirs.chain(ours).find(|&pawn| Some(pawn) != uncovered)
    }

    /// True if a pawn of the side not to move may have made a double step to here, over a column
    /// without a shadow.
    fn has_gone_two_steps(&self, pawn: Square) -> bool {
        let side = !self.side_to_move;
        let placement = &self.placement;
        let ours = placement.piece_on(pawn) == Some(Piece::new(side, Role::Pawn));
        let back = -forward(side);
        let Some(passed) = pawn.column().step(0, back) else {
            return false;
        };
        let Some(start) = passed.step(0, back) else {
            return false;
        };
        let empty_start = placement
            .on_column(start)
            .into_iter()
            .any(|square| is_pawn_start(side, square) && placement.piece_on(square).is_none());
        ours && empty_start && !placement.has_shadow(passed) && !self.unmoved.has(pawn)
    }
}

/// True if an attack board can overhang a square of a main board.
fn is_corner(square: Square) -> bool {
    square.pin().is_none() && SquareSet::of_column(square.column()).count() > 1
}
