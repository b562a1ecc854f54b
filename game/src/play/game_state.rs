//! The state of a game. Every change is an [`Action`], so that the same actions always lead to
//! the same state. No input, output or search.

use std::time::Duration;

use chrono::{DateTime, Utc};
use movegen::{ClaimError, Claimed, Color, Event, Game, Outcome, PlayError, Position};

use super::action::Action;
use super::playable::PlayablePosition;
use super::rejection::{ActionRejected, LineError};
use super::time_control::{Stopwatch, TimeControl};
use crate::Side;
use formats::pgn::{ACCURACY_TAGS, GameResult, Tags};

/// An end that does not follow from the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Resigned(Color),
    Agreed,
    Flagged(Color),
    /// By the tag of a PGN game.
    Recorded(GameResult),
}

impl End {
    fn rejection(self) -> ActionRejected {
        match self {
            Self::Resigned(color) => ActionRejected::Resigned(color),
            Self::Agreed => ActionRejected::Agreed,
            Self::Flagged(color) => ActionRejected::Flagged(color),
            Self::Recorded(result) => ActionRejected::Recorded(result),
        }
    }
}

/// A game with its sides, its clocks and how it ended.
#[derive(Debug, Clone)]
pub struct GameState<P: PlayablePosition = Position> {
    pub game: Game<P>,
    /// The current position with what its player has chosen before a move.
    chosen: Option<P>,
    /// The side of the user.
    pub side: Side,
    control: Option<TimeControl>,
    level: Option<u32>,
    /// The clocks and the strength that were given when the game was over.
    given: Vec<Action<P::Move>>,
    /// The mover's clock after each move, undone moves included.
    clocks: Vec<Option<Duration>>,
    /// When each move was made, undone moves included.
    times: Vec<Option<DateTime<Utc>>>,
    pub(super) stopwatch: Stopwatch,
    /// The tags of a game from PGN.
    tags: Tags,
    /// The lines of a saved game.
    lines: Vec<String>,
    end: Option<End>,
    /// The game that ended with a claim, until the first move of the next.
    claimed: Option<Box<ClaimedGame<P>>>,
}

#[derive(Debug, Clone)]
struct ClaimedGame<P: PlayablePosition> {
    claimed: Claimed<P>,
    clocks: Vec<Option<Duration>>,
    times: Vec<Option<DateTime<Utc>>>,
}

impl<P: PlayablePosition> Default for GameState<P> {
    /// A game from the start position in which the user plays White.
    fn default() -> Self {
        Self::new(P::standard_start(), Side::White)
    }
}

impl<P: PlayablePosition> GameState<P> {
    /// A game without moves. It begins without what is chosen in its start position.
    pub fn new(start: P, side: Side) -> Self {
        let unchosen = start.without_choice();
        let mut state = Self {
            lines: unchosen.heading(side),
            game: Game::new(unchosen),
            chosen: None,
            side,
            control: None,
            level: None,
            given: Vec::new(),
            clocks: Vec::new(),
            times: Vec::new(),
            stopwatch: Stopwatch::default(),
            tags: Tags::default(),
            end: None,
            claimed: None,
        };
        state.choose(start);
        state
    }

    /// A game without moves that has the clocks and the strength of this one, or those given since.
    pub fn next_game(&self, start: P, side: Side) -> Result<Self, ActionRejected> {
        let mut next = Self::new(start, side);
        if let Some(control) = self.control {
            next.apply(&Action::Clock(control))?;
        }
        if let Some(elo) = self.level {
            next.apply(&Action::Level(elo))?;
        }
        next.give(self.given.clone())?;
        Ok(next)
    }

    /// Gives the game clocks or a strength. One that is over keeps its own: the others are for its
    /// continuation after an undo, and for the next game.
    pub fn give(&mut self, actions: Vec<Action<P::Move>>) -> Result<(), ActionRejected> {
        self.given.extend(actions);
        self.apply_given()
    }

    fn apply_given(&mut self) -> Result<(), ActionRejected> {
        if self.is_over() {
            return Ok(());
        }
        let given = std::mem::take(&mut self.given);
        given
            .iter()
            .try_for_each(|action| self.apply(action).map(drop))
    }

    /// The lines of a saved game that lead here, undone moves included.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Follows a line of a saved game.
    pub fn follow(&mut self, line: &str) -> Result<(), LineError> {
        if let Some((start, side)) = self.game.start().read_heading(self.side, line)? {
            *self = Self::new(start, side);
        } else {
            self.apply(&Action::parse(line, self.game.position())?)?;
        }
        Ok(())
    }

    /// The current position, with what its player has chosen.
    pub fn position(&self) -> &P {
        self.chosen.as_ref().unwrap_or(self.game.position())
    }

    /// The game to search. After a choice it begins with that.
    pub fn searched(&self) -> Game<P> {
        match &self.chosen {
            &Some(position) => Game::new(position),
            None => self.game.clone(),
        }
    }

    /// Replaces the current position by one that differs only in what its player may choose before
    /// a move, until the next action.
    pub(super) fn choose(&mut self, position: P) {
        self.chosen = (position != *self.game.position()).then_some(position);
    }

    /// Plays a move; its clock shows the time left. Returns the events.
    pub fn play(&mut self, mv: P::Move) -> Result<Vec<Event>, ActionRejected> {
        let clock = self.clock_after_move();
        let time = Some(Utc::now());
        self.apply(&Action::Move { mv, clock, time })
    }

    /// Applies an action and returns its events.
    pub fn apply(&mut self, action: &Action<P::Move>) -> Result<Vec<Event>, ActionRejected> {
        if !matches!(action, Action::Tag(..) | Action::Undo) {
            self.check_not_ended()?;
        }
        let before = *self.game.position();
        let mut events = Vec::new();
        match action {
            Action::Clock(control) => {
                self.control = Some(*control);
                self.clocks.fill(None);
            }
            Action::Level(elo) => self.level = Some(*elo),
            Action::Tag(name, value) => self.tags.set(name, value),
            &Action::Result(result) => {
                // The rules take precedence.
                if self.game.outcome().is_none() && result != GameResult::Unknown {
                    self.end = Some(End::Recorded(result));
                }
            }
            &Action::Move { mv, clock, time } => {
                if self.position().try_play(mv).is_none() {
                    return Err(PlayError::Illegal.into());
                }
                events = self.game.play(mv)?;
                let before = self.game.moves().len() - 1;
                self.clocks.truncate(before);
                self.clocks.push(clock);
                self.times.truncate(before);
                self.times.push(time);
                self.claimed = None;
                self.forget_accuracy();
            }
            Action::Undo => {
                self.check_undo()?;
                self.game.undo().ok_or(ActionRejected::NothingToUndo)?;
                self.end = None;
                self.forget_accuracy();
            }
            Action::Redo => {
                self.game.redo().ok_or(ActionRejected::NothingToRedo)?;
            }
            Action::Draw => events = self.claim(None)?,
            &Action::DrawWith(mv) => events = self.claim(Some(mv))?,
            Action::Agree => self.end_with(End::Agreed)?,
            &Action::Resign(color) => self.end_with(End::Resigned(color))?,
            &Action::Flag(color) => self.end_with(End::Flagged(color))?,
        }
        self.lines.push(action.line(&before));
        self.chosen = None;
        if self.end.is_some() || self.claimed.is_some() {
            // The clocks still show the time left at the end.
            self.stopwatch.pause();
        } else {
            self.stopwatch = Stopwatch::default();
            self.resume_clock();
        }
        self.apply_given()?;
        Ok(events)
    }

    /// Removes the tags that hold only for all moves of an annotated game.
    fn forget_accuracy(&mut self) {
        for name in ACCURACY_TAGS {
            self.tags.remove(name);
        }
    }

    fn claim(&mut self, intended: Option<P::Move>) -> Result<Vec<Event>, ClaimError> {
        let claimed = match intended {
            None => self.game.claim_draw(),
            Some(mv) if P::CLAIMS_WITH_MOVES => self.game.claim_with(mv),
            Some(_) => Err(ClaimError::NotTriggered),
        }?;
        let events = claimed.events().into();
        self.claimed = Some(Box::new(ClaimedGame {
            claimed,
            clocks: std::mem::take(&mut self.clocks),
            times: std::mem::take(&mut self.times),
        }));
        Ok(events)
    }

    fn end_with(&mut self, end: End) -> Result<(), ActionRejected> {
        match self.outcome() {
            Some(outcome) => Err(ActionRejected::Over(outcome)),
            None => {
                self.end = Some(end);
                Ok(())
            }
        }
    }

    /// Undoes moves up to the user's last turn.
    pub fn undo_turn(&mut self) -> Result<(), ActionRejected> {
        for _ in 0..self.undo_steps()? {
            self.apply(&Action::Undo)?;
        }
        Ok(())
    }

    pub fn can_undo_turn(&self) -> bool {
        self.undo_steps().is_ok()
    }

    /// The number of moves since the user's last turn.
    fn undo_steps(&self) -> Result<usize, ActionRejected> {
        self.check_undo()?;
        let before_moves = self.game.positions().rev().skip(1);
        before_moves
            .zip(1..)
            .find(|(before, _)| self.side.includes(before.side_to_move()))
            .map(|(_, steps)| steps)
            .ok_or(ActionRejected::NothingToUndo)
    }

    /// A game with a recorded result can be continued after an undo.
    fn check_undo(&self) -> Result<(), ActionRejected> {
        match self.end {
            Some(End::Recorded(_)) => Ok(()),
            _ => self.check_not_ended(),
        }
    }

    /// Replays undone moves up to the user's next turn.
    pub fn redo_turn(&mut self) -> Result<(), ActionRejected> {
        self.apply(&Action::Redo)?;
        while !self.is_user_to_move() && self.game.can_redo() {
            self.apply(&Action::Redo)?;
        }
        Ok(())
    }

    pub fn can_redo(&self) -> bool {
        self.end.is_none() && self.game.can_redo()
    }

    fn check_not_ended(&self) -> Result<(), ActionRejected> {
        self.end.map_or(Ok(()), |end| Err(end.rejection()))
    }

    /// Checks that a move can be played: of the game, or of the one after a claimed draw.
    pub fn takes_moves(&self) -> Result<(), ActionRejected> {
        self.check_not_ended()?;
        match self.game.outcome() {
            Some(outcome) => Err(PlayError::Over(outcome).into()),
            None => Ok(()),
        }
    }

    /// The game that a claim has just ended, until the first move of the next.
    pub fn claimed(&self) -> Option<&Claimed<P>> {
        self.claimed.as_ref().map(|ended| &ended.claimed)
    }

    /// The game that a claim has just ended, or the current one, and the mover's clock after each
    /// move. After a claim, `game` is a new game.
    pub fn played(&self) -> (&Game<P>, &[Option<Duration>]) {
        let (game, clocks) = match &self.claimed {
            Some(ended) => (&ended.claimed.record, &ended.clocks),
            None => (&self.game, &self.clocks),
        };
        let moves = game.moves().len().min(clocks.len());
        (game, clocks.get(..moves).unwrap_or_default())
    }

    /// When each move of the game that `played` returns was made.
    pub fn times(&self) -> &[Option<DateTime<Utc>>] {
        match &self.claimed {
            Some(ended) => &ended.times,
            None => &self.times,
        }
    }

    /// The outcome by the rules, including a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.claimed {
            Some(ended) => Some(ended.claimed.outcome()),
            None => self.game.outcome(),
        }
    }

    /// True if the game that `played` returns has moves.
    pub fn has_moves(&self) -> bool {
        self.played().0.moves().len() > 0
    }

    /// True if the game is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some() || self.outcome().is_some()
    }

    /// True if the game has moves, undone ones included, and is not over.
    pub fn is_unfinished(&self) -> bool {
        !self.is_over() && (self.game.moves().len() > 0 || self.game.can_redo())
    }

    /// True if the user makes the next move.
    pub fn is_user_to_move(&self) -> bool {
        self.side.includes(self.game.position().side_to_move())
    }

    /// The color of the user: of the side to move if the user plays both.
    pub fn user_color(&self) -> Color {
        self.side.color(self.game.position().side_to_move())
    }

    /// The time control, if the game has clocks.
    pub fn control(&self) -> Option<TimeControl> {
        self.control
    }

    /// The rating at which the engine plays, if its strength is limited.
    pub fn level(&self) -> Option<u32> {
        self.level
    }

    pub(super) fn tags(&self) -> &Tags {
        &self.tags
    }

    pub(super) fn end(&self) -> Option<End> {
        self.end
    }

    /// The end of the game as the user is told: against the engine the colors are "you" and
    /// Castellan.
    pub fn ending_for_user(&self) -> Option<(String, GameResult)> {
        let (words, result) = self.ending()?;
        let user = match self.side {
            Side::Both => return Some((words, result)),
            side => side.color(Color::White),
        };
        let words = [("wins", "win"), ("loses", "lose"), ("resigns", "resign")]
            .into_iter()
            .fold(words, |words, (third, second)| {
                words.replace(&format!("{user} {third}"), &format!("you {second}"))
            })
            .replace(&format!("{user}'s"), "your")
            .replace(&user.to_string(), "you")
            .replace(&(!user).to_string(), "Castellan");
        Some((words, result))
    }

    /// The end of the game: description and result.
    pub fn ending(&self) -> Option<(String, GameResult)> {
        Some(match (self.end, self.outcome()) {
            (Some(End::Resigned(color)), _) => {
                (format!("{color} resigns"), GameResult::Won(!color))
            }
            (Some(End::Agreed), _) => ("draw by agreement".to_owned(), GameResult::Drawn),
            (Some(End::Flagged(color)), _) if self.game.position().has_bare_king(!color) => (
                format!(
                    "draw: {color}'s time has run out, but {} cannot mate",
                    !color
                ),
                GameResult::Drawn,
            ),
            (Some(End::Flagged(color)), _) => {
                (format!("{color} loses on time"), GameResult::Won(!color))
            }
            (Some(End::Recorded(result)), _) => {
                ("the result is recorded in the PGN".to_owned(), result)
            }
            (None, Some(outcome)) => (outcome.to_string(), outcome.into()),
            (None, None) => return None,
        })
    }
}
