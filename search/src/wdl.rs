//! What a value means in games: chances to win, draw and lose, and centipawns such that 100 is
//! an even chance to win.
//!
//! The chance to win rises with the value along a logistic curve, whose middle and width depend
//! on how much material is left. Fitted by `scripts/fit_wdl.py` on games of this engine against
//! itself; docs/strength.md says on which.

use crate::score::Score;
use movegen::{Position, Role};

/// Chances in thousandths; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// Middle and width of the curve: a constant and a slope over material, each.
const MIDDLE: (f64, f64) = (177.0, -99.0);
const WIDTH: (f64, f64) = (34.0, 76.0);

/// What counts as material, in pawns, both sides together; 78 at the start of a game.
const WORTH: [(Role, u32); 5] = [
    (Role::Pawn, 1),
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];
const AT_THE_START: f64 = 78.0;

/// The curve for a position's material.
#[derive(Clone, Copy)]
struct Curve {
    middle: f64,
    width: f64,
}

impl Curve {
    fn of(position: &Position) -> Self {
        let material: u32 = WORTH
            .iter()
            .map(|&(role, worth)| position.role(role).count() * worth)
            .sum();
        let share = (f64::from(material) / AT_THE_START).min(1.0);
        Self {
            middle: MIDDLE.0 + MIDDLE.1 * share,
            width: WIDTH.0 + WIDTH.1 * share,
        }
    }

    fn win(self, value: f64) -> u32 {
        (1000.0 / (1.0 + ((self.middle - value) / self.width).exp())).round() as u32
    }
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
    let curve = Curve::of(position);
    let value = f64::from(score.raw());
    let win = curve.win(value);
    let loss = curve.win(-value).min(1000 - win);
    Chances {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// The value in centipawns: 100 when the side to move wins every second such game.
#[must_use]
pub fn centipawns(score: Score, position: &Position) -> i32 {
    let scaled = f64::from(score.raw()) * 100.0 / Curve::of(position).middle;
    scaled.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_win_every_second_game() {
        let position = Position::default();
        let value = Score::eval(Curve::of(&position).middle.round() as i32);
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
