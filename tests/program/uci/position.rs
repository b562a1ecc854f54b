//! `position`: what is accepted, corrected and rejected.

use super::CASTELLAN;
use super::search_output::best;
use test_common::UciEngine;
use test_common::positions::variants;

#[test]
fn errors_name_the_illegal_move_with_number_and_fen() {
    let mut engine = CASTELLAN.uci();
    engine.send_silent("position startpos moves d2d4");
    let before = engine.display("Fen");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6";
    let place = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 6 4";
    for (mv, reason) in [
        ("e2e5", "illegal move 'e2e5': "),
        ("O-O", "illegal move 'O-O': "),
        ("nonsense", "invalid move 'nonsense'"),
    ] {
        let error = engine.query_error(&format!("position startpos moves {shuffle} {mv} e7e5"));
        assert!(
            error.contains(&format!("move 7 in {place}: {reason}")),
            "{error}"
        );
        assert_eq!(
            engine.display("Fen"),
            before,
            "the whole command is rejected"
        );
    }
}

/// A script that reads only `bestmove` must not take the move of another position.
#[test]
fn nothing_is_searched_after_a_refused_position() {
    let mut engine = CASTELLAN.uci();
    let refused = |engine: &mut UciEngine, position: &str| {
        engine.query_error(position);
        for go in [
            "go depth 1",
            "go infinite\nstop",
            "go ponder wtime 1\nponderhit",
        ] {
            let answer = engine.query(go);
            let expected = [
                "info string error: the last position was refused",
                "bestmove 0000",
            ];
            assert_eq!(answer, expected, "{position}, {go}");
        }
        assert_eq!(engine.query("go perft 1").len(), 1);
    };
    engine.send_silent("position startpos moves e2e4");
    for position in [
        "position startpos moves e2e5",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position",
        "position nowhere",
    ] {
        refused(&mut engine, position);
        assert!(engine.display("Fen").contains(" b "), "the position before");
        engine.send_silent("position startpos moves e2e4");
        assert_ne!(best(&engine.go("go depth 1")).0, "0000");
    }
    // A line that cannot be read may have been one.
    engine.send_bytes(b"position startpos moves d2d4 \xff\n");
    assert_eq!(best(&engine.go("go depth 1")).0, "0000");
}

/// Rights that standard chess does not have are dropped, also for letters of rooks, and named.
#[test]
fn without_uci_chess960_a_position_is_standard_chess() {
    let mut engine = CASTELLAN.uci();
    // Derived rights are not dropped ones.
    engine.send_silent("position fen 4k3/8/8/8/8/8/8/4K2R w");
    for [fen, _, _, rights] in variants() {
        let said = engine.query(&format!("position fen {fen}"));
        let said = said
            .iter()
            .filter(|line| line.starts_with("info string castling right"));
        let field = fen.split(' ').nth(2).expect("castling");
        let kept = rights.trim_start_matches('-').len();
        assert_eq!(said.count(), field.len() - kept, "{fen}");
        let read = engine.display("Fen");
        assert_eq!(read.split(' ').nth(2), Some(rights), "{fen}");
    }
}

#[test]
fn uci_chess960_is_named_where_it_would_keep_a_right() {
    let mut engine = CASTELLAN.uci();
    for (fen, kept) in [
        ("1r2k2r/8/8/8/8/8/8/R3K2R w q - 0 1", true),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K3 w H - 0 1", false),
    ] {
        let said = engine.query(&format!("position fen {fen}"));
        assert_eq!(said.len(), 1, "{fen}: {said:?}");
        assert_eq!(said[0].contains("UCI_Chess960"), kept, "{fen}: {said:?}");
    }
}

#[test]
fn flip_swaps_the_colors() {
    let mut engine = CASTELLAN.uci();
    engine.set_fen("r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 7 30");
    engine.send_silent("flip");
    assert_eq!(
        engine.display("Fen"),
        "4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 7 30"
    );
}
