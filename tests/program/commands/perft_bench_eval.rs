//! `castellan perft`, `bench` and `eval`, as text and in JSON.

use super::{CASTELLAN, fails};
use serde_json::{Value, json};
use test_common::{
    TempDir,
    positions::{CHECKMATE, START},
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn stdout(arguments: &[&str]) -> String {
    CASTELLAN.run(arguments, "").success()
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("an object")
}

fn sum(list: &Value) -> u64 {
    let list = list.as_array().expect("a list");
    list.iter()
        .filter_map(|entry| entry["nodes"].as_u64())
        .sum()
}

/// Compares with published counts.
#[test]
fn perft_counts() {
    for (arguments, moves, nodes) in [
        (&["perft", "4"][..], 20, 197_281_u64),
        (&["perft", "3", KIWIPETE, "--threads", "2"], 48, 97_862),
        (&["perft", "1", "startpos", "moves", "e2e4"], 20, 20),
        (&["perft", "1", "moves", "1.", "e4", "e5"], 29, 29),
        (&["perft", "1", "8/8/8/8/8/5k2/4p3/4K3 b - - bm Kg2;"], 6, 6),
        (&["perft", "0", KIWIPETE], 0, 1),
    ] {
        let text = stdout(arguments);
        assert!(
            text.ends_with(&format!("\nNodes searched: {nodes}\n")),
            "{text}"
        );
        assert_eq!(text.lines().count(), moves + 2);
        let json = object(&[arguments, &["--json"]].concat());
        assert_eq!(
            (&json["nodes"], json["moves"].as_array().map(Vec::len)),
            (&json!(nodes), Some(moves))
        );
        if arguments[1] != "0" {
            assert_eq!(sum(&json["moves"]), nodes);
        }
    }
    let castling = object(&[
        "perft",
        "1",
        "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
        "--chess960",
        "--json",
    ]);
    let moves = castling["moves"].as_array().expect("moves");
    let castles: Vec<&Value> = moves.iter().filter(|mv| mv["san"] == "O-O").collect();
    assert_eq!(castles, [&json!({"uci": "f1g1", "san": "O-O", "nodes": 1})]);
}

#[test]
fn the_bench_prints_the_same_in_json() {
    let text = stdout(&["bench", "3"]);
    let json = object(&["bench", "3", "--json"]);
    assert!(
        text.contains(&format!("\n{} nodes\n", json["nodes"])),
        "{text}"
    );
    assert_eq!(json["depth"], 3);
    assert_eq!(json!(sum(&json["positions"])), json["nodes"]);
    let positions = json["positions"].as_array().map_or(0, Vec::len);
    assert_eq!(positions + 2, text.lines().count());
    assert!(json["nps"].is_u64());
}

#[test]
fn the_evaluation_is_symmetric() {
    let white = object(&["eval", "--json", START]);
    assert_eq!(white["fen"], START);
    assert_eq!(white["value"]["white"], white["value"]["side_to_move"]);
    let black = object(&["eval", "--json", &START.replace(" w ", " b ")]);
    assert_eq!(
        black["value"]["side_to_move"],
        white["value"]["side_to_move"]
    );
    let value = |json: &Value, name: &str| json["value"][name].as_i64().expect("a number");
    assert_eq!(value(&black, "white"), -value(&black, "side_to_move"));
    assert_eq!(white["pieces"].as_array().map(Vec::len), Some(32));
    let kings = white["pieces"].as_array().into_iter().flatten();
    let without: Vec<&Value> = kings.filter(|piece| piece["worth"].is_null()).collect();
    assert_eq!(
        without,
        [
            &json!({"square": "e1", "piece": "K", "worth": null}),
            &json!({"square": "e8", "piece": "k", "worth": null})
        ]
    );
    let text = stdout(&["eval"]);
    assert!(
        text.contains(" for White, to move") && text.contains('Q'),
        "{text}"
    );
    assert_eq!(object(&["eval", "--json", CHECKMATE])["in_check"], true);
}

#[test]
fn invalid_arguments_are_errors() {
    let dir = TempDir::new("counts");
    let no_net = dir.write("no.net", "not a network");
    for (line, word) in [
        ("perft 2 8/8/8/8/8/8/8/8", "king"),
        ("perft 2 startpos moves e2e5", "e2e5"),
        ("eval nothing", "'nothing'"),
        ("eval Cargo.toml", "'Cargo.toml' is a file; expected a FEN"),
        ("eval --net /nowhere", "/nowhere"),
    ] {
        fails(line, &[], 1, word);
    }
    fails("eval --net", &[&no_net], 1, "no.net");
    let long = "8/".repeat(30_000);
    assert!(
        CASTELLAN.run_failing(&["eval", &long], 1).len() < 400,
        "it is short"
    );
}
