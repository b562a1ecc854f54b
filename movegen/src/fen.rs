//! Reading and writing FEN.
//!
//! Only the board is required; [`DEFAULTS`] has the values of omitted fields. Castling is read as
//! `KQkq`, X-FEN or Shredder-FEN. Writing uses all six fields and X-FEN, which is plain FEN for
//! standard home squares, or Shredder-FEN on request. The en passant square is written only if a
//! capture on it is legal.

use crate::bitboard::write_board;
use crate::castling::{CastlingRight, CastlingRights, CastlingSide, Variant};
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::setup::{Dropped, IllegalPosition, Setup, Validated};
use crate::square::{File, Rank, Square};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The start position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The defaults of the fields after the board. `KQkq` grants a right to every king and rook on
/// their home squares; in Chess960, where it is X-FEN, to a king on its first rank and the
/// outermost rook on either side of it.
const DEFAULTS: [&str; 5] = ["w", "KQkq", "-", "0", "1"];

/// The reason a text is not the FEN of a legal position: the field, its text, and what is expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum FenError {
    /// There is no field.
    #[error(
        "empty FEN; expected a board such as r3k2r/8/8/8/8/8/8/R3K2R, optionally followed by side to \
         move, castling rights, en passant square, halfmove clock and fullmove number"
    )]
    Empty,
    /// There are more than six fields.
    #[error("unexpected '{0}' after the sixth field of the FEN")]
    ExtraField(String),
    /// The board does not have eight ranks.
    #[error("invalid FEN board '{text}': expected 8 ranks separated by '/', found {count}")]
    RankCount { text: String, count: usize },
    /// A rank does not have eight squares.
    #[error("invalid FEN board: expected 8 squares in rank {rank} '{text}', found {width}")]
    RankWidth {
        rank: Rank,
        text: String,
        width: usize,
    },
    /// A character of the board is neither a piece nor a number.
    #[error(
        "invalid FEN board: unexpected '{letter}' in rank {rank}, \
         expected one of PNBRQKpnbrqk or 1-8"
    )]
    UnknownPiece { rank: Rank, letter: char },
    /// The side to move is neither `w` nor `b`.
    #[error("invalid FEN side to move '{0}': expected 'w' or 'b'")]
    SideToMove(String),
    /// A character of the castling rights is unknown.
    #[error(
        "invalid FEN castling rights '{text}': unexpected '{letter}', \
         expected '-', letters of KQkq or rook files A-H, a-h"
    )]
    Castling { text: String, letter: char },
    /// The en passant square is not a square.
    #[error("invalid FEN en passant square '{0}': expected '-' or a square such as e3")]
    EnPassant(String),
    /// The en passant square is on a rank that no pawn of the side not to move skips.
    #[error(
        "invalid FEN en passant square '{square}'; with {mover} to move it must be on rank {rank}"
    )]
    EnPassantRank {
        square: Square,
        mover: Color,
        rank: Rank,
    },
    /// The halfmove clock or the fullmove number is not a number, or too large.
    #[error(
        "invalid FEN {field} '{text}': expected a whole number from 0 to {}",
        u16::MAX
    )]
    Number { field: &'static str, text: String },
    /// Several fields, or ranks of the board, are malformed.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Several(Vec<Self>),
    /// The fields are well-formed, but the position is illegal.
    #[error("illegal position: {0}")]
    Illegal(#[from] IllegalPosition),
}

impl FenError {
    /// The column of the fault in the text that was parsed, in characters from 1; `None` for a
    /// position that is illegal as a whole.
    ///
    /// ```
    /// use movegen::Position;
    ///
    /// let fen = "4k3/8/8/8/8/8/8/4K3 w - e4 0 1";
    /// let error = fen.parse::<Position>().unwrap_err();
    /// assert_eq!(error.column(fen), Some(25));
    /// ```
    pub fn column(&self, fen: &str) -> Option<usize> {
        let text = |field: usize| fen.split_ascii_whitespace().nth(field).unwrap_or_default();
        let rank_start = |rank: Rank| {
            let ranks_above = text(0).split('/').take(7 - rank.index());
            ranks_above.map(|row| row.len() + 1).sum::<usize>()
        };
        let (field, offset) = match self {
            Self::Illegal(_) => return None,
            Self::Several(faults) => return faults.first()?.column(fen),
            Self::Empty => return Some(1),
            Self::RankCount { .. } => (0, 0),
            Self::RankWidth { rank, .. } => (0, rank_start(*rank)),
            Self::UnknownPiece { rank, letter } => {
                let start = rank_start(*rank);
                (0, start + text(0).get(start..)?.find(*letter)?)
            }
            Self::SideToMove(_) => (1, 0),
            Self::Castling { letter, .. } => (2, text(2).find(*letter)?),
            Self::EnPassant(_) | Self::EnPassantRank { .. } => (3, 0),
            Self::Number { field, .. } => (if field.starts_with("half") { 4 } else { 5 }, 0),
            Self::ExtraField(_) => (6, 0),
        };
        let starts = fen.char_indices().zip([' '].into_iter().chain(fen.chars()));
        let mut starts = starts.filter(|&((_, letter), before)| {
            before.is_ascii_whitespace() && !letter.is_ascii_whitespace()
        });
        let ((start, _), _) = starts.nth(field)?;
        Some(fen.get(..start + offset)?.chars().count() + 1)
    }
}

/// The most characters of the input that an error quotes.
const MAX_QUOTED: usize = 80;

/// The input as an error quotes it, truncated if it is long.
fn quote(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl FromStr for Setup {
    type Err = FenError;

    /// Fails with the faults of all fields, and of all ranks of the board.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = parse_board(fields.next().ok_or(FenError::Empty)?);
        let (board, mut faults) = match board {
            Ok(pieces) => (Some(pieces), Vec::new()),
            Err(faults) => (None, faults),
        };
        if let [FenError::RankCount { count: 1, .. }] = faults.as_slice() {
            // A word that is no board says nothing of the words after it.
            return Err(faults.remove(0));
        }
        let mut note = |fault| faults.push(fault);
        let [side, castling, en_passant, halfmove, fullmove] =
            DEFAULTS.map(|default| fields.next().unwrap_or(default));
        let side_to_move = parse_side_to_move(side).map_err(&mut note);
        let castling_rights = parse_castling_rights(castling).map_err(&mut note);
        let en_passant = parse_en_passant(en_passant, side_to_move.ok()).map_err(&mut note);
        let halfmove_clock = parse_number("halfmove clock", halfmove).map_err(&mut note);
        let fullmove_number = parse_number("fullmove number", fullmove).map_err(&mut note);
        if let Some(extra) = fields.next() {
            note(FenError::ExtraField(quote(extra)));
        }
        let setup = || -> Result<Self, ()> {
            Ok(Self {
                pieces: board.ok_or(())?,
                side_to_move: side_to_move?,
                castling_rights: castling_rights?,
                en_passant: en_passant?,
                halfmove_clock: halfmove_clock?,
                fullmove_number: fullmove_number?,
            })
        };
        match (setup(), faults.len()) {
            (Ok(setup), 0) => Ok(setup),
            (_, 1) => Err(faults.remove(0)),
            _ => Err(FenError::Several(faults)),
        }
    }
}

/// The meaning of a character in the board field.
#[derive(Clone, Copy)]
struct Symbol {
    piece: Option<Piece>,
    /// The number of squares it fills; an invalid character fills more than a rank has.
    squares: u8,
    /// The number of squares in the rank that it starts.
    rank: u8,
}

static SYMBOLS: [Symbol; 256] = {
    let (piece, rank) = (None, 0);
    let squares = 9;
    let mut symbols = [Symbol {
        piece,
        squares,
        rank,
    }; 256];
    let mut byte = 0;
    while byte < 128 {
        if let Some(piece) = Piece::from_letter(byte as u8 as char) {
            (symbols[byte].piece, symbols[byte].squares) = (Some(piece), 1);
        } else if let digit @ b'1'..=b'8' = byte as u8 {
            symbols[byte].squares = digit - b'0';
        }
        byte += 1;
    }
    (symbols[b'/' as usize].squares, symbols[b'/' as usize].rank) = (0, 8);
    symbols
};

/// All characters take the same path: a branch on the character would often be mispredicted.
fn parse_board(text: &str) -> Result<[Option<Piece>; 64], Vec<FenError>> {
    let mut pieces = [None; 64];
    // In FEN order, a8 first: the next square, and the end of its rank.
    let (mut next, mut end) = (0_usize, 8_usize);
    for &byte in text.as_bytes() {
        let symbol = SYMBOLS[usize::from(byte)];
        pieces[(next ^ 56) & 63] = symbol.piece;
        next += usize::from(symbol.squares);
        end += usize::from(symbol.rank);
        // The rank is too long, or a new one starts before it is full.
        if end.wrapping_sub(next) > 8 {
            return Err(why_not_a_board(text));
        }
    }
    if (next, end) == (64, 64) {
        Ok(pieces)
    } else {
        Err(why_not_a_board(text))
    }
}

/// The faults of an invalid board: the number of its ranks, or else each invalid rank.
#[cold]
fn why_not_a_board(text: &str) -> Vec<FenError> {
    let width_of = |letter: char| match letter.to_digit(9) {
        Some(run @ 1..) => Some(run as usize),
        _ => Piece::from_letter(letter).map(|_| 1),
    };
    let unknown_in = |row: &str| row.chars().find(|&letter| width_of(letter).is_none());
    let width = |row: &str| row.chars().filter_map(width_of).sum::<usize>();
    let count = text.split('/').count();
    if count != 8 {
        let text = quote(text);
        return vec![FenError::RankCount { text, count }];
    }
    let rows = text.split('/').zip(Rank::ALL.into_iter().rev());
    let faults = rows.filter_map(|(row, rank)| match unknown_in(row) {
        Some(letter) => Some(FenError::UnknownPiece { rank, letter }),
        None if width(row) == 8 => None,
        None => Some(FenError::RankWidth {
            rank,
            text: quote(row),
            width: width(row),
        }),
    });
    faults.collect()
}

fn parse_side_to_move(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(quote(text))),
    }
}

fn parse_castling_rights(text: &str) -> Result<Vec<CastlingRight>, FenError> {
    let mut rights = Vec::new();
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let right = CastlingRight::from_letter(letter).ok_or_else(|| FenError::Castling {
            text: quote(text),
            letter,
        })?;
        if !rights.contains(&right) {
            rights.push(right);
        }
    }
    Ok(rights)
}

/// Without the side to move, any rank is accepted.
fn parse_en_passant(text: &str, mover: Option<Color>) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let square: Square = text.parse().map_err(|_| FenError::EnPassant(quote(text)))?;
    match mover.map(|mover| (mover, Rank::Sixth.relative(mover))) {
        Some((mover, rank)) if square.rank() != rank => Err(FenError::EnPassantRank {
            square,
            mover,
            rank,
        }),
        _ => Ok(Some(square)),
    }
}

fn parse_number(field: &'static str, text: &str) -> Result<u16, FenError> {
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| all_digits);
    number.ok_or_else(|| FenError::Number {
        field,
        text: quote(text),
    })
}

impl Position {
    /// Parses a FEN and validates the position. Fields after the board may be omitted: by default
    /// White is to move, kings and rooks on their home squares may castle, and the clocks are 0 and
    /// 1.
    ///
    /// ```
    /// use movegen::{Position, Variant};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Variant::Standard)?;
    /// assert_eq!(position.legal_moves().len(), 6);
    ///
    /// let error = Position::from_fen("4k3/8/8/8/8/8/4P4/4K3 w - - 0 1", Variant::Standard).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "invalid FEN board: expected 8 squares in rank 2 '4P4', found 9",
    /// );
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Self, FenError> {
        Ok(fen.parse::<Setup>()?.position(variant)?.position)
    }

    /// The FEN, with castling rights as X-FEN if home squares are not the standard ones.
    pub fn fen(&self) -> String {
        in_string(|fen| self.write_x_fen(fen))
    }

    fn write_x_fen(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let rights = self.rooks_with_right().map(|(color, side, rook)| {
            let rooks = CastlingRights(self.pieces(color, Role::Rook));
            if rooks.rook(color, side, self.king(color)) == Some(rook) {
                CastlingRight::Outermost(color, side)
            } else {
                CastlingRight::File(color, rook.file())
            }
        });
        self.write_fen(out, rights)
    }

    /// The FEN with castling rights as rook files, unambiguous for every Chess960 position.
    pub fn shredder_fen(&self) -> String {
        in_string(|fen| self.write_fen(fen, self.file_rights()))
    }

    /// The castling rights as rook files, which mean the same in every variant.
    pub(crate) fn file_rights(&self) -> impl Iterator<Item = CastlingRight> {
        self.rooks_with_right()
            .map(|(color, _, rook)| CastlingRight::File(color, rook.file()))
    }

    fn rooks_with_right(&self) -> impl Iterator<Item = (Color, CastlingSide, Square)> {
        let sides = |color| CastlingSide::ALL.map(|side| (color, side));
        Color::ALL
            .into_iter()
            .flat_map(sides)
            .filter_map(|(color, side)| {
                let rook = self.castling_rights().rook(color, side, self.king(color))?;
                Some((color, side, rook))
            })
    }

    fn write_fen(
        &self,
        out: &mut impl fmt::Write,
        rights: impl Iterator<Item = CastlingRight>,
    ) -> fmt::Result {
        write_fen(
            out,
            &self.mailbox,
            self.side_to_move(),
            rights,
            self.en_passant(),
            [self.halfmove_clock(), self.fullmove_number()],
        )
    }
}

fn in_string(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut fen = String::with_capacity(90);
    // A string takes everything that is written.
    let _ = write(&mut fen);
    fen
}

fn write_fen(
    out: &mut impl fmt::Write,
    pieces: &[Option<Piece>; 64],
    side_to_move: Color,
    rights: impl Iterator<Item = CastlingRight>,
    en_passant: Option<Square>,
    [halfmove_clock, fullmove_number]: [u16; 2],
) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        let mut gap = 0;
        for file in File::ALL {
            if let Some(piece) = pieces[Square::new(file, rank).index()] {
                write_gap(out, &mut gap)?;
                out.write_char(piece.letter())?;
            } else {
                gap += 1;
            }
        }
        write_gap(out, &mut gap)?;
        out.write_char(if rank == Rank::First { ' ' } else { '/' })?;
    }
    out.write_char(side_to_move.letter())?;
    out.write_char(' ')?;
    let mut rights = rights.map(CastlingRight::letter);
    out.write_char(rights.next().unwrap_or('-'))?;
    rights.try_for_each(|letter| out.write_char(letter))?;
    match en_passant {
        Some(square) => write!(out, " {square}")?,
        None => out.write_str(" -")?,
    }
    write!(out, " {halfmove_clock} {fullmove_number}")
}

fn write_gap(out: &mut impl fmt::Write, gap: &mut u8) -> fmt::Result {
    match core::mem::take(gap) {
        0 => Ok(()),
        gap => out.write_char((b'0' + gap) as char),
    }
}

/// A FEN with the castling rights as they were written.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(
            f,
            &self.pieces,
            self.side_to_move,
            self.castling_rights.iter().copied(),
            self.en_passant,
            [self.halfmove_clock, self.fullmove_number],
        )
    }
}

/// A FEN that parses as the same position: in Chess960 with rook files.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write_board(f, |square| self.piece_on(square).map_or('.', Piece::letter))
        } else {
            match self.variant {
                Variant::Standard => self.write_x_fen(f),
                Variant::Chess960 => self.write_fen(f, self.file_rights()),
            }
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Position").field(&self.to_string()).finish()
    }
}

impl Validated {
    /// Parses a FEN of a variant. With `None` it is one of standard chess, unless it names a rook
    /// by a file letter that only Chess960 has a castling right for. Rights of a FEN without the
    /// castling field are never dropped.
    ///
    /// ```
    /// use movegen::{Validated, Variant};
    ///
    /// let variant = |fen| Ok::<_, movegen::FenError>(Validated::from_fen(fen, None)?.position.variant());
    /// assert_eq!(variant("4k3/8/8/8/8/8/8/1K5R w H - 0 1")?, Variant::Chess960);
    /// assert_eq!(variant("4k3/8/8/8/8/8/8/1K5R w K - 0 1")?, Variant::Standard);
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn from_fen(fen: &str, variant: impl Into<Option<Variant>>) -> Result<Self, FenError> {
        const CASTLING_FIELD: usize = 2;
        let variant = variant.into();
        let setup: Setup = fen.parse()?;
        let mut read = setup.position(variant.unwrap_or_default())?;
        if read.dropped.is_empty() {
            return Ok(read);
        }
        if fen.split_ascii_whitespace().nth(CASTLING_FIELD).is_none() {
            read.dropped.clear();
        } else if variant.is_none() && read.dropped.iter().any(Dropped::names_rook_of_chess960) {
            read = setup.position(Variant::Chess960)?;
        }
        Ok(read)
    }
}

/// Parses a FEN as standard chess, or as Chess960 if it names rooks by file letters that only
/// Chess960 has castling rights for.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Ok(Validated::from_fen(fen, None)?.position)
    }
}

#[cfg(test)]
mod tests {
    use super::{FenError, Position};

    #[test]
    fn errors_know_their_column() {
        for (fen, column) in [
            ("", Some(1)),
            ("  \n", Some(1)),
            ("8/8 w", Some(1)),
            (" 4k3/8/8/9/8/8/8/4K3 w", Some(10)),
            ("4k3/8/8/8/8/8/8/4K2x w", Some(20)),
            ("4k3/8/8/8/8/8/8/4Kä2 w", Some(19)),
            ("4k3/8/8/8/8/8/8/4K3\t x", Some(22)),
            ("4k3/8/8/8/8/8/8/4K3 w Kx", Some(24)),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", Some(25)),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", Some(27)),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", Some(29)),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", Some(31)),
            ("4k3/8/8/8/8/8/8/8 w", None),
        ] {
            let error: FenError = fen.parse::<Position>().expect_err(fen);
            assert_eq!(error.column(fen), column, "{fen}: {error}");
        }
    }
}
