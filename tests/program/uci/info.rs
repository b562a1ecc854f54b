//! The output of a search: MultiPV, notation, determinism.

use super::CASTELLAN;
use std::collections::HashSet;
use test_common::positions::{KIWIPETE, START};

use super::search_output::{Info, check_search, game, infos};

/// The lines of the deepest finished iteration.
fn last_round(lines: &[String], wanted: usize) -> Vec<Info> {
    let infos: Vec<Info> = infos(lines)
        .into_iter()
        .filter(|info| !info.bounded)
        .collect();
    let from = infos.len().saturating_sub(wanted);
    infos[from..].to_vec()
}

#[test]
fn multi_pv_lines_are_distinct_legal_and_sorted() {
    let endgame = "8/5p2/4p1k1/2p1P1p1/2P3P1/3K1P2/8/8 w - - 0 40";
    for (fen, wanted) in [(START, 3), (KIWIPETE, 5), (endgame, 4), (START, 20)] {
        let mut engine = CASTELLAN.uci();
        engine.set_option("MultiPV", wanted);
        engine.set_fen(fen);
        let lines = engine.go("go depth 4");
        check_search(&game(fen), &lines);
        let round = last_round(&lines, wanted);
        let numbers: Vec<usize> = round.iter().map(|info| info.line).collect();
        assert_eq!(numbers, (1..=wanted).collect::<Vec<_>>(), "{lines:?}");
        let firsts: HashSet<_> = round.iter().map(|info| info.pv.first()).collect();
        assert_eq!(firsts.len(), wanted, "{round:?}");
        let sorted = round.is_sorted_by_key(|info| -info.score.rank());
        assert!(sorted, "{round:?}");
        engine.quit();
    }
}

#[test]
fn castling_is_printed_by_mode() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("UCI_Chess960", true);
    engine.set_fen("5k2/4p1p1/4P1P1/8/8/8/8/4K2R w H - 0 1");
    let lines = engine.go("go depth 4 searchmoves e1g1");
    for info in infos(&lines) {
        assert_eq!(
            info.pv.first().map(String::as_str),
            Some("e1h1"),
            "{info:?}"
        );
    }
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("bestmove e1h1"))
    );
    engine.set_option("UCI_Chess960", false);
    engine.set_fen("5k2/4p1p1/4P1P1/8/8/8/8/4K2R w K - 0 1");
    let lines = engine.go("go depth 4 searchmoves e1h1");
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("bestmove e1g1"))
    );
    engine.quit();
}
