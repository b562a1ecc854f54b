//! A game's first position in 32 bytes.
//!
//! Eight bytes of occupied squares, sixteen of men at four bits each, and eight for the rest.
//! A rook that may still castle is a man of its own kind, so Chess960 needs nothing more.

use movegen::{
    Bitboard, Color, IllegalPosition, Piece, Position, RightName, Role, Setup, Square, Variant,
};
use thiserror::Error;

/// How many bytes a start takes.
pub(super) const START_BYTES: usize = 32;

/// Why 32 bytes are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    #[error("more than 32 men on the board")]
    TooManyMen,
    #[error("man {0} is none of the fourteen kinds")]
    UnknownMan(u8),
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
    let homes = position.castling().rooks();
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
    bytes[24] = position.turn().index() as u8;
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
        return Err(StartError::TooManyMen);
    }
    let mut setup = Setup::empty();
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        setup.men[square.index()] = Some(man(code, square, &mut setup.castling)?);
    }
    setup.turn = if bytes[24] == 0 {
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

fn man(code: u8, square: Square, rights: &mut Vec<RightName>) -> Result<Piece, StartError> {
    if let Some(color) = Color::ALL
        .into_iter()
        .find(|color| CASTLING_ROOKS[color.index()] == code)
    {
        rights.push(RightName::File(color, square.file()));
        return Ok(Piece::new(color, Role::Rook));
    }
    Piece::ALL
        .into_iter()
        .find(|piece| piece.index() == usize::from(code))
        .ok_or(StartError::UnknownMan(code))
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
        assert_eq!(unpack(&crowded), Err(StartError::TooManyMen));
        let mut unknown = start;
        unknown[8] |= 15;
        assert_eq!(unpack(&unknown), Err(StartError::UnknownMan(15)));
        let mut passing = start;
        passing[25] = 200;
        assert_eq!(unpack(&passing), Err(StartError::EnPassant(200)));
        assert!(matches!(unpack(&[0; 32]), Err(StartError::Illegal(_))));
    }
}
