//! The reason given for an illegal move is true of the board, seen square by square.

use super::reference::{attackers, attacks_from, checkers, king, mailbox};
use movegen::{
    Attackers, Bitboard, CastlingError, CastlingSide, Color, IllegalMove, Piece, Position, Rank,
    Role, Square, Variant,
};

/// The squares between two on a line; any on none.
fn between(from: Square, to: Square) -> Vec<Square> {
    let files = to.file().index() as i8 - from.file().index() as i8;
    let ranks = to.rank().index() as i8 - from.rank().index() as i8;
    (1..files.abs().max(ranks.abs()))
        .filter_map(|step| from.try_offset(files.signum() * step, ranks.signum() * step))
        .collect()
}

/// True if these are the pieces of a color on `squares`, each with its role.
fn names(pieces: &[Option<Piece>; 64], color: Color, named: Attackers, squares: Bitboard) -> bool {
    let is_right = |role, square: Square| pieces[square.index()] == Some(Piece::new(color, role));
    let mut each = named.iter();
    named.squares() == squares && each.all(|named| is_right(named.role, named.square))
}

pub(super) fn is_true(
    position: &Position,
    (from, to, promotion): (Square, Square, Option<Role>),
    reason: IllegalMove,
) -> bool {
    let pieces = mailbox(position);
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    let Some(piece) = pieces[from.index()] else {
        return reason == IllegalMove::EmptySquare(from);
    };
    if piece.color() == them {
        let square = from;
        return reason == IllegalMove::NotYourPiece { piece, square };
    }
    let role = piece.role();
    let target = pieces[to.index()];
    let is_pawn = role == Role::Pawn;
    let is_straight = is_pawn && from.file() == to.file();
    let is_capture = is_pawn && !is_straight;
    // How the piece moves, whatever else is on the board.
    let shape = if is_straight {
        let forward = if us == Color::White { 1 } else { -1 };
        let is_home = from.rank() == Rank::Second.relative(us);
        from.try_offset(0, forward) == Some(to)
            || is_home && from.try_offset(0, 2 * forward) == Some(to)
    } else {
        let mut alone = [None; 64];
        alone[from.index()] = Some(piece);
        attacks_from(&alone, from).contains(&to)
    };
    let mut way = match role {
        Role::Knight => Vec::new(),
        _ => between(from, to),
    };
    way.extend(is_straight.then_some(to));
    let blocker = way
        .into_iter()
        .find(|square| pieces[square.index()].is_some());
    let beside = Square::new(to.file(), from.rank());
    let is_sixth = to.rank() == Rank::Sixth.relative(us);
    let passes = is_capture
        && shape
        && is_sixth
        && target.is_none()
        && pieces[beside.index()] == Some(Piece::new(them, Role::Pawn));
    let is_ours = target.is_some_and(|piece| piece.color() == us);
    let could_move =
        shape && !is_ours && blocker.is_none() && (!is_capture || target.is_some() || passes);
    let before = checkers(&pieces, us);
    let after = || {
        let mut after = pieces;
        after[to.index()] = after[from.index()].take();
        if passes {
            after[beside.index()] = None;
        }
        checkers(&after, us)
    };
    let pinners = || {
        let mut without = pieces;
        without[from.index()] = None;
        checkers(&without, us) & !before
    };
    let is_king = role == Role::King;
    let named = (role, from, to);
    let are_theirs = |named, squares| names(&pieces, them, named, squares);
    match reason {
        IllegalMove::OwnPiece(square) => square == to && is_ours,
        IllegalMove::Unreachable { role, from, to } => named == (role, from, to) && !shape,
        IllegalMove::Blocked {
            role,
            from,
            to,
            square,
        } => named == (role, from, to) && shape && !is_capture && blocker == Some(square),
        IllegalMove::NothingToCapture { from, to } => {
            named == (role, from, to) && is_capture && shape && target.is_none() && !passes
        }
        IllegalMove::NoEnPassant { pawn, came_with } => {
            came_with.is_none()
                && passes
                && pawn == beside
                && position.en_passant() != Some(to)
                && after().is_empty()
        }
        IllegalMove::InvalidPromotion { role, from, to } => {
            let promotes = is_pawn && to.rank() == Rank::Eighth.relative(us);
            named == (role, from, to) && promotion.is_some() && !promotes
        }
        IllegalMove::MissingPromotion(square) => {
            let is_last = to.rank() == Rank::Eighth.relative(us);
            square == from
                && is_pawn
                && is_last
                && promotion.is_none()
                && could_move
                && after().is_empty()
        }
        IllegalMove::KingAttacked {
            to: square,
            attackers,
        } => is_king && could_move && square == to && are_theirs(attackers, after()),
        IllegalMove::InCheck(checkers) => {
            let remains = (after() & before).any();
            !is_king && could_move && remains && before.count() == 1 && are_theirs(checkers, before)
        }
        IllegalMove::DoubleCheck(checkers) => {
            !is_king && could_move && before.count() > 1 && are_theirs(checkers, before)
        }
        IllegalMove::Pinned(pin) => {
            could_move
                && (pin.role, pin.square) == (role, from)
                && are_theirs(pin.pinner.into(), pinners())
                && after().has(pin.pinner.square)
                && pin.line.has(from)
                && !pin.line.has(to)
        }
        IllegalMove::EnPassantCheck(attackers) => {
            passes && are_theirs(attackers, after() & !before & !pinners())
        }
        IllegalMove::Castling(error) => is_king && is_true_of_castling(position, error),
        _ => false,
    }
}

pub(super) fn is_true_of_castling(position: &Position, error: CastlingError) -> bool {
    let pieces = mailbox(position);
    let us = position.side_to_move();
    let king = king(&pieces, us);
    let right = |side| position.castling_rights().rook(us, side, king);
    let is_rook = |square: Square| pieces[square.index()] == Some(Piece::new(us, Role::Rook));
    let is_on_side = |square: Square| CastlingSide::of(king, square) == error.side();
    // The rook that castles, or would with the right to.
    let home = right(error.side()).or_else(|| {
        let first_rank = Square::all().filter(|&square| square.rank() == king.rank());
        let mut rooks = first_rank.filter(|&square| is_rook(square) && is_on_side(square));
        match error.side() {
            CastlingSide::King => rooks.next_back(),
            CastlingSide::Queen => rooks.next(),
        }
    });
    let is_standard = position.variant() == Variant::Standard;
    let first_rank = Rank::First.relative(us);
    match error {
        CastlingError::NoRight { color, side } => color == us && right(side).is_none(),
        CastlingError::KingNotHome { king: square, .. } => {
            let is_home = if is_standard {
                square == Square::E1.relative(us)
            } else {
                square.rank() == first_rank
            };
            square == king && !is_home
        }
        CastlingError::NoRook { side } => !Square::all().any(|square| {
            is_rook(square) && square.rank() == first_rank && CastlingSide::of(king, square) == side
        }),
        CastlingError::RookNotHome { side, home, found } => {
            let corner = match side {
                CastlingSide::King => Square::H1,
                CastlingSide::Queen => Square::A1,
            };
            home == corner.relative(us) && found == pieces[home.index()] && !is_rook(home)
        }
        CastlingError::OtherRook { side, square, home } => {
            right(side) == Some(home) && is_rook(square) && square != home
        }
        CastlingError::Blocked { side, square } => home.is_some_and(|rook| {
            let ends = [(king, side.king_target(us)), (rook, side.rook_target(us))];
            let is_crossed = ends
                .iter()
                .any(|&(from, to)| square == to || between(from, to).contains(&square));
            is_crossed && square != king && square != rook && pieces[square.index()].is_some()
        }),
        CastlingError::InCheck { checkers: by, .. } => {
            let checkers = checkers(&pieces, us);
            checkers.any() && names(&pieces, !us, by, checkers)
        }
        CastlingError::Attacked {
            side,
            square,
            attackers: by,
        } => home.is_some_and(|rook| {
            let mut after = pieces;
            let king = after[king.index()].take();
            if square == side.king_target(us) {
                let rook = after[rook.index()].take();
                // A piece in the way stands where it is.
                let target = &mut after[side.rook_target(us).index()];
                *target = target.or(rook);
            }
            after[square.index()] = king;
            let attackers = attackers(&after, !us, square);
            attackers.any() && names(&pieces, !us, by, attackers)
        }),
        _ => false,
    }
}
