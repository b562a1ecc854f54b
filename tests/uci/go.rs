//! `go`: every limit alone and in combination.

use crate::CASTELLAN;
use movegen::Game;
use test_common::{
    UciEngine,
    positions::{CHECKMATE, KIWIPETE, STALEMATE, START},
};

use crate::search_output::{Score, best, check_search, game, infos};

fn at(fen: &str) -> (UciEngine, Game) {
    let mut engine = CASTELLAN.uci();
    engine.send_silent(&format!("position fen {fen}"));
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
fn go_mate_stops_at_a_short_enough_mate() {
    // Two rooks climb the board: mate in two.
    let (mut engine, game) = at("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    for moves in 2..5 {
        let lines = engine.go(&format!("go mate {moves}"));
        check_search(&game, &lines);
        let last = infos(&lines).pop().expect("a score");
        let Score::Mate(found) = last.score else {
            panic!("{last:?}");
        };
        assert!((1..=moves).contains(&found), "{found}");
    }
    engine.quit();
}

#[test]
fn the_pv_of_a_mate_score_ends_in_mate() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2),
        ("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88", 1),
    ] {
        let (mut engine, game) = at(fen);
        let lines = engine.go(&format!("go mate {moves}"));
        let last = infos(&lines).pop().expect("a score");
        assert_eq!(last.score, Score::Mate(moves), "{fen}");
        assert_eq!(last.pv.len(), moves as usize * 2 - 1, "{last:?}");
        let end = crate::search_output::follow(&game, &last.pv);
        assert!(end.position().is_checkmate(), "{last:?}");
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
    assert_eq!(most, Some(2), "two moves make two lines");
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
            assert_eq!(best(&lines).0, "e2e4", "the legal one counts");
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

/// `true` when the combination needs a `stop`.
fn mixture(mut bits: u32) -> (String, bool) {
    let keys = [
        ("depth 3", false),
        ("nodes 300", false),
        ("movetime 5", false),
        ("wtime 40", false),
        ("btime 40", false),
        ("winc 1", false),
        ("binc 1", false),
        ("movestogo 2", false),
        ("mate 3", false),
        ("infinite", true),
        ("ponder", true),
        ("searchmoves e2e4 d2d4", false),
    ];
    let mut words = vec!["go".to_owned()];
    // Of White's limits: depth, nodes, movetime, wtime, btime, winc, mate.
    let mut endless = bits & 0b1_0011_1111 == 0;
    for (key, holds) in keys {
        if bits & 1 == 1 {
            words.push(key.to_owned());
            endless |= holds;
        }
        bits >>= 1;
    }
    // Half of them the other way round, since order means nothing.
    if bits & 1 == 1 {
        words.get_mut(1..).expect("the verb is there").reverse();
    }
    (words.join(" "), endless)
}

#[test]
fn limits_combine_in_any_order() {
    const KEYS: u32 = 12;
    const STRIDE: usize = 37;
    let (mut engine, game) = at(START);
    for bits in (0..1 << (KEYS + 1)).step_by(STRIDE) {
        let (go, endless) = mixture(bits);
        // There is no mate in three, so that other limits have to end the search.
        let only_mate = go.contains("mate") && bits & 0b11_1111 == 0;
        let stop = if endless || only_mate { "\nstop" } else { "" };
        check_search(&game, &engine.go(&format!("{go}{stop}")));
    }
    assert_eq!(engine.unsolicited(), [""; 0]);
    engine.quit();
}
