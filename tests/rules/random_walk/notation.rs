//! Moves are the same, and illegal for the same reason, in every notation that names them.

use movegen::{
    CastlingSide, IllegalMove, Move, Piece, Position, Role, SanError, Square, UciMoveError,
};

/// The result of a text, in UCI notation or else SAN, without the quoted text.
fn result(position: &Position, text: &str) -> Result<Move, IllegalMove> {
    match position.move_from_uci(text) {
        Ok(mv) => Ok(mv),
        Err(UciMoveError::Illegal { reasons, .. }) => Err(reasons.first()),
        Err(_) => match position.move_from_san(text) {
            Ok(mv) => Ok(mv),
            Err(SanError::Illegal { reasons, .. }) => Err(reasons.first()),
            Err(error) => panic!("{position}: {error}"),
        },
    }
}

/// All texts that name both squares give the result of `find_move`.
pub(super) fn check_complete_texts(
    position: &Position,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) {
    let expected = position.find_move(from, to, promotion);
    let uci = promotion.map_or(String::new(), |role| role.letter().to_string());
    let san = promotion.map_or(String::new(), |role| {
        format!("={}", role.letter().to_ascii_uppercase())
    });
    let mut texts = vec![
        format!("{from}{to}{uci}"),
        format!("{from}{to}{san}"),
        format!("{from}-{to}{san}"),
        format!("{from}x{to}{san}+"),
    ];
    let piece = position
        .piece_on(from)
        .filter(|piece| piece.color() == position.side_to_move() && piece.role() != Role::Pawn);
    let is_castling = expected.is_ok_and(Move::is_castling);
    if let Some(piece) = piece.filter(|_| promotion.is_none() && !is_castling) {
        let letter = piece.role().letter().to_ascii_uppercase();
        texts.push(format!("{letter}{from}{to}"));
        texts.push(format!("{letter}{from}x{to}!?"));
    }
    for text in texts {
        assert_eq!(result(position, &text), expected, "{position} {text}");
    }
}

/// A text without the origin gives the results of the pieces it can mean.
pub(super) fn check_short_text(position: &Position, role: Role, to: Square) {
    let text = match role {
        Role::Pawn => to.to_string(),
        _ => format!("{}{to}", role.letter().to_ascii_uppercase()),
    };
    let piece = Piece::new(position.side_to_move(), role);
    let results: Vec<Result<Move, IllegalMove>> = Square::all()
        .filter(|&from| position.piece_on(from) == Some(piece))
        .filter(|&from| role != Role::Pawn || from.file() == to.file())
        .map(|from| match position.find_move(from, to, None) {
            Ok(mv) if mv.is_castling() => Err(IllegalMove::CastlingAsKingMove(CastlingSide::of(
                from,
                mv.to(),
            ))),
            result => result,
        })
        .collect();
    let legal: Vec<Move> = results.iter().filter_map(|result| result.ok()).collect();
    let reasons: Vec<IllegalMove> = results.iter().filter_map(|result| result.err()).collect();
    let is_unreachable = |reason: &IllegalMove| matches!(reason, IllegalMove::Unreachable { .. });
    let place = format!("{position} {text}");
    match (legal.as_slice(), position.move_from_san(&text)) {
        ([mv], Ok(found)) => assert_eq!(found, *mv, "{place}"),
        ([_, _, ..], Err(SanError::Ambiguous { moves, .. })) => {
            let read = moves.iter().map(|san| position.move_from_san(san));
            assert_eq!(read.collect::<Result<Vec<_>, _>>(), Ok(legal), "{place}");
        }
        ([], Err(SanError::NoSuchPiece { .. })) => assert!(results.is_empty(), "{place}"),
        ([], Err(SanError::Unreachable { .. })) => {
            let several = reasons.len() > 1;
            assert!(several && reasons.iter().all(is_unreachable), "{place}");
        }
        ([], Err(SanError::Illegal { reasons: found, .. })) => {
            let reason = found.first();
            assert!(reasons.contains(&reason), "{place}");
            let is_only = reasons.len() == 1;
            assert!(is_only || !is_unreachable(&reason), "{place}: {reason}");
        }
        ([], Err(SanError::NoneLegal { reasons: found, .. })) => {
            let are_known = found.iter().all(|reason| reasons.contains(reason));
            assert!(found.len() > 1 && are_known, "{place}");
        }
        (_, found) => panic!("{place}: {found:?}, expected {results:?}"),
    }
}

/// Castling in every spelling gives the result of `castling_move`.
pub(super) fn check_castling_texts(position: &Position) {
    for (side, texts) in [
        (CastlingSide::King, ["O-O", "0-0", "o-o+"]),
        (CastlingSide::Queen, ["O-O-O", "0-0-0", "o-o-o#"]),
    ] {
        let expected = position.castling_move(side).map_err(IllegalMove::from);
        for text in texts {
            assert_eq!(result(position, text), expected, "{position} {text}");
        }
    }
}
