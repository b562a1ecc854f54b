//! Ends of games without a claim, and the display of outcomes.

use crate::positions::{rows_for_both_colors, standard};
use movegen::{Game, Outcome, PlayError};

/// The outcome of each position, empty if the game goes on.
#[test]
fn outcomes_without_a_claim() {
    for [fen, expected] in rows_for_both_colors(
        "
        rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3       | Black wins by checkmate
        r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4 | White wins by checkmate
        R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1                | White wins by checkmate
        6rk/5Npp/8/8/8/8/8/4K3 b - - 0 1                 | White wins by checkmate
        4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1                | Black wins by checkmate
        R5k1/5pp1/7p/8/8/8/8/4K3 b - - 0 1               |
        R5k1/3r1ppp/8/8/8/8/8/4K3 b - - 0 1              |
        R5k1/1b3ppp/8/8/8/8/8/4K3 b - - 0 1              |
        k7/2Q5/1K6/8/8/8/8/8 b - - 0 1                   | draw by stalemate
        7k/5Q2/6K1/8/8/8/8/8 b - - 0 1                   | draw by stalemate
        8/8/8/8/8/6k1/6p1/6K1 w - - 0 1                  | draw by stalemate
        5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10 | draw by stalemate
        8/8/8/8/8/8/8/K6k w - - 0 1                      | draw by insufficient material
        8/8/8/8/8/8/8/KN5k w - - 0 1                     | draw by insufficient material
        8/8/8/8/8/8/8/K5nk w - - 0 1                     | draw by insufficient material
        8/8/8/8/8/8/8/KB5k w - - 0 1                     | draw by insufficient material
        8/8/8/8/8/8/8/K5bk w - - 0 1                     | draw by insufficient material
        8/8/8/8/8/8/8/KB3b1k w - - 0 1                   | draw by insufficient material
        8/8/8/8/8/8/8/KB1B1b1k w - - 0 1                 | draw by insufficient material
        1b1b4/b7/8/8/8/8/7B/K6k w - - 0 1                | draw by insufficient material
        8/8/8/8/8/8/8/KNN4k w - - 0 1                    |
        8/8/8/8/8/8/8/KN4nk w - - 0 1                    |
        8/8/8/8/8/8/8/KB4bk w - - 0 1                    |
        8/8/8/8/8/8/8/KBB4k w - - 0 1                    |
        8/8/8/8/8/8/8/KN2b2k w - - 0 1                   |
        8/8/8/8/8/8/8/KBN4k w - - 0 1                    |
        8/8/8/8/8/8/P7/K6k w - - 0 1                     |
        8/p7/8/8/8/8/8/K6k w - - 0 1                     |
        8/8/8/8/8/8/7R/K5k1 w - - 0 1                    |
        8/q7/8/8/8/8/8/1K5k w - - 0 1                    |
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 |
        ",
    ) {
        let position = standard(&fen);
        let outcome = Game::new(position).outcome();
        let text = outcome.as_ref().map(ToString::to_string).unwrap_or_default();
        assert_eq!(text, expected, "{fen}");
        let checkmate = matches!(outcome, Some(Outcome::Checkmate { .. }));
        assert_eq!(position.is_checkmate(), checkmate, "{fen}");
        let stalemate = outcome == Some(Outcome::Stalemate);
        assert_eq!(position.is_stalemate(), stalemate, "{fen}");
        let insufficient = outcome == Some(Outcome::InsufficientMaterial);
        assert_eq!(position.is_insufficient_material(), insufficient, "{fen}");
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
