//! En passant and promotion, complete.

use crate::scene::{Scene, after, square, standard};
use movegen::{Color, Move, MoveKind, Piece, Position, Role, Variant};

fn texts(position: &Position) -> Vec<String> {
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
fn en_passant_takes_the_pawn_that_passed() {
    for color in Color::ALL {
        for (ours, theirs, double, take) in [
            ("e5", "d7", "d7d5", "e5d6"),
            ("e5", "f7", "f7f5", "e5f6"),
            ("a5", "b7", "b7b5", "a5b6"),
            ("h5", "g7", "g7g5", "h5g6"),
        ] {
            let scene = Scene::kings(color, "e1", "e8")
                .ours(Role::Pawn, ours)
                .theirs(Role::Pawn, theirs)
                .their_turn();
            let passed = after(&scene.position(), &scene.moves(double));
            let landing = scene.square(&take[2..]);
            assert_eq!(passed.en_passant(), Some(landing));
            let expected = Move::en_passant(scene.square(ours), landing);
            assert_eq!(en_passant_moves(&passed), [expected]);
            assert!(passed.noisy_moves().contains(&expected));
            let taken = after(&passed, &scene.moves(take));
            assert_eq!(taken.piece_on(landing), Some(Piece::new(color, Role::Pawn)));
            assert!(taken.pieces(!color, Role::Pawn).is_empty());
            assert_eq!(taken.en_passant(), None);
        }
    }
}

#[test]
fn en_passant_by_two_pawns() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8")
            .ours(Role::Pawn, "c5")
            .ours(Role::Pawn, "e5")
            .theirs(Role::Pawn, "d7")
            .their_turn();
        let passed = after(&scene.position(), &scene.moves("d7d5"));
        assert_eq!(en_passant_moves(&passed).len(), 2);
    }
}

#[test]
fn en_passant_only_at_once() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8")
            .ours(Role::Pawn, "e5")
            .theirs(Role::Pawn, "d7")
            .their_turn();
        let later = after(&scene.position(), &scene.moves("d7d5 e1e2 e8e7"));
        assert!(en_passant_moves(&later).is_empty());
        assert_eq!(later.en_passant(), None);
    }
}

#[test]
fn no_en_passant_after_a_single_step() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8")
            .ours(Role::Pawn, "e5")
            .theirs(Role::Pawn, "d6")
            .their_turn();
        let position = after(&scene.position(), &scene.moves("d6d5"));
        assert!(en_passant_moves(&position).is_empty());
    }
}

#[test]
fn no_en_passant_across_the_edge_of_the_board() {
    for color in Color::ALL {
        for (ours, double) in [("a5", "h7h5"), ("h5", "a7a5"), ("a6", "h7h5")] {
            let scene = Scene::kings(color, "e1", "e8")
                .ours(Role::Pawn, ours)
                .theirs(Role::Pawn, &double[..2])
                .their_turn();
            let position = after(&scene.position(), &scene.moves(double));
            assert_eq!(position.en_passant(), None);
            assert!(en_passant_moves(&position).is_empty());
        }
    }
}

#[test]
fn no_en_passant_that_uncovers_the_king() {
    for (fen, why) in [
        (
            "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
            "two men leave the rank",
        ),
        (
            "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1",
            "two men leave the rank",
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
            "two men leave the rank",
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
fn en_passant_meets_the_check_of_the_pawn_that_passed() {
    let position = standard("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    assert!(position.in_check());
    assert!(texts(&position).contains(&"e4d3".to_owned()));
}

#[test]
fn en_passant_does_not_meet_another_check() {
    let opened = standard("7k/3p4/8/K3P2b/8/8/8/8 b - - 0 1");
    let checked = after(&opened, "h5e8 a5a4 d7d5");
    assert!(checked.in_check());
    assert!(en_passant_moves(&checked).is_empty());
    assert_eq!(checked.en_passant(), None);
}

#[test]
fn promotion_to_each_of_four() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e6").ours(Role::Pawn, "b7");
        let position = scene.position();
        for role in Role::PROMOTIONS {
            let (from, to) = (scene.square("b7"), scene.square("b8"));
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
        let scene = Scene::kings(color, "e1", "e6")
            .ours(Role::Pawn, "b7")
            .theirs(Role::Rook, "a8")
            .theirs(Role::Knight, "b8")
            .theirs(Role::Bishop, "c8");
        let position = scene.position();
        let targets: Vec<_> = position
            .legal_moves()
            .iter()
            .filter(|mv| matches!(mv.kind(), MoveKind::Promotion(_)))
            .map(|mv| mv.to())
            .collect();
        assert_eq!(targets.len(), 8);
        assert!(
            !targets.contains(&scene.square("b8")),
            "a pawn does not take forwards"
        );
    }
}

#[test]
fn a_pawn_does_not_stay_a_pawn_on_the_last_rank() {
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
    let texts = texts(&on_a_diagonal);
    assert!(texts.contains(&"b7c8q".to_owned()));
    assert!(!texts.contains(&"b7b8q".to_owned()));
}

#[test]
fn double_steps_only_from_home_over_empty_squares() {
    for color in Color::ALL {
        let scene = Scene::kings(color, "e1", "e8")
            .ours(Role::Pawn, "a2")
            .ours(Role::Pawn, "b2")
            .ours(Role::Pawn, "c2")
            .ours(Role::Pawn, "d3")
            .theirs(Role::Knight, "b3")
            .theirs(Role::Knight, "c4");
        let texts = texts(&scene.position());
        let may = |mv: &str| texts.contains(&scene.moves(mv));
        assert!(may("a2a3") && may("a2a4") && may("c2c3") && may("d3d4"));
        assert!(!may("b2b3") && !may("b2b4") && !may("c2c4") && !may("d3d5"));
    }
}
