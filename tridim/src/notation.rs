//! Moves as people write them, both ways: `Nd1W-c3N`, `b2W-b4N`, `Qa0QL1xa9QL6#`,
//! `QL1-QL3`, `QL4-QL6=Q`, `O-O`, `O-O-O`, and `a8B=Q` for the choice for a pawn that waited.

use crate::castling::CastlingKind;
use crate::mv::Move;
use crate::pin::Pin;
use crate::position::Position;
use crate::square::{Board, Square, SquareError};
use crate::text::quote;
use movegen::Role;
use std::fmt::Write as _;
use std::str::FromStr;
use thiserror::Error;

/// What a text asks for, whether or not it is legal anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A man from here to there; the role is the one the text names.
    Man {
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
    Choice {
        pawn: Square,
        role: Role,
    },
}

/// Why a text is no move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    #[error(
        "'{0}' is not a move: expected such as Nd1W-c3N, b2W-b4N, QL1-QL3, O-O, O-O-O or, for a \
         pawn that waited, a8B=Q"
    )]
    NoMove(String),
    #[error("'{text}': a pawn becomes Q, R, B or N, not '{found}'")]
    Promotion { text: String, found: String },
    #[error(transparent)]
    Square(#[from] SquareError),
}

impl FromStr for Asked {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let wrong = || NotationError::NoMove(quote(text));
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
            return Ok(Self::Choice { pawn, role });
        };
        if let (Ok(from), Ok(to)) = (from.parse(), to.parse()) {
            return Ok(Self::Board {
                from,
                to,
                promotion,
            });
        }
        // A capital letter in front names the man: files are small.
        let letter = from.chars().next().filter(char::is_ascii_uppercase);
        let role = letter.map(|letter| Role::from_letter(letter).ok_or_else(wrong));
        let role = role.transpose()?;
        let from = match role {
            Some(_) => from.get(1..).unwrap_or_default(),
            None => from,
        };
        Ok(Self::Man {
            role,
            from: read_square(from, text)?,
            to: read_square(to, text)?,
            promotion,
        })
    }
}

/// Reads a square; a text that does not even look like one makes the whole no move.
fn read_square(square: &str, text: &str) -> Result<Square, NotationError> {
    match square.parse() {
        Ok(square) => Ok(square),
        Err(error @ SquareError::OffBoard { .. }) => Err(error.into()),
        Err(SquareError::NoSquare(_)) => Err(NotationError::NoMove(quote(text))),
    }
}

fn read_promotion(text: &str, found: &str) -> Result<Role, NotationError> {
    let role = match *found.as_bytes() {
        [letter] => Role::from_letter(letter as char),
        _ => None,
    };
    role.filter(|role| Role::PROMOTIONS.contains(role))
        .ok_or_else(|| NotationError::Promotion {
            text: quote(text),
            found: quote(found),
        })
}

impl Position {
    /// The move a text means here, or why it is none.
    pub fn read_move(&self, text: &str) -> Result<Move, crate::ReadError> {
        Ok(self.find_move(text.parse()?)?)
    }

    /// A legal move as a record has it, with `+` for check and `#` for mate.
    #[must_use]
    pub fn notation(&self, mv: Move) -> String {
        let mut text = self.bare_notation(mv);
        let next = self.play_unchecked(mv);
        // A choice leaves the turn, and only the other side's king can be attacked by it; it
        // is not, or the board's move would have been illegal.
        if next.turn() != self.turn() && next.in_check() {
            text.push(if next.has_moves() { '+' } else { '#' });
        }
        text
    }

    /// The same without a word on check and mate.
    #[must_use]
    pub fn bare_notation(&self, mv: Move) -> String {
        let mut text = match mv {
            Move::Man { from, to, .. } => {
                let man = self.man_on(from);
                let letter = man
                    .map(movegen::Piece::role)
                    .filter(|&role| role != Role::Pawn)
                    .map(|role| role.letter().to_ascii_uppercase());
                let takes = self.is_capture(mv);
                let by = if takes { 'x' } else { '-' };
                format!(
                    "{}{from}{by}{to}",
                    letter.map(String::from).unwrap_or_default()
                )
            }
            Move::Board { from, to, .. } => format!("{from}-{to}"),
            Move::Castle(castling) => castling.kind.notation().to_owned(),
            Move::Choice { pawn, .. } => pawn.to_string(),
        };
        if let Some(role) = mv.promotion() {
            let _ = write!(text, "={}", role.letter().to_ascii_uppercase());
        }
        text
    }

    /// Whether a legal move takes a man, in passing or not.
    #[must_use]
    pub fn is_capture(&self, mv: Move) -> bool {
        let Move::Man { from, to, .. } = mv else {
            return false;
        };
        let pawn = self
            .man_on(from)
            .is_some_and(|man| man.role() == Role::Pawn);
        self.man_on(to).is_some() || pawn && from.file() != to.file()
    }

    /// The kind of kingside castling that `O-O` means, by where the king stands.
    #[must_use]
    pub fn kingside(&self) -> CastlingKind {
        let on_ql = self.world().king(self.turn()).is_some_and(|king| {
            matches!(king.board(), Board::Attack(pin) if pin.flank() == crate::pin::Flank::Queen)
        });
        match on_ql {
            true => CastlingKind::KingsideQl,
            false => CastlingKind::KingsideKl,
        }
    }
}
