//! From values to notes: what a move has lost, which marks it gets, what would have been better,
//! and how well each side has played.

use movegen::{Color, Position};

use super::judge::Judgement;
use crate::NAME;
use crate::formats::pgn::{Eval, Nag, Record, Variation};

/// Lost points, of the one that a game is about, from which a move is marked.
const DUBIOUS: f64 = 0.1;
const MISTAKE: f64 = 0.2;
const BLUNDER: f64 = 0.3;

/// No position counts for more centipawns than this, so that one blunder is not everything.
const MOST_CENTIPAWNS: i32 = 1000;

/// How steeply accuracy falls: the share of the points that a move has kept, to this power.
const STEEPNESS: i32 = 4;

/// Of what would have been better so many moves are shown.
const LONGEST_LINE: usize = 10;

/// What a move has cost its side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Loss {
    /// Of the one point a game is about.
    pub(super) points: f64,
    centipawns: i32,
}

/// How one side has played.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Play {
    moves: u32,
    centipawns: i64,
    accuracy: f64,
}

impl Play {
    fn add(&mut self, loss: Loss) {
        self.moves += 1;
        self.centipawns += i64::from(loss.centipawns);
        self.accuracy += 100.0 * (1.0 - loss.points).powi(STEEPNESS);
    }

    /// Centipawns lost by a move, on average; `None` for a side that made none.
    pub(super) fn average_loss(&self) -> Option<i64> {
        let moves = i64::from(self.moves);
        (moves > 0).then(|| (self.centipawns + moves / 2) / moves)
    }

    /// From 0 to 100.
    pub(super) fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / f64::from(self.moves))
    }
}

/// What a game comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Report {
    /// Of each move.
    pub(super) losses: Vec<Loss>,
    pub(super) white: Play,
    pub(super) black: Play,
}

/// Writes into a game what the values of its positions (one more than there are moves) say.
pub(super) fn annotate(record: &mut Record, judged: &[Judgement]) -> Report {
    let mut report = Report::default();
    let mut position = record.start;
    let values = judged.iter().zip(judged.iter().skip(1));
    for (step, (before, after)) in record.main_line.moves.iter_mut().zip(values) {
        let best = before.line.first() == Some(&step.mv);
        let loss = match best {
            // Found to be worth less one move later, it still was the best.
            true => Loss::default(),
            false => loss(position.side_to_move(), before, after),
        };
        let side = match position.side_to_move() {
            Color::White => &mut report.white,
            Color::Black => &mut report.black,
        };
        side.add(loss);
        report.losses.push(loss);
        step.comment.eval = after.eval;
        if let Some(mark) = mark(loss) {
            // Whoever has judged the move before us is not contradicted.
            if !step.nags.iter().any(|mark| mark.is_move_assessment()) {
                step.nags.push(mark);
            }
            let known = step.variations.iter().any(|line| {
                let first = line.moves.first().map(|step| step.mv);
                first == before.line.first().copied()
            });
            if !known {
                step.variations.extend(better(before, &position));
            }
        }
        position = position.play_unchecked(step.mv);
    }
    write_tags(record, &report);
    report
}

fn loss(mover: Color, before: &Judgement, after: &Judgement) -> Loss {
    let sign = match mover {
        Color::White => 1,
        Color::Black => -1,
    };
    let points = f64::from(sign) * (before.expectation - after.expectation);
    let centipawns = sign * (counted(before) - counted(after));
    Loss {
        points: points.clamp(0.0, 1.0),
        centipawns: centipawns.max(0),
    }
}

/// Centipawns for White, as far as they count.
fn counted(judgement: &Judgement) -> i32 {
    match judgement.eval {
        Some(Eval::Centipawns(value)) => value.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS),
        Some(Eval::Mate(moves)) => MOST_CENTIPAWNS * moves.signum(),
        None if judgement.expectation > 0.5 => MOST_CENTIPAWNS,
        None => -MOST_CENTIPAWNS,
    }
}

/// What a move is called that has lost so much.
pub(super) fn mark(loss: Loss) -> Option<Nag> {
    [
        (BLUNDER, Nag::BLUNDER),
        (MISTAKE, Nag::MISTAKE),
        (DUBIOUS, Nag::DUBIOUS),
    ]
    .into_iter()
    .find_map(|(least, mark)| (loss.points >= least).then_some(mark))
}

/// The line that was best, with its value.
fn better(before: &Judgement, position: &Position) -> Option<Variation> {
    let mut line = Variation::new(legal(before, position));
    line.moves.first_mut()?.comment.eval = before.eval;
    Some(line)
}

/// A line's moves, as far as they are shown.
pub(super) fn legal(judgement: &Judgement, start: &Position) -> Vec<movegen::Move> {
    let mut position = *start;
    let mut moves = Vec::new();
    for &mv in judgement.line.iter().take(LONGEST_LINE) {
        let Some(next) = position.try_play(mv) else {
            break;
        };
        moves.push(mv);
        position = next;
    }
    moves
}

fn write_tags(record: &mut Record, report: &Report) {
    record.tags.set("Annotator", NAME);
    for (side, play) in [("White", &report.white), ("Black", &report.black)] {
        if let (Some(loss), Some(accuracy)) = (play.average_loss(), play.accuracy()) {
            record.tags.set(&format!("{side}ACPL"), loss.to_string());
            record
                .tags
                .set(&format!("{side}Accuracy"), format!("{accuracy:.1}"));
        }
    }
}

#[cfg(test)]
mod tests;
