//! The messages between the page and the castling inspector.

use serde::{Deserialize, Serialize};

use crate::legal::{ColorName, LegalMove};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Explain the position after these moves, and what the last of them changed.
    Inspect {
        fen: String,
        chess960: bool,
        /// In UCI notation.
        #[serde(default)]
        moves: Vec<String>,
        /// Either side may move.
        #[serde(default)]
        free: bool,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Report(Box<InspectedPosition>),
    /// The position of the request is unusable, and the one shown remains.
    Error {
        text: String,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct InspectedPosition {
    /// Complete, with the rights that the position supports.
    pub(crate) fen: String,
    pub(crate) chess960: bool,
    pub(crate) side_to_move: ColorName,
    pub(crate) check: bool,
    pub(crate) legal: Vec<InspectedMove>,
    /// The moves of the other side, if it were to move, where either side may.
    pub(crate) others: Vec<InspectedMove>,
    /// Every square without a piece.
    pub(crate) empty: Vec<String>,
    /// The parts dropped from the FEN.
    pub(crate) notes: Vec<String>,
    pub(crate) sides: Vec<ColorReport>,
    pub(crate) clock: Clock,
    pub(crate) played: Option<Played>,
}

#[derive(Debug, Serialize)]
pub(crate) struct InspectedMove {
    #[serde(flatten)]
    pub(crate) mv: LegalMove,
    /// It sets the halfmove clock to 0.
    pub(crate) resets: bool,
    /// The castling rights it revokes, as in a FEN.
    pub(crate) revokes: String,
}

/// The castling moves of one color.
#[derive(Debug, Serialize)]
pub(crate) struct ColorReport {
    pub(crate) color: ColorName,
    pub(crate) to_move: bool,
    /// The reason it cannot be this color's turn, if it is not.
    pub(crate) impossible: Option<String>,
    pub(crate) castling: Vec<SideReport>,
    /// Every square its opponent attacks.
    pub(crate) attacked: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SideReport {
    pub(crate) side: String,
    pub(crate) san: &'static str,
    /// The move in UCI notation, if castling is legal.
    pub(crate) uci: Option<String>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) king: [String; 2],
    pub(crate) rook: [String; 2],
    pub(crate) king_path: Vec<String>,
    pub(crate) rook_path: Vec<String>,
    /// The pieces on these paths.
    pub(crate) blockers: Vec<String>,
    /// The attacked squares of the king's path, each with the pieces that attack it.
    pub(crate) attackers: Vec<Attackers>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Condition {
    pub(crate) title: String,
    /// The reason it is not fulfilled.
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Attackers {
    pub(crate) square: String,
    pub(crate) from: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Clock {
    pub(crate) plies: u16,
    pub(crate) text: String,
}

/// The move that led to the position.
#[derive(Debug, Serialize)]
pub(crate) struct Played {
    pub(crate) san: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) effects: Vec<String>,
}
