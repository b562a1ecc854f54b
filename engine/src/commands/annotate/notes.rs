//! Annotations from evaluations: what a move loses, its assessment, the better line, and each
//! side's accuracy.

use movegen::{Color, Move, Position};

use super::evaluate::Evaluation;
use crate::NAME;
use crate::formats::pgn::{Eval, Nag, Record, Variation};
use crate::notation;

/// The losses of expected score from which a move gets an assessment.
const DUBIOUS: f64 = 0.1;
const MISTAKE: f64 = 0.2;
const BLUNDER: f64 = 0.3;

/// Evaluations are limited to this, so that the average loss is not dominated by one blunder.
const MAX_CENTIPAWNS: i32 = 1000;

/// A move's accuracy is the share of the expected score that it keeps, to this power.
const ACCURACY_EXPONENT: i32 = 4;

/// The length at which a better line is cut.
pub(super) const MAX_LINE_MOVES: usize = 10;

/// What a move costs its side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Loss {
    /// Expected score, from 0 to 1.
    pub(super) points: f64,
    centipawns: i32,
}

/// The quality of one side's play.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SideReport {
    moves: u32,
    centipawns: i64,
    accuracy: f64,
}

impl SideReport {
    fn add(&mut self, loss: Loss) {
        self.moves += 1;
        self.centipawns += i64::from(loss.centipawns);
        self.accuracy += 100.0 * (1.0 - loss.points).powi(ACCURACY_EXPONENT);
    }

    /// Returns the average centipawn loss (ACPL); `None` without moves.
    pub(super) fn acpl(&self) -> Option<i64> {
        let moves = i64::from(self.moves);
        (moves > 0).then(|| (self.centipawns + moves / 2) / moves)
    }

    /// Returns the mean accuracy of the moves in percent; `None` without moves.
    pub(super) fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / f64::from(self.moves))
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Report {
    pub(super) losses: Vec<Loss>,
    pub(super) white: SideReport,
    pub(super) black: SideReport,
}

/// Annotates a game from the evaluations of its positions, one more than it has moves.
pub(super) fn annotate(record: &mut Record, evaluations: &[Evaluation]) -> Report {
    let mut report = Report::default();
    let mut position = record.start;
    let values = evaluations.iter().zip(evaluations.iter().skip(1));
    for (node, (before, after)) in record.main_line.moves.iter_mut().zip(values) {
        let best = before.line.first() == Some(&node.mv);
        let loss = match best {
            // The best move loses nothing, even if the next search values it lower.
            true => Loss::default(),
            false => loss(position.side_to_move(), before, after),
        };
        let side = match position.side_to_move() {
            Color::White => &mut report.white,
            Color::Black => &mut report.black,
        };
        side.add(loss);
        report.losses.push(loss);
        node.comment.eval = after.eval;
        if let Some(nag) = assessment(loss) {
            // An existing assessment is kept.
            if !node.nags.iter().any(|nag| nag.is_move_assessment()) {
                node.nags.push(nag);
            }
            let known = node.variations.iter().any(|line| {
                let first = line.moves.first().map(|node| node.mv);
                first == before.line.first().copied()
            });
            if !known {
                node.variations.extend(better_line(before, &position));
            }
        }
        position = position.play_unchecked(node.mv);
    }
    write_tags(record, &report);
    report
}

fn loss(mover: Color, before: &Evaluation, after: &Evaluation) -> Loss {
    let sign = match mover {
        Color::White => 1,
        Color::Black => -1,
    };
    let points = f64::from(sign) * (before.expectation - after.expectation);
    let centipawns = sign * (centipawns(before) - centipawns(after));
    Loss {
        points: points.clamp(0.0, 1.0),
        centipawns: centipawns.max(0),
    }
}

/// Returns the centipawns for White, limited.
fn centipawns(evaluation: &Evaluation) -> i32 {
    match evaluation.eval {
        Some(Eval::Centipawns(value)) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        Some(Eval::Mate(moves)) => MAX_CENTIPAWNS * moves.signum(),
        None if evaluation.expectation > 0.5 => MAX_CENTIPAWNS,
        None => -MAX_CENTIPAWNS,
    }
}

/// Returns the assessment of a move with this loss.
pub(super) fn assessment(loss: Loss) -> Option<Nag> {
    [
        (BLUNDER, Nag::BLUNDER),
        (MISTAKE, Nag::MISTAKE),
        (DUBIOUS, Nag::DUBIOUS),
    ]
    .into_iter()
    .find_map(|(least, nag)| (loss.points >= least).then_some(nag))
}

/// Returns the principal variation with its evaluation.
fn better_line(before: &Evaluation, position: &Position) -> Option<Variation> {
    let mut line = Variation::new(shown_moves(before, position));
    line.moves.first_mut()?.comment.eval = before.eval;
    Some(line)
}

/// Returns the moves of the principal variation, cut to the length that is shown.
pub(super) fn shown_moves(evaluation: &Evaluation, start: &Position) -> impl Iterator<Item = Move> {
    let moves = evaluation.line.iter().copied().take(MAX_LINE_MOVES);
    notation::legal_moves(start, moves).map(|(_, mv)| mv)
}

fn write_tags(record: &mut Record, report: &Report) {
    record.tags.set("Annotator", NAME);
    for (side, report) in [("White", &report.white), ("Black", &report.black)] {
        if let (Some(loss), Some(accuracy)) = (report.acpl(), report.accuracy()) {
            record.tags.set(&format!("{side}ACPL"), loss.to_string());
            record
                .tags
                .set(&format!("{side}Accuracy"), format!("{accuracy:.1}"));
        }
    }
}
