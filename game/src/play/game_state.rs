//! The state of the game. Every change is an [`Action`], so that the same actions always lead to
//! the same state. No input, output or search.

use std::time::Duration;

use crate::Side;
use movegen::{
    ClaimError, Claimed, Color, Event, Game, Move, Outcome, PlayError, Position, Role, Variant,
};

use super::action::{Action, ActionError, ActionRejected, NewGame};
use super::time_control::{Clocks, TimeControl};
use crate::pgn::{GameResult, Record, Tags, Variation, today};

/// An end that does not follow from the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Resigned(Color),
    Agreed,
    Flagged(Color),
    /// By the tag of a PGN game.
    Recorded(GameResult),
}

impl Ending {
    fn rejection(self) -> ActionRejected {
        match self {
            Ending::Resigned(color) => ActionRejected::Resigned(color),
            Ending::Agreed => ActionRejected::Agreed,
            Ending::Flagged(color) => ActionRejected::Flagged(color),
            Ending::Recorded(result) => ActionRejected::Recorded(result),
        }
    }
}

/// A game with its sides, its clocks and how it ended.
#[derive(Debug, Clone)]
pub struct GameState {
    pub game: Game,
    pub variant: Variant,
    /// The side of the user.
    pub side: Side,
    control: Option<TimeControl>,
    /// The mover's clock after each move, undone moves included.
    clocks: Vec<Option<Duration>>,
    /// The tags of a game from PGN.
    tags: Tags,
    /// The actions that led here, from the start of the game.
    actions: Vec<Action>,
    ended: Option<Ending>,
    /// The game that ended with a claim, until the first move of the next.
    claimed: Option<Box<ClaimedGame>>,
}

#[derive(Debug, Clone)]
struct ClaimedGame {
    claimed: Claimed,
    variant: Variant,
    clocks: Vec<Option<Duration>>,
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
    /// A game without moves.
    #[must_use]
    pub fn new(new_game: NewGame) -> GameState {
        GameState {
            game: Game::new(new_game.start),
            variant: new_game.variant,
            side: new_game.side,
            control: None,
            clocks: Vec::new(),
            tags: Tags::default(),
            actions: vec![Action::Begin(Box::new(new_game))],
            ended: None,
            claimed: None,
        }
    }

    /// The actions that led here, undone moves included: what a saved game consists of.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Applies a line of a saved game.
    pub fn follow(&mut self, line: &str) -> Result<(), ActionError> {
        let action = Action::parse(line, self.game.position(), self.variant)?;
        self.apply(action)?;
        Ok(())
    }

    /// Applies an action and returns its events.
    pub fn apply(&mut self, action: Action) -> Result<Vec<Event>, ActionRejected> {
        let reopens = matches!(
            (self.ended, &action),
            (Some(Ending::Recorded(_)), Action::Undo)
        );
        if !reopens && !matches!(action, Action::Begin(_) | Action::Tag(..)) {
            self.check_not_ended()?;
        }
        let mut events = Vec::new();
        match &action {
            Action::Begin(new_game) => {
                *self = GameState::new(**new_game);
                return Ok(events);
            }
            Action::Clock(control) => self.control = Some(*control),
            Action::Tag(name, value) => self.tags.set(name, value.as_str()),
            Action::Result(result) => {
                // The rules take precedence.
                if self.game.outcome().is_none() && *result != GameResult::Unknown {
                    self.ended = Some(Ending::Recorded(*result));
                }
            }
            &Action::Move { mv, clock, .. } => {
                events = self.game.play(mv)?;
                self.clocks.truncate(self.game.moves().len() - 1);
                self.clocks.push(clock);
                self.claimed = None;
            }
            Action::Undo => {
                self.game.undo().ok_or(ActionRejected::NothingToUndo)?;
                self.ended = None;
            }
            Action::Redo => {
                self.game.redo().ok_or(ActionRejected::NothingToRedo)?;
            }
            Action::Draw => events = self.end_with(Game::claim_draw)?,
            &Action::DrawWith { mv, .. } => events = self.end_with(|game| game.claim_with(mv))?,
            Action::Agree => self.end(Ending::Agreed)?,
            &Action::Resign(color) => self.end(Ending::Resigned(color))?,
            &Action::Flag(color) => self.end(Ending::Flagged(color))?,
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
        self.claimed = Some(Box::new(ClaimedGame {
            claimed,
            variant: self.variant,
            clocks: std::mem::take(&mut self.clocks),
        }));
        self.variant = Variant::Standard;
        Ok(events)
    }

    fn check_not_ended(&self) -> Result<(), ActionRejected> {
        self.ended.map_or(Ok(()), |ending| Err(ending.rejection()))
    }

    /// Checks that the game is not over.
    pub fn takes_moves(&self) -> Result<(), ActionRejected> {
        self.check_not_ended()?;
        match self.game.outcome() {
            Some(outcome) => Err(PlayError::Over(outcome).into()),
            None => Ok(()),
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), ActionRejected> {
        match self.outcome() {
            Some(outcome) => Err(ActionRejected::Over(outcome)),
            None => {
                self.ended = Some(ending);
                Ok(())
            }
        }
    }

    /// The game that a claim has just ended, or the current one: after a claim, `game` is a new game.
    #[must_use]
    pub fn played_game(&self) -> &Game {
        match &self.claimed {
            Some(ended) => &ended.claimed.record,
            None => &self.game,
        }
    }

    /// The outcome by the rules, including a claim.
    fn outcome(&self) -> Option<Outcome> {
        match &self.claimed {
            Some(game) => Some(game.claimed.outcome()),
            None => self.game.outcome(),
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.ended.is_some() || self.outcome().is_some()
    }

    /// Whether the game has moves and is not over.
    pub fn is_unfinished(&self) -> bool {
        !self.is_over() && self.game.moves().len() > 0
    }

    /// Whether the user makes the next move.
    pub fn is_user_to_move(&self) -> bool {
        self.side.includes(self.game.position().side_to_move())
    }

    /// What was left on the clocks after the last moves; `None` without a time control.
    pub fn clocks(&self) -> Option<Clocks> {
        let control = self.control?;
        let mut clocks = Clocks {
            control,
            white: control.base,
            black: control.base,
        };
        for (before, clock) in self.game.positions().zip(self.played_clocks()) {
            if let Some(clock) = clock {
                match before.side_to_move() {
                    Color::White => clocks.white = *clock,
                    Color::Black => clocks.black = *clock,
                }
            }
        }
        Some(clocks)
    }

    /// The mover's clock after each move of the game.
    pub fn played_clocks(&self) -> impl Iterator<Item = &Option<Duration>> {
        self.clocks.iter().take(self.game.moves().len())
    }

    /// How the game ended: description and result.
    pub fn ending(&self) -> Option<(String, GameResult)> {
        let ending = match (self.ended, self.outcome()) {
            (Some(Ending::Resigned(color)), _) => {
                (format!("{color} resigns"), GameResult::Won(!color))
            }
            (Some(Ending::Agreed), _) => ("draw by agreement".to_owned(), GameResult::Drawn),
            (Some(Ending::Flagged(color)), _) if self.has_bare_king(!color) => (
                format!(
                    "draw: {color}'s time has run out, but {} cannot mate",
                    !color
                ),
                GameResult::Drawn,
            ),
            (Some(Ending::Flagged(color)), _) => {
                (format!("{color} loses on time"), GameResult::Won(!color))
            }
            (Some(Ending::Recorded(result)), _) => {
                ("the result is recorded in the PGN".to_owned(), result)
            }
            (None, Some(outcome)) => (outcome.to_string(), outcome.into()),
            (None, None) => return None,
        };
        Some(ending)
    }

    fn has_bare_king(&self, color: Color) -> bool {
        let position = self.game.position();
        position.side(color) == position.pieces(color, Role::King)
    }

    /// The game as PGN: the one a claim has just ended, or the current one. The players are named
    /// unless the game was loaded from PGN.
    #[must_use]
    pub fn pgn(&self, white: &str, black: &str) -> String {
        self.record(white, black).pgn()
    }

    fn record(&self, white: &str, black: &str) -> Record {
        let (game, variant, clocks) = match &self.claimed {
            Some(ended) => (&ended.claimed.record, ended.variant, &ended.clocks),
            None => (&self.game, self.variant, &self.clocks),
        };
        let mut record = Record {
            main_line: Variation::new(game.moves()),
            tags: self.tags.clone(),
            ..Record::new(*game.start(), variant)
        };
        for (node, clock) in record.main_line.moves.iter_mut().zip(clocks) {
            node.comment.clock = *clock;
        }
        if self.tags == Tags::default() {
            for (name, value) in [
                ("Event", "Casual game"),
                ("Date", &today()),
                ("Round", "-"),
                ("White", white),
                ("Black", black),
            ] {
                record.tags.set(name, value);
            }
            let control = self.control.map(|control| control.to_string());
            record
                .tags
                .set("TimeControl", control.unwrap_or_else(|| "-".to_owned()));
        }
        let ending = self.ending();
        if let Some((_, result)) = &ending {
            record.result = *result;
        }
        let termination = match (self.ended, &ending) {
            // As the tags of that game have it.
            (Some(Ending::Recorded(_)), _) => return record,
            (Some(Ending::Flagged(_)), _) => "time forfeit",
            (_, Some(_)) => "normal",
            (_, None) => "unterminated",
        };
        record.tags.set("Termination", termination);
        if let Some((words, _)) = ending {
            let intended = self
                .claimed
                .as_ref()
                .and_then(|ended| ended.claimed.intended);
            record.main_line.last_comment().text = match intended {
                Some(mv) => format!("{words} with {}", game.position().san(mv)),
                None => words,
            };
        }
        record
    }

    /// The move that led to the position.
    pub fn last_move(&self) -> Option<Move> {
        self.game.moves().next_back()
    }
}
