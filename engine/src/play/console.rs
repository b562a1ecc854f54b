//! The dialogue: reads commands, executes them and prints the results.

mod engine_turn;
mod files;

use std::time::{Duration, Instant};

use crate::terminal::command_line::ArgumentError;
use crate::terminal::{Terminal, TerminalError};
use common::files::{FileError, OwnFiles};
use game::Side;
use game::game_file::GameFile;
use movegen::{Color, Move};
use search::SearchError;
use thiserror::Error;

use super::command::{Command, HELP, WORDS};
use super::{Start, messages, view};
use crate::output::board::BoardStyle;
use game::notation;
use game::play::EndPolicy;
use game::play::GameState;
use game::play::Opponent;
use game::play::saved_game::SavedGameError;
use game::play::{self, LegalError, TypedMoveError};
use game::play::{Action, ActionRejected};
use game::play::{Clocks, MAX_CLOCK};

/// Why a command was not executed. The game is unchanged.
#[derive(Debug, Error)]
enum ConsoleError {
    #[error(transparent)]
    Command(#[from] ArgumentError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[error(transparent)]
    Move(#[from] TypedMoveError),
    #[error(transparent)]
    Legal(#[from] LegalError),
    #[error("it is not your turn; 'new' starts a new game")]
    NotYourTurn,
    #[error("the game is over")]
    GameOver,
    #[error("the draw has been declined; offer again after the next move")]
    Declined,
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Load(#[from] SavedGameError),
}

pub(super) struct Console {
    terminal: Terminal,
    state: GameState,
    /// How `new` starts a game.
    start: Start,
    /// The file of the game, if one could be written.
    game_file: Option<GameFile>,
    /// The user named the file: never delete it.
    keep_file: bool,
    opponent: Opponent,
    end_policy: EndPolicy,
    /// The playing strength, if limited.
    elo: Option<u32>,
    board_style: BoardStyle,
    player: String,
    /// Files written by this run, which may be overwritten.
    own_files: OwnFiles,
    /// When the clock of the side to move was started.
    turn_started: Instant,
}

/// What a [`Console`] is made of.
pub(super) struct Setup {
    pub(super) state: GameState,
    pub(super) start: Start,
    pub(super) game_file: Option<GameFile>,
    pub(super) keep_file: bool,
    pub(super) opponent: Opponent,
    /// Whether the engine resigns lost games.
    pub(super) resigns: bool,
    pub(super) elo: Option<u32>,
    pub(super) board_style: BoardStyle,
    pub(super) player: String,
}

impl Console {
    pub(super) fn new(setup: Setup) -> Console {
        Console {
            terminal: Terminal::stdio(),
            state: setup.state,
            start: setup.start,
            game_file: setup.game_file,
            keep_file: setup.keep_file,
            opponent: setup.opponent,
            end_policy: EndPolicy::new(setup.resigns),
            elo: setup.elo,
            board_style: setup.board_style,
            player: setup.player,
            own_files: OwnFiles::default(),
            turn_started: Instant::now(),
        }
    }

    /// Plays until the input ends.
    pub(super) fn run(mut self) -> Result<(), TerminalError> {
        self.show();
        self.show_status();
        let ended = loop {
            if let Err(error) = self.reply() {
                self.terminal.error(&error);
            }
            let offers_new_game = self.terminal.is_interactive() && self.state.is_over();
            if offers_new_game {
                self.terminal.line("Enter starts a new game.");
            }
            let game = &self.state.game;
            let line = match self.terminal.next_line(|| words(game)) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            self.check_flag();
            let result = match Command::parse(&line) {
                Ok(None) if offers_new_game => self.begin(None),
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

    fn execute(&mut self, command: Command) -> Result<(), ConsoleError> {
        match command {
            Command::Move(text) => self.play_typed(&text)?,
            Command::Legal(None) => {
                self.state.takes_moves()?;
                self.terminal.lines(play::legal(&self.state.game));
            }
            Command::Legal(Some(square)) => {
                self.state.takes_moves()?;
                let lines = play::legal_from(&self.state.game, &square)?;
                self.terminal.lines(lines);
            }
            Command::Draw(intended) => self.claim(intended.as_deref())?,
            Command::Offer => self.offer_draw()?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Resign => self.resign()?,
            Command::Go => self.play_engine_move()?,
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
                let lines = messages::score_sheet(&self.state.game, self.state.played_clocks());
                if lines.is_empty() {
                    self.terminal.line("No move has been played.");
                }
                self.terminal.lines(lines);
            }
            Command::Pgn(path) => self.write_pgn(&path)?,
            Command::Save(path) => self.save_to(&path)?,
            Command::Load(path) => self.load(&path)?,
            Command::New(side) => self.begin(side)?,
            Command::Help => self.terminal.lines(
                HELP.iter()
                    .map(|(word, what)| format!("{word:<20} {what}").trim().to_owned()),
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
        self.turn_started = Instant::now();
        self.terminal
            .lines(events.map(|event| messages::event(event, who, &before)));
        Ok(())
    }

    fn play(&mut self, mv: Move, who: &str) -> Result<(), ConsoleError> {
        let variant = self.state.variant;
        let color = self.state.game.position().side_to_move();
        let clock = self.running_clocks().map(|clocks| {
            let clock = clocks.of(color).saturating_add(clocks.control.increment);
            clock.min(MAX_CLOCK)
        });
        self.apply(Action::Move { mv, variant, clock }, who)
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

    /// The legal move that the user types.
    fn typed_move(&self, text: &str) -> Result<Move, ConsoleError> {
        self.state.takes_moves()?;
        if !self.state.is_user_to_move() {
            return Err(ConsoleError::NotYourTurn);
        }
        Ok(play::parse_move(&self.state.game, text)?)
    }

    fn claim(&mut self, intended: Option<&str>) -> Result<(), ConsoleError> {
        let action = match intended {
            None => Action::Draw,
            Some(text) => Action::DrawWith {
                mv: self.typed_move(text)?,
                variant: self.state.variant,
            },
        };
        self.claim_draw(action)
    }

    fn claim_draw(&mut self, action: Action) -> Result<(), ConsoleError> {
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
        let color = self
            .state
            .side
            .color(self.state.game.position().side_to_move());
        self.apply(Action::Resign(color), "")?;
        self.show_ending();
        Ok(())
    }

    /// Starts a new game; the clocks start again.
    fn begin(&mut self, side: Option<Side>) -> Result<(), ConsoleError> {
        let side = side.unwrap_or(self.state.side);
        self.board_style.orientation = view(side);
        let control = self.state.clocks().map(|clocks| clocks.control);
        let (new_game, name) = self.start.next_game(side);
        self.apply(Action::Begin(Box::new(new_game)), "")?;
        if let Some(control) = control {
            self.apply(Action::Clock(control), "")?;
        }
        self.end_policy.new_game();
        if let Some(name) = name {
            self.terminal.line(name);
        }
        self.show();
        Ok(())
    }

    /// The clocks at this moment; `None` without clocks or when the game is over.
    fn running_clocks(&self) -> Option<Clocks> {
        let mut clocks = self.state.clocks().filter(|_| !self.state.is_over())?;
        let running = match self.state.game.position().side_to_move() {
            Color::White => &mut clocks.white,
            Color::Black => &mut clocks.black,
        };
        *running = running.saturating_sub(self.turn_started.elapsed());
        Some(clocks)
    }

    /// Ends the game if the side to move has no time left.
    fn check_flag(&mut self) {
        let color = self.state.game.position().side_to_move();
        let left = self.running_clocks().map(|clocks| clocks.of(color));
        if left == Some(Duration::ZERO) && self.apply(Action::Flag(color), "").is_ok() {
            self.show_ending();
        }
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
        if let Some(clocks) = self.running_clocks() {
            lines.push(format!("    {}", messages::clocks(&clocks)));
        }
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
}

/// The words that can be completed: commands and legal moves.
fn words(game: &movegen::Game) -> Vec<String> {
    let position = game.position();
    let moves = position.legal_moves();
    let moves = moves.iter().map(|&mv| position.san(mv));
    let mut words: Vec<String> = WORDS.map(str::to_owned).into_iter().chain(moves).collect();
    words.sort();
    words.dedup();
    words
}
