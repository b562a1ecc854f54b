//! `castellan annotate`: games in, annotated games out.

use super::{CASTELLAN, fails};
use std::fmt::Write as _;
use std::fs;

use test_common::{Finished, Rng, TempDir};

/// Short searches: the tests are about the output's form.
const QUICK: [&str; 5] = ["annotate", "--nodes", "200", "--hash", "1"];

fn annotated(arguments: &[&str], games: impl AsRef<[u8]>) -> Finished {
    CASTELLAN.run(&[&QUICK, arguments].concat(), games)
}

/// White blunders into mate in one.
const FOOLS_MATE: &str = "\
[Event \"A lesson\"]
[White \"Fool\"]
[Black \"Fox\"]
[Result \"0-1\"]
[ECO \"A00\"]

1. f3 {[%clk 0:03:00] why not?} e5 $1 2. g4 (2. e4 Nf6) Qh4# 0-1
";

const TWO: &str = "\
[Event \"One\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 1-0

[Event \"Two\"]
[Result \"1/2-1/2\"]

1. d4 d5 1/2-1/2
";

/// The value of a tag.
fn tag<'a>(text: &'a str, name: &str) -> &'a str {
    let start = format!("[{name} \"");
    let (_, rest) = text
        .split_once(&start)
        .unwrap_or_else(|| panic!("no {name} in {text}"));
    rest.split('"').next().unwrap_or_default()
}

#[test]
fn a_blunder_is_assessed_and_annotations_are_kept() {
    let stdout = annotated(&[], FOOLS_MATE).success();
    let line = stdout.replace('\n', " ");
    for kept in [
        "[Event \"A lesson\"]",
        "[ECO \"A00\"]",
        "[%clk 0:03:00] why not?}",
        " 1... e5 $1 {[%eval ",
        "(2. e4 Nf6",
    ] {
        assert!(line.contains(kept), "{kept:?} is missing in {stdout}");
    }
    // The blunder allows mate in one; a better line is added.
    assert!(
        line.contains(" 2. g4 $4 {[%eval #-1] Allows mate in 1.} (2. "),
        "{stdout}"
    );
    assert!(line.trim_end().ends_with(" 2... Qh4# 0-1"), "{stdout}");
    assert!(tag(&stdout, "Annotator").starts_with("Castellan "));
    let accuracy = |side| tag(&stdout, side).parse::<f64>().expect("a number");
    assert!(
        accuracy("WhiteAccuracy") < accuracy("BlackAccuracy"),
        "{stdout}"
    );
    let loss = |side| tag(&stdout, side).parse::<u32>().expect("a number");
    assert!(loss("WhiteACPL") > loss("BlackACPL"), "{stdout}");
    // Annotating once more changes nothing.
    assert_eq!(annotated(&[], &stdout).success(), stdout);
}

#[test]
fn invalid_games_are_reported_and_skipped() {
    let dir = TempDir::new("annotate broken");
    let bad = "[Event \"Bad\"]\n\n1. e4 e5\n2. Nf6 *\n\n[Event \"Open\"]\n\n1. e4 {never\n\n";
    let file = dir.write("games.pgn", format!("{bad}{TWO}"));
    let out = dir.path("out.pgn");
    let finished = annotated(&[&file, "--out", &out], "");
    assert_eq!((finished.stdout.as_str(), finished.code), ("", Some(1)));
    let lines: Vec<&str> = finished.stderr.lines().collect();
    let [one, two, end] = lines.as_slice() else {
        panic!("{}", finished.stderr);
    };
    assert!(one.contains("games.pgn': game 1, line 4"), "{one}");
    assert!(one.contains("illegal move 'Nf6'"), "{one}");
    assert!(two.contains("game 2, line "), "{two}");
    assert_eq!(*end, "castellan: invalid games: 2 of 4");
    let text = fs::read_to_string(out).expect("the file exists");
    assert_eq!(text, annotated(&[], TWO).success());
}

#[test]
fn chess960_is_told_by_the_variant_or_the_castling_rights() {
    let fen = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1";
    let castling = format!("[Event \"?\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O-O *\n");
    let named = castling.replace("[FEN", "[Variant \"Chess960\"]\n[FEN");
    let stdout = annotated(&[], &named).success();
    assert!(stdout.contains("[Variant \"Chess960\"]"), "{stdout}");
    assert!(stdout.contains("O-O-O"), "{stdout}");
    assert_eq!(annotated(&["--chess960"], &castling).success(), stdout);
    assert_eq!(annotated(&[], &castling).success(), stdout);
}

#[test]
fn existing_files_are_not_overwritten() {
    let dir = TempDir::new("annotate existing");
    let games = dir.write("games.pgn", TWO);
    let out = dir.write("out.pgn", "as it was");
    for (more, expected) in [
        (["--out", &out], "already exists; not overwritten"),
        (["--out", &games], "already exists"),
        (["--out", &dir.path("no such folder/x")], "no such folder"),
        (["--threads", "2"], "one thread"),
        (["--jobs=1", &dir.path("")], "cannot read"),
    ] {
        let order = [&more[..], &[&games]].concat();
        fails("annotate --nodes 200 --hash 1", &order, 1, expected);
    }
    fails("annotate", &[&dir.path("none.pgn")], 1, "none.pgn");
    let read = |path: &str| fs::read_to_string(path).expect("the file exists");
    assert_eq!(
        (read(&out).as_str(), read(&games).as_str()),
        ("as it was", TWO)
    );
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_bytes_and_time_left() {
    let dir = TempDir::new("annotate terminal");
    let text = format!("{TWO}[Event \"Bad\"]\n\n1. e9 *\n");
    let length = format!(" of {} B, ", text.len());
    let games = dir.write("games.pgn", text);
    let out = dir.path("out.pgn");
    let words = [&QUICK[..], &[&games, "--out", &out]].concat();
    let mut terminal = CASTELLAN.spawn_on_terminal(&words);
    let screen = terminal.read_until(" left");
    assert!(screen.contains(&length), "{screen}");
    assert_eq!(terminal.close().1, Some(1));
    // No bar where the games themselves go to the terminal.
    let words = [&QUICK[..], &[&games]].concat();
    let mut terminal = CASTELLAN.spawn_on_terminal(&words);
    let screen = terminal.read_until("invalid games: 1 of 3");
    assert!(!screen.contains(&length), "{screen}");
    assert!(screen.contains("[Annotator "), "{screen}");
}

/// Games of random moves, from a fixed seed.
pub(crate) fn random_games(count: usize, plies: usize) -> String {
    let mut rng = Rng::new(1);
    let mut text = String::new();
    for number in 1..=count {
        let _ = write!(text, "[Event \"Random\"]\n[Round \"{number}\"]\n\n");
        let mut position = movegen::Position::default();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let &mv = rng.choose(&moves);
            let _ = write!(text, "{} ", position.san(mv));
            position = position.play_unchecked(mv);
        }
        text.push_str("*\n\n");
    }
    text
}
