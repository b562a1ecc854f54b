//! Reads games from files and splits them into chunks small enough that a single game keeps
//! several jobs busy. Reports invalid games and skips them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use movegen::Variant;
use thiserror::Error;

use crate::formats::pgn::{Games, InvalidGame, Record};
use crate::output::warn;

/// The number of positions in a chunk.
const CHUNK_POSITIONS: usize = 8;

/// The number of invalid games that are reported one by one.
const MAX_REPORTED_GAMES: u64 = 100;

#[derive(Debug, Error)]
#[error("cannot read {}: {source}", display(path))]
pub(crate) struct ReadError {
    path: PathBuf,
    source: io::Error,
}

/// A game and its number among all games, including invalid ones.
#[derive(Debug, Clone)]
pub(super) struct NumberedGame {
    pub(super) number: u64,
    pub(super) record: Record,
}

/// Successive positions of a game; position 0 is before the first move.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) game: Arc<NumberedGame>,
    pub(super) start: usize,
    /// Exclusive.
    pub(super) end: usize,
}

impl Chunk {
    pub(super) fn is_last(&self) -> bool {
        self.end > self.game.record.moves().len()
    }
}

pub(super) struct GameChunks {
    files: VecDeque<PathBuf>,
    open: Option<(PathBuf, Games<Box<dyn BufRead + Send>>)>,
    /// The game that is being split, and the start of its next chunk.
    current: Option<(Arc<NumberedGame>, usize)>,
    /// The variant of games without a `Variant` tag.
    variant: Variant,
    bar: ProgressBar,
    games: u64,
    invalid: u64,
}

const STDIN: &str = "-";

fn display(path: &Path) -> String {
    match path.to_str() {
        Some(STDIN) => "standard input".to_owned(),
        _ => format!("'{}'", path.display()),
    }
}

impl GameChunks {
    /// Fails if the first file cannot be opened.
    pub(super) fn new(
        paths: &[PathBuf],
        variant: Variant,
        bar: ProgressBar,
    ) -> Result<GameChunks, ReadError> {
        let mut files: VecDeque<PathBuf> = paths.iter().cloned().collect();
        if files.is_empty() {
            files.push_back(PathBuf::from(STDIN));
        }
        let mut chunks = GameChunks {
            files,
            open: None,
            current: None,
            variant,
            bar,
            games: 0,
            invalid: 0,
        };
        chunks.open_next()?;
        Ok(chunks)
    }

    /// Returns the number of games read so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    pub(super) fn invalid_games(&self) -> u64 {
        self.invalid
    }

    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let (game, start) = match self.current.take() {
            Some(current) => current,
            None => match self.next_game()? {
                Some(game) => (Arc::new(game), 0),
                None => return Ok(None),
            },
        };
        let positions = game.record.moves().len() + 1;
        let end = positions.min(start + CHUNK_POSITIONS);
        if end < positions {
            self.current = Some((Arc::clone(&game), end));
        }
        Ok(Some(Chunk { game, start, end }))
    }

    fn next_game(&mut self) -> Result<Option<NumberedGame>, ReadError> {
        while let Some((path, games)) = &mut self.open {
            let game = games.next_game().map_err(|source| ReadError {
                path: path.clone(),
                source,
            })?;
            self.games += u64::from(game.is_some());
            match game {
                None => self.open_next()?,
                Some(Ok(record)) => {
                    let number = self.games;
                    return Ok(Some(NumberedGame { number, record }));
                }
                Some(Err(error)) => {
                    let path = display(path);
                    self.report(&path, &error);
                }
            }
        }
        Ok(None)
    }

    fn report(&mut self, path: &str, error: &InvalidGame) {
        self.invalid += 1;
        let limit = MAX_REPORTED_GAMES;
        if self.invalid <= limit {
            self.bar.suspend(|| warn(format_args!("{path}: {error}")));
        } else if self.invalid == limit + 1 {
            self.bar
                .suspend(|| warn("further invalid games are not reported"));
        }
    }

    fn open_next(&mut self) -> Result<(), ReadError> {
        self.open = None;
        if let Some(path) = self.files.pop_front() {
            let input = self.open_file(&path).map_err(|source| ReadError {
                path: path.clone(),
                source,
            })?;
            self.open = Some((path, Games::annotated(input, self.variant)));
        }
        Ok(())
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
        if path.as_os_str() == STDIN {
            return Ok(Box::new(BufReader::new(io::stdin())));
        }
        let file = self.bar.wrap_read(File::open(path)?);
        Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
    }
}
