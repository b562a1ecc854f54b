//! `castellan book make`: a book from games.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use thiserror::Error;

use super::tally::{Tally, Weights};
use crate::cli::complain;
use crate::formats::pgn::Games;
use crate::output::files;
use crate::output::printer::Printer;
use crate::output::progress;

/// So many broken games are told one by one.
const TOLD_ONE_BY_ONE: u64 = 100;

/// Makes a book from games
///
/// A move weighs two points for every game its side won and one for every draw, unfinished
/// games among them; moves that earned no point are left out. A broken game is named and left
/// out.
#[derive(Debug, clap::Args)]
pub(crate) struct MakeArgs {
    /// Files of games
    #[arg(value_name = "PGN", required = true)]
    games: Vec<PathBuf>,
    /// The book; a file of that name is replaced when the new book is complete
    #[arg(long, value_name = "FILE", default_value = super::USUAL_BOOK)]
    out: PathBuf,
    /// Takes the first N moves of each side
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    depth: u16,
    /// Leaves out moves played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Weighs all moves the same, lost ones too
    #[arg(long)]
    uniform: bool,
}

/// Why there is no book.
#[derive(Debug, Error)]
pub(crate) enum MakeError {
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("'{}' holds the games; give --out another name", path.display())]
    WouldReplaceGames { path: PathBuf },
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(
        "no move is left for the book of {read} games that could be read{}; is --min-games {least} \
         too much?",
        besides(*.broken)
    )]
    Nothing { read: u64, broken: u64, least: u32 },
}

fn besides(broken: u64) -> String {
    match broken {
        0 => String::new(),
        1 => " (1 is broken)".to_owned(),
        _ => format!(" ({broken} are broken)"),
    }
}

/// Reads the games, writes the book and says what is in it.
pub(crate) fn run(args: &MakeArgs, printer: &Printer<io::Stdout>) -> Result<(), MakeError> {
    if args
        .games
        .iter()
        .any(|games| files::is_same(games, &args.out))
    {
        return Err(MakeError::WouldReplaceGames {
            path: args.out.clone(),
        });
    }
    let mut making = Making {
        tally: Tally::default(),
        plies: 2 * usize::from(args.depth),
        read: 0,
        broken: 0,
        bar: progress::bytes(&args.games),
    };
    for path in &args.games {
        making.add_file(path).map_err(|source| MakeError::Read {
            path: path.clone(),
            source,
        })?;
    }
    making.bar.finish_and_clear();
    let Making { read, broken, .. } = making;
    if broken > TOLD_ONE_BY_ONE {
        complain(format_args!("and {} more", broken - TOLD_ONE_BY_ONE));
    }
    let weights = match args.uniform {
        true => Weights::Uniform,
        false => Weights::ByResult,
    };
    let entries = making.tally.into_entries(args.min_games, weights);
    if entries.is_empty() {
        let least = args.min_games;
        return Err(MakeError::Nothing {
            read,
            broken,
            least,
        });
    }
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    files::replace(&args.out, &bytes).map_err(|source| MakeError::Write {
        path: args.out.clone(),
        source,
    })?;
    let positions = entries.chunk_by(|one, other| one.key == other.key).count();
    printer.line(format_args!(
        "{}: {} moves in {positions} positions, from {read} games{}",
        args.out.display(),
        entries.len(),
        besides(broken),
    ));
    Ok(())
}

struct Making {
    tally: Tally,
    plies: usize,
    read: u64,
    broken: u64,
    bar: ProgressBar,
}

impl Making {
    fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let file = self.bar.wrap_read(File::open(path)?);
        let mut games = Games::new(BufReader::with_capacity(1 << 16, file), self.plies);
        while let Some(game) = games.next_game()? {
            match game {
                Ok(game) => {
                    self.tally.add(&game);
                    self.read += 1;
                }
                Err(broken) => {
                    self.broken += 1;
                    if self.broken <= TOLD_ONE_BY_ONE {
                        self.bar
                            .suspend(|| complain(format_args!("{}: {broken}", path.display())));
                    }
                }
            }
        }
        Ok(())
    }
}
