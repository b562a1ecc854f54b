//! Limited strength (`UCI_Elo`, `Skill Level`): a level searches fewer nodes and several lines, and
//! now and then plays a line that scores a little worse. So a mistake is a move that looked
//! reasonable, not a random one. docs/strength.md says how the numbers were measured.

use std::time::Duration;

use common::{NAME, rng};
use movegen::{Color, Move, Position};
use search::{Info, Limits, PlayerClock, SearchResult};

/// The lowest `UCI_Elo`.
pub const MIN_ELO: u32 = 800;
/// The highest `UCI_Elo`.
pub const MAX_ELO: u32 = 3000;
/// The default of `UCI_Elo`.
pub const DEFAULT_ELO: u32 = 1600;
/// The `Skill Level` of unlimited strength.
pub const MAX_SKILL: u32 = 20;

/// A strength of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Nodes searched for a move.
    pub nodes: u64,
    /// Lines from which the move is chosen.
    pub lines: usize,
    /// Readiness to play worse lines: a line is `e` times less likely for each `spread` by
    /// which its felt score is worse. 0 always plays the best.
    pub spread: f64,
}

/// The limits of each move in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveLimits {
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
}

impl MoveLimits {
    /// Without other limits.
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    /// The limits of a search while these clocks run.
    pub fn with(&self, clocks: Option<[PlayerClock; 2]>) -> Limits {
        let limited = self.nodes.is_some() || self.depth.is_some() || clocks.is_some();
        Limits {
            move_time: self.time.or((!limited).then_some(Self::DEFAULT_TIME)),
            nodes: self.nodes,
            depth: self.depth,
            clocks: clocks.unwrap_or_default(),
            ..Limits::default()
        }
    }
}

/// The Elo difference between two neighbours in `LEVELS`; levels between them are interpolated.
const STEP: u32 = 200;
/// Nodes, lines and spread from the lowest to the highest Elo.
const LEVELS: [(f64, usize, f64); 12] = [
    (410.0, 8, 0.214),
    (630.0, 8, 0.174),
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
    /// Interpolated between the measured levels; clamped to `MIN_ELO` and `MAX_ELO`.
    pub fn of_elo(elo: u32) -> Self {
        let above = elo.clamp(MIN_ELO, MAX_ELO) - MIN_ELO;
        let place = usize::try_from(above / STEP).unwrap_or(usize::MAX);
        let part = f64::from(above % STEP) / f64::from(STEP);
        let mut steps = LEVELS.iter().skip(place).copied();
        let lower = steps.next().unwrap_or((1.0, 1, 0.0));
        let upper = steps.next().unwrap_or(lower);
        let nodes = lower.0 * (upper.0 / lower.0).powf(part);
        Self {
            nodes: nodes.round() as u64,
            lines: if part < 0.5 { lower.1 } else { upper.1 },
            spread: lower.2 + (upper.2 - lower.2) * part,
        }
    }

    /// From the lowest Elo at `Skill Level` 0 to the highest at 19; `None` for unlimited strength.
    pub fn of_skill(skill: u32) -> Option<Self> {
        let range = MAX_ELO - MIN_ELO;
        (skill < MAX_SKILL).then(|| Self::of_elo(MIN_ELO + range * skill / (MAX_SKILL - 1)))
    }

    /// Adds this level's limit to others.
    pub fn limited(&self, limits: Limits) -> Limits {
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(self.nodes);
        Limits {
            nodes: Some(nodes),
            ..limits
        }
    }
}

/// Chooses among the lines of a search, by a seed and a position alone, so that a game can be
/// repeated.
#[derive(Clone, Copy, Debug)]
pub struct Chooser {
    /// See `Level::spread`.
    pub spread: f64,
    pub seed: u64,
    /// The key of the position.
    pub key: u64,
}

/// The move that is played after a search, the expected answer to it, and the line that a limited
/// strength has chosen.
pub fn choice(
    chooser: Option<Chooser>,
    result: &SearchResult,
) -> (Option<Move>, Option<Move>, Option<&Info>) {
    match chooser.and_then(|chooser| chooser.choose(result)) {
        Some(line) => (
            line.pv.first().copied(),
            line.pv.get(1).copied(),
            Some(line),
        ),
        None => (result.best_move, result.ponder, None),
    }
}

/// Makes the random numbers for different purposes independent.
const CHOICE_STREAM: u64 = 1;
const PAUSE_STREAM: u64 = 2;

impl Chooser {
    /// The choice at a level in one position of a game with this seed.
    pub(crate) fn new(level: Level, seed: u32, position: &Position) -> Self {
        // With the move number, a position that is repeated may be answered differently.
        let number = rng::split_mix(position.fullmove_number().into());
        Self {
            spread: level.spread,
            seed: seed.into(),
            key: position.key() ^ number,
        }
    }

    /// The line that is played; `None` if the search found none.
    fn choose<'a>(&self, outcome: &'a SearchResult) -> Option<&'a Info> {
        let scores: Vec<i32> = outcome.lines.iter().map(|info| info.centipawns).collect();
        outcome.lines.get(self.pick(&scores))
    }

    /// The index of the line played among lines with these scores in centipawns, best first.
    fn pick(&self, centipawns: &[i32]) -> usize {
        let Some(best) = centipawns.iter().copied().max() else {
            return 0;
        };
        if self.spread <= 0.0 {
            return 0;
        }
        let weights = centipawns
            .iter()
            .map(|&score| (-(felt(best) - felt(score)) / self.spread).exp());
        let total: f64 = weights.clone().sum();
        let mut point = self.random(CHOICE_STREAM) * total;
        weights
            .into_iter()
            .position(|weight| {
                point -= weight;
                point < 0.0
            })
            .unwrap_or(0)
    }

    /// A random part, from 0 to 1, of the longest [`pause`].
    pub fn pause_part(&self) -> f64 {
        self.random(PAUSE_STREAM)
    }

    fn random(&self, stream: u64) -> f64 {
        rng::to_unit(rng::keyed(self.seed, self.key.rotate_left(32) ^ stream))
    }
}

/// A score as a player feels it: a pawn matters in a level game, hardly in a decided one.
fn felt(centipawns: i32) -> f64 {
    let pawns = f64::from(centipawns) / 100.0;
    pawns.signum() * pawns.abs().ln_1p()
}

/// The time after which a limited player moves: between 30 % and 100 % of a human share of the
/// clock, as `part` (0 to 1) says. Zero where no clock runs.
pub fn pause(limits: &Limits, side_to_move: Color, part: f64) -> Duration {
    const EXPECTED_MOVES: u32 = 50;
    const INCREMENT_SHARE: f64 = 0.6;
    const MAX: Duration = Duration::from_secs(6);
    let part = 0.3 + 0.7 * part;
    let [white, black] = limits.clocks;
    let clock = match side_to_move {
        Color::White => white,
        Color::Black => black,
    };
    let of_clock = clock.remaining.map(|remaining| {
        let moves = limits
            .moves_to_time_control()
            .unwrap_or(EXPECTED_MOVES)
            .max(2);
        let increment = clock.increment.min(remaining / 4).mul_f64(INCREMENT_SHARE);
        remaining / moves.saturating_add(1) + increment
    });
    let of_move = limits.move_time.map(|time| time / 2);
    let max = of_clock.into_iter().chain(of_move).min();
    max.unwrap_or_default().mul_f64(part).min(MAX)
}

/// The engine's name as a player, with its strength if that is limited.
pub fn engine_name(elo: Option<u32>) -> String {
    match elo {
        Some(elo) => format!("{NAME} at {elo}"),
        None => NAME.to_owned(),
    }
}

/// True for the name of the engine as a player, in any version.
pub fn is_engine(player: &str) -> bool {
    let is_version = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let mut words = player.split(' ');
    words.next() == Some("Castellan") && words.next().is_none_or(is_version)
}

/// The playing strength that [`engine_name`] names.
pub fn engine_elo(player: &str) -> Option<u32> {
    let (_, elo) = player.split_once(" at ")?;
    elo.parse().ok().filter(|_| is_engine(player))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_with_elo() {
        let levels: Vec<Level> = (MIN_ELO..=MAX_ELO).map(Level::of_elo).collect();
        for pair in levels.windows(2) {
            let [weaker, stronger] = pair else {
                unreachable!("windows of two");
            };
            assert!(weaker.nodes <= stronger.nodes, "{weaker:?} {stronger:?}");
            assert!(weaker.lines >= stronger.lines, "{weaker:?} {stronger:?}");
            assert!(weaker.spread >= stronger.spread, "{weaker:?} {stronger:?}");
        }
        for elo in [0, MIN_ELO] {
            assert_eq!(Level::of_elo(elo), levels[0]);
        }
        assert_eq!(levels.last(), Some(&Level::of_elo(u32::MAX)));
    }

    #[test]
    fn engine_is_known_by_its_name_in_any_version() {
        assert_eq!(engine_elo(&engine_name(Some(1600))), Some(1600));
        assert_eq!(engine_elo("Castellan 0.0.1 at 1600"), Some(1600));
        assert_eq!(engine_elo("Castellana at 1600"), None);
        for (player, expected) in [
            (engine_name(None).as_str(), true),
            ("Castellan", true),
            ("Castellan Smith", false),
            ("Castellanos", false),
        ] {
            assert_eq!(is_engine(player), expected, "{player}");
        }
    }

    #[test]
    fn skill_levels_span_the_elo_range() {
        assert_eq!(Level::of_skill(0), Some(Level::of_elo(MIN_ELO)));
        assert_eq!(Level::of_skill(MAX_SKILL - 1), Some(Level::of_elo(MAX_ELO)));
        assert_eq!(Level::of_skill(MAX_SKILL), None);
    }

    #[test]
    fn a_level_only_tightens_the_limits() {
        let level = Level::of_elo(MIN_ELO);
        let limits = |nodes| Limits {
            nodes,
            ..Limits::default()
        };
        assert_eq!(level.limited(limits(None)).nodes, Some(level.nodes));
        assert_eq!(level.limited(limits(Some(5))).nodes, Some(5));
        assert_eq!(
            level.limited(limits(Some(u64::MAX))).nodes,
            Some(level.nodes)
        );
    }

    #[test]
    fn a_pause_takes_at_most_half_the_clock() {
        for milliseconds in [0, 1, 50, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
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

    const GAMES: u64 = 20_000;

    /// The share of games in which each line is picked.
    fn shares(spread: f64, centipawns: &[i32]) -> Vec<f64> {
        let mut counts = vec![0_u32; centipawns.len()];
        for seed in 0..GAMES {
            let chooser = Chooser {
                spread,
                seed,
                key: 0x463b_9618_1691_fc9c,
            };
            counts[chooser.pick(centipawns)] += 1;
        }
        counts
            .into_iter()
            .map(|count| f64::from(count) / GAMES as f64)
            .collect()
    }

    #[test]
    fn without_spread_the_best_line_is_played() {
        assert_eq!(shares(0.0, &[30, 30, 29, -500]), [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn worse_lines_are_played_less_often() {
        for share in shares(0.3, &[20, 20, 20, 20]) {
            assert!((share - 0.25).abs() < 0.02, "{share}");
        }
        // From a level game one pawn down feels like ln 2: e^(-ln 2 / 0.5) is a quarter.
        let found = shares(0.5, &[0, -100]);
        assert!((found[1] - 0.2).abs() < 0.02, "{found:?}");
        let found = shares(0.5, &[1000, 900]);
        assert!(found[1] > 0.4, "{found:?}");
    }

    #[test]
    fn mates_are_preferred_to_material() {
        let found = shares(0.2, &[30_000, 900, 850]);
        assert!(found[0] > 0.99, "{found:?}");
    }

    #[test]
    fn extreme_and_missing_scores_are_accepted() {
        let chooser = Chooser {
            spread: 0.5,
            seed: 1,
            key: 2,
        };
        assert_eq!(chooser.pick(&[]), 0);
        assert_eq!(chooser.pick(&[i32::MIN]), 0);
        assert_eq!(chooser.pick(&[i32::MAX, i32::MIN]), 0);
    }
}
