//! The status of a kind of castling, as a program shows it.

use serde::Serialize;

use crate::moves::CastlingKind;
use crate::position::Position;
use crate::square::Square;

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
    pub reason: Option<String>,
}

/// The squares of a piece that castles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub from: String,
    pub to: String,
}

impl CastlingStatus {
    pub fn new(position: &Position, kind: CastlingKind) -> CastlingStatus {
        let castling = position.castle(kind);
        let step = |from: Square, to: Square| Step {
            from: from.to_string(),
            to: to.to_string(),
        };
        let castled = castling.as_ref().ok();
        let pins = kind.pins(position.side_to_move());
        CastlingStatus {
            kind: kind.to_string(),
            notation: kind.notation(),
            boards: pins.map(|pin| pin.to_string()).collect(),
            open: castled.is_some(),
            king: castled.map(|castling| step(castling.king_from, castling.king_to)),
            rook: castled.map(|castling| step(castling.rook_from, castling.rook_to)),
            reason: castling.as_ref().err().map(ToString::to_string),
        }
    }
}
