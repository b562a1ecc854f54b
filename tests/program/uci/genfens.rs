//! `genfens`, as OpenBench calls it.

use std::collections::HashSet;

use super::CASTELLAN;
use test_common::TempDir;

/// The positions in an output.
fn fens(output: &str) -> Vec<&str> {
    let lines = output.lines();
    let fens = lines.map(|line| line.strip_prefix("info string genfens ").expect(line));
    fens.collect()
}

fn openings(arguments: &[&str]) -> Vec<String> {
    let output = CASTELLAN.run(arguments, "").success();
    fens(&output).into_iter().map(str::to_owned).collect()
}

/// The side to move, and the number of the move.
fn clocks(fen: &str) -> (&str, &str) {
    let fields: Vec<&str> = fen.split(' ').collect();
    assert_eq!(fields.len(), 6, "{fen}");
    (fields[1], fields[5])
}

#[test]
fn the_same_seed_gives_the_same_openings() {
    let fens = openings(&["genfens 40 seed 7 book None", "quit"]);
    assert_eq!(fens.len(), 40);
    assert_eq!(fens.iter().collect::<HashSet<_>>().len(), 40);
    // Eight plies or nine.
    let clocks: HashSet<_> = fens.iter().map(|fen| clocks(fen)).collect();
    assert_eq!(clocks, [("w", "5"), ("b", "5")].into());
    assert_eq!(openings(&["genfens", "40", "seed", "7"]), fens);
    assert_ne!(openings(&["genfens 40 seed 8 book none extra"]), fens);
    // They are legal positions.
    let valid = CASTELLAN
        .run(&["fen", "--strict"], fens.join("\n"))
        .success();
    assert_eq!(valid.lines().count(), 40);
}

/// Runs a command in a directory with a `book.epd`.
fn from_book(command: &str, book: &str) -> String {
    let dir = TempDir::new("genfens");
    dir.write("book.epd", book);
    let output = std::process::Command::new(CASTELLAN.path())
        .args([command, "quit"])
        .current_dir(dir.directory())
        .output()
        .expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn openings_start_from_the_lines_of_a_book() {
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30";
    let text = from_book(
        "genfens 20 seed 1 book book.epd",
        &format!("{line}\n# a remark\n{line}; id \"one\";\n"),
    );
    // Four plies or five after move 30.
    let clocks: HashSet<_> = fens(&text).into_iter().map(clocks).collect();
    assert_eq!(clocks, [("w", "32"), ("b", "32")].into());
    assert_eq!(text.lines().count(), 20, "{text}");
    let text = from_book(
        "genfens 1 seed 1 book book.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1\n",
    );
    let dropped = "info string line 1 of the book: castling right Q dropped";
    assert!(text.starts_with(dropped), "{text}");
    let text = from_book("genfens 1 seed 1 book book.epd", "# a remark\n\n");
    assert!(text.ends_with("no positions in the book\n"), "{text}");
}

#[test]
fn errors() {
    for (line, word) in [
        ("genfens", "'<count> seed <number> [book <file>|None]'"),
        ("genfens 5", "found '5'"),
        ("genfens x seed 1", "found 'x seed 1'"),
        ("genfens 5 seed 1 book /nowhere.epd", "/nowhere.epd"),
        ("genfens 1 seed 1 book /dev/null", "not a regular file"),
        ("genfens 1 seed 1 book -", "not a regular file"),
    ] {
        if cfg!(windows) && line.contains("/dev") {
            continue;
        }
        let output = CASTELLAN.run(&[], line).success();
        assert!(output.starts_with("info string error: "), "{output}");
        assert!(
            output.contains(word) && output.lines().count() == 1,
            "{output}"
        );
    }
}
