//! A game in the terminal: reads commands, executes them and prints the results.

mod actions;
mod command;
mod files;
mod score_sheet;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, anyhow};
use common::capitalized;
use common::files::OwnFiles;
use common::words::did_you_mean;
use formats::notation;
use formats::pgn::GameResult;
use game::Side;
use game::game_file::GameFile;
use game::library::Entry;
use game::play::saved_game;
use game::play::{Command, Controller, GameState, Job, Notice, parse_move};
use movegen::{Color, Event, Move};

use super::chess::{Chess, Found, Purpose};
use super::{Terminal, Work};
use command::ConsoleCommand;

const AFTER_CLAIM: &str = "New game; 'pgn FILE' still writes the drawn game.";
/// Follows if Castellan is to move: it waits, so that the drawn game can still be written.
const GO: &str = "'go' lets Castellan begin it.";
const AFTER_END: &str =
    "Enter starts a new game, 'rematch' one with the other side; 'pgn FILE' writes the game.";

/// A game at a terminal.
pub(crate) struct Console {
    pub(super) terminal: Terminal,
    pub(super) chess: Chess,
    pub(super) game: Controller,
    /// The user's name.
    user: String,
    /// The side at the bottom of the board.
    pub(super) bottom: Color,
    /// Files written by this run, which may be overwritten.
    own_files: OwnFiles,
    game_file: Option<GameFile>,
    /// The number of the game's lines in that file.
    recorded: usize,
    /// The user named the file: never delete it.
    keep_file: bool,
    /// The game's entry in the library, once it is over.
    kept: Option<Entry>,
    /// The library may lack the game that is over.
    keep_again: bool,
}

impl Console {
    /// `resigns`: the engine resigns lost games.
    pub(crate) fn new(
        terminal: Terminal,
        chess: Chess,
        state: GameState,
        user: String,
        resigns: bool,
    ) -> Self {
        Self {
            terminal,
            chess,
            bottom: bottom(state.side),
            recorded: state.lines().len(),
            game: Controller::new(state, resigns).playing_on(),
            user,
            own_files: OwnFiles::default(),
            game_file: None,
            keep_file: false,
            kept: None,
            keep_again: false,
        }
    }

    pub(super) fn state(&self) -> &GameState {
        self.game.state()
    }

    /// Plays until the input ends.
    pub(crate) fn run(mut self) -> Result<()> {
        self.show();
        self.show_status();
        let ended = loop {
            if let Err(error) = self.reply() {
                self.terminal.error(&error);
            }
            let is_over = self.state().is_over();
            if is_over && self.terminal.is_interactive() {
                self.terminal.line(AFTER_END);
            }
            let position = self.game.state().position();
            let completions = || command::completions(position);
            let line = match self.terminal.next_line(completions) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            self.check_flag();
            let result = match command::parse(&line) {
                Ok(None) if is_over => self.begin(None),
                Ok(None) => Ok(()),
                Ok(Some(ConsoleCommand::Quit)) => break Ok(()),
                Ok(Some(command)) => self.execute(command),
                Err(error) => Err(error),
            };
            if let Err(error) = result {
                self.terminal.error(&error);
            }
        };
        let saved = self.finish();
        ended?;
        self.terminal.check()?;
        saved.map_err(|error| anyhow!("the game is not saved: {error}"))
    }

    fn execute(&mut self, command: ConsoleCommand) -> Result<()> {
        match command {
            ConsoleCommand::Move(text) => {
                let mv = self.typed_move(&text)?;
                self.leave_claimed();
                self.command(Command::Move(mv))?;
            }
            ConsoleCommand::Draw(None) => self.command(Command::Claim(None))?,
            ConsoleCommand::Draw(Some(text)) => {
                let mv = self.typed_move(&text)?;
                self.command(Command::Claim(Some(mv)))?;
            }
            ConsoleCommand::Offer => self.offer_draw()?,
            ConsoleCommand::Legal(of) => self.legal(of.as_deref())?,
            ConsoleCommand::Pgn(path) => self.write(&path, &self.pgn(self.state()))?,
            ConsoleCommand::Undo => {
                self.command(Command::Undo)?;
                self.show_status();
            }
            ConsoleCommand::Redo => {
                self.command(Command::Redo)?;
                self.show_status();
            }
            ConsoleCommand::Resign => self.command(Command::Resign)?,
            ConsoleCommand::Go => self.command(Command::Go)?,
            ConsoleCommand::Hint => {
                let mv = self.consult()?.reply.mv;
                let best = self.state().game.position().san(mv);
                self.terminal.line(format_args!("Try {best}."));
            }
            ConsoleCommand::Eval => {
                let found = self.consult()?;
                self.terminal.line(found.evaluation);
            }
            ConsoleCommand::Fen => {
                let position = self.state().game.position();
                let fen = notation::fen(position, position.variant());
                self.terminal.line(fen);
            }
            ConsoleCommand::Board => self.show(),
            ConsoleCommand::Flip => {
                self.bottom = !self.bottom;
                self.show();
            }
            ConsoleCommand::Moves => {
                let lines = score_sheet::lines(self.state());
                if lines.is_empty() {
                    self.terminal.line("No move has been played.");
                }
                self.terminal.lines(lines);
            }
            ConsoleCommand::Save(path) => {
                self.write(&path, &saved_game::text(self.game.state()))?;
            }
            ConsoleCommand::Load(path) => {
                let (state, warnings) = saved_game::load(&path, self.state())?;
                self.chess.play_at(state.level())?;
                self.replace(state);
                self.terminal.lines(warnings);
            }
            ConsoleCommand::New(side) => self.begin(side)?,
            ConsoleCommand::Rematch => {
                let state = self.game.rematch()?;
                self.replace(state);
            }
            ConsoleCommand::Help => self.terminal.lines(command::help()),
            // Ends the loop in `run`.
            ConsoleCommand::Quit => {}
        }
        Ok(())
    }

    /// Executes a command and shows what follows from it.
    pub(super) fn command(&mut self, command: Command) -> Result<()> {
        let notices = self.game.execute(command)?;
        self.changed(notices);
        Ok(())
    }

    /// Records a change of the game in its file, and shows it.
    pub(super) fn changed(&mut self, notices: Vec<Notice>) {
        let is_changed = self.recorded != self.state().lines().len();
        self.save();
        for notice in notices {
            match notice {
                Notice::Played {
                    before,
                    mv,
                    by_engine,
                    events,
                } => {
                    let who = match self.state().side {
                        _ if by_engine => "Castellan".to_owned(),
                        Side::Both => before.side_to_move().to_string(),
                        _ => self.user.clone(),
                    };
                    let mv = before.san(mv);
                    self.terminal.line(format_args!(
                        "{who}: {} {mv}",
                        notation::move_number(&before)
                    ));
                    self.describe(events);
                    if self.state().game.moves().len() == 1 {
                        // A new game has begun.
                        self.kept = None;
                        self.keep_again = false;
                    }
                }
                Notice::Claimed(events) => self.describe(events),
                Notice::Says(text) => self.terminal.line(text),
            }
        }
        if !is_changed {
            return;
        }
        self.keep();
        let state = self.state();
        if state.claimed().is_some() {
            self.show();
            self.terminal.line(AFTER_CLAIM);
            if !self.state().is_user_to_move() {
                self.terminal.line(GO);
            }
        } else if state.is_over() && state.outcome().is_none() {
            self.show_status();
        } else if state.is_user_to_move() || state.is_over() {
            // Otherwise the engine's reply shows the board.
            self.show();
        }
    }

    fn describe(&mut self, events: Vec<Event>) {
        // The end of the game, which follows a claim, names the rule too.
        let events = events
            .into_iter()
            .filter(|event| !matches!(event, Event::Moved | Event::DrawClaimed(_)));
        let end = self.state().ending_for_user();
        self.terminal.lines(events.map(|event| match (event, &end) {
            (Event::Ended(_), Some((words, result))) => ending(words, *result),
            _ => describe(event),
        }));
    }

    /// The legal move that the user types.
    pub(super) fn typed_move(&self, text: &str) -> Result<Move> {
        self.game.check_turn()?;
        let state = self.state();
        parse_move(&state.game, text).map_err(|error| {
            match command::nearest_keywords(text).as_slice() {
                // Every reason why the move is illegal.
                [] => anyhow!("{error:#}"),
                nearest => anyhow!("{error}{}", did_you_mean(nearest)),
            }
        })
    }

    /// Plays the engine's moves while it is to move.
    fn reply(&mut self) -> Result<()> {
        let level = self.state().level();
        self.chess.play_at(level)?;
        while self.game.next_job() == Some(Job::Move) {
            let clocks = self.state().running_clocks();
            let found = self.search(Purpose::Move(clocks));
            let found = found.inspect_err(|_| self.game.give_up())?;
            self.check_flag();
            self.leave_claimed();
            let notices = self.game.found(found.map(|found| found.reply))?;
            if notices.is_empty() {
                break;
            }
            self.changed(notices);
        }
        Ok(())
    }

    /// Searches the position at full strength for the user; no clock runs meanwhile.
    fn consult(&mut self) -> Result<Found> {
        self.game.execute(Command::Hint)?;
        self.game.next_job();
        let found = self.search(Purpose::Advice);
        self.game.give_up();
        found?.context("the game is over")
    }

    pub(super) fn search(&mut self, purpose: Purpose) -> Result<Option<Found>> {
        let is_shown = matches!(purpose, Purpose::Advice) && self.terminal.is_interactive();
        let work = Work::search(is_shown, self.terminal.width().unwrap_or_default());
        let (game, chess) = (self.game.state().searched(), &mut self.chess);
        let search = |work: &Work| chess.search(&game, purpose, work);
        let found = self.terminal.work(&work, search);
        found.map_err(|error| anyhow!("cannot search: {error}"))
    }

    /// Starts a new game; the clocks start again.
    fn begin(&mut self, side: Option<Side>) -> Result<()> {
        let side = side.unwrap_or(self.state().side);
        let (start, name) = self.chess.start.next();
        let state = self.state().next_game(start, side)?;
        self.terminal.lines(name);
        self.replace(state);
        Ok(())
    }

    /// Goes on with another game.
    pub(super) fn replace(&mut self, state: GameState) {
        self.leave();
        self.bottom = bottom(state.side);
        self.chess.engine.new_game();
        self.game.replace(state);
        self.kept = None;
        self.keep_again = false;
        self.recorded = 0;
        self.save();
        self.show();
        self.show_status();
    }

    /// Leaves the game that a claim has ended, before the first move of the next.
    fn leave_claimed(&mut self) {
        if self.state().claimed().is_some() {
            self.leave();
        }
    }

    /// Ends the game if the side to move has no time left.
    fn check_flag(&mut self) {
        if self.game.tick() {
            self.changed(Vec::new());
        }
    }

    pub(super) fn show(&mut self) {
        let lines = self.chess.board(self.game.state(), self.bottom);
        let blank = || [String::new()];
        let lines = blank().into_iter().chain(lines).chain(blank());
        self.terminal.lines(lines);
    }

    /// Prints how the game ended, or which draw can be claimed.
    fn show_status(&mut self) {
        match self.state().ending_for_user() {
            Some((words, result)) => self.terminal.line(ending(&words, result)),
            None => {
                let claims = self.state().game.available_claims();
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
    format!("{}. {}", capitalized(words), result.as_str())
}
