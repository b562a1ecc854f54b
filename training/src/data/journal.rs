//! Games finished but not yet in a chunk, each written down as soon as it ends, so that a
//! program killed at any moment loses at most the games in hand.

use super::chunk;
use super::error::DataError;
use super::game::Game;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    recipe: String,
}

/// What an earlier program left.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) recipe: String,
    pub(crate) games: Vec<Game>,
}

impl Left {
    /// What the journal beside a file of games holds.
    pub(crate) fn beside(games: &Path) -> Result<Self, DataError> {
        let path = path_beside(games);
        match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            read => Ok(recover(&read.map_err(DataError::at(&path))?)),
        }
    }
}

impl Journal {
    /// An empty journal beside a file of games.
    pub(crate) fn begin(games: &Path, recipe: &str) -> Result<Self, DataError> {
        let path = path_beside(games);
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .map_err(DataError::at(&path))?;
        let mut journal = Self {
            file,
            path,
            recipe: recipe.to_string(),
        };
        journal.clear()?;
        Ok(journal)
    }

    pub(crate) fn write(&mut self, game: &Game) -> Result<(), DataError> {
        self.frame(&chunk::encode(std::slice::from_ref(game)))
    }

    /// Its games stand in the file now.
    pub(crate) fn clear(&mut self) -> Result<(), DataError> {
        self.file.set_len(0).map_err(DataError::at(&self.path))?;
        self.frame(&self.recipe.clone().into_bytes())
    }

    /// Takes the journal away; it must be clear.
    pub(crate) fn remove(self) -> Result<(), DataError> {
        fs::remove_file(&self.path).map_err(DataError::at(&self.path))
    }

    /// Length, checksum, content.
    fn frame(&mut self, content: &[u8]) -> Result<(), DataError> {
        let mut framed = (content.len() as u32).to_le_bytes().to_vec();
        framed.extend(crc32fast::hash(content).to_le_bytes());
        framed.extend(content);
        self.file
            .write_all(&framed)
            .map_err(DataError::at(&self.path))
    }
}

fn path_beside(games: &Path) -> PathBuf {
    let mut name = OsString::from(games);
    name.push(".journal");
    PathBuf::from(name)
}

/// The whole frames at the front of a journal; the last may have been cut short.
fn recover(bytes: &[u8]) -> Left {
    let mut rest = bytes;
    let mut frames = std::iter::from_fn(|| {
        let (length, after) = rest.split_first_chunk()?;
        let (checksum, after) = after.split_first_chunk()?;
        let (content, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = after;
        (crc32fast::hash(content) == u32::from_le_bytes(*checksum)).then_some(content)
    });
    let recipe = frames
        .next()
        .and_then(|text| std::str::from_utf8(text).ok());
    let Some(recipe) = recipe else {
        return Left::default();
    };
    Left {
        recipe: recipe.to_string(),
        games: frames
            .map_while(|frame| chunk::decode(frame, 1).ok())
            .flatten()
            .collect(),
    }
}
