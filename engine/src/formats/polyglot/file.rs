//! A book on disk: opened, looked over, and searched where it lies.
//!
//! Nothing of it is held in memory: a lookup halves the file some twenty-five times, which
//! costs less than a tenth of a millisecond, and works on a book of any size. A file that is
//! not sorted by key would answer wrongly without anyone noticing, so order is checked: small
//! books wholly when opened, large ones here and there, and every lookup what it reads.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use movegen::{Move, Position};
use thiserror::Error;

use super::entry::{ENTRY_BYTES, Entry};

/// Up to here (64 MiB) a book is read to its end when opened.
const CHECKED_WHOLE: u64 = 1 << 22;

/// So many entries of a larger book are looked at, evenly spread.
const SAMPLES: u64 = 64;

/// No position has as many moves; what stands beyond is not read.
const MOST_ENTRIES: usize = 1024;

/// Why a file is no book to go by.
#[derive(Debug, Error)]
pub enum BookError {
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("it is a folder; give the .bin file itself")]
    Folder,
    #[error("it is no ordinary file")]
    NotAFile,
    #[error("it is empty")]
    Empty,
    #[error(
        "it is {bytes} bytes long, and a Polyglot book has {ENTRY_BYTES} for each entry: it was \
         cut off or is something else"
    )]
    Length { bytes: u64 },
    #[error(
        "it is not sorted: the key of entry {entry} is out of order; it was damaged or is no \
         Polyglot book"
    )]
    Unsorted { entry: u64 },
}

/// A book that can be asked.
#[derive(Debug)]
pub struct Book<R = File> {
    source: R,
    entries: u64,
}

/// What a book says of a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Each legal move once, the heaviest first, equal ones as the book has them.
    pub moves: Vec<BookMove>,
    /// Texts of moves that are not legal there.
    pub illegal: Vec<String>,
}

/// A move and how much the book thinks of it; a move of weight 0 is not to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    pub weight: u32,
}

impl Found {
    /// The sum of all weights.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.moves.iter().map(|found| u64::from(found.weight)).sum()
    }
}

impl Book<File> {
    /// Opens a file and looks it over.
    pub fn open(path: &Path) -> Result<Book<File>, BookError> {
        // Asked before opening: opening a pipe would wait for a writer.
        let kind = fs::metadata(path)?.file_type();
        if kind.is_dir() {
            return Err(BookError::Folder);
        }
        if !kind.is_file() {
            return Err(BookError::NotAFile);
        }
        Book::new(File::open(path)?)
    }
}

impl<R: Read + Seek> Book<R> {
    /// Looks over what can be read and makes a book of it.
    pub fn new(mut source: R) -> Result<Book<R>, BookError> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes == 0 {
            return Err(BookError::Empty);
        }
        if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
            return Err(BookError::Length { bytes });
        }
        let entries = bytes / ENTRY_BYTES as u64;
        let mut book = Book { source, entries };
        if entries <= CHECKED_WHOLE {
            book.check_all()?;
        } else {
            book.check_here_and_there()?;
        }
        Ok(book)
    }

    /// How many entries there are.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The moves of a position; `key` is its Polyglot key.
    pub fn find(&mut self, position: &Position, key: u64) -> Result<Found, BookError> {
        let mut found = Found::default();
        for entry in self.entries_of(key)? {
            match entry.word.read(position) {
                Some(mv) => found.add(mv, entry.weight),
                None => found.illegal.push(entry.word.to_string()),
            }
        }
        found
            .moves
            .sort_by_key(|known| std::cmp::Reverse(known.weight));
        Ok(found)
    }

    fn entries_of(&mut self, key: u64) -> Result<Vec<Entry>, BookError> {
        let first = self.first_not_below(key)?;
        let mut entries = Vec::new();
        for number in (first..self.entries).take(MOST_ENTRIES) {
            let entry = self.entry(number)?;
            if entry.key < key {
                return Err(unsorted(number));
            }
            if entry.key > key {
                break;
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// The number of the first entry whose key is `key` or larger.
    fn first_not_below(&mut self, key: u64) -> Result<u64, BookError> {
        let (mut low, mut high) = (0, self.entries);
        let (mut smallest, mut largest) = (0, u64::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            let there = self.entry(middle)?.key;
            if !(smallest..=largest).contains(&there) {
                return Err(unsorted(middle));
            }
            if there < key {
                (low, smallest) = (middle + 1, there);
            } else {
                (high, largest) = (middle, there);
            }
        }
        Ok(low)
    }

    fn entry(&mut self, number: u64) -> Result<Entry, BookError> {
        self.source
            .seek(SeekFrom::Start(number * ENTRY_BYTES as u64))?;
        Ok(next_entry(&mut self.source)?)
    }

    fn check_all(&mut self) -> Result<(), BookError> {
        self.source.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::with_capacity(1 << 16, &mut self.source);
        let mut last = 0;
        for number in 0..self.entries {
            let key = next_entry(&mut reader)?.key;
            if key < last {
                return Err(unsorted(number));
            }
            last = key;
        }
        Ok(())
    }

    fn check_here_and_there(&mut self) -> Result<(), BookError> {
        let mut last = 0;
        for sample in 0..SAMPLES {
            let number = self.entries / SAMPLES * sample;
            let key = self.entry(number)?.key;
            if key < last {
                return Err(unsorted(number));
            }
            last = key;
        }
        Ok(())
    }
}

impl Found {
    fn add(&mut self, mv: Move, weight: u16) {
        match self.moves.iter_mut().find(|known| known.mv == mv) {
            Some(known) => known.weight += u32::from(weight),
            None => self.moves.push(BookMove {
                mv,
                weight: weight.into(),
            }),
        }
    }
}

fn next_entry(source: &mut impl Read) -> io::Result<Entry> {
    let mut bytes = [0; ENTRY_BYTES];
    source.read_exact(&mut bytes)?;
    Ok(Entry::from_bytes(bytes))
}

/// People count from one.
fn unsorted(number: u64) -> BookError {
    BookError::Unsorted { entry: number + 1 }
}

#[cfg(test)]
mod tests;
