//! `castellan-train datagen`: self-play on all cores.
//!
//! A game is determined by the run's seed and its number, not by the thread that plays it or
//! when; an interrupted run resumes with the numbers it has not played.

mod self_play;

use crate::adjudication;
use crate::data::{ChunkWriter, DataError, GameRecord, GamesJournal, chunks};
use crate::files::GameResults;
use crate::progress;
use crate::scorer::{GamesError, NodeSearcher, Scorer, SearchArgs};
use common::files as common_files;
use common::lock::OutputLock;
use movegen::{Position, Variant};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

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
    balance: i32,
    /// Opening book (FEN or EPD) for some of the games; may be repeated
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Play fragments, 16 to 24 plies from random positions of these games, instead of whole games;
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
        .ok_or_else(|| "expected a time, for example 90m, 2h or 45s".to_owned())
}

/// Plays until stopped, or until a limit is reached.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), GamesError> {
    let inputs = args.book.iter().chain(&args.fragments);
    common_files::check_output(&args.out, inputs.chain(args.search.net()))?;
    let _lock = OutputLock::acquire(&args.out)?;
    let starts = Starts {
        book: read_books(&args.book)?,
        games: read_games(&args.fragments)?,
    };
    let scorer = Scorer::new(&args.search)?;
    play_games(args, &starts, &scorer, stop)
}

fn play_games(
    args: &Args,
    starts: &Starts,
    scorer: &Scorer,
    stop: &AtomicBool,
) -> Result<(), GamesError> {
    let deadline = args.time.map(|time| Instant::now() + time);
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
                    let game = self_play::play(number, args, starts, &mut searcher);
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
    println!("{} games: {totals}", totals.results.games());
    if played > 0 {
        println!("{played} games were already in the file");
    }
    Ok(store.close()?)
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

/// Stores finished games: in the journal at once, in the file a few hundred at a time. A file has
/// its games in the order of their numbers, whichever ends first: an uninterrupted run writes the
/// same file on any number of threads.
struct Store {
    file: ChunkWriter,
    journal: GamesJournal,
    recipe: String,
    /// The numbers of the run that are not in a chunk, nor in `next`.
    left: Range<u32>,
    /// The numbers of the games of the next chunk.
    next: Vec<u32>,
    /// Numbers of the games of this recipe that were in the file at the start.
    played: HashSet<u32>,
    /// Games in the journal.
    pending: BTreeMap<u32, GameRecord>,
}

impl Store {
    /// Opens or creates the file, and moves the games of an interrupted run's journal to it.
    fn open(out: &Path, recipe: String, numbers: Range<u32>) -> Result<Self, DataError> {
        let recovered = GamesJournal::recover(out)?;
        let mut played = HashSet::new();
        let mut recovered_played = HashSet::new();
        let mut file = ChunkWriter::open(out, |chunk| {
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
        let mut store = Self {
            file,
            journal: GamesJournal::create(out, &recipe)?,
            recipe,
            left: numbers,
            next: Vec::new(),
            played,
            pending: BTreeMap::new(),
        };
        store.next = store.next_chunk();
        Ok(store)
    }

    /// The numbers of the run that were not in the file at the start.
    fn unplayed(&self) -> impl Iterator<Item = u32> + use<> {
        let played = self.played.clone();
        let first = self.next.first().copied().unwrap_or(self.left.start);
        (first..self.left.end).filter(move |number| !played.contains(number))
    }

    /// Takes the numbers of a chunk: enough games to compress well.
    fn next_chunk(&mut self) -> Vec<u32> {
        const CHUNK: usize = 256;
        let (left, played) = (&mut self.left, &self.played);
        left.filter(|number| !played.contains(number))
            .take(CHUNK)
            .collect()
    }

    fn add(&mut self, game: GameRecord) -> Result<(), DataError> {
        self.journal.write(&game)?;
        self.pending.insert(game.number, game);
        while !self.next.is_empty()
            && self
                .next
                .iter()
                .all(|number| self.pending.contains_key(number))
        {
            let after = self.next.last().map_or(u32::MAX, |last| last + 1);
            let rest = self.pending.split_off(&after);
            self.write_pending()?;
            self.pending = rest;
            self.next = self.next_chunk();
            self.journal.clear()?;
            for game in self.pending.values() {
                self.journal.write(game)?;
            }
        }
        Ok(())
    }

    /// Writes the pending games as a chunk.
    fn write_pending(&mut self) -> Result<(), DataError> {
        let games: Vec<GameRecord> = std::mem::take(&mut self.pending).into_values().collect();
        if !games.is_empty() {
            self.file.append(&self.recipe, &games)?;
        }
        Ok(())
    }

    fn close(mut self) -> Result<(), DataError> {
        self.write_pending()?;
        Ok(self.journal.remove()?)
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
    for path in &args.book {
        let name = path.file_name().unwrap_or(path.as_os_str());
        recipe += &format!("; book {}", name.display());
    }
    for path in &args.fragments {
        let name = path.file_name().unwrap_or(path.as_os_str());
        recipe += &format!("; fragments from {}", name.display());
    }
    recipe
}

/// The starts of games, besides the initial position and those of Chess960.
#[derive(Default)]
struct Starts {
    book: Vec<Position>,
    /// Games to play fragments from; whole games are played if there are none.
    games: Vec<GameRecord>,
}

fn read_games(files: &[PathBuf]) -> Result<Vec<GameRecord>, DataError> {
    let mut games = Vec::new();
    for chunk in chunks(files) {
        games.extend(chunk?.games()?);
    }
    games.retain(|game| !game.moves.is_empty());
    Ok(games)
}

const MOST_BOOK_BYTES: u64 = 1 << 30;

fn read_books(paths: &[PathBuf]) -> Result<Vec<Position>, GamesError> {
    let mut book = Vec::new();
    for path in paths {
        let bytes = common_files::read(path, MOST_BOOK_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        for (text, line) in text.lines().zip(1..) {
            if text.trim().is_empty() {
                continue;
            }
            let position = Position::from_fen(text.trim(), Variant::Chess960);
            book.push(position.map_err(|source| GamesError::BookLine {
                path: path.clone(),
                line,
                source,
            })?);
        }
    }
    Ok(book)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ChunkReader;
    use crate::data::tests::read_all;
    use movegen::Color;
    use test_common::TempDir;

    fn game(number: u32) -> GameRecord {
        GameRecord {
            moves: Vec::new(),
            ..game_of_random_moves(number)
        }
    }

    fn game_of_random_moves(number: u32) -> GameRecord {
        GameRecord::random(number, Position::default())
    }

    #[test]
    fn interrupted_runs_leave_every_finished_game_once() {
        let directory = TempDir::new("datagen");
        let out = directory.directory().join("games");
        let open = |recipe: &str| Store::open(&out, recipe.to_owned(), 0..1000).unwrap();
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
        store.write_pending().unwrap();
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

        let chunks = ChunkReader::open(&out).unwrap();
        let counts: Vec<usize> = chunks.map(|chunk| chunk.unwrap().game_count()).collect();
        assert_eq!(counts, [2, 1, 1]);
    }

    #[test]
    fn games_are_stored_in_the_order_of_their_numbers() {
        let directory = TempDir::new("datagen");
        let store = |name: &str, numbers: &mut dyn Iterator<Item = u32>| {
            let out = directory.directory().join(name);
            let mut store = Store::open(&out, "one".to_owned(), 0..600).unwrap();
            numbers.for_each(|number| store.add(game(number)).unwrap());
            store.close().unwrap();
            read_all(&out).unwrap();
            std::fs::read(&out).unwrap()
        };
        let in_order = store("in order", &mut (0..600));
        // As threads finish them: each game up to seven places late.
        let late = |number: u32| (number / 8 * 8) + 7 - number % 8;
        assert!(store("late", &mut (0..600).map(late)) == in_order);
        assert!(store("last first", &mut (0..600).rev()) == in_order);
    }

    #[test]
    fn another_seed_adds_other_games_to_the_file() {
        const GAMES: usize = 6;
        let directory = TempDir::new("datagen");
        let out = directory.directory().join("games");
        let play = |seed| {
            let args = Args {
                out: out.clone(),
                seed,
                balance: 250,
                book: Vec::new(),
                fragments: Vec::new(),
                chess960: 25,
                games: Some(GAMES as u32),
                time: None,
                search: SearchArgs::for_tests(40),
            };
            let stop = AtomicBool::new(false);
            play_games(&args, &Starts::default(), &Scorer::for_tests(), &stop).unwrap();
            read_all(&out).unwrap()
        };
        let (one, both) = (play(1), play(2));
        assert_eq!(one.len(), GAMES);
        assert_eq!(both[..GAMES], one);
        assert_eq!(both.len(), 2 * GAMES);
        assert!(both[GAMES..].iter().all(|game| !one.contains(game)));
    }

    #[test]
    fn fragments_are_short_and_have_no_result() {
        let directory = TempDir::new("fragments");
        let out = directory.directory().join("games");
        let args = Args {
            out: out.clone(),
            seed: 1,
            balance: 300,
            book: Vec::new(),
            fragments: Vec::new(),
            chess960: 0,
            games: Some(20),
            time: None,
            search: SearchArgs::for_tests(40),
        };
        let starts = Starts {
            book: Vec::new(),
            games: (0..4).map(game_of_random_moves).collect(),
        };
        let stop = AtomicBool::new(false);
        play_games(&args, &starts, &Scorer::for_tests(), &stop).unwrap();
        let fragments = read_all(&out).unwrap();
        assert_eq!(fragments.len(), 20);
        assert!(fragments.iter().any(|game| game.moves.len() >= 16));
        for fragment in fragments {
            assert!(fragment.moves.len() <= 24);
            assert_eq!(fragment.result_for(Color::White), None);
        }
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
