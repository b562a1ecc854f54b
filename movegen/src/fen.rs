//! FEN, both ways.
//!
//! Reading accepts four, five or six fields, and castling as `KQkq`, X-FEN or Shredder-FEN.
//! What is printed is FEN for standard homes and X-FEN otherwise, or Shredder-FEN when asked
//! for; the en-passant square appears only when a capture there is legal.

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::setup::{CastlingRight, Setup, Variant};
use crate::square::Square;
use crate::validate::IllegalPosition;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use thiserror::Error;

/// The start position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a text is no FEN: the field, what stood there, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    #[error("FEN has no {0}: expected board, side to move, castling and en passant at least")]
    MissingField(&'static str),
    #[error("FEN has something after its sixth field: '{0}'")]
    ExtraField(String),
    #[error("FEN board '{text}': {count} ranks; expected 8, separated by '/'")]
    RankCount { text: String, count: usize },
    #[error("FEN board, rank {rank} '{text}': {width} squares; expected 8")]
    RankWidth {
        rank: u8,
        text: String,
        width: usize,
    },
    #[error("FEN board, rank {rank}: '{letter}' is no man; expected one of PNBRQKpnbrqk or 1-8")]
    UnknownPiece { rank: u8, letter: char },
    #[error("FEN side to move '{0}': expected 'w' or 'b'")]
    SideToMove(String),
    #[error(
        "FEN castling '{text}': '{letter}' means nothing here; expected '-' or letters of KQkq \
         or rook files A-H, a-h"
    )]
    Castling { text: String, letter: char },
    #[error("FEN en passant '{0}': expected '-' or a square such as e3")]
    EnPassant(String),
    #[error("FEN en passant '{square}': with {turn} to move it must be on rank {rank}")]
    EnPassantRank {
        square: Square,
        turn: Color,
        rank: u8,
    },
    #[error("FEN {field} '{text}': expected a whole number from 0 to {}", u16::MAX)]
    Number { field: &'static str, text: String },
    #[error("FEN describes no legal position: {0}")]
    Illegal(#[from] IllegalPosition),
}

/// The longest piece of a caller's text an error repeats.
const QUOTED: usize = 80;

/// A text as an error repeats it: the whole of it, unless somebody sent a megabyte.
fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(FenError::MissingField(name));
        let pieces = read_board(field("board")?)?;
        let side_to_move = read_side_to_move(field("side to move")?)?;
        let castling_rights = read_castling(field("castling field")?)?;
        let en_passant = read_en_passant(field("en-passant field")?, side_to_move)?;
        let halfmove_clock = read_number("halfmove clock", fields.next(), 0)?;
        let fullmove_number = read_number("fullmove number", fields.next(), 1)?.max(1);
        if let Some(extra) = fields.next() {
            return Err(FenError::ExtraField(quote(extra)));
        }
        Ok(Self {
            pieces,
            side_to_move,
            castling_rights,
            en_passant,
            halfmove_clock,
            fullmove_number,
        })
    }
}

fn read_board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let count = text.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount {
            text: quote(text),
            count,
        });
    }
    let mut men = [None; 64];
    for (row, rank) in text.split('/').zip((0..8).rev()) {
        let mut width = 0usize;
        for letter in row.chars() {
            if let Some(run) = letter.to_digit(9).filter(|&run| run > 0) {
                width += run as usize;
            } else if let Some(man) = Piece::from_letter(letter) {
                if width < 8 {
                    men[Square::at(width as u8, rank).index()] = Some(man);
                }
                width += 1;
            } else {
                return Err(FenError::UnknownPiece {
                    rank: rank + 1,
                    letter,
                });
            }
        }
        if width != 8 {
            return Err(FenError::RankWidth {
                rank: rank + 1,
                text: quote(row),
                width,
            });
        }
    }
    Ok(men)
}

fn read_side_to_move(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(quote(text))),
    }
}

fn read_castling(text: &str) -> Result<Vec<CastlingRight>, FenError> {
    let mut rights = Vec::new();
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let right = match letter.to_ascii_lowercase() {
            'k' => CastlingRight::Outermost(color, CastlingSide::King),
            'q' => CastlingRight::Outermost(color, CastlingSide::Queen),
            file @ 'a'..='h' => CastlingRight::File(color, file as u8 - b'a'),
            _ => {
                return Err(FenError::Castling {
                    text: quote(text),
                    letter,
                });
            }
        };
        if !rights.contains(&right) {
            rights.push(right);
        }
    }
    Ok(rights)
}

fn read_en_passant(text: &str, turn: Color) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let square: Square = text.parse().map_err(|_| FenError::EnPassant(quote(text)))?;
    let rank = match turn {
        Color::White => 6,
        Color::Black => 3,
    };
    if square.rank() + 1 == rank {
        Ok(Some(square))
    } else {
        Err(FenError::EnPassantRank { square, turn, rank })
    }
}

fn read_number(field: &'static str, text: Option<&str>, missing: u16) -> Result<u16, FenError> {
    let Some(text) = text else { return Ok(missing) };
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| all_digits);
    number.ok_or_else(|| FenError::Number {
        field,
        text: quote(text),
    })
}

impl Position {
    /// Reads a FEN and checks that it is a legal position.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Self, FenError> {
        Ok(fen.parse::<Setup>()?.position(variant)?)
    }

    /// FEN, with castling as X-FEN where the homes are not the standard ones.
    #[must_use]
    pub fn fen(&self) -> String {
        self.write_fen(|color, wing, rook| {
            let first_rank = Bitboard::relative_rank(color, 0);
            let rooks = self.pieces(color, Role::Rook) & first_rank;
            let furthest = match wing {
                CastlingSide::King => rooks.last(),
                CastlingSide::Queen => rooks.first(),
            };
            match (furthest == Some(rook), wing) {
                (true, CastlingSide::King) => 'k',
                (true, CastlingSide::Queen) => 'q',
                (false, _) => rook.file_letter(),
            }
        })
    }

    /// FEN with castling as rook files, unambiguous for every Chess960 position.
    #[must_use]
    pub fn shredder_fen(&self) -> String {
        self.write_fen(|_, _, rook| rook.file_letter())
    }

    fn write_fen(&self, letter: impl Fn(Color, CastlingSide, Square) -> char) -> String {
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                if let Some(man) = self.piece_on(Square::at(file, rank)) {
                    push_gap(&mut fen, &mut gap);
                    fen.push(man.letter());
                } else {
                    gap += 1;
                }
            }
            push_gap(&mut fen, &mut gap);
            if rank > 0 {
                fen.push('/');
            }
        }
        fen.push(' ');
        fen.push(self.side_to_move().letter());
        fen.push(' ');
        if self.castling_rights().is_empty() {
            fen.push('-');
        }
        for color in Color::ALL {
            let king = self.king(color);
            for wing in CastlingSide::ALL {
                if let Some(rook) = self.castling_rights().rook(color, wing, king) {
                    let letter = letter(color, wing, rook);
                    fen.push(match color {
                        Color::White => letter.to_ascii_uppercase(),
                        Color::Black => letter,
                    });
                }
            }
        }
        let _ = match self.en_passant() {
            Some(square) => write!(fen, " {square}"),
            None => write!(fen, " -"),
        };
        let _ = write!(fen, " {} {}", self.halfmove_clock(), self.fullmove_number());
        fen
    }
}

fn push_gap(fen: &mut String, gap: &mut u8) {
    if *gap > 0 {
        fen.push((b'0' + *gap) as char);
        *gap = 0;
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
