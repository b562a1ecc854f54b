//! One game of the engine against itself.

use super::opening::{Balance, opening};
use crate::data::{Ending, Game, MOST_PLIES, Ply};
use crate::rng::Rng;
use movegen::{Claim, Color, Outcome, Position};
use search::{Limits, Solo};

/// How games are played.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) seed: u64,
    /// No iteration is begun after so many nodes; eight times as many end the search.
    pub(super) soft_nodes: u64,
    pub(super) balance: Balance,
    pub(super) book: Vec<Position>,
}

/// The hard limit of nodes, in soft ones.
const HARD_PER_SOFT: u64 = 8;

/// Both sides have long agreed on the end.
#[derive(Default)]
struct Agreement {
    /// Plies in a row with a value decided for White, or (negative) for Black.
    decided: i32,
    level: u32,
}

impl Agreement {
    const DECIDED: i16 = 1200;
    const DECIDED_AGAINST: i16 = -Self::DECIDED;
    const DECIDED_PLIES: i32 = 6;
    const LEVEL: i16 = 6;
    const LEVEL_PLIES: u32 = 16;
    /// Before this ply no draw is agreed upon.
    const LEVEL_FROM_PLY: usize = 80;

    /// The winner (`None` inside for a draw), when there is agreement.
    fn after(&mut self, score: i16, ply: usize) -> Option<Option<Color>> {
        self.decided = match score {
            Self::DECIDED.. => self.decided.max(0) + 1,
            ..=Self::DECIDED_AGAINST => self.decided.min(0) - 1,
            _ => 0,
        };
        let level = score.unsigned_abs() <= Self::LEVEL.unsigned_abs();
        self.level = if level { self.level + 1 } else { 0 };
        if self.decided >= Self::DECIDED_PLIES {
            Some(Some(Color::White))
        } else if self.decided <= -Self::DECIDED_PLIES {
            Some(Some(Color::Black))
        } else if self.level >= Self::LEVEL_PLIES && ply >= Self::LEVEL_FROM_PLY {
            Some(None)
        } else {
            None
        }
    }
}

/// The game of this number, the same whoever plays it whenever.
pub(super) fn play(number: u32, manner: &Manner, solo: &mut Solo) -> Game {
    let mut rng = Rng::new(manner.seed, u64::from(number));
    let mut game = opening(&mut rng, &manner.book, manner.balance, solo);
    let mut record = Game {
        number,
        start: *game.position(),
        plies: Vec::new(),
        winner: None,
        ending: Ending::Adjudicated,
    };
    let limits = Limits {
        soft_nodes: Some(manner.soft_nodes),
        nodes: Some(manner.soft_nodes * HARD_PER_SOFT),
        ..Limits::default()
    };
    let mut agreement = Agreement::default();
    while record.plies.len() < MOST_PLIES {
        if let Some((winner, ending)) = end(&game) {
            record.winner = winner;
            record.ending = ending;
            break;
        }
        let Some(verdict) = solo.search(&game, &limits) else {
            break;
        };
        let for_white = match game.position().turn() {
            Color::White => verdict.score.raw(),
            Color::Black => -verdict.score.raw(),
        };
        let ply = Ply {
            mv: verdict.best,
            score: for_white as i16,
        };
        record.plies.push(ply);
        if let Some(winner) = agreement.after(ply.score, record.plies.len()) {
            record.winner = winner;
            break;
        }
        if game.follow(verdict.best).is_err() {
            break;
        }
    }
    record
}

/// How a game has ended by the rules, draws that may be claimed being claimed.
fn end(game: &movegen::Game) -> Option<(Option<Color>, Ending)> {
    let drawn = |ending| Some((None, ending));
    match game.outcome() {
        Some(Outcome::Checkmate { winner }) => return Some((Some(winner), Ending::Checkmate)),
        Some(Outcome::Stalemate) => return drawn(Ending::Stalemate),
        Some(Outcome::InsufficientMaterial) => return drawn(Ending::InsufficientMaterial),
        _ => {}
    }
    match game.claims().first()? {
        Claim::FiftyMoves => drawn(Ending::FiftyMoves),
        Claim::Threefold => drawn(Ending::Repetition),
    }
}
