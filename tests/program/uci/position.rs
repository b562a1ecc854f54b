//! `position`: what is accepted, corrected and rejected.

use super::CASTELLAN;
use super::search_output::best;
use test_common::positions::{KIWIPETE, START};

fn fen_after(position: &str) -> String {
    let mut engine = CASTELLAN.uci();
    engine.send_silent(position);
    let fen = engine.display("Fen");
    engine.quit();
    fen
}

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
fn moves_are_played() {
    assert_eq!(
        fen_after("position startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4"),
        "rnbqkbnr/pp2pppp/3p4/8/3NP3/8/PPP2PPP/RNBQKB1R b KQkq - 0 4"
    );
    assert_eq!(
        fen_after("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 3 9 moves a7a8n e8d7"),
        "N7/3k4/8/8/8/8/8/4K3 w - - 1 10"
    );
}

#[test]
fn fens_are_completed_and_corrected() {
    for (fen, read) in [
        (
            "r3k2r/8/8/R6r/8/8/8/R3K2R",
            "r3k2r/8/8/R6r/8/8/8/R3K2R w KQkq - 0 1",
        ),
        (
            "r3k3/8/8/8/8/8/8/R4K1R b",
            "r3k3/8/8/8/8/8/8/R4K1R b q - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w K",
            "4k3/8/8/8/8/8/8/R3K2R w K - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R moves e1g1",
            "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1",
        ),
        // There are no rooks for the other three rights, and no pawn that could capture on e3.
        (
            "4k3/8/8/8/4P3/8/8/4K2R b KQkq e3 7 0",
            "4k3/8/8/8/4P3/8/8/4K2R b K - 7 1",
        ),
    ] {
        assert_eq!(fen_after(&format!("position fen {fen}")), read, "{fen}");
    }
}

#[test]
fn the_key_ignores_irrelevant_fields() {
    let mut engine = CASTELLAN.uci();
    let mut key = |position: &str| {
        engine.send_silent(position);
        engine.display("Key")
    };
    let moved = key("position startpos moves e2e4");
    assert_eq!(moved.len(), 16);
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    assert_eq!(key(&format!("position fen {fen} KQkq e3 0 1")), moved);
    assert_eq!(key(&format!("position fen {fen} KQkq - 44 90")), moved);
    assert_ne!(key(&format!("position fen {fen} KQk - 0 1")), moved);
}

#[test]
fn an_invalid_fen_is_an_error_and_changes_nothing() {
    let mut engine = CASTELLAN.uci();
    engine.set_fen(KIWIPETE);
    for (fen, field) in [
        ("4k3/8/8/8/8/8/8", "found 7"),
        ("4k3/8/8/8/8/8/8/4K3 white", "side to move"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8"),
        ("4k3/8/8/8/8/8/8/4K3 w XY - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "kings"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "in check"),
    ] {
        let error = engine.query_error(&format!("position fen {fen}"));
        assert!(error.contains(field), "{fen}: {error}");
        assert_eq!(engine.display("Fen"), KIWIPETE, "{fen}");
    }
    engine.quit();
}

#[test]
fn errors_name_the_illegal_move_with_number_and_fen() {
    let mut engine = CASTELLAN.uci();
    engine.send_silent("position startpos moves d2d4");
    let before = engine.display("Fen");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6";
    let error = engine.query_error(&format!("position startpos moves {shuffle} e2e5 e7e5"));
    let place = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 6 4";
    assert!(
        error.contains(&format!("move 7 in {place}: illegal move 'e2e5': ")),
        "{error}"
    );
    assert_eq!(
        engine.display("Fen"),
        before,
        "the whole command is rejected"
    );
    for (moves, reason) in [
        ("e1g1", "castle"),
        ("e3e4", "no piece on e3"),
        ("e7e5", "belongs to Black"),
        ("e2e4 e7e5 e1e1", "same color"),
        ("f2f3 e7e5 g2g4 d8h4 a2a3", "check from h4"),
        ("e2e4e", "expected two squares"),
    ] {
        let error = engine.query_error(&format!("position startpos moves {moves}"));
        assert!(error.contains(reason), "{moves}: {error}");
    }
    engine.quit();
}

#[test]
fn moves_may_be_san_with_move_numbers() {
    let moved = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    for moves in [
        "e4 e5 Nf3 Nc6 Bb5",
        "e2e4 e5 Nf3 b8c6 Bb5",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5",
        "1.e4 1...e5 2.Nf3 2... Nc6 3.Bb5!",
    ] {
        assert_eq!(
            fen_after(&format!("position startpos moves {moves}")),
            moved
        );
    }
    let mut engine = CASTELLAN.uci();
    for (moves, reason) in [
        (
            "Nf3 Nf6 O-O",
            "move 3 in rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2: illegal move 'O-O': ",
        ),
        ("Nd2", "d2 is occupied"),
        ("1. e4 e5 2. Ke3", "move 3 in "),
        (
            "d4 d5 Nf3 Nf6 Nbd2 e6 b3 b6 Bb2 Bb7 Nd5",
            "no knight can move to d5",
        ),
        ("e4 e5 nonsense", "invalid move 'nonsense'"),
    ] {
        let error = engine.query_error(&format!("position startpos moves {moves}"));
        assert!(error.contains(reason), "{moves}: {error}");
    }
    engine.quit();
}

#[test]
fn castling_is_accepted_in_both_notations() {
    let mut engine = CASTELLAN.uci();
    let castled = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b";
    for (chess960, rights, printed) in [(false, "kq", "e1g1"), (true, "ha", "e1h1")] {
        engine.set_option("UCI_Chess960", chess960);
        for mv in ["e1g1", "e1h1"] {
            engine.send_silent(&format!("position fen {KIWIPETE} moves {mv}"));
            assert_eq!(engine.display("Fen"), format!("{castled} {rights} - 1 1"));
        }
        engine.set_fen(KIWIPETE);
        let legal = engine.display("Legal");
        assert!(legal.contains(&format!("{printed}=O-O ")), "{legal}");
        engine.send("go perft 1");
        let counts = engine.read_until("Nodes");
        assert!(counts.contains(&format!("{printed}: 1")), "{counts:?}");
    }
    engine.quit();
}

#[test]
fn chess960_castling_rights_are_printed_in_shredder_fen() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("UCI_Chess960", true);
    let board = "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w";
    for rights in ["KQkq", "GBgb"] {
        engine.set_fen(format!("{board} {rights} - 0 1"));
        assert_eq!(engine.display("Fen"), format!("{board} GBgb - 0 1"));
    }
    engine.set_fen("1r1k3r/8/8/8/8/8/8/1R1K2R1 w GBhb - 0 1 moves d1g1 d8b8");
    assert_eq!(engine.display("Fen"), "2kr3r/8/8/8/8/8/8/1R3RK1 w - - 2 2");
    engine.quit();
}

#[test]
fn a_game_read_as_chess960_stays_one_until_the_next_position() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("UCI_Chess960", true);
    // Castling with the rook on c1 brings the king from b1 to c1, where it could also step.
    engine.set_fen("4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    engine.set_option("UCI_Chess960", false);
    let (castle, _) = best(&engine.go("go depth 1 searchmoves b1a1"));
    assert_eq!(castle, "b1a1");
    engine.set_fen("4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    assert_eq!(engine.display("Fen"), "4k3/8/8/8/8/8/8/RK6 w - - 0 1");
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
fn debug_reports_dropped_castling_rights() {
    let mut engine = CASTELLAN.uci();
    engine.send_silent("debug on");
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
