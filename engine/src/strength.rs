//! Playing weaker than one can: how many nodes are looked at, how many moves are weighed, and how
//! often another than the best of them is played, for every Elo from 800 to 3000.
//!
//! A weak player here is one who sees less and does not always mind what he sees: mistakes
//! are moves that looked all right, not moves drawn from a hat. docs/strength.md says what of the
//! numbers below has been measured.

mod choose;
mod report;

pub(crate) use choose::Chooser;
pub(crate) use report::WeakReport;

use std::time::Duration;

use movegen::Color;
use search::Limits;

pub(crate) const LOWEST_ELO: u32 = 800;
pub(crate) const HIGHEST_ELO: u32 = 3000;
pub(crate) const USUAL_ELO: u32 = 1600;
/// `Skill Level` with nothing held back.
pub(crate) const FULL_SKILL: u32 = 20;

/// How a player of some strength plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Level {
    /// Looked at for a move, all moves together.
    pub(crate) nodes: u64,
    /// Moves weighed against each other.
    pub(crate) moves: usize,
    /// How much worse a move may look and still be played now and then; 0 for never.
    pub(crate) spread: f64,
}

/// From one of `LEVELS` to the next, in Elo; between them everything goes evenly.
const STEP: u32 = 200;
/// Nodes, moves and spread of a `Level`, from the lowest to the highest Elo.
const LEVELS: [(f64, usize, f64); 12] = [
    (500.0, 8, 0.195),
    (800.0, 8, 0.154),
    (1440.0, 7, 0.114),
    (2160.0, 6, 0.094),
    (3100.0, 6, 0.0785),
    (4450.0, 5, 0.066),
    (6440.0, 5, 0.055),
    (9180.0, 5, 0.0455),
    (12_800.0, 4, 0.0392),
    (20_600.0, 4, 0.029),
    (38_000.0, 4, 0.0182),
    (59_000.0, 3, 0.012),
];

impl Level {
    /// How one of this rating plays.
    pub(crate) fn of_elo(elo: u32) -> Level {
        let above = elo.clamp(LOWEST_ELO, HIGHEST_ELO) - LOWEST_ELO;
        let place = usize::try_from(above / STEP).unwrap_or(usize::MAX);
        let part = f64::from(above % STEP) / f64::from(STEP);
        let mut steps = LEVELS.iter().skip(place).copied();
        let lower = steps.next().unwrap_or((1.0, 1, 0.0));
        let upper = steps.next().unwrap_or(lower);
        let nodes = lower.0 * (upper.0 / lower.0).powf(part);
        Level {
            nodes: nodes.round() as u64,
            moves: if part < 0.5 { lower.1 } else { upper.1 },
            spread: lower.2 + (upper.2 - lower.2) * part,
        }
    }

    /// `Skill Level`, from the weakest to one step short of everything; `None` for everything.
    pub(crate) fn of_skill(skill: u32) -> Option<Level> {
        let range = HIGHEST_ELO - LOWEST_ELO;
        (skill < FULL_SKILL).then(|| Level::of_elo(LOWEST_ELO + range * skill / (FULL_SKILL - 1)))
    }

    /// The limits of a search at this level, where others were asked for.
    pub(crate) fn limited(&self, asked: Limits) -> Limits {
        Limits {
            nodes: Some(
                asked
                    .nodes
                    .map_or(self.nodes, |nodes| nodes.min(self.nodes)),
            ),
            ..asked
        }
    }
}

/// How long a player takes who is not a machine: a part of what the clock allows, another one
/// for each move. `chance` lies between 0 and 1. Where no clock runs there is nothing to wait for.
pub(crate) fn pause(limits: &Limits, mover: Color, chance: f64) -> Duration {
    const MOVES_TO_COME: u32 = 50;
    const INCREMENT_SHARE: f64 = 0.6;
    const LONGEST: Duration = Duration::from_secs(6);
    let part = 0.3 + 0.7 * chance;
    let [white, black] = limits.clocks;
    let clock = match mover {
        Color::White => white,
        Color::Black => black,
    };
    let of_clock = clock.remaining.map(|remaining| {
        let moves = limits.moves_to_go.unwrap_or(MOVES_TO_COME).max(2) + 1;
        let increment = clock.increment.min(remaining / 4).mul_f64(INCREMENT_SHARE);
        remaining / moves + increment
    });
    let of_move = limits.move_time.map(|time| time / 2);
    let most = match (of_clock, of_move) {
        (Some(one), Some(other)) => one.min(other),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => Duration::ZERO,
    };
    most.mul_f64(part).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::PlayerClock;

    #[test]
    fn more_elo_sees_more_and_strays_less() {
        let levels: Vec<Level> = (LOWEST_ELO..=HIGHEST_ELO).map(Level::of_elo).collect();
        for pair in levels.windows(2) {
            let [weaker, stronger] = pair else {
                unreachable!("windows of two");
            };
            assert!(weaker.nodes <= stronger.nodes, "{weaker:?} {stronger:?}");
            assert!(weaker.moves >= stronger.moves, "{weaker:?} {stronger:?}");
            assert!(weaker.spread >= stronger.spread, "{weaker:?} {stronger:?}");
        }
        for elo in [0, LOWEST_ELO] {
            assert_eq!(Level::of_elo(elo), levels[0]);
        }
        assert_eq!(levels.last(), Some(&Level::of_elo(u32::MAX)));
    }

    #[test]
    fn skill_goes_from_the_lowest_elo_to_everything() {
        assert_eq!(Level::of_skill(0), Some(Level::of_elo(LOWEST_ELO)));
        assert_eq!(
            Level::of_skill(FULL_SKILL - 1),
            Some(Level::of_elo(HIGHEST_ELO))
        );
        assert_eq!(Level::of_skill(FULL_SKILL), None);
    }

    #[test]
    fn fewer_nodes_than_asked_never_more() {
        let level = Level::of_elo(LOWEST_ELO);
        let asked = |nodes| Limits {
            nodes,
            ..Limits::default()
        };
        assert_eq!(level.limited(asked(None)).nodes, Some(level.nodes));
        assert_eq!(level.limited(asked(Some(5))).nodes, Some(5));
        assert_eq!(
            level.limited(asked(Some(u64::MAX))).nodes,
            Some(level.nodes)
        );
    }

    #[test]
    fn a_pause_leaves_the_clock_most_of_what_it_has() {
        for milliseconds in [0, 1, 50, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let clock = PlayerClock {
                        remaining: Some(Duration::from_millis(milliseconds)),
                        increment: Duration::from_millis(increment),
                    };
                    let limits = Limits {
                        moves_to_go,
                        clocks: [clock, PlayerClock::default()],
                        ..Limits::default()
                    };
                    assert_eq!(pause(&limits, Color::Black, 1.0), Duration::ZERO);
                    let pause = pause(&limits, Color::White, 1.0);
                    assert!(
                        pause * 2 <= Duration::from_millis(milliseconds),
                        "{clock:?}"
                    );
                }
            }
        }
    }
}
