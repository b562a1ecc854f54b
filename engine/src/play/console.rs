//! The dialogue: reads commands, executes them and prints the results.

use std::io::{self, BufRead, Write};
use std::path::Path;

use common::args::Side;
use common::command_line::ArgumentError;
use common::files::{FileError, OwnFiles};
use common::terminal::Terminal;
use movegen::{Color, Position, SanError, UciMoveError, Variant};
use search::SearchError;
use thiserror::Error;

use super::command::{Command, HELP};
use super::game_state::{Action, ActionRejected, GameState, NewGame};
use super::opponent::Opponent;
use super::saved_game::{self, SavedGame, SavedGameError};
use super::{messages, view};
use crate::NAME;
use crate::formats::pgn::{self, today};
use crate::notation;
use crate::output::board::BoardStyle;

/// Why a command was not executed. The game is unchanged.
#[derive(Debug, Error)]
enum ConsoleError {
    #[error(transparent)]
    Command(#[from] ArgumentError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[error(transparent)]
    Uci(#[from] UciMoveError),
    #[error(transparent)]
    San(#[from] SanError),
    #[error("it is not your turn; 'new' starts a new game")]
    NotYourTurn,
    #[error("the game is over")]
    GameOver,
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Load(#[from] SavedGameError),
}

pub(super) struct Console<R, W> {
    pub(super) terminal: Terminal<R, W>,
    pub(super) state: GameState,
    /// The file of the game, if one could be written.
    pub(super) saved_game: Option<SavedGame>,
    /// The user named the file: never delete it.
    pub(super) keep_file: bool,
    pub(super) opponent: Opponent,
    /// The playing strength, if limited.
    pub(super) elo: Option<u32>,
    pub(super) board_style: BoardStyle,
    pub(super) player: String,
    /// Files written by this run, which may be overwritten.
    pub(super) own_files: OwnFiles,
}

impl<R: BufRead, W: Write> Console<R, W> {
    /// Plays until the input ends.
    pub(super) fn run(mut self) -> io::Result<()> {
        self.show();
        self.show_status();
        let ended = loop {
            if let Err(error) = self.reply() {
                self.terminal.error(&error);
            }
            let line = match self.terminal.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let result = match Command::parse(&line) {
                Ok(None) => Ok(()),
                Ok(Some(Command::Quit)) => break Ok(()),
                Ok(Some(command)) => self.execute(command),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = result {
                self.terminal.error(&error);
            }
        };
        self.finish();
        ended
    }

    /// Plays the engine's move if it is to move.
    fn reply(&mut self) -> Result<(), ConsoleError> {
        if self.state.is_over() || self.state.is_user_to_move() {
            return Ok(());
        }
        let Some(mv) = self.opponent.choose(&self.state.game)? else {
            return Ok(());
        };
        self.play(mv, "Castellan")?;
        self.show();
        Ok(())
    }

    fn execute(&mut self, command: Command) -> Result<(), ConsoleError> {
        match command {
            Command::Move(text) => self.play_typed(&text)?,
            Command::Draw(intended) => self.claim(intended.as_deref())?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Resign => self.resign()?,
            Command::Hint => {
                let best = self.think()?.best_move.ok_or(ConsoleError::GameOver)?;
                let position = self.state.game.position();
                let san = position.san(best);
                let squares = best.uci(self.state.variant);
                self.terminal.line(format_args!("Try {san} ({squares})."));
            }
            Command::Eval => {
                let found = self.think()?;
                self.terminal
                    .line(messages::evaluation(&self.state.game, &found));
            }
            Command::Fen => {
                let position = self.state.game.position();
                self.terminal
                    .line(notation::fen(position, self.state.variant));
            }
            Command::Board => self.show(),
            Command::Flip => {
                self.board_style.orientation = !self.board_style.orientation;
                self.show();
            }
            Command::Moves => {
                let game = &self.state.game;
                let moves = notation::numbered_moves(game.start(), game.moves());
                let none = moves.is_empty().then_some("No move has been played.");
                self.terminal.line(none.unwrap_or(&moves));
            }
            Command::Pgn(path) => {
                self.own_files.write(&path, &self.record().pgn())?;
                self.terminal
                    .line(format_args!("Game saved to '{}'.", path.display()));
            }
            Command::Save(path) => {
                self.own_files
                    .write(&path, &saved_game::text(&self.state))?;
                self.terminal
                    .line(format_args!("Game saved to '{}'.", path.display()));
            }
            Command::Load(path) => self.load(&path)?,
            Command::New(side) => self.begin(side)?,
            Command::Help => self.terminal.lines(
                HELP.iter()
                    .map(|(word, what)| format!("{word:<16} {what}").trim().to_owned()),
            ),
            // Ends the loop in `run`.
            Command::Quit => {}
        }
        Ok(())
    }

    /// Applies and saves an action, and prints its events.
    fn apply(&mut self, action: Action, who: &str) -> Result<(), ConsoleError> {
        let before = *self.state.game.position();
        let line = action.to_string();
        let events = self.state.apply(action)?.into_iter();
        self.save(&line);
        self.terminal
            .lines(events.map(|event| messages::event(event, who, &before)));
        Ok(())
    }

    /// Appends a line to the file of the game.
    fn save(&mut self, line: &str) {
        if let Some(saved_game) = &mut self.saved_game
            && let Err(error) = saved_game.write(line)
        {
            self.terminal
                .line(format_args!("The game is no longer saved: {error}"));
            self.saved_game = None;
        }
    }

    fn play(&mut self, mv: movegen::Move, who: &str) -> Result<(), ConsoleError> {
        let variant = self.state.variant;
        self.apply(Action::Move { mv, variant }, who)
    }

    /// Plays a move given by its squares or in SAN.
    fn play_typed(&mut self, text: &str) -> Result<(), ConsoleError> {
        let mv = self.typed_move(text)?;
        let who = match self.state.side {
            Side::Both => self.state.game.position().side_to_move().to_string(),
            _ => self.player.clone(),
        };
        self.play(mv, &who)?;
        if self.state.side == Side::Both || self.state.is_over() {
            self.show();
        }
        Ok(())
    }

    /// The legal move that the user gives by its squares or in SAN.
    fn typed_move(&self, text: &str) -> Result<movegen::Move, ConsoleError> {
        self.state.takes_moves()?;
        if !self.state.is_user_to_move() {
            return Err(ConsoleError::NotYourTurn);
        }
        let game = &self.state.game;
        Ok(match game.move_from_uci(text) {
            Err(UciMoveError::Malformed(_)) => game.move_from_san(text)?,
            reply => reply?,
        })
    }

    fn claim(&mut self, intended: Option<&str>) -> Result<(), ConsoleError> {
        let action = match intended {
            None => Action::Draw,
            Some(text) => Action::DrawWith {
                mv: self.typed_move(text)?,
                variant: self.state.variant,
            },
        };
        self.apply(action, "")?;
        self.show();
        self.terminal
            .line("New game; 'pgn FILE' still writes the drawn game.");
        Ok(())
    }

    /// Takes back moves up to the user's last turn.
    fn undo(&mut self) -> Result<(), ConsoleError> {
        let mut tried = self.state.clone();
        let mut steps = 0;
        loop {
            tried.apply(Action::Undo)?;
            steps += 1;
            if tried.is_user_to_move() {
                break;
            }
        }
        for _ in 0..steps {
            self.apply(Action::Undo, "")?;
        }
        self.show();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), ConsoleError> {
        self.apply(Action::Redo, "")?;
        while !self.state.is_user_to_move() && self.apply(Action::Redo, "").is_ok() {}
        self.show();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), ConsoleError> {
        let color = match self.state.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Both => self.state.game.position().side_to_move(),
        };
        self.apply(Action::Resign(color), "")?;
        self.show_ending();
        Ok(())
    }

    fn think(&mut self) -> Result<search::Outcome, ConsoleError> {
        if self.state.is_over() {
            return Err(ConsoleError::GameOver);
        }
        Ok(self.opponent.think(&self.state.game)?)
    }

    fn begin(&mut self, side: Option<Side>) -> Result<(), ConsoleError> {
        let side = side.unwrap_or(self.state.side);
        self.board_style.orientation = view(side);
        let new_game = NewGame {
            start: Position::default(),
            variant: Variant::Standard,
            side,
        };
        self.apply(Action::Begin(Box::new(new_game)), "")?;
        self.show();
        Ok(())
    }

    /// Loads a saved game or the first game of a PGN file.
    fn load(&mut self, path: &Path) -> Result<(), ConsoleError> {
        self.state = saved_game::load(path, self.state.side)?;
        let lines: Vec<String> = self.state.actions().iter().map(Action::to_string).collect();
        for line in lines {
            self.save(&line);
        }
        self.board_style.orientation = view(self.state.side);
        self.show();
        self.show_status();
        Ok(())
    }

    fn record(&self) -> pgn::Record {
        let mut record = self.state.record();
        let engine = match self.elo {
            Some(elo) => format!("{NAME} at {elo}"),
            None => NAME.to_owned(),
        };
        let name = |color| match self.state.side.includes(color == Color::White) {
            true => self.player.as_str(),
            false => &engine,
        };
        record.tags.set("Event", "Casual game");
        record.tags.set("Date", today());
        record.tags.set("Round", "-");
        record.tags.set("White", name(Color::White));
        record.tags.set("Black", name(Color::Black));
        record
    }

    fn show(&mut self) {
        let game = &self.state.game;
        let mut lines = self
            .board_style
            .lines(game.position(), game.moves().next_back());
        if let Some(files) = lines.last_mut()
            && !self.state.is_over()
        {
            files.push_str(&format!("    {} to move", game.position().side_to_move()));
        }
        lines.insert(0, String::new());
        lines.push(String::new());
        self.terminal.lines(lines);
    }

    /// Prints how the game ended, or which draw can be claimed.
    fn show_status(&mut self) {
        if self.state.is_over() {
            self.show_ending();
            return;
        }
        let game = &self.state.game;
        let events = game.available_claims();
        self.terminal
            .lines(events.map(|event| messages::event(event, "", game.position())));
    }

    /// Prints how the game ended, if it is over.
    fn show_ending(&mut self) {
        if let Some((words, result)) = self.state.ending() {
            self.terminal.line(messages::ending(&words, result));
        }
    }

    /// Reports the file of an unfinished game; removes that of a finished one.
    fn finish(&mut self) {
        let Some(saved_game) = self.saved_game.take() else {
            return;
        };
        if self.state.is_unfinished() {
            let path = saved_game.path().display();
            self.terminal.line(format_args!(
                "Game saved to '{path}'; use --resume to continue it."
            ));
        } else if !self.keep_file {
            saved_game.discard();
        }
    }
}
