//! `castellan tridim random`: games of random moves, in which everything is asked that must
//! hold of every position.

use std::collections::BTreeMap;
use std::io::Write;

use super::TridimJobError;
use crate::{Game, Outcome, Position, Rules};
use common::rng::SplitMix64;
use rayon::prelude::*;
use thiserror::Error;

/// Plays games of random moves and checks every position on the way
#[derive(Debug, clap::Args)]
pub struct RandomArgs {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Plies after which a game is broken off
    #[arg(long, value_name = "N", default_value_t = 400)]
    plies: u32,
    /// The same number gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Attack boards may be turned in place
    #[arg(long)]
    rotation: bool,
}

/// Something that should never be, and where.
#[derive(Debug, Error)]
pub enum Fault {
    #[error("game {game}: the text '{text}' does not give the position back")]
    Text { game: u32, text: String },
    #[error("game {game}: the king could be taken in '{text}'")]
    KingCapturable { game: u32, text: String },
    #[error("game {game}: taking everything back did not lead to the start")]
    Undo { game: u32 },
    #[error("game {game}: a legal move was refused in '{text}'")]
    Refused { game: u32, text: String },
}

/// What came of games: their ends, and how many plies they had.
#[derive(Debug, Default)]
struct Tally {
    plies: u64,
    ends: BTreeMap<String, u32>,
}

impl Tally {
    fn add(mut self, other: Tally) -> Tally {
        self.plies += other.plies;
        for (end, count) in other.ends {
            *self.ends.entry(end).or_default() += count;
        }
        self
    }
}

pub(super) fn run(args: &RandomArgs, output: &mut impl Write) -> Result<(), TridimJobError> {
    let tally = (0..args.games)
        .into_par_iter()
        .map(|game| play(game, args))
        .try_reduce(Tally::default, |one, other| Ok(one.add(other)))?;
    writeln!(output, "{} games, {} plies", args.games, tally.plies)?;
    for (end, count) in &tally.ends {
        writeln!(output, "{count:>6}  {end}")?;
    }
    Ok(())
}

fn play(number: u32, args: &RandomArgs) -> Result<Tally, Fault> {
    let rules = Rules {
        rotation: args.rotation,
    };
    let mut rng = SplitMix64::new(u64::from(args.seed) << 32 | u64::from(number));
    let mut game = Game::standard(rules);
    let mut end = None;
    let mut plies = 0;
    while plies < args.plies && end.is_none() {
        check(number, game.position())?;
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.get(rng.below(moves.len())) else {
            break;
        };
        if game.play(mv).is_err() {
            let text = game.position().to_string();
            return Err(Fault::Refused { game: number, text });
        }
        plies += 1;
        end = game.outcome();
    }
    let end = end.map_or("broken off".to_owned(), |outcome: Outcome| {
        outcome.to_string()
    });
    while game.undo().is_some() {}
    if *game.position() != Position::start(rules) {
        return Err(Fault::Undo { game: number });
    }
    Ok(Tally {
        plies: u64::from(plies),
        ends: BTreeMap::from([(end, 1)]),
    })
}

fn check(game: u32, position: &Position) -> Result<(), Fault> {
    let text = position.to_string();
    if Position::from_text(&text, position.rules()) != Ok(*position) {
        return Err(Fault::Text { game, text });
    }
    if position.world().checkers(!position.turn()).any() {
        return Err(Fault::KingCapturable { game, text });
    }
    Ok(())
}
