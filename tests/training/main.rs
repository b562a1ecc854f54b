//! `castellan-train` as its user runs it: the same games for the same seed, nothing lost when it
//! is interrupted, and the commands for game files.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Child;
use test_common::{Program, TempDir};
use training::data::{ChunkReader, GameRecord};

const TRAIN: Program = Program::new(env!("CARGO_BIN_EXE_castellan-train"));
const GAMES: usize = 12;

/// Runs `datagen` with very short searches; more options as words.
fn datagen(out: &str, options: &str) -> String {
    TRAIN.run(&datagen_arguments(out, options), "").success()
}

fn datagen_arguments<'a>(out: &'a str, options: &'a str) -> Vec<&'a str> {
    let common = ["datagen", "--nodes", "40", "--out", out];
    common
        .into_iter()
        .chain(options.split_whitespace())
        .collect()
}

/// The path of a game file in `directory`.
fn file(directory: &TempDir) -> String {
    let path = directory.path("game file");
    datagen(&path, &format!("--games {GAMES} --threads 1"));
    path
}

/// The games of a file by number.
fn games(path: &str) -> Vec<GameRecord> {
    let chunks = ChunkReader::open(Path::new(path)).unwrap();
    let mut games: Vec<GameRecord> = chunks
        .flat_map(|chunk| chunk.unwrap().games().unwrap())
        .collect();
    games.sort_by_key(|game| game.number);
    games
}

/// Also shows that games do not depend on the number of threads.
#[test]
fn a_killed_run_resumes_and_plays_every_game_once() {
    let directory = TempDir::new("datagen");
    let (out, journal) = (directory.path("games"), directory.path("games.journal"));
    let options = format!("--games {GAMES} --threads 3");
    let journal_length = || fs::metadata(&journal).map_or(0, |file| file.len());
    let mut child = TRAIN.spawn(&datagen_arguments(&out, &options));
    // Until some games are in the journal, or the run has ended.
    while journal_length() < 1000 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    datagen(&out, &options);
    assert_eq!(games(&out), games(&file(&directory)));
    assert!(!fs::exists(&journal).unwrap());
}

#[test]
fn files_are_checked_and_described() {
    let directory = TempDir::new("datagen");
    let file = file(&directory);
    let check = TRAIN.run(&["check", &file], "").success();
    assert!(check.contains("ok, 1 chunks, 12 games"), "{check}");
    let info = TRAIN.run(&["info", &file], "").success();
    assert!(info.contains("seed 1; 40 nodes"), "{info}");
}

#[test]
fn no_command_writes_what_it_reads() {
    let directory = TempDir::new("datagen");
    let file = file(&directory);
    let before = fs::read(&file).unwrap();
    let (link, losses) = (directory.path("link"), directory.path("run.csv"));
    fs::hard_link(&file, &link).unwrap();
    fs::hard_link(&file, &losses).unwrap();
    let network = directory.path("run.net");
    for arguments in [
        ["train", "--out", &link, &file],
        ["train", "--out", &network, &file],
        ["quantize", "--out", &link, &file],
        ["datagen", "--out", &link, &format!("--book={file}")],
    ] {
        let error = TRAIN.run_failing(&arguments, 1);
        assert!(error.contains("is one of the input files"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), before, "{arguments:?}");
    }
}

#[test]
fn invalid_arguments_are_errors() {
    let directory = TempDir::new("datagen");
    let out = directory.path("games");
    let start = test_common::positions::START;
    let text = format!("# openings\n{start}\n{start} bm e4; id \"start\";\nnot a position\n");
    let book = directory.write("book.epd", text);
    let empty = directory.write("empty.cg", "CASTGAME\x01\0\0\0");
    let net = directory.write("invalid.net", "not a network");
    for (option, path, expected) in [
        ("--book", &book, "book.epd, line 4: "),
        ("--fragments", &empty, "empty.cg has no games"),
        ("--net", &net, "invalid.net: "),
    ] {
        let mut arguments = datagen_arguments(&out, "--games 1");
        arguments.extend([option, path]);
        let error = TRAIN.run_failing(&arguments, 1);
        assert!(error.contains(expected), "{error}");
    }
    let negative = TRAIN.run(&datagen_arguments(&out, "--balance=-1 --for 1"), "");
    assert_eq!(negative.code, Some(2), "{negative:?}");
}

/// Starts a run and waits until it has written this much to a file.
fn start(arguments: &[&str], file: &str, bytes: u64) -> Child {
    let mut child = TRAIN.spawn(arguments);
    while fs::metadata(file).map_or(0, |found| found.len()) < bytes {
        assert_eq!(child.try_wait().unwrap(), None, "{arguments:?}");
        std::thread::yield_now();
    }
    child
}

/// Asserts that runs that would write what `running` writes do nothing; then kills it.
fn are_refused(mut running: Child, others: &[&[&str]]) {
    for arguments in others {
        let error = TRAIN.run_failing(arguments, 2);
        assert!(error.contains("' is in use by another process"), "{error}");
    }
    assert_eq!(running.try_wait().unwrap(), None, "it is not affected");
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn a_game_file_is_written_by_one_process() {
    let directory = TempDir::new("datagen");
    let (file, out) = (file(&directory), directory.path("games"));
    let endless = datagen_arguments(&out, "--threads 1");
    let running = start(&endless, &format!("{out}.journal"), 1000);
    // Where locks are not mandatory, a file is locked under all its names.
    if cfg!(unix) {
        let link = directory.path("link");
        fs::hard_link(&out, &link).unwrap();
        let error = TRAIN.run_failing(&datagen_arguments(&link, "--games 1"), 2);
        assert!(error.contains("' is in use by another process"), "{error}");
    }
    are_refused(
        running,
        &[&endless, &datagen_arguments(&out, "--seed 2 --games 1")],
    );
    // What it has played is there.
    datagen(&out, &format!("--games {GAMES}"));
    TRAIN.run(&["check", &out], "").success();
    assert!(games(&out).starts_with(&games(&file)));
}

/// The arguments of a training run that does not end by itself.
fn endless_training(directory: &TempDir, games: &str, out: &str, more: &[&str]) -> Vec<String> {
    let common = "train --hidden 64 --scale 300 --epochs 1000000 --out";
    let words = common.split_whitespace().map(str::to_owned);
    let more = more.iter().map(|&word| word.to_owned());
    words
        .chain([directory.path(out), games.to_owned()])
        .chain(more)
        .collect()
}

#[test]
fn the_files_of_a_network_are_written_by_one_process() {
    let directory = TempDir::new("train");
    let (games, net) = (file(&directory), directory.path("a.net"));
    let train = |out, more: &[&str]| endless_training(&directory, &games, out, more);
    let [endless, same_stem, resumed] = [
        train("a.net", &[]),
        train("a.other", &[]),
        train("a.net", &["--resume"]),
    ];
    let words = [&endless, &same_stem, &resumed]
        .map(|arguments| -> Vec<&str> { arguments.iter().map(String::as_str).collect() });
    let running = start(&words[0], &directory.path("a.checkpoint"), 1);
    are_refused(running, &[&words[0], &words[1], &words[2]]);
    let checkpoint = directory.path("a.checkpoint");
    let arguments = ["quantize", &checkpoint, "--out", &net];
    TRAIN.run(&arguments, "").success();
}

/// Sends SIGTERM, as `kill` and a shutdown do.
#[cfg(unix)]
fn terminate(running: Child) -> std::process::Output {
    let pid = running.id().to_string();
    let kill = std::process::Command::new("kill").arg(pid).status();
    assert!(kill.unwrap().success());
    running.wait_with_output().unwrap()
}

/// The output of a run that ends successfully on SIGTERM.
#[cfg(unix)]
fn stop(running: Child) -> String {
    let output = terminate(running);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn terminated_runs_keep_what_they_did() {
    let directory = TempDir::new("terminated");
    let (out, journal) = (directory.path("games"), directory.path("games.journal"));
    let arguments = datagen_arguments(&out, "--threads 1");
    let printed = stop(start(&arguments, &journal, 3000));
    assert!(!fs::exists(&journal).unwrap());
    let summary = format!("{} games: ", games(&out).len());
    assert!(printed.starts_with(&summary), "{printed}");

    let (net, checkpoint) = (directory.path("a.net"), directory.path("a.checkpoint"));
    let arguments = endless_training(&directory, &out, "a.net", &[]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let printed = stop(start(&arguments, &checkpoint, 1));
    assert!(printed.contains("; use --resume to continue"), "{printed}");
    TRAIN
        .run(&["quantize", &checkpoint, "--out", &net], "")
        .success();
}

#[cfg(unix)]
#[test]
fn commands_that_keep_nothing_end_at_once() {
    use std::os::unix::process::ExitStatusExt;
    const SIGTERM: i32 = 15;
    let directory = TempDir::new("terminated");
    let file = file(&directory);
    // What it prints does not fit into the pipe, so that it does not end by itself.
    let files = std::iter::repeat_n(file.as_str(), 3000);
    let arguments: Vec<&str> = ["check"].into_iter().chain(files).collect();
    let output = terminate(TRAIN.spawn(&arguments));
    assert_eq!(output.status.signal(), Some(SIGTERM));
}
