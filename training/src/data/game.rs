//! A game of self-play: where it began, each move with what the search thought, and its end.

use movegen::{
    Bitboard, CastlingRight, Color, IllegalPosition, Move, Piece, Position, Role, Setup, Square,
    Variant,
};
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
    bytes[..START_BYTES].copy_from_slice(&pack(&game.start));
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
        start: unpack(&start)?,
        plies: Vec::new(),
        winner,
        ending,
    };
    let plies = u16::from_le_bytes([rest[4], rest[5]]);
    Ok((game, usize::from(plies)))
}

/// How many bytes a start takes.
pub(super) const START_BYTES: usize = 32;

/// Why 32 bytes are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    #[error("more than 32 men on the board")]
    TooManyPieces,
    #[error("man {0} is none of the fourteen kinds")]
    UnknownPiece(u8),
    #[error("the en-passant square {0} is not on the board")]
    EnPassant(u8),
    #[error("the position is illegal: {0}")]
    Illegal(#[from] IllegalPosition),
}

/// White rook that may castle, and the black one.
const CASTLING_ROOKS: [u8; 2] = [12, 13];
const NO_SQUARE: u8 = 64;

pub(super) fn pack(position: &Position) -> [u8; START_BYTES] {
    let mut bytes = [0; START_BYTES];
    bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    let homes = position.castling_rights().rooks();
    for (index, square) in position.occupied().into_iter().take(32).enumerate() {
        let Some(piece) = position.piece_on(square) else {
            continue;
        };
        let code = if homes.has(square) {
            CASTLING_ROOKS[piece.color().index()]
        } else {
            piece.index() as u8
        };
        bytes[8 + index / 2] |= code << (index % 2 * 4);
    }
    bytes[24] = position.side_to_move().index() as u8;
    bytes[25] = position
        .en_passant()
        .map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[26..28].copy_from_slice(&position.halfmove_clock().to_le_bytes());
    bytes[28..30].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes
}

pub(super) fn unpack(bytes: &[u8; START_BYTES]) -> Result<Position, StartError> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&bytes[..8]);
    let occupied = Bitboard(u64::from_le_bytes(occupied));
    if occupied.count() > 32 {
        return Err(StartError::TooManyPieces);
    }
    let mut setup = Setup::empty();
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        setup.pieces[square.index()] = Some(man(code, square, &mut setup.castling_rights)?);
    }
    setup.side_to_move = if bytes[24] == 0 {
        Color::White
    } else {
        Color::Black
    };
    setup.en_passant = match bytes[25] {
        NO_SQUARE => None,
        index => Some(Square::from_index(usize::from(index)).ok_or(StartError::EnPassant(index))?),
    };
    setup.halfmove_clock = word(26);
    setup.fullmove_number = word(28);
    Ok(setup.position(Variant::Chess960)?)
}

fn man(code: u8, square: Square, rights: &mut Vec<CastlingRight>) -> Result<Piece, StartError> {
    if let Some(color) = Color::ALL
        .into_iter()
        .find(|color| CASTLING_ROOKS[color.index()] == code)
    {
        rights.push(CastlingRight::File(color, square.file()));
        return Ok(Piece::new(color, Role::Rook));
    }
    Piece::ALL
        .into_iter()
        .find(|piece| piece.index() == usize::from(code))
        .ok_or(StartError::UnknownPiece(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_back_with_everything_a_fen_says() {
        for fen in [
            movegen::START_FEN,
            "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 13 57",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "nrk1rqbb/pppppppp/8/8/8/8/PPPPPPPP/1RKNRQBB w EBeb - 0 1",
            "8/8/8/8/8/8/k7/2K5 w - - 99 500",
        ] {
            let position = Position::from_fen(fen, Variant::Chess960).unwrap();
            let again = unpack(&pack(&position)).unwrap();
            assert_eq!(again.shredder_fen(), position.shredder_fen());
            assert_eq!(again.key(), position.key());
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_refused_in_words() {
        let start = pack(&Position::default());
        let mut crowded = start;
        crowded[..8].fill(0xff);
        assert_eq!(unpack(&crowded), Err(StartError::TooManyPieces));
        let mut unknown = start;
        unknown[8] |= 15;
        assert_eq!(unpack(&unknown), Err(StartError::UnknownPiece(15)));
        let mut passing = start;
        passing[25] = 200;
        assert_eq!(unpack(&passing), Err(StartError::EnPassant(200)));
        assert!(matches!(unpack(&[0; 32]), Err(StartError::Illegal(_))));
    }
}
