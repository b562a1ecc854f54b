//! `castellan analyze --out` and `--resume`.

use crate::CASTELLAN;
use std::fs;
use test_common::{
    TempDir,
    positions::{CHECKMATE, START, mate_suite},
};

fn arguments<'a>(file: &'a str, out: &'a str) -> Vec<&'a str> {
    let fixed = [
        "analyze",
        "--json",
        "--no-time",
        "--nodes",
        "500",
        "--jobs",
        "2",
    ];
    [&fixed[..], &["--file", file, "--out", out]].concat()
}

#[test]
fn a_file_truncated_anywhere_is_completed() {
    let dir = TempDir::new("cut off");
    let file = dir.write("suite.epd", mate_suite(12));
    let out = dir.path("results");
    assert_eq!(CASTELLAN.run(&arguments(&file, &out), "").success(), "");
    let whole = fs::read(&out).expect("the file exists");
    let resumed = [&arguments(&file, &out)[..], &["--resume"]].concat();
    let ends = (0..whole.len())
        .step_by(211)
        .chain([whole.len() - 1, whole.len()]);
    for end in ends {
        fs::write(&out, &whole[..end]).expect("writable");
        CASTELLAN.run(&resumed, "").success();
        assert_eq!(
            fs::read(&out).expect("the file exists"),
            whole,
            "cut off after {end}"
        );
    }
    // Without a file it starts from the beginning.
    fs::remove_file(&out).expect("the file exists");
    CASTELLAN.run(&resumed, "").success();
    assert!(fs::read(&out).expect("the file exists") == whole);
}

#[test]
fn a_killed_run_is_resumed() {
    let dir = TempDir::new("killed");
    let file = dir.write("suite.epd", mate_suite(400));
    let (out, expected) = (dir.path("results"), dir.path("expected"));
    CASTELLAN.run(&arguments(&file, &expected), "").success();
    let mut child = CASTELLAN.spawn(&arguments(&file, &out));
    let length = || fs::metadata(&out).map_or(0, |found| found.len());
    while length() < 2000 && child.try_wait().expect("a child process").is_none() {}
    child.kill().expect("a child process");
    child.wait().expect("a child process");
    CASTELLAN
        .run(&[&arguments(&file, &out)[..], &["--resume"]].concat(), "")
        .success();
    let read = |path: &str| fs::read_to_string(path).expect("the file exists");
    assert!(read(&out) == read(&expected), "see {out}");
}

#[test]
fn errors_of_the_previous_run_count() {
    let dir = TempDir::new("errors");
    let file = dir.write("some.fen", format!("{START}\nnothing\n{CHECKMATE}\n"));
    let out = dir.path("results");
    let resumed = [&arguments(&file, &out)[..], &["--resume"]].concat();
    for _ in 0..2 {
        let stderr = CASTELLAN.run_failing(&resumed, 1);
        assert!(stderr.contains("1 of 3 positions"), "{stderr}");
        assert!(stderr.contains("in line 2"), "{stderr}");
    }
}

#[test]
fn other_files_are_not_changed() {
    let dir = TempDir::new("foreign");
    let file = dir.write("some.fen", format!("{START}\n{CHECKMATE}\n"));
    let answered = dir.path("answered");
    CASTELLAN.run(&arguments(&file, &answered), "").success();
    let stderr = CASTELLAN.run_failing(&arguments(&file, &answered), 1);
    assert!(stderr.contains("--resume"), "{stderr}");
    // Results for another input, or for more positions.
    let other = dir.write("other.fen", format!("{START}\n{START}\n"));
    let fewer = dir.write("fewer.fen", format!("{START}\n"));
    let before = fs::read(&answered).expect("the file exists");
    for file in [other, fewer] {
        let stderr = CASTELLAN.run_failing(
            &[&arguments(&file, &answered)[..], &["--resume"]].concat(),
            1,
        );
        assert!(stderr.contains("another input"), "{stderr}");
    }
    assert_eq!(fs::read(&answered).expect("the file exists"), before);
    // A different file.
    let twice = "{\"line\":2}\n{\"line\":2}\n";
    for text in [
        "my notes",
        "my notes\n",
        "{\"line\":\"one\"}\n",
        "{}\n",
        twice,
    ] {
        let out = dir.write("diary", text);
        let stderr =
            CASTELLAN.run_failing(&[&arguments(&file, &out)[..], &["--resume"]].concat(), 1);
        assert!(
            stderr.contains("not a result of castellan analyze"),
            "{stderr}"
        );
        assert_eq!(fs::read_to_string(&out).expect("the file exists"), text);
    }
}
