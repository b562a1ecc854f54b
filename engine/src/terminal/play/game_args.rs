//! Arguments of `castellan play` about the side of the user and saved games.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::Result;
use game::Side;
use game::game_file::{self, GameFile};
use game::play::saved_game;
use game::play::{Action, ActionRejected, GameState};

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
    /// Resume the game of the --session file, or the latest unfinished one
    #[arg(long, conflicts_with = "side")]
    resume: bool,
}

impl GameArgs {
    /// The game to resume, or the first of a run, of which `name` describes the start; and the
    /// file to record it in. Applies what is `given` about the game.
    pub(crate) fn open(
        &self,
        mut first: GameState,
        name: Option<String>,
        given: &[Action],
        terminal: &mut Terminal,
    ) -> Result<(GameState, Option<GameFile>)> {
        if self.resume {
            let (mut file, mut state) = match &self.session {
                Some(path) => saved_game::resume(path),
                None => saved_game::resume_latest(),
            }?;
            // Nothing can be given to a game that is over.
            if !state.is_over() {
                let recorded = state.lines().len();
                apply(&mut state, given)?;
                for line in state.lines().iter().skip(recorded) {
                    file.write(line)?;
                }
            }
            return Ok((state, Some(file)));
        }
        apply(&mut first, given)?;
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
        Ok((first, file))
    }
}

fn apply(state: &mut GameState, actions: &[Action]) -> Result<(), ActionRejected> {
    actions
        .iter()
        .try_for_each(|action| state.apply(action).map(drop))
}

/// Mentions the unfinished games, if there are any.
fn unfinished_games() -> Option<String> {
    match game_file::unfinished().len() {
        0 => None,
        1 => Some("An unfinished game is saved; use --resume to continue it.".to_owned()),
        count => Some(format!(
            "{count} unfinished games are saved; use --resume to continue the latest."
        )),
    }
}
