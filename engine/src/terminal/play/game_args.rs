//! Arguments of `castellan play` about the side of the user and saved games.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use common::plural;
use formats::notation;
use game::Side;
use game::game_file::{self, GameFile};
use game::play::saved_game::{self, KeptGame};
use game::play::{Action, GameState};

use super::opponents;
use crate::output::warn;
use crate::terminal::Terminal;

#[derive(Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// The side you play
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = crate::args::side())]
    pub(crate) side: Side,
    /// Save the game to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    /// Keep an unfinished game even if the input is not a terminal
    #[arg(long)]
    keep: bool,
    /// Resume the game of the --session file, the unfinished one with this number, or the latest
    #[arg(long, value_name = "N", num_args = 0..=1, conflicts_with = "side")]
    resume: Option<Option<usize>>,
    /// List the unfinished games, the latest first
    #[arg(long, exclusive = true)]
    games: bool,
    /// Delete the unfinished game with this number
    #[arg(long, value_name = "N", exclusive = true)]
    delete: Option<usize>,
}

impl GameArgs {
    /// Lists the unfinished games or deletes one; false if the arguments ask for neither.
    pub(crate) fn list_or_delete(&self, terminal: &mut Terminal) -> Result<bool> {
        if let Some(number) = self.delete {
            let path = game_file::numbered(number)?;
            let summary = summary(&path);
            game_file::delete(&path)?;
            terminal.line(format_args!("Deleted: {summary}"));
        } else if self.games {
            let games = game_file::unfinished();
            if games.is_empty() {
                terminal.line("No unfinished games.");
            }
            let lines = games.iter().zip(1..);
            terminal.lines(lines.map(|(path, number)| format!("{number:>3}  {}", summary(path))));
        }
        terminal.check()?;
        Ok(self.games || self.delete.is_some())
    }

    /// The game to resume, or the first of a run, of which `name` describes the start; the file to
    /// record it in; and what the library has of it. Applies what is `given` about the game.
    pub(crate) fn open(
        &self,
        mut first: GameState,
        name: Option<String>,
        given: Vec<Action>,
        terminal: &mut Terminal,
    ) -> Result<(GameState, Option<GameFile>, Option<KeptGame>)> {
        if let Some(number) = self.resume {
            let (mut file, mut state, kept) = match (&self.session, number) {
                (Some(_), Some(_)) => bail!("--resume takes no number with --session"),
                (Some(path), None) => saved_game::resume(path),
                (None, Some(number)) => saved_game::resume(&game_file::numbered(number)?),
                (None, None) => saved_game::resume_latest(),
            }?;
            let recorded = state.lines().len();
            state.give(given)?;
            for line in state.lines().iter().skip(recorded) {
                file.write(line)?;
            }
            return Ok((state, Some(file), kept));
        }
        first.give(given)?;
        let is_kept = self.keep || io::stdin().is_terminal();
        let mut file = match &self.session {
            Some(path) => Some(GameFile::create(path)?),
            None if is_kept => {
                terminal.lines(unfinished_games());
                // The game can be played without a file.
                GameFile::create_in_state_dir()
                    .inspect_err(|error| warn(format_args!("the game is not saved: {error}")))
                    .ok()
            }
            None => None,
        };
        if let Some(file) = &mut file {
            for line in first.lines() {
                file.write(line)?;
            }
        }
        terminal.lines(name);
        Ok((first, file, None))
    }
}

/// Mentions the unfinished games, if there are any.
fn unfinished_games() -> Option<String> {
    match game_file::unfinished().len() {
        0 => None,
        1 => Some("An unfinished game is saved; use --resume to continue it.".to_owned()),
        count => Some(format!(
            "{count} unfinished games are saved; use --resume to continue the latest, --games to list \
             them."
        )),
    }
}

/// An unfinished game in words, or why it cannot be resumed.
fn summary(path: &Path) -> String {
    let state = match saved_game::load(path, &GameState::default()) {
        Ok((state, _)) => state,
        Err(error) => return error.to_string(),
    };
    let (game, _) = state.played();
    let moves = plural(game.moves().len().div_ceil(2), "move");
    let summary = format!("{}, {moves}", opponents(state.side));
    match game.positions().zip(game.moves()).last() {
        Some((before, mv)) => {
            let number = notation::move_number(before);
            format!("{summary}, last {number} {}", before.san(mv))
        }
        None => summary,
    }
}
