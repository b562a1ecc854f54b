//! `castellan analyze`: input and output.

use crate::CASTELLAN;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Command;
use test_common::{
    TempDir,
    positions::{CHECKMATE, MATE_IN_ONE, START},
    repository_file,
};

use serde_json::Value;

const QUICK: [&str; 5] = ["analyze", "--json", "--no-time", "--depth", "1"];

/// The line numbers, and whether there is an error.
fn outline(results: &[Value]) -> Vec<(u64, bool)> {
    let json = results.iter();
    json.map(|result| {
        (
            result["line"].as_u64().expect("a number"),
            !result["error"].is_null(),
        )
    })
    .collect()
}

#[test]
fn bad_lines_get_errors_and_do_not_affect_others() {
    let text = format!(
        "\u{feff}{START}\r\n\r\n# a remark\r\nno position\r\n{MATE_IN_ONE} bm Ra8; id \"first; one\";\r\n\
         {MATE_IN_ONE} id \"open\r\n4k3/8/8/8/8/8/8/8 w - - 0 1\r\nstartpos moves e2e5\r\n{CHECKMATE}"
    );
    for jobs in ["1", "3"] {
        let finished = CASTELLAN.run(&[&QUICK[..], &["--jobs", jobs]].concat(), &text);
        let results = finished.json();
        let expected = [
            (1, false),
            (4, true),
            (5, false),
            (6, true),
            (7, true),
            (8, true),
            (9, false),
        ];
        assert_eq!(outline(&results), expected);
        assert_eq!(finished.code, Some(1));
        assert_eq!(
            finished.stderr,
            "castellan: 4 of 7 positions could not be analyzed, the first in line 4\n"
        );
        assert_eq!(results[2]["id"], "first; one");
        for (result, word) in [(1, "'no'"), (3, "id"), (4, "king"), (5, "e2e5")] {
            let error = results[result]["error"].as_str().expect("text");
            assert!(error.contains(word), "{error}");
        }
    }
}

#[test]
fn empty_input_is_no_error() {
    for text in ["", "\n\n", "\u{feff}", "# nothing\r\n", "\r\n"] {
        assert_eq!(CASTELLAN.run(&QUICK, text).success(), "");
    }
}

#[test]
fn files_arguments_and_standard_input_are_equivalent() {
    let dir = TempDir::new("sources");
    let text = format!("{START}\n{MATE_IN_ONE}\n");
    let file = dir.write("positions.fen", &text);
    let piped = CASTELLAN.run(&QUICK, &text).success();
    assert_eq!(piped.lines().count(), 2);
    assert_eq!(
        CASTELLAN
            .run(&[&QUICK[..], &["--file", &file]].concat(), "")
            .success(),
        piped
    );
    assert_eq!(
        CASTELLAN
            .run(&[&QUICK[..], &["-f", "-"]].concat(), &text)
            .success(),
        piped
    );
    assert_eq!(
        CASTELLAN
            .run(&[&QUICK[..], &[START, MATE_IN_ONE]].concat(), "")
            .success(),
        piped
    );
    for (missing, word) in [(dir.path("none"), "none"), (dir.path(""), "sources")] {
        let stderr = CASTELLAN.run_failing(&["analyze", "--file", &missing], 1);
        assert!(stderr.contains(word), "{stderr}");
    }
}

#[test]
fn invalid_utf8_and_overlong_lines() {
    let mut bytes = format!("{START}\n").into_bytes();
    bytes.extend(b"\xff\xfe\x00\n");
    // A FEN of one megabyte, which is read, and one of three, which is too long.
    bytes.extend("8/".repeat(1 << 19).bytes());
    bytes.extend(b"\n");
    bytes.extend("8".repeat(3 << 20).bytes());
    bytes.extend(format!("\n{CHECKMATE}\n").bytes());
    let finished = CASTELLAN.run(&QUICK, bytes);
    let results = finished.json();
    let expected = [(1, false), (2, true), (3, true), (4, true), (5, false)];
    assert_eq!(outline(&results), expected);
    assert_eq!(finished.code, Some(1));
    assert!(finished.stdout.len() < 4000, "errors are short");
}

#[test]
fn control_characters_are_escaped() {
    let line = format!("{MATE_IN_ONE} id \"\u{1b}[2J\";\n\u{1b}[31m/8 w - -\n");
    let finished = CASTELLAN.run(&["analyze", "--depth", "1"], line);
    assert!(!finished.stdout.contains('\u{1b}') && !finished.stderr.contains('\u{1b}'));
    assert_eq!(finished.stdout.lines().count(), 2, "{}", finished.stdout);
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = CASTELLAN.spawn(&["analyze", "--nodes", "100", "--jobs", "2"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let line = format!("{START}\n");
    input.write_all(line.as_bytes()).expect("the program reads");
    let mut first = String::new();
    output.read_line(&mut first).expect("it results");
    assert!(first.starts_with("1: "), "{first}");
    drop(output);
    // It ends at its next write, whatever input is left.
    while input.write_all(line.as_bytes()).is_ok() {}
    let status = child.wait().expect("an exit status");
    let mut errors = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut errors).expect("text");
    assert_eq!((errors.as_str(), status.code()), ("", Some(0)));
}

#[test]
fn each_result_is_printed_at_once() {
    let mut child = CASTELLAN.spawn(&QUICK);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 1..=3 {
        writeln!(input, "{START}").expect("the program reads");
        let mut result = String::new();
        output.read_line(&mut result).expect("it results");
        let result: Value = serde_json::from_str(&result).expect("JSON");
        assert_eq!(result["line"], number);
    }
    drop(input);
    assert!(child.wait().expect("an exit status").success());
}

#[cfg(target_os = "linux")]
#[test]
fn write_errors_are_reported() {
    // Where not even root can create files.
    let stderr = CASTELLAN.run_failing(
        &["analyze", START, "--depth", "1", "--out", "/proc/results"],
        1,
    );
    assert!(stderr.contains("cannot write '/proc/results'"), "{stderr}");
    let full = File::options().write(true).open("/dev/full");
    let output = Command::new(CASTELLAN.path())
        .args(["analyze", START, "--depth", "1"])
        .stdout(full.expect("it can be opened"))
        .output()
        .expect("the program runs");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.starts_with("castellan: cannot write"), "{stderr}");
}

#[test]
fn a_whole_suite_is_analyzed() {
    let suite = repository_file("tests/data/mates2000.epd");
    let finished = CASTELLAN.run(
        &["analyze", "--json", "--nodes", "1", "--hash", "1"],
        &suite,
    );
    let results = finished.json();
    finished.success();
    assert_eq!(results.len(), suite.lines().count());
}
