//! The changes of a game and how a saved game writes them, one per line.

use std::fmt;
use std::time::Duration;

use crate::Side;
use common::excerpt;
use common::input::InputError;
use movegen::{
    ClaimError, Color, FenError, Move, Outcome, PlayError, Position, UciMoveError, Variant,
};
use thiserror::Error;

use super::time_control::{MAX_CLOCK, TimeControl};
use crate::notation;
use crate::pgn::GameResult;

/// The start of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewGame {
    pub start: Position,
    pub variant: Variant,
    /// The side of the user.
    pub side: Side,
}

/// A change of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Begin(Box<NewGame>),
    /// Both players get a clock.
    Clock(TimeControl),
    /// A PGN tag.
    Tag(String, String),
    /// A result that does not follow from the moves.
    Result(GameResult),
    Move {
        mv: Move,
        variant: Variant,
        /// The mover's clock after the move.
        clock: Option<Duration>,
    },
    Undo,
    Redo,
    Draw,
    /// A claim with an intended move.
    DrawWith {
        mv: Move,
        variant: Variant,
    },
    /// A draw by agreement.
    Agree,
    Resign(Color),
    /// The time of this side is over.
    Flag(Color),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Begin(new_game) => new_game.fmt(f),
            Action::Clock(control) => write!(f, "clock {control}"),
            // A tag's value may contain anything but line breaks.
            Action::Tag(name, value) => {
                write!(f, "tag {name} {}", value.replace(char::is_control, " "))
            }
            Action::Result(result) => write!(f, "result {}", result.as_str()),
            &Action::Move { mv, variant, clock } => {
                write!(f, "move {}", mv.uci(variant))?;
                match clock {
                    Some(clock) => write!(f, " {}", clock.as_secs_f64()),
                    None => Ok(()),
                }
            }
            Action::Undo => f.write_str("undo"),
            Action::Redo => f.write_str("redo"),
            Action::Draw => f.write_str("draw"),
            &Action::DrawWith { mv, variant } => write!(f, "draw {}", mv.uci(variant)),
            Action::Agree => f.write_str("agree"),
            Action::Resign(color) => write!(f, "resign {}", name(*color)),
            Action::Flag(color) => write!(f, "flag {}", name(*color)),
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn color(name: &str) -> Option<Color> {
    match name {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// Why an action was rejected. The state is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ActionRejected {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error("the game is over: {0} resigned")]
    Resigned(Color),
    #[error("the game is over: draw by agreement")]
    Agreed,
    #[error("the game is over: the time of {0} has run out")]
    Flagged(Color),
    #[error("the game is over: {} by its Result tag; 'undo' or 'new' to play on", .0.as_str())]
    Recorded(GameResult),
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("no move to undo")]
    NothingToUndo,
    #[error("no move to redo")]
    NothingToRedo,
}

/// Why a line of a saved game is invalid.
#[derive(Debug, Error)]
pub enum ActionError {
    #[error("invalid action '{0}'")]
    Unknown(String),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Move(#[from] UciMoveError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[error(transparent)]
    Input(#[from] InputError),
}

impl Action {
    /// Parses a line of a saved game whose moves are played in this position.
    pub fn parse(line: &str, position: &Position, variant: Variant) -> Result<Action, ActionError> {
        let unknown = || ActionError::Unknown(excerpt(line));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let parsed = match (word, rest) {
            ("begin", rest) => {
                NewGame::parse(rest)?.map(|new_game| Action::Begin(Box::new(new_game)))
            }
            ("clock", rest) => TimeControl::from_seconds(rest).map(Action::Clock),
            ("tag", rest) => rest
                .split_once(' ')
                .map(|(name, value)| Action::Tag(name.to_owned(), value.to_owned())),
            ("result", rest) => GameResult::parse(rest).map(Action::Result),
            ("move", rest) => {
                let (text, clock) = match rest.split_once(' ') {
                    Some((text, clock)) => (text, Some(seconds(clock).ok_or_else(unknown)?)),
                    None => (rest, None),
                };
                let mv = position.move_from_uci(text)?;
                Some(Action::Move { mv, variant, clock })
            }
            ("undo", "") => Some(Action::Undo),
            ("redo", "") => Some(Action::Redo),
            ("draw", "") => Some(Action::Draw),
            ("draw", text) => Some(Action::DrawWith {
                mv: position.move_from_uci(text)?,
                variant,
            }),
            ("agree", "") => Some(Action::Agree),
            ("resign", side) => color(side).map(Action::Resign),
            ("flag", side) => color(side).map(Action::Flag),
            _ => None,
        };
        parsed.ok_or_else(unknown)
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
    (time <= MAX_CLOCK).then_some(time)
}

impl fmt::Display for NewGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self.variant {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
        };
        let fen = notation::fen(&self.start, self.variant);
        write!(f, "begin {variant} {} {fen}", self.side)
    }
}

impl NewGame {
    /// Returns `None` if the line is malformed.
    fn parse(text: &str) -> Result<Option<NewGame>, FenError> {
        let mut words = text.splitn(3, ' ');
        let (Some(variant), Some(side), Some(fen)) = (words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        let variant = match variant {
            "standard" => Variant::Standard,
            "chess960" => Variant::Chess960,
            _ => return Ok(None),
        };
        let Ok(side) = side.parse::<Side>() else {
            return Ok(None);
        };
        Ok(Some(NewGame {
            start: Position::from_fen(fen, variant)?,
            variant,
            side,
        }))
    }
}
