//! `castellan-train info` and `check`.

use crate::data::{Chunk, GameRecord, PositionFilter, Termination, chunks, par_chunks};
use crate::progress::output_error;
use anyhow::Result;
use movegen::Color;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::slice;

#[derive(Clone, Debug, clap::Args)]
pub struct InfoArgs {
    /// Game files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filter: PositionFilter,
}

#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// Game files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Numbers of games by result, shown in percent.
#[derive(Clone, Copy, Default)]
pub(crate) struct GameResults {
    white_wins: usize,
    draws: usize,
    black_wins: usize,
    unfinished: usize,
}

impl GameResults {
    pub(crate) fn count(&mut self, game: &GameRecord) {
        match game.winner {
            _ if game.termination == Termination::Unfinished => self.unfinished += 1,
            Some(Color::White) => self.white_wins += 1,
            None => self.draws += 1,
            Some(Color::Black) => self.black_wins += 1,
        }
    }

    pub(crate) fn games(&self) -> usize {
        self.white_wins + self.draws + self.black_wins + self.unfinished
    }
}

impl fmt::Display for GameResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |count| percent(count, self.games());
        write!(
            f,
            "White wins {:.1} %, draws {:.1} %, Black wins {:.1} %",
            percent(self.white_wins),
            percent(self.draws),
            percent(self.black_wins),
        )?;
        match self.unfinished {
            0 => Ok(()),
            count => write!(f, ", unfinished {:.1} %", percent(count)),
        }
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Statistics of the games of one recipe.
#[derive(Default)]
struct Statistics {
    results: GameResults,
    positions: usize,
    /// Positions that pass the filter.
    accepted: usize,
    bytes: u64,
    terminations: BTreeMap<Termination, usize>,
}

impl Statistics {
    fn count(&mut self, game: &GameRecord, filter: &PositionFilter) {
        self.results.count(game);
        self.positions += game.moves.len();
        self.accepted += filter.positions(game).count();
        *self.terminations.entry(game.termination).or_default() += 1;
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let games = self.results.games();
        writeln!(
            out,
            "  {games} games, {} positions, {} ({:.0} %) pass the filter",
            self.positions,
            self.accepted,
            percent(self.accepted, self.positions),
        )?;
        writeln!(
            out,
            "  {:.1} plies per game, {:.2} bytes per position",
            self.positions as f64 / games.max(1) as f64,
            self.bytes as f64 / self.positions.max(1) as f64,
        )?;
        writeln!(out, "  {}", self.results)?;
        for (termination, &count) in &self.terminations {
            let share = percent(count, games);
            writeln!(out, "  {:22} {share:5.1} %", termination.name())?;
        }
        Ok(())
    }
}

/// Prints statistics by recipe.
pub fn info(args: &InfoArgs) -> Result<()> {
    let mut recipes: BTreeMap<String, Statistics> = BTreeMap::new();
    for chunk in chunks(&args.files) {
        let chunk = chunk?;
        let recipe = chunk.recipe()?;
        let statistics = recipes.entry(recipe.to_string()).or_default();
        statistics.bytes += chunk.bytes();
        for game in chunk.games()? {
            statistics.count(&game, &args.filter);
        }
    }
    let mut out = io::stdout().lock();
    let printed = recipes.iter().try_for_each(|(recipe, statistics)| {
        writeln!(out, "{recipe}")?;
        statistics.print(&mut out)
    });
    ignore_broken_pipe(printed)
}

/// Reads and replays every game; the first damage found is the error.
pub fn check(args: &CheckArgs) -> Result<()> {
    let mut out = io::stdout().lock();
    for path in &args.files {
        let (mut chunks, mut games, mut positions) = (0, 0, 0);
        par_chunks(slice::from_ref(path), Chunk::games, |played| {
            chunks += 1;
            games += played.len();
            positions += played.iter().map(|game| game.moves.len()).sum::<usize>();
        })?;
        let path = path.display();
        ignore_broken_pipe(writeln!(
            out,
            "{path}: ok, {chunks} chunks, {games} games, {positions} positions"
        ))?;
    }
    Ok(())
}

/// A reader that closes the pipe (`| head`) is not an error; a full disk is.
fn ignore_broken_pipe(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| output_error(&error)),
    }
}
