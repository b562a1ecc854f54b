//! `castellan analyze`: the results, and that they depend only on the position.

use crate::CASTELLAN;
use std::path::Path;
use test_common::{
    TempDir,
    positions::{CHECKMATE, MATE_IN_ONE, STALEMATE, START, mate_suite},
};

use serde_json::{Value, json};

fn analyzed(arguments: &[&str]) -> Vec<Value> {
    let finished = CASTELLAN.run(&[&["analyze", "--json"], arguments].concat(), "");
    let results = finished.json();
    finished.success();
    results
}

#[test]
fn a_mate_has_all_fields() {
    let mut results = analyzed(&[MATE_IN_ONE, "--depth", "4"]);
    let result = &mut results[0];
    let taken = result.as_object_mut().expect("an object");
    for name in ["nodes", "time", "depth", "seldepth"] {
        assert!(
            taken.remove(name).is_some_and(|value| value.is_u64()),
            "{name}"
        );
    }
    let expected = json!({
        "line": 1, "id": null, "fen": MATE_IN_ONE, "bestmove": "a1a8",
        "score": {"mate": 1}, "wdl": [1000, 0, 0],
        "pv": ["a1a8"], "san": ["Ra8#"], "error": null,
    });
    assert_eq!(*result, expected);
}

#[test]
fn positions_without_legal_moves_have_results() {
    let results = analyzed(&[CHECKMATE, STALEMATE]);
    for (result, score, wdl) in [
        (&results[0], json!({"mate": 0}), json!([0, 0, 1000])),
        (&results[1], json!({"cp": 0}), json!([0, 1000, 0])),
    ] {
        assert_eq!(result["bestmove"], Value::Null);
        assert_eq!((&result["score"], &result["wdl"]), (&score, &wdl));
        assert_eq!(
            (&result["pv"], &result["error"]),
            (&json!([]), &Value::Null)
        );
    }
}

#[test]
fn text_output_has_a_line_per_variation() {
    let arguments = [
        "analyse",
        MATE_IN_ONE,
        STALEMATE,
        "--depth",
        "2",
        "--no-time",
    ];
    let stdout = CASTELLAN.run(&arguments, "").success();
    let lines: Vec<&str> = stdout.lines().collect();
    let [mate, stalemate] = lines[..] else {
        panic!("{stdout}");
    };
    assert!(mate.starts_with("1: mate 1 wdl 1000 0 0 depth "), "{mate}");
    assert!(mate.ends_with(" pv Ra8#"), "{mate}");
    assert_eq!(stalemate, "2: cp 0 wdl 0 1000 0 depth 0 nodes 0 pv");
    let several = ["analyze", START, "--depth", "3", "--multipv", "3"];
    assert_eq!(CASTELLAN.run(&several, "").success().lines().count(), 3);
}

#[test]
fn multipv_lines_have_different_moves_and_descending_scores() {
    let results = analyzed(&[START, "--depth", "5", "--multipv", "4"]);
    let lines = results[0]["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["pv"], results[0]["pv"]);
    let scores: Vec<i64> = lines
        .iter()
        .filter_map(|line| line["score"]["cp"].as_i64())
        .collect();
    assert_eq!(scores.len(), 4, "{lines:?}");
    assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
    let mut first: Vec<String> = lines.iter().map(|line| line["pv"][0].to_string()).collect();
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 4, "{first:?}");
    // No more than there are legal moves.
    let only = analyzed(&[
        "7k/8/8/8/8/8/5q2/7K b - - 0 1",
        "--depth",
        "2",
        "--multipv",
        "218",
    ]);
    let count = only[0]["lines"].as_array().map(Vec::len);
    assert_eq!(count, Some(26), "a queen on f2 and a king on h8");
}

#[test]
fn results_depend_neither_on_jobs_nor_on_other_positions() {
    let dir = TempDir::new("jobs");
    let text = mate_suite(60);
    let file = dir.write("suite.epd", &text);
    let common = [
        "analyze",
        "--json",
        "--no-time",
        "--nodes",
        "3000",
        "--multipv",
        "2",
    ];
    let with = |jobs: &str| {
        let arguments = [&common[..], &["--file", &file, "--jobs", jobs]].concat();
        CASTELLAN.run(&arguments, "").success()
    };
    let one = with("1");
    assert_eq!(one.lines().count(), 60);
    assert_eq!(with("2"), one);
    assert_eq!(with("5"), one);
    // The last position alone.
    let last = text.lines().last().expect("a line");
    let alone = CASTELLAN
        .run(&[&common[..], &[last]].concat(), "")
        .success();
    let of_many = one.lines().last().expect("an result");
    let behind = |result: &str| {
        result
            .split_once("\"id\"")
            .map(|(_, rest)| rest.trim().to_owned())
    };
    assert_eq!(behind(&alone), behind(of_many));
}

#[test]
fn node_and_depth_limits_are_respected() {
    for result in analyzed(&[START, "--nodes", "1000"]) {
        assert!(
            result["nodes"].as_u64().is_some_and(|nodes| nodes <= 1000),
            "{result}"
        );
    }
    for result in analyzed(&[START, "--depth", "3"]) {
        assert_eq!(result["depth"], 3);
    }
    assert_eq!(analyzed(&[START, "--movetime", "30"]).len(), 1);
}

#[test]
fn moves_behind_a_position_and_chess960() {
    let moved = analyzed(&["startpos moves e2e4 e7e5", "--depth", "1"]);
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(moved[0]["fen"], after);
    let moved = analyzed(&[&format!("{START} moves e2e4 e7e5"), "--depth", "1"]);
    assert_eq!(moved[0]["fen"], after);
    // Castling is king takes rook.
    let corner = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
    for option in ["--chess960", "--option=UCI_Chess960=true"] {
        let castled = analyzed(&[&format!("{corner} moves f1g1"), option, "--depth", "1"]);
        assert_eq!(castled[0]["fen"], "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }
}

#[test]
fn uci_options_are_set_or_rejected() {
    let results = analyzed(&[
        START,
        "--depth",
        "2",
        "--option",
        "hash=2",
        "--threads",
        "2",
    ]);
    assert_eq!(results.len(), 1);
    for (option, word) in [
        ("Hash", "NAME=VALUE"),
        ("Hash=0", "expected 1 to"),
        ("Hahs=1", "'Hahs'"),
        ("OwnBook=true", "OwnBook has no effect"),
    ] {
        let stderr = CASTELLAN.run_failing(&["analyze", START, "--option", option], 2);
        assert!(stderr.contains(word), "{stderr}");
    }
    let stderr = CASTELLAN.run_failing(&["analyze", START, "--option", "EvalFile=/nowhere.net"], 1);
    assert!(stderr.contains("/nowhere.net"), "{stderr}");
}

#[test]
fn tablebases_are_used_where_found() {
    let house = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tables = house.join("tests/data/syzygy").display().to_string();
    // Won, but beyond depth 1.
    let won = "8/8/8/3k4/8/8/8/4K2R w - - 0 1";
    let score = |options: &[&str]| {
        let results = analyzed(&[&[won, "--depth", "1"], options].concat());
        results[0]["score"]["cp"].as_i64().expect("no mate yet")
    };
    let path = format!("SyzygyPath={tables}");
    let with = score(&["--option", &path]);
    assert!(with > 15_000, "{with}");
    assert!(score(&[]) < with);
    assert!(score(&["--option", &path, "--option", "SyzygyProbeLimit=2"]) < with);
    let nowhere = CASTELLAN.run(
        &[
            "analyze",
            won,
            "--depth",
            "1",
            "--option",
            "SyzygyPath=/nowhere",
        ],
        "",
    );
    assert_eq!((nowhere.code, nowhere.stdout.lines().count()), (Some(0), 1));
    assert!(nowhere.stderr.contains("/nowhere"), "{}", nowhere.stderr);
}

#[test]
fn invalid_arguments_are_usage_errors() {
    for arguments in [
        &["--depth", "0"][..],
        &["--nodes", "0"],
        &["--nodes", "many"],
        &["--movetime", "0"],
        &["--multipv", "0"],
        &["--jobs", "0"],
        &["--threads", "0"],
        &["--hash", "0"],
        &["--resume"],
        &["--out", "x", "--resume"],
        &["--file", "a", START],
    ] {
        CASTELLAN.run_failing(&[&["analyze"], arguments].concat(), 2);
    }
}
