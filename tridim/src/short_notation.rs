//! Meder's notation, as the tournament rules print games: the destination, and of the origin only
//! what tells pieces apart. `b4N`, `Nc3N`, `axb3W`, `a8BQ`, `QL3` for an attack board, `O-O`.

use movegen::Role;

use crate::illegal_move::{AmbiguousMove, IllegalMove, MoveError};
use crate::moves::{Castling, Move};
use crate::notation::{ParsedMove, capital};
use crate::position::Position;
use crate::square::{Square, file_letter};

/// The part of its origin that a move names, from nothing to all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Nothing,
    File,
    Rank,
    FileAndRank,
    Square,
}

impl Origin {
    const ALL: [Self; 5] = [
        Self::Nothing,
        Self::File,
        Self::Rank,
        Self::FileAndRank,
        Self::Square,
    ];

    fn of(self, from: Square) -> String {
        let (file, rank) = (file_letter(from.file()), from.rank());
        match self {
            Self::Nothing => String::new(),
            Self::File => file.to_string(),
            Self::Rank => rank.to_string(),
            Self::FileAndRank => format!("{file}{rank}"),
            Self::Square => from.to_string(),
        }
    }
}

impl Position {
    /// Parses a legal move in full or in Meder's notation. Points before Black's move, `x`, `-`,
    /// `=` and the marks behind the move are optional.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim_start_matches(['…', '.', ' ']);
        let error = match text.parse() {
            // A pawn that has just arrived may be meant too.
            Ok(promotion @ ParsedMove::Promotion { .. }) => match self.find_move(promotion) {
                Ok(mv) => return Ok(mv),
                Err(error) => error.into(),
            },
            Ok(parsed) => {
                let found = self.find_move(parsed);
                return found.map_err(|reason| self.explained(parsed, reason));
            }
            Err(error) => MoveError::from(error),
        };
        let typed = plain(text);
        let moves = self.legal_moves().into_iter();
        let matching: Vec<Move> = moves.filter(|&mv| self.is_named(mv, &typed)).collect();
        match matching.as_slice() {
            [mv] => Ok(*mv),
            [] => Err(self.why_not_short(&typed).map_or(error, MoveError::from)),
            several => Err(AmbiguousMove {
                text: common::excerpt(text),
                moves: several.iter().map(|&mv| self.bare_notation(mv)).collect(),
            }
            .into()),
        }
    }

    /// The reason a move is illegal; for a king's move onto its rook or castling square, also
    /// the castling move that may be meant.
    fn explained(&self, parsed: ParsedMove, reason: IllegalMove) -> MoveError {
        let ParsedMove::Piece {
            from: king,
            to: way,
            ..
        } = parsed
        else {
            return reason.into();
        };
        let moves = self.legal_moves().into_iter();
        let means = |castling: Castling| {
            castling.king_from == king && (castling.king_to == way || castling.rook_from == way)
        };
        let meant = moves.filter(|mv| matches!(mv, Move::Castle(castling) if means(*castling)));
        let meant: Vec<String> = meant.map(|mv| self.bare_notation(mv)).collect();
        if meant.is_empty() {
            reason.into()
        } else {
            MoveError::MeansCastling {
                reason,
                castling: meant.join(" or "),
            }
        }
    }

    /// A move in Meder's notation that names this part of its origin.
    fn form(&self, mv: Move, origin: Origin) -> String {
        let promotion = mv.promotion().map(capital);
        let promotion = promotion.map(String::from).unwrap_or_default();
        match mv {
            Move::Piece { from, to, .. } => {
                let letter = self.piece_letter(from);
                let capture = if self.is_capture(mv) { "x" } else { "" };
                format!("{letter}{}{capture}{to}{promotion}", origin.of(from))
            }
            Move::Board { from, to, .. } if origin != Origin::Nothing || from == to => {
                format!("{from}-{to}{promotion}")
            }
            Move::Board { to, .. } => format!("{to}{promotion}"),
            Move::Castle(castling) => castling.kind.notation().to_owned(),
            Move::Promotion { pawn, .. } => format!("{pawn}{promotion}"),
        }
    }

    /// True if a text without marks names a move in Meder's notation.
    fn is_named(&self, mv: Move, typed: &str) -> bool {
        Origin::ALL
            .iter()
            .any(|&origin| plain(&self.form(mv, origin)) == typed)
    }

    /// The reason a move in Meder's notation is illegal if it lacks only its promotion or names
    /// only its target; `None` for other texts.
    fn why_not_short(&self, typed: &str) -> Option<IllegalMove> {
        let mut moves = self.legal_moves().into_iter();
        if moves.any(|mv| self.is_named(mv.promoting(None), typed)) {
            return Some(IllegalMove::MissingPromotion);
        }
        let letter = typed.chars().next().filter(char::is_ascii_uppercase);
        let role = match letter {
            Some(letter) => Role::from_letter(letter)?,
            None => Role::Pawn,
        };
        let to: Square = typed
            .get(letter.map_or(0, char::len_utf8)..)?
            .parse()
            .ok()?;
        Some(match (self.pending_promotion(), self.activated) {
            (Some(pawn), _) => IllegalMove::PromotionPending(pawn),
            (None, Some(pin)) => IllegalMove::AnotherBoardActivated(pin),
            (None, None) => IllegalMove::NoneReaches { role, to },
        })
    }
}

/// A move without what carries no information.
fn plain(text: &str) -> String {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    match bare {
        "0-0" | "o-o" => return "OO".to_owned(),
        "0-0-0" | "o-o-o" => return "OOO".to_owned(),
        _ => {}
    }
    bare.chars()
        .filter(|letter| !"x-=:".contains(*letter))
        .collect()
}
