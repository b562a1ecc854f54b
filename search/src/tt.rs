//! The transposition table: what other visits learnt of a position.
//!
//! Shared by all threads without locks. An entry is two words; the first is the key mixed
//! with the second, so that halves of two different writes do not fit together and read as
//! nothing. Entries age by searches, and a bucket gives up what is oldest and shallowest.

mod key;
mod prefetch;

pub use key::key;

use crate::memory::{Large, Zeroable};
use crate::score::{Bound, Score};
use movegen::{Move, Position};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use thiserror::Error;

/// Why a table of the wanted size could not be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TableError {
    #[error("there is no memory for a hash table of {wanted} MB; the one of {kept} MB stays")]
    NoMemory { wanted: usize, kept: usize },
}

impl TableError {
    /// The same, naming the table that stays.
    #[must_use]
    pub fn keeping(self, megabytes: usize) -> Self {
        match self {
            Self::NoMemory { wanted, .. } => Self::NoMemory {
                wanted,
                kept: megabytes,
            },
        }
    }
}

const ENTRIES: usize = 4;
const BYTES_PER_MEGABYTE: usize = 1 << 20;
/// Ages count modulo this.
const AGES: u8 = 32;

#[derive(Default)]
struct Entry {
    /// The key, mixed with `data`.
    check: AtomicU64,
    data: AtomicU64,
}

/// What one cache line holds.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Bucket([Entry; ENTRIES]);

// SAFETY: nothing but atomic numbers.
unsafe impl Zeroable for Bucket {}

/// What a visit finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    pub mv: Option<Move>,
    /// Mates counted from the stored position; see `Hit::value`.
    pub score: i16,
    pub eval: Option<i16>,
    pub depth: i32,
    pub bound: Option<Bound>,
    /// The position was once on a principal variation.
    pub pv: bool,
    age: u8,
}

/// What a visit leaves.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    pub mv: Option<Move>,
    pub score: Score,
    pub eval: Option<i16>,
    pub depth: i32,
    pub bound: Option<Bound>,
    pub pv: bool,
}

/// Stands for "no evaluation" in the packed word only.
const NO_EVAL: i16 = i16::MIN;
/// Depths are packed with this added, so that quiescence fits below zero.
const DEPTH_OFFSET: i32 = 8;

impl Hit {
    /// The stored value, counted from the root of a search that meets the position at this ply;
    /// see `Score::from_table`.
    #[inline]
    pub(crate) fn value(&self, position: &Position, ply: usize) -> Option<Score> {
        Score::from_table(self.score, ply, position.halfmove_clock())
    }

    /// move 16 | score 16 | eval 16 | depth 8 | bound 2, pv 1, age 5
    fn pack(self) -> u64 {
        let tag = self.bound.map_or(0, |bound| bound as u8)
            | u8::from(self.pv) << 2
            | (self.age % AGES) << 3;
        u64::from(self.mv.map_or(0, Move::to_bits))
            | u64::from(self.score as u16) << 16
            | u64::from(self.eval.unwrap_or(NO_EVAL) as u16) << 32
            | ((self.depth + DEPTH_OFFSET).clamp(0, 255) as u64) << 48
            | u64::from(tag) << 56
    }

    fn unpack(data: u64) -> Self {
        let tag = (data >> 56) as u8;
        let eval = (data >> 32) as u16 as i16;
        Self {
            mv: Move::from_bits(data as u16),
            score: (data >> 16) as u16 as i16,
            eval: (eval != NO_EVAL).then_some(eval),
            depth: (data >> 48 & 255) as i32 - DEPTH_OFFSET,
            bound: Bound::from_bits(u64::from(tag)),
            pv: tag & 4 != 0,
            age: tag >> 3,
        }
    }

    /// How much an entry is worth keeping: its depth, less for every search it has missed.
    fn worth(self, now: u8) -> i32 {
        const PLIES_PER_AGE: i32 = 4;
        let missed = now.wrapping_sub(self.age) % AGES;
        self.depth - PLIES_PER_AGE * i32::from(missed)
    }
}

/// The table.
pub struct Table {
    buckets: Large<[Bucket]>,
    megabytes: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of about this size, empty.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let no_memory = TableError::NoMemory {
            wanted: megabytes,
            kept: 0,
        };
        let bytes = megabytes.max(1).checked_mul(BYTES_PER_MEGABYTE);
        let count = bytes.ok_or(no_memory.clone())? / size_of::<Bucket>();
        let buckets = Large::zeroed_slice(count).ok_or(no_memory)?;
        Ok(Self {
            buckets,
            megabytes,
            age: AtomicU8::new(0),
        })
    }

    #[must_use]
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Empties the table, with the threads of a pool if there is one. No clock runs, so this is
    /// also when a table that has not been used gets its large pages.
    pub fn clear(&mut self, pool: Option<&rayon::ThreadPool>) {
        use rayon::prelude::*;
        self.buckets.enlarge_pages();
        let empty = |bucket: &mut Bucket| *bucket = Bucket::default();
        match pool {
            Some(pool) => pool.install(|| self.buckets.par_iter_mut().for_each(empty)),
            None => self.buckets.iter_mut().for_each(empty),
        }
        *self.age.get_mut() = 0;
    }

    /// A new search begins: what is in the table is older now.
    pub fn grow_older(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Asks for a position's bucket ahead of time.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.buckets.get(self.place(key)) {
            prefetch::prefetch(bucket);
        }
    }

    /// What is known of a position.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Hit> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.0.iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            let check = entry.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| Hit::unpack(data))
        })
    }

    /// Keeps what a visit learnt.
    pub fn store(&self, key: u64, ply: usize, note: Note) {
        let Some(bucket) = self.buckets.get(self.place(key)) else {
            return;
        };
        let age = self.age.load(Ordering::Relaxed);
        let mut slot = &bucket.0[0];
        let mut least = i32::MAX;
        let mut mv = note.mv;
        for entry in &bucket.0 {
            let data = entry.data.load(Ordering::Relaxed);
            let check = entry.check.load(Ordering::Relaxed);
            let old = Hit::unpack(data);
            if check ^ data == key && data != 0 {
                // The same position: a move is not forgotten for knowing none, and a
                // shallow bound does not replace a much deeper one of this search.
                const DEEPER: i32 = 4;
                mv = mv.or(old.mv);
                let shallow = note.depth + DEEPER + i32::from(note.pv) * 2 <= old.depth;
                if note.bound != Some(Bound::Exact) && shallow && old.age == age {
                    return;
                }
                slot = entry;
                break;
            }
            let worth = if data == 0 { i32::MIN } else { old.worth(age) };
            if worth < least {
                least = worth;
                slot = entry;
            }
        }
        let data = Hit {
            mv,
            score: note.score.to_table(ply),
            eval: note.eval,
            depth: note.depth,
            bound: note.bound,
            pv: note.pv,
            age,
        }
        .pack();
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// How many entries of a sample belong to this search, in thousandths.
    #[must_use]
    pub fn per_mille_full(&self) -> u32 {
        const SAMPLE: usize = 250;
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.iter().take(SAMPLE);
        let (mut seen, mut full) = (0, 0);
        for entry in sample.flat_map(|bucket| &bucket.0) {
            let data = entry.data.load(Ordering::Relaxed);
            seen += 1;
            full += u32::from(data != 0 && Hit::unpack(data).age == age);
        }
        full * 1000 / seen.max(1)
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} MB)", self.megabytes)
    }
}
