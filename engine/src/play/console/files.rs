//! The files of a game: the one it is recorded in, saved games and PGN.

use std::path::Path;
use std::time::Instant;

use movegen::Color;

use super::{Console, ConsoleError};
use crate::play::{saved_game, view};
use game::play::Action;

impl Console {
    /// Appends a line to the file of the game.
    pub(super) fn save(&mut self, line: &str) {
        if let Some(game_file) = &mut self.game_file
            && let Err(error) = game_file.write(line)
        {
            self.terminal
                .line(format_args!("The game is no longer saved: {error}"));
            self.game_file = None;
        }
    }

    pub(super) fn write_pgn(&mut self, path: &Path) -> Result<(), ConsoleError> {
        let [white, black] = Color::ALL.map(|color| self.player_name(color));
        self.own_files
            .write(path, &self.state.pgn(&white, &black))?;
        self.terminal
            .line(format_args!("Game saved to '{}'.", path.display()));
        Ok(())
    }

    pub(super) fn save_to(&mut self, path: &Path) -> Result<(), ConsoleError> {
        self.own_files.write(path, &saved_game::text(&self.state))?;
        self.terminal
            .line(format_args!("Game saved to '{}'.", path.display()));
        Ok(())
    }

    /// Loads a saved game or the first game of a PGN file.
    pub(super) fn load(&mut self, path: &Path) -> Result<(), ConsoleError> {
        self.state = saved_game::load(path, self.state.side)?;
        let lines: Vec<String> = self.state.actions().iter().map(Action::to_string).collect();
        for line in lines {
            self.save(&line);
        }
        self.turn_started = Instant::now();
        self.end_policy.new_game();
        self.board_style.orientation = view(self.state.side);
        self.show();
        self.show_status();
        Ok(())
    }

    /// Reports the file of an unfinished game; removes that of a finished one.
    pub(super) fn finish(&mut self) {
        let unfinished = self.state.is_unfinished();
        let file = self.game_file.take();
        let message = file.and_then(|file| file.finish(unfinished, self.keep_file));
        self.terminal.lines(message);
    }
}
