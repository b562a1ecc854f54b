//! Saved games and PGN files as states of the game.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use common::files::{self, FileError};
use common::input::LineReader;
use movegen::{Position, Variant};
use thiserror::Error;

use super::action::{ActionRejected, LineError};
use super::game_state::GameState;
use super::playable::PlayablePosition;
use crate::Side;
use crate::game_file::{GameFile, GameFileError};
use crate::library::GameKind;
use formats::pgn::{Games, InvalidGame};

/// The reason a game cannot be saved, resumed or loaded.
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
        source: LineError,
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

/// Writes a game in the file format.
pub fn text<P: PlayablePosition>(state: &GameState<P>) -> String {
    let lines = state.lines().iter().map(|line| format!("{line}\n"));
    format!("{}\n{}", P::FORMAT.signature, lines.collect::<String>())
}

fn load<P: PlayablePosition>(path: &Path, side: Side) -> Result<GameState<P>, SavedGameError> {
    replay(path, &P::FORMAT.read(path)?, side)
}

/// A kind of game with the forms in which its games are kept.
pub trait SavedPosition: PlayablePosition {
    const KIND: GameKind;

    /// The game as the library keeps it, with the names of White and Black.
    fn kept(state: &GameState<Self>, _names: [&str; 2]) -> String {
        text(state)
    }

    /// Loads a game from a file; `side` is the user's in one that does not name it.
    fn load(path: &Path, side: Side) -> Result<GameState<Self>, SavedGameError> {
        load(path, side)
    }
}

impl SavedPosition for Position {
    const KIND: GameKind = GameKind::Chess;

    fn kept(state: &GameState, [white, black]: [&str; 2]) -> String {
        state.pgn(white, black)
    }

    /// A saved game, or the first one of a PGN file.
    fn load(path: &Path, side: Side) -> Result<GameState, SavedGameError> {
        match load(path, side) {
            Err(SavedGameError::GameFile(GameFileError::NotASavedGame { .. })) => {
                read_pgn(path, side)
            }
            loaded => loaded,
        }
    }
}

impl SavedPosition for tridim::Position {
    const KIND: GameKind = GameKind::Tridim;
}

/// Opens a file to continue its game.
pub fn resume<P: PlayablePosition>(
    path: &Path,
) -> Result<(GameFile, GameState<P>), SavedGameError> {
    let (file, lines) = P::FORMAT.open(path)?;
    Ok((file, replay(path, &lines, Side::White)?))
}

/// Follows the lines after the signature.
fn replay<P: PlayablePosition>(
    path: &Path,
    lines: &[u8],
    side: Side,
) -> Result<GameState<P>, SavedGameError> {
    let mut lines = LineReader::new(lines);
    let mut state = GameState::new(P::standard_start(), side);
    for number in 2.. {
        let line = lines.next_line().map_err(LineError::from);
        let followed = line
            .and_then(|line| line.map(|line| state.follow(&line)).transpose())
            .map_err(|source| SavedGameError::Line {
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
    let game = game
        .ok_or_else(|| SavedGameError::NoGame { path: path.into() })?
        .map_err(|source| SavedGameError::Pgn {
            path: path.into(),
            source: source.into(),
        })?;
    GameState::from_pgn(&game, side).map_err(|(number, source)| SavedGameError::PgnMove {
        path: path.into(),
        number,
        source,
    })
}
