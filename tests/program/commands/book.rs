//! `castellan book`: the moves of a book.

use test_common::TempDir;
use test_common::positions::START;

use super::{CASTELLAN, fails};
use crate::uci::book_files::{AFTER_E4, START_KEY, bytes};

fn output(arguments: &[&str]) -> String {
    CASTELLAN.run(arguments, "").success()
}

#[test]
fn the_moves_of_a_position_are_shown() {
    let dir = TempDir::new("shown");
    let entries = [
        (START_KEY, "e2e4", 2),
        (START_KEY, "d2d4", 1),
        (AFTER_E4, "c7c5", 2),
    ];
    let book = dir.write("out.bin", bytes(&entries));
    let expected = format!(
        "{START}\nkey 463b96181691fc9c\n\
         e4       e2e4        2  66.67 %\n\
         d4       d2d4        1  33.33 %\n"
    );
    assert_eq!(output(&["book", "--book", &book]), expected);
    let after = ["book", "startpos", "moves", "e2e4", "--book", &book];
    assert!(output(&after).ends_with("\nc5       c7c5        2 100.00 %\n"));
    let json = output(&["book", "--json", "--book", &book, "startpos"]);
    assert_eq!(
        json,
        format!(
            "{{\"version\":1,\"fen\":\"{START}\",\"key\":\"463b96181691fc9c\",\"moves\":[\
             {{\"uci\":\"e2e4\",\"san\":\"e4\",\"weight\":2,\"percent\":66.67}},\
             {{\"uci\":\"d2d4\",\"san\":\"d4\",\"weight\":1,\"percent\":33.33}}],\
             \"illegal\":[]}}\n"
        )
    );
    let none = output(&["book", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--book", &book]);
    assert!(none.ends_with("no book moves\n"), "{none}");
}

#[test]
fn chess960_castling() {
    let dir = TempDir::new("chess960");
    let fen = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";
    // The key is from python-chess.
    let book = dir.write("out.bin", bytes(&[(0xdf0a_189c_e988_8225, "f1g1", 2)]));
    let shown = output(&["book", "--chess960", fen, "--book", &book]);
    let expected = format!("{fen}\nkey df0a189ce9888225\nO-O      f1g1        2 100.00 %\n");
    assert_eq!(shown, expected);
}

#[test]
fn unusable_books_and_positions_are_errors() {
    let dir = TempDir::new("not shown");
    let book = dir.write("out.bin", bytes(&[(START_KEY, "e2e4", 1)]));
    let short = dir.write("short.bin", [0; 17]);
    for (position, book, expected) in [
        (START, &dir.path("none.bin"), "none.bin"),
        (START, &short, "truncated"),
        (START, &dir.path(""), "directory"),
        ("8/8/8 w - -", &book, "FEN"),
        ("startpos moves e2e5", &book, "'e2e5'"),
        ("", &book, "fen"),
    ] {
        fails("book", &[position, "--book", book], 1, expected);
    }
}
