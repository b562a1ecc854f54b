//! Game files: magic and version, then chunks; and the journal next to a file that is being
//! written.
//!
//! A file only grows. If the program is killed while it writes a chunk, the incomplete chunk is
//! truncated when the file is next opened for writing.

use super::chunk::{self, ChunkHeader};
use super::game::GameRecord;
use anyhow::{Result, anyhow};
use common::files::{self, FileError};
use common::lock::try_lock;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

const MAGIC: [u8; 8] = *b"CASTGAME";
const VERSION: u32 = 1;

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct FileHeader {
    magic: [u8; 8],
    version: U32,
}

/// A chunk read from a file, its checksum verified.
#[derive(Debug)]
pub struct Chunk {
    header: ChunkHeader,
    body: Vec<u8>,
    location: Location,
}

/// The place of a chunk, for error messages.
#[derive(Clone, Debug)]
struct Location {
    path: PathBuf,
    chunk: usize,
    offset: u64,
}

impl Location {
    fn error(&self, problem: &anyhow::Error) -> anyhow::Error {
        let Self {
            path,
            chunk,
            offset,
        } = self;
        let path = path.display();
        anyhow!("{path}: chunk {chunk} at byte {offset}: {problem}")
    }
}

impl Chunk {
    /// The recipe of its games.
    pub fn recipe(&self) -> Result<&str> {
        let recipe = self.header.recipe(&self.body);
        recipe.map_err(|problem| self.location.error(&problem))
    }

    /// The games, whose moves have all been checked.
    pub fn games(&self) -> Result<Vec<GameRecord>> {
        let games = self.header.unpack(&self.body);
        games.map_err(|problem| self.location.error(&problem))
    }

    /// The size in the file.
    pub fn bytes(&self) -> u64 {
        (size_of::<ChunkHeader>() + self.body.len()) as u64
    }
}

/// Iterates over the chunks of a file; ends after an error.
#[derive(Debug)]
pub struct ChunkReader {
    file: BufReader<File>,
    /// The place of the next chunk.
    location: Location,
    failed: bool,
    /// The file ends within the last chunk.
    truncated: bool,
}

impl ChunkReader {
    pub fn open(path: &Path) -> Result<Self> {
        let file = files::open(path)?;
        let mut reader = Self {
            file: BufReader::new(file),
            location: Location {
                path: path.to_path_buf(),
                chunk: 0,
                offset: size_of::<FileHeader>() as u64,
            },
            failed: false,
            truncated: false,
        };
        let path = path.display();
        match FileHeader::read_from_bytes(&reader.read_up_to(size_of::<FileHeader>())?) {
            Ok(header) if header.magic == MAGIC => match header.version.get() {
                VERSION => Ok(reader),
                found => Err(anyhow!(
                    "{path}: unsupported version {found}; expected {VERSION}"
                )),
            },
            _ => Err(anyhow!(
                "{path} is not a game file: expected it to start with '{}'",
                MAGIC.escape_ascii()
            )),
        }
    }

    fn read_up_to(&mut self, count: usize) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(count as u64).read_to_end(&mut bytes);
        read.map_err(FileError::read(&self.location.path))?;
        Ok(bytes)
    }

    fn read(&mut self) -> Result<Option<Chunk>> {
        let header = self.read_up_to(size_of::<ChunkHeader>())?;
        if header.is_empty() {
            return Ok(None);
        }
        let location = self.location.clone();
        self.truncated = header.len() < size_of::<ChunkHeader>();
        let header = ChunkHeader::read(&header).map_err(|problem| location.error(&problem))?;
        let body = self.read_up_to(header.body_bytes())?;
        // With chunks in what is left of the file, the length is wrong.
        self.truncated = body.len() < header.body_bytes() && !chunk::contains_chunk(&body);
        let checked = header.check(&body);
        checked.map_err(|problem| location.error(&problem))?;
        let chunk = Chunk {
            header,
            body,
            location,
        };
        self.location.chunk += 1;
        self.location.offset += chunk.bytes();
        Ok(Some(chunk))
    }
}

impl Iterator for ChunkReader {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let chunk = self.read().transpose();
        self.failed = matches!(chunk, Some(Err(_)));
        chunk
    }
}

/// Appends games to a file.
#[derive(Debug)]
pub struct ChunkWriter {
    file: File,
    path: PathBuf,
}

impl ChunkWriter {
    /// Opens or creates a file. `on_chunk` receives every existing chunk; an incomplete last one
    /// is truncated, any other damage is an error.
    pub fn open(path: &Path, mut on_chunk: impl FnMut(&Chunk) -> Result<()>) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = files::open_output(&mut options, path)?;
        // `OutputLock` does not know the other names of a file. Where locks are mandatory, the
        // reader below would be refused.
        if cfg!(unix) {
            try_lock(&file, path)?;
        }
        let metadata = file.metadata().map_err(FileError::read(path))?;
        if metadata.len() == 0 {
            let header = FileHeader {
                magic: MAGIC,
                version: VERSION.into(),
            };
            let written = file.write_all(header.as_bytes());
            written.map_err(FileError::write(path))?;
        } else {
            let mut chunks = ChunkReader::open(path)?;
            while let Some(chunk) = chunks.next() {
                match chunk {
                    Ok(chunk) => on_chunk(&chunk)?,
                    Err(_) if chunks.truncated => break,
                    Err(error) => return Err(error),
                }
            }
            let end = chunks.location.offset;
            file.set_len(end)
                .and_then(|()| file.seek(SeekFrom::Start(end)))
                .map_err(FileError::write(path))?;
        }
        Ok(Self {
            file,
            path: path.to_path_buf(),
        })
    }

    /// Writes games as one chunk, which is on the disk when this returns.
    pub fn append(&mut self, recipe: &str, games: &[GameRecord]) -> Result<()> {
        let chunk = chunk::pack(recipe, games)
            .map_err(|error| anyhow!("{}: cannot compress games: {error}", self.path.display()))?;
        let file = &mut self.file;
        let written = file.write_all(&chunk).and_then(|()| file.sync_data());
        Ok(written.map_err(FileError::write(&self.path))?)
    }
}

/// The journal next to a game file: every finished game that is not in a chunk yet, written as soon
/// as it ends, so that a killed program loses only the games in progress.
///
/// A journal is a sequence of entries, each with length and checksum: the recipe, then one for
/// each game.
#[derive(Debug)]
pub(crate) struct GamesJournal {
    file: File,
    path: PathBuf,
    recipe: String,
}

/// The contents of the journal of an interrupted run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Recovered {
    pub(crate) recipe: String,
    pub(crate) games: Vec<GameRecord>,
}

/// Far more than the games between two chunks.
const MAX_JOURNAL_BYTES: u64 = 1 << 30;

impl GamesJournal {
    /// Creates an empty journal next to a game file.
    pub(crate) fn create(games: &Path, recipe: &str) -> Result<Self, FileError> {
        let path = journal_path(games);
        // On Windows, a file that is opened to append cannot be truncated.
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = files::open_beside(&mut options, &path)?;
        let mut journal = Self {
            file,
            path,
            recipe: recipe.to_string(),
        };
        journal.clear()?;
        Ok(journal)
    }

    /// Reads the journal next to a game file, up to an incomplete entry.
    pub(crate) fn recover(games: &Path) -> Result<Recovered, FileError> {
        let path = journal_path(games);
        let file = match files::open_beside(OpenOptions::new().read(true), &path) {
            Err(FileError::Write { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(Recovered::default());
            }
            opened => opened?,
        };
        let mut bytes = Vec::new();
        let read = file.take(MAX_JOURNAL_BYTES).read_to_end(&mut bytes);
        read.map_err(FileError::read(&path))?;
        let mut rest = bytes.as_slice();
        let mut entries = std::iter::from_fn(|| {
            let ([length, checksum], after) = <[U32; 2]>::read_from_prefix(rest).ok()?;
            let (content, after) = after.split_at_checked(length.get() as usize)?;
            rest = after;
            (crc32fast::hash(content) == checksum.get()).then_some(content)
        });
        let recipe = entries.next();
        let Some(recipe) = recipe.and_then(|text| std::str::from_utf8(text).ok()) else {
            return Ok(Recovered::default());
        };
        let games = entries.map_while(|entry| chunk::decode(entry, 1).ok());
        Ok(Recovered {
            recipe: recipe.to_string(),
            games: games.flatten().collect(),
        })
    }

    pub(crate) fn write(&mut self, game: &GameRecord) -> Result<(), FileError> {
        self.write_entry(&chunk::encode(std::slice::from_ref(game)))
    }

    /// Removes the games, which are in the file now.
    pub(crate) fn clear(&mut self) -> Result<(), FileError> {
        let cleared = self.file.set_len(0).and_then(|()| self.file.rewind());
        cleared.map_err(FileError::write(&self.path))?;
        self.write_entry(&self.recipe.clone().into_bytes())
    }

    /// Deletes the journal.
    pub(crate) fn remove(self) -> Result<(), FileError> {
        fs::remove_file(&self.path).map_err(FileError::write(&self.path))
    }

    fn write_entry(&mut self, content: &[u8]) -> Result<(), FileError> {
        let length = (content.len() as u32).to_le_bytes();
        let checksum = crc32fast::hash(content).to_le_bytes();
        let entry = [&length, &checksum, content].concat();
        let written = self.file.write_all(&entry);
        written.map_err(FileError::write(&self.path))
    }
}

fn journal_path(games: &Path) -> PathBuf {
    let mut name = OsString::from(games);
    name.push(".journal");
    PathBuf::from(name)
}
