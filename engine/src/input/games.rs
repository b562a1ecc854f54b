//! Games as the input of a command: PGN files or standard input, one after the other. Reports
//! invalid games and skips them.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use indicatif::ProgressBar;
use movegen::Variant;

use crate::input::{self, ReadError, STDIN, quoted};
use crate::output::warn;
use formats::pgn::{Games, Record};

/// The number of faults of games that are reported one by one.
const MAX_REPORTED_GAMES: u64 = 100;

type PgnFile = Games<Box<dyn BufRead + Send>>;

/// The games of some files.
pub(crate) struct InputGames {
    files: VecDeque<PathBuf>,
    current: Option<(PathBuf, PgnFile)>,
    /// That of games without a `Variant` tag.
    variant: Option<Variant>,
    bar: ProgressBar,
    /// The bytes of the input that have been read, and those with the ends of the games that are
    /// not skipped, from 1.
    bytes: u64,
    pub(crate) part: RangeInclusive<u64>,
    count: GameCount,
    reported: u64,
}

/// The number of games read so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GameCount {
    /// Including the invalid ones.
    pub(crate) total: u64,
    pub(crate) invalid: u64,
    skipped: u64,
    /// The length of the last one in the input.
    pub(crate) bytes: u64,
}

impl InputGames {
    /// Fails if a file cannot be read. Messages do not disturb the bar.
    pub(crate) fn open(
        paths: &[PathBuf],
        bar: ProgressBar,
        variant: Option<Variant>,
    ) -> Result<Self, ReadError> {
        for path in paths {
            input::check(path)?;
        }
        let mut files: VecDeque<PathBuf> = paths.iter().cloned().collect();
        if files.is_empty() {
            files.push_back(PathBuf::from(STDIN));
        }
        let mut games = Self {
            files,
            current: None,
            variant,
            bar,
            bytes: 0,
            part: 1..=u64::MAX,
            count: GameCount::default(),
            reported: 0,
        };
        games.open_next()?;
        Ok(games)
    }

    pub(crate) fn count(&self) -> GameCount {
        self.count
    }

    /// Returns the next valid game; reports the others, and what of it was not kept.
    pub(crate) fn next_game(&mut self) -> Result<Option<Record>, ReadError> {
        while self.bytes < *self.part.end()
            && let Some((path, games)) = &mut self.current
        {
            let before = games.bytes();
            let Some(game) = games.next_game().map_err(ReadError::of(path))? else {
                self.open_next()?;
                continue;
            };
            self.count.total += 1;
            self.count.bytes = games.bytes() - before;
            self.bytes += self.count.bytes;
            if !self.part.contains(&self.bytes) {
                self.count.skipped += 1;
                self.bar.inc(self.count.bytes);
                continue;
            }
            let (path, number) = (quoted(path), self.count.total);
            match game {
                Ok(record) => {
                    for warning in &record.warnings {
                        self.report(&format!("{path}: game {number}: {warning}"));
                    }
                    return Ok(Some(record));
                }
                Err(error) => {
                    self.count.invalid += 1;
                    self.bar.inc(self.count.bytes);
                    self.report(&format!("{path}: {error}"));
                }
            }
        }
        Ok(None)
    }

    fn report(&mut self, message: &str) {
        self.reported += 1;
        if self.reported <= MAX_REPORTED_GAMES {
            self.bar.suspend(|| warn(message));
        } else if self.reported == MAX_REPORTED_GAMES + 1 {
            self.bar
                .suspend(|| warn("further invalid games are not reported"));
        }
    }

    fn open_next(&mut self) -> Result<(), ReadError> {
        self.current = None;
        if let Some(path) = self.files.pop_front() {
            let input = input::open(&path, "games in PGN")?;
            let input = BufReader::with_capacity(1 << 16, input);
            self.current = Some((path, Games::new(Box::new(input), self.variant)));
        }
        Ok(())
    }
}

impl GameCount {
    pub(crate) fn valid(self) -> u64 {
        self.total - self.invalid
    }

    pub(crate) fn check(self) -> Result<()> {
        let Self { total, invalid, .. } = self;
        match invalid {
            0 => Ok(()),
            _ => Err(anyhow!(
                "invalid games: {invalid} of {}",
                total - self.skipped
            )),
        }
    }
}
