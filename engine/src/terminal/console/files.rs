//! The files of a game in the terminal: its record, and its entry in the library.

use std::path::Path;

use anyhow::Result;
use game::game_file::{GameFile, GameFileError};
use game::library::{GameKind, Kept, Library};

use super::Console;

impl Console {
    /// Records the game in this file; one that the user has named is never deleted.
    pub(crate) fn record(&mut self, file: GameFile, is_named: bool) {
        self.game_file = Some(file);
        self.keep_file = is_named;
    }

    /// Appends the new lines to the file of the game.
    pub(super) fn save(&mut self) {
        let lines = self.game.state().lines();
        let recorded = std::mem::replace(&mut self.recorded, lines.len());
        let Some(file) = &mut self.game_file else {
            return;
        };
        let new = lines.iter().skip(recorded);
        // The last line that is written brings those that were not.
        if let Some(Err(error)) = new.map(|line| file.write(line)).last() {
            self.terminal
                .line(format_args!("The game is not saved: {error}"));
        }
    }

    pub(in crate::terminal) fn write(&mut self, path: &Path, text: &str) -> Result<()> {
        self.own_files.write(path, text)?;
        self.terminal
            .line(format_args!("Game saved to '{}'.", path.display()));
        Ok(())
    }

    fn belongs_in_library(&self) -> bool {
        let is_played = self.state().is_over() && self.state().lines().len() > 1;
        is_played && self.game_file.is_some() && !self.keep_file
    }

    /// Keeps a game that is over in the library, unless the user has named a file for it, or it is
    /// not recorded.
    pub(super) fn keep(&mut self) {
        if !self.belongs_in_library() {
            return;
        }
        let text = self.played().pgn();
        let entry = self.kept.get_or_insert_default();
        match Library::of_user().keep(entry, GameKind::Chess, &text) {
            Ok(Kept::Here | Kept::Merged) => {}
            Ok(Kept::Apart) => self
                .terminal
                .line("The game was changed in Castellan Board; it is kept as a game of its own."),
            Err(error) => {
                self.terminal
                    .line(format_args!("The game is not kept: {error}"));
                self.kept = None;
            }
        }
    }

    /// True if the library still lacks a game that belongs there.
    fn is_missing(&mut self) -> bool {
        if self.kept.is_none() {
            self.keep();
        }
        self.kept.is_none() && self.belongs_in_library()
    }

    /// Before another game begins: one that the library lacks stays in its file.
    pub(super) fn leave(&mut self) {
        if !self.is_missing() {
            return;
        }
        let Some(file) = self.game_file.take() else {
            return;
        };
        let next = file.finish(true, false).and_then(|lines| {
            self.terminal.lines(lines);
            GameFile::create_in_state_dir()
        });
        match next {
            Ok(file) => self.game_file = Some(file),
            Err(error) => self
                .terminal
                .line(format_args!("The game is not saved: {error}")),
        }
        self.recorded = 0;
    }

    /// Reports the file of an unfinished game; removes that of a finished one, which the library
    /// has.
    pub(super) fn finish(&mut self) -> Result<(), GameFileError> {
        let is_missing = self.is_missing();
        if self.kept.is_some() {
            self.terminal
                .line("The game is kept: Castellan Board lists it under 'Games…'.");
        }
        let unfinished = self.state().is_unfinished() || is_missing;
        if let Some(file) = self.game_file.take() {
            self.terminal
                .lines(file.finish(unfinished, self.keep_file)?);
        }
        Ok(())
    }
}
