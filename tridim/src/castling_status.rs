//! The status of a kind of castling, as a program shows it.

use std::fmt;

use serde::Serialize;

use crate::moves::{Castling, CastlingKind};
use crate::position::Position;
use crate::square::{Square, file_letter};

/// The legality of a kind of castling; its squares, or the reason why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CastlingStatus {
    pub kind: String,
    #[serde(rename = "move")]
    pub notation: &'static str,
    /// The home pins of the boards it takes place on.
    pub boards: Vec<String>,
    /// True if it is legal.
    pub open: bool,
    pub king: Option<Step>,
    pub rook: Option<Step>,
    /// The squares that the king crosses if it is legal; they may be attacked.
    pub crossed: Vec<Crossed>,
    pub reason: Option<String>,
}

/// A file and rank that the king crosses, on whatever board, and the squares of the pieces that
/// attack it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Crossed {
    pub column: String,
    pub attackers: Vec<String>,
}

/// The squares of a piece that castles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub from: String,
    pub to: String,
}

impl CastlingStatus {
    pub fn new(position: &Position, kind: CastlingKind) -> Self {
        let castling = position.castle(kind);
        let step = |from: Square, to: Square| Step {
            from: from.to_string(),
            to: to.to_string(),
        };
        let castled = castling.as_ref().ok();
        let pins = kind.pins(position.side_to_move);
        Self {
            kind: kind.to_string(),
            notation: kind.notation(),
            boards: pins.map(|pin| pin.to_string()).collect(),
            open: castled.is_some(),
            king: castled.map(|castling| step(castling.king_from, castling.king_to)),
            rook: castled.map(|castling| step(castling.rook_from, castling.rook_to)),
            crossed: castled.map_or_else(Vec::new, |castling| crossed(position, *castling)),
            reason: castling.as_ref().err().map(ToString::to_string),
        }
    }
}

fn crossed(position: &Position, castling: Castling) -> Vec<Crossed> {
    let columns = position.crossed_by_king(castling).into_iter();
    columns
        .map(|(column, attackers)| Crossed {
            column: format!("{}{}", file_letter(column.file()), column.rank()),
            attackers: attackers
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
        })
        .collect()
}

/// The text for a person: `O-O (kingside on KL) is legal: king d0KL1-e0KL1, rook e0KL1-d0KL1`, and
/// what the king crosses; or the reason why not.
impl fmt::Display for CastlingStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(king), Some(rook)) = (&self.king, &self.rook) else {
            return f.write_str(self.reason.as_deref().unwrap_or_default());
        };
        let (notation, kind) = (self.notation, &self.kind);
        let steps = [king, rook].map(|step| format!("{}-{}", step.from, step.to));
        write!(
            f,
            "{notation} ({kind}) is legal: king {}, rook {}",
            steps[0], steps[1]
        )?;
        for (index, Crossed { column, attackers }) in self.crossed.iter().enumerate() {
            f.write_str(if index == 0 {
                "; the king crosses "
            } else {
                ", "
            })?;
            match attackers.as_slice() {
                [] => write!(f, "{column}")?,
                _ => write!(f, "{column} (attacked from {})", attackers.join(" and "))?,
            }
        }
        Ok(())
    }
}
