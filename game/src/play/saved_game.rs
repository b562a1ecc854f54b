//! Saved games and PGN files as states of the game.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use common::files::{self, FileError};
use common::input::LineReader;
use movegen::Position;
use thiserror::Error;

use super::game_state::GameState;
use super::playable::PlayablePosition;
use super::rejection::{ActionRejected, LineError};
use crate::Side;
use crate::game_file::{self, GameFile, GameFileError, state_dir};
use crate::library::GameId;
use formats::pgn::{Games, InvalidGame};

/// The word that begins the line with a game's name in the library.
const KEPT: &str = "kept";

/// The reason a game cannot be loaded from a file.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error(transparent)]
    File(#[from] GameFileError),
    #[error("cannot load '{}': line {number}: {error}", path.display())]
    Line {
        path: PathBuf,
        number: u32,
        error: LineError,
    },
    #[error("no game in '{}'", path.display())]
    NoGame { path: PathBuf },
    #[error("cannot load '{}': {error}", path.display())]
    Pgn {
        path: PathBuf,
        error: Box<InvalidGame>,
    },
    #[error("cannot load '{}': move {number}: {error}", path.display())]
    PgnMove {
        path: PathBuf,
        number: usize,
        error: ActionRejected,
    },
}

/// A game as it was when the library got it.
#[derive(Debug)]
pub struct KeptGame {
    pub id: GameId,
    pub state: GameState,
}

/// The line after the end of a game that the library has under this name.
pub fn kept_line(id: &GameId) -> String {
    format!("{KEPT} {id}")
}

/// Writes a game in the file format.
pub fn text<P: PlayablePosition>(state: &GameState<P>) -> String {
    file(P::SIGNATURE, state.lines())
}

/// The file of some lines.
pub fn file(signature: &str, lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("{line}\n"));
    format!("{signature}\n{}", lines.collect::<String>())
}

/// Loads a saved game, or the first one of a PGN file with the side, the clocks and the strength of
/// another game.
pub fn load(path: &Path, other: &GameState) -> Result<(GameState, Vec<String>), LoadError> {
    match game_file::read(path) {
        Err(GameFileError::NotASavedGame { .. }) => read_pgn(path, other),
        lines => Ok((replay(path, &lines?, other.side)?.0, Vec::new())),
    }
}

/// A file, its game, and what the library has of that.
pub type Resumed = (GameFile, GameState, Option<KeptGame>);

/// Opens a file to continue its game.
pub fn resume(path: &Path) -> Result<Resumed, LoadError> {
    let (file, lines) = GameFile::open(path)?;
    let (state, kept) = replay(path, &lines, Side::White)?;
    Ok((file, state, kept))
}

/// Resumes the latest unfinished game that can be resumed: it may be in use or invalid.
pub fn resume_latest() -> Result<Resumed, LoadError> {
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
fn replay(
    path: &Path,
    lines: &[u8],
    side: Side,
) -> Result<(GameState, Option<KeptGame>), LoadError> {
    let mut lines = LineReader::new(lines);
    let mut state = GameState::new(Position::default(), side);
    let mut kept = None;
    for number in 2.. {
        let followed = match lines.next_line() {
            Ok(None) => break,
            Ok(Some(line)) => follow_line(&mut state, &mut kept, &line),
            Err(error) => Err(error.into()),
        };
        followed.map_err(|error| LoadError::Line {
            path: path.into(),
            number,
            error,
        })?;
    }
    Ok((state, kept))
}

fn follow_line(
    state: &mut GameState,
    kept: &mut Option<KeptGame>,
    line: &str,
) -> Result<(), LineError> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    if word == KEPT
        && let Ok(id) = GameId::try_from(rest.to_owned())
    {
        let state = state.clone();
        *kept = Some(KeptGame { id, state });
        return Ok(());
    }
    state.follow(line)?;
    // The first line, or the first move after a claim, begins another game.
    if state.lines().len() == 1 || word == "move" && state.game.moves().len() == 1 {
        *kept = None;
    }
    Ok(())
}

fn read_pgn(path: &Path, other: &GameState) -> Result<(GameState, Vec<String>), LoadError> {
    let path = || path.to_owned();
    let file = files::open(&path()).map_err(GameFileError::from)?;
    let mut games = Games::new(BufReader::new(file), None);
    let game = games.next_game().map_err(FileError::read(&path()));
    let game = game.map_err(GameFileError::from)?;
    let game = game.ok_or_else(|| LoadError::NoGame { path: path() })?;
    let game = game.map_err(|error| LoadError::Pgn {
        path: path(),
        error: Box::new(error),
    })?;
    let state = GameState::from_pgn(&game, other);
    let state = state.map_err(|(number, error)| LoadError::PgnMove {
        path: path(),
        number,
        error,
    })?;
    Ok((state, game.warnings))
}
