//! Annotations of games with given evaluations, and the page of such a game.

use std::time::Duration;

use movegen::{Move, Position};
use serde_json::json;
use test_common::game_after;

use super::page::page;
use formats::pgn::{Eval, MoveNode, Nag, Record, Variation};
use game::annotation::{Evaluation, GameReport, Heading, MAX_LINE_MOVES, annotate};

fn moves(start: Position, text: &str) -> Vec<Move> {
    game_after(&start.fen(), text).moves().collect()
}

fn record(text: &str) -> Record {
    let start = Position::default();
    Record {
        main_line: Variation::new(moves(start, text)),
        ..Record::new(start)
    }
}

/// Evaluations: centipawns, White's expected score and the best line of each position.
fn evaluations(record: &Record, values: &[(i32, f64, &str)]) -> Vec<Evaluation> {
    let mut position = record.start;
    let mut played = record.moves();
    let values = values.iter().map(|&(centipawns, expectation, line)| {
        let line = moves(position, line);
        if let Some(mv) = played.next() {
            position = position.play_unchecked(mv);
        }
        Evaluation {
            eval: Some(Eval::Centipawns(centipawns)),
            expectation,
            line,
        }
    });
    values.collect()
}

/// Annotates a game of these moves.
fn annotated(text: &str, values: &[(i32, f64, &str)]) -> (Record, GameReport) {
    let mut record = record(text);
    let evaluations = evaluations(&record, values);
    let report = annotate(&mut record, &evaluations);
    (record, report)
}

fn nags(node: &MoveNode) -> Vec<u8> {
    node.nags.iter().map(|nag| nag.0).collect()
}

#[test]
fn losses_are_assessed_and_better_lines_added() {
    let values = [
        (20, 0.52, "e4 e5 Nf3"),
        (25, 0.53, "c5 Nf3"),
        (20, 0.52, "Nf3 Nc6"),
        (-80, 0.3, "Nf6"),
        (300, 0.95, "d4"),
    ];
    let (record, report) = annotated("e4 e5 Ke2 Ke7", &values);
    assert_eq!(report.losses.len(), 4);
    let text = record.pgn().replace("\n{", " {").replace("\n)", " )");
    // Neither the best move nor a move that gains loses anything. ACPL: (0 + 100) / 2 and
    // (0 + 380) / 2. The accuracies are those of the published formulas, computed apart.
    for expected in [
        "1. e4 {[%eval 0.25]} 1... e5 {[%eval 0.20]}",
        "2. Ke2 $6 {[%eval -0.80]} (2. Nf3 {[%eval 0.20]} 2... Nc6)",
        "2... Ke7 $4",
        "{[%eval 3.00]} (2... Nf6 {[%eval -0.80]})",
        "[WhiteACPL \"50\"]\n",
        "[BlackACPL \"190\"]\n",
        "[WhiteAccuracy \"74.5\"]\n",
        "[BlackAccuracy \"30.6\"]\n",
        "[Annotator \"Castellan ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // A game without moves has no annotations.
    let (record, report) = annotated("", &[(20, 0.52, "e4")]);
    assert!(report.losses.is_empty() && !record.pgn().contains("ACPL"));
}

#[test]
fn existing_annotations_are_kept() {
    let mut record = record("e4 e5");
    let first = &mut record.main_line.moves[0];
    first.nags = vec![Nag(1), Nag(14)];
    first.comment.text = "best by test".to_owned();
    first.comment.eval = Some(Eval::Centipawns(999));
    first.variations = vec![Variation::new(moves(Position::default(), "d4"))];
    let values = [(20, 0.6, "d4 d5"), (-90, 0.1, "e5"), (-90, 0.1, "d4")];
    let evaluations = evaluations(&record, &values);
    annotate(&mut record, &evaluations);
    let first = &record.main_line.moves[0];
    assert_eq!(nags(first), [1, 14]);
    assert_eq!(first.comment.text, "best by test");
    assert_eq!(first.comment.eval, Some(Eval::Centipawns(-90)));
    assert_eq!(first.variations.len(), 1, "the same line is not added");
    let once = record.clone();
    annotate(&mut record, &evaluations);
    assert_eq!(record, once, "annotating again changes nothing");
}

#[test]
fn limits() {
    // From a mate for White to a mate for Black: the largest loss.
    let mut game = record("e4");
    let mut values = evaluations(&game, &[(0, 1.0, "d4"), (0, 0.0, "d5")]);
    values[0].eval = Some(Eval::Mate(5));
    values[1].eval = Some(Eval::Mate(-1));
    let GameReport { white, black, .. } = annotate(&mut game, &values);
    assert_eq!((white.acpl, white.accuracy), (Some(2000), Some(0.5)));
    assert_eq!((black.acpl, black.accuracy), (None, None));
    assert_eq!(game.tags.get("BlackACPL"), None);
    // A long line is cut.
    let line = "d4 d5 Nf3 Nf6 e3 e6 Be2 Be7 O-O O-O b3 b6 Bb2 Bb7";
    let (game, _) = annotated("e4", &[(200, 0.9, line), (0, 0.5, "d5")]);
    let better = &game.main_line.moves[0].variations[0];
    assert_eq!(better.moves.len(), MAX_LINE_MOVES);
}

fn page_of(moves: &str) -> String {
    let mut record = record(moves);
    // Each move loses what the one before gained.
    let values: Vec<_> = (0..=record.moves().len())
        .map(|ply| {
            if ply % 2 == 0 {
                (300, 0.8, "")
            } else {
                (-300, 0.2, "")
            }
        })
        .collect();
    let evaluations = evaluations(&record, &values);
    let report = annotate(&mut record, &evaluations);
    let heading = Heading::new(&record);
    page(&record, &heading, &evaluations, &report).expect("a page")
}

/// The data that a page contains.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("the data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn the_data_of_a_page_has_positions_and_key_moments() {
    let data = data(&page_of("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"));
    assert_eq!(data["nodes"].as_array().map(Vec::len), Some(8));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let end = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    for (path, expected) in [
        ("/nodes/0/fen", json!(start)),
        ("/nodes/7/fen", json!(end)),
        ("/nodes/7/squares", json!(["e1", "g1"])),
        ("/nodes/2/number", json!("1...")),
        ("/nodes/1/mark", json!("??")),
        ("/nodes/1/points", json!(0.2)),
        // At most six.
        ("/moments", json!([1, 2, 3, 4, 5, 6])),
        ("/heading/event", json!("")),
        ("/white/blunders", json!(4)),
    ] {
        assert_eq!(data.pointer(path), Some(&expected), "{path}");
    }
}

#[test]
fn lines_and_variations_have_positions_of_their_own() {
    let mut record = record("e4 e5");
    let step = &mut record.main_line.moves[1];
    step.comment.clock = Some(Duration::from_secs(61));
    step.comment.text = "see [%csl Re5] here".to_owned();
    let mut variation = Variation::new(moves(record.start, "e4 c5 Nf3").split_off(1));
    variation.moves[1].variations = vec![Variation::new(
        moves(record.start, "e4 c5 Nc3").split_off(2),
    )];
    step.variations = vec![variation];
    let values = [(20, 0.5, "e4 e5"), (20, 0.5, "c5 c3"), (90, 0.9, "Nf3")];
    let evaluations = evaluations(&record, &values);
    let report = annotate(&mut record, &evaluations);
    let heading = Heading::new(&record);
    let page = page(&record, &heading, &evaluations, &report).expect("a page");
    let data = data(&page);
    let after_c3 = "rnbqkbnr/pp1ppppp/8/2p5/4P3/2P5/PP1P1PPP/RNBQKBNR b KQkq - 0 2";
    for (path, expected) in [
        ("/nodes/1/line/1/fen", json!(after_c3)),
        ("/nodes/1/line/1/san", json!("c3")),
        ("/nodes/2/clock", json!("0:01:01")),
        ("/nodes/2/comment", json!("see here")),
        ("/nodes/2/variations/0/engine", json!(false)),
        ("/nodes/2/variations/0/moves/1/san", json!("Nf3")),
        (
            "/nodes/2/variations/0/moves/1/variations/0/moves/0/squares",
            json!(["b1", "c3"]),
        ),
    ] {
        assert_eq!(data.pointer(path), Some(&expected), "{path}");
    }
}
