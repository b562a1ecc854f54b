//! Pawn moves: double pushes, en passant, promotion.

use crate::positions::{after, rows_for_both_colors, square, standard};
use movegen::{Move, Piece, Position, Role, Variant};

fn en_passant_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|mv| mv.is_en_passant());
    moves
}

#[test]
fn en_passant_captures_the_pawn_that_just_moved_two_squares() {
    for [fen, double, capture] in rows_for_both_colors(
        "
        4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1 | d7d5 | e5d6
        4k3/5p2/8/4P3/8/8/8/4K3 b - - 0 1 | f7f5 | e5f6
        4k3/1p6/8/P7/8/8/8/4K3 b - - 0 1  | b7b5 | a5b6
        4k3/6p1/8/7P/8/8/8/4K3 b - - 0 1  | g7g5 | h5g6
        ",
    ) {
        let pushed = after(&standard(&fen), &double);
        let us = pushed.side_to_move();
        let landing = square(&capture[2..]);
        assert_eq!(pushed.en_passant(), Some(landing));
        let expected = Move::en_passant(square(&capture[..2]), landing);
        assert_eq!(en_passant_moves(&pushed), [expected]);
        assert!(pushed.noisy_moves().contains(&expected));
        let captured = after(&pushed, &capture);
        let pawn = Piece::new(us, Role::Pawn);
        assert_eq!(captured.piece_on(landing), Some(pawn));
        assert!(captured.pieces(!us, Role::Pawn).is_empty());
        assert_eq!(captured.en_passant(), None);
    }
}

/// The number of en passant captures, and the en passant square if there is one.
#[test]
fn when_en_passant_is_legal() {
    for [fen, moves, why, count] in rows_for_both_colors(
        "
        4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1  | d7d5           | two pawns can capture                | 2
        4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1    | d7d5 e1e2 e8e7 | only on the next move                | 0
        4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1    | d6d5           | a single step                        | 0
        4k3/7p/8/P7/8/8/8/4K3 b - - 0 1      | h7h5           | across the edge                      | 0
        4k3/p7/8/7P/8/8/8/4K3 b - - 0 1      | a7a5           | across the edge                      | 0
        4k3/7p/P7/8/8/8/8/4K3 b - - 0 1      | h7h5           | across the edge                      | 0
        4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1    |                | two pawns leave the rank             | 0
        4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1    |                | two pawns leave the rank             | 0
        4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1  |                | pinned on a file                     | 0
        4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1  |                | pinned on the other diagonal         | 0
        4k3/1b6/8/3pP3/8/8/6K1/8 w - d6 0 1  |                | the captured pawn shields a diagonal | 0
        8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1    |                | two pawns leave the rank             | 0
        3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1   |                | pinned on a file                     | 0
        4k3/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1  |                | along a pin                          | 1
        8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1    |                | captures the checking pawn           | 1
        7k/3p4/8/K3P2b/8/8/8/8 b - - 0 1     | h5e8 a5a4 d7d5 | does not resolve another check       | 0
        ",
    ) {
        let position = after(&standard(&fen), &moves);
        let found = en_passant_moves(&position).len();
        assert_eq!(found.to_string(), count, "{fen} {moves}: {why}");
        assert_eq!(position.en_passant().is_some(), found > 0, "{fen}: {why}");
        let checked = why.contains("check");
        assert_eq!(position.in_check(), checked, "{fen} {moves}: {why}");
        let pinned = u32::from(why == "along a pin");
        assert!(position.pinned().count() >= pinned, "{fen}: {why}");
    }
}

#[test]
fn promotion_to_each_of_four() {
    for [fen, from, to] in rows_for_both_colors("8/1P6/4k3/8/8/8/8/4K3 w - - 0 1 | b7 | b8") {
        let position = standard(&fen);
        let (from, to) = (square(&from), square(&to));
        for role in Role::PROMOTIONS {
            let mv = Move::promotion(from, to, role);
            assert!(position.is_legal(mv));
            let promoted = position.try_play(mv).expect("legal");
            let piece = Piece::new(position.side_to_move(), role);
            assert_eq!(promoted.piece_on(to), Some(piece));
            assert_eq!(promoted.piece_on(from), None);
            assert!(promoted.role(Role::Pawn).is_empty());
        }
        let moves = position.legal_moves();
        assert_eq!(moves.iter().filter(|mv| mv.is_promotion()).count(), 4);
        assert_eq!(position.noisy_moves().len(), 4);
        assert!(!position.is_legal(Move::normal(from, to)), "must promote");
        for role in [Role::Pawn, Role::King] {
            let as_queen = Move::promotion(from, to, role);
            assert_eq!(as_queen.promotion_role(), Some(Role::Queen));
        }
    }
    let too_early = standard("8/8/1P2k3/8/8/8/8/4K3 w - - 0 1");
    for role in Role::PROMOTIONS {
        let mv = Move::promotion(square("b6"), square("b7"), role);
        assert!(!too_early.is_legal(mv));
    }
}

#[test]
fn legal_and_illegal_pawn_moves() {
    for [fen, legal, illegal, promotions] in rows_for_both_colors(
        "
        4k3/8/8/8/2n5/1n1P4/PPP5/4K3 w - - 0 1 | a2a3 a2a4 c2c3 d3d4 | b2b3 b2b4 c2c4 d3d5 | 0
        rnb5/1P6/4k3/8/8/8/8/4K3 w - - 0 1     | b7a8q b7c8n         | b7b8q b7a8 b7c8     | 8
        1r6/1P6/4k3/8/8/8/8/1K6 w - - 0 1      |                     | b7b8q b7a8q b7c8q   | 0
        2b5/1P6/K3k3/8/8/8/8/8 w - - 0 1       | b7c8q               | b7b8q               | 4
        ",
    ) {
        let position = standard(&fen);
        let moves = position.legal_moves();
        let uci = |mv: &Move| mv.uci(Variant::Standard).to_string();
        let texts: Vec<String> = moves.iter().map(uci).collect();
        for mv in legal.split_whitespace() {
            assert!(texts.iter().any(|text| text == mv), "{fen} {mv}");
        }
        for mv in illegal.split_whitespace() {
            assert!(texts.iter().all(|text| text != mv), "{fen} {mv}");
        }
        let found = moves.iter().filter(|mv| mv.is_promotion()).count();
        assert_eq!(found.to_string(), promotions, "{fen}");
    }
}
