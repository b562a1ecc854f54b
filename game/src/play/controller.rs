//! The conduct of a game in every front end: the user's commands, the engine's part and the clock.
//!
//! A front end turns its input into [`Command`]s, runs the searches that [`Controller::next_job`]
//! names, hands over what they find, and shows the [`Notice`]s. Moves as text, searches and
//! drawings are its own.

mod draw_offer;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use movegen::{ClaimError, Event, Position};
use thiserror::Error;

use super::action::Action;
use super::end_policy::{EndPolicy, Opponent, Reply};
use super::game_state::GameState;
use super::playable::PlayablePosition;
use super::rejection::ActionRejected;

/// The command of a user.
#[derive(Debug, Clone, Copy)]
pub enum Command<P: PlayablePosition = Position> {
    Move(P::Move),
    /// A move to play as soon as the engine has moved, if it is legal then.
    Premove(P::Premove),
    CancelPremoves,
    /// Undoes moves up to the user's last turn.
    Undo,
    Redo,
    Resign,
    /// Claims a draw, possibly with an intended move.
    Claim(Option<P::Move>),
    /// Replaces the current position by one with another choice of its player.
    Choose(P),
    /// A good move for the user.
    Hint,
    /// The engine makes the user's move.
    Go,
    /// Stops both clocks.
    Pause,
    Resume,
}

/// The subject of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    Move,
    /// At full strength, while no clock runs.
    Hint,
    /// Searches like `Hint`, to answer an offer.
    DrawOffer,
}

/// A change that the user should notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice<P: PlayablePosition = Position> {
    /// A move, the position before it, and its events.
    Played {
        before: P,
        mv: P::Move,
        by_engine: bool,
        events: Vec<Event>,
    },
    /// The game has ended with a claim.
    Claimed(Vec<Event>),
    /// A message of the engine.
    Says(String),
}

/// The reason a command was not executed. The game is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    /// With what counts for the claim and what is missing.
    #[error("{error}\n{evidence}")]
    NoClaim {
        error: ActionRejected,
        evidence: String,
    },
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the engine is thinking")]
    Thinking,
    #[error("the game is not over")]
    NotOver,
    #[error("the game is paused")]
    Paused,
    #[error("the game has no clocks that run")]
    NoClock,
    #[error("the draw has been declined; offer again after the next move")]
    Declined,
}

type Notices<P> = Result<Vec<Notice<P>>, Refusal>;

/// A game and the engine's part in it.
pub struct Controller<P: PlayablePosition = Position> {
    state: GameState<P>,
    end_policy: EndPolicy,
    /// True if a move after a claimed draw begins the next game.
    plays_on: bool,
    job: Option<Job>,
    /// The front end has been told of the job.
    started: bool,
    /// The premoves, of which each move of the engine is followed by the first.
    premoves: VecDeque<P::Premove>,
    hint: Option<P::Move>,
    paused: bool,
}

impl<P: Opponent> Controller<P> {
    const MAX_PREMOVES: usize = 10;

    /// `resigns`: the engine resigns lost games.
    pub fn new(state: GameState<P>, resigns: bool) -> Self {
        Self {
            state,
            end_policy: EndPolicy::new(resigns),
            plays_on: false,
            job: None,
            started: false,
            premoves: VecDeque::new(),
            hint: None,
            paused: false,
        }
    }

    /// A move after a claimed draw begins the next game.
    #[must_use]
    pub fn playing_on(self) -> Self {
        Self {
            plays_on: true,
            ..self
        }
    }

    pub fn state(&self) -> &GameState<P> {
        &self.state
    }

    /// The search that runs, or is to run.
    pub fn job(&self) -> Option<Job> {
        self.job
    }

    pub fn premoves(&self) -> &VecDeque<P::Premove> {
        &self.premoves
    }

    pub fn hint(&self) -> Option<P::Move> {
        self.hint
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Goes on with another game.
    pub fn replace(&mut self, state: GameState<P>) {
        self.abandon();
        self.hint = None;
        self.end_policy.reset();
        self.state = state;
    }

    /// A new game with the same start, clocks and strength, and with the other side.
    pub fn rematch(&self) -> Result<GameState<P>, Refusal> {
        if !self.state.is_over() {
            return Err(Refusal::NotOver);
        }
        let start = *self.state.played().0.start();
        Ok(self.state.next_game(start, self.state.side.rematch())?)
    }

    pub fn execute(&mut self, command: Command<P>) -> Notices<P> {
        match command {
            Command::Move(mv) => {
                self.check_turn()?;
                return self.play_users(mv);
            }
            Command::Premove(premove) if self.job == Some(Job::Move) => {
                if self.premoves.len() < Self::MAX_PREMOVES {
                    self.premoves.push_back(premove);
                }
            }
            // The engine has just moved.
            Command::Premove(premove) => {
                self.check_turn()?;
                if let Some(mv) = self.state.game.position().premoved(premove) {
                    return self.play_users(mv);
                }
            }
            Command::CancelPremoves => self.premoves.clear(),
            Command::Undo => {
                self.check_not_claimed()?;
                self.state.undo_turn()?;
                self.end_policy.reset();
                self.hint = None;
                self.abandon();
            }
            Command::Redo => {
                self.check_not_claimed()?;
                self.state.redo_turn()?;
                self.hint = None;
                self.abandon();
            }
            Command::Resign => {
                self.check_not_claimed()?;
                self.apply(&Action::Resign(self.state.user_color()))?;
                self.abandon();
            }
            Command::Claim(intended) => {
                self.check_turn()?;
                let action = intended.map_or(Action::Draw, Action::DrawWith);
                let events = self.apply(&action).map_err(|error| self.no_claim(error))?;
                self.end_policy.reset();
                self.abandon();
                return Ok(vec![Notice::Claimed(events)]);
            }
            Command::Choose(position) => {
                self.check_turn()?;
                self.state.choose(position);
                // The hint was for another choice.
                self.hint = None;
                self.give_up();
            }
            Command::Hint => {
                self.check_turn()?;
                self.consider(Job::Hint);
            }
            Command::Go => {
                self.check_running()?;
                if self.job != Some(Job::Move) {
                    self.want(Job::Move);
                }
            }
            Command::Pause => {
                self.state.time_left().ok_or(Refusal::NoClock)?;
                self.abandon();
                self.state.pause_clock();
                self.paused = true;
            }
            Command::Resume => {
                self.paused = false;
                self.state.resume_clock();
            }
        }
        Ok(Vec::new())
    }

    /// The search to start now, in place of one that may run: each is named once.
    pub fn next_job(&mut self) -> Option<Job> {
        let is_engines = !self.state.is_over() && !self.state.is_user_to_move();
        if is_engines && self.job.is_none() && !self.paused {
            self.want(Job::Move);
        }
        let is_new = !std::mem::replace(&mut self.started, true);
        self.job.filter(|_| is_new)
    }

    /// Takes the result of the search for a move or a hint; `None` if it found none.
    pub fn found(&mut self, found: Option<Reply<P::Move>>) -> Notices<P> {
        match (self.job.take(), found) {
            (Some(Job::Move), Some(reply)) => self.take_reply(reply),
            (Some(Job::Hint), found) => {
                self.state.resume_clock();
                self.hint = found.map(|reply| reply.mv);
                Ok(Vec::new())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn take_reply(&mut self, reply: Reply<P::Move>) -> Notices<P> {
        if self.state.is_user_to_move() {
            return self.play(reply.mv, true);
        }
        let ends = P::ends_with(&mut self.end_policy, &self.state.game, reply);
        let Some((words, action)) = ends else {
            return self.play(reply.mv, true);
        };
        let events = self.apply(&action)?;
        self.end_policy.reset();
        self.premoves.clear();
        let mut notices = vec![Notice::Says(words)];
        if !events.is_empty() {
            notices.push(Notice::Claimed(events));
        }
        Ok(notices)
    }

    /// True if a premove waits for the move that the engine has just made.
    pub fn has_premove(&self) -> bool {
        self.job.is_none() && !self.premoves.is_empty()
    }

    /// Plays the first premove. If it is illegal, those after it made sense only after it.
    pub fn play_premove(&mut self) -> Notices<P> {
        let premove = self.premoves.pop_front();
        let legal = premove.and_then(|premove| self.state.game.position().premoved(premove));
        match legal.filter(|_| !self.state.is_over()) {
            Some(mv) => self.play(mv, false),
            None => {
                self.premoves.clear();
                Ok(Vec::new())
            }
        }
    }

    /// Forgets the search, which has failed or become pointless.
    pub fn give_up(&mut self) {
        if matches!(self.job.take(), Some(Job::Hint | Job::DrawOffer)) {
            self.state.resume_clock();
        }
    }

    /// The search is interrupted; the clock waits.
    pub fn suspend(&mut self) {
        if self.job.is_some() {
            self.state.pause_clock();
        }
    }

    /// Forgets the search that was interrupted; `next_job` names that for the engine's move again.
    pub fn restart(&mut self) {
        if self.job.take().is_some() {
            self.premoves.clear();
            self.state.resume_clock();
        }
    }

    /// Ends the game if the clock of the side to move has run out; true if it has.
    pub fn tick(&mut self) -> bool {
        let color = self.state.game.position().side_to_move();
        let is_out = self.state.time_left() == Some(Duration::ZERO);
        // A running clock means that the game is not over.
        let flagged = is_out && self.apply(&Action::Flag(color)).is_ok();
        if flagged {
            self.abandon();
        }
        flagged
    }

    /// Checks that the user may make a move.
    pub fn check_turn(&self) -> Result<(), Refusal> {
        self.check_running()?;
        if self.paused {
            return Err(Refusal::Paused);
        }
        if !self.state.is_user_to_move() {
            return Err(Refusal::NotYourTurn);
        }
        // A hint may come too late.
        match self.job {
            Some(Job::Move | Job::DrawOffer) => Err(Refusal::Thinking),
            Some(Job::Hint) | None => Ok(()),
        }
    }

    /// Checks that the game takes a move.
    fn check_running(&self) -> Result<(), Refusal> {
        if !self.plays_on {
            self.check_not_claimed()?;
        }
        Ok(self.state.takes_moves()?)
    }

    fn check_not_claimed(&self) -> Result<(), Refusal> {
        match self.state.claimed() {
            Some(claimed) if !self.plays_on => Err(ActionRejected::Over(claimed.outcome()).into()),
            _ => Ok(()),
        }
    }

    fn no_claim(&self, error: ActionRejected) -> Refusal {
        match (error, P::draw_report(&self.state.game)) {
            (ActionRejected::Claim(ClaimError::NotTriggered), Some(evidence)) => {
                Refusal::NoClaim { error, evidence }
            }
            _ => error.into(),
        }
    }

    fn play_users(&mut self, mv: P::Move) -> Notices<P> {
        let notices = self.play(mv, false)?;
        self.abandon();
        Ok(notices)
    }

    fn play(&mut self, mv: P::Move, by_engine: bool) -> Notices<P> {
        let before = *self.state.game.position();
        let events = self.state.play(mv)?;
        self.hint = None;
        Ok(vec![Notice::Played {
            before,
            mv,
            by_engine,
            events,
        }])
    }

    fn apply(&mut self, action: &Action<P::Move>) -> Result<Vec<Event>, ActionRejected> {
        let events = self.state.apply(action)?;
        self.hint = None;
        Ok(events)
    }

    /// Wants a search at full strength, while no clock runs.
    fn consider(&mut self, job: Job) {
        self.state.pause_clock();
        self.want(job);
    }

    fn want(&mut self, job: Job) {
        self.job = Some(job);
        self.started = false;
    }

    /// The search and what waits for it have become pointless.
    fn abandon(&mut self) {
        self.job = None;
        self.premoves.clear();
        self.paused = false;
    }
}

impl<P: PlayablePosition> fmt::Debug for Controller<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Controller");
        shown.field("state", &self.state).field("job", &self.job);
        shown.finish_non_exhaustive()
    }
}
