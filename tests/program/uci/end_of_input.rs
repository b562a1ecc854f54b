//! The end of input: limited searches are completed, others are stopped, and the program exits.

use super::CASTELLAN;
use super::search_output::{best, check_search, game, infos};
use test_common::positions::{CHECKMATE, MATE_IN_ONE, START};

#[test]
fn a_limited_search_is_completed() {
    let lines = CASTELLAN.uci_session("position startpos\ngo depth 6\n");
    check_search(&game(START), &lines);
    let deepest = infos(&lines).iter().map(|info| info.depth).max();
    assert_eq!(deepest, Some(6));
}

#[test]
fn every_kind_of_limit_is_completed() {
    for go in [
        "go nodes 2000",
        "go movetime 20",
        "go wtime 50 btime 50",
        "go mate 1",
    ] {
        // A mate in one, so that `go mate 1` ends too.
        let lines = CASTELLAN.uci_session(&format!("position fen {MATE_IN_ONE}\n{go}"));
        assert_eq!(best(&lines).0, "a1a8", "{go}");
    }
}

#[test]
fn an_unlimited_search_is_stopped() {
    for go in [
        "go infinite",
        "go ponder",
        "go ponder wtime 9000 btime 9000",
        "go",
    ] {
        let lines = CASTELLAN.uci_session(&format!("position startpos\n{go}\n"));
        check_search(&game(START), &lines);
    }
    for go in ["go infinite", "go ponder"] {
        let lines = CASTELLAN.uci_session(&format!("position fen {CHECKMATE}\n{go}\n"));
        assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    }
}

#[test]
fn output_is_in_the_order_of_input() {
    let lines =
        CASTELLAN.uci_session("go perft 3\nposition startpos moves e2e4\ngo perft 2\nd\nquit\n");
    let sums: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("Nodes") || line.starts_with("Fen"))
        .collect();
    assert_eq!(
        sums,
        [
            "Nodes searched: 8902",
            "Nodes searched: 600",
            "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        ]
    );
}

#[test]
fn empty_input_and_a_last_line_without_newline() {
    assert_eq!(CASTELLAN.uci_session(""), [""; 0]);
    assert_eq!(CASTELLAN.uci_session("\n\n"), [""; 0]);
    assert_eq!(CASTELLAN.uci_session("isready"), ["readyok"]);
    assert_eq!(
        CASTELLAN.uci_session("quit\nisready\n"),
        [""; 0],
        "nothing is read after quit"
    );
}
