//! `castellan play`: its options. What is typed is tested in `terminal/console`.

use super::CASTELLAN;
use crate::uci::book_files::{AFTER_E4, bytes};
use test_common::{TempDir, positions::START};

/// The output of a game in which these lines are typed, without boards.
fn output_of(arguments: &[&str], typed: &str) -> Vec<String> {
    let folder = TempDir::new("play");
    let words = [&["play", "--ascii"], arguments].concat();
    let output = CASTELLAN.run_in(&folder.path(""), &words, typed).success();
    let lines = output.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(' '));
    lines.map(str::to_owned).collect()
}

const BOTH: [&str; 2] = ["--side", "both"];

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
    typed.extend(b"\xfe\xfd\n\0\nhelp\nE5\ne5");
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
        &["play", "--chess960", "960"],
        &["play", "--clock", "0+1"],
        &["play", "--clock", "soon"],
        &["play", "--elo", "799"],
        &["play", "--elo", "3001"],
        &["play", "--seed", "2147483648"],
        &["play", "--resume", "--fen", START],
        &["play", "game.pgn"],
        &["play", "--resume", "--side", "both"],
    ] {
        let stderr = CASTELLAN.run_failing(words, 2);
        assert!(stderr.contains("--help"), "{stderr}");
    }
    let stderr = CASTELLAN.run_failing(&["play", "--elo", "5"], 2);
    assert!(stderr.contains("from 800 to 3000"), "{stderr}");
    let stderr = CASTELLAN.run_failing(&["play", "--hash", "33554432"], 1);
    assert!(
        stderr.contains("cannot allocate a hash table of 33554432 MB"),
        "{stderr}"
    );
    let stderr = CASTELLAN.run_failing(&["play", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 1);
    assert!(stderr.contains("king"), "{stderr}");
}

#[test]
fn the_options_reach_the_game() {
    for limit in [
        &["--depth", "2"][..],
        &["--depth", "3", "--threads", "2", "--hash", "4"],
        &["--clock", "1+1", "--nodes", "200"],
        &["--time", "0.01"],
    ] {
        let output = output_of(&[limit, &["--name", "Ada"]].concat(), "e4\n");
        assert_eq!(output[0], "Ada: 1. e4");
        assert!(output[1].starts_with("Castellan: 1... "), "{output:?}");
    }
    let drawn = CASTELLAN.run(&["play", "--side", "both", "--clock", "60+600"], "");
    assert!(
        drawn
            .success()
            .contains("\n    White 1:00:00   Black 1:00:00\n")
    );
    let weak = |seed| {
        output_of(
            &["--elo", "800", "--seed", seed, "--nodes", "500"],
            "e4\nd4\n",
        )
    };
    assert_eq!(weak("1"), weak("1"));
    let lost = "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1";
    let words = ["--nodes", "1000", "--fen", lost, "--resign"];
    let resigned = output_of(&words, "Qa7\nRb2\nRb3\n");
    assert!(
        resigned.contains(&"Castellan resigns. 1-0".to_owned()),
        "{resigned:?}"
    );
}

#[test]
fn the_engine_opens_from_its_book() {
    let folder = TempDir::new("play book");
    let book = folder.write("book.bin", bytes(&[(AFTER_E4, "h7h5", 1)]));
    let output = output_of(&["--book", &book, "--nodes", "100"], "e4\n");
    assert_eq!(output[..2], ["You: 1. e4", "Castellan: 1... h5"]);
    let stderr = CASTELLAN.run_failing(&["play", "--book", "/no such book"], 1);
    assert!(
        stderr.contains("cannot use the book '/no such book'"),
        "{stderr}"
    );
}

#[test]
fn chess960_starts_by_number_or_at_random() {
    let output = output_of(&["--side", "both", "--chess960", "0"], "fen\n");
    assert_eq!(
        output,
        [
            "Chess960 start position 0.",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"
        ]
    );
    let random = |seed: &str| {
        let words = ["--side", "both", "--chess960", "--seed", seed];
        output_of(&words, "fen\nnew\nfen\n")
    };
    let first = random("1");
    assert!(
        first[0].starts_with("Chess960 start position "),
        "{first:?}"
    );
    assert!(
        first[2].starts_with("Chess960 start position "),
        "{first:?}"
    );
    assert_ne!(first[1], first[3]);
    assert_eq!(random("1"), first);
    assert_ne!(random("2")[0], first[0]);
    let stderr = CASTELLAN.run_failing(&["play", "--chess960", "5", "--fen", START], 1);
    assert!(stderr.contains("takes no number with --fen"), "{stderr}");
}
