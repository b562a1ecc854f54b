//! The files of `castellan annotate`: interrupted runs, existing files, pages and their index.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::annotate::random_games;
use super::{CASTELLAN, arguments, fails, run};
use test_common::{Finished, TempDir};

const QUICK: &str = "annotate --nodes 300 --hash 1";
const GAMES: usize = 8;

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("the file exists")
}

/// Games, an uninterrupted run, and what a run leaves that is killed after some of them.
struct Interrupted {
    dir: TempDir,
    games: String,
    out: String,
    expected: String,
}

impl Interrupted {
    /// Kills a run that has annotated all the games it was given and waits for more.
    fn after(confirmed: usize) -> Interrupted {
        let dir = TempDir::new("annotate interrupted");
        let text = random_games(GAMES, 12);
        let games = dir.write("games.pgn", &text);
        let out = dir.path("out.pgn");
        let whole = dir.path("whole.pgn");
        let to = [games.as_str(), "--out", &whole];
        run(QUICK, &to, "").success();
        let words = arguments(QUICK, &["-", "--out", &out]);
        let mut child = CASTELLAN.spawn(&words);
        let mut input = child.stdin.take().expect("a pipe");
        // A game ends where the next begins.
        let end = text.match_indices("[Event").nth(confirmed);
        let (end, _) = end.expect("a game");
        let next = "[Event \"Next\"]\n";
        let part = format!("{}{next}", &text[..end]);
        input.write_all(part.as_bytes()).expect("it reads");
        let partial = format!("{out}.partial");
        let lines = || fs::read_to_string(&partial).map_or(0, |text| text.matches('\n').count());
        while lines() <= confirmed && child.try_wait().expect("a child process").is_none() {}
        child.kill().expect("a child process");
        child.wait().expect("a child process");
        assert!(!Path::new(&out).exists(), "not complete");
        Interrupted {
            expected: read(&whole),
            dir,
            games,
            out,
        }
    }

    fn resume(&self, games: &str, more: &[&str]) -> Finished {
        let to = [games, "--resume", "--out", &self.out];
        run(QUICK, &[&to, more].concat(), "")
    }

    fn partial(&self) -> String {
        format!("{}.partial", self.out)
    }
}

#[test]
fn an_interrupted_run_is_continued() {
    let run = Interrupted::after(5);
    // Neither another game nor the end of the input is taken for it.
    let text = read(&run.games);
    let changed = text.replacen("[Round \"2\"]", "[Round \"2.1\"]", 1);
    let shorter = &text[..text.match_indices("[Event").nth(2).expect("a game").0];
    for (games, expected) in [
        (changed.as_str(), "the input has changed: game 2"),
        (shorter, "game 3 of the interrupted run is missing"),
    ] {
        let games = run.dir.write("other.pgn", games);
        let finished = run.resume(&games, &["--depth", "3"]);
        let settings = "no such option, this one has '--depth 3'";
        assert!(finished.stderr.contains(settings), "{}", finished.stderr);
        let finished = run.resume(&games, &[]);
        assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    }
    assert_eq!(read(&run.partial()).matches("[Annotator").count(), 5);
    run.resume(&run.games, &[]).success();
    assert_eq!(read(&run.out), run.expected);
    assert!(!Path::new(&run.partial()).exists());
    let finished = run.resume(&run.games, &[]);
    let expected = "already exists; not overwritten (use --force)";
    assert!(finished.stderr.contains(expected), "{}", finished.stderr);
}

#[test]
fn force_overwrites_when_the_new_file_is_complete() {
    let dir = TempDir::new("annotate force");
    let games = dir.write("games.pgn", random_games(2, 6));
    let expected = run(QUICK, &[&games], "").success();
    let out = dir.write("out.pgn", "as it was");
    run(QUICK, &[&games, "--out", &out, "--force"], "").success();
    assert_eq!(read(&out), expected);
    let directory = [games.as_str(), "--out", &dir.path("."), "--force"];
    fails(QUICK, &directory, 1, "is not a regular file");
    // The input itself may be replaced.
    run(QUICK, &[&games, "--out", &games, "--force"], "").success();
    assert_eq!(read(&games), expected);
    let order = [games.as_str(), "--out", &out, "--force", "--resume"];
    fails(QUICK, &order, 2, "cannot be used with");
    fails(QUICK, &[&games, "--resume"], 2, "--out");
}
