//! `castellan-train datagen`: self-play on all cores.
//!
//! A game is determined by the run's seed and its number, not by the thread that plays it or
//! when; an interrupted run resumes with the numbers it has not played.

mod self_play;
mod starts;
mod store;

use crate::adjudication;
use crate::data::GameRecord;
use crate::files::GameResults;
use crate::progress;
use crate::progress::output_error;
use crate::scorer::{NodeSearcher, Scorer, SearchArgs, file_name};
use anyhow::{Context, Result};
use common::files as common_files;
use common::lock::OutputLock;
use starts::Starts;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};
use store::Store;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Game file to append to; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Reject openings scored outside ±UNITS
    #[arg(long, default_value_t = 250, value_name = "UNITS")]
    #[arg(value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// Opening book (FEN or EPD) for some of the games; may be repeated
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Play fragments, 6 to 10 plies from random positions of these games, instead of whole games;
    /// may be repeated
    #[arg(long, value_name = "GAMES")]
    fragments: Vec<PathBuf>,
    /// Percentage of games that start from a double Chess960 position
    #[arg(long, default_value_t = 8, value_name = "PERCENT")]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=100))]
    chess960: u8,
    /// Stop once the file has this many games with this seed
    #[arg(long)]
    games: Option<u32>,
    /// Stop after this time, for example 90m, 2h or 45s
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[command(flatten)]
    search: SearchArgs,
}

impl Args {
    /// The numbers of the games to play.
    fn numbers(&self) -> Range<u32> {
        0..self.games.unwrap_or(u32::MAX)
    }

    /// Soft node limit of the search that scores an opening.
    fn opening_nodes(&self) -> u64 {
        self.search.nodes.min(1000)
    }
}

/// Parses `90m`, `2h`, `45s` or a number of seconds.
fn duration(text: &str) -> Result<Duration> {
    let (number, unit) = match text.as_bytes().last() {
        Some(b'h') => (text.trim_end_matches('h'), 3600.0),
        Some(b'm') => (text.trim_end_matches('m'), 60.0),
        _ => (text.trim_end_matches('s'), 1.0),
    };
    let seconds = number.parse::<f64>().map(|number| number * unit);
    seconds
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .context("expected a time, for example 90m, 2h or 45s")
}

/// Plays until stopped, or until a limit is reached.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    let inputs = args.book.iter().chain(&args.fragments);
    common_files::check_output(&args.out, inputs.chain(args.search.net()))?;
    let _lock = OutputLock::acquire(&args.out)?;
    let starts = Starts::read(&args.book, &args.fragments)?;
    let scorer = Scorer::new(&args.search)?;
    play_games(args, &starts, &scorer, stop)
}

fn play_games(args: &Args, starts: &Starts, scorer: &Scorer, stop: &AtomicBool) -> Result<()> {
    // A time beyond the clock's range never comes.
    let deadline = args.time.and_then(|time| Instant::now().checked_add(time));
    let mut store = Store::open(&args.out, recipe(args, scorer), args.numbers())?;
    let pool = args.search.pool()?;
    let threads = pool.current_num_threads();
    let searchers: Vec<NodeSearcher> = (0..threads)
        .map(|_| scorer.searcher())
        .collect::<Result<_, _>>()?;
    let failed = AtomicBool::new(false);
    let is_stopped = || {
        failed.load(Ordering::Relaxed)
            || stop.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    };
    // There may be billions of numbers, of which few are played.
    let wanted = args.numbers();
    let played = store.played.iter();
    let played = played.filter(|number| wanted.contains(number)).count();
    let numbers = Mutex::new(store.unplayed());
    let next_number = || numbers.lock().ok()?.next();
    let template = match args.games {
        Some(_) => "{pos}/{len} games  {msg}  {eta} left",
        None => "{pos} games  {msg}",
    };
    let bar = progress::bar(args.games.map(u64::from), template);
    bar.set_position(played as u64);
    let mut totals = Totals::default();
    let started = Instant::now();
    pool.in_place_scope(|scope| {
        let (sender, receiver) = sync_channel(threads * 4);
        for mut searcher in searchers {
            let sender = sender.clone();
            let (is_stopped, next_number) = (&is_stopped, &next_number);
            scope.spawn(move |_| {
                while !is_stopped() {
                    let Some(number) = next_number() else {
                        return;
                    };
                    searcher.nodes = 0;
                    let game = self_play::play(number, args, starts, &mut searcher, is_stopped);
                    let Some(game) = game else {
                        return;
                    };
                    if sender.send((game, searcher.nodes)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let stored = receiver.iter().try_for_each(|(game, nodes)| {
            totals.add(&game, nodes, started.elapsed());
            bar.inc(1);
            bar.set_message(totals.to_string());
            store.add(game)
        });
        failed.store(true, Ordering::Relaxed);
        stored
    })?;
    bar.finish_and_clear();
    store.close()?;
    let mut text = format!("{} games: {totals}\n", totals.results.games());
    if played > 0 {
        text += &format!("{played} games were already in the file\n");
    }
    let written = io::stdout().write_all(text.as_bytes());
    written.map_err(|error| output_error(&error))
}

/// Statistics of the games played so far.
#[derive(Default)]
struct Totals {
    time: Duration,
    positions: usize,
    nodes: u64,
    results: GameResults,
}

impl Totals {
    fn add(&mut self, game: &GameRecord, nodes: u64, time: Duration) {
        self.time = time;
        self.nodes += nodes;
        self.positions += game.moves.len();
        self.results.count(game);
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions as f64;
        let seconds = self.time.as_secs_f64().max(1e-9);
        write!(
            f,
            "{} positions, {:.0}/s, {:.0} nodes/s, {:.0} plies per game, {}",
            self.positions,
            positions / seconds,
            self.nodes as f64 / seconds,
            positions / self.results.games().max(1) as f64,
            self.results,
        )
    }
}

/// The recipe of the games. Identifies the run, which resumes only with the same text.
fn recipe(args: &Args, scorer: &Scorer) -> String {
    let mut recipe = format!(
        "{}; seed {}; {} nodes; openings by piece, within {} after {}, {} % double Chess960; {}",
        scorer.description,
        args.seed,
        args.search.nodes,
        args.balance,
        args.opening_nodes(),
        args.chess960,
        adjudication::RULES,
    );
    for (kind, paths) in [("book", &args.book), ("fragments from", &args.fragments)] {
        for path in paths {
            recipe += &format!("; {kind} {}", file_name(path));
        }
    }
    recipe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::read_all;
    use movegen::{Color, Position};
    use test_common::TempDir;

    fn args(directory: &TempDir, games: u32) -> Args {
        Args {
            out: directory.directory().join("games"),
            seed: 1,
            balance: 300,
            book: Vec::new(),
            fragments: Vec::new(),
            chess960: 0,
            games: Some(games),
            time: None,
            search: SearchArgs::for_tests(40),
        }
    }

    /// The games in the file after a run.
    fn play(args: &Args, starts: &Starts) -> Vec<GameRecord> {
        let stop = AtomicBool::new(false);
        play_games(args, starts, &Scorer::for_tests(), &stop).unwrap();
        read_all(&args.out).unwrap()
    }

    #[test]
    fn another_seed_adds_other_games_to_the_file() {
        const GAMES: usize = 6;
        let directory = TempDir::new("datagen");
        let [one, both] = [1, 2].map(|seed| {
            let args = Args {
                seed,
                balance: 250,
                chess960: 25,
                ..args(&directory, GAMES as u32)
            };
            play(&args, &Starts::default())
        });
        assert_eq!(one.len(), GAMES);
        assert_eq!(both[..GAMES], one);
        assert_eq!(both.len(), 2 * GAMES);
        assert!(both[GAMES..].iter().all(|game| !one.contains(game)));
    }

    #[test]
    fn fragments_are_short_and_have_no_result() {
        let directory = TempDir::new("fragments");
        let starts = Starts {
            book: Vec::new(),
            games: (0..4)
                .map(|number| GameRecord::random(number, Position::default()))
                .collect(),
        };
        let fragments = play(&args(&directory, 20), &starts);
        assert_eq!(fragments.len(), 20);
        assert!(fragments.iter().any(|game| game.moves.len() >= 6));
        for fragment in fragments {
            assert!(fragment.moves.len() <= 10);
            assert_eq!(fragment.result_for(Color::White), None);
        }
    }

    #[test]
    fn the_search_for_an_opening_ends_with_the_time() {
        let directory = TempDir::new("openings");
        let args = Args {
            // No opening is balanced.
            balance: -1,
            time: Some(Duration::from_millis(100)),
            ..args(&directory, 1)
        };
        assert_eq!(play(&args, &Starts::default()), []);
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
