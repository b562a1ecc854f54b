//! The program that plays the games, as its user meets it: the same games for the same seed, and
//! nothing lost however it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use training::data::{Chunks, Game};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("datagen-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_castellan-train"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Very short searches: what is tested is the keeping of games, not the playing.
fn datagen(out: &Path, more: &[&str]) -> Command {
    let mut command = program(&["datagen", "--nodes", "40", "--out"]);
    command.arg(out).args(more);
    command
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output
}

/// The games of a file by number.
fn games(path: &Path) -> Vec<Game> {
    let chunks = Chunks::open(path).unwrap();
    let mut games: Vec<Game> = chunks
        .flat_map(|chunk| chunk.unwrap().games().unwrap())
        .collect();
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn the_same_seed_gives_the_same_games_on_one_thread_or_three() {
    let folder = Folder::new("seed");
    let (one, three, other) = (
        folder.file("one"),
        folder.file("three"),
        folder.file("other"),
    );
    run(&mut datagen(&one, &["--games", "12", "--threads", "1"]));
    run(&mut datagen(&three, &["--games", "12", "--threads", "3"]));
    run(&mut datagen(&other, &["--games", "12", "--seed", "2"]));
    assert_eq!(games(&one).len(), 12);
    assert_eq!(games(&one), games(&three));
    assert!(
        games(&one)
            .iter()
            .zip(games(&other))
            .all(|(a, b)| a.start != b.start)
    );
}

#[test]
fn killed_again_and_again_it_plays_every_game_once() {
    let folder = Folder::new("killed");
    let (whole, killed) = (folder.file("whole"), folder.file("killed"));
    let limits = ["--games", "300", "--threads", "2"];
    run(&mut datagen(&whole, &limits));
    let journal = folder.file("killed.journal");
    for _ in 0..4 {
        let mut child = datagen(&killed, &limits)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let before = length(&journal);
        wait_until(&mut child, || length(&journal) > before + 4000);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run(&mut datagen(&killed, &limits));
    assert_eq!(games(&killed), games(&whole));
    assert!(!journal.exists());
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

/// Until something has happened, or the program has ended.
fn wait_until(child: &mut Child, happened: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !happened() && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "nothing was written");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn another_seed_into_the_same_file_adds_to_it() {
    let folder = Folder::new("append");
    let file = folder.file("both");
    run(&mut datagen(&file, &["--games", "3"]));
    run(&mut datagen(&file, &["--games", "4", "--seed", "9"]));
    assert_eq!(games(&file).len(), 7);
    let output = run(program(&["info"]).arg(&file));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("seed 1; 40 nodes") && said.contains("seed 9; 40 nodes"),
        "{said}"
    );
}

#[test]
fn merging_keeps_all_and_refuses_a_file_into_itself() {
    let folder = Folder::new("merge");
    let (one, two, both) = (folder.file("one"), folder.file("two"), folder.file("both"));
    run(&mut datagen(&one, &["--games", "2"]));
    run(&mut datagen(&two, &["--games", "2", "--seed", "5"]));
    run(program(&["merge", "--out"]).args([&both, &one, &two]));
    assert_eq!(games(&both).len(), 4);
    run(program(&["check"]).args([&both]));
    let output = program(&["merge", "--out"])
        .args([&both, &both])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("both read and written"), "{said}");
    assert_eq!(games(&both).len(), 4);
}

#[test]
fn a_broken_book_is_named_with_its_line() {
    let folder = Folder::new("book");
    let book = folder.file("book.epd");
    fs::write(
        &book,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nno position\n",
    )
    .unwrap();
    let mut command = datagen(&folder.file("out"), &["--games", "1", "--book"]);
    let output = command.arg(&book).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("book.epd, line 2"), "{said}");
}

#[test]
fn samples_are_positions_that_pass_the_filter() {
    let folder = Folder::new("sample");
    let file = folder.file("games");
    run(&mut datagen(&file, &["--games", "5"]));
    let output = run(program(&["sample", "--count", "7", "--score-within", "100"]).arg(&file));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), 7);
    for line in said.lines() {
        let score = line
            .split("score ")
            .nth(1)
            .and_then(|rest| rest.split(';').next());
        let score: i32 = score.unwrap().parse().unwrap();
        assert!(score.abs() <= 100, "{line}");
    }
}

#[test]
fn relabelling_changes_values_only_and_can_be_taken_up_again() {
    let folder = Folder::new("relabel");
    let (old, new, cut) = (folder.file("old"), folder.file("new"), folder.file("cut"));
    run(&mut datagen(&old, &["--games", "3"]));
    run(&mut datagen(&old, &["--games", "2", "--seed", "3"]));
    let relabel = |out: &Path, nodes: &str| {
        let mut command = program(&["relabel", "--nodes", nodes, "--out"]);
        command.args([out, &old]);
        command
    };
    run(&mut relabel(&new, "400"));
    let values = |games: &[Game]| -> Vec<i16> {
        let plies = games.iter().flat_map(|game| &game.plies);
        plies.map(|ply| ply.score).collect()
    };
    let (before, after) = (games(&old), games(&new));
    assert_eq!(before.len(), after.len());
    assert_ne!(values(&before), values(&after));
    for (before, after) in before.iter().zip(&after) {
        let moves = |game: &Game| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        assert_eq!((before.start, moves(before)), (after.start, moves(after)));
        assert_eq!((before.winner, before.ending), (after.winner, after.ending));
    }
    // The first of two chunks and a piece of the second are there.
    let bytes = fs::read(&new).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 9]).unwrap();
    run(&mut relabel(&cut, "400"));
    assert_eq!(fs::read(&cut).unwrap(), bytes);
    let output = relabel(&cut, "500").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("another command"),
        "{said}"
    );
    assert_eq!(fs::read(&cut).unwrap(), bytes);
}

#[test]
fn a_network_that_is_none_is_refused_in_words() {
    let folder = Folder::new("net");
    let net = folder.file("no.net");
    fs::write(&net, "no network").unwrap();
    let mut command = datagen(&folder.file("out"), &["--games", "1", "--net"]);
    let output = command.arg(&net).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("no.net"),
        "{said}"
    );
}
