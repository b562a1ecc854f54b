//! The evaluation of a game in two passes: a quick search of every position, and a longer one only
//! of those between which something was lost.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use movegen::Color;
use search::{Limits, SearchControl, SearchOptions, Searcher};

use super::evaluate::{CHUNK_POSITIONS, Evaluation, chunk_end, evaluate};
use super::judgement::lost_chances;
use formats::pgn::Record;

/// A position of the quick pass gets the nodes of one in this many.
const QUICK: u64 = 20;
/// The loss of winning chances from which a move is looked at again: less than a mistake, since the
/// quick pass may see only a part of what was lost.
const LOST: f64 = 0.13;
/// The expected points of a side whose moves are looked at: somewhat more than of an exercise.
const UNDECIDED: RangeInclusive<f64> = 0.2..=0.93;
/// The share of the quick pass in the progress of a game, about that of its time.
const QUICK_SHARE: f64 = 0.15;

/// A game, and what is evaluated of it. What was stopped goes on after the last chunk.
#[derive(Debug)]
pub struct TwoPass {
    pub record: Record,
    /// The nodes of a position of the second pass.
    nodes: u64,
    pub evaluations: Vec<Evaluation>,
    /// The positions of the second pass that are evaluated.
    deep: BTreeSet<usize>,
}

impl TwoPass {
    pub fn new(record: Record, nodes: u64) -> Self {
        Self {
            record,
            nodes,
            evaluations: Vec::new(),
            deep: BTreeSet::new(),
        }
    }

    /// Evaluates the game until it is complete or stopped; returns true once it is complete.
    /// `progressed` gets the share that is done after each chunk.
    pub fn run(
        &mut self,
        searcher: &mut Searcher,
        stop: &SearchControl,
        progressed: impl Fn(f64),
    ) -> bool {
        while let Some((chunk, nodes)) = self.next_chunk() {
            let options = SearchOptions::new(Limits::nodes(nodes));
            let positions = chunk.clone();
            let found = evaluate(searcher, &options, &self.record, positions, stop, &|| {});
            let Some(found) = found else {
                return false;
            };
            for (ply, evaluation) in chunk.zip(found) {
                match self.evaluations.get_mut(ply) {
                    Some(quick) => {
                        *quick = evaluation;
                        self.deep.insert(ply);
                    }
                    None => self.evaluations.push(evaluation),
                }
            }
            progressed(self.progress());
        }
        true
    }

    fn total(&self) -> usize {
        self.record.moves().len() + 1
    }

    /// From 0 to 1.
    fn progress(&self) -> f64 {
        let quick = self.evaluations.len() as f64 / self.total() as f64;
        if self.evaluations.len() < self.total() {
            return QUICK_SHARE * quick;
        }
        let (done, left) = (self.deep.len() as f64, self.left().len() as f64);
        QUICK_SHARE + (1.0 - QUICK_SHARE) * done / (done + left).max(1.0)
    }

    /// The next positions to search, and the nodes of each.
    fn next_chunk(&self) -> Option<(Range<usize>, u64)> {
        let done = self.evaluations.len();
        if done < self.total() {
            let chunk = done..chunk_end(&self.record, done);
            return Some((chunk, (self.nodes / QUICK).max(1)));
        }
        let first = *self.left().first()?;
        Some((first..self.end(first), self.nodes))
    }

    /// The end of the chunk with a position.
    fn end(&self, ply: usize) -> usize {
        chunk_end(&self.record, ply - ply % CHUNK_POSITIONS)
    }

    /// The positions before and after each move that loses something, as far as they have only had
    /// the quick search, and those after them in their chunks: a search begins with the last one,
    /// so that the evaluations are those of a full pass. With them others may be among these.
    fn left(&self) -> BTreeSet<usize> {
        let mut side = self.record.start.side_to_move();
        let pairs = self.evaluations.iter().zip(self.evaluations.iter().skip(1));
        let lossy = pairs.enumerate().filter(|(_, (before, after))| {
            let mover = side;
            side = !side;
            is_undecided(before, mover) && lost_chances(mover, before, after) >= LOST
        });
        let positions = lossy.flat_map(|(ply, _)| [ply, ply + 1]);
        let positions = positions.flat_map(|ply| ply..self.end(ply));
        positions.filter(|ply| !self.deep.contains(ply)).collect()
    }
}

/// True unless the side has won or lost.
fn is_undecided(evaluation: &Evaluation, side: Color) -> bool {
    let own = match side {
        Color::White => evaluation.expectation,
        Color::Black => 1.0 - evaluation.expectation,
    };
    UNDECIDED.contains(&own)
}

#[cfg(test)]
mod tests {
    use formats::pgn::{Record, Variation};
    use movegen::Position;
    use search::{SearchControl, Searcher};
    use test_common::game_after;

    use super::TwoPass;

    /// White gives the queen away by the fifth ply.
    #[test]
    fn positions_around_a_loss_are_searched_again() {
        let start = Position::default();
        let game = game_after(&start.fen(), "e4 e5 Qh5 Nc6 Qxe5+ Nxe5 d4 Ng6 Nf3 Nf6");
        let record = Record {
            main_line: Variation::new(game.moves()),
            ..Record::new(start)
        };
        let mut two_pass = TwoPass::new(record, 40_000);
        let mut searcher = Searcher::new(1).expect("memory");
        let stop = SearchControl::new();
        stop.stop();
        assert!(!two_pass.run(&mut searcher, &stop, |_| {}));
        assert!(two_pass.run(&mut searcher, &SearchControl::new(), |done| {
            assert!((0.0..=1.0).contains(&done), "{done}");
        }));
        assert_eq!(two_pass.evaluations.len(), 11);
        let deep: Vec<usize> = two_pass.deep.iter().copied().collect();
        // To the end of the chunk; then the game is decided, and nothing was lost before.
        assert!(deep.ends_with(&[4, 5, 6, 7]) && deep[0] > 0, "{deep:?}");
    }
}
