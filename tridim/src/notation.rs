//! Move notation, read and written: `Nd1W-c3N`, `b2W-b4N`, `Qa0QL1xa9QL6#`, `QL1-QL3`,
//! `QL4-QL6=Q`, `O-O`, `O-O-O`, and `a8B=Q` for the promotion of a waiting pawn.

use std::str::FromStr;

use common::excerpt;
use movegen::{GamePosition, Role};
use thiserror::Error;

use crate::moves::{CastlingKind, Move};
use crate::pin::{Flank, Pin};
use crate::position::Position;
use crate::square::{Square, SquareError};

/// A move as written, before its legality is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParsedMove {
    /// A piece move; the role is the one written, if any.
    Piece {
        role: Option<Role>,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    Board {
        from: Pin,
        to: Pin,
        promotion: Option<Role>,
    },
    Kingside,
    Queenside,
    Promotion {
        pawn: Square,
        role: Role,
    },
}

/// The reason a text is not a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    #[error(
        "invalid move '{0}': expected for example Nd1W-c3N, b2W-b4N, QL1-QL3, O-O, O-O-O or, for a \
         pawn that waited, a8B=Q"
    )]
    NoMove(String),
    #[error("invalid move '{text}': a pawn promotes to Q, R, B or N, not '{found}'")]
    Promotion { text: String, found: String },
    #[error(transparent)]
    Square(#[from] SquareError),
}

impl FromStr for ParsedMove {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let wrong = || NotationError::NoMove(excerpt(text));
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        match bare {
            "O-O" | "0-0" | "o-o" => return Ok(Self::Kingside),
            "O-O-O" | "0-0-0" | "o-o-o" => return Ok(Self::Queenside),
            _ => {}
        }
        let (way, promotion) = match bare.split_once('=') {
            Some((way, found)) => (way, Some(read_promotion(text, found)?)),
            None => (bare, None),
        };
        let Some((from, to)) = way.split_once(['-', 'x']) else {
            let role = promotion.ok_or_else(wrong)?;
            let pawn = read_square(way, text)?;
            return Ok(Self::Promotion { pawn, role });
        };
        if let (Ok(from), Ok(to)) = (from.parse(), to.parse()) {
            return Ok(Self::Board {
                from,
                to,
                promotion,
            });
        }
        // A capital letter names the piece: files are lower case.
        let letter = from.chars().next().filter(char::is_ascii_uppercase);
        let role = letter
            .map(|letter| Role::from_letter(letter).ok_or_else(wrong))
            .transpose()?;
        let from = match role {
            Some(_) => from.get(1..).unwrap_or_default(),
            None => from,
        };
        Ok(Self::Piece {
            role,
            from: read_square(from, text)?,
            to: read_square(to, text)?,
            promotion,
        })
    }
}

/// Parses a square; text that does not resemble one makes the whole move invalid.
fn read_square(square: &str, text: &str) -> Result<Square, NotationError> {
    match square.parse() {
        Ok(square) => Ok(square),
        Err(error @ SquareError::OffBoard { .. }) => Err(error.into()),
        Err(SquareError::NoSquare(_)) => Err(NotationError::NoMove(excerpt(text))),
    }
}

/// The capital letter of a role.
pub(crate) fn capital(role: Role) -> char {
    role.letter().to_ascii_uppercase()
}

fn read_promotion(text: &str, found: &str) -> Result<Role, NotationError> {
    let role = match *found.as_bytes() {
        [letter] => Role::from_letter(letter as char),
        _ => None,
    };
    role.filter(|role| Role::PROMOTIONS.contains(role))
        .ok_or_else(|| NotationError::Promotion {
            text: excerpt(text),
            found: excerpt(found),
        })
}

impl Position {
    /// Writes a legal move in notation, with `+` for check and `#` for mate.
    pub fn notation(&self, mv: Move) -> String {
        format!("{}{}", self.bare_notation(mv), self.check_mark(mv))
    }

    /// `+` if a legal move gives check, `#` if it mates.
    pub(crate) fn check_mark(&self, mv: Move) -> &'static str {
        let next = self.play_unchecked(mv);
        // A promotion of a waiting pawn does not pass the turn and never gives check: otherwise the
        // board move before it would have been illegal.
        if next.side_to_move() == self.side_to_move || !next.in_check() {
            ""
        } else if next.has_moves() {
            "+"
        } else {
            "#"
        }
    }

    /// Writes a legal move without check and mate marks.
    pub fn bare_notation(&self, mv: Move) -> String {
        let mut text = match mv {
            Move::Piece { from, to, .. } => {
                let letter = self.piece_letter(from);
                let separator = if self.is_capture(mv) { 'x' } else { '-' };
                format!("{letter}{from}{separator}{to}")
            }
            Move::Board { from, to, .. } => format!("{from}-{to}"),
            Move::Castle(castling) => castling.kind.notation().to_owned(),
            Move::Promotion { pawn, .. } => pawn.to_string(),
        };
        if let Some(role) = mv.promotion() {
            text.extend(['=', capital(role)]);
        }
        text
    }

    /// The capital letter of the piece on a square; empty for a pawn.
    pub(crate) fn piece_letter(&self, square: Square) -> String {
        let role = self.piece_on(square).map(movegen::Piece::role);
        let letter = role.filter(|&role| role != Role::Pawn).map(capital);
        letter.map(String::from).unwrap_or_default()
    }

    /// Writes successive legal moves.
    pub fn write_line(&self, moves: &[Move]) -> Vec<String> {
        let mut position = *self;
        let next = |&mv: &Move| {
            let text = position.notation(mv);
            position = position.play_unchecked(mv);
            text
        };
        moves.iter().map(next).collect()
    }

    /// True if a legal move captures, en passant included.
    pub fn is_capture(&self, mv: Move) -> bool {
        let Move::Piece { from, to, .. } = mv else {
            return false;
        };
        let pawn = self
            .piece_on(from)
            .is_some_and(|piece| piece.role() == Role::Pawn);
        self.piece_on(to).is_some() || pawn && from.file() != to.file()
    }

    /// The kind of kingside castling `O-O` means, by the square of the king.
    pub fn kingside(&self) -> CastlingKind {
        let king = self.placement().king(self.side_to_move);
        match king.and_then(Square::pin).map(Pin::flank) {
            Some(Flank::Queen) => CastlingKind::KingsideQl,
            _ => CastlingKind::KingsideKl,
        }
    }
}
