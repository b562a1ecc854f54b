//! Standard algebraic notation (SAN): `Nf3`, `exd6`, `O-O`, `e8=Q+`.
//!
//! Writing gives the shortest unambiguous form, with `+` and `#`. Parsing ignores what carries no
//! information: check marks, `x`, `=`, zeros in castling, annotations.

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::illegal_move::{IllegalMove, quote};
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::{File, Rank, Square};
use thiserror::Error;

/// Why a text is not a legal move in SAN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages are the documentation")]
pub enum SanError {
    #[error("invalid move '{0}': expected SAN such as e4, Nf3, Rae1, exd5, e8=Q or O-O")]
    Malformed(String),
    /// The reason for the one piece that can be meant.
    #[error("illegal move '{text}': {reason}")]
    Illegal { text: String, reason: IllegalMove },
    /// The reasons for each of several pieces.
    #[error("illegal move '{text}': {}", joined(reasons, "; "))]
    NoneLegal {
        text: String,
        reasons: Box<[IllegalMove]>,
    },
    #[error("illegal move '{text}': {color} has no {}{}", role.name(), origin(*file, *rank))]
    NoSuchPiece {
        text: String,
        color: Color,
        role: Role,
        /// The origin that the text names.
        file: Option<File>,
        rank: Option<Rank>,
    },
    #[error("illegal move '{text}': no {} can move to {to}", role.name())]
    Unreachable {
        text: String,
        role: Role,
        to: Square,
    },
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

/// A parsed SAN text other than castling.
#[derive(Clone, Copy)]
struct SanMove {
    /// Without a letter a pawn, or any piece on a complete square of origin.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
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
    #[must_use]
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
        let us = self.side_to_move();
        let others = self.pieces(us, role) & self.targets(us, role, to) & !Bitboard::of(from);
        let rivals: Bitboard = others
            .into_iter()
            .filter(|&origin| self.is_legal(Move::normal(origin, to)))
            .collect();
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
        let bare = text
            .trim_end_matches(['+', '#', '!', '?'])
            .trim_end_matches("e.p.");
        if let Some(side) = castling_side(bare) {
            return self
                .castling_move(side)
                .map_err(|reason| SanError::Illegal {
                    text: quote(text),
                    reason: reason.into(),
                });
        }
        let san = parse(bare).ok_or_else(|| SanError::Malformed(quote(text)))?;
        let origins = self.origins(&san);
        // A piece that is not a pawn moves both ways.
        let reach = san.role.map_or(Bitboard::FULL, |role| {
            self.targets(self.side_to_move(), role, san.to)
        });
        let mut legal = (origins & reach)
            .into_iter()
            .filter_map(|from| self.san_move(from, &san).ok());
        match (legal.next(), legal.next()) {
            (Some(mv), None) => Ok(mv),
            (None, _) => Err(self.why_none_legal(quote(text), &san, origins)),
            (Some(first), Some(second)) => Err(SanError::Ambiguous {
                text: quote(text),
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

    /// Why no move is legal: the reasons for the pieces that come closest to making it.
    #[cold]
    fn why_none_legal(&self, text: String, san: &SanMove, origins: Bitboard) -> SanError {
        let role = san.role.unwrap_or(Role::Pawn);
        let mut reasons: Vec<IllegalMove> = Vec::new();
        let errors = origins
            .into_iter()
            .filter_map(|from| self.san_move(from, san).err());
        for reason in errors {
            let best = reasons.first().map_or(0, |reason| reason.closeness());
            if reason.closeness() > best {
                reasons.clear();
            }
            if reason.closeness() >= best && !reasons.contains(&reason) {
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
            [reason] => SanError::Illegal { text, reason },
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

fn castling_side(bare: &str) -> Option<CastlingSide> {
    match bare {
        "O-O" | "0-0" | "o-o" => Some(CastlingSide::King),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Parses a SAN text without check marks and annotations, from its end.
fn parse(bare: &str) -> Option<SanMove> {
    let mut rest = bare.as_bytes();
    let role = match rest.first()? {
        letter @ (b'N' | b'B' | b'R' | b'Q' | b'K') => {
            rest = rest.get(1..)?;
            Some(Role::from_letter(char::from(*letter))?)
        }
        _ => None,
    };
    let mut promotion = None;
    if let [start @ .., b'=', letter] | [start @ .., letter @ (b'N' | b'B' | b'R' | b'Q')] = rest {
        promotion = Role::from_letter(char::from(*letter))
            .filter(|promotion| role.is_none() && Role::PROMOTIONS.contains(promotion));
        promotion?;
        rest = start;
    }
    let &[ref origin @ .., file, rank] = rest else {
        return None;
    };
    let to = Square::new(File::from_byte(file)?, Rank::from_byte(rank)?);
    let origin = match origin {
        [start @ .., b'x' | b'-' | b':'] => start,
        _ => origin,
    };
    let (file, rank) = match *origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (File::from_byte(file), None),
        [rank] => (None, Some(Rank::from_byte(rank)?)),
        [file, rank] => (Some(File::from_byte(file)?), Some(Rank::from_byte(rank)?)),
        _ => return None,
    };
    Some(SanMove {
        role,
        file,
        rank,
        to,
        promotion,
    })
}
