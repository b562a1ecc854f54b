//! A game of the engine against itself: a random opening, then searches until the game ends or
//! is adjudicated; or a fragment of a game, from a random position of another one.

use super::Args;
use super::starts::Starts;
use crate::adjudication::{Adjudicator, is_played_out};
use crate::data::{GameRecord, MAX_PLIES, Termination};
use crate::scorer::NodeSearcher;
use common::rng::SplitMix64;
use movegen::{Claim, Color, Game, Outcome};

const SHORTEST_FRAGMENT: usize = 6;
const LONGEST_FRAGMENT: usize = 10;

/// Plays the game of this number; `None` if stopped before it has an opening.
pub(super) fn play(
    number: u32,
    args: &Args,
    starts: &Starts,
    searcher: &mut NodeSearcher,
    is_stopped: &impl Fn() -> bool,
) -> Option<GameRecord> {
    let mut rng = SplitMix64::with_stream(args.seed, u64::from(number));
    let mut game = balanced_opening(&mut rng, args, starts, searcher, is_stopped)?;
    let is_fragment = starts.are_of_fragments();
    let max_plies = if is_fragment {
        SHORTEST_FRAGMENT + rng.below(LONGEST_FRAGMENT - SHORTEST_FRAGMENT + 1)
    } else {
        MAX_PLIES
    };
    let mut record = GameRecord {
        number,
        start: *game.position(),
        moves: Vec::new(),
        winner: None,
        termination: Termination::Adjudication,
    };
    let mut adjudicator = Adjudicator::default();
    while record.moves.len() < max_plies {
        if let Some((winner, termination)) = end_by_rule(&game) {
            record.winner = winner;
            record.termination = termination;
            break;
        }
        let Some(played) = searcher.search(&game, args.search.nodes) else {
            break;
        };
        record.moves.push(played);
        if let Some(winner) = adjudicator.add(played.score)
            && !is_played_out(number)
        {
            record.winner = winner;
            break;
        }
        if game.push(played.mv).is_err() {
            break;
        }
    }
    if is_fragment {
        // Only the results of those decided soon are known, which are no fair sample.
        record.winner = None;
        record.termination = Termination::Unfinished;
    }
    Some(record)
}

/// The end of a game by the rules. Draws are claimed.
fn end_by_rule(game: &Game) -> Option<(Option<Color>, Termination)> {
    let drawn = |termination| Some((None, termination));
    match game.outcome() {
        Some(Outcome::Checkmate { winner }) => return Some((Some(winner), Termination::Checkmate)),
        Some(Outcome::Stalemate) => return drawn(Termination::Stalemate),
        Some(Outcome::InsufficientMaterial) => return drawn(Termination::InsufficientMaterial),
        _ => {}
    }
    match game.claims().first()? {
        Claim::FiftyMoves => drawn(Termination::FiftyMoves),
        Claim::Threefold => drawn(Termination::Repetition),
    }
}

/// Tries random openings until one is balanced, with a cleared searcher; `None` if stopped.
fn balanced_opening(
    rng: &mut SplitMix64,
    args: &Args,
    starts: &Starts,
    searcher: &mut NodeSearcher,
    is_stopped: &impl Fn() -> bool,
) -> Option<Game> {
    searcher.new_game();
    while !is_stopped() {
        let Some(game) = starts.random(rng, args.chess960) else {
            continue;
        };
        let found = searcher.search(&game, args.opening_nodes());
        if found.is_some_and(|mv| i32::from(mv.score).abs() <= args.balance) {
            return Some(game);
        }
    }
    None
}
