//! The file of `--out`: interrupted runs of `analyze` and `annotate`, files that are there, and two
//! processes that are to write the same one.

use std::fs;
use std::io::Write;
use std::process::{Child, ChildStdin};

use super::annotate::random_games;
use super::{CASTELLAN, arguments, fails, run};
use test_common::TempDir;
use test_common::positions::{CHECKMATE, START, mate_suite};

const TO_FILE: &str = "analyze --json --no-time --nodes 500 --jobs 2";
const ANNOTATE: &str = "annotate --nodes 300 --hash 1";

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("the file exists")
}

/// A run that has written the results of this input, and waits for more.
fn waiting(command: &str, input: &str, out: &str, results: usize) -> (Child, ChildStdin) {
    let mut child = CASTELLAN.spawn(&arguments(command, &["-", "--out", out]));
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    let partial = format!("{out}.partial");
    let lines = || fs::read_to_string(&partial).map_or(0, |text| text.matches('\n').count());
    while lines() <= results {
        assert_eq!(child.try_wait().expect("a child process"), None);
    }
    (child, stdin)
}

/// A run of which only this many results are left.
fn interrupted(command: &str, input: &str, out: &str, results: usize) -> String {
    let (mut child, _input) = waiting(command, input, out, results);
    child.kill().expect("a child process");
    child.wait().expect("a child process");
    assert!(fs::metadata(out).is_err(), "not complete");
    format!("{out}.partial")
}

#[test]
fn a_killed_run_is_resumed_wherever_it_stopped() {
    let dir = TempDir::new("killed");
    let file = dir.write("suite.epd", mate_suite(400));
    let (out, expected) = (dir.path("results"), dir.path("expected"));
    run(TO_FILE, &[&file, "--out", &expected], "").success();
    let mut child = CASTELLAN.spawn(&arguments(TO_FILE, &[&file, "--out", &out]));
    let partial = format!("{out}.partial");
    let length = || fs::metadata(&partial).map_or(0, |found| found.len());
    while length() < 2000 && child.try_wait().expect("a child process").is_none() {}
    child.kill().expect("a child process");
    child.wait().expect("a child process");
    assert!(fs::metadata(&out).is_err(), "not complete");
    let left = read(&partial);
    let header = left.find('\n').expect("a line") + 1;
    for end in (header..left.len())
        .step_by(left.len() / 7)
        .chain([left.len()])
    {
        fs::write(&partial, &left[..end]).expect("writable");
        run(TO_FILE, &[&file, "--resume", "--out", &out], "").success();
        assert!(read(&out) == read(&expected), "see {out}");
        assert!(fs::metadata(&partial).is_err(), "removed");
        fs::remove_file(&out).expect("the file exists");
    }
    // What was written after a damaged line is computed again; a damaged header is not ours.
    for place in (0..left.len()).step_by(left.len() / 9) {
        let mut damaged = left.clone().into_bytes();
        damaged[place] ^= 1;
        fs::write(&partial, &damaged).expect("writable");
        let resumed = run(TO_FILE, &[&file, "--resume", "--out", &out], "");
        if place < header {
            let expected = "line 1: it is incomplete or damaged";
            assert!(resumed.stderr.contains(expected), "{}", resumed.stderr);
        } else {
            resumed.success();
            assert!(read(&out) == read(&expected), "byte {place} of {partial}");
            fs::remove_file(&out).expect("the file exists");
        }
    }
    fs::remove_file(&partial).ok();
    // Without a file it starts from the beginning.
    run(TO_FILE, &[&file, "--resume", "--out", &out], "").success();
    assert!(read(&out) == read(&expected), "see {out}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    let dir = TempDir::new("ctrl-c");
    let file = dir.write("some.fen", format!("{START}\n{CHECKMATE}\n"));
    let out = dir.path("results");
    let (child, _input) = waiting(TO_FILE, &read(&file), &out, 2);
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.expect("kill").success());
    let ended = child.wait_with_output().expect("a child process");
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(
        said.contains("results.partial' has the results so far, and --resume"),
        "{said}"
    );
    run(TO_FILE, &[&file, "--out", &out, "--resume"], "").success();
    assert_eq!(read(&out).lines().count(), 2);
}

#[test]
fn a_file_that_appears_during_the_run_is_not_overwritten() {
    let dir = TempDir::new("late");
    let file = dir.write("some.fen", format!("{START}\n{CHECKMATE}\n"));
    let out = dir.path("results");
    let (mut child, input) = waiting(TO_FILE, &read(&file), &out, 2);
    fs::write(&out, "another's").expect("writable");
    drop(input);
    assert_eq!(child.wait().expect("a child process").code(), Some(1));
    assert_eq!(read(&out), "another's");
    // The results are kept.
    fs::remove_file(&out).expect("the file exists");
    run(TO_FILE, &[&file, "--out", &out, "--resume"], "").success();
    assert_eq!(read(&out).lines().count(), 2);
}

#[test]
fn errors_of_the_previous_run_count() {
    let dir = TempDir::new("errors");
    let file = dir.write("some.fen", format!("{START}\nnothing\n{CHECKMATE}\n"));
    let out = dir.path("results");
    interrupted(TO_FILE, &read(&file), &out, 3);
    let expected = "invalid positions: 1 of 3, the first in line 2";
    fails(TO_FILE, &[&file, "--resume", "--out", &out], 1, expected);
    assert_eq!(read(&out).lines().count(), 3);
}

#[test]
fn other_runs_are_refused() {
    let dir = TempDir::new("foreign");
    let file = dir.write("some.fen", format!("{START}\n{CHECKMATE}\n"));
    let out = dir.path("results");
    let partial = interrupted(TO_FILE, &read(&file), &out, 2);
    let before = read(&partial);
    fails(TO_FILE, &[&file, "--out", &out], 1, "use --resume");
    for (positions, expected) in [
        (format!("{START}\n{START}\n"), "line 2 is not the one"),
        (
            format!("{START}\n"),
            "line 2 of the interrupted run is missing",
        ),
    ] {
        let other = dir.write("other.fen", positions);
        let resumed = [&other, "--resume", "--out", &out];
        fails(TO_FILE, &resumed, 1, expected);
    }
    for (option, expected) in [
        (
            "--multipv=2",
            "had '--multipv 1', this one has '--multipv 2'",
        ),
        ("--hash=2", "had no such option, this one has 'Hash=2'"),
    ] {
        let resumed = [&file, "--resume", "--out", &out, option];
        fails(TO_FILE, &resumed, 1, expected);
    }
    // Starting over would lose the interrupted run.
    fs::write(&out, "").expect("writable");
    let resumed = [&file, "--resume", "--out", &out];
    fails(TO_FILE, &resumed, 1, "rename it and continue with --resume");
    fs::remove_file(&out).expect("the file exists");
    assert_eq!(read(&partial), before);
    run(TO_FILE, &resumed, "").success();
    let whole = read(&out);
    for more in [&[][..], &["--resume"]] {
        let to = [&[file.as_str(), "--out", &out], more].concat();
        fails(
            TO_FILE,
            &to,
            1,
            "already exists; not overwritten (use --force)",
        );
    }
    run(TO_FILE, &[&file, "--out", &out, "--force"], "").success();
    assert_eq!(read(&out), whole);
}

#[test]
fn an_interrupted_annotation_is_continued() {
    let dir = TempDir::new("annotate interrupted");
    let text = random_games(8, 12);
    let (out, whole) = (dir.path("out.pgn"), dir.path("whole.pgn"));
    let games = dir.write("games.pgn", &text);
    run(ANNOTATE, &[&games, "--out", &whole], "").success();
    // A game ends where the next begins.
    let up_to = |games| &text[..text.match_indices("[Event").nth(games).expect("a game").0];
    let part = format!("{}[Event \"Next\"]\n", up_to(5));
    let partial = interrupted(ANNOTATE, &part, &out, 5);
    // Neither another game nor the end of the input is taken for it.
    let changed = text.replacen("[Round \"2\"]", "[Round \"2.1\"]", 1);
    for (games, expected) in [
        (changed.as_str(), "the input has changed: game 2"),
        (up_to(2), "game 3 of the interrupted run is missing"),
    ] {
        let games = dir.write("other.pgn", games);
        fails(ANNOTATE, &[&games, "--resume", "--out", &out], 1, expected);
    }
    assert_eq!(read(&partial).matches("[Annotator").count(), 5);
    run(ANNOTATE, &[&games, "--resume", "--out", &out], "").success();
    assert_eq!(read(&out), read(&whole));
    assert!(fs::metadata(&partial).is_err(), "removed");
}

#[test]
fn force_overwrites_when_the_new_file_is_complete() {
    let dir = TempDir::new("annotate force");
    let games = dir.write("games.pgn", random_games(2, 6));
    let expected = run(ANNOTATE, &[&games], "").success();
    let directory = [games.as_str(), "--out", &dir.path("."), "--force"];
    fails(ANNOTATE, &directory, 1, "is not a regular file");
    // The input itself may be replaced.
    run(ANNOTATE, &[&games, "--out", &games, "--force"], "").success();
    assert_eq!(read(&games), expected);
}

#[test]
fn the_second_run_that_writes_a_file_does_nothing() {
    let dir = TempDir::new("two runs");
    let (out, expected) = (dir.path("out"), dir.path("expected"));
    let position = format!("{START}\n");
    run(TO_FILE, &[START, START, "--out", &expected], "").success();
    let (child, mut input) = waiting(TO_FILE, &position, &out, 1);
    let before = read(&format!("{out}.partial"));
    for more in [&[][..], &["--resume"], &["--force"]] {
        let message = format!("'{out}' is in use by another process");
        let words = [&[START, "--out", &out], more].concat();
        fails(TO_FILE, &words, 2, &message);
    }
    // Under another name.
    let parent = dir.directory().join(".").join("out");
    let parent = parent.to_str().expect("UTF-8");
    fails(TO_FILE, &[START, "--force", "--out", parent], 2, "in use");
    assert_eq!(read(&format!("{out}.partial")), before);
    input.write_all(position.as_bytes()).expect("it reads");
    drop(input);
    let ended = child.wait_with_output().expect("a child process");
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!((&*stderr, ended.status.code()), ("", Some(0)));
    assert_eq!(read(&out), read(&expected));
    assert_eq!(dir.names(), ["expected", "out"]);
}

/// Whichever is first, and whether or not it ends before another begins.
#[test]
fn processes_started_at_once_write_one_complete_file() {
    let dir = TempDir::new("at once");
    let positions = dir.write("positions", format!("{START}\n").repeat(20));
    let games = dir.write("games.pgn", random_games(3, 8));
    for (command, input) in [(TO_FILE, &positions), (ANNOTATE, &games)] {
        let (out, expected) = (dir.path("out"), dir.path("expected"));
        run(command, &[input, "--force", "--out", &expected], "").success();
        for _ in 0..4 {
            let words = arguments(command, &[input, "--force", "--out", &out]);
            let children: Vec<Child> = (0..3).map(|_| CASTELLAN.spawn(&words)).collect();
            let finished: Vec<_> = children
                .into_iter()
                .map(|child| child.wait_with_output().expect("a child process"))
                .collect();
            let codes: Vec<_> = finished.iter().map(|one| one.status.code()).collect();
            assert!(codes.contains(&Some(0)), "{codes:?}");
            for one in &finished {
                let stderr = String::from_utf8_lossy(&one.stderr);
                match one.status.code() {
                    Some(0) => assert_eq!(stderr, ""),
                    code => {
                        assert_eq!(code, Some(2), "{stderr}");
                        assert!(stderr.contains("is in use by another process"), "{stderr}");
                    }
                }
            }
            assert_eq!(read(&out), read(&expected));
        }
    }
    let left = ["expected", "games.pgn", "out", "positions"];
    assert_eq!(dir.names(), left);
}

#[test]
fn the_results_of_shards_are_those_of_the_whole() {
    let dir = TempDir::new("shards");
    let positions = format!("# a comment\n\n{}nonsense\n{START}", mate_suite(20));
    let positions = dir.write("suite.epd", positions);
    let games = dir.write("games.pgn", format!("1. Ke4 *\n\n{}", random_games(7, 10)));
    for (command, file) in [
        ("analyze --no-time --depth 2", positions),
        (ANNOTATE, games),
    ] {
        let whole = run(command, &[&file], "").stdout;
        for of in [1, 3, 40] {
            let shard = |number| run(command, &[&file, "--shard", &format!("{number}/{of}")], "");
            let parts: String = (1..=of).map(|number| shard(number).stdout).collect();
            assert!(parts == whole, "{of} shards of {file}");
        }
        for (wrong, input, code, message) in [
            ("0/3", &*file, 2, "expected K/N"),
            ("4/3", &*file, 2, "expected K/N"),
            ("1/2", "-", 1, "--shard needs files"),
            ("1/2", "none.pgn", 1, "none.pgn"),
        ] {
            fails(command, &[&file, input, "--shard", wrong], code, message);
        }
    }
}
