//! `castellan play`: draws by claim, and draws without one.

use super::play::{BOTH, both_from, output_in, output_of};
use std::fs;
use test_common::{TempDir, positions::START};

#[test]
fn the_fifty_move_rule_is_a_claim_from_a_clock_of_100() {
    let folder = TempDir::new("play claim");
    let pgn = folder.path("claimed.pgn");
    let fen = "8/8/8/4k3/8/8/8/R3K3 w - - 98 80";
    let typed = format!("Ra2\ndraw\nKe6\ndraw\nfen\nundo\nredo\npgn {pgn}\n");
    let output = output_in(&folder, &both_from(fen), &typed);
    assert_eq!(
        output,
        [
            "White: 80. Ra2",
            "Draw cannot be claimed: the 50-move rule has not been triggered.",
            "Black: 80... Ke6",
            "Fifty-move rule: type 'draw' to claim a draw.",
            "Draw claimed: fifty-move rule.",
            "Draw claimed by the fifty-move rule. 1/2-1/2",
            "New game; 'pgn FILE' still writes the drawn game.",
            START,
            "no move to undo",
            "no move to redo",
            &format!("Game saved to '{pgn}'."),
        ]
    );
    let text = fs::read_to_string(pgn).expect("the file exists");
    assert!(text.contains("[Result \"1/2-1/2\"]\n"), "{text}");
    assert!(
        text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")),
        "{text}"
    );
    let moves = "80. Ra2 Ke6 {draw claimed by the fifty-move rule} 1/2-1/2";
    assert!(text.ends_with(&format!("\n{moves}\n\n")), "{text}");
}

#[test]
fn a_claim_may_name_the_move_that_completes_it() {
    let folder = TempDir::new("play claim with a move");
    let (pgn, game) = (folder.path("claimed.pgn"), folder.path("claimed.game"));
    let fen = "8/8/8/4k3/8/7P/8/R3K3 w - - 98 80";
    let words = [&both_from(fen)[..], &["--session", &game]].concat();
    let typed = format!("draw Ra2\ndraw Ra9\ndraw Rh1\nRa2\ndraw Kd4\nfen\npgn {pgn}\n");
    let output = output_in(&folder, &words, &typed);
    let refused = "Draw cannot be claimed: the move completes neither fifty moves without a capture or \
                   pawn move nor a threefold repetition.";
    assert_eq!(
        output,
        [
            refused,
            "invalid move 'Ra9': expected SAN such as e4, Nf3, Rae1, exd5, e8=Q or O-O",
            "illegal move 'Rh1': the rook on a1 cannot move to h1: e1 is occupied",
            "White: 80. Ra2",
            "Draw claimed: fifty-move rule.",
            "Draw claimed by the fifty-move rule. 1/2-1/2",
            "New game; 'pgn FILE' still writes the drawn game.",
            START,
            &format!("Game saved to '{pgn}'."),
        ]
    );
    let text = fs::read_to_string(pgn).expect("the file exists");
    let moves = "80. Ra2 {draw claimed by the fifty-move rule with Kd4} 1/2-1/2";
    assert!(text.ends_with(&format!("\n{moves}\n\n")), "{text}");
    let text = fs::read_to_string(&game).expect("the file exists");
    assert!(text.ends_with("move a1a2\ndraw e5d4\n"), "{text}");
    let resumed = output_in(&folder, &["--session", &game, "--resume"], "e4\n");
    assert_eq!(
        resumed[..2],
        [
            "Draw claimed by the fifty-move rule. 1/2-1/2",
            "White: 1. e4"
        ]
    );
}

#[test]
fn a_claim_is_announced_when_a_game_starts_or_is_resumed() {
    let folder = TempDir::new("play announced");
    let game = folder.path("fifty.game");
    let available = "Fifty-move rule: type 'draw' to claim a draw.";
    for (clock, expected) in [("99", "no move to undo"), ("100", available)] {
        let fen = format!("8/8/8/4k3/8/8/8/R3K3 w - - {clock} 80");
        assert_eq!(output_of(&both_from(&fen), "undo\n")[0], expected);
    }
    let fen = "8/8/8/4k3/8/8/8/R3K3 w - - 99 80";
    output_in(
        &folder,
        &[&both_from(fen)[..], &["--session", &game]].concat(),
        "Ra2\n",
    );
    let resumed = output_in(&folder, &["--session", &game, "--resume"], "fen\n");
    assert_eq!(resumed[0], available);
    let loaded = output_in(&folder, &BOTH, &format!("load {game}\n"));
    assert_eq!(loaded[0], available);
}

#[test]
fn check_is_announced_before_a_possible_claim() {
    let output = output_of(
        &both_from("8/8/8/4k3/8/8/8/R3K3 w - - 99 80"),
        "Ra5+\nKd6\nRa6\n",
    );
    let available = "Fifty-move rule: type 'draw' to claim a draw.";
    assert_eq!(
        output[..7],
        [
            "White: 80. Ra5+",
            "Check.",
            available,
            "Black: 80... Kd6",
            available,
            "White: 81. Ra6+",
            "Check.",
        ]
    );
}

#[test]
fn a_rejected_claim_changes_nothing() {
    let output = output_of(&BOTH, "e4\ne5\nundo\ndraw\nfen\nredo\nmoves\n");
    let refused = "Draw cannot be claimed: the 50-move rule has not been triggered.";
    assert_eq!(output[2], refused);
    assert!(output[3].ends_with(" b KQkq - 0 1"), "{output:?}");
    assert_eq!(output[4], "1. e4 e5");
}

#[test]
fn threefold_repetition_is_a_claim_and_fivefold_ends_the_game() {
    let round = "Nf3\nNf6\nNg1\nNg8\n";
    let claimed = output_of(&BOTH, &format!("{}draw\n", round.repeat(2)));
    let third = "Threefold repetition: type 'draw' to claim a draw.";
    assert_eq!(claimed[8], third);
    assert_eq!(claimed[10], "Draw claimed by threefold repetition. 1/2-1/2");
    let ended = output_of(&BOTH, &format!("{}e4\n", round.repeat(4)));
    let [.., last, refused] = ended.as_slice() else {
        panic!("{ended:?}");
    };
    assert_eq!(last, "Draw by fivefold repetition. 1/2-1/2");
    assert_eq!(refused, "the game is over: draw by fivefold repetition");
}

#[test]
fn checkmate_precedes_the_fifty_move_rule() {
    let folder = TempDir::new("play hundredth ply");
    let pgn = folder.path("mate.pgn");
    let fen = "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88";
    let output = output_in(&folder, &both_from(fen), &format!("Qh8\ndraw\npgn {pgn}\n"));
    assert_eq!(
        output[..3],
        [
            "White: 88. Qh8#",
            "White wins by checkmate. 1-0",
            "Draw cannot be claimed: the game is over (White wins by checkmate).",
        ]
    );
    let text = fs::read_to_string(pgn).expect("the file exists");
    assert!(text.contains("[Result \"1-0\"]"), "{text}");
    assert!(
        text.ends_with("88. Qh8# {White wins by checkmate} 1-0\n\n"),
        "{text}"
    );
}
