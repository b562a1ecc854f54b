//! A recorded game: its start, every move with the search's score, and its result; and the bytes
//! of its start and result in a chunk.

use anyhow::{Context, Result, anyhow, bail, ensure};
use common::rng::SplitMix64;
use movegen::{
    Bitboard, CastlingRight, Color, Move, Piece, Position, Role, Setup, Square, Variant,
};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A move and the score the search gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    pub mv: Move,
    /// From White's point of view, in evaluation units.
    pub score: i16,
}

impl ScoredMove {
    /// A move with its score from the point of view of the side that plays it.
    pub(crate) const fn of(side: Color, mv: Move, score: i16) -> Self {
        let score = Self { mv, score }.score_for(side);
        Self { mv, score }
    }

    /// The score from one side's point of view.
    pub const fn score_for(self, side: Color) -> i16 {
        match side {
            Color::White => self.score,
            Color::Black => self.score.saturating_neg(),
        }
    }
}

/// The result of a game from one side's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    Loss,
    Draw,
    Win,
}

impl GameResult {
    /// Points scored: 0, ½ or 1.
    pub const fn points(self) -> f32 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }
}

/// The reason a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Termination {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    Repetition,
    /// Decided by the search's scores.
    Adjudication,
    /// The game was not played to an end: a fragment, without a result.
    Unfinished,
}

impl Termination {
    pub const ALL: [Self; 7] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::FiftyMoves,
        Self::Repetition,
        Self::Adjudication,
        Self::Unfinished,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "fifty-move rule",
            Self::Repetition => "threefold repetition",
            Self::Adjudication => "adjudication",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A game of self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The number in its run; the run's seed and this number determine the game.
    pub number: u32,
    pub start: Position,
    pub moves: Vec<ScoredMove>,
    /// `None` for a draw, and without a result.
    pub winner: Option<Color>,
    pub termination: Termination,
}

impl GameRecord {
    /// A drawn game of random moves, scored zero; determined by its number.
    pub(crate) fn random(number: u32, start: Position) -> Self {
        const MAX_PLIES: usize = 120;
        let mut rng = SplitMix64::with_stream(number.into(), 0);
        let mut position = start;
        let mut moves = Vec::new();
        while moves.len() < MAX_PLIES {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(rng.below(legal.len())) else {
                break;
            };
            moves.push(ScoredMove { mv, score: 0 });
            position = position.play_unchecked(mv);
        }
        Self {
            number,
            start,
            moves,
            winner: None,
            termination: Termination::Adjudication,
        }
    }

    /// Every position with the move played in it.
    pub fn positions(&self) -> impl Iterator<Item = (Position, ScoredMove)> {
        let mut position = self.start;
        self.moves.iter().map(move |&played| {
            let before = position;
            position = before.play_unchecked(played.mv);
            (before, played)
        })
    }

    /// The result from one side's point of view; `None` for an unfinished game.
    pub fn result_for(&self, side: Color) -> Option<GameResult> {
        match self.winner {
            _ if self.termination == Termination::Unfinished => None,
            None => Some(GameResult::Draw),
            Some(winner) if winner == side => Some(GameResult::Win),
            Some(_) => Some(GameResult::Loss),
        }
    }
}

/// A game without its moves, as stored in a chunk.
#[derive(Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct GameHead {
    start: PackedPosition,
    number: U32,
    plies: U16,
    /// 0 White, 1 Black, 2 draw.
    winner: u8,
    termination: u8,
}

impl GameHead {
    pub(super) fn new(game: &GameRecord) -> Self {
        Self {
            start: PackedPosition::new(&game.start),
            number: game.number.into(),
            plies: (game.moves.len() as u16).into(),
            winner: game.winner.map_or(2, |winner| winner.index() as u8),
            termination: game.termination as u8,
        }
    }

    pub(super) fn plies(&self) -> usize {
        self.plies.get().into()
    }

    /// The game without its moves.
    pub(super) fn unpack(&self) -> Result<GameRecord> {
        let winner = match self.winner {
            0 => Some(Color::White),
            1 => Some(Color::Black),
            2 => None,
            other => {
                bail!("invalid result {other}: expected 0 (White), 1 (Black) or 2 (draw)");
            }
        };
        let termination = Termination::ALL.get(usize::from(self.termination));
        let &termination = termination.with_context(|| {
            let last = Termination::ALL.len() - 1;
            format!(
                "invalid termination {}: expected 0 to {last}",
                self.termination
            )
        })?;
        let start = self.start.unpack();
        Ok(GameRecord {
            number: self.number.get(),
            start: start.map_err(|error| anyhow!("invalid starting position: {error}"))?,
            moves: Vec::new(),
            winner,
            termination,
        })
    }
}

/// A position. A rook with a castling right has its own code, which also covers Chess960.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PackedPosition {
    occupied: U64,
    /// Four bits for the piece on each occupied square.
    pieces: [u8; 16],
    side_to_move: u8,
    en_passant: u8,
    halfmove_clock: U16,
    fullmove_number: U16,
    unused: [u8; 2],
}

impl PackedPosition {
    /// Codes of a white and a black rook with a castling right.
    const CASTLING_ROOKS: [u8; 2] = [12, 13];
    const NO_SQUARE: u8 = 64;

    fn new(position: &Position) -> Self {
        let mut pieces = [0; 16];
        let castling_rooks = position.castling_rights().rooks();
        for (index, square) in position.occupied().into_iter().take(32).enumerate() {
            let Some(piece) = position.piece_on(square) else {
                continue;
            };
            let code = if castling_rooks.has(square) {
                Self::CASTLING_ROOKS[piece.color().index()]
            } else {
                piece.index() as u8
            };
            pieces[index / 2] |= code << (index % 2 * 4);
        }
        let en_passant = position.en_passant();
        Self {
            occupied: position.occupied().0.into(),
            pieces,
            side_to_move: position.side_to_move().index() as u8,
            en_passant: en_passant.map_or(Self::NO_SQUARE, |square| square.index() as u8),
            halfmove_clock: position.halfmove_clock().into(),
            fullmove_number: position.fullmove_number().into(),
            unused: [0; 2],
        }
    }

    fn unpack(&self) -> Result<Position> {
        let occupied = Bitboard(self.occupied.get());
        ensure!(occupied.count() <= 32, "more than 32 pieces");
        let mut setup = Setup::empty();
        for (index, square) in occupied.into_iter().enumerate() {
            let code = self.pieces[index / 2] >> (index % 2 * 4) & 15;
            let mut colors = Color::ALL.into_iter();
            let castling_rook = colors.find(|color| Self::CASTLING_ROOKS[color.index()] == code);
            let piece = if let Some(color) = castling_rook {
                let right = CastlingRight::File(color, square.file());
                setup.castling_rights.push(right);
                Piece::new(color, Role::Rook)
            } else {
                let mut pieces = Piece::ALL.into_iter();
                let piece = pieces.find(|piece| piece.index() == usize::from(code));
                piece.with_context(|| format!("invalid piece code {code}"))?
            };
            setup.pieces[square.index()] = Some(piece);
        }
        setup.side_to_move = match self.side_to_move {
            0 => Color::White,
            _ => Color::Black,
        };
        if self.en_passant != Self::NO_SQUARE {
            let square = Square::from_index(self.en_passant.into());
            let invalid = || format!("invalid en-passant square {}", self.en_passant);
            setup.en_passant = Some(square.with_context(invalid)?);
        }
        setup.halfmove_clock = self.halfmove_clock.get();
        setup.fullmove_number = self.fullmove_number.get();
        Ok(setup.position(Variant::Chess960)?.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_positions_round_trip() {
        for fen in [
            movegen::START_FEN,
            "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 13 57",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "nrk1rqbb/pppppppp/8/8/8/8/PPPPPPPP/1RKNRQBB w EBeb - 0 1",
            "8/8/8/8/8/8/k7/2K5 w - - 99 500",
        ] {
            let position = Position::from_fen(fen, Variant::Chess960).unwrap();
            let unpacked = PackedPosition::new(&position).unpack().unwrap();
            assert_eq!(unpacked.shredder_fen(), position.shredder_fen());
            assert_eq!(unpacked.key(), position.key());
        }
    }

    #[test]
    fn invalid_packed_positions_are_rejected() {
        let start = PackedPosition::new(&Position::default());
        let damaged = |places: std::ops::Range<usize>, byte| {
            let mut packed = start;
            packed.as_mut_bytes()[places].fill(byte);
            packed.unpack().expect_err("damage").to_string()
        };
        assert_eq!(damaged(0..8, 0xff), "more than 32 pieces");
        assert_eq!(damaged(8..9, 15), "invalid piece code 15");
        assert_eq!(damaged(25..26, 200), "invalid en-passant square 200");
        assert!(damaged(0..32, 0).contains("king"));
    }
}
