//! Behavior that all commands have in common, above all those that process many positions or games.

use std::io::{BufRead, BufReader, Read, Write};

use test_common::TempDir;
use test_common::positions::{START, mate_suite};

use super::annotate::random_games;
use super::{CASTELLAN, arguments, fails, run};

/// Jobs that would not fit into memory are left out.
#[cfg(target_os = "linux")]
#[test]
fn more_jobs_than_the_address_space_has_room_for() {
    let directory = TempDir::new("jobs");
    let games = directory.write("games.pgn", random_games(12, 30));
    for arguments in ["annotate", "analyze startpos"] {
        let run = format!(
            "ulimit -v 1000000 && exec \"$0\" {arguments} --jobs 3000 --hash 1 --nodes 200 < \"$1\""
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &run])
            .arg(CASTELLAN.path())
            .arg(&games)
            .output()
            .expect("a shell");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {stderr}");
        assert!(!output.stdout.is_empty(), "{arguments}");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_jobs() {
    for (fixed, input, result, count) in [
        (
            "analyze --json --no-time --nodes 3000 --multipv 2",
            mate_suite(60),
            "{\"version\":1,\"line\":",
            60,
        ),
        (
            "annotate --nodes 200 --hash 1",
            random_games(12, 30),
            "[Event ",
            12,
        ),
    ] {
        let with = |jobs: &str| run(fixed, &["--jobs", jobs], &input).success();
        let one = with("1");
        assert_eq!(one.matches(result).count(), count, "{fixed}");
        assert!(one == with("2") && one == with("5"), "{fixed}");
    }
}

#[test]
fn empty_input_is_no_error() {
    for (fixed, lines) in [("analyze --json", 0), ("annotate", 0)] {
        for nothing in ["", "\n\n", "\u{feff}", "\r\n"] {
            let stdout = run(fixed, &[], nothing).success();
            assert_eq!(stdout.lines().count(), lines, "{fixed}: {stdout}");
        }
    }
    assert_eq!(run("analyze", &[], "# a remark\r\n").success(), "");
    assert_eq!(run("annotate", &[], "% an escape\n").success(), "");
}

#[test]
fn a_closed_pipe_ends_a_command_quietly() {
    let dir = TempDir::new("closed pipe");
    let games = dir.write("games.pgn", random_games(300, 20));
    let suite = dir.write("suite.epd", mate_suite(400));
    for (fixed, more) in [
        ("analyze --nodes 100 --jobs 2", &[][..]),
        ("annotate --nodes 200 --hash 1", &[&*games]),
        ("go perft 4", &[]),
        ("bench 2", &[]),
        ("genfens 1000000 seed 1", &[]),
        ("eval", &[]),
        ("fen", &[&*suite]),
        ("pgn", &[&games]),
        ("pgn --fens", &[&games]),
        ("completions bash", &[]),
        ("man analyze", &[]),
        ("--help", &[]),
        ("--version", &[]),
        ("play --side both", &[]),
    ] {
        let mut child = CASTELLAN.spawn(&arguments(fixed, more));
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        if fixed.starts_with("analyze") {
            // After the first result, input without end.
            let line = format!("{START}\n");
            input.write_all(line.as_bytes()).expect("it reads");
            let mut first = String::new();
            output.read_line(&mut first).expect("a line");
            assert!(first.starts_with("1: "), "{first}");
            drop(output);
            // It ends at its next write, even if input is left.
            while input.write_all(line.as_bytes()).is_ok() {}
        } else {
            drop(output);
        }
        drop(input);
        let mut stderr = String::new();
        let mut pipe = child.stderr.take().expect("a pipe");
        pipe.read_to_string(&mut stderr).expect("text");
        let status = child.wait().expect("an exit status");
        assert_eq!((stderr.as_str(), status.code()), ("", Some(0)), "{fixed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn write_errors_are_reported() {
    use std::fs::File;
    use std::process::Command;

    let dir = TempDir::new("read-only");
    let games = dir.write("games.pgn", "1. e4 *\n");
    // Where not even root can create files.
    for (fixed, more) in [
        ("analyze --depth 1 --out /proc/file", START),
        ("annotate --depth 1 --out /proc/file", games.as_str()),
    ] {
        fails(fixed, &[more], 1, "cannot write '/proc/");
    }
    for fixed in [
        "analyze --depth 1 startpos",
        "annotate -",
        "fen startpos",
        "pgn -",
        "bench 1",
        "eval",
        "go perft 1",
        "--help",
        "--version",
        "completions bash",
        "man",
        "uci",
        "go depth 1",
        "play",
    ] {
        let full = File::options().write(true).open("/dev/full");
        let output = Command::new(CASTELLAN.path())
            .args(fixed.split(' '))
            .stdin(File::open(&games).expect("it exists"))
            .stdout(full.expect("it can be opened"))
            .output()
            .expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr.starts_with("castellan: cannot write"), "{stderr}");
    }
}
