//! Some hundred games in one checked and compressed piece.
//!
//! Before compression like stands beside like: all heads, then the first bytes of all moves,
//! their second bytes, and the values as differences from ply to ply. So a general compressor
//! finds what there is to be found.

use super::game::{Game, GameError, HEAD_BYTES, Ply, pack_head, unpack_head};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use movegen::Move;
use std::io::{Read, Write};
use thiserror::Error;

/// What every chunk begins with.
pub(super) const MARKER: [u8; 4] = *b"CHNK";
/// Marker, lengths, counts and checksum.
pub(super) const HEADER_BYTES: usize = 24;
/// More than any writer makes; a length beyond it is damage, not data.
const MOST_BYTES: u32 = 1 << 28;

/// The most plies a game is recorded with: its length has two bytes.
pub const MOST_PLIES: usize = u16::MAX as usize;

/// Why bytes are no chunk.
#[derive(Debug, Error)]
pub enum ChunkError {
    #[error("it ends early: {there} of {wanted} bytes are there")]
    Short { there: u64, wanted: u64 },
    #[error("no chunk begins here")]
    Marker,
    #[error("its lengths are out of all proportion")]
    Lengths,
    #[error("its checksum is {found:08x} and should be {wanted:08x}")]
    Checksum { found: u32, wanted: u32 },
    #[error("the recipe is not UTF-8 text")]
    Recipe,
    #[error("it cannot be decompressed: {0}")]
    Compression(#[from] std::io::Error),
    #[error("game {number} of it cannot be read: {reason}")]
    Game { number: usize, reason: GameError },
}

/// The fixed part at the front of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    recipe_bytes: u32,
    raw_bytes: u32,
    packed_bytes: u32,
    pub(super) games: u32,
    checksum: u32,
}

impl Header {
    pub(super) fn read(bytes: &[u8; HEADER_BYTES]) -> Result<Self, ChunkError> {
        let mut words = bytes.chunks_exact(4).map(|word| {
            word.iter()
                .rev()
                .fold(0, |all, &byte| all << 8 | u32::from(byte))
        });
        let mut next = || words.next().unwrap_or_default();
        if next() != u32::from_le_bytes(MARKER) {
            return Err(ChunkError::Marker);
        }
        let header = Self {
            recipe_bytes: next(),
            raw_bytes: next(),
            packed_bytes: next(),
            games: next(),
            checksum: next(),
        };
        let lengths = [header.recipe_bytes, header.raw_bytes, header.packed_bytes];
        let heads = u64::from(header.games) * HEAD_BYTES as u64;
        if lengths.iter().any(|&length| length > MOST_BYTES) || heads > header.raw_bytes.into() {
            return Err(ChunkError::Lengths);
        }
        Ok(header)
    }

    /// How many bytes follow it.
    pub(super) const fn body_bytes(self) -> usize {
        self.recipe_bytes as usize + self.packed_bytes as usize
    }

    pub(super) fn bytes(self) -> [u8; HEADER_BYTES] {
        let words = [
            u32::from_le_bytes(MARKER),
            self.recipe_bytes,
            self.raw_bytes,
            self.packed_bytes,
            self.games,
            self.checksum,
        ];
        let mut bytes = [0; HEADER_BYTES];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Over everything but the checksum itself.
    fn checksum_with(self, body: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.bytes()[..HEADER_BYTES - 4]);
        hasher.update(body);
        hasher.finalize()
    }

    /// Whether header and body belong together unharmed.
    pub(super) fn check(self, body: &[u8]) -> Result<(), ChunkError> {
        if body.len() < self.body_bytes() {
            return Err(ChunkError::Short {
                there: body.len() as u64,
                wanted: self.body_bytes() as u64,
            });
        }
        let found = self.checksum_with(body);
        if found == self.checksum {
            Ok(())
        } else {
            Err(ChunkError::Checksum {
                found,
                wanted: self.checksum,
            })
        }
    }

    /// How these games were made, in the maker's words.
    pub(super) fn recipe(self, body: &[u8]) -> Result<&str, ChunkError> {
        let text = body.get(..self.recipe_bytes as usize);
        text.and_then(|text| std::str::from_utf8(text).ok())
            .ok_or(ChunkError::Recipe)
    }

    /// The games of a checked body.
    pub(super) fn games_of(self, body: &[u8]) -> Result<Vec<Game>, ChunkError> {
        let packed = body.get(self.recipe_bytes as usize..).unwrap_or_default();
        let mut raw = Vec::new();
        ZlibDecoder::new(packed)
            .take(u64::from(self.raw_bytes) + 1)
            .read_to_end(&mut raw)?;
        if raw.len() != self.raw_bytes as usize {
            return Err(ChunkError::Lengths);
        }
        decode(&raw, self.games as usize)
    }
}

/// A whole chunk, header first.
pub(super) fn pack(recipe: &str, games: &[Game]) -> Result<Vec<u8>, ChunkError> {
    let raw = encode(games);
    let mut encoder = ZlibEncoder::new(recipe.as_bytes().to_vec(), Compression::best());
    encoder.write_all(&raw)?;
    let body = encoder.finish()?;
    let header = Header {
        recipe_bytes: recipe.len() as u32,
        raw_bytes: raw.len() as u32,
        packed_bytes: (body.len() - recipe.len()) as u32,
        games: games.len() as u32,
        checksum: 0,
    };
    let header = Header {
        checksum: header.checksum_with(&body),
        ..header
    };
    let mut chunk = header.bytes().to_vec();
    chunk.extend(body);
    Ok(chunk)
}

/// Games laid out plane by plane.
pub(super) fn encode(games: &[Game]) -> Vec<u8> {
    let mut raw: Vec<u8> = games.iter().flat_map(pack_head).collect();
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let mut planes = [const { Vec::new() }; 4];
    for plane in &mut planes {
        plane.reserve(plies);
    }
    for game in games {
        let mut before = 0;
        for ply in &game.plies {
            // Where from and where to in six bits each, the kind of move in what is left.
            let bits = ply.mv.to_bits();
            let from = bits & 63 | (bits >> 12 & 3) << 6;
            let to = bits >> 6 & 63 | (bits >> 14 & 3) << 6;
            let change = zigzag(ply.score.wrapping_sub(before));
            before = ply.score;
            planes[0].push(from as u8);
            planes[1].push(to as u8);
            planes[2].push(change as u8);
            planes[3].push((change >> 8) as u8);
        }
    }
    raw.extend(planes.into_iter().flatten());
    raw
}

/// The reverse; every move is played, so that only legal games come out.
pub(super) fn decode(raw: &[u8], count: usize) -> Result<Vec<Game>, ChunkError> {
    let at = |number: usize| move |reason| ChunkError::Game { number, reason };
    let short = |number: usize| at(number)(GameError::Short);
    let (heads, rest) = raw
        .split_at_checked(count * HEAD_BYTES)
        .ok_or_else(|| short(0))?;
    let (heads, _) = heads.as_chunks::<HEAD_BYTES>();
    let mut games = Vec::with_capacity(heads.len());
    for (number, head) in heads.iter().enumerate() {
        games.push(unpack_head(head).map_err(at(number))?);
    }
    let plies: usize = games.iter().map(|&(_, plies)| plies).sum();
    if rest.len() != plies * 4 {
        return Err(short(count.saturating_sub(1)));
    }
    let plane = |index: usize| rest.iter().skip(index * plies).take(plies).copied();
    let mut bytes = plane(0)
        .zip(plane(1))
        .zip(plane(2).zip(plane(3)))
        .map(|((from, to), (low, high))| (from, to, u16::from_le_bytes([low, high])));
    games
        .into_iter()
        .enumerate()
        .map(|(number, (mut game, plies))| {
            let mut position = game.start;
            let mut score: i16 = 0;
            for (ply, (from, to, change)) in bytes.by_ref().take(plies).enumerate() {
                let (from, to) = (u16::from(from), u16::from(to));
                let bits = from & 63 | (to & 63) << 6 | (from >> 6) << 12 | (to >> 6) << 14;
                let mv = Move::from_bits(bits)
                    .filter(|&mv| position.is_legal(mv))
                    .ok_or(GameError::Move { ply, bits })
                    .map_err(at(number))?;
                position = position.play_unchecked(mv);
                score = score.wrapping_add(unzigzag(change));
                game.plies.push(Ply { mv, score });
            }
            Ok(game)
        })
        .collect()
}

/// Small numbers of either sign become small numbers.
const fn zigzag(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

const fn unzigzag(value: u16) -> i16 {
    (value >> 1) as i16 ^ -((value & 1) as i16)
}
