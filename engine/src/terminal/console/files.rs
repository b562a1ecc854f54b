//! The files of a game in the terminal: its record, and its entry in the library.

use std::path::Path;

use anyhow::Result;
use game::game_file::{GameFile, GameFileError};
use game::library::{Entry, GameKind, Kept, Library};
use game::play::saved_game::{self, KeptGame};

use super::Console;

impl Console {
    /// Records the game in this file; one that the user has named is never deleted. `kept`: what
    /// the library has of the game.
    pub(crate) fn record(&mut self, file: GameFile, is_named: bool, kept: Option<KeptGame>) {
        self.game_file = Some(file);
        self.keep_file = is_named;
        self.kept = kept.map(|KeptGame { id, state }| Entry {
            id,
            text: Some(self.pgn(&state)),
        });
        let text = self.kept.as_ref().and_then(|entry| entry.text.as_ref());
        self.keep_again = self.state().is_over() && text != Some(&self.pgn(self.state()));
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
        let text = self.pgn(self.state());
        let entry = self.kept.get_or_insert_default();
        match Library::of_user().keep(entry, GameKind::Chess, &text) {
            Ok(kept) => {
                self.keep_again = false;
                if kept == Kept::Apart {
                    self.terminal.line(
                        "The game was changed in Castellan Board; it is kept as a game of its own.",
                    );
                }
                if let Some(file) = &mut self.game_file {
                    // Without this line, the game would be kept as another one after --resume.
                    let _ = file.write(&saved_game::kept_line(&entry.id));
                }
            }
            Err(error) => {
                self.terminal
                    .line(format_args!("The game is not kept: {error}"));
                self.kept = None;
                self.keep_again = true;
            }
        }
    }

    /// Before another game begins: one that the library still lacks stays in its file.
    pub(super) fn leave(&mut self) {
        if !self.keep_again || !self.belongs_in_library() {
            return;
        }
        self.keep();
        if self.kept.is_some() {
            return;
        }
        let left = GameFile::create_in_state_dir().and_then(|next| {
            self.recorded = 0;
            let file = self.game_file.replace(next);
            file.map(|file| file.finish(true, false)).transpose()
        });
        match left {
            Ok(_) => self
                .terminal
                .line("The finished game stays in its file, which 'castellan play --games' lists."),
            Err(error) => self
                .terminal
                .line(format_args!("The game is not saved: {error}")),
        }
    }

    /// Reports the file of an unfinished game; removes that of a finished one, which the library
    /// has.
    pub(super) fn finish(&mut self) -> Result<(), GameFileError> {
        if self.kept.is_none() || self.keep_again {
            self.keep();
        }
        if self.kept.is_some() {
            self.terminal
                .line("The game is kept: Castellan Board lists it under 'Games…'.");
        }
        let is_missing = self.belongs_in_library() && self.kept.is_none();
        let unfinished = self.state().is_unfinished() || is_missing;
        if let Some(file) = self.game_file.take() {
            self.terminal
                .lines(file.finish(unfinished, self.keep_file)?);
        }
        Ok(())
    }
}
