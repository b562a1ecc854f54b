//! Annotations of games with given evaluations.

use movegen::{Game, Position, Variant};

use super::{MAX_LINE_MOVES, annotate};
use crate::commands::annotate::evaluate::Evaluation;
use crate::formats::pgn::{Eval, GameResult, MoveNode, Nag, Record, Variation};

fn record(moves: &str) -> Record {
    let mut game = Game::default();
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_san(text).expect(text);
        game.push(mv).expect("legal");
    }
    Record {
        main_line: Variation::new(game.moves()),
        result: GameResult::Unknown,
        ..Record::new(Position::default(), Variant::Standard)
    }
}

/// Evaluations: centipawns, White's expected score and the best line of each position.
fn evaluations(record: &Record, values: &[(i32, f64, &str)]) -> Vec<Evaluation> {
    let mut position = record.start;
    let mut moves = record.moves();
    let values = values.iter().map(|&(centipawns, expectation, line)| {
        let mut game = Game::new(position);
        for text in line.split_whitespace() {
            let mv = game.position().move_from_san(text).expect(text);
            game.push(mv).expect("legal");
        }
        if let Some(mv) = moves.next() {
            position = position.play_unchecked(mv);
        }
        Evaluation {
            eval: Some(Eval::Centipawns(centipawns)),
            expectation,
            line: game.moves().collect(),
        }
    });
    values.collect()
}

fn marks(step: &MoveNode) -> Vec<u8> {
    step.nags.iter().map(|mark| mark.0).collect()
}

#[test]
fn losses_are_assessed_and_better_lines_added() {
    let mut record = record("e4 e5 Ke2 Ke7");
    let evaluations = evaluations(
        &record,
        &[
            (20, 0.52, "e4 e5 Nf3"),
            (25, 0.53, "c5 Nf3"),
            (20, 0.52, "Nf3 Nc6"),
            (-80, 0.3, "Nf6"),
            (300, 0.95, "d4"),
        ],
    );
    let report = annotate(&mut record, &evaluations);
    let steps = &record.main_line.moves;
    // Neither the best move nor a move that gains loses anything.
    assert_eq!(
        steps.iter().map(marks).collect::<Vec<_>>(),
        [vec![], vec![], vec![2], vec![4]]
    );
    let evals: Vec<Option<Eval>> = steps.iter().map(|step| step.comment.eval).collect();
    assert_eq!(
        evals,
        [25, 20, -80, 300].map(|value| Some(Eval::Centipawns(value)))
    );
    let text = record.pgn().replace("\n{", " {").replace("\n)", " )");
    assert!(
        text.contains("2. Ke2 $2 {[%eval -0.80]} (2. Nf3 {[%eval 0.20]} 2... Nc6)"),
        "{text}"
    );
    assert!(text.contains("(2... Nf6 {[%eval -0.80]})"), "{text}");
    // ACPL: (0 + 100) / 2 and (0 + 380) / 2.
    assert!(text.contains("[WhiteACPL \"50\"]\n"), "{text}");
    assert!(text.contains("[BlackACPL \"190\"]\n"), "{text}");
    assert!(text.contains("[WhiteAccuracy \"68.5\"]\n"), "{text}");
    assert!(text.contains("[BlackAccuracy \"50.8\"]\n"), "{text}");
    assert!(text.contains("[Annotator \"Castellan "), "{text}");
    assert_eq!(report.losses.len(), 4);
}

#[test]
fn existing_annotations_are_kept() {
    let mut record = record("e4 e5");
    let first = &mut record.main_line.moves[0];
    first.nags = vec![Nag(1), Nag(14)];
    first.comment.text = "best by test".to_owned();
    first.comment.eval = Some(Eval::Centipawns(999));
    let better = Position::default().move_from_san("d4").expect("legal");
    first.variations = vec![Variation::new([better])];
    let evaluations = evaluations(
        &record,
        &[(20, 0.6, "d4 d5"), (-90, 0.1, "e5"), (-90, 0.1, "d4")],
    );
    annotate(&mut record, &evaluations);
    let once = record.clone();
    let first = &record.main_line.moves[0];
    assert_eq!(marks(first), [1, 14]);
    assert_eq!(first.comment.text, "best by test");
    assert_eq!(first.comment.eval, Some(Eval::Centipawns(-90)));
    assert_eq!(
        first.variations.len(),
        1,
        "the same line is not added again"
    );
    annotate(&mut record, &evaluations);
    assert_eq!(record, once, "annotating again changes nothing");
}

#[test]
fn thresholds_and_limits() {
    for (lost, expected) in [
        (0.09, vec![]),
        (0.11, vec![6]),
        (0.21, vec![2]),
        (0.31, vec![4]),
    ] {
        let mut record = record("e4");
        let evaluations = evaluations(&record, &[(0, 0.5, "d4"), (0, 0.5 - lost, "d5")]);
        annotate(&mut record, &evaluations);
        assert_eq!(marks(&record.main_line.moves[0]), expected, "{lost}");
    }
    // From a mate for White to a mate for Black: the largest loss.
    let mut game = record("e4");
    let mut values = evaluations(&game, &[(0, 1.0, "d4"), (0, 0.0, "d5")]);
    values[0].eval = Some(Eval::Mate(5));
    values[1].eval = Some(Eval::Mate(-1));
    let report = annotate(&mut game, &values);
    assert_eq!(report.white.acpl(), Some(2000));
    assert_eq!(report.white.accuracy(), Some(0.0));
    assert_eq!((report.black.acpl(), report.black.accuracy()), (None, None));
    assert_eq!(game.tags.get("BlackACPL"), None);
    // A long line is cut.
    let moves = "d4 d5 Nf3 Nf6 e3 e6 Be2 Be7 O-O O-O b3 b6 Bb2 Bb7";
    let mut game = record("e4");
    let evaluations = evaluations(&game, &[(0, 0.9, moves), (0, 0.5, "d5")]);
    annotate(&mut game, &evaluations);
    assert_eq!(
        game.main_line.moves[0].variations[0].moves.len(),
        MAX_LINE_MOVES
    );
}

#[test]
fn a_game_without_moves_gets_no_annotations() {
    let mut game = record("");
    let evaluations = evaluations(&game, &[(20, 0.52, "e4")]);
    let report = annotate(&mut game, &evaluations);
    assert!(report.losses.is_empty());
    assert!(!game.pgn().contains("ACPL"));
}
