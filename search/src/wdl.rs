//! The win-draw-loss (WDL) model: from scores to chances to win, draw and lose, and to centipawns,
//! normalized so that 100 is an even chance to win.
//!
//! The chance to win rises with the value along a logistic curve, whose middle and width depend
//! on how much material is left. Fitted by `castellan-train fit-wdl` on games of this engine
//! against itself; docs/strength.md says on which.

use crate::score::{MAX_PLY, Score};
use movegen::{Position, Role};

/// Chances in permille; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// Piece values for the material count, which is 78 at the start of a game.
const WORTH: [(Role, u32); 5] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];
const AT_THE_START: f64 = 78.0;

/// The material on the board, of both sides together, in pawns.
#[must_use]
pub fn material(position: &Position) -> u32 {
    WORTH
        .iter()
        .map(|&(role, worth)| position.role(role).count() * worth)
        .sum()
}

/// Middle and width of the curve: a constant and a slope over the share of material left, each.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    pub middle: (f64, f64),
    pub width: (f64, f64),
}

impl Model {
    /// The model in use.
    pub const PRESENT: Self = Self {
        middle: (151.0, -94.0),
        width: (22.0, 54.0),
    };

    /// The curve for this material count.
    #[must_use]
    pub fn curve(&self, material: u32) -> Curve {
        let share = (f64::from(material) / AT_THE_START).min(1.0);
        Curve {
            middle: self.middle.0 + self.middle.1 * share,
            width: self.width.0 + self.width.1 * share,
        }
    }
}

/// The chance to win as a function of the score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The value with an even chance to win.
    pub middle: f64,
    pub width: f64,
}

impl Curve {
    /// The chance to win, 0 to 1; that of the negated value is the chance to lose.
    #[must_use]
    pub fn win(self, value: f64) -> f64 {
        1.0 / (1.0 + ((self.middle - value) / self.width).exp())
    }

    fn thousandths(self, value: f64) -> u32 {
        (1000.0 * self.win(value)).round() as u32
    }
}

fn present(position: &Position) -> Curve {
    Model::PRESENT.curve(material(position))
}

/// The chances of the side to move.
#[must_use]
pub fn chances(score: Score, position: &Position) -> Chances {
    if score.is_win() {
        return Chances {
            win: 1000,
            draw: 0,
            loss: 0,
        };
    }
    if score.is_loss() {
        return Chances {
            win: 0,
            draw: 0,
            loss: 1000,
        };
    }
    let curve = present(position);
    let value = f64::from(score.raw());
    let win = curve.thousandths(value);
    let loss = curve.thousandths(-value).min(1000 - win);
    Chances {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// A tablebase win in centipawns, less the plies to it, as GUIs expect.
const TABLE_WIN_CENTIPAWNS: i32 = 20_000;

/// The score in centipawns: 100 when the side to move wins every second such game. Tablebase wins
/// are larger than all evaluations.
#[must_use]
pub fn centipawns(score: Score, position: &Position) -> i32 {
    const MOST: i32 = TABLE_WIN_CENTIPAWNS - MAX_PLY as i32 - 1;
    if let Some(plies) = score.tablebase_plies() {
        let plies = i32::try_from(plies).unwrap_or(0);
        return (TABLE_WIN_CENTIPAWNS - plies) * score.raw().signum();
    }
    let scaled = f64::from(score.raw()) * 100.0 / present(position).middle;
    (scaled.round() as i32).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_win_every_second_game() {
        let position = Position::default();
        let value = Score::eval(present(&position).middle.round() as i32);
        assert_eq!(centipawns(value, &position), 100);
        assert!((499..=501).contains(&chances(value, &position).win));
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
