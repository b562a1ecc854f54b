//! The output of a search: castling.

use super::CASTELLAN;

use super::search_output::{best, infos};

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
    // Nothing but the option decides, not even a position that was set before.
    engine.set_option("UCI_Chess960", true);
    let (castle, _) = best(&engine.go("go depth 1 searchmoves e1h1"));
    assert_eq!(castle, "e1h1");
    engine.set_fen("5k2/4p1p1/4P1P1/8/8/8/8/5K1R w H - 0 1");
    engine.set_option("UCI_Chess960", false);
    let (castle, _) = best(&engine.go("go depth 1 searchmoves f1h1"));
    assert_eq!(castle, "f1g1");
}
