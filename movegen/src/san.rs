//! Standard algebraic notation (SAN): `Nf3`, `exd6`, `O-O`, `e8=Q+`.
//!
//! Writing gives the shortest unambiguous form, with `+` and `#`. Parsing ignores what carries no
//! information: check marks, `x`, `=`, zeros in castling, annotations. A [`San`] is a text whose parts
//! are known and whose position need not be.

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::illegal_move::{IllegalMove, Reasons, quote, write_illegal};
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::{File, Rank, Square};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::str::FromStr;
use thiserror::Error;

/// The reason a text is not a legal move in SAN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum SanError {
    /// The text is not SAN.
    #[error("invalid move '{0}': expected SAN such as e4, Nf3, Rae1, exd5, e8=Q or O-O")]
    Malformed(String),
    /// The one piece that can be meant may not make the move.
    /// `{:#}` displays every reason, `{}` the first.
    #[error(fmt = write_illegal)]
    Illegal { text: String, reasons: Reasons },
    /// None of several pieces may make the move, each for a first reason.
    #[error("illegal move '{text}': {}", joined(reasons, "; "))]
    NoneLegal {
        text: String,
        reasons: Box<[IllegalMove]>,
    },
    /// No piece of the role stands where the text says.
    #[error("illegal move '{text}': {color} has no {}{}", role.name(), origin(*file, *rank))]
    NoSuchPiece {
        text: String,
        color: Color,
        role: Role,
        /// The origin that the text names.
        file: Option<File>,
        rank: Option<Rank>,
    },
    /// No piece of the role moves to the destination.
    #[error("illegal move '{text}': no {} can move to {to}", role.name())]
    Unreachable {
        text: String,
        role: Role,
        to: Square,
    },
    /// Several pieces may make the move.
    #[error("ambiguous move '{text}': expected {}", joined(moves, " or "))]
    Ambiguous {
        text: String,
        /// The moves it can mean.
        moves: Box<[String]>,
    },
}

fn joined<T: ToString>(items: &[T], separator: &str) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    texts.join(separator)
}

/// ` on the a-file`, ` on rank 1`, ` on a1` or nothing.
fn origin(file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (None, None) => String::new(),
        (Some(file), None) => format!(" on the {file}-file"),
        (None, Some(rank)) => format!(" on rank {rank}"),
        (Some(file), Some(rank)) => format!(" on {}", Square::new(file, rank)),
    }
}

/// The parts of a move in SAN; see [`Position::find_san`]. Displayed without what is redundant but `x`
/// and `=`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum San {
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// Any other move.
    Move(SanMove),
}

/// The parts of a SAN other than castling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SanMove {
    /// Without a letter (none, or that of a pawn) a pawn, or any piece on a complete square of origin.
    pub role: Option<Role>,
    /// The file of the origin, if it is named.
    pub file: Option<File>,
    /// The rank of the origin, if it is named.
    pub rank: Option<Rank>,
    /// `x` is written; it is not checked.
    pub captures: bool,
    /// The destination.
    pub to: Square,
    /// The role a pawn is promoted to.
    pub promotion: Option<Role>,
}

impl San {
    /// The parts of a text, which is not checked against a position; `None` if it is not SAN.
    ///
    /// ```
    /// use movegen::{Position, San, Square};
    ///
    /// let san = San::from_ascii(b"Ng1-f3+").expect("a knight move");
    /// assert_eq!(san.to_string(), "Ng1f3");
    /// let mv = Position::default().find_san(san)?;
    /// assert_eq!((mv.from(), mv.to()), (Square::G1, Square::F3));
    /// assert_eq!(San::from_ascii(b"Ng9"), None);
    /// # Ok::<(), movegen::SanError>(())
    /// ```
    pub fn from_ascii(text: &[u8]) -> Option<Self> {
        let mut bare = text;
        while let [start @ .., b'+' | b'#' | b'!' | b'?'] = bare {
            bare = start;
        }
        bare = bare.strip_suffix(b"e.p.").unwrap_or(bare);
        match bare {
            b"O-O" | b"0-0" | b"o-o" => Some(Self::Castling(CastlingSide::King)),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => Some(Self::Castling(CastlingSide::Queen)),
            _ => SanMove::parse(bare).map(Self::Move),
        }
    }
}

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::from_ascii(text.as_bytes()).ok_or_else(|| SanError::Malformed(quote(text)))
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = match self {
            Self::Castling(side) => return f.write_str(side.san()),
            Self::Move(mv) => mv,
        };
        if let Some(role) = mv.role.filter(|&role| role != Role::Pawn) {
            f.write_char(role.letter().to_ascii_uppercase())?;
        }
        if let Some(file) = mv.file {
            write!(f, "{file}")?;
        }
        if let Some(rank) = mv.rank {
            write!(f, "{rank}")?;
        }
        let captures = if mv.captures { "x" } else { "" };
        write!(f, "{captures}{}", mv.to)?;
        if let Some(role) = mv.promotion {
            write!(f, "={}", role.letter().to_ascii_uppercase())?;
        }
        Ok(())
    }
}

impl Position {
    /// A legal move in SAN.
    ///
    /// ```
    /// use movegen::{Move, Position, Square};
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1".parse()?;
    /// assert_eq!(position.san(Move::normal(Square::A1, Square::D1)), "Rad1");
    /// assert_eq!(position.san(Move::normal(Square::A1, Square::A8)), "Ra8+");
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let mut san = self.san_without_check(mv);
        let next = self.play_unchecked(mv);
        if next.in_check() {
            san.push(if next.has_moves() { '+' } else { '#' });
        }
        san
    }

    fn san_without_check(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if let Some(side) = mv.castling_side() {
            return side.san().to_owned();
        }
        let role = self.role_on(from).unwrap_or(Role::Pawn);
        let captures = self.piece_on(to).is_some() || mv.is_en_passant();
        let mut san = String::with_capacity(8);
        if role == Role::Pawn {
            if captures {
                san.push(from.file().letter());
            }
        } else {
            san.push(role.letter().to_ascii_uppercase());
            self.push_origin(&mut san, role, from, to);
        }
        if captures {
            san.push('x');
        }
        san.push(to.file().letter());
        san.push(to.rank().letter());
        if let MoveKind::Promotion(role) = mv.kind() {
            san.push('=');
            san.push(role.letter().to_ascii_uppercase());
        }
        san
    }

    /// Appends the file, the rank or both of the origin, as far as other pieces of the role can move
    /// to the same square.
    fn push_origin(&self, san: &mut String, role: Role, from: Square, to: Square) {
        let rivals = self.able_to_reach(role, to) & !Bitboard::of(from);
        if rivals.is_empty() {
            return;
        }
        let same_file = (rivals & Bitboard::file(from.file())).any();
        let same_rank = (rivals & Bitboard::rank(from.rank())).any();
        if !same_file || same_rank {
            san.push(from.file().letter());
        }
        if same_file {
            san.push(from.rank().letter());
        }
    }

    /// Parses a legal move in SAN.
    ///
    /// ```
    /// use movegen::{Move, Position, SanError, Square};
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1".parse()?;
    /// assert_eq!(position.move_from_san("Rfe1+"), Ok(Move::normal(Square::F1, Square::E1)));
    /// let error = position.move_from_san("Rd1").unwrap_err();
    /// assert!(matches!(error, SanError::Ambiguous { .. }));
    /// assert_eq!(error.to_string(), "ambiguous move 'Rd1': expected Rad1 or Rfd1");
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn move_from_san(&self, text: &str) -> Result<Move, SanError> {
        self.move_of(text.parse()?, || quote(text))
    }

    /// The legal move that a parsed SAN means here, or one put together from its parts.
    ///
    /// ```
    /// use movegen::{Move, Position, Role, San, SanMove, Square};
    ///
    /// let push = SanMove {
    ///     role: Some(Role::Pawn),
    ///     file: None,
    ///     rank: None,
    ///     captures: false,
    ///     to: Square::E4,
    ///     promotion: None,
    /// };
    /// let mv = Position::default().find_san(San::Move(push))?;
    /// assert_eq!(mv, Move::normal(Square::E2, Square::E4));
    /// # Ok::<(), movegen::SanError>(())
    /// ```
    pub fn find_san(&self, san: San) -> Result<Move, SanError> {
        self.move_of(san, || san.to_string())
    }

    /// `text` is what an error quotes.
    fn move_of(&self, san: San, text: impl FnOnce() -> String) -> Result<Move, SanError> {
        let san = match san {
            San::Move(san) => SanMove {
                role: san.role.filter(|&role| role != Role::Pawn),
                ..san
            },
            San::Castling(side) => {
                return self
                    .castling_move(side)
                    .map_err(|reason| SanError::Illegal {
                        text: text(),
                        reasons: self.why_no_castling(reason),
                    });
            }
        };
        let origins = self.origins(&san);
        let piece = san.role.filter(|_| san.promotion.is_none());
        let able = piece.map_or(Bitboard::FULL, |role| self.able_to_reach(role, san.to));
        let mut legal = (origins & able).into_iter().filter_map(|from| match piece {
            Some(_) => Some(Move::normal(from, san.to)),
            None => self.san_move(from, &san).ok(),
        });
        match (legal.next(), legal.next()) {
            (Some(mv), None) => Ok(mv),
            (None, _) => Err(self.why_none_legal(text(), &san, origins)),
            (Some(first), Some(second)) => Err(SanError::Ambiguous {
                text: text(),
                moves: [first, second]
                    .into_iter()
                    .chain(legal)
                    .map(|mv| self.san(mv))
                    .collect(),
            }),
        }
    }

    /// The pieces of the side to move that a text can mean.
    fn origins(&self, san: &SanMove) -> Bitboard {
        let on_file = san.file.map_or(Bitboard::FULL, Bitboard::file);
        let on_rank = san.rank.map_or(Bitboard::FULL, Bitboard::rank);
        match (san.role, san.file) {
            (Some(role), _) => self.pieces(self.side_to_move(), role) & on_file & on_rank,
            (None, Some(_)) if san.rank.is_some() => on_file & on_rank,
            // Only a pawn's capture names its file.
            (None, file) => {
                let file = Bitboard::file(file.unwrap_or(san.to.file()));
                self.pieces(self.side_to_move(), Role::Pawn) & file & on_rank
            }
        }
    }

    /// The move of a piece. The letter of the king does not mean castling.
    fn san_move(&self, from: Square, san: &SanMove) -> Result<Move, IllegalMove> {
        let mv = self.find_move(from, san.to, san.promotion)?;
        match mv.castling_side().filter(|_| san.role.is_some()) {
            Some(side) => Err(IllegalMove::CastlingAsKingMove(side)),
            None => Ok(mv),
        }
    }

    /// The reason no move is legal: that of the pieces that come closest to making it.
    #[cold]
    fn why_none_legal(&self, text: String, san: &SanMove, origins: Bitboard) -> SanError {
        let role = san.role.unwrap_or(Role::Pawn);
        let mut closest: Vec<(Square, IllegalMove)> = Vec::new();
        let errors = origins
            .into_iter()
            .filter_map(|from| Some((from, self.san_move(from, san).err()?)));
        for (from, reason) in errors {
            let best = closest.first().map_or(0, |(_, reason)| reason.closeness());
            if reason.closeness() > best {
                closest.clear();
            }
            if reason.closeness() >= best {
                closest.push((from, reason));
            }
        }
        if let [(from, reason)] = *closest.as_slice() {
            let reasons = self.why_illegal(from, san.to, san.promotion);
            let reasons = reasons.unwrap_or_else(|| reason.into());
            return SanError::Illegal { text, reasons };
        }
        let mut reasons: Vec<IllegalMove> = Vec::new();
        for (_, reason) in closest {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        match *reasons.as_slice() {
            [] => SanError::NoSuchPiece {
                text,
                color: self.side_to_move(),
                role,
                file: san.file.or((role == Role::Pawn).then_some(san.to.file())),
                rank: san.rank,
            },
            [reason] => SanError::Illegal {
                text,
                reasons: reason.into(),
            },
            [IllegalMove::Unreachable { .. }, ..] => SanError::Unreachable {
                text,
                role,
                to: san.to,
            },
            _ => SanError::NoneLegal {
                text,
                reasons: reasons.into(),
            },
        }
    }
}

impl SanMove {
    /// Parses a SAN without check marks and annotations, from its end.
    fn parse(bare: &[u8]) -> Option<Self> {
        let mut rest = bare;
        let role = match rest {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), tail @ ..] => {
                rest = tail;
                Role::from_letter(char::from(*letter))
            }
            _ => None,
        };
        let mut promotion = None;
        if let [start @ .., letter] = rest
            && letter.is_ascii_alphabetic()
        {
            promotion = Role::from_letter(char::from(*letter))
                .filter(|promotion| role.is_none() && Role::PROMOTIONS.contains(promotion));
            promotion?;
            rest = start.strip_suffix(b"=").unwrap_or(start);
        }
        let &[ref origin @ .., file, rank] = rest else {
            return None;
        };
        let to = Square::new(File::from_byte(file)?, Rank::from_byte(rank)?);
        let (origin, captures) = match origin {
            [start @ .., b'x' | b':'] => (start, true),
            [start @ .., b'-'] => (start, false),
            _ => (origin, false),
        };
        let (file, rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (File::from_byte(file), None),
            [rank] => (None, Some(Rank::from_byte(rank)?)),
            [file, rank] => (Some(File::from_byte(file)?), Some(Rank::from_byte(rank)?)),
            _ => return None,
        };
        Some(Self {
            role,
            file,
            rank,
            captures,
            to,
            promotion,
        })
    }
}
