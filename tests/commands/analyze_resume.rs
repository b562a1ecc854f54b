//! `castellan analyze --out` and `--resume`: nothing is done twice, nothing is lost.

use std::fs;

use crate::folder::Folder;
use crate::program::{positions, refused, run, start};
use crate::{MATED, START};

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
fn a_file_cut_off_anywhere_is_completed() {
    let folder = Folder::new("cut off");
    let file = folder.put("suite.epd", positions(12));
    let out = folder.at("answers");
    assert_eq!(run(&arguments(&file, &out), "").well(), "");
    let whole = fs::read(&out).expect("it was written");
    let resumed = [&arguments(&file, &out)[..], &["--resume"]].concat();
    let ends = (0..whole.len())
        .step_by(211)
        .chain([whole.len() - 1, whole.len()]);
    for end in ends {
        fs::write(&out, &whole[..end]).expect("it can be written");
        run(&resumed, "").well();
        assert_eq!(
            fs::read(&out).expect("it is there"),
            whole,
            "cut off after {end}"
        );
    }
    // Without a file it is just begun.
    fs::remove_file(&out).expect("it was there");
    run(&resumed, "").well();
    assert!(fs::read(&out).expect("it is there") == whole);
}

#[test]
fn a_run_that_was_killed_is_gone_on_with() {
    let folder = Folder::new("killed");
    let file = folder.put("suite.epd", positions(400));
    let (out, expected) = (folder.at("answers"), folder.at("expected"));
    run(&arguments(&file, &expected), "").well();
    let mut child = start(&arguments(&file, &out));
    let length = || fs::metadata(&out).map_or(0, |found| found.len());
    while length() < 2000 && child.try_wait().expect("it was started").is_none() {}
    child.kill().expect("it was started");
    child.wait().expect("it was started");
    run(&[&arguments(&file, &out)[..], &["--resume"]].concat(), "").well();
    let read = |path: &str| fs::read_to_string(path).expect("it is there");
    assert!(read(&out) == read(&expected), "see {out}");
}

#[test]
fn errors_of_the_earlier_run_still_count() {
    let folder = Folder::new("errors");
    let file = folder.put("some.fen", format!("{START}\nnothing\n{MATED}\n"));
    let out = folder.at("answers");
    let resumed = [&arguments(&file, &out)[..], &["--resume"]].concat();
    for _ in 0..2 {
        let complaint = refused(&resumed, 1);
        assert!(complaint.contains("1 line of 3"), "{complaint}");
        assert!(complaint.contains("in line 2"), "{complaint}");
    }
}

#[test]
fn what_is_no_earlier_run_stays_as_it_is() {
    let folder = Folder::new("foreign");
    let file = folder.put("some.fen", format!("{START}\n{MATED}\n"));
    let answered = folder.at("answered");
    run(&arguments(&file, &answered), "").well();
    let complaint = refused(&arguments(&file, &answered), 1);
    assert!(complaint.contains("--resume"), "{complaint}");
    // The answers to another input, or to more.
    let other = folder.put("other.fen", format!("{START}\n{START}\n"));
    let fewer = folder.put("fewer.fen", format!("{START}\n"));
    let before = fs::read(&answered).expect("it is there");
    for file in [other, fewer] {
        let complaint = refused(
            &[&arguments(&file, &answered)[..], &["--resume"]].concat(),
            1,
        );
        assert!(complaint.contains("another input"), "{complaint}");
    }
    assert_eq!(fs::read(&answered).expect("it is there"), before);
    // Something else altogether.
    let twice = "{\"line\":2}\n{\"line\":2}\n";
    for text in [
        "my diary",
        "my diary\n",
        "{\"line\":\"one\"}\n",
        "{}\n",
        twice,
    ] {
        let out = folder.put("diary", text);
        let complaint = refused(&[&arguments(&file, &out)[..], &["--resume"]].concat(), 1);
        assert!(
            complaint.contains("no answer of this program"),
            "{complaint}"
        );
        assert_eq!(fs::read_to_string(&out).expect("it is there"), text);
    }
}
