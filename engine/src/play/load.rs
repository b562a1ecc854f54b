//! Games from files: one that was saved, or the first of a PGN.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::journal::{JournalError, Kept};
use super::table::{Beginning, Entry, Refusal, Table};
use crate::formats::pgn::{Games, InvalidGame};
use common::args::Side;

/// Why there is no game to go on with.
#[derive(Debug, Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot load '{}': {broken}", path.display())]
    Broken { path: PathBuf, broken: InvalidGame },
    #[error("cannot load '{}': move {number}: {refusal}", path.display())]
    Refused {
        path: PathBuf,
        number: usize,
        refusal: Refusal,
    },
    #[error("there is no game in '{}'", path.display())]
    Empty { path: PathBuf },
}

/// What leads to the file's game; all of it can be done. A PGN does not say whose moves a
/// person makes.
pub(super) fn entries(path: &Path, side: Side) -> Result<Vec<Entry>, LoadError> {
    let entries = match Kept::read(path) {
        Ok(kept) => kept.entries,
        Err(JournalError::NoGame { .. }) => from_pgn(path, side)?,
        Err(error) => return Err(error.into()),
    };
    match entries.is_empty() {
        true => Err(LoadError::Empty { path: path.into() }),
        false => Ok(entries),
    }
}

fn from_pgn(path: &Path, side: Side) -> Result<Vec<Entry>, LoadError> {
    let unreadable = |source| LoadError::Read {
        path: path.into(),
        source,
    };
    let file = File::open(path).map_err(unreadable)?;
    let mut games = Games::new(BufReader::new(file), usize::MAX);
    let Some(game) = games.next_game().map_err(unreadable)? else {
        return Ok(Vec::new());
    };
    let game = game.map_err(|broken| LoadError::Broken {
        path: path.into(),
        broken,
    })?;
    let variant = game.variant;
    let beginning = Beginning {
        start: game.start,
        variant,
        side,
    };
    let mut tried = Table::new(beginning);
    let mut entries = vec![Entry::Begin(Box::new(beginning))];
    for (mv, number) in game.moves().zip(1..) {
        let entry = Entry::Move { mv, variant };
        // A record may go on where the rules have ended the game.
        tried.apply(&entry).map_err(|refusal| LoadError::Refused {
            path: path.into(),
            number,
            refusal,
        })?;
        entries.push(entry);
    }
    Ok(entries)
}
