//! The person's side of the boards: reads lines, does what they ask and says what came of it.

use std::io::{self, BufRead, Write};

use crate::{
    Claim, ClaimError, Color, Event, Game, Move, MoveRefusal, PinError, PlayError, Position,
    ReadError, Rules, SquareSet, TextError,
};
use thiserror::Error;

use super::drawing;
use super::kept::{self, LoadError};
use super::opponent::Opponent;
use super::wish::{HELP, Wish, WishError};
use common::args::Side;
use common::files::{FileError, OwnFiles};
use common::terminal::Terminal;

/// Why a wish was not fulfilled. The game is as it was.
#[derive(Debug, Error)]
enum Refused {
    #[error(transparent)]
    Wish(#[from] WishError),
    #[error(transparent)]
    Move(#[from] ReadError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error(transparent)]
    Pin(#[from] PinError),
    #[error(transparent)]
    Board(#[from] MoveRefusal),
    #[error(transparent)]
    Position(#[from] TextError),
    #[error("no board has been activated")]
    NothingHeld,
    #[error("there is no move to take back")]
    NothingToUndo,
    #[error("nothing was taken back that could be played again")]
    NothingToRedo,
    #[error(transparent)]
    Write(#[from] FileError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

pub(super) struct Console<R, W> {
    pub(super) terminal: Terminal<R, W>,
    pub(super) game: Game,
    /// Those of a new game.
    pub(super) rules: Rules,
    /// Whose moves a person makes.
    pub(super) side: Side,
    pub(super) opponent: Opponent,
    /// Files this sitting has made, and may write again.
    pub(super) own_files: OwnFiles,
}

impl<R: BufRead, W: Write> Console<R, W> {
    /// Plays until there is no more input or nobody hears us.
    pub(super) fn run(mut self) -> io::Result<()> {
        self.show();
        loop {
            self.answer();
            let Some(line) = self.terminal.next_line()? else {
                return Ok(());
            };
            let done = match Wish::parse(&line) {
                Ok(None) => Ok(()),
                Ok(Some(Wish::Quit)) => return Ok(()),
                Ok(Some(wish)) => self.fulfil(wish),
                Err(error) => Err(error.into()),
            };
            if let Err(refused) = done {
                self.terminal.error(&refused);
            }
        }
    }

    fn fulfil(&mut self, wish: Wish) -> Result<(), Refused> {
        match wish {
            Wish::Move(text) => {
                let mv = self.game.position().read_move(&text)?;
                self.play(mv)?;
            }
            Wish::Castle => {
                let position = self.game.position();
                let squares = drawing::castling_squares(position);
                self.terminal.lines(drawing::lines(position, squares));
                self.terminal.lines(drawing::castlings(position));
            }
            Wish::Activate(pin) => {
                self.game.activate(pin.parse()?)?;
                self.terminal.line(format_args!(
                    "The board on {pin} will move; 'release' lets go of it."
                ));
            }
            Wish::Release => {
                let pin = self.game.position().held_board();
                let pin = pin.ok_or(Refused::NothingHeld)?;
                self.game.release();
                self.terminal
                    .line(format_args!("The board on {pin} is let go."));
            }
            Wish::Legal => {
                let position = self.game.position();
                let moves = position.legal_moves().into_iter();
                let names: Vec<String> = moves.map(|mv| position.bare_notation(mv)).collect();
                self.terminal
                    .line(format_args!("Legal: {}", or_dash(&names)));
            }
            Wish::Go => self.think()?,
            Wish::Undo => self.take_back()?,
            Wish::Redo => self.play_again()?,
            Wish::Draw => self.claim()?,
            Wish::Moves => {
                let moves = self.game.moves().zip(self.game.positions());
                let names: Vec<String> = moves.map(|(mv, at)| numbered(at, mv)).collect();
                self.terminal
                    .line(format_args!("Moves: {}", or_dash(&names)));
            }
            Wish::Boards => self.show(),
            Wish::Text => self
                .terminal
                .line(format_args!("Position: {}", self.game.position())),
            Wish::Set(text) => {
                self.game = Game::new(Position::from_text(&text, self.rules)?);
                self.show();
            }
            Wish::Save(path) => {
                self.own_files.write(&path, &kept::text(&self.game))?;
                self.terminal
                    .line(format_args!("The game is in '{}'.", path.display()));
            }
            Wish::Load(path) => {
                self.game = kept::load(&path)?;
                self.rules = self.game.start().rules();
                self.show();
            }
            Wish::New => {
                self.game = Game::standard(self.rules);
                self.show();
            }
            Wish::Help => self
                .terminal
                .lines(HELP.iter().map(|(word, what)| format!("{word:<18} {what}"))),
            // The loop has left already.
            Wish::Quit => {}
        }
        Ok(())
    }

    fn awaits_a_person(&self) -> bool {
        self.side
            .includes(self.game.position().turn() == Color::White)
    }

    /// Makes the engine's moves as long as it is its turn.
    fn answer(&mut self) {
        while !self.awaits_a_person() && self.game.outcome().is_none() {
            if let Err(refused) = self.think() {
                self.terminal.error(&refused);
                return;
            }
        }
    }

    fn think(&mut self) -> Result<(), Refused> {
        if let Some(outcome) = self.game.outcome() {
            return Err(PlayError::Over(outcome).into());
        }
        let report = self.opponent.think(&self.game);
        match report.and_then(|report| report.line.first().copied()) {
            Some(mv) => self.play(mv),
            None => Ok(()),
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), Refused> {
        let before = *self.game.position();
        let events = self.game.play(mv)?;
        self.terminal
            .lines(events.into_iter().map(|event| told(event, &before)));
        self.show();
        Ok(())
    }

    /// Takes back to the person's last turn; between two people, one move.
    fn take_back(&mut self) -> Result<(), Refused> {
        self.game.undo().ok_or(Refused::NothingToUndo)?;
        while !self.awaits_a_person() && self.game.undo().is_some() {}
        self.show();
        Ok(())
    }

    fn play_again(&mut self) -> Result<(), Refused> {
        self.game.redo().ok_or(Refused::NothingToRedo)?;
        while !self.awaits_a_person() && self.game.redo().is_some() {}
        self.show();
        Ok(())
    }

    fn claim(&mut self) -> Result<(), Refused> {
        let before = *self.game.position();
        let claimed = self.game.claim_draw()?;
        let events = claimed.events().into_iter();
        self.terminal
            .lines(events.map(|event| told(event, &before)));
        self.show();
        Ok(())
    }

    fn show(&mut self) {
        let position = self.game.position();
        let mut lines = vec![String::new()];
        lines.extend(drawing::lines(position, SquareSet::EMPTY));
        lines.push(match (self.game.outcome(), position.waiting_pawn()) {
            (Some(outcome), _) => format!("The game is over: {outcome}. {}", outcome.result()),
            (None, Some(pawn)) => format!(
                "{} says first what the pawn on {pawn} becomes, such as {pawn}=Q.",
                position.turn()
            ),
            (None, None) => format!("{} to move.", position.turn()),
        });
        lines.extend(drawing::open_castlings(position));
        lines.push(String::new());
        self.terminal.lines(lines);
    }
}

fn or_dash(words: &[String]) -> String {
    match words {
        [] => "-".to_owned(),
        words => words.join(" "),
    }
}

/// A move with its number, as people write it.
fn numbered(position: &Position, mv: Move) -> String {
    let number = position.move_number();
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots} {}", position.notation(mv))
}

/// An event, after it has happened; `before` is the position it happened in.
fn told(event: Event, before: &Position) -> String {
    match event {
        Event::Moved(mv) => format!("{}: {}", before.turn(), numbered(before, mv)),
        Event::Check => "Check.".to_owned(),
        Event::FiftyMoveRuleAvailable => {
            "The fifty-move rule is available: 'draw' claims a draw.".to_owned()
        }
        Event::ThreefoldAvailable => {
            "The position is there for the third time: 'draw' claims a draw.".to_owned()
        }
        Event::DrawClaimed(claim @ (Claim::FiftyMoves | Claim::Threefold)) => {
            format!("Draw claimed: {claim}.")
        }
        Event::Ended(outcome) => format!("The game ends: {outcome}. {}", outcome.result()),
    }
}
