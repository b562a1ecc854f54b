//! The person's side of the board: reads lines, does what they ask and says what came of it.

use std::io::{self, BufRead, Write};
use std::path::Path;

use movegen::{Color, Position, SanError, UciMoveError, Variant};
use search::SearchError;
use thiserror::Error;

use super::journal::{FIRST_LINE, Journal};
use super::load::{self, LoadError};
use super::opponent::Opponent;
use super::table::{Beginning, Entry, Refusal, Table};
use super::wish::{HELP, Wish, WishError};
use super::{tell, view};
use crate::NAME;
use crate::board::Drawing;
use crate::formats::pgn;
use crate::formats::pgn::today;
use crate::notation;
use common::args::Side;
use common::files::{FileError, OwnFiles};
use common::terminal::Terminal;

/// Why a wish was not fulfilled. The game is as it was.
#[derive(Debug, Error)]
enum Refused {
    #[error(transparent)]
    Wish(#[from] WishError),
    #[error(transparent)]
    Table(#[from] Refusal),
    #[error(transparent)]
    Uci(#[from] UciMoveError),
    #[error(transparent)]
    San(#[from] SanError),
    #[error("it is not your turn; 'new' begins another game")]
    NotYourTurn,
    #[error("there is no move to look for: the game is over")]
    NoMove,
    #[error("the engine cannot think: {0}")]
    Think(#[from] SearchError),
    #[error(transparent)]
    Write(#[from] FileError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

pub(super) struct Console<R, W> {
    pub(super) terminal: Terminal<R, W>,
    pub(super) table: Table,
    /// What was done in this game, for `save`.
    pub(super) entries: Vec<Entry>,
    /// Where the game is kept, if it can be.
    pub(super) journal: Option<Journal>,
    /// The file was named by the person, who alone may remove it.
    pub(super) journal_stays: bool,
    pub(super) opponent: Opponent,
    /// The rating it plays like, if like somebody weaker.
    pub(super) elo: Option<u32>,
    pub(super) drawing: Drawing,
    pub(super) player: String,
    /// Files this sitting has made, and may write again.
    pub(super) own_files: OwnFiles,
}

impl<R: BufRead, W: Write> Console<R, W> {
    /// Plays until there is no more input or nobody hears us.
    pub(super) fn run(mut self) -> io::Result<()> {
        self.show();
        if let Some((words, score)) = self.table.ending() {
            self.terminal.line(tell::ending(&words, score));
        }
        let ended = loop {
            if let Err(refused) = self.answer() {
                self.terminal.error(&refused);
            }
            let line = match self.terminal.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let done = match Wish::parse(&line) {
                Ok(None) => Ok(()),
                Ok(Some(Wish::Quit)) => break Ok(()),
                Ok(Some(wish)) => self.fulfil(wish),
                Err(error) => Err(error.into()),
            };
            if let Err(refused) = done {
                self.terminal.error(&refused);
            }
        };
        self.leave();
        ended
    }

    /// Makes the engine's move, if it is its turn.
    fn answer(&mut self) -> Result<(), Refused> {
        if self.table.is_over() || self.table.awaits_a_person() {
            return Ok(());
        }
        let Some(mv) = self.opponent.choose(&self.table.game)? else {
            return Ok(());
        };
        self.play(mv, "Castellan")?;
        self.show();
        Ok(())
    }

    fn fulfil(&mut self, wish: Wish) -> Result<(), Refused> {
        match wish {
            Wish::Move(text) => self.play_typed(&text)?,
            Wish::Draw => self.claim()?,
            Wish::Undo => self.take_back()?,
            Wish::Redo => self.play_again()?,
            Wish::Resign => self.resign()?,
            Wish::Hint => {
                let best = self.think()?.best_move.ok_or(Refused::NoMove)?;
                let position = self.table.game.position();
                let san = position.san(best);
                let squares = best.uci(self.table.variant);
                self.terminal.line(format_args!("Try {san} ({squares})."));
            }
            Wish::Eval => {
                let found = self.think()?;
                self.terminal.line(tell::verdict(&self.table.game, &found));
            }
            Wish::Fen => {
                let position = self.table.game.position();
                self.terminal
                    .line(notation::fen(position, self.table.variant));
            }
            Wish::Board => self.show(),
            Wish::Flip => {
                self.drawing.seen_by = !self.drawing.seen_by;
                self.show();
            }
            Wish::Moves => {
                let game = &self.table.game;
                let moves = notation::numbered_moves(game.start(), game.moves());
                let none = moves.is_empty().then_some("No move has been played.");
                self.terminal.line(none.unwrap_or(&moves));
            }
            Wish::Pgn(path) => {
                self.own_files.write(&path, &self.record().pgn())?;
                self.terminal
                    .line(format_args!("The game is in '{}'.", path.display()));
            }
            Wish::Save(path) => {
                let entries = self.entries.iter().map(ToString::to_string);
                let lines: Vec<String> =
                    [FIRST_LINE.to_owned()].into_iter().chain(entries).collect();
                self.own_files.write(&path, &(lines.join("\n") + "\n"))?;
                self.terminal
                    .line(format_args!("The game is in '{}'.", path.display()));
            }
            Wish::Load(path) => self.load(&path)?,
            Wish::New(side) => self.begin(side)?,
            Wish::Help => self.terminal.lines(
                HELP.iter()
                    .map(|(word, what)| format!("{word:<16} {what}").trim().to_owned()),
            ),
            // The loop has left already.
            Wish::Quit => {}
        }
        Ok(())
    }

    /// Does one thing, keeps it and tells what happened.
    fn apply(&mut self, entry: Entry, who: &str) -> Result<(), Refused> {
        let before = *self.table.game.position();
        let events = self.table.apply(&entry)?;
        self.keep(entry);
        self.terminal.lines(
            events
                .into_iter()
                .map(|event| tell::event(event, who, &before)),
        );
        Ok(())
    }

    fn keep(&mut self, entry: Entry) {
        let written = self
            .journal
            .as_mut()
            .map(|journal| journal.write(&entry.to_string()));
        if matches!(entry, Entry::Begin(_)) {
            self.entries.clear();
        }
        self.entries.push(entry);
        if let Some(Err(error)) = written {
            self.terminal
                .line(format_args!("The game is no longer kept: {error}"));
            self.journal = None;
        }
    }

    fn play(&mut self, mv: movegen::Move, who: &str) -> Result<(), Refused> {
        let variant = self.table.variant;
        self.apply(Entry::Move { mv, variant }, who)
    }

    /// A move by its squares or by its name.
    fn play_typed(&mut self, text: &str) -> Result<(), Refused> {
        self.table.takes_moves()?;
        if !self.table.awaits_a_person() {
            return Err(Refused::NotYourTurn);
        }
        let position = self.table.game.position();
        let mv = match position.move_from_uci(text) {
            Err(UciMoveError::Malformed(_)) => position.move_from_san(text)?,
            answer => answer?,
        };
        let who = match self.table.side {
            Side::Both => position.side_to_move().to_string(),
            _ => self.player.clone(),
        };
        self.play(mv, &who)?;
        if self.table.side == Side::Both || self.table.is_over() {
            self.show();
        }
        Ok(())
    }

    fn claim(&mut self) -> Result<(), Refused> {
        self.apply(Entry::Draw, "")?;
        self.show();
        self.terminal
            .line("The board is set up again; 'pgn FILE' still writes the game that was drawn.");
        Ok(())
    }

    /// Back to where the person was to move the last time.
    fn take_back(&mut self) -> Result<(), Refused> {
        let mut tried = self.table.clone();
        let mut steps = 0;
        loop {
            tried.apply(&Entry::Undo)?;
            steps += 1;
            if tried.awaits_a_person() {
                break;
            }
        }
        for _ in 0..steps {
            self.apply(Entry::Undo, "")?;
        }
        self.show();
        Ok(())
    }

    fn play_again(&mut self) -> Result<(), Refused> {
        self.apply(Entry::Redo, "")?;
        while !self.table.awaits_a_person() && self.apply(Entry::Redo, "").is_ok() {}
        self.show();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Refused> {
        let color = match self.table.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Both => self.table.game.position().side_to_move(),
        };
        self.apply(Entry::Resign(color), "")?;
        if let Some((words, score)) = self.table.ending() {
            self.terminal.line(tell::ending(&words, score));
        }
        Ok(())
    }

    fn think(&mut self) -> Result<search::Outcome, Refused> {
        if self.table.is_over() {
            return Err(Refused::NoMove);
        }
        Ok(self.opponent.think(&self.table.game)?)
    }

    fn begin(&mut self, side: Option<Side>) -> Result<(), Refused> {
        let side = side.unwrap_or(self.table.side);
        self.drawing.seen_by = view(side);
        let beginning = Beginning {
            start: Position::default(),
            variant: Variant::Standard,
            side,
        };
        self.apply(Entry::Begin(Box::new(beginning)), "")?;
        self.show();
        Ok(())
    }

    /// Puts a game from a file on the board: one that was saved, or the first of a PGN.
    fn load(&mut self, path: &Path) -> Result<(), Refused> {
        let entries = load::entries(path, self.table.side)?;
        for entry in entries {
            self.table.apply(&entry)?;
            self.keep(entry);
        }
        self.drawing.seen_by = view(self.table.side);
        self.show();
        if let Some((words, score)) = self.table.ending() {
            self.terminal.line(tell::ending(&words, score));
        }
        Ok(())
    }

    fn record(&self) -> pgn::Record {
        let mut record = self.table.record();
        let engine = match self.elo {
            Some(elo) => format!("{NAME} at {elo}"),
            None => NAME.to_owned(),
        };
        let name = |color| match self.table.side.includes(color == Color::White) {
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
        let game = &self.table.game;
        let mut lines = self
            .drawing
            .lines(game.position(), game.moves().next_back());
        if let Some(files) = lines.last_mut()
            && !self.table.is_over()
        {
            files.push_str(&format!("    {} to move", game.position().side_to_move()));
        }
        lines.insert(0, String::new());
        lines.push(String::new());
        self.terminal.lines(lines);
    }

    /// An unfinished game stays where it is kept; others need not.
    fn leave(&mut self) {
        let Some(journal) = self.journal.take() else {
            return;
        };
        if self.table.is_unfinished() {
            let path = journal.path().display();
            self.terminal.line(format_args!(
                "The game is kept in '{path}'; --resume goes on with it."
            ));
        } else if !self.journal_stays {
            journal.discard();
        }
    }
}
