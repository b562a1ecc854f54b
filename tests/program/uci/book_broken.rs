//! Invalid books, and books that do not fit the game.

use std::fs;
use test_common::{TempDir, positions::START};

use super::book_files::{AFTER_E4, START_KEY, book_messages, with_book};
use super::search_output::{best, check_search, game};

#[test]
fn invalid_books_are_rejected_and_the_previous_one_is_kept() {
    let folder = TempDir::new("broken");
    let mut engine = with_book(&folder, &[(START_KEY, "a2a3", 1)]);
    for (path, words) in [
        (
            folder.write("games.pgn", "1. e4 e5 2. Nf3 *\n".repeat(16)),
            "not sorted",
        ),
        (folder.path(""), "directory"),
        (folder.path("nowhere.bin"), "cannot read it"),
        ("/dev/null".to_owned(), "not a regular file"),
    ] {
        if cfg!(windows) && path.starts_with("/dev") {
            continue;
        }
        let error = engine.query_error(&format!("setoption name BookFile value {path}"));
        for word in [path.as_str(), words, "; BookFile is unchanged"] {
            assert!(error.contains(word), "no '{word}' in {error}");
        }
    }
    assert_eq!(best(&engine.go("go movetime 60000")).0, "a2a3");
}

#[test]
fn a_book_that_becomes_unreadable_is_closed() {
    let folder = TempDir::new("breaks");
    let mut engine = with_book(&folder, &[(START_KEY, "a2a3", 1), (AFTER_E4, "a7a6", 1)]);
    let path = folder.path("good book.bin");
    assert_eq!(best(&engine.go("go depth 2")).0, "a2a3");
    shorten(&path);
    let lines = engine.go("go depth 2");
    check_search(&game(START), &lines);
    let output = book_messages(&lines);
    assert_eq!(output.len(), 1, "{output:?}");
    assert!(
        output[0].starts_with("info string error: closing the book file"),
        "{output:?}"
    );
    assert_eq!(
        book_messages(&engine.go("go depth 2")),
        [""; 0],
        "reported once"
    );
}

fn shorten(path: &str) {
    let file = fs::OpenOptions::new().write(true).open(path);
    file.expect("a book").set_len(8).expect("truncated");
}

#[test]
fn illegal_book_moves_are_skipped_and_reported_once() {
    let folder = TempDir::new("illegal");
    let mut engine = with_book(
        &folder,
        &[
            (START_KEY, "e2e5", 60000),
            (START_KEY, "a2a3", 1),
            (START_KEY, "e1g1", 60000),
            (AFTER_E4, "a2a3", 1),
        ],
    );
    let lines = engine.go("go movetime 60000");
    assert_eq!(best(&lines).0, "a2a3");
    let error = &lines[0];
    assert!(
        error.starts_with("info string error: ignoring illegal book moves in "),
        "{error}"
    );
    assert_eq!(book_messages(&engine.go("go movetime 60000")).len(), 1);
    engine.send_silent("position startpos moves e2e4");
    let lines = engine.go("go depth 2");
    assert_eq!(
        book_messages(&lines),
        [""; 0],
        "no legal move; already reported"
    );
    check_search(
        &game("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        &lines,
    );
}
