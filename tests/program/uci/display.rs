//! `d`.

use super::CASTELLAN;

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
}
