//! Games from files, one after the other, and in pieces small enough that one game keeps several
//! jobs busy. Says what is wrong with the broken ones, and goes on behind them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use movegen::Variant;
use thiserror::Error;

use crate::formats::pgn::{Games, Record};
use crate::output::warn;

/// Positions that are judged one after the other, each helped by what is known of the next.
const POSITIONS_A_PIECE: usize = 8;

/// So many broken games are told one by one.
const TOLD_ONE_BY_ONE: u64 = 100;

/// Why games cannot be had.
#[derive(Debug, Error)]
#[error("cannot read {}: {source}", named(path))]
pub(crate) struct SourceError {
    path: PathBuf,
    source: io::Error,
}

/// A game and which it is of all that were read, the broken ones counted.
#[derive(Debug, Clone)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) record: Record,
}

/// Some positions of a game, the start being number 0.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) game: Arc<Numbered>,
    pub(super) from: usize,
    /// The first one that is not of this piece.
    pub(super) to: usize,
}

impl Piece {
    pub(super) fn is_last(&self) -> bool {
        self.to > self.game.record.moves().len()
    }
}

pub(super) struct Source {
    files: VecDeque<PathBuf>,
    open: Option<(PathBuf, Games<Box<dyn BufRead + Send>>)>,
    /// The game that is being taken apart, and where its next piece begins.
    current: Option<(Arc<Numbered>, usize)>,
    /// Of games that do not name theirs.
    variant: Variant,
    bar: ProgressBar,
    games: u64,
    broken: u64,
}

const STANDARD_INPUT: &str = "-";

fn named(path: &Path) -> String {
    match path.to_str() {
        Some(STANDARD_INPUT) => "standard input".to_owned(),
        _ => format!("'{}'", path.display()),
    }
}

impl Source {
    /// Fails when the first file cannot be opened.
    pub(super) fn new(
        paths: &[PathBuf],
        variant: Variant,
        bar: ProgressBar,
    ) -> Result<Source, SourceError> {
        let mut source = Source {
            files: paths.iter().cloned().collect(),
            open: None,
            current: None,
            variant,
            bar,
            games: 0,
            broken: 0,
        };
        if source.files.is_empty() {
            source.files.push_back(PathBuf::from(STANDARD_INPUT));
        }
        source.open_next()?;
        Ok(source)
    }

    /// How many there were.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    pub(super) fn broken(&self) -> u64 {
        self.broken
    }

    pub(super) fn next_piece(&mut self) -> Result<Option<Piece>, SourceError> {
        let (game, from) = match self.current.take() {
            Some(current) => current,
            None => match self.next_game()? {
                Some(game) => (Arc::new(game), 0),
                None => return Ok(None),
            },
        };
        let positions = game.record.moves().len() + 1;
        let to = positions.min(from + POSITIONS_A_PIECE);
        if to < positions {
            self.current = Some((Arc::clone(&game), to));
        }
        Ok(Some(Piece { game, from, to }))
    }

    fn next_game(&mut self) -> Result<Option<Numbered>, SourceError> {
        while let Some((path, games)) = &mut self.open {
            let game = games.next_game().map_err(|source| SourceError {
                path: path.clone(),
                source,
            })?;
            match game {
                None => self.open_next()?,
                Some(Ok(record)) => {
                    self.games += 1;
                    let number = self.games;
                    return Ok(Some(Numbered { number, record }));
                }
                Some(Err(broken)) => {
                    self.games += 1;
                    self.broken += 1;
                    let path = named(path);
                    match self.broken {
                        ..=TOLD_ONE_BY_ONE => {
                            self.bar.suspend(|| warn(format_args!("{path}: {broken}")));
                        }
                        _ if self.broken == TOLD_ONE_BY_ONE + 1 => {
                            self.bar
                                .suspend(|| warn("further broken games are only counted"));
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(None)
    }

    fn open_next(&mut self) -> Result<(), SourceError> {
        self.open = match self.files.pop_front() {
            None => None,
            Some(path) => {
                let input = self.input(&path).map_err(|source| SourceError {
                    path: path.clone(),
                    source,
                })?;
                Some((path, Games::annotated(input, self.variant)))
            }
        };
        Ok(())
    }

    fn input(&self, path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
        if path.as_os_str() == STANDARD_INPUT {
            return Ok(Box::new(BufReader::new(io::stdin())));
        }
        let file = self.bar.wrap_read(File::open(path)?);
        Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
    }
}
