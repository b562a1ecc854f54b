use serde_json::Value;

use super::{Request, answer};
use crate::context::harness::json;
use test_common::positions::variants;

fn inspect(fen: &str, chess960: bool) -> Value {
    let fen = fen.to_owned();
    json(answer(&Request::Inspect {
        fen,
        chess960,
        moves: Vec::new(),
        free: false,
    }))
}

fn play(fen: &str, moves: &str, free: bool) -> Value {
    json(answer(&Request::Inspect {
        fen: fen.to_owned(),
        chess960: false,
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        free,
    }))
}

/// Without the checkbox a position is one of standard chess; what it drops is noted.
#[test]
fn an_unticked_box_means_standard_chess() {
    for [fen, _, _, rights] in variants() {
        let report = inspect(fen, false);
        let read = report["fen"].as_str().expect("a FEN");
        assert_eq!(
            (&report["chess960"], read.split(' ').nth(2)),
            (&Value::Bool(false), Some(rights)),
            "{fen}"
        );
        let named = fen.split(' ').nth(2).expect("castling").len();
        let notes = report["notes"].as_array().expect("notes").len();
        assert_eq!(notes, named - rights.trim_start_matches('-').len(), "{fen}");
    }
}

#[test]
fn in_free_mode_either_side_moves_and_the_rights_follow() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let report = play(fen, "", true);
    let count = |moves: &Value| moves.as_array().map(Vec::len);
    assert_eq!(count(&report["legal"]), count(&report["others"]));
    assert_eq!(count(&report["empty"]), Some(58));
    assert_eq!(play(fen, "h8h7", false)["type"], "error");
    let after = play(fen, "h8h7", true);
    assert_eq!(after["side_to_move"], "white");
    let effects = &after["played"]["effects"];
    assert_eq!(effects[0], "Black may no longer castle kingside.");
    assert!(
        after["fen"]
            .as_str()
            .is_some_and(|fen| fen.contains(" KQq "))
    );
    // Moves that were accepted before stay so.
    assert_eq!(play(fen, "h8h7 e1e2", false)["type"], "report");
}

#[test]
fn a_lost_right_comes_with_the_move_by_which_it_was() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let report = play(fen, "h1h8 e8e7 a1b1 e7d6", false);
    let reason = |color: usize, side: usize| {
        report["sides"][color]["castling"][side]["conditions"][0]["reason"].clone()
    };
    assert_eq!(reason(0, 0), "the rook has moved from h1 (1. Rxh8)");
    assert_eq!(reason(0, 1), "the rook has moved from a1 (2. Rb1)");
    assert_eq!(reason(1, 0), "the rook was captured on h8 (1. Rxh8)");
    assert_eq!(reason(1, 1), "the king has moved from e8 (1... Ke7)");
}

/// The numbers of the conditions that fail.
fn failed(side: &Value) -> Vec<usize> {
    let conditions = side["conditions"].as_array().expect("conditions");
    let numbered = (1..).zip(conditions);
    let failed = numbered.filter(|(_, condition)| !condition["reason"].is_null());
    failed.map(|(number, _)| number).collect()
}

#[test]
fn both_colors_are_explained() {
    let report = inspect("r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 7 9", false);
    assert_eq!(failed(&report["sides"][0]["castling"][1]), [4]);
    assert_eq!(report["sides"][1]["to_move"], false);
    assert_eq!(failed(&report["sides"][1]["castling"][0]), [] as [usize; 0]);
    let checked = inspect("r3k2r/8/8/8/8/8/4r3/R3K2R w KQkq - 0 1", false);
    let impossible = checked["sides"][1]["impossible"].as_str();
    assert_eq!(impossible, Some("White is in check and has to move first."));
}

#[test]
fn paths_and_attackers() {
    let report = inspect("4k3/8/8/8/8/5q2/8/4K2R w K - 0 1", false);
    let kingside = &report["sides"][0]["castling"][0];
    assert_eq!(kingside["king_path"], serde_json::json!(["f1", "g1"]));
    assert_eq!(kingside["rook"], serde_json::json!(["h1", "f1"]));
    assert_eq!(kingside["blockers"], serde_json::json!([]));
    let attackers = serde_json::json!([{ "square": "f1", "from": ["f3"] }]);
    assert_eq!(kingside["attackers"], attackers);
}

#[test]
fn what_a_move_changes() {
    let fen = "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 98 80";
    let moves = inspect(fen, false)["legal"]
        .as_array()
        .expect("moves")
        .clone();
    let of = |uci: &str| moves.iter().find(|mv| mv["uci"] == uci).expect(uci);
    assert_eq!(of("e1e2")["revokes"], "KQ");
    assert_eq!(
        (&of("h1h8")["revokes"], &of("h1h8")["resets"]),
        (&"Kk".into(), &true.into())
    );
    assert_eq!(
        (&of("a2a3")["revokes"], &of("a2a3")["resets"]),
        (&"".into(), &true.into())
    );

    let after = play(fen, "a1b1", false);
    let effects = [
        "White may no longer castle queenside.",
        "The halfmove clock is now 99.",
    ];
    assert_eq!(after["played"]["effects"], serde_json::json!(effects));
    assert_eq!(
        after["clock"]["text"],
        "A draw can be claimed after the next move."
    );
    for (plies, text) in [
        (6, "47 more moves of both sides"),
        (5, "95 more half-moves"),
    ] {
        let report = inspect(&format!("4k3/8/8/8/8/8/8/4K2R w K - {plies} 80"), false);
        let expected = format!("A draw can be claimed after {text}.");
        assert_eq!(report["clock"]["text"], expected);
    }
    let report = inspect("4k3/8/8/8/8/8/8/4K2R w K - 100 80", false);
    let text = report["clock"]["text"].as_str().expect("a text");
    assert!(text.contains("can claim a draw"), "{text}");
}

#[test]
fn wrong_positions_and_moves_are_explained() {
    let error = inspect("8/8/8/8/8/8/8/8 w - - 0 1", false);
    assert_eq!(error["type"], "error");
    let error = play("4k3/8/8/8/8/5q2/8/4K2R w K - 0 1", "e1g1", false);
    let text = error["text"].as_str().expect("a text");
    assert!(text.contains("f1 is attacked"), "{text}");
    // In Chess960 the rook may stand anywhere.
    let report = inspect("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", true);
    assert_eq!(report["sides"][0]["castling"][0]["uci"], "b1g1");
}
