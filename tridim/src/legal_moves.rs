//! Legal moves of pieces and boards, castling, promotion, and perft.

use std::sync::atomic::{AtomicBool, Ordering};

use movegen::{Color, GamePosition, Role};

use crate::moves::{CastlingKind, Move};
use crate::pin::{Flank, Pin};
use crate::placement::Placement;
use crate::position::Position;
use crate::square::{RANKS, Square, forward};
use crate::square_set::SquareSet;

impl Position {
    /// Every legal move: pieces first, then boards, then castling.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| self.leaves_king_safe(mv));
        moves
    }

    /// The legal captures and promotions of pieces, and every promotion of a waiting pawn.
    pub(crate) fn tactical_moves(&self) -> Vec<Move> {
        if self.pending_promotion().is_some() {
            return self.legal_moves();
        }
        let mut moves = Vec::new();
        if self.activated.is_none() {
            let is_tactical = |plain| self.is_capture(plain) || self.promotes(plain);
            self.piece_moves(is_tactical, &mut moves);
            moves.retain(|&mv| self.leaves_king_safe(mv));
        }
        moves
    }

    pub fn is_legal(&self, mv: Move) -> bool {
        self.pseudo_legal_moves().contains(&mv) && self.leaves_king_safe(mv)
    }

    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_moves()
    }

    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_moves()
    }

    /// Moves that obey every rule but the safety of the king.
    pub(crate) fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(96);
        if let Some(pawn) = self.pending_promotion() {
            moves.extend(Role::PROMOTIONS.map(|role| Move::Promotion { pawn, role }));
            return moves;
        }
        if let Some(activated) = self.activated {
            self.board_moves(&mut moves);
            moves.retain(|mv| matches!(mv, Move::Board { from, .. } if *from == activated));
            return moves;
        }
        self.piece_moves(|_| true, &mut moves);
        self.board_moves(&mut moves);
        // `castle` has tested the king's safety itself; testing again costs little.
        let castlings = CastlingKind::ALL.map(|kind| self.castle(kind));
        moves.extend(castlings.into_iter().flatten().map(Move::Castle));
        moves
    }

    /// Pseudo-legal moves of pieces that satisfy a condition.
    fn piece_moves(&self, filter: impl Fn(Move) -> bool, moves: &mut Vec<Move>) {
        for from in self.placement.by_color(self.side_to_move) {
            for to in self.targets(from) {
                let plain = Move::Piece {
                    from,
                    to,
                    promotion: None,
                };
                if filter(plain) {
                    self.push_with_promotions(plain, moves);
                }
            }
        }
    }

    /// The pseudo-legal destinations of the piece on a square; none for an empty square.
    pub(crate) fn targets(&self, from: Square) -> SquareSet {
        let Some(piece) = self.piece_on(from) else {
            return SquareSet::EMPTY;
        };
        let attacked = self.placement.attacks(piece.color(), piece.role(), from);
        if piece.role() != Role::Pawn {
            return attacked & !self.placement.by_color(piece.color());
        }
        let mut targets = self.placement.by_color(!piece.color());
        if let Some(pawn) = self.en_passant
            && piece.color() == self.side_to_move
            && let Some(passed) = pawn.column().step(0, -forward(!self.side_to_move))
        {
            targets |= SquareSet::of_column(passed);
        }
        attacked & targets | self.pawn_steps(piece.color(), from)
    }

    /// The destinations of a pawn's single and double step. The double step passes over a column
    /// without a shadow, whether or not a square exists there.
    fn pawn_steps(&self, side: Color, from: Square) -> SquareSet {
        let ahead = forward(side);
        let free = !self.placement.occupied();
        let Some(one) = from.column().step(0, ahead) else {
            return SquareSet::EMPTY;
        };
        let mut steps = self.placement.on_column(one) & free;
        if self.is_unmoved(from)
            && !self.placement.has_shadow(one)
            && let Some(two) = one.step(0, ahead)
        {
            steps |= self.placement.on_column(two) & free;
        }
        steps
    }

    /// Adds a move, once per promotion if it promotes a pawn of the mover.
    pub(crate) fn push_with_promotions(&self, plain: Move, moves: &mut Vec<Move>) {
        if self.promotes(plain) {
            let choices = Role::PROMOTIONS.map(Some);
            moves.extend(choices.map(|promotion| plain.promoting(promotion)));
        } else {
            moves.push(plain);
        }
    }

    /// True if a move brings a pawn of the mover to its last rank, or leaves it there.
    pub(crate) fn promotes(&self, plain: Move) -> bool {
        match plain {
            Move::Piece { from, to, .. } => self.piece_on(from).is_some_and(|piece| {
                piece.role() == Role::Pawn && self.placement.promotes_on(piece.color(), to)
            }),
            Move::Board { from, to, .. } => {
                let mut placement = self.placement;
                placement.move_board(from, to);
                placement.promotable_pawn(self.side_to_move).is_some()
            }
            Move::Castle(_) | Move::Promotion { .. } => false,
        }
    }

    /// True if the mover's king is safe after a move, including from any promotion of an opposing
    /// pawn that the move uncovers.
    pub(crate) fn leaves_king_safe(&self, mv: Move) -> bool {
        matches!(mv, Move::Promotion { .. })
            || !self.after(mv).placement.in_check(self.side_to_move)
                && self.uncovered_attacker(mv).is_none()
    }

    /// The opposing pawn that a board move uncovers on its last rank, if it would attack the
    /// mover's king as a queen or a knight.
    pub(crate) fn uncovered_attacker(&self, mv: Move) -> Option<Square> {
        if !matches!(mv, Move::Board { .. }) {
            return None;
        }
        let next = self.after(mv);
        let pawn = next.pending_promotion()?;
        next.placement
            .could_attack(self.side_to_move, pawn)
            .then_some(pawn)
    }
}

/// The corner files, and the flank whose boards overhang them.
const fn corner_flank(file: u8) -> Option<Flank> {
    match file {
        1 => Some(Flank::Queen),
        4 => Some(Flank::King),
        _ => None,
    }
}

impl Placement {
    /// The rank on which pawns of a side promote on a file, which depends on the attack boards.
    pub(crate) fn last_rank(&self, side: Color, file: u8) -> u8 {
        // From White's point of view: attack boards end on rank 9, board B on rank 8.
        let furthest = match (file, corner_flank(file)) {
            (_, Some(flank)) if self.owner(Pin::home(flank, !side)).is_none() => 8,
            (_, Some(_)) | (0 | 5, _) => 9,
            _ => 8,
        };
        match side {
            Color::White => furthest,
            Color::Black => RANKS - 1 - furthest,
        }
    }

    /// True if a pawn of a side promotes on a square.
    pub(crate) fn promotes_on(&self, side: Color, square: Square) -> bool {
        square.rank() == self.last_rank(side, square.file())
    }

    /// A pawn on its last rank that has not been promoted.
    pub(crate) fn promotable_pawn(&self, side: Color) -> Option<Square> {
        self.pieces(side, Role::Pawn)
            .into_iter()
            .find(|&square| self.promotes_on(side, square))
    }

    /// True if a promoted pawn, whatever it becomes, could attack a side's king.
    pub(crate) fn could_attack(&self, side: Color, pawn: Square) -> bool {
        [Role::Queen, Role::Knight].into_iter().any(|role| {
            let mut chosen = *self;
            chosen.promote(pawn, role);
            chosen.in_check(side)
        })
    }
}

/// Returns the number of leaf nodes `depth` plies below a position, or `None` once `stop` is set.
/// The promotion of a waiting pawn is a ply of its own.
pub fn perft(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let moves = || position.legal_moves().into_iter();
    match depth {
        0 => Some(1),
        1 => Some(moves().len() as u64),
        _ => moves()
            .map(|mv| perft(&position.play_unchecked(mv), depth - 1, stop))
            .sum(),
    }
}
