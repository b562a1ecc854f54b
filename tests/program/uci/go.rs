//! `go`: every limit alone and in combination.

use super::CASTELLAN;
use movegen::Game;
use test_common::{
    UciEngine,
    positions::{CHECKMATE, KIWIPETE, MATE_IN_ONE, STALEMATE, START},
};

use super::search_output::{Score, best, check_search, follow, game, infos};

fn at(fen: &str) -> (UciEngine, Game) {
    let mut engine = CASTELLAN.uci();
    engine.set_fen(fen);
    (engine, game(fen))
}

#[test]
fn every_limit_alone() {
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
            "go btime 100",
            "go wtime 100 btime 100",
            "go wtime 100 btime 100 winc 10 binc 10",
            "go wtime 100 btime 100 movestogo 1",
            "go wtime 100 btime 100 movestogo 0",
            "go wtime 1 btime 1",
            "go wtime 0 btime 0",
            "go wtime -100 btime -2000",
            "go wtime -100 btime -100 winc -5 binc -5",
            "go winc 50 binc 50",
            "go depth 0",
            "go depth 1",
            "go nodes 0",
            "go nodes 1",
        ] {
            check_search(&game, &engine.go(go));
        }
        engine.quit();
    }
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let (mut engine, game) = at(KIWIPETE);
    for go in [
        "go depth 2 nodes 100000000 movetime 100000000 wtime 100000000 btime 100000000",
        "go nodes 200 depth 200 movetime 100000000 winc 100000000 wtime 100000000",
        "go movetime 10 nodes 100000000000 depth 200",
        "go btime 60000000 wtime 50 depth 200",
        "go depth 200 mate 90 movetime 10",
    ] {
        check_search(&game, &engine.go(go));
    }
    let lines = engine.go("go movetime 100000000 depth 2");
    assert!(infos(&lines).iter().all(|info| info.depth <= 2));
    engine.quit();
}

#[test]
fn huge_numbers_saturate() {
    let (mut engine, game) = at(START);
    let huge = "99999999999999999999999";
    for key in [
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "mate",
        "movestogo",
        "winc",
    ] {
        engine.send(&format!("go infinite {key} {huge}"));
        let output = engine.read_until("info depth 2 ");
        check_search(&game, &engine.finish(output, "stop"));
    }
    check_search(&game, &engine.go(&format!("go depth {huge} nodes 100")));
    check_search(&game, &engine.go(&format!("go movestogo {huge} wtime 50")));
    engine.quit();
}

#[test]
fn depth_is_exact() {
    let (mut engine, game) = at(KIWIPETE);
    for depth in 1..=5 {
        let lines = engine.go(&format!("go depth {depth}"));
        check_search(&game, &lines);
        let deepest = infos(&lines).iter().map(|info| info.depth).max();
        assert_eq!(deepest, Some(depth));
    }
    engine.quit();
}

#[test]
fn nodes_is_an_upper_limit() {
    let (mut engine, game) = at(KIWIPETE);
    let first = infos(&engine.go("go depth 1"))
        .iter()
        .map(|info| info.nodes)
        .max();
    let first = first.expect("a first iteration");
    for limit in [1, 10, 1000, 20_000] {
        engine.send_silent("ucinewgame");
        let lines = engine.go(&format!("go nodes {limit}"));
        check_search(&game, &lines);
        // A first iteration is allowed, since there must be a score.
        let allowed = limit.max(first);
        for info in infos(&lines) {
            assert!(info.nodes <= allowed, "{} of {limit}", info.nodes);
        }
    }
    engine.quit();
}

#[test]
fn go_mate_finds_a_mate_whose_pv_ends_in_mate() {
    for (fen, mate, limits) in [
        (MATE_IN_ONE, 1, 1..=1),
        // Two rooks.
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2, 2..=4),
        (
            "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88",
            1,
            1..=1,
        ),
    ] {
        let (mut engine, game) = at(fen);
        for limit in limits {
            let lines = engine.go(&format!("go mate {limit}"));
            check_search(&game, &lines);
            let last = infos(&lines).pop().expect("a score");
            assert_eq!(last.score, Score::Mate(mate), "{fen}");
            assert_eq!(last.pv.len(), mate as usize * 2 - 1, "{last:?}");
            assert!(
                follow(&game, &last.pv).position().is_checkmate(),
                "{last:?}"
            );
        }
        engine.quit();
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
    engine.quit();
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
    engine.quit();
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
        engine.quit();
    }
}

#[test]
fn high_halfmove_clocks_still_give_a_move() {
    for clock in [98, 99, 100, 149, 150, 400] {
        let (mut engine, game) = at(&format!("4k3/8/8/8/8/8/4P3/R3K3 w - - {clock} 210"));
        let (best, _) = best(&engine.go("go depth 4"));
        assert!(
            game.position().move_from_uci(&best).is_ok(),
            "{clock}: {best}"
        );
        engine.quit();
    }
}

#[test]
fn a_very_long_game_still_gives_a_move() {
    let mut engine = CASTELLAN.uci();
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(1200);
    engine.send_silent(&format!("position startpos moves {shuffle}"));
    let (best, _) = best(&engine.go("go depth 3"));
    assert!(game(START).position().move_from_uci(&best).is_ok());
    engine.quit();
}

/// The limits of White, to move in the starting position, and others. The first group ends the
/// search; the last needs `stop`. There is no mate in three, so `mate 3` ends nothing.
const KEYS: [&str; 12] = [
    "depth 3",
    "nodes 300",
    "movetime 5",
    "wtime 40",
    "btime 40",
    "winc 1",
    "binc 1",
    "movestogo 2",
    "mate 3",
    "searchmoves e2e4 d2d4",
    "infinite",
    "ponder",
];
const ENDING: u32 = 0b11_1111;
const ENDLESS: u32 = 0b1100_0000_0000;

#[test]
fn limits_combine_in_any_order() {
    const STRIDE: usize = 37;
    let (mut engine, game) = at(START);
    for bits in (0..2 << KEYS.len()).step_by(STRIDE) {
        let chosen = (0..KEYS.len()).filter(|index| bits >> index & 1 == 1);
        let mut keys: Vec<&str> = chosen.map(|index| KEYS[index]).collect();
        if bits >> KEYS.len() & 1 == 1 {
            keys.reverse();
        }
        let needs_stop = bits & ENDLESS != 0 || bits & ENDING == 0;
        let stop = if needs_stop { "\nstop" } else { "" };
        check_search(&game, &engine.go(&format!("go {}{stop}", keys.join(" "))));
    }
    engine.assert_quiet();
    engine.quit();
}
