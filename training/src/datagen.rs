//! `castellan-train datagen`: games of the engine against itself, on all cores.
//!
//! A game is known by the run's seed and its number alone, so which thread plays it, and
//! when, changes nothing; a run that was stopped goes on with the numbers it has not played.

mod self_play;

use crate::data::{Appender, DataError, Game, Journal, Left};
use crate::evaluator::{Judge, JudgeArgs, JudgeError};
use indicatif::{ProgressBar, ProgressStyle};
use movegen::{Color, FenError, Position, Variant};
use search::{STACK_BYTES, SearchError, Searcher};
use self_play::{Balance, Manner};
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
    /// File the games are added to; the same command again goes on where it stopped
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Another seed, other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes after which no further iteration is begun; eight times as many end a search
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Openings whose value is further from zero than this are not played
    #[arg(long, default_value_t = 250, value_name = "UNITS")]
    balance: i32,
    #[command(flatten)]
    judge: JudgeArgs,
    /// FENs or EPD lines some of the games begin from
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Stop after so many games of this seed in the file
    #[arg(long)]
    games: Option<u32>,
    /// Stop after so long, as in 90m, 2h, 45s
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Games at a time; default: one for each core
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Debug, Error)]
pub enum DatagenError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("the book {}: {source}", path.display())]
    BookFile {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the book {}, line {line}: {source}", path.display())]
    BookLine {
        path: PathBuf,
        line: usize,
        source: FenError,
    },
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("a thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// Reads `90m`, `2h`, `45s` or a number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, factor) = match text.as_bytes().last() {
        Some(b'h') => (text.trim_end_matches('h'), 3600.0),
        Some(b'm') => (text.trim_end_matches('m'), 60.0),
        _ => (text.trim_end_matches('s'), 1.0),
    };
    let seconds = number.parse::<f64>().map(|number| number * factor);
    seconds
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("\"{text}\" is no time; 90m, 2h and 45s are"))
}

/// Enough that a chunk compresses well.
const GAMES_IN_A_CHUNK: usize = 256;

/// Plays until told to stop, or until a limit is reached.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), DatagenError> {
    let deadline = args.time.map(|time| Instant::now() + time);
    let manner = Manner {
        seed: args.seed,
        soft_nodes: args.nodes,
        balance: Balance {
            nodes: args.nodes.min(1000),
            within: args.balance,
        },
        book: read_books(&args.book)?,
    };
    let judge = Judge::new(&args.judge)?;
    let mut store = Store::open(args, &manner, &judge)?;
    let threads = args
        .threads
        .unwrap_or_else(rayon::current_num_threads)
        .max(1);
    let last = args.games.unwrap_or(u32::MAX);
    let next = AtomicU32::new(0);
    let halt = AtomicBool::new(false);
    let enough = || {
        halt.load(Ordering::Relaxed)
            || stop.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    };
    let searchers: Vec<Searcher> = (0..threads)
        .map(|_| judge.searcher())
        .collect::<Result<_, _>>()?;
    let played = store.played.clone();
    let mut progress = Progress::new(args, played.len());
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Game>(threads * 4);
        for mut searcher in searchers {
            let (sender, next, played, manner, enough) =
                (sender.clone(), &next, &played, &manner, &enough);
            let work = move || play_on(&sender, next, last, played, manner, enough, &mut searcher);
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)?;
        }
        drop(sender);
        let kept = receiver.iter().try_for_each(|game| {
            progress.tell(&game);
            store.keep(game)
        });
        halt.store(true, Ordering::Relaxed);
        drop(receiver);
        Ok::<_, DatagenError>(kept?)
    })?;
    progress.finish();
    Ok(store.close()?)
}

/// One thread's work: the next number nobody has played, until there is enough.
fn play_on(
    sender: &SyncSender<Game>,
    next: &AtomicU32,
    last: u32,
    played: &HashSet<u32>,
    manner: &Manner,
    enough: &dyn Fn() -> bool,
    searcher: &mut Searcher,
) {
    while !enough() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= last {
            break;
        }
        if played.contains(&number) {
            continue;
        }
        if sender
            .send(self_play::play(number, manner, searcher))
            .is_err()
        {
            break;
        }
    }
}

/// Where finished games go: first the journal, then, some hundred at a time, the file.
struct Store {
    file: Appender,
    journal: Journal,
    recipe: String,
    /// Numbers of the games of this recipe that are there.
    played: HashSet<u32>,
    waiting: Vec<Game>,
}

impl Store {
    fn open(args: &Args, manner: &Manner, judge: &Judge) -> Result<Self, DatagenError> {
        let recipe = recipe(args, manner, judge);
        let left = Left::beside(&args.out)?;
        let mut played = HashSet::new();
        let mut written = HashSet::new();
        let mut file = Appender::open(&args.out, |chunk| {
            let (ours, of_the_left) = (chunk.recipe()? == recipe, chunk.recipe()? == left.recipe);
            if ours || of_the_left {
                let numbers: Vec<u32> = chunk.games()?.iter().map(|game| game.number).collect();
                played.extend(numbers.iter().filter(|_| ours));
                written.extend(numbers.iter().filter(|_| of_the_left));
            }
            Ok(())
        })?;
        // Killed between writing a chunk and clearing the journal, it left games twice.
        let missing: Vec<Game> = left
            .games
            .into_iter()
            .filter(|game| written.insert(game.number))
            .collect();
        if !missing.is_empty() {
            file.append(&left.recipe, &missing)?;
            if left.recipe == recipe {
                played.extend(missing.iter().map(|game| game.number));
            }
        }
        let journal = Journal::begin(&args.out, &recipe)?;
        Ok(Self {
            file,
            journal,
            recipe,
            played,
            waiting: Vec::new(),
        })
    }

    fn keep(&mut self, game: Game) -> Result<(), DataError> {
        self.journal.write(&game)?;
        self.waiting.push(game);
        if self.waiting.len() >= GAMES_IN_A_CHUNK {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), DataError> {
        if !self.waiting.is_empty() {
            self.file.append(&self.recipe, &self.waiting)?;
            self.waiting.clear();
        }
        self.journal.clear()
    }

    fn close(mut self) -> Result<(), DataError> {
        self.write()?;
        self.journal.remove()
    }
}

/// How the games are made, in words: what a reader of the file has to know, and what tells
/// the games of two runs apart.
fn recipe(args: &Args, manner: &Manner, judge: &Judge) -> String {
    let mut recipe = format!(
        "{}; seed {}; {} nodes; openings within {} after {}",
        judge.words, args.seed, args.nodes, args.balance, manner.balance.nodes,
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
        let text = fs::read_to_string(path).map_err(|source| DatagenError::BookFile {
            path: path.clone(),
            source,
        })?;
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

struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// Games of this run that were there before.
    before: usize,
    games: u64,
    positions: u64,
    /// Won by White, drawn, won by Black.
    results: [u64; 3],
}

impl Progress {
    fn new(args: &Args, before: usize) -> Self {
        // Hidden by itself where standard error is no terminal.
        let (bar, template) = match args.games {
            Some(games) => (
                ProgressBar::new(games.into()),
                "{bar:24} {pos}/{len} games  {msg}  {eta} to go",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {pos} games  {msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(before as u64);
        bar.enable_steady_tick(Duration::from_millis(500));
        Self {
            bar,
            started: Instant::now(),
            before,
            games: 0,
            positions: 0,
            results: [0; 3],
        }
    }

    fn tell(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        let result = match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        self.results[result] += 1;
        self.bar.inc(1);
        self.bar.set_message(self.text());
    }

    fn text(&self) -> String {
        let per = |count: u64, whole: f64| count as f64 / whole.max(1e-9);
        let [white, drawn, black] = self
            .results
            .map(|count| 100.0 * per(count, self.games as f64));
        format!(
            "{} positions, {:.0}/s, W/D/L {white:.0}/{drawn:.0}/{black:.0} %, {:.0} plies a game",
            self.positions,
            per(self.positions, self.started.elapsed().as_secs_f64()),
            per(self.positions, self.games as f64),
        )
    }

    fn finish(self) {
        self.bar.finish_and_clear();
        println!("{} games: {}", self.games, self.text());
        if self.before > 0 {
            println!("{} games were there before", self.before);
        }
    }
}
