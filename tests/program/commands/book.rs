//! `castellan book make` and `castellan book show`.

use std::fs;

use test_common::TempDir;
use test_common::positions::START;

use super::{CASTELLAN, fails, run};

fn output(arguments: &[&str]) -> String {
    CASTELLAN.run(arguments, "").success()
}

const GAMES: &str = "\
[Event \"One\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 1-0

[Event \"Two\"]
[Result \"1/2-1/2\"]

1. d4 d5 1/2-1/2

[Event \"Three\"]
[Result \"0-1\"]

1. e4 {best by test} c5 (1... e6 2. d4) 0-1

[Event \"Four\"]
[Result \"0-1\"]

1. a4 e5 0-1
";

#[test]
fn a_book_is_made_and_shown() {
    let dir = TempDir::new("made and shown");
    let (pgn, book) = (dir.write("games.pgn", GAMES), dir.path("out.bin"));
    let stdout = output(&["book", "make", &pgn, "--out", &book]);
    // e4 d4 (a4 only lost); after e4: c5 (e5 only lost); after d4: d5; after e4 e5: Nf3; after
    // a4: e5. Nc6 lost.
    assert_eq!(
        stdout,
        format!("{book}: 6 moves in 5 positions, from 4 games\n")
    );
    let bytes = fs::read(&book).expect("the file exists");
    assert_eq!(bytes.len(), 6 * 16);
    let shown = output(&["book", "show", START, "--book", &book]);
    let expected = format!(
        "{START}\nkey 463b96181691fc9c\n\
         e4       e2e4        2  66.67 %\n\
         d4       d2d4        1  33.33 %\n"
    );
    assert_eq!(shown, expected);
    assert_eq!(
        output(&["book", "show", "startpos", "--book", &book]),
        expected
    );
    let after = ["book", "show", "startpos", "moves", "e2e4", "--book", &book];
    assert!(output(&after).ends_with("\nc5       c7c5        2 100.00 %\n"));
    let json = output(&["book", "show", "--json", "--book", &book, "startpos"]);
    assert_eq!(
        json,
        format!(
            "{{\"version\":1,\"fen\":\"{START}\",\"key\":\"463b96181691fc9c\",\"moves\":[\
             {{\"uci\":\"e2e4\",\"san\":\"e4\",\"weight\":2,\"percent\":66.67}},\
             {{\"uci\":\"d2d4\",\"san\":\"d4\",\"weight\":1,\"percent\":33.33}}],\
             \"illegal\":[]}}\n"
        )
    );
    let none = output(&[
        "book",
        "show",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "--book",
        &book,
    ]);
    assert!(none.ends_with("no book moves\n"), "{none}");
}

fn moves_in(stdout: &str) -> u32 {
    let (_, rest) = stdout.rsplit_once(": ").expect(stdout);
    let number = rest.split(' ').next().unwrap_or_default();
    number.parse().expect(stdout)
}

#[test]
fn depth_min_games_and_uniform() {
    let dir = TempDir::new("choices");
    let (pgn, book) = (dir.write("games.pgn", GAMES), dir.path("out.bin"));
    for (choices, expected) in [
        ("--depth 1", 5),
        ("--depth 1 --uniform", 7),
        ("--uniform", 9),
        ("--min-games 2", 1),
        ("--min-games 2 --uniform", 1),
    ] {
        let fixed = format!("book make {choices} --out");
        let stdout = run(&fixed, &[&book, &pgn], "").success();
        assert_eq!(moves_in(&stdout), expected, "{choices}");
    }
    // The same file twice: everything was played twice.
    let twice = "book make --min-games 2 --uniform --out";
    let stdout = run(twice, &[&book, &pgn, &pgn], "").success();
    assert_eq!(moves_in(&stdout), 9);
}

#[test]
fn at_most_100_invalid_games_are_reported() {
    let dir = TempDir::new("many invalid");
    let text = "[Event \"Bad\"]\n\n1. e9 *\n\n".repeat(150);
    let pgn = dir.write("games.pgn", text + GAMES);
    let finished = run("book make", &[&pgn, "--out", &dir.path("out.bin")], "");
    assert_eq!(finished.code, Some(0));
    let expected = "from 4 games (150 invalid)\n";
    assert!(finished.stdout.ends_with(expected), "{}", finished.stdout);
    let lines: Vec<&str> = finished.stderr.lines().collect();
    assert_eq!(lines.len(), 101);
    assert!(lines[99].contains("games.pgn': game 100, line "));
    assert!(lines[100].contains("further invalid games are not reported"));
}

#[test]
fn failures_leave_the_old_book() {
    let dir = TempDir::new("no book");
    let pgn = dir.write("games.pgn", GAMES);
    let old = dir.write("old.bin", "as it was");
    for (games, more, expected) in [
        (&pgn, "--min-games=9", "from 4 games with --min-games 9"),
        (&dir.path("nothing.pgn"), "--depth=9", "nothing.pgn"),
        (&dir.path(""), "--depth=9", "cannot read"),
    ] {
        fails("book make", &[games, more, "--out", &old], 1, expected);
    }
    for (out, expected) in [
        ("no such folder/out.bin", "no such folder"),
        ("./games.pgn", "one of the input files"),
    ] {
        fails("book make", &[&pgn, "--out", &dir.path(out)], 1, expected);
    }
    // Files without games.
    for junk in [&b"\0\xff\x01"[..], b"", b"\n\n", b"hello world\n"] {
        let junk = dir.write("junk.pgn", junk);
        let finished = run("book make", &[&junk, "--out", &old], "");
        assert_eq!(finished.code, Some(1));
        assert!(
            finished.stderr.contains("no moves left"),
            "{}",
            finished.stderr
        );
    }
    assert_eq!(fs::read(&old).expect("the file exists"), b"as it was");
    let files = fs::read_dir(dir.directory()).expect("a folder");
    let mut names = files.map(|file| file.expect("a file").file_name());
    assert!(!names.any(|name| name.to_string_lossy().ends_with(".new")));
    assert_eq!(fs::read(&pgn).expect("the file exists"), GAMES.as_bytes());
}

#[test]
fn unusable_books_and_positions_are_errors() {
    let dir = TempDir::new("not shown");
    let (pgn, book) = (dir.write("games.pgn", GAMES), dir.path("out.bin"));
    output(&["book", "make", &pgn, "--out", &book]);
    let short = dir.write("short.bin", [0; 17]);
    for (position, book, expected) in [
        (START, &dir.path("none.bin"), "none.bin"),
        (START, &short, "truncated"),
        (START, &dir.path(""), "directory"),
        ("8/8/8 w - -", &book, "FEN"),
        ("startpos moves e2e5", &book, "'e2e5'"),
        ("", &book, "fen"),
    ] {
        fails("book show", &[position, "--book", book], 1, expected);
    }
}

#[test]
fn chess960_games_and_positions() {
    let dir = TempDir::new("chess960");
    let fen = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";
    let pgn = dir.write(
        "games.pgn",
        format!("[Event \"?\"]\n[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O 1-0\n"),
    );
    let book = dir.path("out.bin");
    output(&["book", "make", &pgn, "--out", &book]);
    let shown = output(&["book", "show", "--chess960", fen, "--book", &book]);
    // The key is from python-chess.
    let expected = format!("{fen}\nkey df0a189ce9888225\nO-O      f1g1        2 100.00 %\n");
    assert_eq!(shown, expected);
}
