//! UCI's `genfens`, as OpenBench calls it before self-play: openings for games, made by random
//! moves from the start position or from those of a book.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use common::files::FileError;
use common::rng::SplitMix64;
use movegen::{Game, Position};
use search::nnue::Network;
use search::{Limits, SearchControl, SearchOptions, Searcher, centipawns};

use crate::input::is_stdin;
use crate::input::positions::{InputLine, Positions, Reading};

/// The arguments of the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenFens {
    pub(crate) count: usize,
    pub(crate) seed: u64,
    /// A file with a position on each line.
    pub(crate) book: Option<PathBuf>,
}

const EMPTY_BOOK: &str = "there are no positions in the book";
const HASH_MEGABYTES: usize = 1;
/// Random moves, or one more, so that both sides are to move.
const PLIES: usize = 8;
const PLIES_FROM_BOOK: usize = 4;
/// The largest score of a position for either side, by a search of `NODES` nodes.
const MAX_CENTIPAWNS: i32 = 250;
const NODES: u64 = 1000;
/// For one opening.
const MAX_TRIES: usize = 10_000;

/// Makes openings, which depend on the arguments and the network alone; `output` gets lines.
pub(crate) fn generate(
    request: &GenFens,
    network: Arc<Network>,
    stop: &SearchControl,
    mut output: impl FnMut(String),
) -> Result<()> {
    let book = match &request.book {
        Some(path) => Some(Book::read(path)?),
        None => None,
    };
    let mut searcher = Searcher::with_network(HASH_MEGABYTES, network)?;
    let mut rng = SplitMix64::new(request.seed);
    for _ in 0..request.count {
        let mut tries = 0;
        let opening = loop {
            if stop.is_stopped() {
                bail!("genfens was stopped");
            }
            if tries == MAX_TRIES {
                bail!("no balanced position after {tries} tries; stopped");
            }
            tries += 1;
            let (start, plies) = match &book {
                Some(book) => (book.position(&mut rng, &mut output)?, PLIES_FROM_BOOK),
                None => (Position::default(), PLIES),
            };
            let plies = plies + rng.below(2);
            if let Some(position) = random_moves(start, plies, &mut rng)
                && is_balanced(&mut searcher, position, stop)
            {
                break position;
            }
        };
        output(format!("info string genfens {opening}"));
    }
    Ok(())
}

/// The lines of a book; only those that are used are parsed.
struct Book(Vec<InputLine>);

impl Book {
    fn read(path: &Path) -> Result<Self> {
        // A session reads its commands from standard input, and a pipe may never be written to.
        if is_stdin(path) || !path.metadata().map_err(FileError::read(path))?.is_file() {
            bail!("book '{}' is not a regular file", path.display());
        }
        let mut positions = Positions::from_file(path)?;
        let mut lines = Vec::new();
        while let Some(line) = positions.next_line()? {
            lines.push(line);
        }
        ensure!(!lines.is_empty(), EMPTY_BOOK);
        Ok(Self(lines))
    }

    fn position(&self, rng: &mut SplitMix64, output: &mut impl FnMut(String)) -> Result<Position> {
        let line = self.0.get(rng.below(self.0.len()));
        let line = line.context(EMPTY_BOOK)?;
        let number = line.number;
        let record = line
            .parse(Reading::default())
            .map_err(|error| anyhow!("line {number} of the book: {error}"))?;
        for warning in record.warnings {
            output(format!("info string line {number} of the book: {warning}"));
        }
        Ok(*record.position.game.position())
    }
}

/// `None` if the game ends earlier.
fn random_moves(start: Position, plies: usize, rng: &mut SplitMix64) -> Option<Position> {
    let mut position = start;
    for _ in 0..plies {
        let moves = position.legal_moves();
        let mv = moves.get(rng.below(moves.len()))?;
        position = position.play_unchecked(*mv);
    }
    position.has_moves().then_some(position)
}

fn is_balanced(searcher: &mut Searcher, position: Position, stop: &SearchControl) -> bool {
    searcher.new_game();
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let options = SearchOptions::new(limits);
    let outcome = searcher.search(&Game::new(position), &options, stop, &mut ());
    outcome.lines.first().is_some_and(|line| {
        line.score.mate_distance().is_none()
            && centipawns(line.score, &position).abs() <= MAX_CENTIPAWNS
    })
}
