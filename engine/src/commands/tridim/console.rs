//! The dialogue: reads commands, executes them and prints the results.

use std::path::Path;

use crate::terminal::{Terminal, TerminalError};
use common::files::{FileError, OwnFiles};
use game::Side;
use game::game_file::GameFile;
use thiserror::Error;

use super::board_text;
use super::board_text::BoardStyle;
use super::command::{Command, CommandError, HELP, NotationStyle, WORDS};
use super::legal::{self, LegalError};
use super::opponent::Opponent;
use game::tridim_game::saved_game::{self, LoadError};
use game::tridim_game::{Action, ActionRejected, GameState, recorded};
use tridim::search::SearchResult;
use tridim::{
    Color, Event, IllegalMove, Move, MoveError, PinError, Position, Rules, SquareSet, TextError,
};

/// The side at the bottom of the boards.
pub(super) fn view(side: Side) -> Color {
    match side {
        Side::White | Side::Both => Color::White,
        Side::Black => Color::Black,
    }
}

/// Why a command was not executed. The game is unchanged.
#[derive(Debug, Error)]
enum ConsoleError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[error(transparent)]
    Pin(#[from] PinError),
    #[error(transparent)]
    Board(#[from] IllegalMove),
    #[error(transparent)]
    Legal(#[from] LegalError),
    #[error(transparent)]
    Position(#[from] TextError),
    #[error("no board is activated")]
    NoActivatedBoard,
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

pub(super) struct Console {
    pub(super) terminal: Terminal,
    pub(super) state: GameState,
    /// The rules of a new game.
    pub(super) rules: Rules,
    pub(super) orientation: Color,
    pub(super) style: NotationStyle,
    pub(super) opponent: Opponent,
    pub(super) own_files: OwnFiles,
    /// The file of the game, if one could be written.
    pub(super) game_file: Option<GameFile>,
    /// The user named the file: never delete it.
    pub(super) keep_file: bool,
}

impl Console {
    /// Plays until the input ends.
    pub(super) fn run(mut self) -> Result<(), TerminalError> {
        self.show();
        let ended = loop {
            self.reply();
            let over = self.state.takes_moves().is_err();
            let offers_new_game = self.terminal.is_interactive() && over;
            if offers_new_game {
                self.terminal.line("Enter starts a new game.");
            }
            let position = self.state.game.position();
            let line = match self.terminal.next_line(|| words(position)) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let result = match Command::parse(&line) {
                Ok(None) if offers_new_game => self.execute(Command::New(None)),
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
            Command::Move(text) => {
                let mv = self.state.game.position().read_move(&text)?;
                self.play(mv)?;
            }
            Command::Castle => {
                let position = self.state.game.position();
                let squares = board_text::castling_squares(position);
                let style = BoardStyle {
                    bottom: self.orientation,
                    columns: self.terminal.width(),
                };
                self.terminal.lines(style.lines(position, squares));
                self.terminal.lines(board_text::castling_status(position));
            }
            Command::Activate(pin) => {
                self.state.game.activate(pin.parse()?)?;
                self.terminal.line(format_args!(
                    "The board on {pin} is activated; 'release' cancels."
                ));
            }
            Command::Release => {
                let pin = self.state.game.position().activated_board();
                let pin = pin.ok_or(ConsoleError::NoActivatedBoard)?;
                self.state.game.release();
                self.terminal
                    .line(format_args!("The board on {pin} is released."));
            }
            Command::Legal(of) => {
                let lines = legal::lines(self.state.game.position(), of.as_deref(), self.style)?;
                self.terminal.lines(lines);
            }
            Command::Go => self.play_engine_move()?,
            Command::Hint => {
                let found = self.think()?;
                let best = found.and_then(|found| found.line.first().copied());
                if let Some(best) = best {
                    let text = self.notation(self.state.game.position(), best);
                    self.terminal.line(format_args!("Try {text}."));
                }
            }
            Command::Eval => {
                if let Some(found) = self.think()? {
                    let position = self.state.game.position();
                    self.terminal
                        .line(legal::evaluation(position, &found, self.style));
                }
            }
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Draw => {
                self.apply(Action::Draw)?;
                self.show();
            }
            Command::Resign => {
                let color = self
                    .state
                    .side
                    .color(self.state.game.position().side_to_move());
                self.apply(Action::Resign(color))?;
                self.show_ending();
            }
            Command::Moves => {
                let lines = self.score_sheet();
                if lines.is_empty() {
                    self.terminal.line("No move has been played.");
                }
                self.terminal.lines(lines);
            }
            Command::Boards => self.show(),
            Command::Flip => {
                self.orientation = !self.orientation;
                self.show();
            }
            Command::Fen => {
                let position = self.state.game.position();
                self.terminal.line(format_args!("Position: {position}"));
            }
            Command::Notation(style) => self.style = style,
            Command::Set(text) => {
                let start = Position::from_text(&text, self.rules)?;
                self.apply(Action::Start(Box::new(start)))?;
                self.show();
            }
            Command::Save(path) => {
                self.own_files
                    .write(&path, &saved_game::text(&self.state))?;
                self.terminal
                    .line(format_args!("Game saved to '{}'.", path.display()));
            }
            Command::Load(path) => self.load(&path)?,
            Command::New(side) => {
                let side = side.unwrap_or(self.state.side);
                self.apply(Action::Start(Box::new(Position::start(self.rules))))?;
                self.apply(Action::Side(side))?;
                self.orientation = view(side);
                self.show();
            }
            Command::Help => self
                .terminal
                .lines(HELP.map(|(usage, help)| format!("{usage:<18} {help}"))),
            // Ends the loop in `run`.
            Command::Quit => {}
        }
        Ok(())
    }

    /// Applies and saves an action, and prints its events.
    fn apply(&mut self, action: Action) -> Result<(), ConsoleError> {
        let before = *self.state.game.position();
        let (events, lines) = self.state.apply(action)?;
        self.save(&lines);
        for event in events {
            let text = self.describe(event, &before);
            self.terminal.line(text);
        }
        Ok(())
    }

    /// Appends lines to the file of the game.
    fn save(&mut self, lines: &[String]) {
        let Some(file) = &mut self.game_file else {
            return;
        };
        if let Some(error) = lines.iter().find_map(|line| file.write(line).err()) {
            self.terminal
                .line(format_args!("The game is no longer saved: {error}"));
            self.game_file = None;
        }
    }

    fn load(&mut self, path: &Path) -> Result<(), ConsoleError> {
        self.state = saved_game::load(path, self.state.side)?;
        let lines = self.state.lines().to_vec();
        self.save(&lines);
        self.rules = self.state.game.start().rules();
        self.orientation = view(self.state.side);
        self.show();
        self.show_ending();
        Ok(())
    }

    /// Plays the engine's moves.
    fn reply(&mut self) {
        while !self.state.is_user_to_move() && self.state.takes_moves().is_ok() {
            if let Err(error) = self.play_engine_move() {
                self.terminal.error(&error);
                return;
            }
        }
    }

    fn play_engine_move(&mut self) -> Result<(), ConsoleError> {
        let found = self.think()?;
        match found.and_then(|found| found.line.first().copied()) {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    fn think(&mut self) -> Result<Option<SearchResult>, ConsoleError> {
        self.state.takes_moves()?;
        let (game, opponent) = (&self.state.game, &mut self.opponent);
        let thinking = opponent.thinking(game, self.style);
        let work = || opponent.think(game, &thinking);
        Ok(self.terminal.work(&thinking, work))
    }

    fn play(&mut self, mv: Move) -> Result<(), ConsoleError> {
        self.apply(Action::Move(mv))?;
        self.show();
        Ok(())
    }

    /// Undoes moves up to the user's last turn.
    fn undo(&mut self) -> Result<(), ConsoleError> {
        let lines = self.state.undo_turn()?;
        self.save(&lines);
        self.show();
        Ok(())
    }

    /// Replays undone moves up to the user's next turn.
    fn redo(&mut self) -> Result<(), ConsoleError> {
        let lines = self.state.redo_turn()?;
        self.save(&lines);
        self.show();
        Ok(())
    }

    /// The moves of the game, one line for each move number; castling with its squares.
    fn score_sheet(&self) -> Vec<String> {
        let game = &self.state.game;
        let mut lines: Vec<(u16, String)> = Vec::new();
        for (mv, position) in game.moves().zip(game.positions()) {
            let number = position.move_number();
            let text = match (self.style, mv) {
                (_, Move::Castle(_)) | (NotationStyle::Full, _) => recorded(position, mv),
                (NotationStyle::Short, _) => position.short_notation(mv),
            };
            match lines.last_mut() {
                Some((last, line)) if *last == number => line.push_str(&format!(" {text}")),
                _ => lines.push((number, format!("{}{text}", numbered(position)))),
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn notation(&self, position: &Position, mv: Move) -> String {
        self.style.write(position, mv)
    }

    fn show(&mut self) {
        let position = self.state.game.position();
        let mut lines = vec![String::new()];
        let style = BoardStyle {
            bottom: self.orientation,
            columns: self.terminal.width(),
        };
        lines.extend(style.lines(position, SquareSet::EMPTY));
        let side = position.side_to_move();
        lines.push(match (self.state.ending(), position.pending_promotion()) {
            (Some(ending), _) => format!("Game over: {ending}"),
            (None, Some(pawn)) => {
                format!("{side} must first promote the pawn on {pawn}, for example {pawn}=Q.")
            }
            (None, None) => format!("{side} to move."),
        });
        lines.extend(board_text::legal_castling(position));
        lines.push(String::new());
        self.terminal.lines(lines);
    }

    fn show_ending(&mut self) {
        if let Some(ending) = self.state.ending() {
            self.terminal.line(format_args!("Game over: {ending}"));
        }
    }

    /// Describes an event; `before` is the position before it.
    fn describe(&self, event: Event, before: &Position) -> String {
        match event {
            Event::Moved(mv) => format!(
                "{}: {}{}",
                before.side_to_move(),
                numbered(before),
                self.notation(before, mv)
            ),
            Event::Check => "Check.".to_owned(),
            Event::FiftyMoveRuleAvailable => {
                "Fifty-move rule: type 'draw' to claim a draw.".to_owned()
            }
            Event::ThreefoldAvailable => {
                "Threefold repetition: type 'draw' to claim a draw.".to_owned()
            }
            Event::DrawClaimed(claim) => format!("Draw claimed: {claim}."),
            Event::Ended(outcome) => format!("Game over: {outcome}. {}", outcome.result()),
        }
    }

    /// Reports the file of an unfinished game; removes that of a finished one.
    fn finish(&mut self) {
        let unfinished = self.state.is_unfinished();
        let file = self.game_file.take();
        let message = file.and_then(|file| file.finish(unfinished, self.keep_file));
        self.terminal.lines(message);
    }
}

/// The number in front of a move: `12. ` or `12... `.
fn numbered(position: &Position) -> String {
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots} ", position.move_number())
}

/// The words that can be completed: commands and legal moves.
fn words(position: &Position) -> Vec<String> {
    let moves = position.legal_moves().into_iter();
    let moves = moves.map(|mv| position.bare_notation(mv));
    let mut words: Vec<String> = WORDS.map(str::to_owned).into_iter().chain(moves).collect();
    words.sort();
    words.dedup();
    words
}
