//! Starts of games: the requests of the page for new games.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use formats::pgn::Record;
use game::Side;
use game::play::{Action, GameState, TimeControl};
use game::profile::USER;
use movegen::{CHESS960_POSITIONS, Color, Dropped, Position, Validated, Variant};
use service::strength::{MAX_ELO, MIN_ELO, MoveLimits, engine_elo, is_engine};

use crate::messages::play::{ChosenSide, NewRequest, Settings, Start};

/// A reply that comes at once would hide the move it replies to.
const SHORTEST_REPLY: Duration = Duration::from_millis(300);
const MOVE_TIMES: std::ops::RangeInclusive<u32> = 50..=3_600_000;

impl Settings {
    /// Checks the settings of a game at a level.
    pub(super) fn check(&self, level: Option<u32>) -> Result<()> {
        if level.is_some_and(|elo| !(MIN_ELO..=MAX_ELO).contains(&elo)) {
            return Err(anyhow!(
                "invalid strength: expected from {MIN_ELO} to {MAX_ELO} Elo"
            ));
        }
        if self
            .move_time
            .is_some_and(|time| !MOVE_TIMES.contains(&time))
        {
            bail!("invalid time per move: expected from 0.05 to 3600 seconds");
        }
        Ok(())
    }

    pub(super) fn user(&self) -> &str {
        self.name.as_deref().unwrap_or(USER)
    }

    /// The time before which the engine does not answer in a game, given its clock.
    pub(super) fn moment(&self, game: &GameState, clock: Option<Duration>) -> Duration {
        const LONGEST_MILLISECONDS: u16 = 1800;
        /// The share of the clock.
        const SHARE: u32 = 50;
        let moves = game.game.position().legal_moves().len();
        if game.level().is_none() || !self.takes_time || moves < 2 {
            return SHORTEST_REPLY;
        }
        let longer = random(LONGEST_MILLISECONDS).unwrap_or(LONGEST_MILLISECONDS / 2);
        let moment = 2 * SHORTEST_REPLY + Duration::from_millis(longer.into());
        let most = clock.map_or(moment, |clock| clock / SHARE);
        moment.min(most).max(SHORTEST_REPLY)
    }

    pub(super) fn limits(&self) -> MoveLimits {
        let milliseconds = self.move_time.map(u64::from);
        MoveLimits {
            time: milliseconds.map(Duration::from_millis),
            ..MoveLimits::default()
        }
    }
}

impl NewRequest {
    /// The game without moves of a user with this name, and the settings of the engine.
    pub(crate) fn resolve(&self, user: &str) -> Result<(GameState, Settings)> {
        let (start, name) = self.start.resolve()?;
        let side = match self.side {
            ChosenSide::White => Side::White,
            ChosenSide::Black => Side::Black,
            ChosenSide::Both => Side::Both,
            ChosenSide::Random if random(2)? == 0 => Side::White,
            ChosenSide::Random => Side::Black,
        };
        let settings = Settings {
            move_time: self.move_time,
            resigns: self.resigns,
            takes_time: self.takes_time,
            start: name,
            name: user_name(user),
        };
        settings.check(self.elo)?;
        let mut state = GameState::new(start, side);
        if let Some(elo) = self.elo {
            state.apply(&Action::Level(elo))?;
        }
        if let Some(clock) = &self.clock {
            let control = TimeControl::from_minutes(clock);
            let control = control.map_err(|error| anyhow!("invalid clock: {error}"))?;
            state.apply(&Action::Clock(control))?;
        }
        Ok((state, settings))
    }
}

/// A name as PGN has it, unless it is empty or that of the engine.
fn user_name(text: &str) -> Option<String> {
    const MAX_LENGTH: usize = 60;
    let words: Vec<&str> = text.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(MAX_LENGTH).collect();
    (!name.is_empty() && !is_engine(&name)).then_some(name)
}

/// The game of a record that this program has written, with the settings that its tags name.
pub(super) fn reopened(record: &Record) -> Result<(GameState, Settings)> {
    let player = |color: Color| record.tags.get(&color.to_string()).unwrap_or_default();
    let side = match Color::ALL.map(|color| is_engine(player(color))) {
        [false, true] => Side::White,
        [true, false] => Side::Black,
        _ => Side::Both,
    };
    let name = match side {
        Side::White => user_name(player(Color::White)),
        Side::Black => user_name(player(Color::Black)),
        Side::Both => None,
    };
    let elo = Color::ALL
        .into_iter()
        .find_map(|color| engine_elo(player(color)));
    let mut first = GameState::new(record.start, side);
    let control = record.tags.get("TimeControl");
    if let Some(control) = control.and_then(TimeControl::from_seconds) {
        first.apply(&Action::Clock(control))?;
    }
    if let Some(elo) = elo {
        first.apply(&Action::Level(elo))?;
    }
    let state = GameState::from_pgn(record, &first).map_err(|(_, error)| error)?;
    state.takes_moves()?;
    let settings = Settings {
        takes_time: true,
        name,
        ..Settings::default()
    };
    settings.check(elo)?;
    Ok((state, settings))
}

impl Start {
    /// The position and its name, unless it is obvious; or what was dropped from its FEN.
    fn resolve(&self) -> Result<(Position, Option<String>)> {
        Ok(match self {
            Self::Standard => (Position::default(), None),
            Self::Fen { fen, chess960 } => {
                let variant = Variant::from_chess960(*chess960);
                let read = Validated::from_fen(fen, variant)?;
                let dropped: Vec<String> = read.dropped.iter().map(Dropped::to_string).collect();
                let notes = (!dropped.is_empty()).then(|| dropped.join("; "));
                (read.position, notes)
            }
            Self::Chess960 { number } => {
                let number = chosen(*number)?;
                let start = Position::chess960(number).with_context(|| invalid(number))?;
                (start, Some(format!("Chess960 position {number}")))
            }
            Self::Dfrc { white, black } => {
                let (white, black) = (chosen(*white)?, chosen(*black)?);
                let highest = white.max(black);
                let start = Position::dfrc(white, black).with_context(|| invalid(highest))?;
                (start, Some(format!("DFRC positions {white} and {black}")))
            }
        })
    }
}

fn invalid(number: u16) -> String {
    let max = CHESS960_POSITIONS - 1;
    format!("invalid start position {number}: expected a number from 0 to {max}")
}

/// The number of a start position, or a random one.
fn chosen(number: Option<u16>) -> Result<u16> {
    number.map_or_else(|| random(CHESS960_POSITIONS), Ok)
}

/// A number from 0 to `count - 1`.
fn random(count: u16) -> Result<u16> {
    let number = getrandom::u32();
    let number = number.map_err(|error| anyhow!("the system has no random numbers: {error}"))?;
    let wide = u64::from(number) * u64::from(count);
    Ok((wide >> 32) as u16)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Side;

    use super::NewRequest;

    fn request(json: &str) -> NewRequest {
        serde_json::from_str(json).expect("a valid request")
    }

    #[test]
    fn limited_levels_take_a_moment() {
        let moment = |json, clock| {
            let (state, settings) = request(json).resolve("").expect("valid");
            settings.moment(&state, clock)
        };
        let shortest = Duration::from_millis(300);
        let limited = r#"{"elo":1200,"takes_time":true}"#;
        let moments: Vec<Duration> = (0..100).map(|_| moment(limited, None)).collect();
        assert!(moments.iter().all(|moment| *moment >= 2 * shortest));
        assert!(
            moments
                .iter()
                .any(|moment| *moment > Duration::from_secs(1))
        );
        // A clock is not used up, and the only move needs no thought.
        for _ in 0..100 {
            let moment = moment(limited, Some(Duration::from_secs(40)));
            assert!(moment <= Duration::from_millis(800));
        }
        let fen = "7k/8/8/8/8/8/r7/7K w - - 0 1";
        let forced =
            format!(r#"{{"elo":1200,"takes_time":true,"start":{{"kind":"fen","fen":"{fen}"}}}}"#);
        for at_once in [&forced, r#"{"elo":1200}"#, r#"{"takes_time":true}"#] {
            assert_eq!(moment(at_once, None), shortest);
        }
    }

    #[test]
    fn sides() {
        let side = |json| request(json).resolve("").expect("valid").0.side;
        assert_eq!(side("{}"), Side::White);
        assert_eq!(side(r#"{"side":"both"}"#), Side::Both);
        // Each with probability one half: 100 times the same is impossible.
        let drawn: Vec<Side> = (0..100).map(|_| side(r#"{"side":"random"}"#)).collect();
        assert!(drawn.contains(&Side::White) && drawn.contains(&Side::Black));
    }
}
