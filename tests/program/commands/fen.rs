//! `castellan fen`: which positions are valid, what is said about the others, and the formats.

use serde_json::{Value, json};
use test_common::positions::{KIWIPETE, START, variants};
use test_common::{TempDir, table};

use super::{CASTELLAN, fails, run};

fn fen(options: &str, position: &str) -> String {
    let fixed = format!("fen {options}");
    run(&fixed, &[position], "").success().trim_end().to_owned()
}

/// Options, positions, and what is printed. The FENs are those of the documents on X-FEN and
/// Shredder-FEN, and of python-chess.
const FORMATS: &str = "
                      | startpos                                                   | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
                      | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1   | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
--to shredder         | startpos                                                   | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1
--to x-fen            | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1   | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
--chess960            | 1rk2r1r/8/8/8/8/8/8/1RK2R1R w FQfq - 0 1                   | 1rk2r1r/8/8/8/8/8/8/1RK2R1R w FBfb - 0 1
--chess960 --to fen   | 1rk2r1r/8/8/8/8/8/8/1RK2R1R w FQfq - 0 1                   | 1rk2r1r/8/8/8/8/8/8/1RK2R1R w FQfq - 0 1
--to epd              | startpos                                                   | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
--flip                | r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 | r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1
";

#[test]
fn formats_and_chess960() {
    for [options, position, expected] in table(FORMATS) {
        assert_eq!(fen(options, position), expected, "{options} {position}");
    }
    // Flipping twice changes nothing.
    assert_eq!(fen("--flip", &fen("--flip", KIWIPETE)), KIWIPETE);
}

#[test]
fn invalid_positions_are_explained() {
    for (position, reason) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move 'x'"),
        ("startpos moves e2e4 e7e6 e4e6", "move 3 in "),
    ] {
        let error = CASTELLAN.run_failing(&["fen", position], 1);
        assert!(error.starts_with("castellan: line 1: "), "{error}");
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn what_is_dropped_is_a_warning_or_with_strict_an_error() {
    for (position, read, warnings) in [
        (
            "4k3/8/8/8/8/8/8/4K2B w KQ - 0 1",
            "4k3/8/8/8/8/8/8/4K2B w - - 0 1",
            &[
                "castling right K dropped: cannot castle kingside: expected the rook on h1, found a white bishop",
                "castling right Q dropped: cannot castle queenside: expected the rook on a1, found no piece",
            ][..],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            &["en passant square d6 dropped: there is no black pawn on d5"],
        ),
        (
            "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1",
            &["en passant square d6 dropped: d7 is occupied"],
        ),
    ] {
        let finished = run("fen", &[position], "");
        assert_eq!((finished.stdout.trim_end(), finished.code), (read, Some(0)));
        let lines: Vec<&str> = finished.stderr.lines().collect();
        let expected = warnings
            .iter()
            .map(|warning| format!("castellan: line 1: {warning}"));
        assert_eq!(lines, expected.collect::<Vec<_>>());
        let json = run("fen --json", &[position], "");
        assert_eq!((json.stderr.as_str(), json.code), ("", Some(0)));
        assert_eq!(json.json()[0]["warnings"], json!(warnings));
        fails("fen --strict", &[position], 1, warnings[0]);
    }
    // Neither missing fields nor a square on which no pawn can capture are mistakes.
    let passed = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
    assert_eq!(fen("--strict", passed), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(
        fen("--strict", "4k3/8/8/8/8/8/8/4K3"),
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    );
}

/// `fen`, `analyze`, `pgn` and `play` read a FEN alike, and name dropped rights.
#[test]
fn every_command_reads_castling_rights_alike() {
    let folder = TempDir::new("variants");
    for [fen, variant, rights, _] in variants() {
        let field = fen.split(' ').nth(2).expect("castling");
        let read = fen.replace(&format!(" {field} "), &format!(" {rights} "));
        let dropped = field.len() - rights.trim_start_matches('-').len();
        for command in ["fen --json", "analyze --json --depth 1"] {
            let json = &run(command, &[fen], "").json()[0];
            assert_eq!(json["fen"], read, "{command}");
            let warnings = &json["warnings"];
            let count = warnings.as_array().map_or(0, Vec::len);
            assert_eq!(count, dropped, "{command} {fen}: {warnings:?}");
        }
        let strict = run("fen --strict", &[fen], "");
        assert_eq!(strict.code, Some(i32::from(dropped > 0)), "{fen}");
        // Of a game nothing but the dropped rights changes, and standard chess has no tag.
        let pgn = run("pgn", &[], format!("[FEN \"{fen}\"]\n\n*\n"));
        assert!(
            pgn.stdout.contains(&format!("[FEN \"{read}\"]")),
            "{}",
            pgn.stdout
        );
        let tag = pgn.stdout.contains("[Variant \"Chess960\"]");
        assert_eq!(tag, variant == "chess960", "{}", pgn.stdout);
        assert_eq!(
            pgn.stderr.matches("dropped").count(),
            dropped,
            "{}",
            pgn.stderr
        );
        let play = ["play", "--side", "both", "--fen", fen];
        let play = CASTELLAN.run_in(&folder.path(""), &play, "fen\nquit\n");
        assert!(play.stdout.contains(&read), "{}", play.stdout);
        assert_eq!(
            play.stderr.matches("dropped").count(),
            dropped,
            "{}",
            play.stderr
        );
    }
}

#[test]
fn a_dropped_right_is_a_warning_of_analyze_or_with_strict_an_error() {
    let dropped = "4k3/8/8/8/8/8/8/4K2B w K - 0 1";
    let warning = "castling right K dropped: cannot castle kingside";
    let stderr = run("analyze --depth 1", &[dropped], "").stderr;
    assert!(stderr.contains(warning), "{stderr}");
    let refused = run("analyze --depth 1 --strict", &[dropped], "");
    assert_eq!(refused.code, Some(1));
    assert!(refused.stdout.contains(warning), "{}", refused.stdout);
}

const EXPLAINED: &str = "
4k3/8/8/8/8/8/8/R4K1R w - - 0 1           | O-O  | illegal move 'O-O': cannot castle kingside: the king stands on f1, not on e1
r3k2r/8/8/8/8/5q2/8/R3K1NR w KQkq - 0 1   | O-O  | illegal move 'O-O': cannot castle kingside: g1 is occupied; f1 is attacked by the queen on f3
startpos moves e4 e5 Ke2 Ke7 Ke1 Ke8 Nf3 a6 Bc4 a5 | e1g1 | illegal move 'e1g1': White may no longer castle kingside: the king has moved from e1 (2. Ke2)
startpos                                  | g1f3 | legal move 'Nf3'
startpos                                  | nf3  | legal move 'Nf3'
";

#[test]
fn a_move_is_explained() {
    for [position, mv, explanation] in table(EXPLAINED) {
        assert_eq!(fen(&format!("--explain {mv}"), position), explanation);
        let json = run(&format!("fen --json --explain {mv}"), &[position], "").json();
        assert_eq!(json[0]["explanation"], explanation);
    }
    fails("fen --explain Nf9", &[START], 1, "invalid move 'Nf9'");
    fails("fen --explain Sf3", &[START], 1, "invalid move 'Sf3'");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for code in ["bm", "am"] {
        let (operation, error) = (
            format!("{start} {code} Nf3 #3 Nf6;"),
            format!("{code}: illegal move 'Nf6'"),
        );
        fails("fen", &[&operation], 1, &error);
    }
    fails("fen --explain e4 --flip", &[START], 2, "cannot be used");
    // Nor are moves after an invalid field taken for operations.
    let moves = "4k3/8/8/8/8/8/4P3/4K3 w - - - 1 moves e2e4";
    fails("fen", &[moves], 1, "invalid FEN halfmove clock '-'");
}

#[test]
fn a_file_of_positions_is_filtered() {
    let dir = TempDir::new("fens");
    let text = format!("# openings\n{START}\nnonsense\n\n{KIWIPETE} bm Qxf6; id \"two\";\r\n");
    let file = dir.write("some.epd", &text);
    for (arguments, input) in [
        (&[file.as_str()][..], ""),
        (&[], text.as_str()),
        (&["-"], &text),
    ] {
        let finished = run("fen", arguments, input);
        assert_eq!(finished.stdout, format!("{START}\n{KIWIPETE}\n"));
        assert_eq!(finished.code, Some(1));
        let last = finished.stderr.lines().last();
        assert_eq!(
            last,
            Some("castellan: invalid positions: 1 of 3, the first in line 3")
        );
    }
    let results = run("fen --json", &[&file], "").json();
    let fields = |name: &str| {
        results
            .iter()
            .map(|result| result[name].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(fields("line"), [2, 3, 5]);
    assert_eq!(fields("fen"), [json!(START), Value::Null, json!(KIWIPETE)]);
    assert_eq!(fields("id"), [Value::Null, Value::Null, json!("two")]);
    assert!(fields("error")[1].is_string());
}
