//! Two processes that are to write the same file: one does, and the others do nothing.

use std::fs;
use std::io::Write;
use std::process::{Child, ChildStdin};

use super::annotate::random_games;
use super::{CASTELLAN, arguments, fails, run};
use test_common::TempDir;
use test_common::positions::START;

const ANALYZE: &str = "analyze --json --no-time --nodes 500";
const ANNOTATE: &str = "annotate --nodes 300 --hash 1";

/// A run that waits for more input.
struct Waiting {
    child: Child,
    input: ChildStdin,
}

impl Waiting {
    /// Starts a run and waits until the file that it writes has a number of lines.
    fn start(words: &[&str], input: &str, file: &str, lines: usize) -> Waiting {
        let mut waiting = Waiting::fed(words, input);
        let count = || fs::read_to_string(file).map_or(0, |text| text.matches('\n').count());
        while count() < lines {
            let ended = waiting.child.try_wait().expect("a child process");
            assert_eq!(ended, None, "{words:?}");
        }
        waiting
    }

    /// Starts a run and gives it all of this input.
    fn fed(words: &[&str], input: &str) -> Waiting {
        let mut child = CASTELLAN.spawn(words);
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("it reads");
        Waiting {
            child,
            input: stdin,
        }
    }

    /// Ends its input; it must succeed.
    fn finish(self) {
        drop(self.input);
        let finished = self.child.wait_with_output().expect("a child process");
        let stderr = String::from_utf8_lossy(&finished.stderr);
        assert_eq!((&*stderr, finished.status.code()), ("", Some(0)));
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("the file exists")
}

fn names(dir: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(dir.directory()).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn the_second_analysis_of_a_file_does_nothing() {
    let dir = TempDir::new("two analyses");
    let (out, expected) = (dir.path("out"), dir.path("expected"));
    let (partial, position) = (format!("{out}.partial"), format!("{START}\n"));
    run(ANALYZE, &[START, START, "--out", &expected], "").success();
    let words = arguments(ANALYZE, &["-", "--out", &out]);
    let first = Waiting::start(&words, &position, &partial, 2);
    let before = read(&partial);
    for more in [&[][..], &["--resume"], &["--force"]] {
        let message = format!("'{out}' is in use by another process");
        let words = [&[START, "--out", &out], more].concat();
        fails(ANALYZE, &words, 2, &message);
    }
    // Under another name.
    let parent = dir.directory().join(".").join("out");
    let parent = parent.to_str().expect("UTF-8");
    fails(ANALYZE, &[START, "--force", "--out", parent], 2, "in use");
    assert_eq!(read(&partial), before);
    let mut first = first;
    first
        .input
        .write_all(position.as_bytes())
        .expect("it reads");
    first.finish();
    assert_eq!(read(&out), read(&expected));
    assert_eq!(names(&dir), ["expected", "out"]);
}

#[test]
fn the_second_annotation_of_a_file_does_nothing() {
    let dir = TempDir::new("two annotations");
    let out = dir.path("out");
    let text = random_games(2, 8);
    let games = dir.write("games.pgn", &text);
    let words = arguments(ANNOTATE, &["-", "--out", &out]);
    // The second game may go on.
    let first = Waiting::start(&words, &text, &format!("{out}.partial"), 2);
    for more in [&[][..], &["--resume"], &["--force"]] {
        let words = [&[&*games, "--out", &out], more].concat();
        fails(ANNOTATE, &words, 2, "in use by another process");
    }
    first.finish();
    assert_eq!(read(&out).matches("[Annotator").count(), 2);
    assert_eq!(names(&dir), ["games.pgn", "out"]);
}

/// Whichever is first, and whether or not it ends before another begins.
#[test]
fn processes_started_at_once_write_one_complete_file() {
    let dir = TempDir::new("at once");
    let positions = dir.write("positions", format!("{START}\n").repeat(20));
    let games = dir.write("games.pgn", random_games(3, 8));
    for (command, input) in [(ANALYZE, &positions), (ANNOTATE, &games)] {
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
    assert_eq!(names(&dir), left);
}
