//! `castellan book` from the shell: books made of games, and shown.

use crate::CASTELLAN;
use std::fs;
use std::path::Path;
use test_common::{Finished, TempDir, positions::START};

/// What a job says that must succeed without a stderr.
fn well(arguments: &[&str]) -> String {
    let Finished {
        stdout: said,
        stderr,
        code,
    } = CASTELLAN.run(arguments, "");
    assert_eq!((stderr.as_str(), code), ("", Some(0)), "{arguments:?}");
    said
}

/// The stderr of a job that must fail without another word.
fn badly(arguments: &[&str]) -> String {
    let Finished {
        stdout: said,
        stderr,
        code,
    } = CASTELLAN.run(arguments, "");
    assert_eq!((said.as_str(), code), ("", Some(1)), "{arguments:?}");
    assert!(stderr.starts_with("castellan: "), "{stderr}");
    stderr
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
    let shelf = TempDir::new("made and shown");
    let (pgn, book) = (shelf.write("games.pgn", GAMES), shelf.path("out.bin"));
    let said = well(&["book", "make", &pgn, "--out", &book]);
    // e4 d4 (a4 only lost); after e4: c5 (e5 only lost); after d4: d5; after e4 e5: Nf3; after
    // a4: e5. Nc6 lost.
    assert_eq!(
        said,
        format!("{book}: 6 moves in 5 positions, from 4 games\n")
    );
    let bytes = fs::read(&book).expect("it was written");
    assert_eq!(bytes.len(), 6 * 16);
    let shown = well(&["book", "show", START, "--book", &book]);
    let expected = format!(
        "{START}\nkey 463b96181691fc9c\n\
         e4       e2e4        2  66.67 %\n\
         d4       d2d4        1  33.33 %\n"
    );
    assert_eq!(shown, expected);
    // The same however the position is said.
    let words: Vec<&str> = ["book", "show", "--book", &book]
        .into_iter()
        .chain(START.split(' '))
        .collect();
    assert_eq!(well(&words), expected);
    assert_eq!(
        well(&["book", "show", "startpos", "--book", &book]),
        expected
    );
    let after = ["book", "show", "startpos", "moves", "e2e4", "--book", &book];
    assert!(well(&after).ends_with("\nc5       c7c5        2 100.00 %\n"));
    let json = well(&["book", "show", "--json", "--book", &book, "startpos"]);
    assert_eq!(
        json,
        format!(
            "{{\"fen\":\"{START}\",\"key\":\"463b96181691fc9c\",\"moves\":[\
             {{\"uci\":\"e2e4\",\"san\":\"e4\",\"weight\":2,\"percent\":66.67}},\
             {{\"uci\":\"d2d4\",\"san\":\"d4\",\"weight\":1,\"percent\":33.33}}],\
             \"illegal\":[]}}\n"
        )
    );
    let nothing = well(&[
        "book",
        "show",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "--book",
        &book,
    ]);
    assert!(
        nothing.ends_with("the book has no move here\n"),
        "{nothing}"
    );
}

fn moves_in(said: &str) -> u32 {
    let (_, rest) = said.rsplit_once(": ").expect(said);
    let number = rest.split(' ').next().unwrap_or_default();
    number.parse().expect(said)
}

#[test]
fn depth_least_games_and_uniform_weights() {
    let shelf = TempDir::new("choices");
    let (pgn, book) = (shelf.write("games.pgn", GAMES), shelf.path("out.bin"));
    for (choices, expected) in [
        (&["--depth", "1"][..], 5),
        (&["--depth", "1", "--uniform"], 7),
        (&["--uniform"], 9),
        (&["--min-games", "2"], 1),
        (&["--min-games", "2", "--uniform"], 1),
    ] {
        let words = [&["book", "make", &pgn, "--out", &book], choices].concat();
        assert_eq!(moves_in(&well(&words)), expected, "{choices:?}");
    }
    // Two files are one: now everything was played twice.
    let words = [
        "book",
        "make",
        &pgn,
        &pgn,
        "--out",
        &book,
        "--min-games",
        "2",
        "--uniform",
    ];
    assert_eq!(moves_in(&well(&words)), 9);
}

#[test]
fn broken_games_are_named_and_cost_no_other() {
    let shelf = TempDir::new("broken games");
    let broken = "[Event \"Bad\"]\n\n1. e4 e5\n2. Nf6 *\n\n[Event \"Open\"]\n\n1. e4 {never\n\n";
    let pgn = shelf.write(
        "games.pgn",
        format!("\u{feff}{broken}{GAMES}").replace('\n', "\r\n"),
    );
    let book = shelf.path("out.bin");
    let Finished {
        stdout: said,
        stderr,
        code,
    } = CASTELLAN.run(&["book", "make", &pgn, "--out", &book], "");
    assert_eq!(code, Some(0));
    assert_eq!(
        said,
        format!("{book}: 6 moves in 5 positions, from 4 games (2 are broken)\n")
    );
    let lines: Vec<&str> = stderr.lines().collect();
    let [one, two] = lines.as_slice() else {
        panic!("{stderr}");
    };
    for (line, words) in [
        (one, ["games.pgn: game 1", "line 1", "line 4", "'Nf6'"]),
        (two, ["games.pgn: game 2", "line 6", "line 8", "'}'"]),
    ] {
        for word in words {
            assert!(line.contains(word), "no '{word}' in {line}");
        }
    }
}

#[test]
fn very_many_broken_games_are_counted_in_the_end() {
    let shelf = TempDir::new("many broken");
    let text = "[Event \"Bad\"]\n\n1. e9 *\n\n".repeat(150);
    let pgn = shelf.write("games.pgn", text + GAMES);
    let Finished {
        stdout: said,
        stderr,
        code,
    } = CASTELLAN.run(&["book", "make", &pgn, "--out", &shelf.path("out.bin")], "");
    assert_eq!(code, Some(0));
    assert!(said.ends_with("from 4 games (150 are broken)\n"), "{said}");
    assert_eq!(stderr.lines().count(), 101);
    assert!(stderr.ends_with("and 50 more\n"), "{stderr}");
}

#[test]
fn no_book_is_no_success_and_leaves_the_old_one() {
    let shelf = TempDir::new("no book");
    let pgn = shelf.write("games.pgn", GAMES);
    let old = shelf.write("old.bin", "as it was");
    let nowhere = shelf.path("no such folder/out.bin");
    for (words, expected) in [
        (
            ["book", "make", &pgn, "--out", &old, "--min-games", "9"],
            "--min-games 9",
        ),
        (
            [
                "book",
                "make",
                &shelf.path("nothing.pgn"),
                "--out",
                &old,
                "--depth",
                "9",
            ],
            "nothing.pgn",
        ),
        (
            [
                "book",
                "make",
                &shelf.path(""),
                "--out",
                &old,
                "--depth",
                "9",
            ],
            "cannot read",
        ),
        (
            ["book", "make", &pgn, "--out", &nowhere, "--depth", "9"],
            "no such folder",
        ),
    ] {
        let stderr = badly(&words);
        assert!(stderr.contains(expected), "{stderr}");
    }
    assert_eq!(fs::read(&old).expect("still there"), b"as it was");
    assert!(!Path::new(&format!("{old}.new")).exists());
    let roundabout = shelf.path("./games.pgn");
    let stderr = badly(&["book", "make", &pgn, "--out", &roundabout]);
    assert!(stderr.contains("holds the games"), "{stderr}");
    assert_eq!(fs::read(&pgn).expect("still there"), GAMES.as_bytes());
    // Files that are no games, or nothing at all.
    for junk in [&b"\0\xff\x01"[..], b"", b"\n\n", b"hello world\n"] {
        let junk = shelf.write("junk.pgn", junk);
        let Finished {
            stdout: _,
            stderr,
            code,
        } = CASTELLAN.run(&["book", "make", &junk, "--out", &old], "");
        assert_eq!(code, Some(1));
        assert!(stderr.contains("no move is left"), "{stderr}");
    }
}

#[test]
fn what_cannot_be_shown_is_said() {
    let shelf = TempDir::new("not shown");
    let (pgn, book) = (shelf.write("games.pgn", GAMES), shelf.path("out.bin"));
    well(&["book", "make", &pgn, "--out", &book]);
    let short = shelf.write("short.bin", [0; 17]);
    for (words, expected) in [
        (
            ["book", "show", START, "--book", &shelf.path("none.bin")],
            "none.bin",
        ),
        (["book", "show", START, "--book", &short], "cut off"),
        (["book", "show", START, "--book", &shelf.path("")], "folder"),
        (["book", "show", "8/8/8 w - -", "--book", &book], "FEN"),
        (
            ["book", "show", "startpos moves e2e5", "--book", &book],
            "'e2e5'",
        ),
        (["book", "show", "", "--book", &book], "fen"),
    ] {
        let stderr = badly(&words);
        assert!(stderr.contains(expected), "no '{expected}' in {stderr}");
    }
}

#[test]
fn chess960_games_and_positions() {
    let shelf = TempDir::new("chess960");
    let fen = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";
    let pgn = shelf.write(
        "games.pgn",
        format!("[Event \"?\"]\n[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O 1-0\n"),
    );
    let book = shelf.path("out.bin");
    well(&["book", "make", &pgn, "--out", &book]);
    let shown = well(&["book", "show", "--chess960", fen, "--book", &book]);
    // The key is python-chess's.
    let expected = format!("{fen}\nkey df0a189ce9888225\nO-O      f1g1        2 100.00 %\n");
    assert_eq!(shown, expected);
}
