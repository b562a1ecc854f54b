//! Moves as people write them: `Nf3`, `exd6`, `O-O`, `e8=Q+`.
//!
//! Writing is strict (the shortest unambiguous form, `+` and `#` always there); reading is
//! forgiving about what carries no meaning: checks, `x`, `=`, zeros in castling, annotations.

use crate::bitboard::Bitboard;
use crate::castling::{CastlingError, CastlingSide};
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;
use crate::refusal::IllegalMove;
use crate::square::Square;
use thiserror::Error;

/// Why a SAN text is no move to be played here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    #[error("'{0}' is no move: expected something like e4, Nf3, Rae1, exd5, e8=Q or O-O")]
    Malformed(String),
    #[error("'{text}' is not legal: {reason}")]
    Refused { text: String, reason: IllegalMove },
    #[error("'{text}' is not legal: no {} can go to {to}", role.name())]
    NoneCan {
        text: String,
        role: Role,
        to: Square,
    },
    #[error("'{text}' could be {count} moves: say from which file or rank")]
    Ambiguous { text: String, count: usize },
    #[error("'{text}' is not legal: {reason}")]
    Castling { text: String, reason: CastlingError },
}

/// What a SAN text says, before asking the position.
#[derive(Clone, Copy)]
struct Described {
    role: Role,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<Role>,
}

impl Position {
    /// A legal move in standard algebraic notation.
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
                san.push(from.file_letter());
            }
        } else {
            san.push(role.letter().to_ascii_uppercase());
            self.push_origin(&mut san, role, from, to);
        }
        if captures {
            san.push('x');
        }
        san.push(to.file_letter());
        san.push(to.rank_digit());
        if let MoveKind::Promotion(role) = mv.kind() {
            san.push('=');
            san.push(role.letter().to_ascii_uppercase());
        }
        san
    }

    /// File, rank or both, as far as other men of the role could go to the same square.
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
            san.push(from.file_letter());
        }
        if same_file {
            san.push(from.rank_digit());
        }
    }

    /// The legal move a SAN text means.
    pub fn move_from_san(&self, text: &str) -> Result<Move, SanError> {
        let quoted = || text.chars().take(QUOTED).collect::<String>();
        let bare = text
            .trim_end_matches(['+', '#', '!', '?'])
            .trim_end_matches("e.p.");
        if let Some(wing) = castling_wing(bare) {
            return self
                .castling_move(wing)
                .map_err(|reason| SanError::Castling {
                    text: quoted(),
                    reason,
                });
        }
        let described = describe(bare).ok_or_else(|| SanError::Malformed(quoted()))?;
        let moves = self.legal_moves();
        let mut matching = moves.iter().filter(|&&mv| self.fits(mv, &described));
        match (matching.next(), matching.count()) {
            (Some(&mv), 0) => Ok(mv),
            (Some(_), others) => Err(SanError::Ambiguous {
                text: quoted(),
                count: others + 1,
            }),
            (None, _) => Err(self.none_fits(quoted(), &described)),
        }
    }

    fn fits(&self, mv: Move, described: &Described) -> bool {
        let from = mv.from();
        !mv.is_castling()
            && mv.to() == described.to
            && mv.promotion_role() == described.promotion
            && self.role_on(from) == Some(described.role)
            && described.file.is_none_or(|file| file == from.file())
            && described.rank.is_none_or(|rank| rank == from.rank())
    }

    /// Why no legal move fits: particular where just one man can be meant.
    fn none_fits(&self, text: String, described: &Described) -> SanError {
        let Described {
            role,
            to,
            promotion,
            ..
        } = *described;
        let mut meant = self
            .pieces(self.side_to_move(), role)
            .into_iter()
            .filter(|from| {
                described.file.is_none_or(|file| file == from.file())
                    && described.rank.is_none_or(|rank| rank == from.rank())
            });
        if let (Some(from), None) = (meant.next(), meant.next())
            && let Err(reason) = self.find_move(from, to, promotion)
        {
            return SanError::Refused { text, reason };
        }
        SanError::NoneCan { text, role, to }
    }
}

/// The longest text an error repeats whole.
const QUOTED: usize = 16;

fn castling_wing(bare: &str) -> Option<CastlingSide> {
    match bare {
        "O-O" | "0-0" | "o-o" => Some(CastlingSide::King),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Takes a bare SAN text apart, from its end.
fn describe(bare: &str) -> Option<Described> {
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
    let [origin @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = rest else {
        return None;
    };
    let to = Square::at(file - b'a', rank - b'1');
    let origin = match origin {
        [start @ .., b'x' | b'-' | b':'] => start,
        _ => origin,
    };
    let (file, rank) = match *origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(Described {
        role,
        file,
        rank,
        to,
        promotion,
    })
}
