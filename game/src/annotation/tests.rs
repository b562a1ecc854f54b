//! Annotations of games with given evaluations.

use movegen::{Move, Position};
use test_common::game_after;

use super::{Evaluation, GameReport, MAX_LINE_MOVES, annotate};
use formats::pgn::{Eval, MoveNode, Nag, Record, Variation};

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
    let (record, _) = annotated("e4 e5 Ke2 Ke7", &values);
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
    assert!(report.white.acpl.is_none() && !record.pgn().contains("ACPL"));
}

#[test]
fn existing_annotations_are_kept() {
    let mut record = record("e4 e5");
    record.tags.set("Annotator", "Tal");
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
    assert_eq!(record.tags.get("Annotator"), Some("Tal"));
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
