//! Annotations from evaluations: what a move loses, its assessment, the better line, and each
//! side's accuracy.

use movegen::{Color, Position};

use super::accuracy;
use super::evaluate::{Evaluation, shown_moves};
use super::judgement::{Loss, white_centipawns};
use super::reason::BadMove;
use common::NAME;
use formats::pgn::{Nag, Record, Variation};

/// The quality of one side's play.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SideReport {
    moves: u32,
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
        match loss.assessment {
            Some(Nag::DUBIOUS) => self.inaccuracies += 1,
            Some(Nag::MISTAKE) => self.mistakes += 1,
            Some(Nag::BLUNDER) => self.blunders += 1,
            _ => {}
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameReport {
    pub white: SideReport,
    pub black: SideReport,
}

/// The moves that cost most of the winning chances, at most this many, in their order.
pub fn costliest<M: Ord>(losses: impl Iterator<Item = (M, f64)>, count: usize) -> Vec<M> {
    let mut losses: Vec<(M, f64)> = losses.collect();
    losses.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut moves: Vec<M> = losses.into_iter().take(count).map(|(mv, _)| mv).collect();
    moves.sort_unstable();
    moves
}

/// Annotates a game from the evaluations of its positions, one more than it has moves.
pub fn annotate(record: &mut Record, evaluations: &[Evaluation]) -> GameReport {
    let mut report = GameReport::default();
    let mut accuracies = Vec::new();
    let mut position = record.start;
    let mut captured_on = None;
    let values = evaluations.iter().zip(evaluations.iter().skip(1));
    for (node, (before, after)) in record.main_line.moves.iter_mut().zip(values) {
        let Some(mv) = node.mv else {
            continue;
        };
        let loss = Loss::new(position.side_to_move(), mv, before, after);
        let side = match position.side_to_move() {
            Color::White => &mut report.white,
            Color::Black => &mut report.black,
        };
        side.add(loss);
        accuracies.push((position.side_to_move(), loss.accuracy));
        node.comment.eval = after.eval;
        let bad = BadMove {
            position: &position,
            mv,
            captured_on,
            before,
            after,
        };
        let reason = loss.assessment.and_then(|_| bad.reason());
        if let Some(reason) = &reason {
            node.comment.add_sentence(&reason.to_string());
        }
        captured_on = position.is_capture(mv).then(|| mv.to());
        if let Some(nag) = loss.assessment {
            // An existing assessment is kept.
            if !node.nags.iter().any(|nag| nag.is_move_assessment()) {
                node.nags.push(nag);
            }
            let known = node.variations.iter().any(|line| {
                let first = line.moves.first().and_then(|node| node.mv);
                first == before.line.first().copied()
            });
            if !known {
                node.variations.extend(better_line(before, &position));
            }
        }
        position = position.play_unchecked(mv);
    }
    let percents: Vec<f64> = evaluations
        .iter()
        .map(|evaluation| accuracy::win_percent(white_centipawns(evaluation)))
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

/// Returns the principal variation with its evaluation.
fn better_line(before: &Evaluation, position: &Position) -> Option<Variation> {
    let mut line = Variation::new(shown_moves(before, position));
    line.moves.first_mut()?.comment.eval = before.eval;
    Some(line)
}

fn write_tags(record: &mut Record, report: &GameReport) {
    let annotator = record.tags.get("Annotator").unwrap_or_default();
    if matches!(annotator, "" | "?") || annotator.starts_with("Castellan ") {
        record.tags.set("Annotator", NAME);
    }
    for (side, report) in [("White", &report.white), ("Black", &report.black)] {
        if let (Some(loss), Some(accuracy)) = (report.acpl, report.accuracy) {
            record.tags.set(&format!("{side}ACPL"), loss.to_string());
            record
                .tags
                .set(&format!("{side}Accuracy"), format!("{accuracy:.1}"));
        }
    }
}
