//! Standard algebraic notation (SAN): `Nf3`, `exd6`, `O-O`, `e8=Q+`.
//!
//! Writing gives the shortest unambiguous form, with `+` and `#`. Parsing ignores what carries no
//! information: check marks, `x`, `=`, zeros in castling, annotations. `san_parts.rs`
//! has the text, this file what it means in a position.

use crate::bitboard::Bitboard;
use crate::illegal_move::{IllegalMove, Reasons, quote, write_illegal};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::san_parts::{San, SanMove};
use crate::square::{File, Rank, Square};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
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

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::from_ascii(text.as_bytes()).ok_or_else(|| SanError::Malformed(quote(text)))
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
        let mut san = String::with_capacity(8);
        // A string takes everything that is written.
        let _ = self.san_parts(mv).write(&mut san);
        let mut next = *self;
        next.make_unchecked(mv);
        if next.in_check() {
            san.push(if next.has_moves() { '+' } else { '#' });
        }
        san
    }

    /// The parts of a legal move in SAN, which do not tell whether it gives check.
    pub fn san_parts(&self, mv: Move) -> San {
        if let Some(side) = mv.castling_side() {
            return San::Castling(side);
        }
        let (from, to) = (mv.from(), mv.to());
        let role = self.role_on(from).filter(|&role| role != Role::Pawn);
        let captures = self.is_capture(mv);
        let (file, rank) = match role {
            None => (captures.then_some(from.file()), None),
            Some(role) => self.distinct_origin(role, from, to),
        };
        San::Move(SanMove {
            role,
            file,
            rank,
            captures,
            to,
            promotion: mv.promotion_role(),
        })
    }

    /// The file, the rank or both of the origin, as far as other pieces of the role can move to the
    /// same square.
    fn distinct_origin(
        &self,
        role: Role,
        from: Square,
        to: Square,
    ) -> (Option<File>, Option<Rank>) {
        let rivals = self.able_to_reach(role, to) & !Bitboard::of(from);
        let same_file = (rivals & Bitboard::file(from.file())).any();
        let same_rank = (rivals & Bitboard::rank(from.rank())).any();
        let needs_file = rivals.any() && (!same_file || same_rank);
        (
            needs_file.then_some(from.file()),
            same_file.then_some(from.rank()),
        )
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
