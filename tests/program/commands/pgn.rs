//! `castellan pgn`: games, positions and counts.

use test_common::TempDir;
use test_common::positions::START;

use super::annotate::random_games;
use super::{CASTELLAN, fails, run};

/// The results and moves of some games.
const GAMES: [[&str; 2]; 5] = [
    ["1-0", "1. e4 e5 2. Nf3"],
    ["1/2-1/2", "1. e4 c5"],
    ["0-1", "1. e4 c5 2. Nf3 Nc6"],
    ["*", ""],
    ["1-0", "1. e4 e5 2. f4"],
];

/// The games, each with its number as the event.
fn pgn() -> String {
    let games = GAMES.iter().zip(1..);
    let written = games.map(|([result, moves], number)| {
        format!("[Event \"{number}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    });
    written.collect()
}

const SICILIAN: &str = "1. e4 c5 *\n";

#[test]
fn games_are_printed_as_they_are_read() {
    let dir = TempDir::new("pgn filter");
    let annotated = "[Event \"A\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"W\"]\n\
                     [Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
                     1. e4 $1 {[%clk 0:01:00] best} (1. d4 d5) 1... e5 1-0\n\n";
    let file = dir.write("one.pgn", annotated);
    let printed = CASTELLAN.run(&["pgn", &file], "").success();
    assert_eq!(printed, annotated);
    // Read again it is the same.
    let games = random_games(8, 40);
    let once = run("pgn", &["-"], &games).success();
    assert_eq!(run("pgn", &[], &once).success(), once);
    assert_eq!(once.matches("[Event ").count(), 8);
    let both = run("pgn", &[&file, "-"], &games).success();
    assert_eq!(both, annotated.to_owned() + &once);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_the_results_and_nothing_else() {
    let dir = TempDir::new("pgn on a terminal");
    let file = dir.write("some.pgn", format!("{SICILIAN}\n").repeat(50));
    let terminal = CASTELLAN.spawn_on_terminal(&["pgn", "--fens=2", &file]);
    let (shown, code) = terminal.close();
    let expected = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\r\n";
    assert_eq!((shown, code), (expected.repeat(50), Some(0)));
    let mut terminal = CASTELLAN.spawn_on_terminal(&["pgn", "--count"]);
    terminal.read_until("reading games in PGN from the terminal; Ctrl-D ends the input\r\n");
    terminal.keys("1. e4 e5 *\n");
    let (shown, code) = terminal.close();
    assert!(shown.ends_with("\r\n1\r\n"), "{shown:?}");
    assert_eq!(code, Some(0));
}

#[test]
fn positions_are_extracted() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let after_c5 = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let all = run("pgn --fens", &[], SICILIAN).success();
    assert_eq!(all, format!("{START}\n{after_e4}\n{after_c5}\n"));
    assert_eq!(all, run("pgn --fens=all", &[], SICILIAN).success());
    let games = pgn();
    let fens = |options: &str| run(&format!("pgn {options}"), &[], &games).success();
    assert!(fens("--fens=last").contains(&format!("\n{after_c5}\n")));
    assert_eq!(fens("--fens=1"), format!("{after_e4}\n").repeat(4));
    // Only two games have four plies or more, and one of them three.
    assert_eq!(fens("--fens=3").lines().count(), 3);
    assert_eq!(fens("--fens=4").lines().count(), 1);
    assert_eq!(fens("--fens=5"), "");
    // Each game has one position more than moves.
    assert_eq!(fens("--fens").lines().count(), 5 + 3 + 2 + 4 + 3);
    // They can be analyzed.
    let analyzed = run("analyze --json --depth 1", &[], &all);
    assert_eq!(analyzed.json().len(), 3);
    analyzed.success();
    // A Chess960 game has the files of its rooks.
    let chess960 =
        "[Variant \"Chess960\"]\n[FEN \"1rk4r/8/8/8/8/8/8/1RK3R1 w GBhb - 0 1\"]\n\n1. O-O *\n";
    let castled = run("pgn --fens=last", &[], chess960).success();
    assert_eq!(castled, "1rk4r/8/8/8/8/8/8/1R3RK1 b hb - 1 1\n");
}

#[test]
fn invalid_games_are_reported_with_file_and_line() {
    let dir = TempDir::new("invalid games");
    let text = format!("{}[Event \"6\"]\n\n1. e4 Ke6 *\n\n{}", pgn(), pgn());
    let file = dir.write("some.pgn", &text);
    let finished = run("pgn --count", &[&file], "");
    assert_eq!((finished.stdout.as_str(), finished.code), ("10\n", Some(1)));
    for word in [
        "some.pgn': game 6, line 28, ",
        "'Ke6'",
        "invalid games: 1 of 11",
    ] {
        assert!(finished.stderr.contains(word), "{}", finished.stderr);
    }
    // Nothing is printed before.
    fails("pgn", &[&file, &dir.path("none.pgn")], 1, "none.pgn");
    for line in ["pgn --count --fens", "pgn --fens=first"] {
        fails(line, &[], 2, "try '--help'");
    }
}
