//! The changes of a game, each one line of a saved game.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use common::excerpt;
use movegen::{Color, Move};

use super::playable::PlayablePosition;
use super::rejection::LineError;
use super::time_control::{MAX_CLOCK, TimeControl};
use formats::pgn::GameResult;

/// A change of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<M = Move> {
    /// Both players get a clock.
    Clock(TimeControl),
    /// The engine plays at this rating.
    Level(u32),
    /// A PGN tag.
    Tag(String, String),
    /// A result that does not follow from the moves.
    Result(GameResult),
    Move {
        mv: M,
        /// The mover's clock after the move.
        clock: Option<Duration>,
        /// When it was made, unless it comes from PGN.
        time: Option<DateTime<Utc>>,
    },
    Undo,
    Redo,
    Draw,
    /// A claim with an intended move.
    DrawWith(M),
    /// A draw by agreement.
    Agree,
    Resign(Color),
    /// The time of this side is over.
    Flag(Color),
}

impl<M: Copy> Action<M> {
    /// Writes the action as a line of a saved game; `before` is the position before it.
    pub(super) fn line<P: PlayablePosition<Move = M>>(&self, before: &P) -> String {
        match self {
            Self::Clock(control) => format!("clock {control}"),
            Self::Level(elo) => format!("level {elo}"),
            // A tag's value may contain anything but line breaks.
            Self::Tag(name, value) => {
                format!("tag {name} {}", value.replace(char::is_control, " "))
            }
            Self::Result(result) => format!("result {}", result.as_str()),
            Self::Move { mv, clock, time } => {
                let mut line = format!("move {}", before.write_move(*mv));
                if let Some(clock) = clock {
                    line.push_str(&format!(" {}", clock.as_secs_f64()));
                }
                if let Some(time) = time {
                    line.push_str(&format!(" at {}", written_time(*time)));
                }
                line
            }
            Self::Undo => "undo".to_owned(),
            Self::Redo => "redo".to_owned(),
            Self::Draw => "draw".to_owned(),
            Self::DrawWith(mv) => format!("draw {}", before.write_move(*mv)),
            Self::Agree => "agree".to_owned(),
            Self::Resign(color) => format!("resign {}", color.name()),
            Self::Flag(color) => format!("flag {}", color.name()),
        }
    }

    /// Parses a line of a saved game that continues from this position.
    pub(super) fn parse<P: PlayablePosition<Move = M>>(
        line: &str,
        position: &P,
    ) -> Result<Self, LineError> {
        let unknown = || LineError::Action(excerpt(line));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let action = match (word, rest.trim_end()) {
            ("clock", control) => TimeControl::from_seconds(control).map(Action::Clock),
            ("level", elo) => elo.parse().ok().map(Action::Level),
            // A value may be empty.
            ("tag", _) => rest
                .split_once(' ')
                .map(|(name, value)| Self::Tag(name.to_owned(), value.to_owned())),
            ("result", result) => GameResult::parse(result).map(Action::Result),
            ("move", rest) => {
                let (text, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let rest = after_remark(rest);
                let (rest, time) = match rest.rsplit_once("at ") {
                    Some((rest, time)) => {
                        (rest.trim_end(), Some(read_time(time).ok_or_else(unknown)?))
                    }
                    None => (rest, None),
                };
                let clock = match rest {
                    "" => None,
                    clock => Some(seconds(clock).ok_or_else(unknown)?),
                };
                let mv = position.read_move(text)?;
                Some(Self::Move { mv, clock, time })
            }
            ("undo", "") => Some(Self::Undo),
            ("redo", "") => Some(Self::Redo),
            ("draw", "") => Some(Self::Draw),
            ("draw", text) => Some(Self::DrawWith(position.read_move(text)?)),
            ("agree", "") => Some(Self::Agree),
            ("resign", side) => color(side).map(Action::Resign),
            ("flag", side) => color(side).map(Action::Flag),
            _ => None,
        };
        action.ok_or_else(unknown)
    }
}

fn color(name: &str) -> Option<Color> {
    let mut colors = Color::ALL.into_iter();
    colors.find(|color| color.name() == name)
}

/// The text after a remark in parentheses.
fn after_remark(text: &str) -> &str {
    match text.split_once(')') {
        Some((remark, rest)) if remark.starts_with('(') => rest.trim_start(),
        _ => text,
    }
}

/// The time of a move in saved games and score sheets, in UTC.
pub fn written_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn read_time(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.with_timezone(&Utc))
}

fn seconds(text: &str) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
    (time <= MAX_CLOCK).then_some(time)
}
