//! A game of self-play: where it began, each move with what the search thought, and its end.

use super::start::{self, START_BYTES, StartError};
use movegen::{Color, Move, Position};
use thiserror::Error;

/// A move and the value the search gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// For White, in evaluation units.
    pub score: i16,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ending {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    Repetition,
    /// Long agreed upon by the search's own values.
    Adjudicated,
}

impl Ending {
    pub const ALL: [Self; 6] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::FiftyMoves,
        Self::Repetition,
        Self::Adjudicated,
    ];

    /// How it is called for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
            Self::Adjudicated => "adjudicated",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Which of its run's games it is; the run's seed and this number make it again.
    pub number: u32,
    pub start: Position,
    pub plies: Vec<Ply>,
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub ending: Ending,
}

/// Why bytes are no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    #[error("the bytes end in the middle of a game")]
    Short,
    #[error("its start is no position: {0}")]
    Start(#[from] StartError),
    #[error("its result {0} is none of the known ones")]
    Result(u8),
    #[error("its move {ply} ({bits:#06x}) is not legal")]
    Move { ply: usize, bits: u16 },
}

impl Game {
    /// Every position a move was played in, with that move.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Ply)> {
        let mut position = self.start;
        self.plies.iter().map(move |&ply| {
            let here = position;
            position = here.play_unchecked(ply.mv);
            (here, ply)
        })
    }
}

/// What stands in a chunk's first plane for every game.
pub(super) const HEAD_BYTES: usize = START_BYTES + 8;

/// Start, number, length, winner and ending.
pub(super) fn pack_head(game: &Game) -> [u8; HEAD_BYTES] {
    let mut bytes = [0; HEAD_BYTES];
    bytes[..START_BYTES].copy_from_slice(&start::pack(&game.start));
    let rest = &mut bytes[START_BYTES..];
    rest[..4].copy_from_slice(&game.number.to_le_bytes());
    rest[4..6].copy_from_slice(&(game.plies.len() as u16).to_le_bytes());
    rest[6] = game.winner.map_or(2, |winner| winner.index() as u8);
    rest[7] = game.ending as u8;
    bytes
}

/// A game without its plies, and how many there are.
pub(super) fn unpack_head(bytes: &[u8; HEAD_BYTES]) -> Result<(Game, usize), GameError> {
    let mut start = [0; START_BYTES];
    start.copy_from_slice(&bytes[..START_BYTES]);
    let rest = &bytes[START_BYTES..];
    let winner = match rest[6] {
        0 => Some(Color::White),
        1 => Some(Color::Black),
        2 => None,
        other => return Err(GameError::Result(other)),
    };
    let ending = Ending::ALL
        .get(usize::from(rest[7]))
        .copied()
        .ok_or(GameError::Result(rest[7]))?;
    let game = Game {
        number: u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]),
        start: start::unpack(&start)?,
        plies: Vec::new(),
        winner,
        ending,
    };
    let plies = u16::from_le_bytes([rest[4], rest[5]]);
    Ok((game, usize::from(plies)))
}
