//! A recorded game: its start, every move with the search's score, and its result; and the bytes
//! of its start and result in a chunk.

use movegen::{
    Bitboard, CastlingRight, Color, IllegalPosition, Move, Piece, Position, Role, Setup, Square,
    Variant,
};
use thiserror::Error;

/// A move and the score the search gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    pub mv: Move,
    /// From White's point of view, in evaluation units.
    pub score: i16,
}

impl ScoredMove {
    /// The score from one side's point of view.
    #[must_use]
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
    #[must_use]
    pub const fn points(self) -> f32 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Termination {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    Repetition,
    /// Decided by the search's scores.
    Adjudication,
}

impl Termination {
    pub const ALL: [Self; 6] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::FiftyMoves,
        Self::Repetition,
        Self::Adjudication,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "fifty-move rule",
            Self::Repetition => "threefold repetition",
            Self::Adjudication => "adjudication",
        }
    }
}

/// A game of self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Its number in its run; the run's seed and this number determine the game.
    pub number: u32,
    pub start: Position,
    pub moves: Vec<ScoredMove>,
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub termination: Termination,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    #[error("unexpected end of data")]
    Truncated,
    #[error("invalid starting position: {0}")]
    Start(#[from] PackedPositionError),
    #[error("invalid result {0}")]
    Result(u8),
    #[error("illegal move {ply} ({bits:#06x})")]
    Move { ply: usize, bits: u16 },
}

impl GameRecord {
    /// Every position with the move played in it.
    pub fn positions(&self) -> impl Iterator<Item = (Position, ScoredMove)> {
        let mut position = self.start;
        self.moves.iter().map(move |&played| {
            let before = position;
            position = before.play_unchecked(played.mv);
            (before, played)
        })
    }

    /// The result from one side's point of view.
    #[must_use]
    pub fn result_for(&self, side: Color) -> GameResult {
        match self.winner {
            None => GameResult::Draw,
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// The result as in PGN.
    #[must_use]
    pub const fn pgn_result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            None => "1/2-1/2",
            Some(Color::Black) => "0-1",
        }
    }
}

/// Bytes of a game's head: start, number, number of moves, winner, termination.
pub(super) const HEAD_BYTES: usize = PACKED_POSITION_BYTES + 8;

pub(super) fn pack_head(game: &GameRecord) -> [u8; HEAD_BYTES] {
    let mut bytes = [0; HEAD_BYTES];
    let (start, rest) = bytes.split_at_mut(PACKED_POSITION_BYTES);
    start.copy_from_slice(&pack_position(&game.start));
    rest[..4].copy_from_slice(&game.number.to_le_bytes());
    rest[4..6].copy_from_slice(&(game.moves.len() as u16).to_le_bytes());
    rest[6] = game.winner.map_or(2, |winner| winner.index() as u8);
    rest[7] = game.termination as u8;
    bytes
}

/// A game without its moves, and their number.
pub(super) fn unpack_head(bytes: &[u8; HEAD_BYTES]) -> Result<(GameRecord, usize), GameError> {
    let mut start = [0; PACKED_POSITION_BYTES];
    start.copy_from_slice(&bytes[..PACKED_POSITION_BYTES]);
    let rest = &bytes[PACKED_POSITION_BYTES..];
    let winner = match rest[6] {
        0 => Some(Color::White),
        1 => Some(Color::Black),
        2 => None,
        other => return Err(GameError::Result(other)),
    };
    let termination = Termination::ALL.get(usize::from(rest[7])).copied();
    let game = GameRecord {
        number: u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]),
        start: unpack_position(&start)?,
        moves: Vec::new(),
        winner,
        termination: termination.ok_or(GameError::Result(rest[7]))?,
    };
    let moves = u16::from_le_bytes([rest[4], rest[5]]);
    Ok((game, usize::from(moves)))
}

/// A packed position: occupied squares (8 bytes), the piece on each in four bits (16), side to
/// move, en-passant square, halfmove clock, move number (8 together). A rook with a castling
/// right has a code of its own, so Chess960 needs nothing else.
const PACKED_POSITION_BYTES: usize = 32;
/// Codes of a white and a black rook with a castling right.
const CASTLING_ROOKS: [u8; 2] = [12, 13];
const NO_SQUARE: u8 = 64;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedPositionError {
    #[error("more than 32 pieces")]
    TooManyPieces,
    #[error("invalid piece code {0}")]
    Piece(u8),
    #[error("invalid en-passant square {0}")]
    EnPassant(u8),
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

fn pack_position(position: &Position) -> [u8; PACKED_POSITION_BYTES] {
    let mut bytes = [0; PACKED_POSITION_BYTES];
    bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    let castling_rooks = position.castling_rights().rooks();
    for (index, square) in position.occupied().into_iter().take(32).enumerate() {
        let Some(piece) = position.piece_on(square) else {
            continue;
        };
        let code = if castling_rooks.has(square) {
            CASTLING_ROOKS[piece.color().index()]
        } else {
            piece.index() as u8
        };
        bytes[8 + index / 2] |= code << (index % 2 * 4);
    }
    bytes[24] = position.side_to_move().index() as u8;
    let en_passant = position.en_passant();
    bytes[25] = en_passant.map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[26..28].copy_from_slice(&position.halfmove_clock().to_le_bytes());
    bytes[28..30].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes
}

fn unpack_position(bytes: &[u8; PACKED_POSITION_BYTES]) -> Result<Position, PackedPositionError> {
    let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&bytes[..8]);
    let occupied = Bitboard(u64::from_le_bytes(occupied));
    if occupied.count() > 32 {
        return Err(PackedPositionError::TooManyPieces);
    }
    let mut setup = Setup::empty();
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        let castling_rook = Color::ALL
            .into_iter()
            .find(|color| CASTLING_ROOKS[color.index()] == code);
        let piece = if let Some(color) = castling_rook {
            let right = CastlingRight::File(color, square.file());
            setup.castling_rights.push(right);
            Piece::new(color, Role::Rook)
        } else {
            let mut pieces = Piece::ALL.into_iter();
            pieces
                .find(|piece| piece.index() == usize::from(code))
                .ok_or(PackedPositionError::Piece(code))?
        };
        setup.pieces[square.index()] = Some(piece);
    }
    setup.side_to_move = if bytes[24] == 0 {
        Color::White
    } else {
        Color::Black
    };
    if bytes[25] != NO_SQUARE {
        let square = Square::from_index(usize::from(bytes[25]));
        setup.en_passant = Some(square.ok_or(PackedPositionError::EnPassant(bytes[25]))?);
    }
    setup.halfmove_clock = u16_at(26);
    setup.fullmove_number = u16_at(28);
    Ok(setup.position(Variant::Chess960)?)
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
            let unpacked = unpack_position(&pack_position(&position)).unwrap();
            assert_eq!(unpacked.shredder_fen(), position.shredder_fen());
            assert_eq!(unpacked.key(), position.key());
        }
    }

    #[test]
    fn invalid_packed_positions_are_rejected() {
        use PackedPositionError as Error;
        let start = pack_position(&Position::default());
        let damaged = |places: std::ops::Range<usize>, byte| {
            let mut bytes = start;
            bytes[places].fill(byte);
            unpack_position(&bytes)
        };
        assert_eq!(damaged(0..8, 0xff), Err(Error::TooManyPieces));
        assert_eq!(damaged(8..9, 15), Err(Error::Piece(15)));
        assert_eq!(damaged(25..26, 200), Err(Error::EnPassant(200)));
        assert!(matches!(damaged(0..32, 0), Err(Error::Illegal(_))));
    }
}
