//! `castellan tridim random`: games of random moves, in which everything is asked that must
//! hold of every position.

use std::collections::BTreeMap;
use std::io;

use rayon::prelude::*;
use thiserror::Error;
use tridim::{Game, Outcome, Position, Rules};

use crate::output::printer::Printer;

/// Plays games of random moves and checks every position on the way
#[derive(Debug, clap::Args)]
pub(crate) struct RandomArgs {
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
pub(crate) enum Fault {
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

pub(super) fn run(args: &RandomArgs, printer: &Printer<io::Stdout>) -> Result<(), Fault> {
    let tally = (0..args.games)
        .into_par_iter()
        .map(|game| play(game, args))
        .try_reduce(Tally::default, |one, other| Ok(one.add(other)))?;
    printer.line(format_args!("{} games, {} plies", args.games, tally.plies));
    let ends = tally.ends.iter();
    printer.lines(ends.map(|(end, count)| format!("{count:>6}  {end}")));
    Ok(())
}

fn play(number: u32, args: &RandomArgs) -> Result<Tally, Fault> {
    let rules = Rules {
        rotation: args.rotation,
    };
    let mut chance = u64::from(args.seed) << 32 | u64::from(number);
    let mut game = Game::standard(rules);
    let mut end = None;
    let mut plies = 0;
    while plies < args.plies && end.is_none() {
        check(number, game.position())?;
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.get(below(&mut chance, moves.len())) else {
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

/// The next number of a fixed sequence (splitmix64), below a limit (0 if that is 0).
fn below(chance: &mut u64, limit: usize) -> usize {
    *chance = chance.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *chance;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    ((u128::from(mixed) * limit as u128) >> 64) as usize
}
