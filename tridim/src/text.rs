//! Positions as one line of text, both ways.
//!
//! `BOARDS TURN PASSING CLOCK NUMBER`, as in
//! `W:4/4/P+P+P+P+/NBBN,N:4/4/4/4,…,QL1w:P+P+/R+Q,… w - 0 1`: every board with its name (an
//! attack board's owner behind it), its ranks from the highest down as FEN has them, and a `+`
//! behind each king, rook and pawn that has never moved; the side to move, `@` and a pin behind
//! it if it has activated that board; the pawn that may be taken in passing; plies since a pawn
//! moved or a man was taken; the number of the move.

use crate::pin::Pin;
use crate::position::{Position, Rules};
use crate::setup::Setup;
use crate::square::{Board, Square};
use crate::squares::SquareSet;
use crate::validate::IllegalPosition;
use movegen::{Color, Piece, Role};
use std::fmt::{self, Write as _};
use std::str::FromStr;
use thiserror::Error;

/// The start of a game.
pub const START_TEXT: &str = "W:4/4/P+P+P+P+/NBBN,N:4/4/4/4,B:nbbn/p+p+p+p+/4/4,\
     QL1w:P+P+/R+Q,KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 1";

/// Why a text is no position: the field, what stood there, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TextError {
    #[error("the position has no {0}: expected boards, side to move and en passant at least")]
    MissingField(&'static str),
    #[error("the position has something after its fifth field: '{0}'")]
    ExtraField(String),
    #[error(
        "board '{0}': expected W, N or B, or a pin and its board's owner such as QL1w, then ':' \
         and ranks"
    )]
    BoardName(String),
    #[error("board {0} is there twice")]
    BoardTwice(Board),
    #[error("board {0} is missing")]
    BoardMissing(Board),
    #[error("board {board}: {count} ranks; expected {}, separated by '/'", board.width())]
    RankCount { board: Board, count: usize },
    #[error("board {board}, rank '{text}': {width} squares; expected {}", board.width())]
    RankWidth {
        board: Board,
        text: String,
        width: usize,
    },
    #[error("board {board}: '{letter}' is no man; expected one of PNBRQKpnbrqk, 1-4, or '+'")]
    UnknownMan { board: Board, letter: char },
    #[error("board {board}: '+' must follow a king, a rook or a pawn")]
    Mark { board: Board },
    #[error("side to move '{0}': expected 'w' or 'b', with '@' and a pin behind it if activated")]
    Turn(String),
    #[error("en passant '{0}': expected '-' or the square of a pawn such as b4N")]
    EnPassant(String),
    #[error("{field} '{text}': expected a whole number from 0 to {}", u16::MAX)]
    Number { field: &'static str, text: String },
    #[error("not a legal position: {0}")]
    Illegal(#[from] IllegalPosition),
}

/// The longest piece of a caller's text an error repeats.
const QUOTED: usize = 80;

/// A text as an error repeats it: the whole of it, unless somebody sent a megabyte.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut fields = text.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(TextError::MissingField(name));
        let mut setup = Self::empty();
        setup.read_boards(field("boards")?)?;
        (setup.turn, setup.held) = read_turn(field("side to move")?)?;
        setup.en_passant = match field("en passant")? {
            "-" => None,
            text => {
                let square = text.parse();
                Some(square.map_err(|_| TextError::EnPassant(quote(text)))?)
            }
        };
        setup.halfmove_clock = read_number("halfmove clock", fields.next(), 0)?;
        setup.move_number = read_number("move number", fields.next(), 1)?.max(1);
        match fields.next() {
            Some(extra) => Err(TextError::ExtraField(quote(extra))),
            None => Ok(setup),
        }
    }
}

impl Setup {
    fn read_boards(&mut self, text: &str) -> Result<(), TextError> {
        let mut seen = Vec::new();
        for part in text.split(',') {
            let wrong = || TextError::BoardName(quote(part));
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
                (Board::Attack(pin), Some(owner)) => self.world.put_board(pin, owner),
                (Board::Attack(_), None) | (_, Some(_)) => return Err(wrong()),
                (_, None) => {}
            }
            self.read_men(board, ranks)?;
            seen.push(board);
        }
        match Board::MAIN.into_iter().find(|board| !seen.contains(board)) {
            Some(board) => Err(TextError::BoardMissing(board)),
            None => Ok(()),
        }
    }

    fn read_men(&mut self, board: Board, text: &str) -> Result<(), TextError> {
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
                } else if let Some(man) = Piece::from_letter(letter) {
                    let square = squares.get(width).copied();
                    if let Some(square) = square {
                        self.world.put(man, square);
                    }
                    let markable = matches!(man.role(), Role::King | Role::Rook | Role::Pawn);
                    last = square.filter(|_| markable);
                    width += 1;
                } else {
                    return Err(TextError::UnknownMan { board, letter });
                }
            }
            if width != wide {
                return Err(TextError::RankWidth {
                    board,
                    text: quote(row),
                    width,
                });
            }
        }
        Ok(())
    }
}

fn read_turn(text: &str) -> Result<(Color, Option<Pin>), TextError> {
    let wrong = || TextError::Turn(quote(text));
    let (side, held) = match text.split_once('@') {
        Some((side, pin)) => (side, Some(pin.parse().map_err(|_| wrong())?)),
        None => (text, None),
    };
    match side {
        "w" => Ok((Color::White, held)),
        "b" => Ok((Color::Black, held)),
        _ => Err(wrong()),
    }
}

fn read_number(field: &'static str, text: Option<&str>, missing: u16) -> Result<u16, TextError> {
    let Some(text) = text else { return Ok(missing) };
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| all_digits);
    number.ok_or_else(|| TextError::Number {
        field,
        text: quote(text),
    })
}

impl Position {
    /// Reads a text and checks that it is a legal position.
    pub fn from_text(text: &str, rules: Rules) -> Result<Self, TextError> {
        Ok(text.parse::<Setup>()?.position(rules)?)
    }

    fn write_board(&self, board: Board, text: &mut String) {
        let squares: Vec<Square> = SquareSet::of_board(board).into_iter().collect();
        let mut first = true;
        for rank in squares.chunks(usize::from(board.width())).rev() {
            if !first {
                text.push('/');
            }
            first = false;
            let mut gap = 0u8;
            for &square in rank {
                match self.man_on(square) {
                    Some(man) => {
                        push_gap(text, &mut gap);
                        text.push(man.letter());
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
        for board in Board::all().filter(|&board| self.world.has_board(board)) {
            if !text.is_empty() {
                text.push(',');
            }
            write!(text, "{board}")?;
            if let Board::Attack(pin) = board
                && let Some(owner) = self.world.owner(pin)
            {
                text.push(owner.letter());
            }
            text.push(':');
            self.write_board(board, &mut text);
        }
        write!(f, "{text} {}", self.turn.letter())?;
        if let Some(pin) = self.held {
            write!(f, "@{pin}")?;
        }
        match self.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.move_number)
    }
}
