//! Saved games and PGN files as states of the game.

use std::fmt::Display;
use std::io::BufReader;
use std::path::Path;

use common::files::{self, FileError};
use common::input::LineReader;
use movegen::Position;

use super::game_state::GameState;
use super::playable::{PlayablePosition, TextError};
use crate::Side;
use crate::game_file::{self, GameFile, GameFileError, state_dir};
use formats::pgn::Games;

/// Writes a game in the file format.
pub fn text<P: PlayablePosition>(state: &GameState<P>) -> String {
    let lines = state.lines().iter().map(|line| format!("{line}\n"));
    format!("{}\n{}", P::SIGNATURE, lines.collect::<String>())
}

/// Loads a saved game, or the first one of a PGN file; `side` is the user's in one that does not
/// name it.
pub fn load(path: &Path, side: Side) -> Result<GameState, TextError> {
    match game_file::read(path) {
        Err(GameFileError::NotASavedGame { .. }) => read_pgn(path, side),
        lines => replay(path, &lines?, side),
    }
}

/// Opens a file to continue its game.
pub fn resume(path: &Path) -> Result<(GameFile, GameState), TextError> {
    let (file, lines) = GameFile::open(path)?;
    Ok((file, replay(path, &lines, Side::White)?))
}

/// Resumes the latest unfinished game that can be resumed: it may be in use or invalid.
pub fn resume_latest() -> Result<(GameFile, GameState), TextError> {
    let mut first_error = None;
    for path in game_file::unfinished() {
        match resume(&path) {
            Ok(resumed) => return Ok(resumed),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(match first_error {
        Some(error) => error,
        None => GameFileError::NoneUnfinished {
            state_dir: state_dir()?,
        }
        .into(),
    })
}

/// Follows the lines after the signature.
fn replay(path: &Path, lines: &[u8], side: Side) -> Result<GameState, TextError> {
    let mut lines = LineReader::new(lines);
    let mut state = GameState::new(Position::default(), side);
    for number in 2.. {
        let line = lines.next_line().map_err(TextError::from);
        let followed = line
            .and_then(|line| line.map(|line| state.follow(&line)).transpose())
            .map_err(|error| cannot_load(path, format_args!("line {number}: {error}")))?;
        if followed.is_none() {
            break;
        }
    }
    Ok(state)
}

fn read_pgn(path: &Path, side: Side) -> Result<GameState, TextError> {
    let file = files::open(path)?;
    let mut games = Games::new(BufReader::new(file), None);
    let game = games.next_game().map_err(FileError::read(path))?;
    let game = game
        .ok_or_else(|| format!("no game in '{}'", path.display()))?
        .map_err(|error| cannot_load(path, error))?;
    GameState::from_pgn(&game, side)
        .map_err(|(number, error)| cannot_load(path, format_args!("move {number}: {error}")))
}

fn cannot_load(path: &Path, problem: impl Display) -> TextError {
    format!("cannot load '{}': {problem}", path.display()).into()
}
