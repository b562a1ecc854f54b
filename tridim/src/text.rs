//! Positions as one line of text, read and written.
//!
//! `BOARDS SIDE EN-PASSANT HALFMOVES MOVE`, for example
//! `W:4/4/P+P+P+P+/NBBN,N:4/4/4/4,…,QL1w:P+P+/R+Q,… w - 0 1`: every board with its name (followed
//! by its owner for an attack board) and its ranks from the highest down as in FEN, with a `+`
//! after each king, rook and pawn that has not moved; the side to move, followed by `@` and a
//! pin if it has activated that board; the pawn that can be captured en passant; plies since the
//! last pawn move or capture; the move number.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use common::{excerpt, plural};
use movegen::{Color, Piece, Role};
use thiserror::Error;

use crate::pin::Pin;
use crate::position::{Position, Rules};
use crate::setup::{IllegalPosition, Setup};
use crate::square::{Board, Square};
use crate::square_set::SquareSet;

/// The start position.
pub const START_TEXT: &str = "W:4/4/P+P+P+P+/NBBN,N:4/4/4/4,B:nbbn/p+p+p+p+/4/4,\
     QL1w:P+P+/R+Q,KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 1";

/// The reason a text is not a position: the field, what was found, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TextError {
    #[error("missing {0}: expected boards, side to move and en passant at least")]
    MissingField(&'static str),
    #[error("unexpected text after the fifth field: '{0}'")]
    ExtraField(String),
    #[error(
        "board '{0}': expected W, N or B, or a pin and the board's owner such as QL1w, then ':' \
         and ranks"
    )]
    BoardName(String),
    #[error("board {0} appears twice")]
    BoardTwice(Board),
    #[error("board {0} is missing")]
    BoardMissing(Board),
    #[error("board {board}: found {}, expected {}, separated by '/'", plural(*count, "rank"), board.width())]
    RankCount { board: Board, count: usize },
    #[error("board {board}, rank '{text}': found {}, expected {}", plural(*width, "square"), board.width())]
    RankWidth {
        board: Board,
        text: String,
        width: usize,
    },
    #[error("board {board}: invalid piece '{letter}', expected one of PNBRQKpnbrqk, 1-4 or '+'")]
    UnknownPiece { board: Board, letter: char },
    #[error("board {board}: '+' must follow a king, rook or pawn")]
    Mark { board: Board },
    #[error("side to move '{0}': expected 'w' or 'b', optionally followed by '@' and a pin")]
    SideToMove(String),
    #[error("en passant '{0}': expected '-' or the square of a pawn such as b4N")]
    EnPassant(String),
    #[error("{field} '{text}': expected a whole number from 0 to {}", u16::MAX)]
    Number { field: &'static str, text: String },
    #[error("illegal position: {0}")]
    Illegal(#[from] IllegalPosition),
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut fields = text.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(TextError::MissingField(name));
        let mut setup = Self::empty();
        setup.read_boards(field("boards")?)?;
        (setup.side_to_move, setup.activated) = read_side_to_move(field("side to move")?)?;
        setup.en_passant = match field("en passant")? {
            "-" => None,
            text => {
                let square = text.parse();
                Some(square.map_err(|_| TextError::EnPassant(excerpt(text)))?)
            }
        };
        setup.halfmove_clock = read_number("halfmove clock", fields.next(), 0)?;
        setup.move_number = read_number("move number", fields.next(), 1)?.max(1);
        match fields.next() {
            Some(extra) => Err(TextError::ExtraField(excerpt(extra))),
            None => Ok(setup),
        }
    }
}

impl Setup {
    fn read_boards(&mut self, text: &str) -> Result<(), TextError> {
        let mut seen = Vec::new();
        for part in text.split(',') {
            let wrong = || TextError::BoardName(excerpt(part));
            let (name, ranks) = part.split_once(':').ok_or_else(wrong)?;
            let owner = match name.as_bytes().last() {
                Some(b'w') => Some(Color::White),
                Some(b'b') => Some(Color::Black),
                _ => None,
            };
            let name = name.strip_suffix(['w', 'b']).unwrap_or(name);
            let board = Board::from_name(name).ok_or_else(wrong)?;
            if seen.contains(&board) {
                return Err(TextError::BoardTwice(board));
            }
            match (board, owner) {
                (Board::Attack(pin), Some(owner)) => self.placement.put_board(pin, owner),
                (Board::Attack(_), None) | (_, Some(_)) => return Err(wrong()),
                (_, None) => {}
            }
            self.read_pieces(board, ranks)?;
            seen.push(board);
        }
        match Board::MAIN.into_iter().find(|board| !seen.contains(board)) {
            Some(board) => Err(TextError::BoardMissing(board)),
            None => Ok(()),
        }
    }

    fn read_pieces(&mut self, board: Board, text: &str) -> Result<(), TextError> {
        let count = text.split('/').count();
        let wide = usize::from(board.width());
        if count != wide {
            return Err(TextError::RankCount { board, count });
        }
        let squares: Vec<Square> = SquareSet::of_board(board).into_iter().collect();
        for (row, squares) in text.split('/').zip(squares.chunks(wide).rev()) {
            let mut width = 0usize;
            let mut last = None;
            for letter in row.chars() {
                if letter == '+' {
                    let square = last.take().ok_or(TextError::Mark { board })?;
                    self.unmoved |= SquareSet::of(square);
                } else if let Some(run) = letter.to_digit(5).filter(|&run| run > 0) {
                    width += run as usize;
                    last = None;
                } else if let Some(piece) = Piece::from_letter(letter) {
                    let square = squares.get(width).copied();
                    if let Some(square) = square {
                        self.placement.put(piece, square);
                    }
                    let markable = matches!(piece.role(), Role::King | Role::Rook | Role::Pawn);
                    last = square.filter(|_| markable);
                    width += 1;
                } else {
                    return Err(TextError::UnknownPiece { board, letter });
                }
            }
            if width != wide {
                return Err(TextError::RankWidth {
                    board,
                    text: excerpt(row),
                    width,
                });
            }
        }
        Ok(())
    }
}

fn read_side_to_move(text: &str) -> Result<(Color, Option<Pin>), TextError> {
    let wrong = || TextError::SideToMove(excerpt(text));
    let (side, activated) = match text.split_once('@') {
        Some((side, pin)) => (side, Some(pin.parse().map_err(|_| wrong())?)),
        None => (text, None),
    };
    match side {
        "w" => Ok((Color::White, activated)),
        "b" => Ok((Color::Black, activated)),
        _ => Err(wrong()),
    }
}

fn read_number(field: &'static str, text: Option<&str>, missing: u16) -> Result<u16, TextError> {
    let Some(text) = text else { return Ok(missing) };
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| all_digits);
    number.ok_or_else(|| TextError::Number {
        field,
        text: excerpt(text),
    })
}

impl Position {
    /// Parses and validates a position.
    pub fn from_text(text: &str, rules: Rules) -> Result<Self, TextError> {
        Ok(text.parse::<Setup>()?.position(rules)?)
    }

    fn write_board(&self, board: Board, text: &mut String) {
        let squares: Vec<Square> = SquareSet::of_board(board).into_iter().collect();
        for (row, rank) in squares.chunks(usize::from(board.width())).rev().enumerate() {
            if row > 0 {
                text.push('/');
            }
            let mut gap = 0u8;
            for &square in rank {
                match self.piece_on(square) {
                    Some(piece) => {
                        push_gap(text, &mut gap);
                        text.push(piece.letter());
                        if self.is_unmoved(square) {
                            text.push('+');
                        }
                    }
                    None => gap += 1,
                }
            }
            push_gap(text, &mut gap);
        }
    }
}

fn push_gap(text: &mut String, gap: &mut u8) {
    if *gap > 0 {
        text.push((b'0' + *gap) as char);
        *gap = 0;
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(160);
        for board in self.placement.boards() {
            if !text.is_empty() {
                text.push(',');
            }
            write!(text, "{board}")?;
            text.extend(self.placement.board_owner(board).map(Color::letter));
            text.push(':');
            self.write_board(board, &mut text);
        }
        write!(f, "{text} {}", self.side_to_move.letter())?;
        if let Some(pin) = self.activated {
            write!(f, "@{pin}")?;
        }
        match self.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.move_number)
    }
}
