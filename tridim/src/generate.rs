//! Legal moves: of men, of boards, castling, and the choice for a pawn that waited.

use crate::column::forward;
use crate::mv::Move;
use crate::position::Position;
use crate::square::Square;
use crate::squares::SquareSet;
use movegen::Role;

impl Position {
    /// Every legal move, men first, then boards, then castling.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.candidates();
        moves.retain(|&mv| self.leaves_king_safe(mv));
        moves
    }

    /// The legal moves of men that take or promote, and every choice for a waiting pawn.
    pub(crate) fn noisy_moves(&self) -> Vec<Move> {
        if self.waiting_pawn().is_some() {
            return self.legal_moves();
        }
        let mut moves = Vec::new();
        if self.held.is_none() {
            self.man_moves(
                |plain| self.is_capture(plain) || self.promotes(plain),
                &mut moves,
            );
            moves.retain(|&mv| self.leaves_king_safe(mv));
        }
        moves
    }

    /// Whether there is a legal move at all.
    #[must_use]
    pub fn has_moves(&self) -> bool {
        self.candidates()
            .into_iter()
            .any(|mv| self.leaves_king_safe(mv))
    }

    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.candidates().contains(&mv) && self.leaves_king_safe(mv)
    }

    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_moves()
    }

    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_moves()
    }

    /// Moves that obey every rule but that of the king's safety.
    fn candidates(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(96);
        if let Some(pawn) = self.waiting_pawn() {
            moves.extend(Role::PROMOTIONS.map(|role| Move::Choice { pawn, role }));
            return moves;
        }
        if let Some(held) = self.held {
            self.board_moves(&mut moves);
            moves.retain(|mv| matches!(mv, Move::Board { from, .. } if *from == held));
            return moves;
        }
        self.man_moves(|_| true, &mut moves);
        self.board_moves(&mut moves);
        // `castle` has asked for the king's safety itself; asking again costs little.
        moves.extend(
            crate::castling::CastlingKind::ALL
                .into_iter()
                .filter_map(|kind| self.castle(kind).ok().map(Move::Castle)),
        );
        moves
    }

    /// Moves of men that are wanted, checks not asked about.
    fn man_moves(&self, wanted: impl Fn(Move) -> bool, moves: &mut Vec<Move>) {
        for from in self.world.side(self.turn) {
            for to in self.reach(from) {
                let plain = Move::Man {
                    from,
                    to,
                    promotion: None,
                };
                if wanted(plain) {
                    self.push_with_promotions(plain, moves);
                }
            }
        }
    }

    /// Where the man on a square goes when checks are not asked about; nowhere from an empty
    /// square.
    pub(crate) fn reach(&self, from: Square) -> SquareSet {
        let Some(man) = self.man_on(from) else {
            return SquareSet::EMPTY;
        };
        let attacked = self.world.attacks(man.color(), man.role(), from);
        if man.role() != Role::Pawn {
            return attacked & !self.world.side(man.color());
        }
        let mut targets = self.world.side(!man.color());
        if let Some(pawn) = self.en_passant
            && man.color() == self.turn
            && let Some(passed) = pawn.column().step(0, -forward(!self.turn))
        {
            targets |= SquareSet::of_column(passed);
        }
        attacked & targets | self.pawn_steps(from)
    }

    /// A pawn's one or two steps forward. Two pass over a column that no man's shadow falls
    /// on, whether it has squares or not.
    fn pawn_steps(&self, from: Square) -> SquareSet {
        let ahead = forward(self.turn_of(from));
        let free = !self.world.occupied();
        let Some(one) = from.column().step(0, ahead) else {
            return SquareSet::EMPTY;
        };
        let mut steps = self.world.on_column(one) & free;
        if self.is_unmoved(from)
            && !self.world.has_shadow(one)
            && let Some(two) = one.step(0, ahead)
        {
            steps |= self.world.on_column(two) & free;
        }
        steps
    }

    /// The side of the man on a square.
    fn turn_of(&self, square: Square) -> movegen::Color {
        self.man_on(square).map_or(self.turn, movegen::Piece::color)
    }

    /// Writes a move down, once for each promotion if a pawn of the mover promotes by it.
    pub(crate) fn push_with_promotions(&self, plain: Move, moves: &mut Vec<Move>) {
        if self.promotes(plain) {
            let choices = Role::PROMOTIONS.map(Some);
            moves.extend(choices.map(|promotion| plain.promoting(promotion)));
        } else {
            moves.push(plain);
        }
    }

    /// Whether a pawn of the mover stands on its last rank once this move is played.
    pub(crate) fn promotes(&self, plain: Move) -> bool {
        match plain {
            Move::Man { from, to, .. } => self.man_on(from).is_some_and(|man| {
                man.role() == Role::Pawn && self.world.promotes_on(man.color(), to)
            }),
            Move::Board { from, to, .. } => {
                let mut world = self.world;
                world.carry(from, to);
                world.arrived_pawn(self.turn).is_some()
            }
            Move::Castle(_) | Move::Choice { .. } => false,
        }
    }

    /// Whether the mover's king is safe after the move, and would be whatever an opponent's
    /// pawn becomes that the move leaves uncovered.
    pub(crate) fn leaves_king_safe(&self, mv: Move) -> bool {
        let next = self.after(mv);
        if matches!(mv, Move::Choice { .. }) {
            return true;
        }
        if next.world.in_check(self.turn) {
            return false;
        }
        self.uncovered_attacker(mv).is_none()
    }

    /// The opponent's pawn that a board move leaves uncovered on its last rank, if as a queen
    /// or a knight it would attack the mover's king.
    pub(crate) fn uncovered_attacker(&self, mv: Move) -> Option<Square> {
        if !matches!(mv, Move::Board { .. }) {
            return None;
        }
        let next = self.after(mv);
        let pawn = next.waiting_pawn()?;
        next.world.could_attack(self.turn, pawn).then_some(pawn)
    }
}
