//! Playing a move: a new position with rights, clocks and turn brought up to date.

use crate::mv::Move;
use crate::pin::Pin;
use crate::position::Position;
use crate::refusal::MoveRefusal;
use crate::square::Square;
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Piece, Role};

impl World {
    /// Puts an officer of the same side in the place of a man.
    pub(crate) fn promote(&mut self, square: Square, role: Role) {
        if let Some(pawn) = self.take(square) {
            self.put(Piece::new(pawn.color(), role), square);
        }
    }
}

impl Position {
    /// The position after a legal move.
    ///
    /// A move that is not legal here (see `is_legal`, `try_play`) gives a position without
    /// meaning, but no panic.
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.after(mv);
        next.forget_vain_en_passant();
        next
    }

    /// The position after a move, if it is legal.
    #[must_use]
    pub fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    /// The position after a move, where a pawn's two steps are on record whether it can be
    /// taken in passing or not.
    pub(crate) fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.en_passant = None;
        next.held = None;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match mv {
            Move::Man {
                from,
                to,
                promotion,
            } => next.move_man(self.en_passant, from, to, promotion),
            Move::Board {
                from,
                to,
                promotion,
            } => {
                next.unmoved &= !SquareSet::of_pin(from);
                next.world.carry(from, to);
                if let Some(role) = promotion
                    && let Some(pawn) = next.world.arrived_pawn(self.turn)
                {
                    next.become_officer(pawn, role);
                }
            }
            Move::Castle(castling) => {
                next.unmoved &= !castling.squares();
                next.world.castle(castling);
            }
            Move::Choice { pawn, role } => {
                next.become_officer(pawn, role);
                return next;
            }
        }
        if self.turn == Color::Black {
            next.move_number = self.move_number.saturating_add(1);
        }
        next.turn = !self.turn;
        next
    }

    fn move_man(
        &mut self,
        en_passant: Option<Square>,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) {
        let Some(man) = self.world.take(from) else {
            return;
        };
        self.unmoved &= !(SquareSet::of(from) | SquareSet::of(to));
        let captured = self.world.take(to);
        self.world.put(man, to);
        if captured.is_some() {
            self.halfmove_clock = 0;
        }
        if man.role() != Role::Pawn {
            return;
        }
        self.halfmove_clock = 0;
        if from.file() != to.file()
            && captured.is_none()
            && let Some(passed) = en_passant
        {
            self.world.take(passed);
            self.unmoved &= !SquareSet::of(passed);
        }
        if from.rank().abs_diff(to.rank()) == 2 {
            self.en_passant = Some(to);
        }
        if let Some(role) = promotion {
            self.become_officer(to, role);
        }
    }

    fn become_officer(&mut self, pawn: Square, role: Role) {
        self.world.promote(pawn, role);
        self.unmoved &= !SquareSet::of(pawn);
        self.halfmove_clock = 0;
    }

    /// A pawn that nobody can legally take in passing is no different from any other.
    pub(crate) fn forget_vain_en_passant(&mut self) {
        if self.en_passant.is_some() && !self.can_take_in_passing() {
            self.en_passant = None;
        }
    }

    fn can_take_in_passing(&self) -> bool {
        let pawns = self.world.men(self.turn, Role::Pawn);
        pawns.into_iter().any(|from| {
            let landings = self.reach(from) & !self.world.occupied();
            landings
                .into_iter()
                .filter(|to| to.file() != from.file())
                .any(|to| {
                    self.leaves_king_safe(Move::Man {
                        from,
                        to,
                        promotion: None,
                    })
                })
        })
    }

    /// The position with a board activated: the turn will be a move of this board.
    pub fn activate(&self, pin: Pin) -> Result<Self, MoveRefusal> {
        if let Some(waiting) = self.waiting_pawn() {
            return Err(MoveRefusal::ChooseFirst(waiting));
        }
        if let Some(held) = self.held {
            return Err(MoveRefusal::BoardActivated(held));
        }
        self.board_may_move(pin)?;
        let held = Self {
            held: Some(pin),
            ..*self
        };
        match held.has_moves() {
            true => Ok(held),
            false => Err(MoveRefusal::BoardStuck(pin)),
        }
    }

    /// The position with no board activated.
    #[must_use]
    pub fn release(&self) -> Self {
        Self {
            held: None,
            ..*self
        }
    }
}
