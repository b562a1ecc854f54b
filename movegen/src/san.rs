//! Standard algebraic notation (SAN): `Nf3`, `exd6`, `O-O`, `e8=Q+`.
//!
//! Writing gives the shortest unambiguous form, with `+` and `#`. Parsing is lenient about what
//! carries no information: check marks, `x`, `=`, zeros in castling, annotations.

use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::legality::{IllegalMove, quote};
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Rank, Square};
use thiserror::Error;

/// Why a text is not a legal move in SAN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    #[error("invalid move '{0}': expected SAN such as e4, Nf3, Rae1, exd5, e8=Q or O-O")]
    Malformed(String),
    #[error("illegal move '{text}': {reason}")]
    Illegal { text: String, reason: IllegalMove },
    #[error("illegal move '{text}': no {} can move to {to}", role.name())]
    NoPiece {
        text: String,
        role: Role,
        to: Square,
    },
    #[error("ambiguous move '{text}': {count} legal moves match; add the file or rank of origin")]
    Ambiguous { text: String, count: usize },
}

/// A parsed SAN text other than castling.
#[derive(Clone, Copy)]
struct SanMove {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Position {
    /// A legal move in SAN.
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
        if mv.is_castling() {
            return match CastlingSide::of(from, to) {
                CastlingSide::King => "O-O".to_owned(),
                CastlingSide::Queen => "O-O-O".to_owned(),
            };
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
        let rivals: Bitboard = self
            .legal_moves()
            .iter()
            .filter(|mv| mv.to() == to && mv.from() != from)
            .map(|mv| mv.from())
            .filter(|&origin| self.role_on(origin) == Some(role))
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
        let moves = self.legal_moves();
        let mut matching = moves.iter().filter(|&&mv| self.matches(mv, &san));
        match (matching.next(), matching.count()) {
            (Some(&mv), 0) => Ok(mv),
            (Some(_), others) => Err(SanError::Ambiguous {
                text: quote(text),
                count: others + 1,
            }),
            (None, _) => Err(self.why_none_matches(quote(text), &san)),
        }
    }

    fn matches(&self, mv: Move, san: &SanMove) -> bool {
        let from = mv.from();
        !mv.is_castling()
            && mv.to() == san.to
            && mv.promotion_role() == san.promotion
            && self.role_on(from) == Some(san.role)
            && san.file.is_none_or(|file| file == from.file())
            && san.rank.is_none_or(|rank| rank == from.rank())
    }

    /// Why no legal move matches: the reason for the one piece that can be meant, if there is one.
    fn why_none_matches(&self, text: String, san: &SanMove) -> SanError {
        let SanMove {
            role,
            to,
            promotion,
            ..
        } = *san;
        let mut candidates = self
            .pieces(self.side_to_move(), role)
            .into_iter()
            .filter(|from| {
                san.file.is_none_or(|file| file == from.file())
                    && san.rank.is_none_or(|rank| rank == from.rank())
            });
        if let (Some(from), None) = (candidates.next(), candidates.next())
            && let Err(reason) = self.find_move(from, to, promotion)
        {
            return SanError::Illegal { text, reason };
        }
        SanError::NoPiece { text, role, to }
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
            Role::from_letter(char::from(*letter))?
        }
        _ => Role::Pawn,
    };
    let mut promotion = None;
    if let [start @ .., b'=', letter] | [start @ .., letter @ (b'N' | b'B' | b'R' | b'Q')] = rest {
        promotion = Role::from_letter(char::from(*letter)).filter(|_| role == Role::Pawn);
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
