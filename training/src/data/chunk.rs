//! A chunk: a few hundred games, compressed and checksummed.
//!
//! Before compression similar bytes are grouped: the heads of all games, then the first bytes of
//! all moves, their second bytes, and the scores as differences from ply to ply.

use super::game::{GameHead, GameRecord, ScoredMove};
use anyhow::{Context, Result, anyhow, ensure};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use movegen::Move;
use std::io::{self, Read, Write};
use std::mem::offset_of;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

const MARKER: [u8; 4] = *b"CHNK";
/// More than any writer produces; a larger length means damage.
const MAX_BYTES: u32 = 1 << 28;

/// The most moves a game can have: the format stores their number in two bytes.
pub const MAX_PLIES: usize = u16::MAX as usize;

const INVALID_LENGTHS: &str = "invalid lengths in the header";

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct ChunkHeader {
    marker: [u8; 4],
    recipe_bytes: U32,
    /// Length of the games before compression, and after.
    raw_bytes: U32,
    packed_bytes: U32,
    games: U32,
    /// The checksum of everything else in the chunk.
    checksum: U32,
}

impl ChunkHeader {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let header = Self::read_from_bytes(bytes);
        let header = header.map_err(|_| truncated(bytes, size_of::<Self>()))?;
        ensure!(header.marker == MARKER, "expected a chunk marker");
        let lengths = [header.recipe_bytes, header.raw_bytes, header.packed_bytes];
        let too_long = lengths.iter().any(|length| length.get() > MAX_BYTES);
        let head_bytes = header.games().saturating_mul(size_of::<GameHead>());
        ensure!(
            !too_long && head_bytes <= header.raw_bytes(),
            INVALID_LENGTHS
        );
        Ok(header)
    }

    pub(super) fn games(&self) -> usize {
        self.games.get() as usize
    }

    fn raw_bytes(&self) -> usize {
        self.raw_bytes.get() as usize
    }

    /// Length of what follows the header.
    pub(super) fn body_bytes(&self) -> usize {
        (self.recipe_bytes + self.packed_bytes).get() as usize
    }

    fn checksum_with(&self, body: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.as_bytes()[..offset_of!(Self, checksum)]);
        hasher.update(body);
        hasher.finalize()
    }

    pub(super) fn check(&self, body: &[u8]) -> Result<()> {
        if body.len() < self.body_bytes() {
            return Err(truncated(body, self.body_bytes()));
        }
        let (found, expected) = (self.checksum_with(body), self.checksum.get());
        ensure!(
            found == expected,
            "checksum {found:08x}, expected {expected:08x}"
        );
        Ok(())
    }

    /// The recipe of the games, and the compressed games.
    fn split<'a>(&self, body: &'a [u8]) -> Result<(&'a [u8], &'a [u8])> {
        body.split_at_checked(self.recipe_bytes.get() as usize)
            .context(INVALID_LENGTHS)
    }

    /// The recipe of the games.
    pub(super) fn recipe<'a>(&self, body: &'a [u8]) -> Result<&'a str> {
        let (recipe, _) = self.split(body)?;
        str::from_utf8(recipe).map_err(|_| anyhow!("the recipe is not UTF-8"))
    }

    /// The games of a body that passed `check`.
    pub(super) fn unpack(&self, body: &[u8]) -> Result<Vec<GameRecord>> {
        let (_, packed) = self.split(body)?;
        let mut raw = Vec::new();
        ZlibDecoder::new(packed)
            .take(self.raw_bytes() as u64 + 1)
            .read_to_end(&mut raw)
            .map_err(|error| anyhow!("decompression failed: {error}"))?;
        ensure!(raw.len() == self.raw_bytes(), INVALID_LENGTHS);
        decode(&raw, self.games())
    }
}

/// True if a complete chunk begins anywhere in the bytes.
pub(super) fn contains_chunk(bytes: &[u8]) -> bool {
    let markers = bytes.windows(MARKER.len()).enumerate();
    let mut starts = markers.filter_map(|(at, window)| (window == MARKER).then_some(at));
    starts.any(|at| {
        let parts = bytes[at..].split_at_checked(size_of::<ChunkHeader>());
        parts.is_some_and(|(header, rest)| {
            ChunkHeader::read(header).is_ok_and(|header| {
                let body = rest.get(..header.body_bytes());
                body.is_some_and(|body| header.check(body).is_ok())
            })
        })
    })
}

fn truncated(found: &[u8], expected: usize) -> anyhow::Error {
    anyhow!("truncated: {} of {expected} bytes", found.len())
}

/// A chunk with its header.
pub(super) fn pack(recipe: &str, games: &[GameRecord]) -> io::Result<Vec<u8>> {
    let raw = encode(games);
    let mut encoder = ZlibEncoder::new(recipe.as_bytes().to_vec(), Compression::best());
    encoder.write_all(&raw)?;
    let body = encoder.finish()?;
    let mut header = ChunkHeader {
        marker: MARKER,
        recipe_bytes: (recipe.len() as u32).into(),
        raw_bytes: (raw.len() as u32).into(),
        packed_bytes: ((body.len() - recipe.len()) as u32).into(),
        games: (games.len() as u32).into(),
        checksum: 0.into(),
    };
    header.checksum = header.checksum_with(&body).into();
    Ok([header.as_bytes(), &body].concat())
}

/// Encodes games, before compression.
pub(super) fn encode(games: &[GameRecord]) -> Vec<u8> {
    let heads: Vec<GameHead> = games.iter().map(GameHead::new).collect();
    let mut raw = heads.as_bytes().to_vec();
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
pub(super) fn decode(raw: &[u8], count: usize) -> Result<Vec<GameRecord>> {
    let at = |number: usize| move |error: anyhow::Error| anyhow!("game {number}: {error}");
    let too_short = || anyhow!("unexpected end of data");
    let (heads, rest) =
        <[GameHead]>::ref_from_prefix_with_elems(raw, count).map_err(|_| at(0)(too_short()))?;
    let plies: usize = heads.iter().map(GameHead::plies).sum();
    if rest.len() != plies * 4 {
        return Err(at(count.saturating_sub(1))(too_short()));
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
    let games = heads.iter().enumerate().map(|(number, head)| {
        let mut game = head.unpack().map_err(at(number))?;
        let mut position = game.start;
        let mut score: i16 = 0;
        for (ply, (bits, change)) in moves.by_ref().take(head.plies()).enumerate() {
            let mv = Move::from_bits(bits)
                .filter(|&mv| position.is_legal(mv))
                .ok_or_else(|| at(number)(anyhow!("illegal move {ply} ({bits:#06x})")))?;
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
