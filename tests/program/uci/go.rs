//! `go`: every limit alone and in combination. How it is parsed is tested in `engine/src/uci/go`.

use super::CASTELLAN;
use movegen::Game;
use test_common::{
    UciEngine,
    positions::{CHECKMATE, STALEMATE, START},
};

use super::search_output::{Score, best, check_search, game, infos};

fn at(fen: &str) -> (UciEngine, Game) {
    let mut engine = CASTELLAN.uci();
    engine.set_fen(fen);
    (engine, game(fen))
}

#[test]
fn every_limit_ends_the_search() {
    let black_moves = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for fen in [START, black_moves] {
        let (mut engine, game) = at(fen);
        for go in [
            "go depth 3",
            "go nodes 1000",
            "go movetime 20",
            "go movetime 1",
            "go movetime 0",
            "go movetime -5",
            "go wtime 100",
            "go wtime 100 btime 100 winc 10 binc 10",
            "go wtime 100 btime 100 movestogo 0",
            "go wtime 1 btime 1",
            "go wtime 0 btime 0",
            "go wtime -100 btime -2000",
            "go wtime -100 btime -100 winc -5 binc -5",
            "go winc 50 binc 50",
            "go depth 0",
            "go nodes 1",
            // The first of several that is reached.
            "go depth 2 nodes 100000000 movetime 100000000 wtime 100000000 btime 100000000",
            "go movetime 10 nodes 100000000000 depth 200",
            "go depth 200 mate 90 movetime 10",
            "go depth 3 mate 30",
            // One of the two moves is legal.
            "go searchmoves e2e4 e7e5 nodes 300 movestogo 2 btime 40 wtime 40 mate 3",
            // Numbers that saturate.
            "go depth 99999999999999999999999 nodes 100",
            "go movestogo 99999999999999999999999 wtime 50 btime 50",
        ] {
            check_search(&game, &engine.go(go));
        }
    }
}

/// The value of some moves is not that of their position.
#[test]
fn searchmoves_leave_nothing_in_the_hash_table() {
    let (mut engine, _) = at("6rk/6pp/7N/8/8/8/1q6/6K1 w - - 0 2");
    engine.go("go depth 14 searchmoves g1h1");
    engine.set_fen("5r1k/6pp/7N/3Q4/8/8/1q6/6K1 w - - 0 1");
    let infos = infos(&engine.go("go depth 8"));
    assert_eq!(infos.last().map(|info| info.score), Some(Score::Mate(2)));
}

/// Unknown words and unreadable values are named and ignored, and the rest counts.
#[test]
fn every_go_has_exactly_one_best_move() {
    let (mut engine, game) = at(START);
    for (go, ignored) in [
        ("go foo 3 depth 3", "'foo'"),
        ("go depth 3 joho", "'joho'"),
        ("go movestogo -1 wtime 100 btime 100", "'-1'"),
        ("go depth movetime 10", "found 'movetime'"),
        ("go depth x\nstop", "'x'"),
        ("go foo\nstop", "'foo'"),
        ("go nodes -5 perft x\nstop", "'x'"),
    ] {
        let lines = engine.go(go);
        check_search(&game, &lines);
        let mut errors = lines
            .iter()
            .filter(|line| line.starts_with("info string error: "));
        assert!(errors.any(|line| line.contains(ignored)), "{go}: {lines:?}");
        engine.send_silent("");
    }
    for go in [
        "go wtime 100.5 btime 100.9",
        "go nodes 1000.5",
        "go depth 1 nodes 99999999999999999999999",
    ] {
        let lines = engine.go(go);
        check_search(&game, &lines);
        assert!(
            !lines.iter().any(|line| line.contains("error")),
            "{go}: {lines:?}"
        );
    }
    // A mistake in an argument of the program ends it.
    let ended = CASTELLAN.run(&["go", "depth", "x"], "");
    assert_eq!(ended.code, Some(1));
    let error =
        "info string error: expected a whole number, 0 or more after 'go depth', found 'x'\n";
    assert_eq!(ended.stdout, error);
}

/// `d` says so too: after 75 moves without progress, or with a fifth occurrence, a mate is too late.
#[test]
fn a_game_that_is_over_is_drawn() {
    let late = "fen k7/8/1K6/8/8/8/8/2Q5 w - - 150 88";
    let back = " moves c1d1 a8b8 d1c1 b8a8".repeat(4).replace(" moves", "");
    let fivefold = format!("fen k7/8/1K6/8/8/8/8/2Q5 w - - 0 1 moves{back}");
    for (position, rule) in [(late, "seventy-five-move"), (&fivefold, "fivefold")] {
        let mut engine = CASTELLAN.uci();
        for options in [
            "",
            "setoption name Threads value 2\n",
            "setoption name MultiPV value 3\n",
        ] {
            engine.send_silent(&format!("{options}position {position}"));
            for go in [
                "go depth 5",
                "go nodes 1000",
                "go movetime 20",
                "go mate 1",
                "go infinite\nstop",
            ] {
                let lines = engine.go(go);
                let said = lines
                    .iter()
                    .any(|line| line.contains("the game is over") && line.contains(rule));
                assert!(said, "{lines:?}");
                assert!(
                    !lines.iter().any(|line| line.contains("mate ")),
                    "{lines:?}"
                );
                assert!(
                    lines.iter().any(|line| line.contains("score cp 0 ")),
                    "{lines:?}"
                );
                assert_eq!(best(&lines).0.len(), 4, "a legal move");
            }
        }
    }
}

#[test]
fn searchmoves_restricts_the_search() {
    let (mut engine, game) = at(START);
    for (go, allowed) in [
        ("go depth 4 searchmoves a2a3", &["a2a3"][..]),
        ("go searchmoves a2a3 h2h4 depth 4", &["a2a3", "h2h4"]),
        ("go searchmoves A2A3 a2a3 depth 4", &["a2a3"]),
        ("go nodes 1 searchmoves b1a3", &["b1a3"]),
        ("go depth 4 searchmoves Na3 h4", &["b1a3", "h2h4"]),
        ("go infinite searchmoves g1h3\nstop", &["g1h3"]),
    ] {
        let lines = engine.go(go);
        check_search(&game, &lines);
        for info in infos(&lines) {
            let first = info.pv.first().map(String::as_str).unwrap_or_default();
            assert!(allowed.contains(&first), "{go}: {info:?}");
        }
    }
    engine.set_option("MultiPV", 5);
    let lines = engine.go("go depth 3 searchmoves e2e4 d2d4");
    let most = infos(&lines).iter().map(|info| info.line).max();
    assert_eq!(most, Some(2), "one line per move");
}

#[test]
fn invalid_searchmoves_are_reported_and_ignored() {
    let (mut engine, game) = at(START);
    for (go, messages) in [
        ("go depth 2 searchmoves", 1),
        ("go searchmoves depth 2", 1),
        ("go depth 2 searchmoves e2e5", 1),
        ("go depth 2 searchmoves zzzz e7e5", 2),
        ("go depth 2 searchmoves e2e4 e2e5", 1),
    ] {
        let lines = engine.go(go);
        check_search(&game, &lines);
        let output = lines
            .iter()
            .filter(|line| line.starts_with("info string error"));
        assert_eq!(output.count(), messages, "{go}: {lines:?}");
        if go.contains("e2e4") {
            assert_eq!(best(&lines).0, "e2e4", "the legal move");
        }
    }
}

#[test]
fn positions_without_legal_moves() {
    for (fen, score) in [(CHECKMATE, "mate 0"), (STALEMATE, "cp 0")] {
        let (mut engine, _) = at(fen);
        let expected = [
            format!("info depth 0 score {score}"),
            "bestmove (none)".to_owned(),
        ];
        for go in [
            "go depth 3",
            "go",
            "go infinite",
            "go movetime 5",
            "go wtime 1",
            "go nodes 1",
        ] {
            let waits = matches!(go, "go" | "go infinite");
            let stop = if waits { "\nstop" } else { "" };
            assert_eq!(engine.go(&format!("{go}{stop}")), expected, "{go}");
        }
    }
}
