//! Transposition table (TT): what earlier visits found out about a position.
//!
//! Shared by all threads without locks. An entry is two words; the first is the key XORed with the
//! second, so that halves of two different writes do not match and read as no entry. Entries age
//! by searches, and a full bucket replaces its oldest and shallowest entry.

use crate::memory::{Large, Zeroable};
use crate::score::{Bound, Score};
use movegen::{Move, Position};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use thiserror::Error;

/// There is not enough memory for a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a hash table of {megabytes} MB")]
pub struct TtError {
    megabytes: usize,
}

/// The key under which the table stores a position.
///
/// Near the fifty-move rule the value of a position depends on its halfmove clock, so there the
/// clock becomes part of the key, a few plies at a time.
#[inline]
pub fn key(position: &Position) -> u64 {
    /// The clocks up to this share a key.
    const SHARED_CLOCK: u16 = 24;
    const PLIES_PER_KEY: u16 = 8;
    /// An odd number with well-mixed bits; its multiples differ in all of theirs.
    const SPREAD: u64 = 0xa076_1d64_78bd_642f;
    let over = position.halfmove_clock().saturating_sub(SHARED_CLOCK);
    position.key() ^ u64::from(over.div_ceil(PLIES_PER_KEY)).wrapping_mul(SPREAD)
}

const ENTRIES_PER_BUCKET: usize = 4;
const BYTES_PER_MEGABYTE: usize = 1 << 20;
/// Generations count modulo this.
const GENERATIONS: u8 = 32;

#[derive(Default)]
struct Slot {
    /// The key XORed with `data`.
    check: AtomicU64,
    /// A packed `TtEntry`; 0 when the slot is empty.
    data: AtomicU64,
}

/// A cache line of entries.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; ENTRIES_PER_BUCKET]);

// SAFETY: it holds only atomic numbers.
unsafe impl Zeroable for Bucket {}

/// The result of `probe`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    pub mv: Option<Move>,
    /// Mates counted from the stored position; see `TtEntry::score_at`.
    pub score: i16,
    pub eval: Option<i16>,
    pub depth: i32,
    pub bound: Bound,
    /// The position was once on a principal variation.
    pub pv: bool,
    generation: u8,
}

/// The data that `store` writes.
#[derive(Clone, Copy, Debug)]
pub struct TtWrite {
    pub mv: Option<Move>,
    pub score: Score,
    pub eval: Option<i16>,
    pub depth: i32,
    pub bound: Bound,
    pub pv: bool,
}

/// Stands for "no evaluation" in the packed word only.
const NO_EVAL: i16 = i16::MIN;
/// Depths are packed with this added, so that quiescence fits below zero.
const DEPTH_OFFSET: i32 = 8;
/// The generation is in the highest bits of the packed word.
const GENERATION_SHIFT: u32 = 59;

impl TtEntry {
    /// The stored score, counted from the root of a search that meets the position at this ply;
    /// see `Score::from_tt`.
    #[inline]
    pub(crate) fn score_at(&self, position: &Position, ply: usize) -> Option<Score> {
        Score::from_tt(self.score, ply, position.halfmove_clock())
    }

    /// move 16 | score 16 | eval 16 | depth 8 | bound 2, pv 1, generation 5
    fn pack(self) -> u64 {
        let tag = self.bound as u8 | u8::from(self.pv) << 2 | (self.generation % GENERATIONS) << 3;
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
            bound: Bound::from_bits(tag),
            pv: tag & 4 != 0,
            generation: tag >> 3,
        }
    }

    /// The value of keeping an entry: its depth, reduced for every search since it was written.
    fn worth(self, now: u8) -> i32 {
        const PLIES_PER_GENERATION: i32 = 4;
        let age = now.wrapping_sub(self.generation) % GENERATIONS;
        self.depth - PLIES_PER_GENERATION * i32::from(age)
    }
}

/// A bit for each region of the table that may hold entries. Clearing skips the others, which
/// makes it cheap after a short search.
struct Written([AtomicU64; Self::WORDS]);

impl Written {
    /// Two kilobytes of bits: a region of a table of 16 MB is one kilobyte.
    const WORDS: usize = 256;
    const REGIONS: usize = Self::WORDS * 64;

    fn all() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(u64::MAX)))
    }

    /// Marks a region. Usually it is already marked, so threads mostly read.
    #[inline]
    fn mark(&self, region: usize) {
        let word = &self.0[region / 64 % Self::WORDS];
        let bit = 1 << (region % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Returns the marked regions and unmarks them.
    fn take(&mut self) -> Vec<usize> {
        let mut regions = Vec::new();
        for (number, word) in self.0.iter_mut().enumerate() {
            let mut bits = std::mem::take(word.get_mut());
            while bits != 0 {
                regions.push(number * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        regions
    }
}

pub struct TranspositionTable {
    buckets: Large<[Bucket]>,
    written: Written,
    /// The binary logarithm of the number of buckets in a region.
    buckets_per_region: u32,
    megabytes: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of about this size.
    pub fn new(megabytes: usize) -> Result<Self, TtError> {
        let bytes = megabytes.max(1).checked_mul(BYTES_PER_MEGABYTE);
        let buckets: Large<[Bucket]> = bytes
            .and_then(|bytes| Large::zeroed_slice(bytes / size_of::<Bucket>()))
            .ok_or(TtError { megabytes })?;
        let count = buckets.len();
        let per_region = count.div_ceil(Written::REGIONS).next_power_of_two();
        Ok(Self {
            buckets,
            // So that the first clearing touches all of it.
            written: Written::all(),
            buckets_per_region: per_region.ilog2(),
            megabytes,
            generation: AtomicU8::new(0),
        })
    }

    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Empties the table, with the threads of a pool if there is one. For a new table this is when
    /// the system provides its memory, which takes time.
    pub fn clear(&mut self, pool: Option<&rayon::ThreadPool>) {
        use rayon::prelude::*;
        *self.generation.get_mut() = 0;
        let length = 1 << self.buckets_per_region;
        let mut rest = &mut self.buckets[..];
        let mut start = 0;
        let regions = self.written.take().into_iter().map(|region| {
            let from = (region * length - start).min(rest.len());
            let (_, after) = std::mem::take(&mut rest).split_at_mut(from);
            let (region, after) = after.split_at_mut(length.min(after.len()));
            start += from + region.len();
            rest = after;
            region
        });
        let empty = |region: &mut [Bucket]| region.fill_with(Bucket::default);
        match pool {
            Some(pool) => {
                let regions: Vec<_> = regions.collect();
                pool.install(|| regions.into_par_iter().for_each(empty));
            }
            None => regions.for_each(empty),
        }
    }

    /// Starts a new search, which makes all existing entries older.
    pub fn new_generation(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation
            .store((generation + 1) % GENERATIONS, Ordering::Relaxed);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Starts loading a position's bucket into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.buckets.get(self.index(key)) {
            #[cfg(target_arch = "x86_64")]
            {
                use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
                // SAFETY: a prefetch is a hint; it faults on no address, and this one is valid.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) };
            }
            #[cfg(not(target_arch = "x86_64"))]
            let _ = bucket;
        }
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let bucket = self.buckets.get(self.index(key))?;
        bucket.0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| TtEntry::unpack(data))
        })
    }

    /// Writes what a visit at this ply found.
    pub fn store(&self, key: u64, ply: usize, write: TtWrite) {
        let index = self.index(key);
        let Some(bucket) = self.buckets.get(index) else {
            return;
        };
        self.written.mark(index >> self.buckets_per_region);
        let generation = self.generation.load(Ordering::Relaxed);
        let mut slot = &bucket.0[0];
        let mut least = i32::MAX;
        let mut mv = write.mv;
        for candidate in &bucket.0 {
            let data = candidate.data.load(Ordering::Relaxed);
            let check = candidate.check.load(Ordering::Relaxed);
            let old = TtEntry::unpack(data);
            if check ^ data == key && data != 0 {
                // The same position: keep its move if there is no new one, and do not replace a
                // much deeper entry of this search by a shallow bound.
                const DEEPER: i32 = 4;
                mv = mv.or(old.mv);
                let shallow = write.depth + DEEPER + i32::from(write.pv) * 2 <= old.depth;
                if write.bound != Bound::Exact && shallow && old.generation == generation {
                    return;
                }
                slot = candidate;
                break;
            }
            let worth = if data == 0 {
                i32::MIN
            } else {
                old.worth(generation)
            };
            if worth < least {
                least = worth;
                slot = candidate;
            }
        }
        let data = TtEntry {
            mv,
            score: write.score.to_tt(ply),
            eval: write.eval,
            depth: write.depth,
            bound: write.bound,
            pv: write.pv,
            generation,
        }
        .pack();
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// The share of the table in use, in permille: the entries of this search in a sample.
    pub fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 250;
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.buckets.iter().take(SAMPLE);
        let (mut seen, mut full) = (0, 0);
        for slot in sample.flat_map(|bucket| &bucket.0) {
            let data = slot.data.load(Ordering::Relaxed);
            seen += 1;
            full += u32::from(data != 0 && data >> GENERATION_SHIFT == u64::from(generation));
        }
        full * 1000 / seen.max(1)
    }
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable({} MB)", self.megabytes)
    }
}
