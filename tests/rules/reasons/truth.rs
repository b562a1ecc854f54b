//! Whether the reason given for an illegal move is true.

use super::board::{has_shape, index, on_last_rank, steps};
use super::{Checker, Typed};
use movegen::{CastlingError, CastlingSide, Color, IllegalMove, Piece, Role, Square, Variant};

impl Checker<'_> {
    fn checkers(&self) -> Vec<Square> {
        self.board.attackers(self.board.king(self.us), !self.us)
    }

    /// Whether the piece could make the move but for the safety of its king.
    fn is_pseudo_legal(&self, Typed { from, to, .. }: Typed) -> bool {
        let Some(piece) = self.board.at(from) else {
            return false;
        };
        let target = self.board.at(to);
        let free = match piece.role() {
            Role::Pawn if steps(from, to).0 == 0 => target.is_none(),
            Role::Pawn => target.is_some() || self.position.en_passant() == Some(to),
            _ => true,
        };
        let own = target.is_some_and(|piece| piece.color() == self.us);
        free && !own && has_shape(piece, from, to) && self.board.between(from, to).is_empty()
    }

    pub(super) fn is_true(&self, typed: Typed, reason: IllegalMove) -> bool {
        let Typed {
            from,
            to,
            promotion,
        } = typed;
        let (board, us, them) = (&self.board, self.us, !self.us);
        let ours = |square| board.at(square).is_some_and(|piece| piece.color() == us);
        let shape = board
            .at(from)
            .is_some_and(|piece| has_shape(piece, from, to));
        let is_pawn = board.has(from, us, Role::Pawn);
        let is_king = board.has(from, us, Role::King);
        let sideways = steps(from, to).0 != 0;
        // The pawn that is captured en passant.
        let passed = index(to.index() as i32 + if us == Color::White { -8 } else { 8 });
        let attacked_after = |attacker| {
            let after = board.after(from, to);
            after.attacks(attacker, after.king(us))
        };
        match reason {
            IllegalMove::EmptySquare(square) => square == from && board.at(from).is_none(),
            IllegalMove::NotYourPiece { piece, square } => {
                square == from && board.at(from) == Some(piece) && piece.color() == them
            }
            IllegalMove::OwnPiece(square) => square == to && ours(from) && ours(to),
            IllegalMove::InvalidPromotion { .. } => {
                ours(from) && promotion.is_some() && !(is_pawn && on_last_rank(us, to))
            }
            IllegalMove::Unreachable { .. } => ours(from) && !shape,
            IllegalMove::Blocked { square, .. } => {
                let mut way = board.between(from, to);
                if is_pawn && board.at(to).is_some() {
                    way.push(to);
                }
                ours(from) && shape && !(is_pawn && sideways) && way.first() == Some(&square)
            }
            IllegalMove::NothingToCapture { .. } => {
                let sixth = if us == Color::White { 5 } else { 2 };
                let passed = board.has(passed, them, Role::Pawn) && to.index() / 8 == sixth;
                is_pawn && sideways && shape && board.at(to).is_none() && !passed
            }
            IllegalMove::NoEnPassant(square) => {
                let after = board.after(from, to).without(passed);
                is_pawn
                    && sideways
                    && shape
                    && square == passed
                    && board.has(passed, them, Role::Pawn)
                    && self.position.en_passant() != Some(to)
                    && after.attackers(after.king(us), them).is_empty()
            }
            IllegalMove::EnPassantCheck(attacker) => {
                let after = board.after(from, to).without(passed);
                let safe_now = !board.attacks(attacker, board.king(us));
                is_pawn && sideways && shape && safe_now && after.attacks(attacker, after.king(us))
            }
            IllegalMove::MissingPromotion(square) => {
                let queen = self.position.find_move(from, to, Some(Role::Queen));
                square == from && is_pawn && promotion.is_none() && queen.is_ok()
            }
            IllegalMove::KingAttacked {
                to: target,
                attacker,
            } => is_king && target == to && self.is_pseudo_legal(typed) && attacked_after(attacker),
            IllegalMove::InCheck(checker) => {
                let en_passant = is_pawn && sideways && board.has(passed, them, Role::Pawn);
                !is_king
                    && self.checkers() == [checker]
                    && (self.is_pseudo_legal(typed) || en_passant)
                    && attacked_after(checker)
            }
            IllegalMove::DoubleCheck(checkers) => {
                !is_king && self.checkers() == checkers && self.is_pseudo_legal(typed)
            }
            IllegalMove::Pinned { square, pinner, .. } => {
                let en_passant = is_pawn && sideways && board.has(passed, them, Role::Pawn);
                let checkers = self.checkers();
                square == from
                    && (self.is_pseudo_legal(typed) || en_passant)
                    && !checkers.contains(&pinner)
                    && board.without(from).attacks(pinner, board.king(us))
                    && attacked_after(pinner)
                    && !checkers.into_iter().any(attacked_after)
            }
            IllegalMove::Castling(error) => is_king && self.is_true_of_castling(error),
            // Not of a move from square to square, or a reason this does not know.
            _ => false,
        }
    }

    pub(super) fn is_true_of_castling(&self, error: CastlingError) -> bool {
        let (board, us, them) = (&self.board, self.us, !self.us);
        let king = board.king(us);
        let (standard_king, corners, targets) = match us {
            Color::White => (4, [7, 0], [(6, 5), (2, 3)]),
            Color::Black => (60, [63, 56], [(62, 61), (58, 59)]),
        };
        let standard = self.variant == Variant::Standard;
        let rook = |side| self.position.castling_rights().rook(us, side, king);
        let at = |side: CastlingSide, [kingside, queenside]: [usize; 2]| match side {
            CastlingSide::King => kingside,
            CastlingSide::Queen => queenside,
        };
        let is_rook = |square| board.has(square, us, Role::Rook);
        let beside: Vec<(CastlingSide, Square)> = Square::all()
            .filter(|&square| is_rook(square) && steps(king, square).1 == 0)
            .map(|square| (CastlingSide::of(king, square), square))
            .collect();
        let has_rook = |wanted| beside.iter().any(|&(side, _)| side == wanted);
        match error {
            CastlingError::NoRight { color, side } => {
                let home = index(at(side, corners) as i32);
                let at_home = if standard {
                    king.index() == standard_king && is_rook(home)
                } else {
                    king.index() / 8 == standard_king / 8 && has_rook(side)
                };
                color == us && rook(side).is_none() && at_home
            }
            CastlingError::KingNotHome {
                king: square, home, ..
            } => {
                let expected = standard.then(|| index(standard_king as i32));
                let away = king.index() / 8 != standard_king / 8;
                square == king && home == expected && (standard && home != Some(king) || away)
            }
            CastlingError::NoRook { side } => !standard && !has_rook(side),
            CastlingError::RookNotHome { side, home, found } => {
                standard
                    && home.index() == at(side, corners)
                    && found == board.at(home)
                    && !is_rook(home)
            }
            CastlingError::OtherRook { side, square, home } => {
                !standard
                    && is_rook(square)
                    && is_rook(home)
                    && rook(side) == Some(home)
                    && square != home
            }
            CastlingError::Blocked { side, square } => {
                rook(side).is_some_and(|rook| rook != square)
                    && king != square
                    && board.at(square).is_some()
            }
            CastlingError::InCheck { side, checker } => {
                rook(side).is_some() && board.attacks(checker, king)
            }
            CastlingError::Attacked { side, square } => {
                let Some(rook) = rook(side) else { return false };
                let (king_target, rook_target) = match side {
                    CastlingSide::King => targets[0],
                    CastlingSide::Queen => targets[1],
                };
                let mut tried = board.without(king);
                if square == index(king_target) {
                    tried = tried.after(rook, index(rook_target));
                }
                tried.place(Piece::new(us, Role::King), square);
                self.checkers().is_empty() && !tried.attackers(square, them).is_empty()
            }
            _ => false,
        }
    }
}
