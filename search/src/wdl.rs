//! The win-draw-loss (WDL) model: from scores to chances to win, draw and lose, and to centipawns,
//! normalized so that 100 is an even chance to win.
//!
//! The chance to win is a logistic function of the score, whose middle and width depend on the
//! material left. Fitted by `castellan-train fit-wdl` to self-play games; see docs/strength.md.

use crate::score::{MAX_PLY, Score};
use movegen::{Position, Role};

/// Chances in permille; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// Piece values for the material count.
const PIECE_VALUES: [(Role, u32); 5] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];
/// The material at the start of a game.
const START_MATERIAL: f64 = 78.0;

/// The material on the board, of both sides together, in pawns.
pub fn material(position: &Position) -> u32 {
    PIECE_VALUES
        .iter()
        .map(|&(role, value)| position.by_role(role).count() * value)
        .sum()
}

/// Middle and width of the curve, each as the coefficients of a polynomial in the share of material
/// left, the constant first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    pub middle: [f64; 3],
    pub width: [f64; 3],
}

impl Model {
    /// The model in use.
    pub const PRESENT: Self = Self {
        middle: [137.2, -141.5, 50.5],
        width: [9.0, 54.6, -30.2],
    };

    /// The curve for this material count.
    pub fn curve(&self, material: u32) -> Curve {
        let share = (f64::from(material) / START_MATERIAL).min(1.0);
        let value = |[constant, linear, quadratic]: [f64; 3]| {
            constant + share * (linear + share * quadratic)
        };
        Curve {
            middle: value(self.middle),
            width: value(self.width),
        }
    }
}

/// The chance to win as a function of the score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The score with an even chance to win.
    pub middle: f64,
    pub width: f64,
}

impl Curve {
    /// The chance to win, 0 to 1; with the score negated, the chance to lose.
    pub fn win(self, value: f64) -> f64 {
        1.0 / (1.0 + ((self.middle - value) / self.width).exp())
    }

    fn permille(self, value: f64) -> u32 {
        (1000.0 * self.win(value)).round() as u32
    }
}

fn present(position: &Position) -> Curve {
    Model::PRESENT.curve(material(position))
}

/// The chances of the side to move.
pub fn chances(score: Score, position: &Position) -> Chances {
    let (win, loss) = if score.is_decisive() {
        (
            1000 * u32::from(score.is_win()),
            1000 * u32::from(score.is_loss()),
        )
    } else {
        let curve = present(position);
        let value = f64::from(score.raw());
        let win = curve.permille(value);
        (win, curve.permille(-value).min(1000 - win))
    };
    Chances {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// A tablebase win in centipawns, from which the plies to it are subtracted, as GUIs expect.
const TABLEBASE_WIN_CENTIPAWNS: i32 = 20_000;

/// The score in centipawns: 100 is an even chance to win. Tablebase wins are larger than all
/// evaluations.
pub fn centipawns(score: Score, position: &Position) -> i32 {
    const MAX_EVAL: i32 = TABLEBASE_WIN_CENTIPAWNS - MAX_PLY as i32 - 1;
    if let Some(plies) = score.tablebase_plies() {
        let plies = i32::try_from(plies).unwrap_or(0);
        return (TABLEBASE_WIN_CENTIPAWNS - plies) * score.raw().signum();
    }
    let scaled = f64::from(score.raw()) * 100.0 / present(position).middle;
    (scaled.round() as i32).clamp(-MAX_EVAL, MAX_EVAL)
}

/// The score with this many centipawns: the inverse of [`centipawns`], up to rounding.
pub fn from_centipawns(centipawns: i32, position: &Position) -> Score {
    Score::eval((f64::from(centipawns) * present(position).middle / 100.0).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_are_an_even_chance_to_win() {
        let position = Position::default();
        let middle = present(&position).middle;
        let [below, above] = [middle.floor(), middle.ceil()].map(|value| Score::eval(value as i32));
        assert!(centipawns(below, &position) <= 100 && chances(below, &position).win <= 500);
        assert!(centipawns(above, &position) >= 100 && chances(above, &position).win >= 500);
    }

    #[test]
    fn centipawns_back_to_scores() {
        let position = Position::default();
        for value in [-5000, -1234, -57, 0, 1, 57, 200, 3000] {
            let score = from_centipawns(centipawns(Score::eval(value), &position), &position);
            assert!((score.raw() - value).abs() <= 1, "{value}: {score:?}");
        }
    }

    #[test]
    fn chances_add_up_and_mirror() {
        let position = Position::default();
        for value in (-3000..=3000).step_by(7) {
            let here = chances(Score::eval(value), &position);
            let there = chances(Score::eval(-value), &position);
            assert_eq!(here.win + here.draw + here.loss, 1000);
            assert!(here.win.abs_diff(there.loss) <= 1);
        }
        assert_eq!(chances(Score::mate_in(3), &position).win, 1000);
        assert_eq!(chances(Score::mated_in(4), &position).loss, 1000);
    }
}
