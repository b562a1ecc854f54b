//! Annotations from evaluations: what a move loses, its assessment, the better line, and each
//! side's accuracy.

use movegen::{Color, Move, Position};
use serde::{Deserialize, Serialize};

use super::accuracy;
use super::evaluate::Evaluation;
use crate::NAME;
use crate::notation;
use crate::pgn::{Eval, Nag, Record, Variation};

/// The losses of expected score from which a move gets an assessment.
const DUBIOUS: f64 = 0.1;
const MISTAKE: f64 = 0.2;
const BLUNDER: f64 = 0.3;

/// Evaluations are limited to this, so that the average loss is not dominated by one blunder.
const MAX_CENTIPAWNS: i32 = 1000;

/// The length at which a better line is cut.
pub const MAX_LINE_MOVES: usize = 10;

/// The cost of a move to its side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// Expected score, from 0 to 1.
    pub points: f64,
    centipawns: i32,
    /// In percent.
    accuracy: f64,
}

impl Loss {
    const NONE: Loss = Loss {
        points: 0.0,
        centipawns: 0,
        accuracy: 100.0,
    };
}

/// The quality of one side's play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SideReport {
    #[serde(skip)]
    moves: u32,
    #[serde(skip)]
    centipawns: i64,
    /// The average centipawn loss (ACPL); `None` without moves.
    pub acpl: Option<i64>,
    /// In percent; `None` without moves.
    pub accuracy: Option<f64>,
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
}

impl SideReport {
    fn add(&mut self, loss: Loss) {
        self.moves += 1;
        self.centipawns += i64::from(loss.centipawns);
        let moves = i64::from(self.moves);
        self.acpl = Some((self.centipawns + moves / 2) / moves);
        match assessment(loss) {
            Some(Nag::DUBIOUS) => self.inaccuracies += 1,
            Some(Nag::MISTAKE) => self.mistakes += 1,
            Some(Nag::BLUNDER) => self.blunders += 1,
            _ => {}
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameReport {
    pub losses: Vec<Loss>,
    pub white: SideReport,
    pub black: SideReport,
}

impl GameReport {
    /// The plies of the moves that decided the game: those that cost their sides most, at most this
    /// many, in the order of the game. Moves without an assessment are none of them.
    pub fn decisive(&self, count: usize) -> Vec<usize> {
        let losses = self.losses.iter().copied().enumerate();
        let mut costly: Vec<(usize, Loss)> = losses
            .filter(|(_, loss)| assessment(*loss).is_some())
            .collect();
        costly.sort_by(|(_, one), (_, other)| other.points.total_cmp(&one.points));
        let mut plies: Vec<usize> = costly.into_iter().take(count).map(|(ply, _)| ply).collect();
        plies.sort_unstable();
        plies
    }
}

/// Annotates a game from the evaluations of its positions, one more than it has moves.
pub fn annotate(record: &mut Record, evaluations: &[Evaluation]) -> GameReport {
    let mut report = GameReport::default();
    let mut accuracies = Vec::new();
    let mut position = record.start;
    let values = evaluations.iter().zip(evaluations.iter().skip(1));
    for (node, (before, after)) in record.main_line.moves.iter_mut().zip(values) {
        let loss = move_loss(position.side_to_move(), node.mv, before, after);
        let side = match position.side_to_move() {
            Color::White => &mut report.white,
            Color::Black => &mut report.black,
        };
        side.add(loss);
        accuracies.push((position.side_to_move(), loss.accuracy));
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
    let percents: Vec<f64> = evaluations
        .iter()
        .map(|evaluation| accuracy::win_percent(centipawns(evaluation)))
        .collect();
    for (color, side) in [
        (Color::White, &mut report.white),
        (Color::Black, &mut report.black),
    ] {
        side.accuracy = accuracy::game_accuracy(color, &percents, &accuracies);
    }
    write_tags(record, &report);
    report
}

/// The cost of a move to its side, given the evaluations before and after it. The best move loses
/// nothing, even if the next search values it lower.
pub fn move_loss(mover: Color, mv: Move, before: &Evaluation, after: &Evaluation) -> Loss {
    if before.line.first() == Some(&mv) {
        return Loss::NONE;
    }
    let sign = match mover {
        Color::White => 1,
        Color::Black => -1,
    };
    let points = f64::from(sign) * (before.expectation - after.expectation);
    let (before, after) = (sign * centipawns(before), sign * centipawns(after));
    Loss {
        points: points.clamp(0.0, 1.0),
        centipawns: (before - after).max(0),
        accuracy: accuracy::move_accuracy(
            accuracy::win_percent(before),
            accuracy::win_percent(after),
        ),
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
pub fn assessment(loss: Loss) -> Option<Nag> {
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
pub fn shown_moves(evaluation: &Evaluation, start: &Position) -> impl Iterator<Item = Move> {
    let moves = evaluation.line.iter().copied().take(MAX_LINE_MOVES);
    notation::legal_moves(start, moves).map(|(_, mv)| mv)
}

fn write_tags(record: &mut Record, report: &GameReport) {
    record.tags.set("Annotator", NAME);
    for (side, report) in [("White", &report.white), ("Black", &report.black)] {
        if let (Some(loss), Some(accuracy)) = (report.acpl, report.accuracy) {
            record.tags.set(&format!("{side}ACPL"), loss.to_string());
            record
                .tags
                .set(&format!("{side}Accuracy"), format!("{accuracy:.1}"));
        }
    }
}
