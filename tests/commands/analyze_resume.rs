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
    let folder = TempDir::new("cut off");
    let file = folder.write("suite.epd", mate_suite(12));
    let out = folder.path("answers");
    assert_eq!(CASTELLAN.run(&arguments(&file, &out), "").success(), "");
    let whole = fs::read(&out).expect("it was written");
    let resumed = [&arguments(&file, &out)[..], &["--resume"]].concat();
    let ends = (0..whole.len())
        .step_by(211)
        .chain([whole.len() - 1, whole.len()]);
    for end in ends {
        fs::write(&out, &whole[..end]).expect("it can be written");
        CASTELLAN.run(&resumed, "").success();
        assert_eq!(
            fs::read(&out).expect("it is there"),
            whole,
            "cut off after {end}"
        );
    }
    // Without a file it starts from the beginning.
    fs::remove_file(&out).expect("it was there");
    CASTELLAN.run(&resumed, "").success();
    assert!(fs::read(&out).expect("it is there") == whole);
}

#[test]
fn a_killed_run_is_resumed() {
    let folder = TempDir::new("killed");
    let file = folder.write("suite.epd", mate_suite(400));
    let (out, expected) = (folder.path("answers"), folder.path("expected"));
    CASTELLAN.run(&arguments(&file, &expected), "").success();
    let mut child = CASTELLAN.spawn(&arguments(&file, &out));
    let length = || fs::metadata(&out).map_or(0, |found| found.len());
    while length() < 2000 && child.try_wait().expect("it was started").is_none() {}
    child.kill().expect("it was started");
    child.wait().expect("it was started");
    CASTELLAN
        .run(&[&arguments(&file, &out)[..], &["--resume"]].concat(), "")
        .success();
    let read = |path: &str| fs::read_to_string(path).expect("it is there");
    assert!(read(&out) == read(&expected), "see {out}");
}

#[test]
fn errors_of_the_previous_run_count() {
    let folder = TempDir::new("errors");
    let file = folder.write("some.fen", format!("{START}\nnothing\n{CHECKMATE}\n"));
    let out = folder.path("answers");
    let resumed = [&arguments(&file, &out)[..], &["--resume"]].concat();
    for _ in 0..2 {
        let complaint = CASTELLAN.run_failing(&resumed, 1);
        assert!(complaint.contains("1 of 3 positions"), "{complaint}");
        assert!(complaint.contains("in line 2"), "{complaint}");
    }
}

#[test]
fn other_files_are_not_changed() {
    let folder = TempDir::new("foreign");
    let file = folder.write("some.fen", format!("{START}\n{CHECKMATE}\n"));
    let answered = folder.path("answered");
    CASTELLAN.run(&arguments(&file, &answered), "").success();
    let complaint = CASTELLAN.run_failing(&arguments(&file, &answered), 1);
    assert!(complaint.contains("--resume"), "{complaint}");
    // Results for another input, or for more positions.
    let other = folder.write("other.fen", format!("{START}\n{START}\n"));
    let fewer = folder.write("fewer.fen", format!("{START}\n"));
    let before = fs::read(&answered).expect("it is there");
    for file in [other, fewer] {
        let complaint = CASTELLAN.run_failing(
            &[&arguments(&file, &answered)[..], &["--resume"]].concat(),
            1,
        );
        assert!(complaint.contains("another input"), "{complaint}");
    }
    assert_eq!(fs::read(&answered).expect("it is there"), before);
    // A different file.
    let twice = "{\"line\":2}\n{\"line\":2}\n";
    for text in [
        "my notes",
        "my notes\n",
        "{\"line\":\"one\"}\n",
        "{}\n",
        twice,
    ] {
        let out = folder.write("diary", text);
        let complaint =
            CASTELLAN.run_failing(&[&arguments(&file, &out)[..], &["--resume"]].concat(), 1);
        assert!(
            complaint.contains("not a result of castellan analyze"),
            "{complaint}"
        );
        assert_eq!(fs::read_to_string(&out).expect("it is there"), text);
    }
}
