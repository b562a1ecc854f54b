//! The state of the game. Every change is an [`Action`], so that the same actions always lead to
//! the same state. No input, output or search.

use std::fmt;

use clap::ValueEnum;
use common::args::Side;
use common::excerpt;
use common::input::InputError;
use movegen::{
    ClaimError, Claimed, Color, Event, FenError, Game, Move, Outcome, PlayError, Position,
    UciMoveError, Variant,
};
use thiserror::Error;

use crate::formats::pgn::{GameResult, Record, Variation};
use crate::notation;

/// The start of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NewGame {
    pub(super) start: Position,
    pub(super) variant: Variant,
    /// The side of the user.
    pub(super) side: Side,
}

/// A change of the state, as written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    Begin(Box<NewGame>),
    Move {
        mv: Move,
        variant: Variant,
    },
    Undo,
    Redo,
    Draw,
    /// A claim with an intended move.
    DrawWith {
        mv: Move,
        variant: Variant,
    },
    Resign(Color),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Begin(new_game) => new_game.fmt(f),
            &Action::Move { mv, variant } => write!(f, "move {}", mv.uci(variant)),
            Action::Undo => f.write_str("undo"),
            Action::Redo => f.write_str("redo"),
            Action::Draw => f.write_str("draw"),
            &Action::DrawWith { mv, variant } => write!(f, "draw {}", mv.uci(variant)),
            Action::Resign(Color::White) => f.write_str("resign white"),
            Action::Resign(Color::Black) => f.write_str("resign black"),
        }
    }
}

/// Why a line of a saved game is invalid.
#[derive(Debug, Error)]
pub(crate) enum ActionError {
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

/// Why an action was rejected. The state is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum ActionRejected {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error("the game is over: {0} resigned")]
    Resigned(Color),
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("no move to undo")]
    NothingToUndo,
    #[error("no move to redo")]
    NothingToRedo,
}

/// A game with its sides and how it ended.
#[derive(Debug, Clone)]
pub(super) struct GameState {
    pub(super) game: Game,
    pub(super) variant: Variant,
    pub(super) side: Side,
    /// The actions that led here, from the start of the game.
    actions: Vec<Action>,
    resigned: Option<Color>,
    /// The game that ended with a claim, until the first move of the next.
    claimed: Option<(Claimed, Variant)>,
}

impl Default for GameState {
    /// A standard game in which the user plays White.
    fn default() -> GameState {
        GameState::new(NewGame {
            start: Position::default(),
            variant: Variant::Standard,
            side: Side::White,
        })
    }
}

impl GameState {
    pub(super) fn new(new_game: NewGame) -> GameState {
        GameState {
            game: Game::new(new_game.start),
            variant: new_game.variant,
            side: new_game.side,
            actions: vec![Action::Begin(Box::new(new_game))],
            resigned: None,
            claimed: None,
        }
    }

    pub(super) fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Applies a line of a saved game.
    pub(super) fn follow(&mut self, line: &str) -> Result<(), ActionError> {
        let action = self.read(line)?;
        self.apply(action)?;
        Ok(())
    }

    fn read(&self, line: &str) -> Result<Action, ActionError> {
        let unknown = || ActionError::Unknown(excerpt(line));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(match (word, rest) {
            ("begin", rest) => {
                let new_game = NewGame::read(rest)?.ok_or_else(unknown)?;
                Action::Begin(Box::new(new_game))
            }
            ("move", text) => Action::Move {
                mv: self.game.position().move_from_uci(text)?,
                variant: self.variant,
            },
            ("undo", "") => Action::Undo,
            ("redo", "") => Action::Redo,
            ("draw", "") => Action::Draw,
            ("draw", text) => Action::DrawWith {
                mv: self.game.position().move_from_uci(text)?,
                variant: self.variant,
            },
            ("resign", "white") => Action::Resign(Color::White),
            ("resign", "black") => Action::Resign(Color::Black),
            _ => return Err(unknown()),
        })
    }

    /// Applies an action and returns its events.
    pub(super) fn apply(&mut self, action: Action) -> Result<Vec<Event>, ActionRejected> {
        if let Some(color) = self.resigned
            && !matches!(action, Action::Begin(_) | Action::Resign(_))
        {
            return Err(ActionRejected::Resigned(color));
        }
        let mut events = Vec::new();
        match &action {
            Action::Begin(new_game) => {
                *self = GameState::new(**new_game);
                return Ok(events);
            }
            &Action::Move { mv, .. } => {
                events = self.game.play(mv)?;
                self.claimed = None;
            }
            Action::Undo => {
                self.game.undo().ok_or(ActionRejected::NothingToUndo)?;
            }
            Action::Redo => {
                self.game.redo().ok_or(ActionRejected::NothingToRedo)?;
            }
            Action::Draw => events = self.end_with(Game::claim_draw)?,
            &Action::DrawWith { mv, .. } => events = self.end_with(|game| game.claim_with(mv))?,
            &Action::Resign(color) => self.resign(color)?,
        }
        self.actions.push(action);
        Ok(events)
    }

    fn end_with(
        &mut self,
        claim: impl FnOnce(&mut Game) -> Result<Claimed, ClaimError>,
    ) -> Result<Vec<Event>, ClaimError> {
        let claimed = claim(&mut self.game)?;
        let events = claimed.events().to_vec();
        self.claimed = Some((claimed, self.variant));
        self.variant = Variant::Standard;
        Ok(events)
    }

    /// Checks that the game is not over.
    pub(super) fn takes_moves(&self) -> Result<(), ActionRejected> {
        match (self.resigned, self.game.outcome()) {
            (Some(color), _) => Err(ActionRejected::Resigned(color)),
            (None, Some(outcome)) => Err(PlayError::Over(outcome).into()),
            (None, None) => Ok(()),
        }
    }

    fn resign(&mut self, color: Color) -> Result<(), ActionRejected> {
        if let Some(color) = self.resigned {
            return Err(ActionRejected::Resigned(color));
        }
        match self.outcome() {
            Some(outcome) => Err(ActionRejected::Over(outcome)),
            None => {
                self.resigned = Some(color);
                Ok(())
            }
        }
    }

    /// The outcome by the rules, including a claim.
    fn outcome(&self) -> Option<Outcome> {
        match &self.claimed {
            Some((claimed, _)) => Some(claimed.outcome()),
            None => self.game.outcome(),
        }
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.outcome().is_some()
    }

    /// Whether the game has moves and is not over.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.is_over() && self.game.moves().len() > 0
    }

    /// Whether the user makes the next move.
    pub(super) fn is_user_to_move(&self) -> bool {
        self.side
            .includes(self.game.position().side_to_move() == Color::White)
    }

    /// How the game ended: description and result.
    pub(super) fn ending(&self) -> Option<(String, GameResult)> {
        match (self.resigned, self.outcome()) {
            (Some(color), _) => Some((format!("{color} resigns"), GameResult::Won(!color))),
            (None, Some(outcome)) => Some((outcome.to_string(), outcome.into())),
            (None, None) => None,
        }
    }

    /// The game for PGN: the one a claim has just ended, or the current one.
    pub(super) fn record(&self) -> Record {
        let (game, variant) = match &self.claimed {
            Some((claimed, variant)) => (&claimed.record, *variant),
            None => (&self.game, self.variant),
        };
        let mut record = Record {
            main_line: Variation::new(game.moves()),
            ..Record::new(*game.start(), variant)
        };
        if let Some((words, result)) = self.ending() {
            record.result = result;
            let intended = self
                .claimed
                .as_ref()
                .and_then(|(claimed, _)| claimed.intended);
            record.main_line.last_comment().text = match intended {
                Some(mv) => format!("{words} with {}", game.position().san(mv)),
                None => words,
            };
        }
        record
    }
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
    fn read(text: &str) -> Result<Option<NewGame>, FenError> {
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
        let Ok(side) = Side::from_str(side, false) else {
            return Ok(None);
        };
        Ok(Some(NewGame {
            start: Position::from_fen(fen, variant)?,
            variant,
            side,
        }))
    }
}
