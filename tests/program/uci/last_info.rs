//! The last scored line before `bestmove` describes the end of the search, whatever ended it.

use super::CASTELLAN;
use super::search_output::{Info, Score, assert_only_infos, check_search, game, infos};
use test_common::{
    UciEngine,
    positions::{KIWIPETE, MATE_IN_ONE, START},
};

const TRIES: usize = 20;

/// The output of a search after `end`, which is sent when it has printed all it can before.
fn printed_after(engine: &mut UciEngine, go: &str, end: &str) -> Vec<String> {
    engine.send(go);
    engine.read_until("info depth 1 ");
    assert_only_infos(&engine.unsolicited());
    engine.go(end)
}

#[test]
fn a_line_follows_ponderhit_and_stop() {
    for options in [
        &[][..],
        &["UCI_LimitStrength value true", "UCI_Elo value 1200"],
        &["Skill Level value 3"],
        &["Threads value 2"],
    ] {
        let mut engine = CASTELLAN.uci();
        for option in options {
            engine.send_silent(&format!("setoption name {option}"));
        }
        for (go, end) in [
            ("go ponder", "ponderhit"),
            ("go ponder nodes 1000", "ponderhit"),
            ("go ponder movetime 20", "ponderhit"),
            ("go ponder depth 3 searchmoves a2a3 h2h3", "ponderhit"),
            ("go wtime 100 btime 100 movestogo 1 ponder", "ponderhit"),
            ("go ponder wtime 100 btime 100 nodes 500", "ponderhit"),
            ("go ponder wtime 6000000 btime 6000000 depth 2", "stop"),
            ("go infinite depth 2", "stop"),
            ("go infinite searchmoves e2e4", "stop"),
        ] {
            let lines = printed_after(&mut engine, go, end);
            check_search(&game(START), &lines);
            engine.assert_quiet();
        }
    }
}

#[test]
fn a_line_follows_a_mate_that_waits_for_ponderhit() {
    let mut engine = CASTELLAN.uci();
    engine.set_fen(MATE_IN_ONE);
    for go in ["go ponder mate 1", "go ponder wtime 1000 btime 1000"] {
        let lines = printed_after(&mut engine, go, "ponderhit");
        check_search(&game(MATE_IN_ONE), &lines);
        let last = infos(&lines).pop().expect("a line");
        assert_eq!(last.score, Score::Mate(1), "{lines:?}");
    }
}

#[test]
fn the_nodes_of_the_last_line_are_those_of_the_search() {
    let mut engine = CASTELLAN.uci();
    for fen in [START, KIWIPETE] {
        engine.set_fen(fen);
        for nodes in (1..=TRIES as u64).map(|number| 2500 * number) {
            let lines = engine.go(&format!("go nodes {nodes}"));
            let last = infos(&lines).pop().expect("a line");
            assert_eq!(last.nodes, nodes, "{lines:?}");
        }
    }
}

/// The number of nodes is announced.
#[test]
fn at_limited_strength_too() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("UCI_LimitStrength", true);
    engine.set_option("UCI_Elo", 2000);
    for _ in 0..TRIES {
        engine.send_silent("ucinewgame");
        let lines = engine.go("go depth 60");
        let announced = lines.iter().find_map(|line| {
            let rest = line.strip_prefix("info string strength limited to ")?;
            rest.split(' ').next()?.parse::<u64>().ok()
        });
        let last = infos(&lines).pop().expect("a line");
        assert_eq!(Some(last.nodes), announced, "{lines:?}");
        check_search(&game(START), &lines);
    }
}

/// Neither the vote of the threads nor a proven mate makes depths fall.
#[test]
fn depths_do_not_fall() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("Threads", 4);
    for _ in 0..TRIES {
        engine.send_silent("ucinewgame");
        check_search(&game(START), &engine.go("go nodes 30000"));
    }
    const MATE_IN_THREE: &str = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    for fen in [MATE_IN_ONE, MATE_IN_THREE] {
        engine.set_fen(fen);
        check_search(&game(fen), &engine.go("go mate 5"));
    }
}

/// Stopped in any iteration, and at any of its lines.
#[test]
fn all_lines_of_multi_pv_are_there_at_the_end() {
    const LINES: usize = 4;
    let mut engine = CASTELLAN.uci();
    engine.set_option("MultiPV", LINES);
    engine.set_fen(KIWIPETE);
    for nodes in (1..=40).map(|number| 700 * number) {
        engine.send_silent("ucinewgame");
        let lines = engine.go(&format!("go nodes {nodes}"));
        check_search(&game(KIWIPETE), &lines);
        let infos = infos(&lines);
        let last: &[Info] = &infos[infos.len() - LINES..];
        let numbers: Vec<usize> = last.iter().map(|info| info.line).collect();
        assert_eq!(numbers, (1..=LINES).collect::<Vec<_>>(), "{lines:?}");
        let mut moves: Vec<&String> = last.iter().flat_map(|info| info.pv.first()).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), LINES, "{lines:?}");
        assert!(last.iter().all(|info| info.nodes == last[0].nodes));
        // A stopped iteration has deeper lines among the others.
        let in_order = |pair: &[Info]| {
            let [one, next] = pair else { return false };
            one.depth != next.depth || one.score.rank() >= next.score.rank()
        };
        assert!(last.windows(2).all(in_order), "{lines:?}");
    }
}

/// Positions with one legal move that depth 1 takes for something else than the loss it is: two
/// mates in at most five, and pawns that promote by force.
const FORCED: [(&str, &str); 4] = [
    ("8/8/1R2K1P1/7b/8/P1BQ4/8/k7 b - - 2 66", "a1a2"),
    (
        "6Qk/2pP2np/3p2pb/p1rPp3/4P3/P1B3PB/7P/1q3R1K b - - 0 26",
        "h8g8",
    ),
    ("4k3/4P3/5K2/8/4N3/8/8/8 b - - 2 63", "e8d7"),
    ("8/3R4/8/1p4K1/kB6/P7/8/8 b - - 4 51", "a4b3"),
];

/// Depth 1 says less than five pawns for the last two.
#[test]
fn a_forced_move_is_searched_a_little() {
    let mut engine = CASTELLAN.uci();
    for (fen, forced) in FORCED {
        engine.send_silent("ucinewgame");
        engine.set_fen(fen);
        // The share of such a clock would be much longer.
        let lines = engine.go("go wtime 36000000 btime 36000000");
        check_search(&game(fen), &lines);
        let last = infos(&lines).pop().expect("a line");
        assert_eq!(last.pv[0], forced);
        assert!(last.score.rank() < -1000, "{fen}: {last:?}");
        assert!(last.pv.len() > 1, "a reply to ponder on: {last:?}");
        assert!(last.nodes < 100_000, "{fen}: {last:?}");
    }
}
