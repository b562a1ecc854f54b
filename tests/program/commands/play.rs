//! `castellan play`: moves, commands and messages.

use super::CASTELLAN;
use std::fs;
use test_common::{TempDir, positions::START};

/// The output of a game in which these lines are typed, without boards.
pub(crate) fn output_of(arguments: &[&str], typed: &str) -> Vec<String> {
    let folder = TempDir::new(&format!("play {:?}", std::thread::current().id()));
    output_in(&folder, arguments, typed)
}

pub(crate) fn output_in(folder: &TempDir, arguments: &[&str], typed: &str) -> Vec<String> {
    let words = [&["play", "--ascii"], arguments].concat();
    let output = CASTELLAN.run_in(&folder.path(""), &words, typed).success();
    let lines = output.lines().filter(|line| {
        let board = line.starts_with("    a b c") || line.starts_with("    h g f");
        !line.is_empty() && !board && !line.starts_with(' ')
    });
    lines.map(str::to_owned).collect()
}

pub(crate) const BOTH: [&str; 2] = ["--side", "both"];

pub(crate) fn both_from(fen: &str) -> [&str; 4] {
    ["--side", "both", "--fen", fen]
}

#[test]
fn moves_by_squares_and_in_san() {
    let typed = "e2e4\ne5\nNf3\nb8c6\nf1b5\na6\nO-O\nNf6\nmoves\nfen\n";
    let output = output_of(&BOTH, typed);
    let expected = [
        "White: 1. e4",
        "Black: 1... e5",
        "White: 2. Nf3",
        "Black: 2... Nc6",
        "White: 3. Bb5",
        "Black: 3... a6",
        "White: 4. O-O",
        "Black: 4... Nf6",
        "1. e4 e5",
        "2. Nf3 Nc6",
        "3. Bb5 a6",
        "4. O-O Nf6",
        "r1bqkb1r/1ppp1ppp/p1n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 2 5",
    ];
    // Without a terminal the game is not kept, and nothing is said about it.
    assert_eq!(output, expected);
}

#[test]
fn moves_as_people_type_them() {
    let output = output_of(&BOTH, "nf3\nd5\ng3\nb6\nbg2\nbb7\n0-0\nmoves\n");
    assert_eq!(
        output[7..],
        ["1. Nf3 d5", "2. g3 b6", "3. Bg2 Bb7", "4. O-O"]
    );
    let promotion = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    for typed in ["e8Q", "e8q", "e8=Q+", "e7e8q"] {
        let output = output_of(&both_from(promotion), &format!("{typed}\n"));
        assert_eq!(output[0], "White: 1. e8=Q+", "{typed}");
    }
    // With a pawn that can capture there, b is the file.
    let captures = "4k3/8/8/8/2p5/1P6/4B3/4K3 w - - 0 1";
    let output = output_of(&both_from(captures), "bc4\nundo\nbxc4\nundo\nBc4\n");
    assert_eq!(
        output,
        ["White: 1. bxc4", "White: 1. bxc4", "White: 1. Bxc4"]
    );
    let output = output_of(&BOTH, "nd4\nbc4\nqueen\n");
    assert_eq!(output[0], "illegal move 'Nd4': no knight can move to d4");
    assert_eq!(
        output[1],
        "illegal move 'bc4': a pawn on b2 cannot move to c4"
    );
    assert!(output[2].starts_with("invalid move 'queen'"), "{output:?}");
}

#[test]
fn legal_moves_and_why_castling_is_closed() {
    let fen = "4kr2/8/8/8/8/8/7P/R3K2R w KQ - 0 1";
    let output = output_of(&both_from(fen), "legal\nlegal e1\nlegal h2\nlegal A1\n");
    assert_eq!(
        output,
        [
            "Pawn:   h3 h4",
            "Rook:   Rb1 Rc1 Rd1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Ra8+ Rf1 Rg1",
            "King:   Kd1 Kd2 Ke2 O-O-O",
            "O-O: cannot castle kingside: f1 is attacked",
            "Kd1 Kd2 Ke2 O-O-O",
            "O-O: cannot castle kingside: f1 is attacked",
            "h3 h4",
            "Rb1 Rc1 Rd1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Ra8+",
        ]
    );
    let moved = "Ke2\nKd8\nKe1\nKe8\nlegal\nlegal e1\n";
    let output = output_of(&both_from(fen), moved);
    assert_eq!(output[6], "King:   Kd1 Kd2 Ke2");
    assert!(
        output[8].starts_with("O-O: White may no longer castle kingside: the king has moved"),
        "{output:?}"
    );
    let output = output_of(&BOTH, "legal a1\nlegal e4\nlegal e7\nlegal x9\n");
    assert_eq!(
        output,
        [
            "The rook on a1 has no legal move.",
            "White has no piece on e4",
            "White has no piece on e7",
            "invalid square 'x9': expected a1 to h8",
        ]
    );
    let mated = output_of(&both_from("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), "legal\n");
    assert_eq!(mated[1], "the game is over: White wins by checkmate");
}

#[test]
fn rejected_commands_have_reasons() {
    let fen = "4kr2/8/8/b7/8/8/3N4/R3K2R w KQ - 0 1";
    for (typed, why) in [
        ("e1g1", "f1 is attacked"),
        ("O-O", "f1 is attacked"),
        ("Nf3", "pinned"),
        ("d2f3", "pinned"),
        ("e1d2", "occupied by a piece of the same color"),
        ("e1e3", "a king on e1 cannot move to e3"),
        ("e1e2", ""),
        ("f8f7", "White is to move"),
        ("a6a7", "no piece on a6"),
        ("Qd4", "White has no queen"),
        ("draw Qd4", "White has no queen"),
        ("castle", "invalid move 'castle'"),
        ("\u{1b}[31mred", "invalid move"),
        ("pgn", "requires a file name"),
        ("new red", "white, black or both"),
        ("undo 2", "takes no argument"),
    ] {
        let output = output_of(&both_from(fen), &format!("{typed}\n"));
        assert!(output[0].contains(why), "{typed}: {output:?}");
        assert!(!output.concat().contains('\u{1b}'), "{output:?}");
    }
}

#[test]
fn undo_and_redo() {
    let typed = "e4\ne5\nNf3\nNc6\nBc4\nBc5\nO-O\nundo\nfen\nredo\nfen\nredo\nundo\nd3\nredo\n";
    let castled = output_of(&BOTH, typed);
    assert!(castled[7].ends_with("/RNBQK2R w KQkq - 4 4"), "{castled:?}");
    assert!(castled[8].ends_with("/RNBQ1RK1 b kq - 5 4"), "{castled:?}");
    assert_eq!(castled[9], "no move to redo");
    assert_eq!(castled[10], "White: 4. d3");
    assert_eq!(castled[11], "no move to redo");
    // Against the engine, its reply is undone and redone too.
    let engine = ["--nodes", "300"];
    let output = output_of(
        &engine,
        "undo\ne4\nmoves\nundo\nfen\nredo\nmoves\nundo\nundo\n",
    );
    assert_eq!(output[0], "no move to undo");
    assert_eq!(output[4], START);
    assert_eq!(output[5], output[3]);
    assert_eq!(output[6], "no move to undo");
    // The engine's first move alone cannot be undone.
    let black = output_of(&["--side", "black", "--nodes", "300"], "undo\n");
    assert_eq!(black[1], "no move to undo");
}

#[test]
fn resign_and_new() {
    let folder = TempDir::new("play resign");
    let (first, second) = (folder.path("first.pgn"), folder.path("second.pgn"));
    let typed = format!(
        "e4\nresign\nresign\nundo\ne5\ndraw\npgn {first}\nnew both\nd4\nd5\nresign\npgn {second}\n"
    );
    let output = output_in(&folder, &["--nodes", "300"], &typed);
    assert_eq!(output[2], "White resigns. 0-1");
    for refused in &output[3..7] {
        assert_eq!(refused, "the game is over: White resigned");
    }
    let text = fs::read_to_string(first).expect("the file exists");
    assert!(
        text.contains("[White \"You\"]\n[Black \"Castellan "),
        "{text}"
    );
    assert!(text.contains("[Result \"0-1\"]"), "{text}");
    assert!(text.ends_with("{White resigns} 0-1\n\n"), "{text}");
    let text = fs::read_to_string(second).expect("the file exists");
    assert!(
        text.ends_with("\n1. d4 d5 {White resigns} 0-1\n\n"),
        "{text}"
    );
}

#[test]
fn chess960_games() {
    let folder = TempDir::new("play chess960");
    let pgn = folder.path("game.pgn");
    let fen = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1";
    let words = [&both_from(fen)[..], &["--chess960"]].concat();
    let output = output_in(&folder, &words, &format!("c1f1\nO-O-O\nfen\npgn {pgn}\n"));
    assert_eq!(output[..2], ["White: 1. O-O", "Black: 1... O-O-O"]);
    assert_eq!(
        output[2],
        "2kr1r2/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2"
    );
    let text = fs::read_to_string(pgn).expect("the file exists");
    assert!(
        text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n"),
        "{text}"
    );
    assert!(text.ends_with("\n\n1. O-O O-O-O *\n\n"), "{text}");
}

#[test]
fn the_board_follows_the_drawing_options() {
    let folder = TempDir::new("play drawn");
    let drawn = |arguments: &[&str], typed: &str| {
        let words = [&["play"], arguments].concat();
        CASTELLAN.run_in(&folder.path(""), &words, typed).success()
    };
    let plain = drawn(&BOTH, "");
    assert!(plain.contains("\n 8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n"), "{plain}");
    assert!(plain.contains("\n 1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "no terminal, no colors");
    assert!(!plain.contains('>'), "no terminal, no prompt");
    let flipped = drawn(&BOTH, "flip\n");
    assert!(
        flipped.contains("\n    h g f e d c b a    White to move\n"),
        "{flipped}"
    );
    let black = drawn(&["--side", "black", "--nodes", "100"], "");
    assert!(
        black.contains("\n    h g f e d c b a    White to move\n"),
        "{black}"
    );
    let ascii = drawn(&["--ascii", "--side", "both"], "");
    assert!(ascii.contains("\n 1  R N B Q K B N R\n"), "{ascii}");
    let colored = drawn(&["--color", "always", "--side", "both"], "");
    assert!(colored.contains("\u{1b}[48;5;"), "{colored}");
}

#[test]
fn invalid_input_is_reported_and_skipped() {
    let folder = TempDir::new("play any input");
    let words = ["play", "--ascii", "--side", "both"];
    let long = "x".repeat(3 << 20);
    let mut typed = format!("\r\ne4\r\n{long}\n").into_bytes();
    typed.extend(b"\xff\xfe\n\0\nhelp\nE5\ne5");
    let output = CASTELLAN.run_in(&folder.path(""), &words, &typed).success();
    for expected in [
        "White: 1. e4\n",
        "the line is longer than",
        "not valid UTF-8",
        "resign               resign the game\n",
        "invalid move 'E5'",
        "Black: 1... e5\n",
    ] {
        assert!(output.contains(expected), "no {expected:?} in {output}");
    }
}

#[test]
fn invalid_arguments_are_usage_errors() {
    for words in [
        &["play", "--side", "red"][..],
        &["play", "--time", "0"],
        &["play", "--time", "soon"],
        &["play", "--time", "nan"],
        &["play", "--nodes", "0"],
        &["play", "--chess960", "960"],
        &["play", "--clock", "0+1"],
        &["play", "--clock", "soon"],
        &["play", "--depth", "0"],
        &["play", "--threads", "0"],
        &["play", "--hash", "0"],
        &["play", "--games", "--resume"],
        &["play", "--delete"],
        &["play", "--elo", "799"],
        &["play", "--elo", "3001"],
        &["play", "--seed", "2147483648"],
        &["play", "--resume", "--fen", START],
        &["play", "game.pgn"],
    ] {
        let stderr = CASTELLAN.run_failing(words, 2);
        assert!(stderr.contains("--help"), "{stderr}");
    }
    let stderr = CASTELLAN.run_failing(&["play", "--elo", "5"], 2);
    assert!(stderr.contains("is not in 800..=3000"), "{stderr}");
    let stderr = CASTELLAN.run_failing(&["play", "--hash", "4294967295"], 1);
    assert!(
        stderr.contains("cannot allocate a hash table of 4294967295 MB"),
        "{stderr}"
    );
    let stderr = CASTELLAN.run_failing(&["play", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 1);
    assert!(stderr.contains("king"), "{stderr}");
}
