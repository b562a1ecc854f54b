//! Games in files: the rules, where it began, and its moves, a line each.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::{Game, PlayError, Position, ReadError, Rules, TextError};
use thiserror::Error;

use common::excerpt;
use common::input::{InputError, LineReader};

/// What such a file begins with.
const FIRST_LINE: &str = "castellan tridim game 1";
/// No game fills more bytes.
const LARGEST: u64 = 1 << 22;

/// Why there is no game to go on with.
#[derive(Debug, Error)]
pub(super) enum LoadError {
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("'{}' is no saved game: it does not begin with '{FIRST_LINE}'", path.display())]
    NoGame { path: PathBuf },
    #[error("cannot load '{}', line {line}: {what}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        what: LineError,
    },
}

/// What is wrong with one line.
#[derive(Debug, Error)]
pub(super) enum LineError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("expected 'rotation on' or 'rotation off', not '{0}'")]
    Rotation(String),
    #[error("expected 'start' and a position, not '{0}'")]
    Start(String),
    #[error("expected 'move' and a move, not '{0}'")]
    Move(String),
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Refused(#[from] ReadError),
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// A game as such a file has it.
pub(super) fn text(game: &Game) -> String {
    let switch = match game.start().rules().rotation {
        true => "on",
        false => "off",
    };
    let mut text = format!("{FIRST_LINE}\nrotation {switch}\nstart {}\n", game.start());
    for (mv, position) in game.moves().zip(game.positions()) {
        text.push_str(&format!("move {}\n", position.notation(mv)));
    }
    text
}

/// The game of a file.
pub(super) fn load(path: &Path) -> Result<Game, LoadError> {
    let file = File::open(path).map_err(|source| LoadError::Read {
        path: path.into(),
        source,
    })?;
    let mut lines = LineReader::new(BufReader::new(file.take(LARGEST)));
    let mut number = 0;
    let mut next = || {
        number += 1;
        let at = |what| match what {
            InputError::Read(source) => LoadError::Read {
                path: path.into(),
                source,
            },
            other => LoadError::Line {
                path: path.into(),
                line: number,
                what: other.into(),
            },
        };
        lines.next_line().map(|line| (number, line)).map_err(at)
    };
    let wrong = |line, what| LoadError::Line {
        path: path.into(),
        line,
        what,
    };
    match next() {
        Ok((_, Some(line))) if line.trim_end() == FIRST_LINE => {}
        Err(error @ LoadError::Read { .. }) => return Err(error),
        _ => return Err(LoadError::NoGame { path: path.into() }),
    }
    let (line, text) = next()?;
    let rules = read_rules(&text.unwrap_or_default()).map_err(|what| wrong(line, what))?;
    let (line, text) = next()?;
    let start = read_start(&text.unwrap_or_default(), rules).map_err(|what| wrong(line, what))?;
    let mut game = Game::new(start);
    while let (line, Some(text)) = next()? {
        follow(&mut game, &text).map_err(|what| wrong(line, what))?;
    }
    Ok(game)
}

fn read_rules(text: &str) -> Result<Rules, LineError> {
    let rotation = match text.trim() {
        "rotation on" => true,
        "rotation off" => false,
        other => return Err(LineError::Rotation(excerpt(other))),
    };
    Ok(Rules { rotation })
}

fn read_start(text: &str, rules: Rules) -> Result<Position, LineError> {
    let position = text.strip_prefix("start ");
    let position = position.ok_or_else(|| LineError::Start(excerpt(text)))?;
    Ok(Position::from_text(position, rules)?)
}

fn follow(game: &mut Game, text: &str) -> Result<(), LineError> {
    let mv = text.strip_prefix("move ");
    let mv = mv.ok_or_else(|| LineError::Move(excerpt(text)))?;
    let mv = game.position().read_move(mv.trim())?;
    game.play(mv)?;
    Ok(())
}
