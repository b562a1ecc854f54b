//! `d` and `help`.

use super::CASTELLAN;
use test_common::positions::{CHECKMATE, STALEMATE};

#[test]
fn d_prints_board_and_facts() {
    let mut engine = CASTELLAN.uci();
    let lines = engine.query("d");
    let board = [
        " 8  r n b q k b n r",
        " 7  p p p p p p p p",
        " 6  . . . . . . . .",
        " 5  . . . . . . . .",
        " 4  . . . . . . . .",
        " 3  . . . . . . . .",
        " 2  P P P P P P P P",
        " 1  R N B Q K B N R",
    ];
    assert_eq!(lines.get(..8).unwrap_or_default(), board);
    let names: Vec<&str> = lines
        .iter()
        .filter_map(|line| Some(line.split_once(": ")?.0))
        .collect();
    assert_eq!(
        names,
        ["Fen", "Key", "Checkers", "Legal", "State", "Claims"]
    );
    engine.quit();
}

#[test]
fn d_lists_legal_moves_in_uci_and_san() {
    let mut engine = CASTELLAN.uci();
    engine.set_fen("6k1/P7/8/8/8/8/8/RN2K2R w KQ - 0 1");
    let legal = engine.display("Legal");
    let moves: Vec<&str> = legal.split(' ').collect();
    for pair in [
        "e1g1=O-O",
        "a7a8q=a8=Q+",
        "a7a8n=a8=N",
        "b1c3=Nc3",
        "h1h8=Rh8+",
    ] {
        assert!(moves.contains(&pair), "{pair} in {legal}");
    }
    for fen in [CHECKMATE, STALEMATE] {
        engine.set_fen(fen);
        assert_eq!(engine.display("Legal"), "-");
    }
    engine.quit();
}

#[test]
fn d_prints_the_state() {
    let mut engine = CASTELLAN.uci();
    let back_and_forth = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    for (position, state) in [
        ("startpos".to_owned(), "none"),
        (format!("fen {STALEMATE}"), "stalemate"),
        ("fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".to_owned(), "check"),
        (
            "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
            "insufficient-material",
        ),
        (
            "fen 4k3/8/8/8/8/8/8/R3K3 w - - 150 90".to_owned(),
            "fifty-move-claim, seventy-five-moves",
        ),
        // Mate comes first, whatever the clock says.
        (
            "fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 99".to_owned(),
            "check, checkmate",
        ),
        (
            format!("startpos moves {back_and_forth}"),
            "threefold-claim, fivefold",
        ),
    ] {
        engine.send_silent(&format!("position {position}"));
        assert_eq!(engine.display("State"), state, "{position}");
    }
    engine.set_fen("4k3/8/8/b7/8/8/4r3/4K3 w - - 0 1");
    assert_eq!(engine.display("Checkers"), "e2 a5");
    engine.quit();
}

#[test]
fn d_lists_the_moves_that_complete_a_claim() {
    let mut engine = CASTELLAN.uci();
    let fen = "fen 7k/8/8/8/8/8/P7/K7 w - - 99 90";
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    for (position, claims) in [
        ("startpos".to_owned(), "-"),
        (fen.to_owned(), "a1b1=fifty-move a1b2=fifty-move"),
        (format!("startpos moves {shuffle}"), "f6g8=threefold"),
        (format!("{fen} moves a2a3"), "-"),
    ] {
        engine.send_silent(&format!("position {position}"));
        assert_eq!(engine.display("Claims"), claims, "{position}");
    }
    engine.quit();
}
