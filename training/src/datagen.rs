//! `castellan-train datagen`: self-play on all cores.
//!
//! A game is determined by the run's seed and its number, not by the thread that plays it or
//! when; an interrupted run resumes with the numbers it has not played.

mod self_play;

use crate::data::{ChunkWriter, DataError, GameRecord, Journal};
use crate::evaluator::{Evaluator, EvaluatorArgs, EvaluatorError, NodeSearcher};
use crate::files::Results;
use common::files::FileError;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::{FenError, Position, Variant};
use search::{STACK_BYTES, SearchError};
use self_play::Settings;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File to append the games to; the same command again resumes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Soft limit of nodes per move; the hard limit is eight times that
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Skip openings whose score is further from zero than this
    #[arg(long, default_value_t = 250, value_name = "UNITS")]
    balance: i32,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
    /// Opening book of FEN or EPD lines for some of the games; can be repeated
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Stop when the file has this many games of this seed
    #[arg(long)]
    games: Option<u32>,
    /// Stop after this time, such as 90m, 2h or 45s
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Number of threads [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Debug, Error)]
pub enum DatagenError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}, line {line}: {source}", path.display())]
    BookLine {
        path: PathBuf,
        line: usize,
        source: FenError,
    },
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("cannot start a search thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// Parses `90m`, `2h`, `45s` or a number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.as_bytes().last() {
        Some(b'h') => (text.trim_end_matches('h'), 3600.0),
        Some(b'm') => (text.trim_end_matches('m'), 60.0),
        _ => (text.trim_end_matches('s'), 1.0),
    };
    let seconds = number.parse::<f64>().map(|number| number * unit);
    seconds
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a time such as 90m, 2h or 45s".to_owned())
}

/// Plays until stopped, or until a limit is reached.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), DatagenError> {
    let deadline = args.time.map(|time| Instant::now() + time);
    let settings = Settings {
        seed: args.seed,
        nodes: args.nodes,
        max_opening_score: args.balance,
        book: read_books(&args.book)?,
    };
    let evaluator = Evaluator::new(&args.evaluator)?;
    let mut store = Store::open(args, recipe(args, &settings, &evaluator))?;
    let threads = args.threads.unwrap_or_else(rayon::current_num_threads);
    let searchers: Vec<NodeSearcher> = (0..threads.max(1))
        .map(|_| evaluator.searcher())
        .collect::<Result<_, _>>()?;
    let failed = AtomicBool::new(false);
    let is_stopped = || {
        failed.load(Ordering::Relaxed)
            || stop.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    };
    let numbers = Numbers {
        next: AtomicU32::new(0),
        end: args.games.unwrap_or(u32::MAX),
        played: store.played.clone(),
    };
    let mut progress = StatusLine::new(args, numbers.played.len());
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads.max(1) * 4);
        for mut searcher in searchers {
            let sender = sender.clone();
            let (settings, numbers, is_stopped) = (&settings, &numbers, &is_stopped);
            let play = move || play_games(settings, numbers, is_stopped, &mut searcher, &sender);
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, play)?;
        }
        drop(sender);
        let stored = receiver.iter().try_for_each(|game| {
            progress.add(&game);
            store.add(game)
        });
        failed.store(true, Ordering::Relaxed);
        drop(receiver);
        Ok::<_, DatagenError>(stored?)
    })?;
    progress.finish();
    Ok(store.close()?)
}

/// The numbers of the games to play.
struct Numbers {
    next: AtomicU32,
    end: u32,
    played: HashSet<u32>,
}

impl Numbers {
    fn next(&self) -> Option<u32> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.end {
                return None;
            }
            if !self.played.contains(&number) {
                return Some(number);
            }
        }
    }
}

/// The work of one thread.
fn play_games(
    settings: &Settings,
    numbers: &Numbers,
    is_stopped: &dyn Fn() -> bool,
    searcher: &mut NodeSearcher,
    sender: &SyncSender<GameRecord>,
) {
    while !is_stopped() {
        let Some(number) = numbers.next() else {
            return;
        };
        let game = self_play::play(number, settings, searcher);
        if sender.send(game).is_err() {
            return;
        }
    }
}

/// Finished games: first in the journal, then some hundred at a time in the file.
struct Store {
    file: ChunkWriter,
    journal: Journal,
    recipe: String,
    /// Numbers of the games of this recipe in the file.
    played: HashSet<u32>,
    /// Games in the journal.
    pending: Vec<GameRecord>,
}

impl Store {
    /// Opens or creates the file, and moves the games of an interrupted run's journal to it.
    fn open(args: &Args, recipe: String) -> Result<Self, DataError> {
        let recovered = Journal::recover(&args.out)?;
        let mut played = HashSet::new();
        let mut recovered_played = HashSet::new();
        let mut file = ChunkWriter::open(&args.out, |chunk| {
            for (recipe, numbers) in [
                (&recipe, &mut played),
                (&recovered.recipe, &mut recovered_played),
            ] {
                if chunk.recipe()? == recipe {
                    numbers.extend(chunk.games()?.iter().map(|game| game.number));
                }
            }
            Ok(())
        })?;
        // A run killed between writing a chunk and clearing the journal left its games in both.
        let mut missing = recovered.games;
        missing.retain(|game| recovered_played.insert(game.number));
        if !missing.is_empty() {
            file.append(&recovered.recipe, &missing)?;
            if recovered.recipe == recipe {
                played.extend(missing.iter().map(|game| game.number));
            }
        }
        Ok(Self {
            file,
            journal: Journal::create(&args.out, &recipe)?,
            recipe,
            played,
            pending: Vec::new(),
        })
    }

    fn add(&mut self, game: GameRecord) -> Result<(), DataError> {
        // Enough games to compress well.
        const CHUNK: usize = 256;
        self.journal.write(&game)?;
        self.pending.push(game);
        if self.pending.len() >= CHUNK {
            self.write_chunk()?;
            self.journal.clear()?;
        }
        Ok(())
    }

    fn write_chunk(&mut self) -> Result<(), DataError> {
        if !self.pending.is_empty() {
            self.file.append(&self.recipe, &self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    fn close(mut self) -> Result<(), DataError> {
        self.write_chunk()?;
        Ok(self.journal.remove()?)
    }
}

/// How the games are made. Identifies the run: it resumes in a file only under the same text.
fn recipe(args: &Args, settings: &Settings, evaluator: &Evaluator) -> String {
    let mut recipe = format!(
        "{}; seed {}; {} nodes; openings within {} after {}",
        evaluator.description,
        args.seed,
        args.nodes,
        args.balance,
        settings.opening_nodes(),
    );
    for path in &args.book {
        let name = path.file_name().unwrap_or(path.as_os_str());
        recipe += &format!("; book {}", name.display());
    }
    recipe
}

fn read_books(paths: &[PathBuf]) -> Result<Vec<Position>, DatagenError> {
    let mut book = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).map_err(FileError::read(path))?;
        for (text, line) in text.lines().zip(1..) {
            if text.trim().is_empty() {
                continue;
            }
            let position = Position::from_fen(text.trim(), Variant::Chess960);
            book.push(position.map_err(|source| DatagenError::BookLine {
                path: path.clone(),
                line,
                source,
            })?);
        }
    }
    Ok(book)
}

/// A progress bar on standard error, hidden unless that is a terminal, and a summary at the end.
struct StatusLine {
    bar: ProgressBar,
    started: Instant,
    /// Games of this run that the file had at the start.
    earlier: usize,
    positions: usize,
    results: Results,
}

impl StatusLine {
    fn new(args: &Args, earlier: usize) -> Self {
        let (bar, template) = match args.games {
            Some(games) => (
                ProgressBar::new(games.into()),
                "{bar:24} {pos}/{len} games  {msg}  {eta} left",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {pos} games  {msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(earlier as u64);
        bar.enable_steady_tick(Duration::from_millis(500));
        Self {
            bar,
            started: Instant::now(),
            earlier,
            positions: 0,
            results: Results::default(),
        }
    }

    fn add(&mut self, game: &GameRecord) {
        self.results.count(game);
        self.positions += game.moves.len();
        self.bar.inc(1);
        self.bar.set_message(self.text());
    }

    fn text(&self) -> String {
        let positions = self.positions as f64;
        format!(
            "{} positions, {:.0}/s, {:.0} plies per game, {}",
            self.positions,
            positions / self.started.elapsed().as_secs_f64().max(1e-9),
            positions / self.results.games().max(1) as f64,
            self.results,
        )
    }

    fn finish(self) {
        self.bar.finish_and_clear();
        println!("{} games: {}", self.results.games(), self.text());
        if self.earlier > 0 {
            println!("{} games were already in the file", self.earlier);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Termination;
    use clap::Parser;
    use test_common::TempDir;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn game(number: u32) -> GameRecord {
        GameRecord {
            number,
            start: Position::default(),
            moves: Vec::new(),
            winner: None,
            termination: Termination::Adjudication,
        }
    }

    #[test]
    fn interrupted_runs_leave_every_finished_game_once() {
        let directory = TempDir::new("datagen");
        let out = directory.path("games");
        let args = Cli::parse_from(["datagen", "--out", &out]).args;
        let open = |recipe: &str| Store::open(&args, recipe.to_owned()).unwrap();
        // Killed with games in the journal only.
        let mut store = open("one");
        for number in [0, 2] {
            store.add(game(number)).unwrap();
        }
        drop(store);
        // Killed between writing a chunk and clearing the journal.
        let mut store = open("one");
        assert_eq!(store.played, HashSet::from([0, 2]));
        store.add(game(1)).unwrap();
        store.write_chunk().unwrap();
        drop(store);
        // Followed by a run with another recipe, and again by one with the first.
        let mut store = open("two");
        assert_eq!(store.played, HashSet::new());
        store.add(game(0)).unwrap();
        drop(store);
        let store = open("one");
        assert_eq!(store.played, HashSet::from([0, 1, 2]));
        store.close().unwrap();
        let store = open("two");
        assert_eq!(store.played, HashSet::from([0]));
        store.close().unwrap();

        let chunks = crate::data::ChunkReader::open(args.out.as_path()).unwrap();
        let counts: Vec<usize> = chunks.map(|chunk| chunk.unwrap().game_count()).collect();
        assert_eq!(counts, [2, 1, 1]);
    }

    #[test]
    fn durations_have_units() {
        let seconds = |text| duration(text).ok().map(|time| time.as_secs());
        for (text, expected) in [
            ("90m", Some(5400)),
            ("2h", Some(7200)),
            ("45s", Some(45)),
            ("7", Some(7)),
            ("h", None),
            ("-1m", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
