//! A position: boards and men, whose turn it is, and what the past has left behind.

use crate::numbers;
use crate::pin::Pin;
use crate::setup::Setup;
use crate::square::Square;
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Piece, Role};

/// What two players may agree on before a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Attack boards may be turned in place by half a circle.
    pub rotation: bool,
}

/// A legal position. Playing a move makes a new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(crate) world: World,
    pub(crate) turn: Color,
    /// Kings, rooks and pawns that have never moved nor been carried.
    pub(crate) unmoved: SquareSet,
    /// The pawn that has just gone two steps, when taking it in passing is legal.
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmove_clock: u16,
    pub(crate) move_number: u16,
    /// The board the side to move has activated: its turn will be a move of this board.
    pub(crate) held: Option<Pin>,
    pub(crate) rules: Rules,
}

impl Position {
    /// The start of a game under these rules.
    #[must_use]
    pub fn start(rules: Rules) -> Self {
        let setup = Setup::start();
        Self {
            world: setup.world,
            turn: setup.turn,
            unmoved: setup.unmoved,
            en_passant: setup.en_passant,
            halfmove_clock: setup.halfmove_clock,
            move_number: setup.move_number,
            held: setup.held,
            rules,
        }
    }

    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    #[must_use]
    pub const fn man_on(&self, square: Square) -> Option<Piece> {
        self.world.man_on(square)
    }

    /// Whether the king, rook or pawn on a square has never moved nor been carried.
    #[must_use]
    pub const fn is_unmoved(&self, square: Square) -> bool {
        self.unmoved.has(square)
    }

    /// The pawn that may be taken in passing.
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since a pawn moved or a man was taken.
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// 1 for the first move of both sides.
    #[must_use]
    pub const fn move_number(&self) -> u16 {
        self.move_number
    }

    /// The board the side to move has activated.
    #[must_use]
    pub const fn held_board(&self) -> Option<Pin> {
        self.held
    }

    /// The pawn the side to move must promote before its next move is begun.
    #[must_use]
    pub fn waiting_pawn(&self) -> Option<Square> {
        self.world.arrived_pawn(self.turn)
    }

    /// The men that give check to the side to move.
    #[must_use]
    pub fn checkers(&self) -> SquareSet {
        self.world.checkers(self.turn)
    }

    #[must_use]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// What the past still allows: two steps of a pawn, and castling where neither king nor
    /// rook has moved. A rook without its king's right, or a king without a rook's, has none.
    fn rights(&self) -> SquareSet {
        let mut rights = self.unmoved
            & (self.world.men(Color::White, Role::Pawn) | self.world.men(Color::Black, Role::Pawn));
        for side in Color::ALL {
            if (self.unmoved & self.world.men(side, Role::King)).any() {
                rights |= self.unmoved & self.world.men(side, Role::Rook);
            }
        }
        rights
    }

    /// Whether these are one position in the sense of threefold repetition: boards, men, turn
    /// and all that may still be done are the same, the clocks and an activated board aside.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        self.world == other.world
            && self.turn == other.turn
            && self.en_passant == other.en_passant
            && self.rights() == other.rights()
    }

    /// The hash key: equal for positions that repeat each other.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.world.key() ^ numbers::turn(self.turn) ^ numbers::state(self.rights(), self.en_passant)
    }

    /// Bare kings: nobody can mate.
    #[must_use]
    pub fn is_bare_kings(&self) -> bool {
        self.world.occupied().count() <= 2
    }
}
