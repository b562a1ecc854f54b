//! `castellan analyze`: the results, which depend only on the position; input and output.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};
use test_common::positions::{CHECKMATE, MATE_IN_ONE, STALEMATE, START};
use test_common::{TempDir, repository_path, table};

use super::{CASTELLAN, arguments, fails, run};

const QUICK: &str = "analyze --json --no-time --depth 1";

/// The results for positions given as arguments.
fn analyzed(options: &str, positions: &[&str]) -> Vec<Value> {
    let finished = run(&format!("analyze --json {options}"), positions, "");
    let results = finished.json();
    finished.success();
    results
}

#[test]
fn a_mate_has_all_fields() {
    let mut results = analyzed("--depth 4", &[MATE_IN_ONE]);
    let result = results[0].as_object_mut().expect("an object");
    for name in ["nodes", "time", "depth", "seldepth"] {
        let value = result.remove(name);
        assert!(value.is_some_and(|value| value.is_u64()), "{name}");
    }
    let expected = json!({
        "line": 1, "id": null, "fen": MATE_IN_ONE, "bestmove": "a1a8",
        "score": {"mate": 1}, "wdl": [1000, 0, 0],
        "pv": ["a1a8"], "san": ["Ra8#"], "error": null,
    });
    assert_eq!(results[0], expected);
}

#[test]
fn positions_without_legal_moves_have_results() {
    let results = analyzed("", &[CHECKMATE, STALEMATE]);
    for (result, score, wdl) in [
        (&results[0], json!({"mate": 0}), [0, 0, 1000]),
        (&results[1], json!({"cp": 0}), [0, 1000, 0]),
    ] {
        assert_eq!(result["bestmove"], Value::Null);
        assert_eq!((&result["score"], &result["wdl"]), (&score, &json!(wdl)));
        assert_eq!(result["pv"], json!([]));
        assert_eq!(result["error"], Value::Null);
    }
}

#[test]
fn text_output_has_a_line_per_variation() {
    let fixed = "analyse --depth 2 --no-time";
    let stdout = run(fixed, &[MATE_IN_ONE, STALEMATE], "").success();
    let lines: Vec<&str> = stdout.lines().collect();
    let [mate, stalemate] = lines[..] else {
        panic!("{stdout}");
    };
    assert!(mate.starts_with("1: mate 1 wdl 1000 0 0 depth "), "{mate}");
    assert!(mate.ends_with(" pv Ra8#"), "{mate}");
    assert_eq!(stalemate, "2: cp 0 wdl 0 1000 0 depth 0 nodes 0 pv");
    let several = run("analyze --depth 3 --multipv 3", &[START], "").success();
    assert_eq!(several.lines().count(), 3);
}

#[test]
fn multipv_lists_lines_but_no_more_than_there_are_legal_moves() {
    let queen = "7k/8/8/8/8/8/5q2/7K b - - 0 1";
    for (options, position, count) in [
        ("--depth 5 --multipv 4", START, 4),
        ("--depth 2 --multipv 218", queen, 26),
    ] {
        let results = analyzed(options, &[position]);
        let lines = results[0]["lines"].as_array().expect("lines");
        assert_eq!(lines.len(), count);
        assert_eq!(lines[0]["pv"], results[0]["pv"]);
    }
}

#[test]
fn limits_are_respected() {
    let by_nodes = analyzed("--nodes 1000", &[START]);
    assert!(by_nodes[0]["nodes"].as_u64() <= Some(1000), "{by_nodes:?}");
    assert_eq!(analyzed("--depth 3", &[START])[0]["depth"], 3);
    assert_eq!(analyzed("--movetime 30", &[START]).len(), 1);
}

/// Operations of EPD, and whether the position, a mate in one by Ra8, is solved.
const SUITE: &str = "
    bm Ra8;                | true
    bm a1a8 Ra7;           | true
    bm Ra7;                | false
    am Ra7 Kf1;            | true
    am Ra8;                | false
    bm Ra8; am Ra7; dm 1;  | true
    bm Ra8; dm 0;          | false
    dm 3;                  | true
    bm Ra8; am Ra8;        | false
    bm Rb8; dm 1;          | null
    bm #1;                 | null
    dm soon;               | null
    id \"none\";            | null
";

#[test]
fn test_suites_have_solved_positions() {
    let fields: Vec<&str> = MATE_IN_ONE.split(' ').take(4).collect();
    let rows: Vec<[&str; 2]> = table(SUITE);
    let lines = rows.iter().map(|[operations, _]| operations);
    let lines = lines.map(|operations| format!("{} {operations}\n", fields.join(" ")));
    let suite: String = lines.collect();
    let dir = TempDir::new("solved");
    let out = dir.path("results");
    let finished = run(QUICK, &["--out", &out], &suite);
    assert_eq!(finished.stderr, "castellan: solved 5 of 9\n");
    let finished = run(QUICK, &[], &suite);
    assert_eq!(finished.stderr, "castellan: solved 5 of 9\n");
    let results = finished.json();
    for ([operations, expected], result) in rows.iter().zip(&results) {
        assert_eq!(result["solved"].to_string(), *expected, "{operations}");
    }
    for (at, warning) in [(9, "bm: illegal move 'Rb8'"), (11, "dm: expected")] {
        let warnings = results[at]["warnings"].to_string();
        assert!(warnings.contains(warning), "{warnings}");
    }
    // Text stays as it is.
    let text = run("analyze --depth 1", &[], &suite);
    assert!(!text.stderr.contains("solved"), "{}", text.stderr);
}

/// A mate is too late after 75 moves without progress.
#[test]
fn a_game_that_is_over_is_drawn() {
    let result = &analyzed("--depth 3", &["k7/8/1K6/8/8/8/8/2Q5 w - - 150 88"])[0];
    assert_eq!(result["score"]["cp"], 0, "{result}");
    let said = "the game is over: draw by the seventy-five-move rule";
    assert_eq!(result["warnings"][0], said);
    let mate = &analyzed("--depth 3", &["k7/8/1K6/8/8/8/8/2Q5 w - - 149 88"])[0];
    assert_eq!(mate["score"]["mate"], 1, "{mate}");
}

#[test]
fn moves_behind_a_position_and_chess960() {
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    // Castling is king takes rook.
    let castling = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1";
    for (option, position, expected) in [
        ("", &*format!("{board} w moves e2e4 e7e5"), after),
        ("--chess960", castling, castled),
        ("--option=UCI_Chess960=true", castling, castled),
    ] {
        let results = analyzed(&format!("{option} --depth 1"), &[position]);
        assert_eq!(results[0]["fen"], expected, "{position}");
    }
}

/// The positions that a run finds in its arguments.
fn fens(arguments: &[&str]) -> Vec<String> {
    let results = run(QUICK, arguments, "").json();
    let fens = results.iter().map(|result| result["fen"].as_str());
    fens.map(|fen| fen.expect("a FEN").to_owned()).collect()
}

#[test]
fn a_fen_is_one_argument_and_moves_need_no_quotation_marks() {
    let after = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for moves in [
        "e2e4 e7e5 g1f3 g8f6",
        "e4 e5 Nf3 Nf6",
        "1. e4 e5 2. Nf3 Nf6",
    ] {
        let arguments = arguments("startpos moves", &[]);
        let arguments = [arguments, moves.split(' ').collect()].concat();
        assert_eq!(fens(&arguments), [after], "{moves}");
        assert_eq!(fens(&[&arguments.join(" ")]), [after], "{moves}");
    }
    let several = [MATE_IN_ONE, "startpos", "--multipv", "1", STALEMATE];
    assert_eq!(fens(&several), [MATE_IN_ONE, START, STALEMATE]);
    let unquoted: Vec<&str> = MATE_IN_ONE.split(' ').collect();
    fails(QUICK, &unquoted, 1, "a FEN in quotation marks");
    let finished = run(QUICK, &["startpos", "moves", "e2e4", "O-O"], "");
    assert_eq!(finished.code, Some(1));
    let error = finished.json()[0]["error"].to_string();
    assert!(
        error.contains("move 2 in ") && error.contains("'O-O'"),
        "{error}"
    );
}

#[test]
fn files_are_arguments_too() {
    let dir = TempDir::new("file arguments");
    let first = dir.write("first.epd", format!("# a remark\n{START}\n"));
    let second = dir.write("second one.epd", format!("{STALEMATE}\n{MATE_IN_ONE}"));
    let read = [START, STALEMATE, MATE_IN_ONE];
    assert_eq!(fens(&[&first, &second]), read);
    // Lines are counted as those of one file.
    let results = run(QUICK, &[&first, &second, CHECKMATE], "").json();
    let lines: Vec<u64> = results
        .iter()
        .filter_map(|result| result["line"].as_u64())
        .collect();
    assert_eq!(lines, [2, 3, 4, 5]);
    let piped = run(QUICK, &[&second, "-", &first], CHECKMATE);
    assert_eq!(piped.json().len(), 4);
    let missing = dir.path("third.epd");
    for missing in [missing.as_str(), "positions.epd", "e2e4", "posit.epd -"] {
        let words = [&[first.as_str()][..], &arguments(missing, &[])].concat();
        // Nothing is analyzed before.
        fails(QUICK, &words, 1, "is neither a file nor a position");
    }
}

#[test]
fn pgn_is_recognized() {
    let dir = TempDir::new("pgn arguments");
    let games = dir.write("games.pgn", "\n[Event \"Open\"]\n\n1. e4 e5 *\n");
    let words = "it is PGN; use 'castellan annotate' for games, or 'castellan pgn --fens'";
    fails(QUICK, &[&games], 1, words);
}

#[test]
fn utf_16_is_one_error_for_the_file() {
    let dir = TempDir::new("UTF-16");
    let path = dir.path("positions.txt");
    let lines = format!("\u{feff}{START}\n{START}\n");
    let bytes: Vec<u8> = lines.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, bytes).expect(&path);
    let words = "positions.txt': the text is UTF-16; expected UTF-8\n";
    fails(QUICK, &[&path], 1, words);
    fails("pgn", &[&path], 1, words);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_told_what_is_read() {
    let mut terminal = CASTELLAN.spawn_on_terminal(&["analyze", "--depth", "1"]);
    terminal
        .read_until("castellan: reading positions, one per line, from the terminal; Ctrl-D ends");
    terminal.keys("startpos\n");
    terminal.read_until("1: cp ");
    let (_, code) = terminal.close();
    assert_eq!(code, Some(0));
}

#[test]
fn uci_options_are_set_or_rejected() {
    let results = analyzed("--depth 2 --option hash=2 --threads 2", &[START]);
    assert_eq!(results.len(), 1);
    for (option, code, word) in [
        ("Hash", 2, "NAME=VALUE"),
        ("Hash=0", 2, "expected a whole number from 1 to"),
        ("Hahs=1", 2, "'Hahs'"),
        ("OwnBook=true", 2, "OwnBook has no effect"),
        ("EvalFile=/nowhere.net", 1, "/nowhere.net"),
    ] {
        fails("analyze", &[START, "--option", option], code, word);
    }
}

#[test]
fn tablebases_are_used_where_found() {
    let tables = repository_path("tests/data/syzygy").display().to_string();
    // Won, but beyond depth 1.
    let won = "8/8/8/3k4/8/8/8/4K2R w - - 0 1";
    let score = |options: &[&str]| {
        let results = analyzed("--depth 1", &[&[won], options].concat());
        results[0]["score"]["cp"].as_i64().expect("no mate yet")
    };
    let path = format!("--option=SyzygyPath={tables}");
    let with = score(&[&path]);
    assert!(with > 15_000, "{with}");
    assert_eq!(score(&["--syzygy", &tables]), with);
    assert!(score(&[]) < with);
    assert!(score(&[&path, "--option=SyzygyProbeLimit=2"]) < with);
    let missing = run("analyze --depth 1 --option SyzygyPath=/nowhere", &[won], "");
    assert_eq!((missing.code, missing.stdout.lines().count()), (Some(0), 1));
    assert!(missing.stderr.contains("/nowhere"), "{}", missing.stderr);
}

/// The line numbers, and whether there is an error.
fn outline(results: &[Value]) -> Vec<(u64, bool)> {
    let line = |result: &Value| result["line"].as_u64().expect("a number");
    let lines = results.iter();
    lines
        .map(|result| (line(result), !result["error"].is_null()))
        .collect()
}

#[test]
fn invalid_lines_get_errors_and_do_not_affect_others() {
    let text = format!(
        "\u{feff}{START}\r\n\r\n# a remark\r\nno position\r\n{MATE_IN_ONE} bm Ra8; id \"first; one\";\r\n\
         {MATE_IN_ONE} id \"open\r\n4k3/8/8/8/8/8/8/8 w - - 0 1\r\nstartpos moves e2e5\r\n{CHECKMATE}"
    );
    for jobs in ["1", "3"] {
        let finished = run(QUICK, &["--jobs", jobs], &text);
        let results = finished.json();
        let lines = [1, 4, 5, 6, 7, 8, 9];
        let expected = lines.map(|line| (line, [4, 6, 7, 8].contains(&line)));
        assert_eq!(outline(&results), expected);
        assert_eq!(finished.code, Some(1));
        assert_eq!(
            finished.stderr,
            "castellan: solved 1 of 1\n\
             castellan: invalid positions: 4 of 7, the first in line 4\n"
        );
        assert_eq!(results[2]["id"], "first; one");
        for (result, word) in [(1, "'no'"), (3, "id"), (4, "king"), (5, "e2e5")] {
            let error = results[result]["error"].as_str().expect("text");
            assert!(error.contains(word), "{error}");
        }
    }
}

#[test]
fn files_arguments_and_standard_input_are_equivalent() {
    let dir = TempDir::new("sources");
    let text = format!("{START}\n{MATE_IN_ONE}\n");
    let file = dir.write("positions.fen", &text);
    let piped = run(QUICK, &[], &text).success();
    assert_eq!(piped.lines().count(), 2);
    for (more, input) in [
        (&[file.as_str()][..], ""),
        (&["-"], &text),
        (&[START, MATE_IN_ONE], ""),
    ] {
        assert_eq!(run(QUICK, more, input).success(), piped, "{more:?}");
    }
    fails("analyze", &[&dir.path("none")], 1, "none");
    fails("analyze", &[&dir.path("")], 1, "sources");
}

#[test]
fn invalid_utf8_and_overlong_lines() {
    let mut bytes = format!("{START}\n").into_bytes();
    bytes.extend(b"\xff\xfe\x00\n");
    // A FEN of one megabyte, which is read, and one of three, which is too long.
    bytes.extend("8/".repeat(1 << 19).bytes());
    bytes.extend(b"\n");
    bytes.extend("8".repeat(3 << 20).bytes());
    bytes.extend(format!("\n{CHECKMATE}\n").bytes());
    let finished = run(QUICK, &[], bytes);
    let expected = [(1, false), (2, true), (3, true), (4, true), (5, false)];
    assert_eq!(outline(&finished.json()), expected);
    assert_eq!(finished.code, Some(1));
    assert!(finished.stdout.len() < 4000, "errors are short");
}

#[test]
fn control_characters_are_escaped() {
    let line = format!("{MATE_IN_ONE} id \"\u{1b}[2J\";\n\u{1b}[31m/8 w - -\n");
    let finished = run("analyze --depth 1", &[], line);
    assert!(!finished.stdout.contains('\u{1b}') && !finished.stderr.contains('\u{1b}'));
    assert_eq!(finished.stdout.lines().count(), 2, "{}", finished.stdout);
}

#[test]
fn each_result_is_printed_at_once() {
    let mut child = CASTELLAN.spawn(&arguments(QUICK, &[]));
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 1..=3 {
        writeln!(input, "{START}").expect("the program reads");
        let mut result = String::new();
        output.read_line(&mut result).expect("a result");
        let result: Value = serde_json::from_str(&result).expect("JSON");
        assert_eq!(result["line"], number);
    }
    drop(input);
    assert!(child.wait().expect("an exit status").success());
}
