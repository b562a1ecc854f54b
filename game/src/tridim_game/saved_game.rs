//! Saved games: text files with the rules, the start position and one action per line.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::Side;
use crate::game_file::{GameFile, GameFileError, GameFormat};
use common::input::LineReader;
use common::plural;
use thiserror::Error;

use super::game_state::{GameState, LineError, rules};
use tridim::{Position, Rules};

pub const FORMAT: GameFormat = GameFormat {
    signature: "castellan tridim game 1",
    extension: "tridim",
};

/// Why a saved game was not loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error(transparent)]
    File(#[from] GameFileError),
    #[error("cannot load '{}': line {line}: {source}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Writes a game in the file format.
pub fn text(state: &GameState) -> String {
    let lines = state.lines().iter().map(|line| format!("{line}\n"));
    format!("{}\n{}", FORMAT.signature, lines.collect::<String>())
}

/// Loads a saved game. Older ones do not record the side of the user.
pub fn load(path: &Path, side: Side) -> Result<GameState, LoadError> {
    replay(path, &FORMAT.read(path)?, side)
}

/// Opens a file to continue its game.
pub fn resume(path: &Path, side: Side) -> Result<(GameFile, GameState), LoadError> {
    let (file, lines) = FORMAT.open(path)?;
    Ok((file, replay(path, &lines, side)?))
}

/// Follows the lines after the signature.
fn replay(path: &Path, lines: &[u8], side: Side) -> Result<GameState, LoadError> {
    let mut lines = LineReader::new(lines);
    let mut state = GameState::new(Position::start(Rules::default()), side);
    for number in 2.. {
        let followed = match lines.next_line() {
            Ok(None) if number > 3 => break,
            Ok(line) => follow(&mut state, number, &line.unwrap_or_default(), side),
            Err(error) => Err(error.into()),
        };
        followed.map_err(|source| LoadError::Line {
            path: path.into(),
            line: number,
            source: source.into(),
        })?;
    }
    Ok(state)
}

/// The first two lines are the rules and the start position.
fn follow(state: &mut GameState, number: usize, line: &str, side: Side) -> Result<(), LineError> {
    match number {
        2 => *state = GameState::new(Position::start(rules(line)?), side),
        3 if !line.starts_with("start ") => return Err(LineError::Start(common::excerpt(line))),
        _ => state.follow(line)?,
    }
    Ok(())
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
        let state = match load(path, Side::White) {
            Ok(state) => state,
            Err(error) => return write!(f, "{error}"),
        };
        let side = state.side.description();
        let number = state.game.position().move_number();
        let plies = plural(state.game.moves().len(), "half-move");
        write!(f, "{side}, {plies}, now move {number}")
    }
}
