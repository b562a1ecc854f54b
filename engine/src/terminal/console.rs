//! A game in the terminal: reads commands, executes them and prints the results. What differs
//! between the games is a [`ConsoleGame`].

mod command;
mod files;
mod kind;
#[cfg(test)]
mod tests;

use std::time::Duration;

use common::files::{FileError, OwnFiles};
use common::words::did_you_mean;
use game::Side;
use game::game_file::GameFile;
use game::library::GameId;
use game::pgn::GameResult;
use game::play::saved_game::{self, SavedGameError};
use game::play::{Action, ActionRejected, Reply, TextError};
use movegen::{ClaimError, Color, Event, GamePosition};
use search::SearchError;
use thiserror::Error;

use super::command_line::ArgumentError;
use super::search_status::SearchStatus;
use super::{Terminal, TerminalError};
use command::ConsoleCommand;

pub(crate) use command::Help;
pub(crate) use kind::{ConsoleGame, Move, State};

/// The reason a command was not executed. The game is unchanged.
#[derive(Debug, Error)]
pub(crate) enum ConsoleError {
    #[error(transparent)]
    Command(#[from] ArgumentError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[error("{refusal}\n{evidence}")]
    ClaimRefused {
        refusal: ActionRejected,
        evidence: String,
    },
    #[error(transparent)]
    Text(#[from] TextError),
    #[error("{error}{}", did_you_mean(.nearest))]
    Typed {
        error: TextError,
        nearest: Vec<&'static str>,
    },
    #[error("it is not your turn; 'new' starts a new game")]
    NotYourTurn,
    #[error("the game is over")]
    GameOver,
    #[error("the game is not over")]
    NotOver,
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Load(#[from] SavedGameError),
}

/// A game at a terminal.
pub(crate) struct Console<G: ConsoleGame> {
    pub(super) terminal: Terminal,
    pub(super) kind: G,
    pub(super) state: State<G>,
    /// The name of the user.
    pub(super) player: String,
    /// The side at the bottom of the board.
    pub(super) bottom: Color,
    /// Files written by this run, which may be overwritten.
    own_files: OwnFiles,
    game_file: Option<GameFile>,
    /// The user named the file: never delete it.
    keep_file: bool,
    /// The game's entry in the library, once it is over.
    kept: Option<GameId>,
}

impl<G: ConsoleGame> Console<G> {
    /// `player` is the name of the user.
    pub(crate) fn new(terminal: Terminal, kind: G, state: State<G>, player: String) -> Self {
        Console {
            terminal,
            kind,
            bottom: bottom(state.side),
            state,
            player,
            own_files: OwnFiles::default(),
            game_file: None,
            keep_file: false,
            kept: None,
        }
    }

    /// Plays until the input ends.
    pub(crate) fn run(mut self) -> Result<(), TerminalError> {
        self.show();
        self.show_status();
        let ended = loop {
            if let Err(error) = self.reply() {
                self.terminal.error(&error);
            }
            let is_over = self.state.is_over();
            if is_over && self.terminal.is_interactive() {
                self.terminal.line(G::AFTER_END);
            }
            let game = &self.state.game;
            let line = match self.terminal.next_line(|| command::completions::<G>(game)) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            self.check_flag();
            let result = match command::parse::<G>(&line) {
                Ok(None) if is_over => self.begin(None),
                Ok(None) => Ok(()),
                Ok(Some(ConsoleCommand::Quit)) => break Ok(()),
                Ok(Some(command)) => self.execute(command),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = result {
                self.terminal.error(&error);
            }
        };
        self.finish();
        ended.and_then(|()| self.terminal.check())
    }

    fn execute(&mut self, command: ConsoleCommand<G::Command>) -> Result<(), ConsoleError> {
        let game = &self.state.game;
        match command {
            ConsoleCommand::Move(text) => self.play_typed(&text)?,
            ConsoleCommand::Legal(of) => {
                let lines = self.kind.legal(&self.state, of.as_deref())?;
                self.terminal.lines(lines);
            }
            ConsoleCommand::Draw => self.claim(&Action::Draw)?,
            ConsoleCommand::Undo => {
                self.change("", |state| state.undo_turn().map(|()| Vec::new()))?;
                self.show();
                self.show_status();
            }
            ConsoleCommand::Redo => {
                self.change("", |state| state.redo_turn().map(|()| Vec::new()))?;
                self.show();
                self.show_status();
            }
            ConsoleCommand::Resign => self.end(&Action::Resign(self.state.user_color()))?,
            ConsoleCommand::Go => self.play_engine_move()?,
            ConsoleCommand::Hint => {
                let found = self.think()?;
                let hint = self.kind.hint(&self.state.game, &found);
                self.terminal.line(hint.ok_or(ConsoleError::GameOver)?);
            }
            ConsoleCommand::Eval => {
                let found = self.think()?;
                let evaluation = self.kind.evaluation(&self.state.game, &found);
                self.terminal.line(evaluation);
            }
            ConsoleCommand::Fen => self.terminal.line(self.kind.fen(game)),
            ConsoleCommand::Board => self.show(),
            ConsoleCommand::Flip => {
                self.bottom = !self.bottom;
                self.show();
            }
            ConsoleCommand::Moves => {
                let lines = self.kind.score_sheet(&self.state);
                if lines.is_empty() {
                    self.terminal.line("No move has been played.");
                }
                self.terminal.lines(lines);
            }
            ConsoleCommand::Save(path) => self.write(&path, &saved_game::text(&self.state))?,
            ConsoleCommand::Load(path) => {
                let state = self.kind.load(&path, self.state.side)?;
                self.replace(state);
            }
            ConsoleCommand::New(side) => self.begin(side)?,
            ConsoleCommand::Rematch => self.rematch()?,
            ConsoleCommand::Help => self.terminal.lines(command::help::<G>()),
            // Ends the loop in `run`.
            ConsoleCommand::Quit => {}
            ConsoleCommand::OfGame(command) => G::execute(self, command)?,
        }
        Ok(())
    }

    /// Changes the game, records that in its file, and prints the events. `who` makes a move.
    fn change(
        &mut self,
        who: &str,
        change: impl FnOnce(&mut State<G>) -> Result<Vec<Event>, ActionRejected>,
    ) -> Result<(), ConsoleError> {
        let before = *self.state.game.position();
        let recorded = self.state.lines().len();
        let was_claimed = self.state.claimed().is_some();
        let events = change(&mut self.state)?;
        self.save(recorded);
        if was_claimed && self.state.claimed().is_none() {
            // A new game has begun.
            self.kept = None;
        }
        for event in events {
            let line = match event {
                // The end of the game, which follows, names the rule too.
                Event::DrawClaimed(_) => continue,
                Event::Moved => {
                    let mv = self.state.game.moves().next_back();
                    let text = mv.map(|mv| self.kind.numbered_move(&before, mv));
                    format!("{who}: {}", text.unwrap_or_default())
                }
                event => describe(event),
            };
            self.terminal.line(line);
        }
        self.keep();
        Ok(())
    }

    fn play_typed(&mut self, text: &str) -> Result<(), ConsoleError> {
        let mv = self.typed_move(text)?;
        let who = match self.state.side {
            Side::Both => self.state.user_color().to_string(),
            _ => self.player.clone(),
        };
        self.change(&who, |state| state.play(mv))?;
        self.show_unless_engine_replies();
        Ok(())
    }

    /// The legal move that the user types.
    pub(super) fn typed_move(&self, text: &str) -> Result<Move<G>, ConsoleError> {
        self.state.takes_moves()?;
        if !self.state.is_user_to_move() {
            return Err(ConsoleError::NotYourTurn);
        }
        let typed = self.kind.parse_move(&self.state.game, text);
        typed.map_err(|error| ConsoleError::Typed {
            error,
            nearest: command::nearest_keywords::<G>(text),
        })
    }

    /// Plays the engine's moves while it is to move.
    fn reply(&mut self) -> Result<(), ConsoleError> {
        while !self.state.is_over() && !self.state.is_user_to_move() {
            let Some(reply) = self.choose()? else {
                break;
            };
            self.check_flag();
            if self.state.is_over() {
                break;
            }
            if let Some((words, action)) = self.kind.end_instead(&self.state.game, reply) {
                self.terminal.line(words);
                match action {
                    Action::Resign(_) => self.end(&action)?,
                    claim => self.claim(&claim)?,
                }
                break;
            }
            self.change("Castellan", |state| state.play(reply.mv))?;
            self.show();
        }
        Ok(())
    }

    /// Lets the engine play the user's move.
    fn play_engine_move(&mut self) -> Result<(), ConsoleError> {
        self.state.takes_moves()?;
        if let Some(reply) = self.choose()? {
            self.check_flag();
            self.change("Castellan", |state| state.play(reply.mv))?;
            self.show_unless_engine_replies();
        }
        Ok(())
    }

    fn choose(&mut self) -> Result<Option<Reply<Move<G>>>, ConsoleError> {
        let game = &self.state.game;
        let clocks = self.state.running_clocks();
        let own_clock = clocks.map(|clocks| clocks.of(game.position().side_to_move()));
        let time = own_clock.or(self.kind.move_time());
        let status = SearchStatus::new(time, false);
        let kind = &mut self.kind;
        let choose = || kind.choose(game, clocks, &status);
        Ok(self.terminal.work(&status, choose)?)
    }

    /// Searches the position at full strength; no clock runs meanwhile.
    pub(super) fn think(&mut self) -> Result<G::Found, ConsoleError> {
        self.state.takes_moves()?;
        let status = SearchStatus::new(self.kind.move_time(), self.terminal.is_interactive());
        self.state.pause_clock();
        let (game, kind) = (&self.state.game, &mut self.kind);
        let found = self.terminal.work(&status, || kind.think(game, &status));
        self.state.resume_clock();
        found?.ok_or(ConsoleError::GameOver)
    }

    /// Claims a draw; a new game follows.
    pub(super) fn claim(&mut self, action: &Action<Move<G>>) -> Result<(), ConsoleError> {
        let changed = self.change("", |state| state.apply(action));
        changed.map_err(|error| match (error, G::draw_report(&self.state.game)) {
            (
                ConsoleError::Rejected(refusal @ ActionRejected::Claim(ClaimError::NotTriggered)),
                Some(evidence),
            ) => ConsoleError::ClaimRefused { refusal, evidence },
            (error, _) => error,
        })?;
        self.show();
        self.terminal.line(G::AFTER_CLAIM);
        Ok(())
    }

    /// Ends the game with an action.
    pub(super) fn end(&mut self, action: &Action<Move<G>>) -> Result<(), ConsoleError> {
        self.change("", |state| state.apply(action))?;
        self.show_status();
        Ok(())
    }

    /// Starts a new game; the clocks start again.
    fn begin(&mut self, side: Option<Side>) -> Result<(), ConsoleError> {
        let side = side.unwrap_or(self.state.side);
        let (mut state, name) = self.kind.new_game(&self.state, side);
        if let Some(control) = self.state.control() {
            state.apply(&Action::Clock(control))?;
        }
        if let Some(elo) = self.state.level() {
            state.apply(&Action::Level(elo))?;
        }
        self.terminal.lines(name);
        self.replace(state);
        Ok(())
    }

    fn rematch(&mut self) -> Result<(), ConsoleError> {
        if !self.state.is_over() {
            return Err(ConsoleError::NotOver);
        }
        self.begin(Some(self.state.side.rematch()))
    }

    /// Goes on with another game.
    pub(super) fn replace(&mut self, state: State<G>) {
        self.bottom = bottom(state.side);
        self.state = state;
        self.kept = None;
        self.save(0);
        self.show();
        self.show_status();
    }

    /// Ends the game if the side to move has no time left.
    fn check_flag(&mut self) {
        let color = self.state.game.position().side_to_move();
        if self.state.time_left() == Some(Duration::ZERO) {
            // A running clock means that the game is not over.
            let _ = self.end(&Action::Flag(color));
        }
    }

    pub(super) fn show(&mut self) {
        let columns = self.terminal.width();
        let lines = self.kind.board(&self.state, self.bottom, columns);
        let blank = || [String::new()];
        let lines = blank().into_iter().chain(lines).chain(blank());
        self.terminal.lines(lines);
    }

    /// The engine's reply shows the board anyway.
    fn show_unless_engine_replies(&mut self) {
        if self.state.is_user_to_move() || self.state.is_over() {
            self.show();
        }
    }

    /// Prints how the game ended, or which draw can be claimed.
    fn show_status(&mut self) {
        match self.state.ending() {
            Some((words, result)) => self.terminal.line(ending(&words, result)),
            None => {
                let claims = self.state.game.available_claims();
                self.terminal.lines(claims.into_iter().map(describe));
            }
        }
    }
}

/// The side at the bottom of the board.
fn bottom(side: Side) -> Color {
    side.color(Color::White)
}

/// Describes an event other than a move.
fn describe(event: Event) -> String {
    match event {
        Event::Moved | Event::DrawClaimed(_) => String::new(),
        Event::Check => "Check.".to_owned(),
        Event::FiftyMoveRuleAvailable => "Fifty-move rule: type 'draw' to claim a draw.".to_owned(),
        Event::ThreefoldAvailable => {
            "Threefold repetition: type 'draw' to claim a draw.".to_owned()
        }
        Event::Ended(outcome) => ending(&outcome.to_string(), outcome.into()),
    }
}

/// Describes how a game ended, with a capital letter first.
fn ending(words: &str, result: GameResult) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}. {}", letters.as_str(), result.as_str())
}
