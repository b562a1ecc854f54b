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
fn outline(answers: &[Value]) -> Vec<(u64, bool)> {
    let told = answers.iter();
    told.map(|answer| {
        (
            answer["line"].as_u64().expect("a number"),
            !answer["error"].is_null(),
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
        let ended = CASTELLAN.run(&[&QUICK[..], &["--jobs", jobs]].concat(), &text);
        let answers = ended.json();
        let expected = [
            (1, false),
            (4, true),
            (5, false),
            (6, true),
            (7, true),
            (8, true),
            (9, false),
        ];
        assert_eq!(outline(&answers), expected);
        assert_eq!(ended.code, Some(1));
        assert_eq!(
            ended.stderr,
            "castellan: 4 of 7 positions could not be analyzed, the first in line 4\n"
        );
        assert_eq!(answers[2]["id"], "first; one");
        for (answer, word) in [(1, "'no'"), (3, "id"), (4, "king"), (5, "e2e5")] {
            let error = answers[answer]["error"].as_str().expect("text");
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
    let folder = TempDir::new("sources");
    let text = format!("{START}\n{MATE_IN_ONE}\n");
    let file = folder.write("positions.fen", &text);
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
    for (missing, word) in [(folder.path("none"), "none"), (folder.path(""), "sources")] {
        let complaint = CASTELLAN.run_failing(&["analyze", "--file", &missing], 1);
        assert!(complaint.contains(word), "{complaint}");
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
    let ended = CASTELLAN.run(&QUICK, bytes);
    let answers = ended.json();
    let expected = [(1, false), (2, true), (3, true), (4, true), (5, false)];
    assert_eq!(outline(&answers), expected);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.len() < 4000, "errors are short");
}

#[test]
fn control_characters_are_escaped() {
    let line = format!("{MATE_IN_ONE} id \"\u{1b}[2J\";\n\u{1b}[31m/8 w - -\n");
    let ended = CASTELLAN.run(&["analyze", "--depth", "1"], line);
    assert!(!ended.stdout.contains('\u{1b}') && !ended.stderr.contains('\u{1b}'));
    assert_eq!(ended.stdout.lines().count(), 2, "{}", ended.stdout);
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = CASTELLAN.spawn(&["analyze", "--nodes", "100", "--jobs", "2"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let line = format!("{START}\n");
    input.write_all(line.as_bytes()).expect("it reads");
    let mut first = String::new();
    output.read_line(&mut first).expect("it answers");
    assert!(first.starts_with("1: "), "{first}");
    drop(output);
    // It ends at its next write, whatever input is left.
    while input.write_all(line.as_bytes()).is_ok() {}
    let status = child.wait().expect("it ends");
    let mut complaint = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut complaint).expect("text");
    assert_eq!((complaint.as_str(), status.code()), ("", Some(0)));
}

#[test]
fn each_result_is_printed_at_once() {
    let mut child = CASTELLAN.spawn(&QUICK);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 1..=3 {
        writeln!(input, "{START}").expect("it reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("it answers");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["line"], number);
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[cfg(target_os = "linux")]
#[test]
fn write_errors_are_reported() {
    // Where not even root can create files.
    let complaint = CASTELLAN.run_failing(
        &["analyze", START, "--depth", "1", "--out", "/proc/answers"],
        1,
    );
    assert!(
        complaint.contains("cannot write '/proc/answers'"),
        "{complaint}"
    );
    let full = File::options().write(true).open("/dev/full");
    let output = Command::new(CASTELLAN.path())
        .args(["analyze", START, "--depth", "1"])
        .stdout(full.expect("it can be opened"))
        .output()
        .expect("it runs");
    let complaint = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        complaint.starts_with("castellan: cannot write"),
        "{complaint}"
    );
}

#[test]
fn a_whole_suite_is_analyzed() {
    let suite = repository_file("tests/data/mates2000.epd");
    let ended = CASTELLAN.run(
        &["analyze", "--json", "--nodes", "1", "--hash", "1"],
        &suite,
    );
    let answers = ended.json();
    ended.success();
    assert_eq!(answers.len(), suite.lines().count());
}
