//! `castellan-train` as its user runs it: the same games for the same seed, nothing lost when it
//! is interrupted, and the commands for files of games.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
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

/// A file with games of seed 1, and one with these and as many of seed 2. Made once for all
/// tests.
fn files() -> [&'static str; 2] {
    static FILES: OnceLock<[String; 2]> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let [one, both] = ["datagen-one", "datagen-both"].map(|name| directory.join(name));
        let _ = fs::remove_file(&one);
        let [one, both] = [one, both].map(|path| path.to_str().unwrap().to_owned());
        datagen(&one, &format!("--games {GAMES} --threads 1"));
        fs::copy(&one, &both).unwrap();
        datagen(&both, &format!("--games {GAMES} --seed 2"));
        [one, both]
    });
    [&files[0], &files[1]]
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

#[test]
fn another_seed_adds_other_games_to_the_file() {
    let [one, both] = files().map(games);
    assert_eq!((one.len(), both.len()), (GAMES, 2 * GAMES));
    let is_old = |game: &&GameRecord| one.contains(game);
    assert_eq!(both.iter().filter(is_old).count(), GAMES);
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
    assert_eq!(games(&out), games(files()[0]));
    assert!(!fs::exists(&journal).unwrap());
}

#[test]
fn files_are_merged_checked_and_described() {
    let directory = TempDir::new("datagen");
    let [one, both] = files();
    let merged = directory.path("merged");
    TRAIN
        .run(&["merge", "--out", &merged, one, both], "")
        .success();
    assert_eq!(games(&merged).len(), 3 * GAMES);
    let check = TRAIN.run(&["check", &merged], "").success();
    assert!(check.contains("ok, 3 chunks, 36 games"), "{check}");
    let info = TRAIN.run(&["info", &merged], "").success();
    assert!(
        info.contains("seed 1; 40 nodes") && info.contains("seed 2; 40 nodes"),
        "{info}"
    );

    let error = TRAIN.run_failing(&["merge", "--out", &merged, &merged], 1);
    assert!(error.contains("both input and output"), "{error}");
    assert_eq!(games(&merged).len(), 3 * GAMES);
}

#[test]
fn invalid_books_and_networks_are_errors() {
    let directory = TempDir::new("datagen");
    let out = directory.path("games");
    let start = test_common::positions::START;
    let book = directory.write("book.epd", format!("{start}\nnot a position\n"));
    let net = directory.write("invalid.net", "not a network");
    for (option, path, expected) in [
        ("--book", &book, "book.epd, line 2: "),
        ("--net", &net, "invalid.net: "),
    ] {
        let mut arguments = datagen_arguments(&out, "--games 1");
        arguments.extend([option, path]);
        let error = TRAIN.run_failing(&arguments, 1);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn samples_pass_the_filter() {
    let options = ["sample", "--count", "7", "--score-within", "100"];
    let sample = TRAIN.run(&[&options[..], &files()].concat(), "").success();
    assert_eq!(sample.lines().count(), 7);
    for line in sample.lines() {
        let mut fields = line.split("; ");
        let score = fields.find_map(|field| field.strip_prefix("score "));
        let score: i32 = score.unwrap().parse().unwrap();
        assert!(score.abs() <= 100, "{line}");
    }
}

#[test]
fn relabel_changes_scores_only_and_resumes() {
    let directory = TempDir::new("datagen");
    let (new, cut) = (directory.path("new"), directory.path("cut"));
    let relabel = |out: &str, nodes: &str| {
        TRAIN.run(&["relabel", "--nodes", nodes, "--out", out, files()[1]], "")
    };
    relabel(&new, "100").success();
    let (before, after) = (games(files()[1]), games(&new));
    assert_eq!(before.len(), after.len());
    let scores = |games: &[GameRecord]| -> Vec<i16> {
        let moves = games.iter().flat_map(|game| &game.moves);
        moves.map(|played| played.score).collect()
    };
    assert_ne!(scores(&before), scores(&after));
    let without_scores = |mut games: Vec<GameRecord>| {
        for played in games.iter_mut().flat_map(|game| &mut game.moves) {
            played.score = 0;
        }
        games
    };
    assert_eq!(without_scores(before), without_scores(after));

    // One of two chunks and a part of the other.
    let bytes = fs::read(&new).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 9]).unwrap();
    relabel(&cut, "100").success();
    assert_eq!(fs::read(&cut).unwrap(), bytes);
    let other = relabel(&cut, "200");
    assert_eq!(other.code, Some(1));
    assert!(other.stderr.contains("cannot resume"), "{}", other.stderr);
    assert_eq!(fs::read(&cut).unwrap(), bytes);
}
