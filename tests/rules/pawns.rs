//! Pawn moves: double pushes, en passant, promotion.

use crate::positions::{Builder, after, square, standard};
use movegen::{Color, Move, MoveKind, Piece, Position, Role, Variant};

fn uci_moves(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|mv| mv.uci(Variant::Standard).to_string())
        .collect();
    texts.sort();
    texts
}

fn en_passant_moves(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    moves
        .iter()
        .copied()
        .filter(|mv| mv.is_en_passant())
        .collect()
}

#[test]
fn en_passant_captures_the_pawn_that_just_moved_two_squares() {
    for color in Color::ALL {
        for (ours, theirs, double, capture) in [
            ("e5", "d7", "d7d5", "e5d6"),
            ("e5", "f7", "f7f5", "e5f6"),
            ("a5", "b7", "b7b5", "a5b6"),
            ("h5", "g7", "g7g5", "h5g6"),
        ] {
            let builder = Builder::kings(color, "e1", "e8")
                .ours(Role::Pawn, ours)
                .theirs(Role::Pawn, theirs)
                .opponent_to_move();
            let pushed = builder.after(double);
            let landing = builder.square(&capture[2..]);
            assert_eq!(pushed.en_passant(), Some(landing));
            let expected = Move::en_passant(builder.square(ours), landing);
            assert_eq!(en_passant_moves(&pushed), [expected]);
            assert!(pushed.noisy_moves().contains(&expected));
            let captured = after(&pushed, &builder.moves(capture));
            assert_eq!(
                captured.piece_on(landing),
                Some(Piece::new(color, Role::Pawn))
            );
            assert!(captured.pieces(!color, Role::Pawn).is_empty());
            assert_eq!(captured.en_passant(), None);
        }
    }
}

#[test]
fn en_passant_by_two_pawns() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "e8")
            .ours(Role::Pawn, "c5")
            .ours(Role::Pawn, "e5")
            .theirs(Role::Pawn, "d7")
            .opponent_to_move();
        let pushed = builder.after("d7d5");
        assert_eq!(en_passant_moves(&pushed).len(), 2);
    }
}

#[test]
fn en_passant_only_on_the_next_move() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "e8")
            .ours(Role::Pawn, "e5")
            .theirs(Role::Pawn, "d7")
            .opponent_to_move();
        let later = builder.after("d7d5 e1e2 e8e7");
        assert!(en_passant_moves(&later).is_empty());
        assert_eq!(later.en_passant(), None);
    }
}

#[test]
fn no_en_passant_after_a_single_step() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "e8")
            .ours(Role::Pawn, "e5")
            .theirs(Role::Pawn, "d6")
            .opponent_to_move();
        let position = builder.after("d6d5");
        assert!(en_passant_moves(&position).is_empty());
    }
}

#[test]
fn no_en_passant_across_the_edge_of_the_board() {
    for color in Color::ALL {
        for (ours, double) in [("a5", "h7h5"), ("h5", "a7a5"), ("a6", "h7h5")] {
            let builder = Builder::kings(color, "e1", "e8")
                .ours(Role::Pawn, ours)
                .theirs(Role::Pawn, &double[..2])
                .opponent_to_move();
            let position = builder.after(double);
            assert_eq!(position.en_passant(), None);
            assert!(en_passant_moves(&position).is_empty());
        }
    }
}

#[test]
fn no_en_passant_that_exposes_the_king() {
    for (fen, why) in [
        (
            "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
            "two pawns leave the rank",
        ),
        (
            "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1",
            "two pawns leave the rank",
        ),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "pinned on a file"),
        (
            "4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",
            "pinned on the other diagonal",
        ),
        (
            "4k3/1b6/8/3pP3/8/8/6K1/8 w - d6 0 1",
            "the captured pawn shields a diagonal",
        ),
        (
            "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
            "two pawns leave the rank",
        ),
        ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "pinned on a file"),
    ] {
        let position = standard(fen);
        assert_eq!(position.en_passant(), None, "{fen}: {why}");
        assert!(en_passant_moves(&position).is_empty(), "{fen}: {why}");
    }
}

#[test]
fn en_passant_along_a_pin_is_legal() {
    let position = standard("4k3/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1");
    assert_eq!(position.pinned().count(), 1);
    assert_eq!(en_passant_moves(&position).len(), 1);
}

#[test]
fn en_passant_resolves_the_check_of_the_captured_pawn() {
    let position = standard("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    assert!(position.in_check());
    assert!(uci_moves(&position).contains(&"e4d3".to_owned()));
}

#[test]
fn en_passant_does_not_resolve_another_check() {
    let position = standard("7k/3p4/8/K3P2b/8/8/8/8 b - - 0 1");
    let checked = after(&position, "h5e8 a5a4 d7d5");
    assert!(checked.in_check());
    assert!(en_passant_moves(&checked).is_empty());
    assert_eq!(checked.en_passant(), None);
}

#[test]
fn promotion_to_each_of_four() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "e6").ours(Role::Pawn, "b7");
        let position = builder.position();
        for role in Role::PROMOTIONS {
            let (from, to) = (builder.square("b7"), builder.square("b8"));
            let mv = Move::promotion(from, to, role);
            assert!(position.is_legal(mv));
            let promoted = position.try_play(mv).expect("it is legal");
            assert_eq!(promoted.piece_on(to), Some(Piece::new(color, role)));
            assert_eq!(promoted.piece_on(from), None);
            assert!(promoted.role(Role::Pawn).is_empty());
        }
        let promotions = position.legal_moves();
        let promotions = promotions.iter().filter(|mv| mv.is_promotion());
        assert_eq!(promotions.count(), 4);
        assert_eq!(position.noisy_moves().len(), 4);
    }
}

#[test]
fn promotion_with_capture_to_both_sides() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "e6")
            .ours(Role::Pawn, "b7")
            .theirs(Role::Rook, "a8")
            .theirs(Role::Knight, "b8")
            .theirs(Role::Bishop, "c8");
        let position = builder.position();
        let targets: Vec<_> = position
            .legal_moves()
            .iter()
            .filter(|mv| matches!(mv.kind(), MoveKind::Promotion(_)))
            .map(|mv| mv.to())
            .collect();
        assert_eq!(targets.len(), 8);
        assert!(
            !targets.contains(&builder.square("b8")),
            "a pawn does not capture forwards"
        );
    }
}

#[test]
fn a_pawn_must_promote_on_the_last_rank() {
    let position = standard("8/1P6/4k3/8/8/8/8/4K3 w - - 0 1");
    for role in [Role::Pawn, Role::King] {
        let as_queen = Move::promotion(square("b7"), square("b8"), role);
        assert_eq!(as_queen.promotion_role(), Some(Role::Queen));
    }
    let plain = Move::normal(square("b7"), square("b8"));
    assert!(!position.is_legal(plain));
}

#[test]
fn promotion_only_on_the_last_rank() {
    let position = standard("8/8/1P2k3/8/8/8/8/4K3 w - - 0 1");
    for role in Role::PROMOTIONS {
        let mv = Move::promotion(square("b6"), square("b7"), role);
        assert!(!position.is_legal(mv));
    }
}

#[test]
fn a_pinned_pawn_promotes_only_along_its_pin() {
    let on_a_file = standard("1r6/1P6/4k3/8/8/8/8/1K6 w - - 0 1");
    assert!(on_a_file.noisy_moves().is_empty());
    let on_a_diagonal = standard("2b5/1P6/K3k3/8/8/8/8/8 w - - 0 1");
    let moves = uci_moves(&on_a_diagonal);
    assert!(moves.contains(&"b7c8q".to_owned()));
    assert!(!moves.contains(&"b7b8q".to_owned()));
}

#[test]
fn double_pushes_only_from_the_home_rank_over_empty_squares() {
    for color in Color::ALL {
        let builder = Builder::kings(color, "e1", "e8")
            .ours(Role::Pawn, "a2")
            .ours(Role::Pawn, "b2")
            .ours(Role::Pawn, "c2")
            .ours(Role::Pawn, "d3")
            .theirs(Role::Knight, "b3")
            .theirs(Role::Knight, "c4");
        let moves = uci_moves(&builder.position());
        let legal = |mv: &str| moves.contains(&builder.moves(mv));
        assert!(legal("a2a3") && legal("a2a4") && legal("c2c3") && legal("d3d4"));
        assert!(!legal("b2b3") && !legal("b2b4") && !legal("c2c4") && !legal("d3d5"));
    }
}
