//! How games end without a claim, and how outcomes are displayed.

use crate::positions::standard;
use movegen::{Claim, Color, Game, Outcome, PlayError, Position};

#[track_caller]
fn assert_outcome(fen: &str, expected: Option<Outcome>) {
    assert_eq!(Game::new(standard(fen)).outcome(), expected, "{fen}");
}

#[test]
fn checkmate() {
    let (white, black) = (Color::White, Color::Black);
    for (fen, winner) in [
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            black,
        ),
        (
            "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
            white,
        ),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", white),
        ("6rk/5Npp/8/8/8/8/8/4K3 b - - 0 1", white),
        ("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", black),
    ] {
        assert!(standard(fen).is_checkmate());
        assert!(!standard(fen).is_stalemate());
        assert_outcome(fen, Some(Outcome::Checkmate { winner }));
    }
}

#[test]
fn check_that_can_be_resolved_is_not_mate() {
    for fen in [
        "R5k1/5pp1/7p/8/8/8/8/4K3 b - - 0 1",
        "R5k1/3r1ppp/8/8/8/8/8/4K3 b - - 0 1",
        "R5k1/1b3ppp/8/8/8/8/8/4K3 b - - 0 1",
    ] {
        assert!(standard(fen).in_check());
        assert!(!standard(fen).is_checkmate());
        assert_outcome(fen, None);
    }
}

/// The checking pawn has just made a double push, and capturing it en passant is the only move.
#[test]
fn check_resolved_only_by_en_passant_is_not_mate() {
    let position = standard("6R1/8/7p/7k/6Pp/8/8/4K3 b - g3 0 1");
    let only = position.move_from_uci("h4g3").expect("legal");
    assert!(position.in_check() && only.is_en_passant());
    assert_eq!(position.legal_moves().to_vec(), [only]);
    assert!(!position.is_checkmate());
    let too_late = standard("6R1/8/7p/7k/6Pp/8/8/4K3 b - - 0 1");
    assert!(too_late.is_checkmate());
}

#[test]
fn stalemate() {
    for fen in [
        "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/6k1/6p1/6K1 w - - 0 1",
        "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10",
    ] {
        assert!(standard(fen).is_stalemate(), "{fen}");
        assert!(!standard(fen).is_checkmate());
        assert_outcome(fen, Some(Outcome::Stalemate));
    }
}

/// Dead positions by material alone.
#[test]
fn insufficient_material() {
    for board in [
        "8/8/8/8/8/8/8/K6k",
        "8/8/8/8/8/8/8/KN5k",
        "8/8/8/8/8/8/8/K5nk",
        "8/8/8/8/8/8/8/KB5k",
        "8/8/8/8/8/8/8/K5bk",
        "8/8/8/8/8/8/8/KB3b1k",
        "8/8/8/8/8/8/8/KB1B1b1k",
        "1b1b4/b7/8/8/8/8/7B/K6k",
    ] {
        for side_to_move in ["w", "b"] {
            let fen = format!("{board} {side_to_move} - - 0 1");
            assert!(standard(&fen).is_insufficient_material(), "{fen}");
            assert_outcome(&fen, Some(Outcome::InsufficientMaterial));
        }
    }
}

#[test]
fn sufficient_material() {
    for board in [
        "8/8/8/8/8/8/8/KNN4k",
        "8/8/8/8/8/8/8/KN4nk",
        "8/8/8/8/8/8/8/KB4bk",
        "8/8/8/8/8/8/8/KBB4k",
        "8/8/8/8/8/8/8/KN2b2k",
        "8/8/8/8/8/8/8/KBN4k",
        "8/8/8/8/8/8/P7/K6k",
        "8/p7/8/8/8/8/8/K6k",
        "8/8/8/8/8/8/7R/K5k1",
        "8/q7/8/8/8/8/8/1K5k",
    ] {
        let fen = format!("{board} w - - 0 1");
        assert!(!standard(&fen).is_insufficient_material(), "{fen}");
        assert_outcome(&fen, None);
    }
    assert!(!Position::default().is_insufficient_material());
    assert_eq!(Game::default().outcome(), None);
}

#[test]
fn insufficient_material_after_the_last_capture() {
    let mut game = Game::new(standard("4k3/8/8/8/8/8/4p3/4K2N w - - 0 1"));
    assert_eq!(game.outcome(), None);
    let mv = game.position().move_from_san("Kxe2").expect("legal");
    game.play(mv).expect("legal");
    assert_eq!(game.outcome(), Some(Outcome::InsufficientMaterial));
}

#[test]
fn play_fails_after_the_end_but_push_does_not() {
    for (fen, mv) in [
        ("8/8/8/8/8/8/8/KN5k w - - 0 1", "b1c3"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 90", "a1a2"),
    ] {
        let mut game = Game::new(standard(fen));
        let mv = game.position().move_from_uci(mv).expect("legal");
        let outcome = game.outcome().expect("it is over");
        let before = game.clone();
        assert_eq!(game.play(mv), Err(PlayError::Over(outcome)));
        assert_eq!(game, before);
        assert_eq!(game.push(mv), Ok(()));
    }
}

#[test]
fn outcomes_as_text_and_as_results() {
    let draws = [
        (Outcome::Stalemate, "draw by stalemate"),
        (
            Outcome::InsufficientMaterial,
            "draw by insufficient material",
        ),
        (
            Outcome::SeventyFiveMoves,
            "draw by the seventy-five-move rule",
        ),
        (Outcome::FivefoldRepetition, "draw by fivefold repetition"),
        (
            Outcome::DrawClaimed(Claim::FiftyMoves),
            "draw claimed by the fifty-move rule",
        ),
        (
            Outcome::DrawClaimed(Claim::Threefold),
            "draw claimed by threefold repetition",
        ),
    ];
    for (outcome, text) in draws {
        assert_eq!(outcome.to_string(), text);
        assert_eq!(outcome.result(), "1/2-1/2");
    }
    for (winner, text, result) in [
        (Color::White, "White wins by checkmate", "1-0"),
        (Color::Black, "Black wins by checkmate", "0-1"),
    ] {
        let outcome = Outcome::Checkmate { winner };
        assert_eq!(outcome.to_string(), text);
        assert_eq!(outcome.result(), result);
    }
}
