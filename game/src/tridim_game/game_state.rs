//! The state of a game. Every change is an [`Action`], one line of a saved game.

use crate::Side;
use common::excerpt;
use common::input::InputError;
use thiserror::Error;

use movegen::{ClaimError, Color, Outcome};
use tridim::Move;
use tridim::MoveError;
use tridim::TextError;
use tridim::{Claimed, Event, Game, PlayError};
use tridim::{Position, Rules};

/// A change of the state.
#[derive(Debug, Clone)]
pub enum Action {
    Start(Box<Position>),
    /// The side of the user.
    Side(Side),
    Move(Move),
    Undo,
    Redo,
    Draw,
    Resign(Color),
}

/// Why an action was rejected. The state is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ActionRejected {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error("the game is over: {0} resigned")]
    Resigned(Color),
    #[error("no move to undo")]
    NothingToUndo,
    #[error("no move to redo")]
    NothingToRedo,
}

/// What is wrong with one line of a saved game.
#[derive(Debug, Error)]
pub enum LineError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("expected 'rotation on' or 'rotation off', found '{0}'")]
    Rotation(String),
    #[error("expected 'start' and a position, found '{0}'")]
    Start(String),
    #[error("expected 'move' and a move, found '{0}'")]
    Move(String),
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Illegal(#[from] MoveError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
}

/// A game with the side of the user and how it ended.
#[derive(Debug, Clone)]
pub struct GameState {
    pub game: Game,
    pub side: Side,
    resigned: Option<Color>,
    /// The game that ended with a claim, until the first move of the next.
    claimed: Option<Box<Claimed>>,
    /// The lines that led here, from the start of the game.
    lines: Vec<String>,
}

impl GameState {
    #[must_use]
    pub fn new(start: Position, side: Side) -> GameState {
        let mut state = GameState {
            game: Game::new(start),
            side,
            resigned: None,
            claimed: None,
            lines: Vec::new(),
        };
        state.lines.extend(start_lines(&start));
        state.lines.push(side_line(side));
        state
    }

    /// The lines of a saved game that lead here.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Applies an action; returns the events, and the lines that record it.
    pub fn apply(&mut self, action: Action) -> Result<(Vec<Event>, Vec<String>), ActionRejected> {
        if let Some(color) = self.resigned
            && !matches!(action, Action::Start(_) | Action::Side(_))
        {
            return Err(ActionRejected::Resigned(color));
        }
        let mut events = Vec::new();
        let mut lines = Vec::new();
        match action {
            Action::Start(start) => {
                *self = GameState::new(*start, self.side);
                return Ok((events, self.lines.clone()));
            }
            Action::Side(side) => {
                if self.side != side {
                    self.side = side;
                    lines.push(side_line(side));
                }
            }
            Action::Move(mv) => {
                let before = *self.game.position();
                events = self.game.play(mv)?;
                self.claimed = None;
                lines.push(format!("move {}", recorded(&before, mv)));
            }
            Action::Undo => {
                self.game.undo().ok_or(ActionRejected::NothingToUndo)?;
                lines.push("undo".to_owned());
            }
            Action::Redo => {
                self.game.redo().ok_or(ActionRejected::NothingToRedo)?;
                lines.push("redo".to_owned());
            }
            Action::Draw => {
                let claimed = self.game.claim_draw()?;
                events = claimed.events().to_vec();
                self.claimed = Some(Box::new(claimed));
                lines.push("draw".to_owned());
            }
            Action::Resign(color) => {
                if let Some(outcome) = self.game.outcome() {
                    return Err(PlayError::Over(outcome).into());
                }
                self.resigned = Some(color);
                let color = color.to_string().to_ascii_lowercase();
                lines.push(format!("resign {color}"));
            }
        }
        self.lines.extend(lines.iter().cloned());
        Ok((events, lines))
    }

    /// Undoes moves up to the user's last turn; returns the lines that record it.
    pub fn undo_turn(&mut self) -> Result<Vec<String>, ActionRejected> {
        self.repeat_to_user_turn(|| Action::Undo)
    }

    /// Replays undone moves up to the user's next turn; returns the lines that record it.
    pub fn redo_turn(&mut self) -> Result<Vec<String>, ActionRejected> {
        self.repeat_to_user_turn(|| Action::Redo)
    }

    fn repeat_to_user_turn(
        &mut self,
        action: impl Fn() -> Action,
    ) -> Result<Vec<String>, ActionRejected> {
        let (_, mut lines) = self.apply(action())?;
        while !self.is_user_to_move()
            && let Ok((_, more)) = self.apply(action())
        {
            lines.extend(more);
        }
        Ok(lines)
    }

    /// Whether a move can be undone.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        self.resigned.is_none() && self.game.moves().len() > 0
    }

    /// Whether an undone move can be replayed.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.resigned.is_none() && self.game.can_redo()
    }

    /// The game that ended with a claim, until the first move of the next.
    #[must_use]
    pub fn claimed(&self) -> Option<&Claimed> {
        self.claimed.as_deref()
    }

    /// Checks that the game is not over.
    pub fn takes_moves(&self) -> Result<(), ActionRejected> {
        match (self.resigned, self.game.outcome()) {
            (Some(color), _) => Err(ActionRejected::Resigned(color)),
            (None, Some(outcome)) => Err(PlayError::Over(outcome).into()),
            (None, None) => Ok(()),
        }
    }

    /// Whether the game has moves and is not over.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.takes_moves().is_ok() && self.game.moves().len() > 0
    }

    #[must_use]
    pub fn is_user_to_move(&self) -> bool {
        self.side.includes(self.game.position().side_to_move())
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub fn ending(&self) -> Option<String> {
        let outcome = |outcome: Outcome| format!("{outcome}. {}", outcome.result());
        match self.resigned {
            Some(Color::White) => Some("White resigns. 0-1".to_owned()),
            Some(Color::Black) => Some("Black resigns. 1-0".to_owned()),
            None => self.game.outcome().map(outcome),
        }
    }

    /// Follows a line of a saved game after its first two.
    pub fn follow(&mut self, line: &str) -> Result<(), LineError> {
        let unknown = || LineError::Move(excerpt(line));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let action = match (word, rest.trim()) {
            // The game starts again: the rules come with the position.
            ("rotation", _) => {
                let rules = rules(line)?;
                *self = GameState::new(Position::start(rules), self.side);
                return Ok(());
            }
            ("start", text) => {
                let rules = self.game.start().rules();
                Action::Start(Box::new(Position::from_text(text, rules)?))
            }
            ("side", side) => Action::Side(side.parse::<Side>().map_err(|_| unknown())?),
            ("move", text) => {
                // What follows describes the move.
                let text = text.split_whitespace().next().unwrap_or_default();
                Action::Move(self.game.position().read_move(text)?)
            }
            ("undo", "") => Action::Undo,
            ("redo", "") => Action::Redo,
            ("draw", "") => Action::Draw,
            ("resign", "white") => Action::Resign(Color::White),
            ("resign", "black") => Action::Resign(Color::Black),
            _ => return Err(unknown()),
        };
        self.apply(action)?;
        Ok(())
    }
}

/// Parses the line of the rules.
pub(super) fn rules(line: &str) -> Result<Rules, LineError> {
    match line.trim() {
        "rotation on" => Ok(Rules { rotation: true }),
        "rotation off" => Ok(Rules { rotation: false }),
        other => Err(LineError::Rotation(excerpt(other))),
    }
}

fn start_lines(start: &Position) -> [String; 2] {
    let rotation = match start.rules().rotation {
        true => "on",
        false => "off",
    };
    [format!("rotation {rotation}"), format!("start {start}")]
}

fn side_line(side: Side) -> String {
    format!("side {side}")
}

/// A move in full notation; castling with its kind and squares.
pub fn recorded(position: &Position, mv: Move) -> String {
    let notation = position.notation(mv);
    match mv {
        Move::Castle(castling) => format!("{notation} ({castling})"),
        _ => notation,
    }
}
