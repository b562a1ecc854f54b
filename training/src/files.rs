//! `castellan-train info`, `check`, `merge` and `sample`: files of games for people's eyes and hands.

use crate::data::{Appender, Chunk, Chunks, DataError, Ending, Filter, Game};
use crate::rng::Rng;
use movegen::Color;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub struct InfoArgs {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filter: Filter,
}

#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File their games are added to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Debug, clap::Args)]
pub struct SampleArgs {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How many positions
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// Another seed, other positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    filter: Filter,
}

/// What is counted of the games of one recipe.
#[derive(Default)]
struct Tally {
    games: usize,
    positions: usize,
    /// Those that pass the filter.
    learnt: usize,
    bytes: u64,
    results: [usize; 3],
    endings: BTreeMap<Ending, usize>,
}

impl Tally {
    fn count(&mut self, game: &Game, filter: &Filter) {
        self.games += 1;
        self.positions += game.plies.len();
        let taken = game.positions().filter(|(at, ply)| filter.takes(at, *ply));
        self.learnt += taken.count();
        let result = match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        self.results[result] += 1;
        *self.endings.entry(game.ending).or_default() += 1;
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let [white, drawn, black] = self.results.map(|count| share(count, self.games));
        writeln!(
            out,
            "  {} games, {} positions, {} ({:.0} %) pass the filter",
            self.games,
            self.positions,
            self.learnt,
            share(self.learnt, self.positions),
        )?;
        writeln!(
            out,
            "  {:.1} plies a game, {:.2} bytes a position",
            self.positions as f64 / self.games.max(1) as f64,
            self.bytes as f64 / self.positions.max(1) as f64,
        )?;
        writeln!(
            out,
            "  won by White {white:.1} %, drawn {drawn:.1} %, won by Black {black:.1} %"
        )?;
        for (ending, &count) in &self.endings {
            let share = share(count, self.games);
            writeln!(out, "  {:22} {share:5.1} %", ending.name())?;
        }
        Ok(())
    }
}

/// Says what the files hold, recipe by recipe.
pub fn info(args: &InfoArgs) -> Result<(), DataError> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for path in &args.files {
        for chunk in Chunks::open(path)? {
            let chunk = chunk?;
            let tally = tallies.entry(chunk.recipe()?.to_string()).or_default();
            tally.bytes += chunk.bytes();
            for game in chunk.games()? {
                tally.count(&game, &args.filter);
            }
        }
    }
    let mut out = io::stdout().lock();
    let written = tallies.iter().try_for_each(|(recipe, tally)| {
        writeln!(out, "{recipe}")?;
        tally.print(&mut out)
    });
    heard(written)
}

/// Replays every game of every file; the first damage found is the error.
pub fn check(args: &CheckArgs) -> Result<(), DataError> {
    let mut out = io::stdout().lock();
    for path in &args.files {
        let (mut chunks, mut games, mut positions) = (0, 0, 0);
        for chunk in Chunks::open(path)? {
            let played = chunk?.games()?;
            chunks += 1;
            games += played.len();
            positions += played.iter().map(|game| game.plies.len()).sum::<usize>();
        }
        let path = path.display();
        heard(writeln!(
            out,
            "{path}: {chunks} chunks, {games} games, {positions} positions, all well"
        ))?;
    }
    Ok(())
}

/// Adds the games of all files to one.
pub fn merge(args: &MergeArgs) -> Result<(), DataError> {
    for path in &args.files {
        let same = |path: &PathBuf| path.canonicalize().ok();
        if same(path).is_some() && same(path) == same(&args.out) {
            return Err(DataError::SameFile { path: path.clone() });
        }
        // Nothing is added from files of which one cannot be opened.
        Chunks::open(path)?;
    }
    let mut out = Appender::open(&args.out, |_| Ok(()))?;
    for path in &args.files {
        for chunk in Chunks::open(path)? {
            out.copy(&chunk?)?;
        }
    }
    Ok(())
}

/// Prints positions chosen at random, each equally likely.
pub fn sample(args: &SampleArgs) -> Result<(), DataError> {
    let mut rng = Rng::new(args.seed, 0);
    let mut chosen: Vec<String> = Vec::new();
    let mut seen = 0;
    for path in &args.files {
        for chunk in Chunks::open(path)? {
            sample_chunk(&chunk?, args, &mut rng, &mut chosen, &mut seen)?;
        }
    }
    let mut out = io::stdout().lock();
    heard(chosen.iter().try_for_each(|line| writeln!(out, "{line}")))
}

/// Each new position takes the place of a chosen one with the probability that keeps all alike.
fn sample_chunk(
    chunk: &Chunk,
    args: &SampleArgs,
    rng: &mut Rng,
    chosen: &mut Vec<String>,
    seen: &mut usize,
) -> Result<(), DataError> {
    for game in chunk.games()? {
        let result = match game.winner {
            Some(Color::White) => "1-0",
            None => "1/2-1/2",
            Some(Color::Black) => "0-1",
        };
        for (position, ply) in game.positions() {
            if !args.filter.takes(&position, ply) {
                continue;
            }
            *seen += 1;
            let place = if chosen.len() < args.count {
                chosen.push(String::new());
                chosen.len() - 1
            } else {
                rng.below(*seen)
            };
            if let Some(line) = chosen.get_mut(place) {
                let (mv, score) = (ply.mv.uci(movegen::Variant::Standard), ply.score);
                *line = format!(
                    "{}; move {mv}; score {score}; result {result}",
                    position.fen()
                );
            }
        }
    }
    Ok(())
}

/// A reader who has gone away (`| head`) is no error; a full disk is.
fn heard(written: io::Result<()>) -> Result<(), DataError> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(DataError::at(std::path::Path::new("standard output"))),
    }
}
