//! Files of games: a few bytes that say what they are, then chunk after chunk.
//!
//! A file only grows. What was not written to its end, because the program was killed, is cut
//! off when it is next opened for writing.

use super::DataError;
use super::chunk::{self, ChunkError, HEADER_BYTES, Header};
use super::game::Game;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub(super) const MAGIC: [u8; 8] = *b"CASTGAME";
pub(super) const VERSION: u32 = 1;
const FRONT_BYTES: u64 = 12;

/// A chunk as it stands in a file, its checksum found right.
#[derive(Debug)]
pub struct Chunk {
    header: Header,
    body: Vec<u8>,
    place: Place,
}

#[derive(Clone, Debug)]
struct Place {
    path: PathBuf,
    chunk: usize,
    offset: u64,
}

impl Place {
    fn error(&self, source: ChunkError) -> DataError {
        DataError::Chunk {
            path: self.path.clone(),
            chunk: self.chunk,
            offset: self.offset,
            source,
        }
    }
}

impl Chunk {
    /// How its games were made.
    pub fn recipe(&self) -> Result<&str, DataError> {
        let recipe = self.header.recipe(&self.body);
        recipe.map_err(|source| self.place.error(source))
    }

    /// Its games, each replayed.
    pub fn games(&self) -> Result<Vec<Game>, DataError> {
        let games = self.header.games_of(&self.body);
        games.map_err(|source| self.place.error(source))
    }

    /// How many games it says it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.header.games as usize
    }

    /// What it takes on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (HEADER_BYTES + self.body.len()) as u64
    }
}

/// The chunks of a file, one after the other. After an error there are no more.
#[derive(Debug)]
pub struct Chunks {
    file: BufReader<File>,
    place: Place,
    failed: bool,
}

impl Chunks {
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let file = File::open(path).map_err(DataError::at(path))?;
        let mut file = BufReader::new(file);
        read_front(&mut file, path)?;
        let place = Place {
            path: path.to_path_buf(),
            chunk: 0,
            offset: FRONT_BYTES,
        };
        Ok(Self {
            file,
            place,
            failed: false,
        })
    }

    /// Where the next chunk begins.
    fn offset(&self) -> u64 {
        self.place.offset
    }

    fn read(&mut self) -> Result<Option<Chunk>, DataError> {
        let at = self.place.path.clone();
        let mut front = Vec::new();
        let mut fill = |bytes: &mut Vec<u8>, wanted: usize| {
            (&mut self.file)
                .take(wanted as u64)
                .read_to_end(bytes)
                .map_err(DataError::at(&at))
        };
        fill(&mut front, HEADER_BYTES)?;
        if front.is_empty() {
            return Ok(None);
        }
        let header: [u8; HEADER_BYTES] = front.as_slice().try_into().map_err(|_| {
            self.place.error(ChunkError::Short {
                there: front.len() as u64,
                wanted: HEADER_BYTES as u64,
            })
        })?;
        let header = Header::read(&header).map_err(|source| self.place.error(source))?;
        let mut body = Vec::new();
        fill(&mut body, header.body_bytes())?;
        header
            .check(&body)
            .map_err(|source| self.place.error(source))?;
        let chunk = Chunk {
            header,
            body,
            place: self.place.clone(),
        };
        self.place.chunk += 1;
        self.place.offset += chunk.bytes();
        Ok(Some(chunk))
    }
}

impl Iterator for Chunks {
    type Item = Result<Chunk, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let chunk = self.read().transpose();
        self.failed = matches!(chunk, Some(Err(_)));
        chunk
    }
}

fn read_front(file: &mut impl Read, path: &Path) -> Result<(), DataError> {
    let mut front = [0; FRONT_BYTES as usize];
    match file.read_exact(&mut front) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Err(DataError::Magic {
                path: path.to_path_buf(),
            });
        }
        read => read.map_err(DataError::at(path))?,
    }
    let (magic, version) = front.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(DataError::Magic {
            path: path.to_path_buf(),
        });
    }
    let found = version
        .iter()
        .rev()
        .fold(0, |all, &byte| all << 8 | u32::from(byte));
    if found == VERSION {
        Ok(())
    } else {
        Err(DataError::Version {
            path: path.to_path_buf(),
            found,
        })
    }
}

/// A file that games are added to.
#[derive(Debug)]
pub struct Appender {
    file: File,
    path: PathBuf,
}

impl Appender {
    /// Opens a file for more games, or makes it. `seen` is shown every chunk that is there;
    /// an unfinished last one is cut off. Any other damage is an error.
    pub fn open(
        path: &Path,
        mut seen: impl FnMut(&Chunk) -> Result<(), DataError>,
    ) -> Result<Self, DataError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(DataError::at(path))?;
        let length = file.metadata().map_err(DataError::at(path))?.len();
        let mut end = FRONT_BYTES;
        if length == 0 {
            let mut front = MAGIC.to_vec();
            front.extend(VERSION.to_le_bytes());
            file.write_all(&front).map_err(DataError::at(path))?;
        } else {
            let mut chunks = Chunks::open(path)?;
            for chunk in chunks.by_ref() {
                match chunk {
                    Ok(chunk) => seen(&chunk)?,
                    Err(error) if unfinished(&error) => break,
                    Err(error) => return Err(error),
                }
            }
            end = chunks.offset();
            file.set_len(end).map_err(DataError::at(path))?;
        }
        file.seek(SeekFrom::Start(end))
            .map_err(DataError::at(path))?;
        Ok(Self {
            file,
            path: path.to_path_buf(),
        })
    }

    /// Writes games as one chunk.
    pub fn append(&mut self, recipe: &str, games: &[Game]) -> Result<(), DataError> {
        let chunk = chunk::pack(recipe, games).map_err(|source| DataError::Chunk {
            path: self.path.clone(),
            chunk: 0,
            offset: 0,
            source,
        })?;
        self.write(&chunk)
    }

    /// Writes a chunk of another file as it is.
    pub fn copy(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.write(&chunk.header.bytes())?;
        self.write(&chunk.body)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        self.file
            .write_all(bytes)
            .map_err(DataError::at(&self.path))
    }
}

/// The writer was killed on the way: the file stops in the middle of a chunk.
fn unfinished(error: &DataError) -> bool {
    matches!(
        error,
        DataError::Chunk {
            source: ChunkError::Short { .. },
            ..
        }
    )
}

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
