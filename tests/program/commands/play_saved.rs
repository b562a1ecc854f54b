//! `castellan play`: saved games, and files that are not overwritten.

use super::CASTELLAN;
use game::library::Library;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::time::{Duration, SystemTime};
use test_common::{Finished, TempDir};

fn play(folder: &TempDir, arguments: &[&str], typed: &str) -> Finished {
    let words = [&["play", "--ascii"], arguments].concat();
    CASTELLAN.run_in(&folder.path(""), &words, typed)
}

fn output_of(folder: &TempDir, arguments: &[&str], typed: &str) -> String {
    play(folder, arguments, typed).success()
}

fn error_of(folder: &TempDir, arguments: &[&str]) -> String {
    let ended = play(folder, arguments, "e4\n");
    assert_eq!((&*ended.stdout, ended.code), ("", Some(1)), "{ended:?}");
    ended.stderr
}

/// The games in the default directory.
fn saved_games(folder: &TempDir) -> Vec<String> {
    let folder = folder.path("castellan");
    let files = fs::read_dir(folder).map(|files| {
        let paths = files.map(|file| file.expect("a file").path());
        paths
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    });
    files.unwrap_or_default()
}

/// Starts a game and waits for the engine's reply to 1. e4.
fn start_game(folder: &TempDir, arguments: &[&str]) -> Child {
    start(folder, arguments, "e4\n", "Castellan: 1... ")
}

/// Starts a game, types these lines, and waits for a line that begins like the reply.
fn start(folder: &TempDir, arguments: &[&str], typed: &str, reply: &str) -> Child {
    let words = [&["play", "--ascii", "--keep", "--nodes", "200"], arguments].concat();
    let mut child = CASTELLAN.spawn_in(&folder.path(""), &words);
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(typed.as_bytes()).expect("it reads");
    let output = BufReader::new(child.stdout.as_mut().expect("a pipe"));
    let replied = output
        .lines()
        .map_while(Result::ok)
        .any(|line| line.starts_with(reply));
    assert!(replied);
    child
}

#[test]
fn a_killed_game_can_be_resumed() {
    let folder = TempDir::new("play killed");
    let mut child = start_game(&folder, &[]);
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    assert_eq!(saved_games(&folder).len(), 1);
    let output = output_of(
        &folder,
        &["--resume", "--nodes", "200"],
        "moves\nd4\nmoves\nquit\n",
    );
    let moves: Vec<&str> = output
        .lines()
        .filter(|line| line.starts_with("1. e4 "))
        .collect();
    let [before, after] = moves.as_slice() else {
        panic!("{output}");
    };
    assert_eq!(before.split(' ').count(), 3);
    assert_eq!(after, before);
    assert!(output.contains("\n2. d4 "), "{output}");
    assert!(output.contains("use --resume to continue it"), "{output}");
}

#[test]
fn a_resumed_game_keeps_the_level() {
    let folder = TempDir::new("play level");
    let (game, pgn) = (folder.path("a.game"), folder.path("a.pgn"));
    output_of(
        &folder,
        &["--session", &game, "--elo", "1000"],
        "e4\nquit\n",
    );
    let typed = format!("pgn {pgn}\nquit\n");
    output_of(&folder, &["--session", &game, "--resume"], &typed);
    let text = fs::read_to_string(&pgn).expect("the file exists");
    assert!(text.contains(" at 1000\"]"), "{text}");
    // Another level that is given is that of this run.
    let pgn = folder.path("b.pgn");
    let typed = format!("pgn {pgn}\nquit\n");
    output_of(
        &folder,
        &["--session", &game, "--resume", "--elo", "2000"],
        &typed,
    );
    let text = fs::read_to_string(&pgn).expect("the file exists");
    assert!(text.contains(" at 2000\"]"), "{text}");
    // A game that is over keeps its level; the next one gets the other.
    let game = folder.path("b.game");
    let session = ["--session", &game];
    let words = [&session[..], &["--elo", "1000"]].concat();
    output_of(&folder, &words, "e4\nresign\n");
    let words = [&session[..], &["--resume", "--elo", "2000"]].concat();
    let (over, next) = (folder.path("over.pgn"), folder.path("next.pgn"));
    output_of(&folder, &words, &format!("pgn {over}\nnew\npgn {next}\n"));
    for (pgn, level) in [(over, 1000), (next, 2000)] {
        let text = fs::read_to_string(&pgn).expect("the file exists");
        assert!(text.contains(&format!(" at {level}\"]")), "{text}");
    }
    let text = fs::read_to_string(&game).expect("the file exists");
    assert!(text.ends_with("\nlevel 2000\n"), "{text}");
}

#[test]
fn a_loaded_game_keeps_its_clocks_and_level_and_pgn_gets_those_of_the_run() {
    let folder = TempDir::new("play load level");
    let limited = ["--elo", "1200", "--clock", "5+3"];
    let saved = folder.path("a.save");
    output_of(&folder, &limited, &format!("save {saved}\n"));
    let game = folder.write("game.pgn", "[Event \"?\"]\n\n1. e4 c5 *\n");
    for (arguments, typed) in [
        (&limited[..], format!("load {game}\nnew")),
        (&[], format!("load {saved}")),
        (&[], format!("load {saved}\nnew")),
    ] {
        let pgn = folder.path("written.pgn");
        output_of(&folder, arguments, &format!("{typed}\npgn {pgn}\n"));
        let text = fs::read_to_string(&pgn).expect("the file exists");
        assert!(text.contains(" at 1200\"]"), "{typed}: {text}");
        assert!(text.contains("[TimeControl \"300+3\"]"), "{typed}: {text}");
        fs::remove_file(&pgn).expect("there");
    }
}

#[test]
fn a_resumed_game_gets_the_clocks_that_are_given() {
    let folder = TempDir::new("play clocks");
    let game = folder.path("a.game");
    let both = ["--session", &game, "--side", "both"];
    let shown = |words: &[&str], typed: &str| {
        let output = output_of(&folder, words, typed);
        let mut lines = output.lines().rev().map(str::trim);
        let clocks = lines.find(|line| line.starts_with("White "));
        clocks.map(str::to_owned)
    };
    assert_eq!(shown(&both, "e4\n"), None);
    let resumed = ["--session", &game, "--resume"];
    let with = |clock| [&resumed[..], &["--clock", clock]].concat();
    for (words, expected) in [
        (with("5+0"), "White 5:00"),
        (resumed.to_vec(), "White 5:00"),
        (with("3+2"), "White 3:00"),
    ] {
        let clocks = shown(&words, "board\n").unwrap_or_default();
        assert!(clocks.starts_with(expected), "{words:?}: {clocks}");
    }
    // Also where a loaded game, played without a clock here, has clocks of its own.
    let pgn = folder.write("a.pgn", "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} *\n");
    let game = folder.path("b.game");
    let loaded = ["--session", &game, "--side", "both"];
    shown(&loaded, &format!("load {pgn}\n"));
    let resumed = ["--session", &game, "--resume", "--clock", "5+0"];
    let clocks = shown(&resumed, "board\n").unwrap_or_default();
    assert!(clocks.starts_with("White 5:00"), "{clocks}");
    // After a game that is over, the next one.
    let game = folder.path("c.game");
    shown(&["--session", &game, "--side", "both"], "e4\nresign\n");
    let resumed = ["--session", &game, "--resume", "--clock", "5+0"];
    assert_eq!(shown(&resumed, "board\n"), None);
    let clocks = shown(&resumed, "new\n");
    assert_eq!(clocks.as_deref(), Some("White 5:00   Black 5:00"));
}

#[test]
fn resuming_drops_an_incomplete_line_and_keeps_the_undo_history() {
    let folder = TempDir::new("play resume");
    let game = folder.write(
        "a.game",
        "castellan game 1\nbegin standard white rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         move e2e4\nmove e7e5\nundo\nundo\nredo\nmove e7",
    );
    let words = ["--session", &game, "--resume", "--nodes", "200"];
    let output = output_of(&folder, &words, "undo\nredo\nquit\n");
    assert_eq!(output.matches("Castellan: 1... ").count(), 1, "{output}");
    let text = fs::read_to_string(&game).expect("the file exists");
    assert!(text.contains("\nredo\nmove "), "{text}");
    assert!(!text.contains("e7move"), "{text}");
    assert!(text.ends_with("\nundo\nundo\nredo\nredo\n"), "{text}");
}

#[test]
fn an_unfinished_game_can_be_resumed_and_a_finished_one_goes_to_the_library() {
    let folder = TempDir::new("play only unfinished");
    let both = ["--side", "both", "--keep"];
    output_of(&folder, &both, "quit\n");
    output_of(&folder, &both, "f3\ne5\ng4\nQh4\nquit\n");
    let resigned = output_of(&folder, &both, "e4\nresign\n");
    assert!(resigned.contains("The game is kept: "), "{resigned}");
    // Without a terminal no game is kept unless asked.
    output_of(&folder, &["--side", "both"], "e4\nresign\n");
    let library = Library::at(folder.path("castellan/games").into());
    assert_eq!(library.games().expect("a folder").len(), 2);
    // Each game of a run, the last state of each, also after a claim.
    let pgn = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 100 90\"]\n\n*\n";
    let claimable = folder.write("claimable.pgn", pgn);
    let typed =
        format!("load {claimable}\ndraw\ne4\nresign\nrematch\nf3\ne5\ng4\nQh4\nundo\nd6\nresign\n");
    output_of(&folder, &both, &typed);
    let texts: Vec<String> = library
        .games()
        .expect("a folder")
        .iter()
        .filter_map(|id| library.read(id).ok().flatten())
        .map(|(_, text)| text)
        .collect();
    let ends = [
        "2. g4 d6 {White resigns} 0-1",
        "1. e4 {Black resigns} 1-0",
        "fifty-move rule",
        "1. e4 {Black resigns} 1-0",
    ];
    assert_eq!(texts.len(), 5, "{texts:?}");
    for (text, end) in texts.iter().zip(ends) {
        assert!(text.contains(end), "{text}");
    }
    assert_eq!(saved_games(&folder), [folder.path("castellan/games")]);
    output_of(&folder, &both, "e4\n");
    let another = output_of(&folder, &both, "quit\n");
    assert!(
        another.starts_with("An unfinished game is saved; use --resume"),
        "{another}"
    );
    output_of(&folder, &["--resume"], "c5\n");
    assert_eq!(saved_games(&folder).len(), 2);
    output_of(&folder, &["--resume"], "resign\n");
    let stderr = error_of(&folder, &["--resume"]);
    assert!(stderr.contains("no unfinished game in"), "{stderr}");
    // A loaded game is kept like any other.
    let pgn = folder.write("game.pgn", "[Event \"?\"]\n\n1. e4 c5 *\n");
    output_of(&folder, &both, &format!("load {pgn}\n"));
    assert!(output_of(&folder, &["--resume"], "moves\n").contains("\n1. e4 c5\n"));
    // Also one whose moves have all been taken back.
    output_of(&folder, &both, "d4\nundo\n");
    let resumed = output_of(&folder, &["--resume"], "redo\nmoves\n");
    assert!(resumed.contains("\n1. d4\n"), "{resumed}");
}

#[test]
fn a_game_that_is_resumed_after_its_end_keeps_its_entry_in_the_library() {
    let folder = TempDir::new("play ends again");
    let (games, away) = (folder.path("castellan/games"), folder.path("away"));
    let library = Library::at(games.clone().into());
    let last = || {
        let ids = library.games().expect("a folder");
        let (_, text) = library.read(&ids[0]).expect("read").expect("a game");
        (ids.len(), text)
    };
    let both = ["--side", "both", "--keep"];
    let mate = "f3\ne5\ng4\nQh4\n";
    output_of(&folder, &both, &format!("{mate}undo\n"));
    output_of(&folder, &["--resume"], "d6\nresign\nquit\n");
    let (count, text) = last();
    assert!(text.contains("2. g4 d6 {White resigns} 0-1"), "{text}");
    assert_eq!(count, 1);
    // The program is killed after the end of a game.
    let mut child = start(&folder, &both[..2], &format!("{mate}fen\n"), "rnb1kbnr/");
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    assert_eq!((last().0, saved_games(&folder).len()), (2, 2));
    output_of(&folder, &["--resume"], "undo\n");
    // A file in the place of its folder.
    fs::rename(&games, &away).expect("a folder");
    folder.write("castellan/games", "");
    let output = output_of(&folder, &["--resume"], "a6\nresign\n");
    assert!(output.contains("The game is not kept: "), "{output}");
    fs::remove_file(&games).expect("a file");
    fs::rename(&away, &games).expect("a folder");
    output_of(&folder, &["--resume"], "");
    let (count, text) = last();
    assert!(text.contains("2. g4 a6 {White resigns} 0-1"), "{text}");
    assert_eq!(count, 2);
    assert_eq!(saved_games(&folder), [games]);
    // Another game of the same file is another one of the library.
    output_of(&folder, &both, &format!("{mate}new\ne4\n"));
    output_of(&folder, &["--resume"], "resign\n");
    assert_eq!(last().0, 4);
}

#[test]
fn unfinished_games_are_listed_resumed_and_deleted() {
    let folder = TempDir::new("play games");
    let run = |words: &[&str]| CASTELLAN.run_in(&folder.path(""), &[&["play"], words].concat(), "");
    assert_eq!(run(&["--games"]).success(), "No unfinished games.\n");
    let both = ["--keep", "--side", "both"];
    for (typed, age) in [("e4\n", 30), ("d4\nd5\nc4\n", 20), ("Nf3\n", 10)] {
        let before = saved_games(&folder);
        output_of(&folder, &both, typed);
        let mut new = saved_games(&folder).into_iter();
        let path = new.find(|path| !before.contains(path)).expect("a new game");
        let file = fs::File::options().write(true).open(path).expect("a file");
        let time = SystemTime::now() - Duration::from_secs(age);
        file.set_modified(time).expect("a time");
    }
    let invalid = folder.write("castellan/0.game", "dear diary\n");
    let file = fs::File::options().write(true).open(&invalid);
    file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
        .expect("a time");
    let list = run(&["--games"]).success();
    let lines: Vec<&str> = list.lines().collect();
    let games = [
        "  1  Two players, 1 move, last 1. Nf3",
        "  2  Two players, 2 moves, last 2. c4",
        "  3  Two players, 1 move, last 1. e4",
    ];
    assert_eq!(lines[..3], games);
    assert!(lines[3].contains("0.game"), "{list}");
    let second = output_of(&folder, &["--resume", "2"], "moves\n");
    assert!(second.contains("\n1. d4 d5\n2. c4\n"), "{second}");
    for (words, expected) in [
        (&["--delete", "2"][..], "Deleted: Two players, 2 moves"),
        (&["--delete", "3"], "Deleted: "),
        (
            &["--delete", "1"],
            "Deleted: Two players, 1 move, last 1. Nf3",
        ),
        (&["--games"], "  1  Two players, 1 move, last 1. e4\n"),
    ] {
        let output = run(words).success();
        assert!(output.starts_with(expected), "{words:?}: {output}");
    }
    for words in [
        &["--delete", "2"][..],
        &["--delete", "0"],
        &["--resume", "2"],
    ] {
        let stderr = run(words).stderr;
        assert!(stderr.contains("there are 1; --games lists"), "{stderr}");
    }
    let stderr = error_of(&folder, &["--resume", "1", "--session", "x"]);
    assert!(
        stderr.contains("takes no number with --session"),
        "{stderr}"
    );
    let mut child = start_game(&folder, &[]);
    let refused = run(&["--delete", "1"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    child.kill().expect("it runs");
    child.wait().expect("it was started");
}

#[test]
fn a_saved_game_is_locked_while_in_use() {
    let folder = TempDir::new("play one at a time");
    let game = folder.path("my.game");
    let mut child = start_game(&folder, &["--session", &game]);
    let refused = play(&folder, &["--session", &game, "--resume"], "");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let stderr = refused.stderr;
    assert!(stderr.contains("in use by another process"), "{stderr}");
    child.kill().expect("it runs");
    child.wait().expect("it was started");
    assert!(
        output_of(
            &folder,
            &["--session", &game, "--resume", "--nodes", "9"],
            "moves\n"
        )
        .contains("1. e4")
    );
}

#[test]
fn invalid_saved_games_are_rejected_and_unchanged() {
    let folder = TempDir::new("play no game");
    let start = "castellan game 1\nbegin standard both rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    for (bytes, expected) in [
        ("dear diary\n", "is not a saved game"),
        (&format!("{start}dance\n"), "line 3: invalid action 'dance'"),
    ] {
        let game = folder.write("some.game", bytes);
        let output = error_of(&folder, &["--session", &game, "--resume"]);
        assert!(output.contains(expected), "{bytes:?}: {output}");
        let output = error_of(&folder, &["--session", &game]);
        assert!(output.contains("already exists"), "{output}");
        assert_eq!(fs::read_to_string(&game).expect("the file exists"), bytes);
    }
    let output = error_of(
        &folder,
        &["--session", &folder.path("none.game"), "--resume"],
    );
    assert!(output.contains("none.game"), "{output}");
}

#[test]
fn a_game_that_the_library_lacks_stays_in_its_file() {
    let folder = TempDir::new("play without library");
    fs::create_dir(folder.path("castellan")).expect("writable");
    // A file in the place of its folder.
    let games = folder.write("castellan/games", "");
    let pgn = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 100 90\"]\n\n*\n";
    let claimable = folder.write("claimable.pgn", pgn);
    let typed = format!("f3\ne5\ng4\nQh4\nload {claimable}\nRa2\ndraw\ne4\nresign\n");
    let output = output_of(&folder, &["--side", "both", "--keep"], &typed);
    assert!(output.contains("The game is not kept: "), "{output}");
    fs::remove_file(&games).expect("a file");
    assert_eq!(saved_games(&folder).len(), 3);
    let list = CASTELLAN.run_in(&folder.path(""), &["play", "--games"], "");
    let list = list.success();
    assert!(list.contains("1 move, last 90. Ra2\n"), "{list}");
    for _ in 0..3 {
        output_of(&folder, &["--resume"], "");
    }
    assert_eq!(saved_games(&folder), [&*games]);
    let library = Library::at(games.into());
    assert_eq!(library.games().expect("a folder").len(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_saved_is_played_anyway() {
    let words = ["play", "--ascii", "--side", "both", "--keep"];
    let ended = CASTELLAN.run_in("/proc/no such folder", &words, "e4\ne5\n");
    assert_eq!(ended.code, Some(0));
    let (output, stderr) = (ended.stdout, ended.stderr);
    assert!(stderr.contains("the game is not saved: "), "{stderr}");
    assert!(output.contains("Black: 1... e5"), "{output}");
    // With --session it is an error.
    let words = [&words[..], &["--session", "/proc/x.game"]].concat();
    let ended = CASTELLAN.run_in("/proc/no such folder", &words, "e4\n");
    assert_eq!((&*ended.stdout, ended.code), ("", Some(1)));
    let stderr = ended.stderr;
    assert!(stderr.contains("cannot write '/proc/x.game'"), "{stderr}");
}
