//! `castellan play`: games that survive interrupts, and files that are never written over.

use crate::CASTELLAN;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use test_common::{Finished, TempDir};

/// What is said, on whichever channel, and how it ended.
fn play(folder: &TempDir, arguments: &[&str], typed: &str) -> (String, String, Option<i32>) {
    let words = [&["play", "--ascii"], arguments].concat();
    in_three(CASTELLAN.run_in(&folder.path(""), &words, typed))
}

fn in_three(ended: Finished) -> (String, String, Option<i32>) {
    (ended.stdout, ended.stderr, ended.code)
}

fn said(folder: &TempDir, arguments: &[&str], typed: &str) -> String {
    let (said, complaint, code) = play(folder, arguments, typed);
    assert_eq!((complaint.as_str(), code), ("", Some(0)), "{said}");
    said
}

fn complaint(folder: &TempDir, arguments: &[&str]) -> String {
    let (said, complaint, code) = play(folder, arguments, "e4\n");
    assert_eq!((said.as_str(), code), ("", Some(1)), "{complaint}");
    complaint
}

/// The games in the usual folder.
fn kept(folder: &TempDir) -> Vec<String> {
    let folder = folder.path("castellan");
    let files = fs::read_dir(folder).map(|files| {
        let paths = files.map(|file| file.expect("a file").path());
        paths
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    });
    files.unwrap_or_default()
}

/// A program in the middle of a game: it has answered the first move.
fn in_the_middle(folder: &TempDir, arguments: &[&str]) -> Child {
    let words = [&["play", "--ascii", "--nodes", "200"], arguments].concat();
    let mut child = CASTELLAN.spawn_in(&folder.path(""), &words);
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(b"e4\n").expect("it reads");
    let output = BufReader::new(child.stdout.as_mut().expect("a pipe"));
    let answered = output
        .lines()
        .map_while(Result::ok)
        .any(|line| line.starts_with("Castellan: 1... "));
    assert!(answered);
    child
}

#[test]
fn a_game_survives_being_killed() {
    let folder = TempDir::new("play killed");
    let mut child = in_the_middle(&folder, &[]);
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    assert_eq!(kept(&folder).len(), 1);
    let said = said(
        &folder,
        &["--resume", "--nodes", "200"],
        "moves\nd4\nmoves\nquit\n",
    );
    let moves: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("1. e4 "))
        .collect();
    let [before, after] = moves.as_slice() else {
        panic!("{said}");
    };
    assert_eq!(before.split(' ').count(), 3);
    assert!(
        after.starts_with(before) && after.contains(" 2. d4 "),
        "{said}"
    );
    assert!(said.contains("use --resume to continue it"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_game_survives_an_interrupt() {
    let folder = TempDir::new("play interrupted");
    let mut child = in_the_middle(&folder, &[]);
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill is there").success());
    assert!(!child.wait().expect("it was started").success());
    let said = said(&folder, &["--resume", "--nodes", "200"], "moves\n");
    assert!(said.contains("\n1. e4 "), "{said}");
}

#[test]
fn the_engine_moves_on_where_it_was_interrupted_and_taking_back_still_works() {
    let folder = TempDir::new("play half a line");
    let game = folder.write(
        "a.game",
        "castellan game 1\nbegin standard white rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         move e2e4\nmove e7e5\nundo\nundo\nredo\nmove e7",
    );
    let words = ["--session", &game, "--resume", "--nodes", "200"];
    let said = said(&folder, &words, "undo\nredo\nquit\n");
    assert_eq!(said.matches("Castellan: 1... ").count(), 1, "{said}");
    let text = fs::read_to_string(&game).expect("it is there");
    assert!(text.contains("\nredo\nmove "), "{text}");
    assert!(!text.contains("e7move"), "{text}");
    assert!(text.ends_with("\nundo\nundo\nredo\nredo\n"), "{text}");
}

#[test]
fn only_unfinished_games_stay() {
    let folder = TempDir::new("play only unfinished");
    said(&folder, &["--side", "both"], "quit\n");
    said(&folder, &["--side", "both"], "f3\ne5\ng4\nQh4\nquit\n");
    said(&folder, &["--side", "both"], "e4\nresign\n");
    assert_eq!(kept(&folder), [""; 0]);
    said(&folder, &["--side", "both"], "e4\n");
    let another = said(&folder, &["--side", "both"], "quit\n");
    assert!(
        another.starts_with("An unfinished game is saved; use --resume"),
        "{another}"
    );
    said(&folder, &["--resume"], "c5\n");
    assert_eq!(kept(&folder).len(), 1);
    said(&folder, &["--resume"], "resign\n");
    let complaint = complaint(&folder, &["--resume"]);
    assert!(complaint.contains("no unfinished game in"), "{complaint}");
}

#[test]
fn a_game_is_played_by_one_program_at_a_time() {
    let folder = TempDir::new("play one at a time");
    let game = folder.path("my.game");
    let mut child = in_the_middle(&folder, &["--session", &game]);
    let refused = complaint(&folder, &["--session", &game, "--resume"]);
    assert!(refused.contains("in use by another process"), "{refused}");
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    assert!(
        said(
            &folder,
            &["--session", &game, "--resume", "--nodes", "9"],
            "moves\n"
        )
        .contains("1. e4")
    );
}

#[test]
fn what_is_no_game_is_left_alone() {
    let folder = TempDir::new("play no game");
    let start = "castellan game 1\nbegin standard both rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    for (bytes, expected) in [
        ("", "is not a saved game"),
        ("dear diary\n", "is not a saved game"),
        ("castellan game 1", "is not a saved game"),
        (
            &format!("{start}move e2e5\n"),
            "line 3: illegal move 'e2e5'",
        ),
        (&format!("{start}dance\n"), "line 3: invalid action 'dance'"),
        (&format!("{start}undo\n"), "line 3: no move"),
        ("castellan game 1\nbegin standard red 8/8 w\n", "line 2"),
        ("castellan game 1\nbegin standard white 8/8 w\n", "line 2"),
    ] {
        let game = folder.write("some.game", bytes);
        let said = complaint(&folder, &["--session", &game, "--resume"]);
        assert!(said.contains(expected), "{bytes:?}: {said}");
        let said = complaint(&folder, &["--session", &game]);
        assert!(said.contains("already exists"), "{said}");
        assert_eq!(fs::read_to_string(&game).expect("it is there"), bytes);
    }
    let said = complaint(
        &folder,
        &["--session", &folder.path("none.game"), "--resume"],
    );
    assert!(said.contains("none.game"), "{said}");
}

#[test]
fn saved_games_and_pgns_are_loaded() {
    let folder = TempDir::new("play save and load");
    let (saved, pgn) = (folder.path("a.save"), folder.path("a.pgn"));
    let typed = format!("e4\nc5\nNf3\nundo\nsave {saved}\npgn {pgn}\nmoves\n");
    said(&folder, &["--side", "both"], &typed);
    let typed = format!("d4\nload {saved}\nmoves\nredo\nmoves\nload {pgn}\nmoves\nredo\n");
    let loaded = said(&folder, &["--side", "both"], &typed);
    let spoken: Vec<&str> = loaded
        .lines()
        .filter(|line| !line.starts_with(' ') && !line.is_empty())
        .collect();
    assert_eq!(
        spoken[..6],
        [
            "An unfinished game is saved; use --resume to continue it.",
            "White: 1. d4",
            "1. e4 c5",
            "1. e4 c5 2. Nf3",
            "1. e4 c5",
            "no move to redo",
        ]
    );
    // What was loaded is kept too.
    assert!(said(&folder, &["--resume"], "moves\n").contains("\n1. e4 c5\n"));
}

#[test]
fn files_that_are_there_stay_as_they_are() {
    let folder = TempDir::new("play stay");
    let (taken, pgn) = (folder.write("taken", "as it was"), folder.path("new.pgn"));
    let missing = folder.path("no such folder/x");
    let broken = folder.write("broken.pgn", "[Event \"?\"]\n\n1. e4 e5\n2. Ke4 *\n");
    let typed = format!(
        "e4\npgn {taken}\nsave {taken}\npgn {missing}\nload {missing}\nload {taken}\n\
         load {broken}\npgn {pgn}\ne5\npgn {pgn}\nmoves\n"
    );
    let said = said(&folder, &["--side", "both"], &typed);
    assert_eq!(
        said.matches("already exists; not overwritten").count(),
        2,
        "{said}"
    );
    assert_eq!(said.matches("no such folder").count(), 2, "{said}");
    assert!(
        said.contains("line 4, move 2.: illegal move 'Ke4'"),
        "{said}"
    );
    assert!(said.contains("\n1. e4 e5\n"), "{said}");
    assert_eq!(fs::read_to_string(taken).expect("it is there"), "as it was");
    // One's own file may grow with the game.
    let text = fs::read_to_string(pgn).expect("it was written");
    assert!(text.ends_with("\n\n1. e4 e5 *\n\n"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_kept_is_played_all_the_same() {
    let words = ["play", "--ascii", "--side", "both"];
    let ended = CASTELLAN.run_in("/proc/no such folder", &words, "e4\ne5\n");
    let (said, complaint, code) = in_three(ended);
    assert_eq!(code, Some(0));
    assert!(complaint.contains("the game is not saved: "), "{complaint}");
    assert!(said.contains("Black: 1... e5"), "{said}");
    // But not where one has named the file.
    let words = [&words[..], &["--session", "/proc/x.game"]].concat();
    let ended = CASTELLAN.run_in("/proc/no such folder", &words, "e4\n");
    let (said, complaint, code) = in_three(ended);
    assert_eq!((said.as_str(), code), ("", Some(1)));
    assert!(
        complaint.contains("cannot write '/proc/x.game'"),
        "{complaint}"
    );
}

#[test]
fn a_closed_pipe_ends_it_quietly_and_keeps_the_game() {
    let folder = TempDir::new("play closed pipe");
    let mut child = CASTELLAN.spawn_in(&folder.path(""), &["play", "--side", "both"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    let mut stderr = child.stderr.take().expect("a pipe");
    // It may have left before it reads this.
    let _ = input.write_all(b"e4\ne5\n");
    assert!(child.wait().expect("it was started").success());
    let mut complaint = String::new();
    std::io::Read::read_to_string(&mut stderr, &mut complaint).expect("text");
    assert_eq!(complaint, "");
}
