//! Limited strength: reproducible, legal, and not used in analysis.

use super::CASTELLAN;
use super::search_output::{best, check_search, game, infos};
use test_common::{
    UciEngine,
    positions::{KIWIPETE, START},
};

fn weak(options: &[&str]) -> UciEngine {
    let mut engine = CASTELLAN.uci();
    engine.set_option("UCI_LimitStrength", true);
    for option in options {
        engine.send_silent(&format!("setoption name {option}"));
    }
    engine
}

/// The first moves of `games` games.
fn moves(engine: &mut UciEngine, games: usize) -> Vec<String> {
    (0..games)
        .map(|_| {
            engine.send_silent("ucinewgame");
            engine.send_silent("position startpos");
            best(&engine.go("go depth 30")).0
        })
        .collect()
}

#[test]
fn every_level_plays_legal_moves_and_prints_their_line() {
    for elo in [800, 1234, 2000, 2999, 3000] {
        let mut engine = weak(&[&format!("UCI_Elo value {elo}"), "StrengthSeed value 5"]);
        for fen in [START, KIWIPETE, "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"] {
            engine.set_fen(fen);
            let lines = engine.go("go depth 30");
            check_search(&game(fen), &lines);
            assert!(infos(&lines).iter().all(|info| info.line == 1), "{lines:?}");
        }
    }
}

#[test]
fn a_seed_repeats_games_and_games_differ() {
    let mut engine = weak(&["UCI_Elo value 800", "StrengthSeed value 9"]);
    let first = moves(&mut engine, 12);
    assert!(first.iter().any(|mv| *mv != first[0]), "{first:?}");
    engine.set_option("StrengthSeed", 9);
    assert_eq!(moves(&mut engine, 12), first);
    engine.set_option("StrengthSeed", 10);
    assert_eq!(moves(&mut engine, 11), first[1..]);
}

#[test]
fn analysis_has_full_strength() {
    let nodes = |lines: &[String]| infos(lines).iter().map(|info| info.nodes).max();
    let mut engine = CASTELLAN.uci();
    engine.send_silent("ucinewgame");
    let full = nodes(&engine.go("go depth 9"));
    for option in ["UCI_LimitStrength value true", "Skill Level value 0"] {
        let mut engine = CASTELLAN.uci();
        engine.send_silent(&format!("setoption name {option}"));
        engine.send_silent("ucinewgame");
        assert!(nodes(&engine.go("go depth 9")) < full);
        engine.set_option("UCI_AnalyseMode", true);
        engine.send_silent("ucinewgame");
        assert_eq!(nodes(&engine.go("go depth 9")), full);
        engine.set_option("UCI_AnalyseMode", false);
        // A mate that the lowest level would not find.
        engine.set_fen("8/8/8/8/4k3/8/8/R3K2R w - - 0 1");
        let lines = engine.go("go mate 8");
        assert!(nodes(&lines) > Some(100), "{lines:?}");
    }
}

#[test]
fn stop_ends_the_pause() {
    let mut engine = weak(&["UCI_Elo value 800"]);
    engine.send_silent("position startpos");
    // The search itself ends at once; the pause would last for seconds.
    engine.send("go wtime 7200000 btime 7200000");
    let mut output = engine.read_until("info depth");
    output.extend(engine.query("isready"));
    check_search(&game(START), &engine.finish(output, "stop"));
}

#[test]
fn limited_strength_with_multi_pv_threads_and_searchmoves() {
    let mut engine = weak(&[
        "UCI_Elo value 900",
        "MultiPV value 4",
        "Threads value 3",
        "Hash value 1",
    ]);
    for _ in 0..20 {
        engine.send_silent("ucinewgame");
        engine.set_fen(KIWIPETE);
        let lines = engine.go("go movetime 20 searchmoves e2a6 d5e6 e1g1");
        let most = infos(&lines).iter().map(|info| info.line).max();
        assert_eq!(most, Some(3), "one line per move");
        let played = best(&lines).0;
        assert!(
            ["e2a6", "d5e6", "e1g1"].contains(&played.as_str()),
            "{played}"
        );
    }
}
