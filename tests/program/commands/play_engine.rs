//! `castellan play` against the engine: its limits, clocks, book, draws and resignation.

use super::CASTELLAN;
use super::play::{BOTH, output_in, output_of};
use std::fs;
use test_common::{TempDir, positions::START};

#[test]
fn the_engine_makes_the_users_move_on_request() {
    let output = output_of(&["--nodes", "300"], "go\nmoves\n");
    assert!(output[0].starts_with("Castellan: 1. "), "{output:?}");
    assert!(output[1].starts_with("Castellan: 1... "), "{output:?}");
    assert_eq!(output[2].split(' ').count(), 3, "{output:?}");
}

#[test]
fn clocks_are_kept_and_written() {
    let folder = TempDir::new("play clock");
    let (pgn, game) = (folder.path("clock.pgn"), folder.path("clock.game"));
    let words = ["play", "--ascii", "--side", "both", "--clock", "60+600"];
    let words = [&words[..], &["--session", &game]].concat();
    let typed = format!("e4\ne5\nmoves\npgn {pgn}\n");
    let output = CASTELLAN.run_in(&folder.path(""), &words, &typed).success();
    // Ten minutes a move are more than the test takes.
    assert!(output.contains("\n    White 1:0"), "{output}");
    assert!(output.contains("\n1. e4 (1:"), "{output}");
    let text = fs::read_to_string(&pgn).expect("the file exists");
    assert!(text.contains("[TimeControl \"3600+600\"]\n"), "{text}");
    assert!(text.contains("[Termination \"unterminated\"]\n"), "{text}");
    assert_eq!(text.matches("[%clk 1:").count(), 2, "{text}");
    let saved = fs::read_to_string(&game).expect("the file exists");
    assert!(saved.contains("\nclock 3600+600\nmove e2e4 4"), "{saved}");
    // The clocks go on from there.
    let words = ["--session", &game, "--resume"];
    let resumed = output_in(&folder, &words, "moves\nundo\nmoves\n");
    assert!(resumed[0].starts_with("1. e4 (1:"), "{resumed:?}");
    assert!(resumed[0].contains(" e5 (1:"), "{resumed:?}");
    assert!(!resumed[1].contains("e5"), "{resumed:?}");
}

/// The file of a game with clocks in which White, to move, has no time left.
fn flagged(folder: &TempDir, fen: &str, moves: [&str; 2]) -> String {
    let [white, black] = moves;
    folder.write(
        "flag.game",
        format!(
            "castellan game 1\nbegin standard both {fen}\nclock 300+0\nmove {white} 0\nmove {black} 300\n"
        ),
    )
}

#[test]
fn a_side_without_time_loses() {
    let folder = TempDir::new("play flag");
    let pgn = folder.path("flag.pgn");
    let game = flagged(&folder, START, ["e2e4", "e7e5"]);
    let words = ["--session", &game, "--resume"];
    let output = output_in(&folder, &words, &format!("d4\npgn {pgn}\n"));
    assert_eq!(
        output[..2],
        [
            "White loses on time. 0-1",
            "the game is over: the time of White has run out"
        ]
    );
    let text = fs::read_to_string(&pgn).expect("the file exists");
    assert!(text.contains("[Result \"0-1\"]\n"), "{text}");
    assert!(text.contains("[Termination \"time forfeit\"]\n"), "{text}");
    assert!(
        text.ends_with(
            "1. e4 {[%clk 0:00:00]} 1... e5 {[%clk 0:05:00] White loses on time} 0-1\n\n"
        ),
        "{text}"
    );
    // A bare king cannot win.
    let game = flagged(&folder, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", ["a1a2", "e8e7"]);
    let output = output_in(&folder, &["--session", &game, "--resume"], "Ra3\n");
    assert_eq!(
        output[0],
        "Draw: White's time has run out, but Black cannot mate. 1/2-1/2"
    );
}

#[test]
fn the_engine_plays_within_its_limits_and_with_its_clock() {
    for limit in [
        &["--depth", "2"][..],
        &["--depth", "3", "--threads", "2", "--hash", "4"],
        &["--clock", "1+1", "--nodes", "200"],
    ] {
        let output = output_of(limit, "e4\n");
        assert!(output[1].starts_with("Castellan: 1... "), "{output:?}");
    }
}

#[test]
fn the_engine_opens_from_its_book() {
    let folder = TempDir::new("play book");
    let games = folder.write(
        "games.pgn",
        "[Event \"?\"]\n\n1. a3 h5 2. h3 a5 *\n\n[Event \"?\"]\n\n1. a3 h5 2. h3 a5 *\n",
    );
    let book = folder.path("book.bin");
    CASTELLAN.run(
        &["book", "make", &games, "--out", &book, "--min-games", "1"],
        "",
    );
    let output = output_in(&folder, &["--book", &book, "--nodes", "100"], "a3\nh3\n");
    assert_eq!(
        output[..4],
        [
            "You: 1. a3",
            "Castellan: 1... h5",
            "You: 2. h3",
            "Castellan: 2... a5"
        ]
    );
    let stderr = CASTELLAN.run_failing(&["play", "--book", "/no such book"], 1);
    assert!(
        stderr.contains("cannot use the book '/no such book'"),
        "{stderr}"
    );
}

#[test]
fn the_engine_knows_its_tablebases() {
    let tables = test_common::repository_path("tests/data/syzygy");
    if !tables.is_dir() {
        return;
    }
    let tables = tables.display().to_string();
    let words = ["--nodes", "100", "--fen", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"];
    let with_tables = output_of(&[&words[..], &["--syzygy", &tables]].concat(), "eval\n");
    let score = |output: &[String]| {
        let score = output[0].split(' ').next().unwrap_or_default();
        score.parse::<f64>().expect("a score in pawns")
    };
    // Wins in the tablebases are scored far above any evaluation.
    assert!(score(&with_tables) > 100.0, "{with_tables:?}");
    let without = output_of(&words, "eval\n");
    assert!(score(&without) < 100.0, "{without:?}");
}

#[test]
fn draws_by_agreement() {
    let folder = TempDir::new("play agreed");
    let pgn = folder.path("agreed.pgn");
    let agreed = output_in(&folder, &BOTH, &format!("e4\noffer\ne5\npgn {pgn}\n"));
    assert_eq!(
        agreed[1..3],
        [
            "Draw by agreement. 1/2-1/2",
            "the game is over: draw by agreement"
        ]
    );
    let text = fs::read_to_string(&pgn).expect("the file exists");
    assert!(text.contains("[Termination \"normal\"]\n"), "{text}");
    assert!(
        text.ends_with("1. e4 {draw by agreement} 1/2-1/2\n\n"),
        "{text}"
    );
    // The engine accepts when it is lost and declines when it wins.
    let queen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    let lost = output_of(&["--nodes", "1000", "--fen", queen], "offer\n");
    assert_eq!(
        lost,
        ["Castellan accepts the draw.", "Draw by agreement. 1/2-1/2"]
    );
    let winning = "q3k3/8/8/8/8/8/P7/4K3 w - - 0 1";
    let won = output_of(
        &["--nodes", "1000", "--fen", winning],
        "offer\noffer\na3\noffer\n",
    );
    assert_eq!(
        won[..2],
        [
            "Castellan declines the draw.",
            "the draw has been declined; offer again after the next move"
        ]
    );
    assert_eq!(
        won.last().map(String::as_str),
        Some("Castellan declines the draw.")
    );
}

#[test]
fn the_engine_resigns_only_when_told_to() {
    let fen = "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1";
    let typed = "Qa7\nRb2\nRb3\nRb4\nRb5\n";
    let words = ["--nodes", "1000", "--fen", fen];
    let plays_on = output_of(&words, typed);
    assert!(!plays_on.concat().contains("resigns"), "{plays_on:?}");
    let resigns = output_of(&[&words[..], &["--resign"]].concat(), typed);
    assert!(
        resigns.contains(&"Black resigns. 1-0".to_owned()),
        "{resigns:?}"
    );
    let replies = resigns
        .iter()
        .filter(|line| line.starts_with("Castellan: "));
    assert_eq!(replies.count(), 2, "{resigns:?}");
}

#[test]
fn the_engine_claims_the_draws_it_wants() {
    // Black, a queen down, completes the fifty moves with any move.
    let fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 98 80";
    let output = output_of(&["--nodes", "1000", "--fen", fen], "Qa2\n");
    assert!(
        output[1].starts_with("Castellan claims a draw with K"),
        "{output:?}"
    );
    assert_eq!(output[2], "Draw claimed: fifty-move rule.");
    assert_eq!(output[3], "Draw claimed by the fifty-move rule. 1/2-1/2");
    // A mate that completes them is better.
    let fen = "1r4k1/8/8/8/8/8/r7/7K w - - 98 80";
    let output = output_of(&["--nodes", "1000", "--fen", fen], "Kg1\n");
    assert_eq!(output[1], "Castellan: 80... Rb1#");
}

#[test]
fn chess960_starts_by_number_or_at_random() {
    let folder = TempDir::new("play 960");
    let output = output_in(&folder, &["--side", "both", "--chess960", "0"], "fen\n");
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

#[test]
fn engine_moves_are_reproducible_with_a_node_limit() {
    let arguments = ["--nodes", "500", "--name", "Ada"];
    let first = output_of(&arguments, "e4\nhint\neval\nd4\nquit\n");
    assert_eq!(first[0], "Ada: 1. e4");
    assert!(first[1].starts_with("Castellan: 1... "), "{first:?}");
    assert!(first[2].starts_with("Try "), "{first:?}");
    assert!(first[3].contains("; White wins "), "{first:?}");
    assert!(first[3].contains("; expected: 2. "), "{first:?}");
    assert_eq!(first[4], "Ada: 2. d4");
    assert!(first[5].starts_with("Castellan: 2... "), "{first:?}");
    assert_eq!(
        output_of(&arguments, "e4\nhint\neval\nd4\nquit\n")[..6],
        first[..6]
    );
    // It plays the first move as White, and mates in one.
    let white = output_of(&["--side", "black", "--nodes", "500"], "quit\n");
    assert!(white[0].starts_with("Castellan: 1. "), "{white:?}");
    let mate = [
        "--side",
        "black",
        "--fen",
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "--nodes",
        "5000",
    ];
    let mate = output_of(&mate, "Kf8\nhint\nfen\n");
    assert_eq!(
        mate[..4],
        [
            "Castellan: 1. Ra8#",
            "White wins by checkmate. 1-0",
            "the game is over: White wins by checkmate",
            "the game is over",
        ]
    );
}

#[test]
fn the_seed_determines_the_moves_at_limited_strength() {
    let game = |seed: &str| {
        let words = ["--elo", "800", "--seed", seed, "--side", "white"];
        output_of(&words, "e4\nd4\nNf3\nNc3\nquit\n")
    };
    let answers: Vec<Vec<String>> = (1..=8).map(|seed| game(&seed.to_string())).collect();
    assert_eq!(game("3")[..4], answers[2][..4]);
    // Other seeds lead to other games.
    assert!(
        answers.iter().any(|other| other != &answers[0]),
        "{answers:?}"
    );
}
