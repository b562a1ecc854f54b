//! Saved games: text files with the rules, the start position and one move per line.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use common::excerpt;
use common::files::FileError;
use common::input::{InputError, LineReader};
use thiserror::Error;

use crate::{Game, MoveError, PlayError, Position, Rules, TextError};

/// The first line of every saved game.
const SIGNATURE: &str = "castellan tridim game 1";
/// More than any game needs.
const MAX_BYTES: u64 = 1 << 22;

/// Why a saved game was not loaded.
#[derive(Debug, Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("'{}' is not a saved game: expected '{SIGNATURE}' in line 1", path.display())]
    NotASavedGame { path: PathBuf },
    #[error("cannot load '{}': line {line}: {source}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        source: LineError,
    },
}

/// What is wrong with one line.
#[derive(Debug, Error)]
pub(super) enum LineError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("expected 'rotation on' or 'rotation off', found '{0}'")]
    Rotation(String),
    #[error("expected 'start' and a position, found '{0}'")]
    Start(String),
    #[error("expected 'move' and a move, found '{0}'")]
    Move(String),
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Illegal(#[from] MoveError),
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Writes a game in the file format.
pub(super) fn text(game: &Game) -> String {
    let rotation = match game.start().rules().rotation {
        true => "on",
        false => "off",
    };
    let mut text = format!("{SIGNATURE}\nrotation {rotation}\nstart {}\n", game.start());
    for (mv, position) in game.moves().zip(game.positions()) {
        text.push_str(&format!("move {}\n", position.notation(mv)));
    }
    text
}

/// Loads a saved game.
pub(super) fn load(path: &Path) -> Result<Game, LoadError> {
    let file = File::open(path).map_err(FileError::read(path))?;
    let mut lines = LineReader::new(BufReader::new(file.take(MAX_BYTES)));
    let mut game = Game::standard(Rules::default());
    let mut number = 0;
    loop {
        number += 1;
        let line = match lines.next_line() {
            Err(InputError::Read(error)) => return Err(FileError::read(path)(error).into()),
            line => line,
        };
        let applied = match line {
            Ok(Some(line)) if number == 1 && line.trim_end() == SIGNATURE => Ok(()),
            _ if number == 1 => return Err(LoadError::NotASavedGame { path: path.into() }),
            Ok(None) if number > 3 => return Ok(game),
            Ok(line) => apply_line(&mut game, number, &line.unwrap_or_default()),
            Err(error) => Err(error.into()),
        };
        applied.map_err(|source| LoadError::Line {
            path: path.into(),
            line: number,
            source,
        })?;
    }
}

/// Applies a line after the first: rules, start position, moves.
fn apply_line(game: &mut Game, number: usize, line: &str) -> Result<(), LineError> {
    match number {
        2 => {
            let rotation = match line.trim() {
                "rotation on" => true,
                "rotation off" => false,
                other => return Err(LineError::Rotation(excerpt(other))),
            };
            *game = Game::standard(Rules { rotation });
        }
        3 => {
            let text = line.strip_prefix("start ");
            let text = text.ok_or_else(|| LineError::Start(excerpt(line)))?;
            *game = Game::new(Position::from_text(text, game.start().rules())?);
        }
        _ => {
            let text = line.strip_prefix("move ");
            let text = text.ok_or_else(|| LineError::Move(excerpt(line)))?;
            let mv = game.position().read_move(text.trim())?;
            game.play(mv)?;
        }
    }
    Ok(())
}
