//! The opening book in a session.

use test_common::{TempDir, UciEngine, positions::START};

use super::book_files::{AFTER_E4, AFTER_E4_D5, START_KEY, book_messages, with_book};
use super::search_output::{best, check_search, game, infos};

const LIMITS: [&str; 5] = [
    "go wtime 60000 btime 60000",
    "go movetime 60000",
    "go depth 60",
    "go nodes 100000000",
    "go wtime 60000 btime 60000 movestogo 1 depth 60",
];

#[test]
fn a_book_move_is_played_at_once_with_a_score() {
    let folder = TempDir::new("at once");
    let mut engine = with_book(&folder, &[(START_KEY, "e2e4", 3), (START_KEY, "d2d4", 1)]);
    engine.set_option("BookBest", true);
    for go in LIMITS {
        // Neither the minute nor depth 60 is used.
        let lines = engine.go(go);
        check_search(&game(START), &lines);
        assert_eq!(best(&lines).0, "e2e4", "{go}");
        let output = book_messages(&lines);
        assert_eq!(
            output,
            ["info string book move e2e4, weight 3 of 4"],
            "{go}"
        );
        assert!(infos(&lines).iter().all(|info| info.depth == 1), "{go}");
    }
}

#[test]
fn a_book_with_multi_pv_and_threads() {
    let folder = TempDir::new("lines and threads");
    let mut engine = with_book(&folder, &[(START_KEY, "e2e4", 3)]);
    engine.set_option("MultiPV", 4);
    engine.set_option("Threads", 3);
    for _ in 0..20 {
        let lines = engine.go("go movetime 60000");
        check_search(&game(START), &lines);
        assert_eq!(best(&lines).0, "e2e4");
        engine.send_silent("ucinewgame");
    }
    // Without a book move all four lines are printed.
    engine.send_silent("position startpos moves e2e4");
    let lines = engine.go("go depth 3");
    assert_eq!(infos(&lines).iter().map(|info| info.line).max(), Some(4));
}

#[test]
fn analysis_does_not_use_the_book() {
    let folder = TempDir::new("unless");
    let mut engine = with_book(&folder, &[(START_KEY, "a2a3", 3)]);
    let silent = |engine: &mut UciEngine, go: &str| {
        let lines = engine.go(go);
        check_search(&game(START), &lines);
        assert_eq!(book_messages(&lines), [""; 0], "{go}");
    };
    for go in [
        "go infinite\nstop",
        "go\nstop",
        "go infinite depth 2\nstop",
        "go mate 1 depth 2",
        "go ponder infinite\nstop",
        "go depth 2 searchmoves b2b3 c2c3",
    ] {
        silent(&mut engine, go);
    }
    engine.set_option("UCI_AnalyseMode", true);
    silent(&mut engine, "go depth 2");
    engine.set_option("UCI_AnalyseMode", false);
    assert_eq!(best(&engine.go("go depth 2")).0, "a2a3");
    for line in [
        "OwnBook value false",
        "OwnBook value true\nsetoption name BookFile value",
    ] {
        engine.send_silent(&format!("setoption name {line}"));
        silent(&mut engine, "go depth 2");
    }
}

#[test]
fn searchmoves_restricts_book_moves() {
    let folder = TempDir::new("searchmoves");
    let moves = [(START_KEY, "e2e4", 99), (START_KEY, "b2b3", 1)];
    let mut engine = with_book(&folder, &moves);
    engine.set_option("BookBest", true);
    let lines = engine.go("go depth 60 searchmoves b2b3 a2a3");
    assert_eq!(best(&lines).0, "b2b3");
}

#[test]
fn a_book_move_waits_for_ponderhit() {
    let folder = TempDir::new("ponder");
    let mut engine = with_book(&folder, &[(START_KEY, "a2a3", 1)]);
    for (go, end) in [
        ("go ponder wtime 60000 btime 60000", "ponderhit"),
        ("go ponder wtime 60000 btime 60000", "stop"),
        ("go ponder", "ponderhit"),
        ("go ponder movetime 1", "stop"),
        ("go depth 3 ponder", "ponderhit"),
    ] {
        engine.send(go);
        let mut output = engine.read_until("info depth 1 ");
        output.extend(engine.unsolicited());
        assert!(
            output.iter().all(|line| line.starts_with("info ")),
            "{go}: {output:?}"
        );
        let lines = engine.finish(output, end);
        check_search(&game(START), &lines);
        assert_eq!(best(&lines).0, "a2a3", "{go}");
        assert_eq!(book_messages(&lines).len(), 1);
        engine.assert_quiet();
    }
}

#[test]
fn book_depth_counts_full_moves() {
    let folder = TempDir::new("depth");
    let mut engine = with_book(
        &folder,
        &[
            (START_KEY, "a2a3", 1),
            (AFTER_E4, "a7a6", 1),
            (AFTER_E4_D5, "a2a3", 1),
        ],
    );
    let positions = ["", "e2e4", "e2e4 d7d5"];
    for (depth, expected) in [(1, [true, true, false]), (2, [true; 3]), (999, [true; 3])] {
        engine.set_option("BookDepth", depth);
        for (moves, expected) in positions.iter().zip(expected) {
            engine.send_silent(&format!("position startpos moves {moves}"));
            let lines = engine.go("go depth 1");
            let from_book = !book_messages(&lines).is_empty();
            assert_eq!(from_book, expected, "{moves:?} with depth {depth}");
        }
    }
    // The FEN sets the move number.
    engine.set_option("BookDepth", 20);
    for (number, expected) in [(20, 1), (21, 0)] {
        let fen = START.replace("0 1", &format!("0 {number}"));
        engine.set_fen(fen);
        assert_eq!(book_messages(&engine.go("go depth 1")).len(), expected);
    }
}
