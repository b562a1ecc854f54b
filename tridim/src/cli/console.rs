//! `castellan tridim play`: a game in the terminal, against the engine or between two players.

use std::io::{self, BufRead, Write};

use common::args::Side;
use common::files::{FileError, OwnFiles};
use common::terminal::Terminal;
use thiserror::Error;

use super::command::{Command, CommandError, HELP};
use super::opponent::{LimitArgs, Opponent};
use super::saved_game::{self, LoadError};
use super::{PositionArgs, TridimError, board_text};
use crate::{
    ClaimError, Color, Event, Game, IllegalMove, Move, MoveError, PinError, PlayError, Position,
    Rules, SquareSet, TextError,
};

/// Play a game in the terminal
///
/// Type moves with both squares (Nd1W-c3N, b2W-b4N), board moves with both pins (QL1-QL3),
/// castling as O-O and O-O-O; 'help' lists the other commands.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// The side you play
    #[arg(long, value_enum, value_name = "SIDE", default_value = "white")]
    side: Side,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    position: PositionArgs,
}

/// Plays until the input ends.
pub(super) fn run(args: &PlayArgs) -> Result<(), TridimError> {
    let console = Console {
        terminal: Terminal::stdio(),
        game: Game::new(args.position.position()?),
        rules: args.position.rules(),
        side: args.side,
        opponent: Opponent::new(args.limits.clone()),
        own_files: OwnFiles::default(),
    };
    console.run().map_err(TridimError::Input)
}

/// Why a command was not executed. The game is unchanged.
#[derive(Debug, Error)]
enum ConsoleError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error(transparent)]
    Pin(#[from] PinError),
    #[error(transparent)]
    Board(#[from] IllegalMove),
    #[error(transparent)]
    Position(#[from] TextError),
    #[error("no board is activated")]
    NoActivatedBoard,
    #[error("no move to undo")]
    NothingToUndo,
    #[error("no move to redo")]
    NothingToRedo,
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

struct Console<R, W> {
    terminal: Terminal<R, W>,
    game: Game,
    /// The rules of a new game.
    rules: Rules,
    side: Side,
    opponent: Opponent,
    own_files: OwnFiles,
}

impl<R: BufRead, W: Write> Console<R, W> {
    fn run(mut self) -> io::Result<()> {
        self.show();
        loop {
            self.reply();
            let Some(line) = self.terminal.next_line()? else {
                return Ok(());
            };
            let result = match Command::parse(&line) {
                Ok(None) => Ok(()),
                Ok(Some(Command::Quit)) => return Ok(()),
                Ok(Some(command)) => self.execute(command),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = result {
                self.terminal.error(&error);
            }
        }
    }

    fn execute(&mut self, command: Command) -> Result<(), ConsoleError> {
        match command {
            Command::Move(text) => {
                let mv = self.game.position().read_move(&text)?;
                self.play(mv)?;
            }
            Command::Castle => {
                let position = self.game.position();
                let squares = board_text::castling_squares(position);
                self.terminal.lines(board_text::lines(position, squares));
                self.terminal.lines(board_text::castling_status(position));
            }
            Command::Activate(pin) => {
                self.game.activate(pin.parse()?)?;
                self.terminal.line(format_args!(
                    "The board on {pin} is activated; 'release' cancels."
                ));
            }
            Command::Release => {
                let pin = self.game.position().activated_board();
                let pin = pin.ok_or(ConsoleError::NoActivatedBoard)?;
                self.game.release();
                self.terminal
                    .line(format_args!("The board on {pin} is released."));
            }
            Command::Legal => {
                let position = self.game.position();
                let moves = position.legal_moves().into_iter();
                let moves = moves.map(|mv| position.bare_notation(mv));
                self.terminal
                    .line(format_args!("Legal: {}", join_or_dash(moves)));
            }
            Command::Go => self.think()?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Draw => self.claim_draw()?,
            Command::Moves => {
                let moves = self.game.moves().zip(self.game.positions());
                let moves = moves.map(|(mv, position)| numbered(position, mv));
                self.terminal
                    .line(format_args!("Moves: {}", join_or_dash(moves)));
            }
            Command::Boards => self.show(),
            Command::Text => {
                let position = self.game.position();
                self.terminal.line(format_args!("Position: {position}"));
            }
            Command::Set(text) => {
                self.game = Game::new(Position::from_text(&text, self.rules)?);
                self.show();
            }
            Command::Save(path) => {
                self.own_files.write(&path, &saved_game::text(&self.game))?;
                self.terminal
                    .line(format_args!("Game saved to '{}'.", path.display()));
            }
            Command::Load(path) => {
                self.game = saved_game::load(&path)?;
                self.rules = self.game.start().rules();
                self.show();
            }
            Command::New => {
                self.game = Game::standard(self.rules);
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

    fn is_user_to_move(&self) -> bool {
        self.side
            .includes(self.game.position().side_to_move() == Color::White)
    }

    /// Plays the engine's moves.
    fn reply(&mut self) {
        while !self.is_user_to_move() && self.game.outcome().is_none() {
            if let Err(error) = self.think() {
                self.terminal.error(&error);
                return;
            }
        }
    }

    fn think(&mut self) -> Result<(), ConsoleError> {
        if let Some(outcome) = self.game.outcome() {
            return Err(PlayError::Over(outcome).into());
        }
        let found = self.opponent.think(&self.game);
        match found.and_then(|found| found.line.first().copied()) {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), ConsoleError> {
        let before = *self.game.position();
        let events = self.game.play(mv)?.into_iter();
        self.terminal
            .lines(events.map(|event| describe(event, &before)));
        self.show();
        Ok(())
    }

    /// Undoes moves up to the user's last turn.
    fn undo(&mut self) -> Result<(), ConsoleError> {
        self.game.undo().ok_or(ConsoleError::NothingToUndo)?;
        while !self.is_user_to_move() && self.game.undo().is_some() {}
        self.show();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), ConsoleError> {
        self.game.redo().ok_or(ConsoleError::NothingToRedo)?;
        while !self.is_user_to_move() && self.game.redo().is_some() {}
        self.show();
        Ok(())
    }

    fn claim_draw(&mut self) -> Result<(), ConsoleError> {
        let before = *self.game.position();
        let events = self.game.claim_draw()?.events().into_iter();
        self.terminal
            .lines(events.map(|event| describe(event, &before)));
        self.show();
        Ok(())
    }

    fn show(&mut self) {
        let position = self.game.position();
        let mut lines = vec![String::new()];
        lines.extend(board_text::lines(position, SquareSet::EMPTY));
        let side = position.side_to_move();
        lines.push(match (self.game.outcome(), position.pending_promotion()) {
            (Some(outcome), _) => format!("Game over: {outcome}. {}", outcome.result()),
            (None, Some(pawn)) => {
                format!("{side} must first promote the pawn on {pawn}, for example {pawn}=Q.")
            }
            (None, None) => format!("{side} to move."),
        });
        lines.extend(board_text::legal_castling(position));
        lines.push(String::new());
        self.terminal.lines(lines);
    }
}

fn join_or_dash(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    match words.as_slice() {
        [] => "-".to_owned(),
        words => words.join(" "),
    }
}

/// Writes a move with its number.
fn numbered(position: &Position, mv: Move) -> String {
    let number = position.move_number();
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots} {}", position.notation(mv))
}

/// Describes an event; `before` is the position before it.
fn describe(event: Event, before: &Position) -> String {
    match event {
        Event::Moved(mv) => format!("{}: {}", before.side_to_move(), numbered(before, mv)),
        Event::Check => "Check.".to_owned(),
        Event::FiftyMoveRuleAvailable => "Fifty-move rule: type 'draw' to claim a draw.".to_owned(),
        Event::ThreefoldAvailable => {
            "Threefold repetition: type 'draw' to claim a draw.".to_owned()
        }
        Event::DrawClaimed(claim) => format!("Draw claimed: {claim}."),
        Event::Ended(outcome) => format!("Game over: {outcome}. {}", outcome.result()),
    }
}
