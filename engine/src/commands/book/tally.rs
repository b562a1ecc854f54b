//! What games teach a book: how often each move was played in each position, and with what
//! success; and the weights that come of it.

use std::collections::HashMap;

use movegen::Color;

use crate::formats::pgn::{Record, Score};
use crate::formats::polyglot::entry::{Entry, MoveWord};
use crate::formats::polyglot::key::{key, passed_by};

/// Points of a game, so that a draw is a whole number.
const WIN: u32 = 2;
const DRAW: u32 = 1;

/// How moves are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weights {
    /// Two points for each win of the side that played it and one for each draw.
    ByResult,
    /// All moves the same.
    Uniform,
}

/// What is known of each move; a position is known by its key.
#[derive(Debug, Default)]
pub(super) struct Tally {
    moves: HashMap<(u64, MoveWord), Count>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    games: u32,
    points: u32,
}

impl Tally {
    /// Adds the moves of a game, each once.
    pub(super) fn add(&mut self, game: &Record) {
        let mut position = game.start;
        let mut passed = game.passed_at_start;
        let mut seen = Vec::with_capacity(game.moves().len());
        for mv in game.moves() {
            let step = (key(&position, passed), MoveWord::of(mv));
            if !seen.contains(&step) {
                seen.push(step);
                let count = self.moves.entry(step).or_default();
                count.games = count.games.saturating_add(1);
                count.points = count
                    .points
                    .saturating_add(points(game.score, position.side_to_move()));
            }
            position = position.play_unchecked(mv);
            passed = passed_by(&position, mv);
        }
    }

    /// The book: sorted by key, the heaviest move of a position first. Moves of fewer games
    /// and moves that never earned a point are not in it.
    pub(super) fn into_entries(self, least_games: u32, weights: Weights) -> Vec<Entry> {
        let kept = self.moves.into_iter().filter(|(_, count)| {
            count.games >= least_games && (weights == Weights::Uniform || count.points > 0)
        });
        let mut moves: Vec<_> = kept.collect();
        moves.sort_unstable_by_key(|&((key, word), count)| {
            (key, std::cmp::Reverse(count.points), word)
        });
        let mut entries = Vec::with_capacity(moves.len());
        for position in moves.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let most = position.first().map_or(0, |(_, count)| count.points);
            entries.extend(position.iter().map(|&((key, word), count)| Entry {
                key,
                word,
                weight: match weights {
                    Weights::ByResult => scaled(count.points, most),
                    Weights::Uniform => 1,
                },
            }));
        }
        entries
    }
}

/// An unfinished game counts as a draw.
fn points(score: Score, mover: Color) -> u32 {
    match score {
        Score::Won(winner) if winner == mover => WIN,
        Score::Won(_) => 0,
        Score::Drawn | Score::Unknown => DRAW,
    }
}

/// Points as they are while the most of the position fit a weight, else in proportion, and
/// never nothing.
fn scaled(points: u32, most: u32) -> u16 {
    const LARGEST: u64 = u16::MAX as u64;
    let most = u64::from(most).max(LARGEST);
    let weight = (u64::from(points) * LARGEST / most).max(1);
    u16::try_from(weight).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
