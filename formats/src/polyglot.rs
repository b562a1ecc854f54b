//! Opening books in Polyglot's format: entries, lookup on disk, and the choice of a move.
//!
//! A book is an array of 16-byte entries sorted by key. It is searched on disk: a lookup is a
//! binary search of about 25 reads, which takes less than 0.1 ms, and works for books of any
//! size. An unsorted file would silently give wrong answers, so the order is checked: completely
//! for small books when they are opened, by samples for large ones, and by every lookup along
//! its path.

use std::cmp::Reverse;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use common::rng;
use movegen::{Move, Position, Role, Square};
use thiserror::Error;

pub use movegen::polyglot::{key, passed_by, passed_square};

const ENTRY_BYTES: usize = 16;

/// Books up to this size (64 MiB) are checked completely when opened.
const FULLY_CHECKED_ENTRIES: u64 = 1 << 22;

/// Number of entries checked in a larger book, evenly spaced.
const SAMPLES: u64 = 64;

/// The most entries read for one key; no position has as many moves.
const MAX_ENTRIES_PER_KEY: usize = 1024;

/// An entry of a book. The format's last four bytes ("learn") are ignored.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    mv: EncodedMove,
    weight: u16,
}

impl Entry {
    fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let all = u128::from_be_bytes(bytes);
        Self {
            key: (all >> 64) as u64,
            mv: EncodedMove((all >> 48) as u16),
            weight: (all >> 32) as u16,
        }
    }
}

/// A move as a book stores it: to file, to rank, from file, from rank and promotion, three bits
/// each from the lowest. Castling is the king taking its own rook; some books write the king's
/// two steps instead, which are read as well.
#[derive(Debug, Clone, Copy)]
struct EncodedMove(u16);

const FROM_SHIFT: u16 = 6;
const PROMOTION_SHIFT: u16 = 12;
const SQUARE_MASK: u16 = 63;

/// The promotions that the bits 1 to 4 stand for; 0 is none.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl EncodedMove {
    fn square(self, shift: u16) -> Square {
        Square::wrapping((self.0 >> shift & SQUARE_MASK) as u8)
    }

    fn encode(mv: Move) -> Self {
        let promotion = PROMOTIONS
            .iter()
            .position(|&role| mv.promotion_role() == Some(role));
        let squares = mv.from().index() << FROM_SHIFT | mv.to().index();
        Self((squares | promotion.map_or(0, |role| role + 1) << PROMOTION_SHIFT) as u16)
    }

    /// Returns the legal move that this stands for in a position, if there is one.
    fn decode(self, position: &Position) -> Option<Move> {
        let promotion = match self.0 >> PROMOTION_SHIFT {
            0 => None,
            number => Some(*PROMOTIONS.get(usize::from(number) - 1)?),
        };
        let (from, to) = (self.square(FROM_SHIFT), self.square(0));
        position.find_move(from, to, promotion).ok()
    }
}

impl fmt::Display for EncodedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.square(FROM_SHIFT), self.square(0))?;
        match self.0 >> PROMOTION_SHIFT {
            0 => Ok(()),
            number => match PROMOTIONS.get(usize::from(number) - 1) {
                Some(role) => write!(f, "{}", role.letter()),
                None => write!(f, "={number}"),
            },
        }
    }
}

/// A book of these keys, moves and weights.
pub fn book(entries: impl IntoIterator<Item = (u64, Move, u16)>) -> Vec<u8> {
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|&(key, _, weight)| (key, Reverse(weight)));
    let bytes = entries.into_iter().flat_map(|(key, mv, weight)| {
        let all = u128::from(key) << 64
            | u128::from(EncodedMove::encode(mv).0) << 48
            | u128::from(weight) << 32;
        all.to_be_bytes()
    });
    bytes.collect()
}

/// The reason a file cannot be used as a book.
#[derive(Debug, Error)]
pub enum BookError {
    #[error("cannot read it: {0}")]
    Read(#[from] io::Error),
    #[error("it is a directory; expected a .bin file")]
    Directory,
    #[error("it is not a regular file")]
    NotAFile,
    #[error("the file is empty")]
    Empty,
    #[error(
        "its size of {bytes} bytes is not a multiple of {ENTRY_BYTES}; the file is truncated or \
         not a Polyglot book"
    )]
    Length { bytes: u64 },
    #[error(
        "it is not sorted: the key of entry {entry} is out of order; the file is damaged or not \
         a Polyglot book"
    )]
    Unsorted { entry: u64 },
}

/// An open book.
#[derive(Debug)]
pub struct Book<R = File> {
    source: R,
    entries: u64,
}

/// The moves a book has for a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookMoves {
    /// Each legal move once, by descending weight; moves of equal weight in the book's order.
    pub moves: Vec<BookMove>,
    /// The moves that are not legal in the position, as text.
    pub illegal: Vec<String>,
}

/// A move and its weight. A move of weight 0 is never played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    pub weight: u32,
}

impl BookMoves {
    /// Returns the sum of all weights.
    pub fn total(&self) -> u64 {
        self.moves.iter().map(|known| u64::from(known.weight)).sum()
    }

    fn add(&mut self, mv: Move, weight: u16) {
        let weight = u32::from(weight);
        match self.moves.iter_mut().find(|known| known.mv == mv) {
            Some(known) => known.weight += weight,
            None => self.moves.push(BookMove { mv, weight }),
        }
    }
}

impl Book<File> {
    /// Opens a file and checks it.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        // Checked before opening: opening a named pipe would block until it has a writer.
        let kind = fs::metadata(path)?.file_type();
        if kind.is_dir() {
            return Err(BookError::Directory);
        }
        if !kind.is_file() {
            return Err(BookError::NotAFile);
        }
        Self::new(File::open(path)?)
    }
}

impl<R: Read + Seek> Book<R> {
    /// Checks a source and makes a book of it.
    pub fn new(mut source: R) -> Result<Self, BookError> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes == 0 {
            return Err(BookError::Empty);
        }
        if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
            return Err(BookError::Length { bytes });
        }
        let entries = bytes / ENTRY_BYTES as u64;
        let mut book = Self { source, entries };
        if entries <= FULLY_CHECKED_ENTRIES {
            book.check_all()?;
        } else {
            book.check_samples()?;
        }
        Ok(book)
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the moves of a position with this Polyglot key.
    pub fn find(&mut self, position: &Position, key: u64) -> Result<BookMoves, BookError> {
        let mut found = BookMoves::default();
        for entry in self.entries_of(key)? {
            match entry.mv.decode(position) {
                Some(mv) => found.add(mv, entry.weight),
                None => found.illegal.push(entry.mv.to_string()),
            }
        }
        found.moves.sort_by_key(|known| Reverse(known.weight));
        Ok(found)
    }

    fn entries_of(&mut self, key: u64) -> Result<Vec<Entry>, BookError> {
        let first = self.lower_bound(key)?;
        let mut entries = Vec::new();
        for index in (first..self.entries).take(MAX_ENTRIES_PER_KEY) {
            let entry = self.entry(index)?;
            if entry.key < key {
                return Err(unsorted(index));
            }
            if entry.key > key {
                break;
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// Returns the index of the first entry whose key is not less than `key`.
    fn lower_bound(&mut self, key: u64) -> Result<u64, BookError> {
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

    fn entry(&mut self, index: u64) -> Result<Entry, BookError> {
        self.source
            .seek(SeekFrom::Start(index * ENTRY_BYTES as u64))?;
        Ok(next_entry(&mut self.source)?)
    }

    fn check_all(&mut self) -> Result<(), BookError> {
        self.source.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::with_capacity(1 << 16, &mut self.source);
        check_order(0..self.entries, |_| Ok(next_entry(&mut reader)?))
    }

    fn check_samples(&mut self) -> Result<(), BookError> {
        let stride = self.entries / SAMPLES;
        check_order((0..SAMPLES).map(|sample| sample * stride), |index| {
            self.entry(index)
        })
    }
}

/// Fails at the first of these entries whose key is less than the one before it.
fn check_order(
    indices: impl Iterator<Item = u64>,
    mut read: impl FnMut(u64) -> Result<Entry, BookError>,
) -> Result<(), BookError> {
    let mut last = 0;
    for index in indices {
        let key = read(index)?.key;
        if key < last {
            return Err(unsorted(index));
        }
        last = key;
    }
    Ok(())
}

fn next_entry(source: &mut impl Read) -> io::Result<Entry> {
    let mut bytes = [0; ENTRY_BYTES];
    source.read_exact(&mut bytes)?;
    Ok(Entry::from_bytes(bytes))
}

/// Messages count entries from 1.
fn unsorted(index: u64) -> BookError {
    BookError::Unsorted { entry: index + 1 }
}

/// The choice between several book moves. It depends on the seed and the position
/// alone, so that a game can be repeated from its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The move of the greatest weight; the first of equals.
    Best,
    /// Each move with a probability proportional to its weight.
    Weighted { seed: u64 },
}

impl Choice {
    /// Chooses a move for the position with this key; `None` if no move has any weight.
    pub fn pick(self, found: &BookMoves, key: u64) -> Option<BookMove> {
        match self {
            Self::Best => found.moves.first().copied().filter(|best| best.weight > 0),
            Self::Weighted { seed } => {
                let point = rng::scale(rng::keyed(seed, key), found.total());
                let mut end = 0;
                found.moves.iter().copied().find(|known| {
                    end += u64::from(known.weight);
                    point < end
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;
