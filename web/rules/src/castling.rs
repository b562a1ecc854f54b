//! Castling to one side: its squares, and what each of its conditions fails by.

use movegen::{
    Attackers, CastlingError, CastlingReport, CastlingSide, Color, Game, Position, Square,
};
use serde::Serialize;

use crate::Failure;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Castling {
    /// True if all conditions are fulfilled.
    legal: bool,
    /// `O-O` or `O-O-O`.
    san: &'static str,
    conditions: Vec<Condition>,
    /// The king's square before and after.
    king: [Square; 2],
    /// The rook's square before and after.
    rook: [Square; 2],
    /// The squares of the pieces in the way.
    blockers: Vec<Square>,
    /// The attacked squares that the king crosses or lands on.
    attacked: Vec<AttackedSquare>,
}

#[derive(Debug, Serialize)]
struct Condition {
    name: &'static str,
    fulfilled: bool,
    reasons: Vec<CastlingReason>,
}

/// The fault by which a condition of castling fails.
#[derive(Debug, Serialize)]
struct CastlingReason {
    /// In words.
    text: String,
    #[serde(flatten)]
    reason: CastlingError,
}

#[derive(Debug, Serialize)]
struct AttackedSquare {
    square: Square,
    attackers: Attackers,
}

impl Castling {
    /// For the color that is not to move, after a null move.
    pub(crate) fn of(game: &Game, color: Color, side: CastlingSide) -> Result<Self, Failure> {
        let position = game.position();
        if position.side_to_move() == color {
            return Ok(Self::new(position, game.castling_report(side)));
        }
        let passed = position.null_move().ok_or_else(|| {
            Failure::new(&format!("{} is in check and has to move first", !color))
        })?;
        Ok(Self::new(&passed, passed.castling_report(side)))
    }

    fn new(position: &Position, report: CastlingReport) -> Self {
        let (side, path) = (report.side, report.path);
        let conditions = CastlingReport::CONDITIONS
            .into_iter()
            .zip(report.conditions());
        let attacked = report.attacked.into_iter();
        Self {
            legal: position.castling_move(side).is_ok(),
            san: side.san(),
            conditions: conditions.map(Condition::from).collect(),
            king: [path.king_home, path.king_target],
            rook: [path.rook_home, path.rook_target],
            blockers: report.blockers.into_iter().collect(),
            attacked: attacked
                .map(|(square, attackers)| AttackedSquare { square, attackers })
                .collect(),
        }
    }
}

impl From<(&'static str, Vec<CastlingError>)> for Condition {
    fn from((name, errors): (&'static str, Vec<CastlingError>)) -> Self {
        Self {
            name,
            fulfilled: errors.is_empty(),
            reasons: errors
                .into_iter()
                .map(|reason| CastlingReason {
                    text: reason.detail(),
                    reason,
                })
                .collect(),
        }
    }
}
