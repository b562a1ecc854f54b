//! `position`: what is accepted, corrected and rejected.

use super::CASTELLAN;
use super::search_output::best;
use test_common::UciEngine;
use test_common::positions::START;

#[test]
fn the_start_position_is_the_default() {
    let mut engine = CASTELLAN.uci();
    assert_eq!(engine.display("Fen"), START);
    engine.send_silent("position startpos moves e2e4 c7c5 g1f3");
    engine.send_silent("position startpos");
    assert_eq!(engine.display("Fen"), START);
    engine.quit();
}

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
    engine.quit();
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
    engine.quit();
}

#[test]
fn a_game_of_chess960_stays_one_until_the_next_position() {
    let mut engine = CASTELLAN.uci();
    // Castling with the rook on c1 brings the king from b1 to c1, where it could also step.
    engine.set_fen("4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    let (castle, _) = best(&engine.go("go depth 1 searchmoves b1a1"));
    assert_eq!(castle, "b1a1");
    engine.set_fen("4k3/8/8/8/8/8/8/R3K3 w A - 0 1");
    let (castle, _) = best(&engine.go("go depth 1 searchmoves e1a1"));
    assert_eq!(castle, "e1c1");
    engine.quit();
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
    engine.quit();
}

#[test]
fn dropped_castling_rights_are_reported() {
    let mut engine = CASTELLAN.uci();
    // Derived rights are not dropped ones.
    engine.send_silent("position fen 4k3/8/8/8/8/8/8/4K2R w");
    let output = engine.query("position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1");
    assert_eq!(output.len(), 1, "{output:?}");
    assert!(
        output[0].starts_with("info string") && output[0].contains("a1"),
        "{output:?}"
    );
    engine.quit();
}
