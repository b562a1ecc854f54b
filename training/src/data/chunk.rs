//! A chunk: some hundred games, compressed and checksummed.
//!
//! Before compression similar bytes are grouped: the heads of all games, then the first bytes of
//! all moves, their second bytes, and the scores as differences from ply to ply.

use super::game::{GameError, GameRecord, HEAD_BYTES, ScoredMove, pack_head, unpack_head};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use movegen::Move;
use std::io::{Read, Write};
use thiserror::Error;

const MARKER: [u8; 4] = *b"CHNK";
/// Marker, lengths, number of games and checksum.
pub(super) const HEADER_BYTES: usize = 24;
/// More than any writer makes; a larger length means damage.
const MAX_BYTES: u32 = 1 << 28;

/// The most moves a game can have: the format stores their number in two bytes.
pub const MAX_PLIES: usize = u16::MAX as usize;

#[derive(Debug, Error)]
pub enum ChunkError {
    #[error("truncated: {found} of {expected} bytes")]
    Truncated { found: u64, expected: u64 },
    #[error("expected a chunk marker")]
    Marker,
    #[error("invalid lengths in the header")]
    Lengths,
    #[error("checksum {found:08x}, expected {expected:08x}")]
    Checksum { found: u32, expected: u32 },
    #[error("the recipe is not UTF-8")]
    Recipe,
    #[error("decompression failed: {0}")]
    Compression(#[from] std::io::Error),
    #[error("game {number}: {source}")]
    Game { number: usize, source: GameError },
}

/// Six words: marker, length of the recipe, lengths of the games before and after compression,
/// number of games, checksum of everything else in the chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header([u8; HEADER_BYTES]);

impl Header {
    pub(super) fn read(bytes: [u8; HEADER_BYTES]) -> Result<Self, ChunkError> {
        if !bytes.starts_with(&MARKER) {
            return Err(ChunkError::Marker);
        }
        let header = Self(bytes);
        let too_long = (1..4).any(|length| header.word(length) > MAX_BYTES);
        if too_long || header.games().saturating_mul(HEAD_BYTES) > header.raw_bytes() {
            return Err(ChunkError::Lengths);
        }
        Ok(header)
    }

    fn word(&self, index: usize) -> u32 {
        u32::from_le_bytes(self.0.as_chunks().0[index])
    }

    fn recipe_bytes(&self) -> usize {
        self.word(1) as usize
    }

    fn raw_bytes(&self) -> usize {
        self.word(2) as usize
    }

    pub(super) fn games(&self) -> usize {
        self.word(4) as usize
    }

    /// Length of what follows the header.
    pub(super) fn body_bytes(&self) -> usize {
        self.recipe_bytes() + self.word(3) as usize
    }

    pub(super) const fn bytes(&self) -> &[u8; HEADER_BYTES] {
        &self.0
    }

    fn checksum(&self, body: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.0[..HEADER_BYTES - 4]);
        hasher.update(body);
        hasher.finalize()
    }

    pub(super) fn check(&self, body: &[u8]) -> Result<(), ChunkError> {
        if body.len() < self.body_bytes() {
            return Err(ChunkError::Truncated {
                found: body.len() as u64,
                expected: self.body_bytes() as u64,
            });
        }
        let (found, expected) = (self.checksum(body), self.word(5));
        if found == expected {
            Ok(())
        } else {
            Err(ChunkError::Checksum { found, expected })
        }
    }

    /// How the games were made.
    pub(super) fn recipe<'a>(&self, body: &'a [u8]) -> Result<&'a str, ChunkError> {
        let text = body.get(..self.recipe_bytes());
        text.and_then(|text| std::str::from_utf8(text).ok())
            .ok_or(ChunkError::Recipe)
    }

    /// The games of a body that passed `check`.
    pub(super) fn games_of(&self, body: &[u8]) -> Result<Vec<GameRecord>, ChunkError> {
        let packed = body.get(self.recipe_bytes()..).unwrap_or_default();
        let mut raw = Vec::new();
        ZlibDecoder::new(packed)
            .take(self.raw_bytes() as u64 + 1)
            .read_to_end(&mut raw)?;
        if raw.len() != self.raw_bytes() {
            return Err(ChunkError::Lengths);
        }
        decode(&raw, self.games())
    }
}

/// A chunk with its header.
pub(super) fn pack(recipe: &str, games: &[GameRecord]) -> Result<Vec<u8>, ChunkError> {
    let raw = encode(games);
    let mut encoder = ZlibEncoder::new(recipe.as_bytes().to_vec(), Compression::best());
    encoder.write_all(&raw)?;
    let body = encoder.finish()?;
    let lengths = [recipe.len(), raw.len(), body.len() - recipe.len()];
    let mut header = Header([0; HEADER_BYTES]);
    header.0[..4].copy_from_slice(&MARKER);
    let words = lengths.into_iter().chain([games.len()]);
    for (place, word) in header.0[4..].chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&(word as u32).to_le_bytes());
    }
    let checksum = header.checksum(&body);
    header.0[HEADER_BYTES - 4..].copy_from_slice(&checksum.to_le_bytes());
    Ok([header.bytes(), body.as_slice()].concat())
}

/// Games before compression.
pub(super) fn encode(games: &[GameRecord]) -> Vec<u8> {
    let mut raw: Vec<u8> = games.iter().flat_map(pack_head).collect();
    let mut planes = [const { Vec::new() }; 4];
    for game in games {
        let mut last_score = 0;
        for played in &game.moves {
            // From and to in six bits each, the kind of move in the upper two bits of both.
            let bits = played.mv.to_bits();
            let from = bits & 63 | (bits >> 12 & 3) << 6;
            let to = bits >> 6 & 63 | (bits >> 14 & 3) << 6;
            let change = zigzag(played.score.wrapping_sub(last_score));
            last_score = played.score;
            planes[0].push(from as u8);
            planes[1].push(to as u8);
            planes[2].push(change as u8);
            planes[3].push((change >> 8) as u8);
        }
    }
    raw.extend(planes.into_iter().flatten());
    raw
}

/// The reverse of `encode`. Replays every move, so that all games it returns are legal.
pub(super) fn decode(raw: &[u8], count: usize) -> Result<Vec<GameRecord>, ChunkError> {
    let at = |number: usize| move |source| ChunkError::Game { number, source };
    let (heads, rest) = raw
        .split_at_checked(count * HEAD_BYTES)
        .ok_or_else(|| at(0)(GameError::Truncated))?;
    let (heads, _) = heads.as_chunks::<HEAD_BYTES>();
    let heads = heads.iter().enumerate();
    let heads = heads.map(|(number, head)| unpack_head(head).map_err(at(number)));
    let heads = heads.collect::<Result<Vec<_>, _>>()?;
    let plies: usize = heads.iter().map(|&(_, plies)| plies).sum();
    if rest.len() != plies * 4 {
        return Err(at(count.saturating_sub(1))(GameError::Truncated));
    }
    let plane = |index: usize| rest.iter().skip(index * plies).take(plies);
    let mut moves =
        plane(0)
            .zip(plane(1))
            .zip(plane(2).zip(plane(3)))
            .map(|((&from, &to), (&low, &high))| {
                let (from, to) = (u16::from(from), u16::from(to));
                let bits = from & 63 | (to & 63) << 6 | (from >> 6) << 12 | (to >> 6) << 14;
                (bits, unzigzag(u16::from_le_bytes([low, high])))
            });
    let games = heads.into_iter().enumerate();
    let games = games.map(|(number, (mut game, plies))| {
        let mut position = game.start;
        let mut score: i16 = 0;
        for (ply, (bits, change)) in moves.by_ref().take(plies).enumerate() {
            let mv = Move::from_bits(bits)
                .filter(|&mv| position.is_legal(mv))
                .ok_or_else(|| at(number)(GameError::Move { ply, bits }))?;
            position = position.play_unchecked(mv);
            score = score.wrapping_add(change);
            game.moves.push(ScoredMove { mv, score });
        }
        Ok(game)
    });
    games.collect()
}

/// Maps small numbers of either sign to small unsigned numbers.
const fn zigzag(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

const fn unzigzag(value: u16) -> i16 {
    (value >> 1) as i16 ^ -((value & 1) as i16)
}
