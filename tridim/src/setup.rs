//! What a text says of a position, before anybody has asked whether it is legal.

use crate::pin::{Flank, Pin};
use crate::square::{Board, Square};
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Piece, Role};

/// Boards, men and the rest as somebody put them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    pub world: World,
    pub turn: Color,
    /// Kings, rooks and pawns that have never moved.
    pub unmoved: SquareSet,
    /// A pawn that has just gone two steps.
    pub en_passant: Option<Square>,
    pub halfmove_clock: u16,
    pub move_number: u16,
    /// A board activated already.
    pub held: Option<Pin>,
}

use Role::{Bishop, King, Knight, Pawn, Queen, Rook};

/// The men of each board at the start, the rank nearest to their own side first.
const MAIN: [[Role; 4]; 2] = [[Knight, Bishop, Bishop, Knight], [Pawn, Pawn, Pawn, Pawn]];
const QUEENS: [[Role; 2]; 2] = [[Rook, Queen], [Pawn, Pawn]];
const KINGS: [[Role; 2]; 2] = [[King, Rook], [Pawn, Pawn]];

impl Setup {
    /// The three main boards with nothing on them, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            world: World::empty(),
            turn: Color::White,
            unmoved: SquareSet::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            move_number: 1,
            held: None,
        }
    }

    /// The start of a game.
    #[must_use]
    pub fn start() -> Self {
        let mut setup = Self::empty();
        for side in Color::ALL {
            let main = match side {
                Color::White => Board::White,
                Color::Black => Board::Black,
            };
            setup.fill(side, main, &MAIN);
            for (flank, men) in [(Flank::Queen, &QUEENS), (Flank::King, &KINGS)] {
                let pin = Pin::home(flank, side);
                setup.world.put_board(pin, side);
                setup.fill(side, Board::Attack(pin), men);
            }
        }
        setup
    }

    /// Puts men on the ranks of a board that are nearest to their side.
    fn fill<const WIDTH: usize>(&mut self, side: Color, board: Board, ranks: &[[Role; WIDTH]; 2]) {
        let squares: Vec<Square> = SquareSet::of_board(board).into_iter().collect();
        let rows = squares.chunks(WIDTH);
        let rows: Vec<&[Square]> = match side {
            Color::White => rows.collect(),
            Color::Black => rows.rev().collect(),
        };
        for (row, roles) in rows.into_iter().zip(ranks) {
            for (&square, &role) in row.iter().zip(roles) {
                self.world.put(Piece::new(side, role), square);
                if matches!(role, King | Rook | Pawn) {
                    self.unmoved |= SquareSet::of(square);
                }
            }
        }
    }
}

/// Whether a side's pawns start from here: on its main board's second rank, and on its attack
/// boards' inner ranks.
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
