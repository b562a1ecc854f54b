//! Loads games: saved ones, or the first of a PGN file.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game_state::{Action, ActionRejected, GameState, NewGame};
use super::saved_game::{SavedGameError, SavedState};
use crate::formats::pgn::{Games, InvalidGame};
use common::args::Side;

/// Why a file was not loaded.
#[derive(Debug, Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    SavedGame(#[from] SavedGameError),
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot load '{}': {broken}", path.display())]
    Broken { path: PathBuf, broken: InvalidGame },
    #[error("cannot load '{}': move {number}: {error}", path.display())]
    ConsoleError {
        path: PathBuf,
        number: usize,
        error: ActionRejected,
    },
    #[error("no game in '{}'", path.display())]
    Empty { path: PathBuf },
}

/// Returns the actions that lead to the game; all of them are legal. PGN does not record the
/// user's side.
pub(super) fn actions(path: &Path, side: Side) -> Result<Vec<Action>, LoadError> {
    let actions = match SavedState::read(path) {
        Ok(saved) => saved.actions,
        Err(SavedGameError::NotASavedGame { .. }) => from_pgn(path, side)?,
        Err(error) => return Err(error.into()),
    };
    match actions.is_empty() {
        true => Err(LoadError::Empty { path: path.into() }),
        false => Ok(actions),
    }
}

fn from_pgn(path: &Path, side: Side) -> Result<Vec<Action>, LoadError> {
    let unreadable = |source| LoadError::Read {
        path: path.into(),
        source,
    };
    let file = File::open(path).map_err(unreadable)?;
    let mut games = Games::new(BufReader::new(file), usize::MAX);
    let Some(game) = games.next_game().map_err(unreadable)? else {
        return Ok(Vec::new());
    };
    let game = game.map_err(|broken| LoadError::Broken {
        path: path.into(),
        broken,
    })?;
    let variant = game.variant;
    let new_game = NewGame {
        start: game.start,
        variant,
        side,
    };
    let mut tried = GameState::new(new_game);
    let mut actions = vec![Action::Begin(Box::new(new_game))];
    for (mv, number) in game.moves().zip(1..) {
        let action = Action::Move { mv, variant };
        // A PGN game may continue after the rules have ended it.
        tried
            .apply(&action)
            .map_err(|error| LoadError::ConsoleError {
                path: path.into(),
                number,
                error,
            })?;
        actions.push(action);
    }
    Ok(actions)
}
