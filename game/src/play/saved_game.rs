//! Saved games and PGN files as states of the game.

use std::fmt;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::Side;
use crate::game_file::{GameFile, GameFileError, GameFormat};
use common::files::{self, FileError};
use common::input::LineReader;
use common::plural;
use movegen::Variant;
use thiserror::Error;

use super::action::{Action, ActionError, ActionRejected, NewGame};
use super::game_state::GameState;
use crate::notation;
use crate::pgn::{Games, InvalidGame};

pub const FORMAT: GameFormat = GameFormat {
    signature: "castellan game 1",
    extension: "game",
};

/// Why a game cannot be saved, resumed or loaded.
#[derive(Debug, Error)]
pub enum SavedGameError {
    #[error(transparent)]
    GameFile(#[from] GameFileError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot load '{}': line {line}: {source}", path.display())]
    Line {
        path: PathBuf,
        line: u64,
        source: ActionError,
    },
    #[error("cannot load '{}': {source}", path.display())]
    Pgn {
        path: PathBuf,
        source: Box<InvalidGame>,
    },
    #[error("cannot load '{}': move {number}: {source}", path.display())]
    PgnMove {
        path: PathBuf,
        number: usize,
        source: ActionRejected,
    },
    #[error("no game in '{}'", path.display())]
    NoGame { path: PathBuf },
}

/// Opens a file to continue its game.
pub fn resume(path: &Path) -> Result<(GameFile, GameState), SavedGameError> {
    let (file, lines) = FORMAT.open(path)?;
    Ok((file, replay(path, &lines)?))
}

/// An unfinished game as a list shows it.
#[derive(Debug)]
pub struct Summary(PathBuf);

/// The unfinished games, the latest first.
pub fn summaries() -> Vec<Summary> {
    FORMAT.unfinished().into_iter().map(Summary).collect()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary(path) = self;
        let state = match FORMAT.read(path).map(|lines| replay(path, &lines)) {
            Ok(Ok(state)) => state,
            Ok(Err(error)) => return write!(f, "{error}"),
            Err(error) => return write!(f, "{error}"),
        };
        let side = state.side.description();
        let plies = state.game.moves().len();
        write!(f, "{side}, {}", plural(plies.div_ceil(2), "move"))?;
        let positions: Vec<_> = state.game.positions().rev().take(2).collect();
        if let (Some(mv), [_, before]) = (state.last_move(), positions.as_slice()) {
            let number = notation::move_number(before);
            write!(f, ", last {number} {}", before.san(mv))?;
        }
        Ok(())
    }
}

/// Writes a game in the file format.
pub fn text(state: &GameState) -> String {
    let actions = state.actions().iter().map(|action| format!("{action}\n"));
    format!("{}\n{}", FORMAT.signature, actions.collect::<String>())
}

/// Loads a saved game, or the first game of a PGN file, which does not record the user's side.
pub fn load(path: &Path, side: Side) -> Result<GameState, SavedGameError> {
    match FORMAT.read(path) {
        Ok(lines) => replay(path, &lines),
        Err(GameFileError::NotASavedGame { .. }) => read_pgn(path, side),
        Err(error) => Err(error.into()),
    }
}

/// Follows the lines after the signature.
fn replay(path: &Path, lines: &[u8]) -> Result<GameState, SavedGameError> {
    let mut lines = LineReader::new(lines);
    let mut state = GameState::default();
    for number in 2.. {
        let line = lines.next_line().map_err(ActionError::from);
        let followed = line.and_then(|line| match line {
            Some(line) => state.follow(&line).map(Some),
            None => Ok(None),
        });
        let followed = followed.map_err(|source| SavedGameError::Line {
            path: path.into(),
            line: number,
            source,
        })?;
        if followed.is_none() {
            break;
        }
    }
    Ok(state)
}

fn read_pgn(path: &Path, side: Side) -> Result<GameState, SavedGameError> {
    let file = files::open(path)?;
    let mut games = Games::annotated(BufReader::new(file), Variant::Standard);
    let game = games.next_game().map_err(FileError::read(path))?;
    let game = game.ok_or_else(|| SavedGameError::NoGame { path: path.into() })?;
    let game = game.map_err(|source| SavedGameError::Pgn {
        path: path.into(),
        source: source.into(),
    })?;
    let variant = game.variant;
    let mut state = GameState::new(NewGame {
        start: game.start,
        variant,
        side,
    });
    let tags = game.tags.iter();
    let tags = tags.map(|(name, value)| Action::Tag(name.to_owned(), value.to_owned()));
    let moves = game.main_line.moves.iter().map(|node| Action::Move {
        mv: node.mv,
        variant,
        clock: node.comment.clock,
    });
    let result = Action::Result(game.result);
    let tag_count = game.tags.iter().count();
    for (number, action) in tags.chain(moves).chain([result]).enumerate() {
        // A PGN game may continue after the rules have ended it.
        state
            .apply(action)
            .map_err(|source| SavedGameError::PgnMove {
                path: path.into(),
                number: (number + 1).saturating_sub(tag_count),
                source,
            })?;
    }
    Ok(state)
}
