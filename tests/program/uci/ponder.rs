//! Pondering: `ponderhit` and `stop` at any time.

use super::CASTELLAN;
use super::search_output::{assert_only_infos, best, check_search, follow, game};
use test_common::positions::{CHECKMATE, START};

#[test]
fn ponderhit_right_after_go_is_not_lost() {
    let mut engine = CASTELLAN.uci();
    for _ in 0..200 {
        let lines = engine.go("go ponder wtime 20 btime 20\nponderhit");
        check_search(&game(START), &lines);
    }
    let lines = engine.go("go ponder wtime 6000000 btime 6000000\nponderhit\nstop");
    check_search(&game(START), &lines);
}

#[test]
fn ponderhit_does_not_end_an_infinite_search() {
    let mut engine = CASTELLAN.uci();
    engine.send("go ponder infinite");
    engine.read_until("info depth 1 ");
    engine.send("ponderhit");
    assert_only_infos(&engine.unsolicited());
    engine.go("stop");
}

#[test]
fn ponderhit_without_legal_moves() {
    let mut engine = CASTELLAN.uci();
    engine.set_fen(CHECKMATE);
    engine.send("go ponder wtime 100 btime 100");
    engine.read_until("info depth 0 score mate 0");
    engine.assert_quiet();
    assert_eq!(engine.go("ponderhit"), ["bestmove (none)"]);
}

#[test]
fn a_game_with_pondering() {
    const MOVES: usize = 12;
    let mut engine = CASTELLAN.uci();
    let mut played = game(START);
    let mut moves = Vec::new();
    for round in 0..MOVES {
        let lines = engine.go(&format!(
            "position startpos moves {}\ngo wtime 1000 btime 1000 nodes 300",
            moves.join(" ")
        ));
        check_search(&played, &lines);
        let (best, reply) = best(&lines);
        let ponders = reply.is_some();
        let line: Vec<String> = [Some(best), reply].into_iter().flatten().collect();
        played = follow(&played, &line);
        moves.extend(line);
        if !ponders || played.outcome().is_some() {
            break;
        }
        // Every other time the opponent plays the expected move.
        let end = if round % 2 == 0 { "ponderhit" } else { "stop" };
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        let lines = engine.go(&format!("go ponder wtime 50 btime 50 nodes 300\n{end}"));
        check_search(&played, &lines);
    }
}
