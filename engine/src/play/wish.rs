//! What a person types at the board. Knows words, and no game.

use std::path::PathBuf;

use thiserror::Error;

use common::args::Side;
use common::excerpt;

/// A line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// Anything that is no other word: a move, in whichever notation.
    Move(String),
    Draw,
    Undo,
    Redo,
    Resign,
    Hint,
    Eval,
    Fen,
    Board,
    Flip,
    Moves,
    Pgn(PathBuf),
    Save(PathBuf),
    Load(PathBuf),
    New(Option<Side>),
    Help,
    Quit,
}

/// Why a line was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum WishError {
    #[error("'{word}' stands alone: nothing is done with '{rest}'")]
    NothingBehind { word: &'static str, rest: String },
    #[error("'{word}' needs the name of a file behind it")]
    FileMissing { word: &'static str },
    #[error("'new' may be followed by white, black or both, not by '{rest}'")]
    Side { rest: String },
}

/// Each word, how it is written in full, and what it does; `help` prints them.
pub(super) const HELP: [(&str, &str); 18] = [
    (
        "e2e4, Nf3, O-O",
        "a move, by its squares or as scores have it",
    ),
    ("draw", "claims a draw where the rules give one"),
    ("undo", "takes back your last move, and the answer to it"),
    ("redo", "plays what was taken back"),
    ("resign", "gives the game up"),
    ("hint", "names a good move"),
    ("eval", "says who is better, and what is expected"),
    ("moves", "lists the game's moves"),
    ("board", "draws the board again"),
    ("flip", "turns the board around"),
    ("fen", "prints the position as a FEN"),
    ("pgn FILE", "writes the game to a new file, as PGN"),
    (
        "save FILE",
        "writes the game to a new file, with what was taken back",
    ),
    (
        "load FILE",
        "goes on with a saved game, or with the first one of a PGN",
    ),
    (
        "new [SIDE]",
        "begins another game; SIDE is white, black or both",
    ),
    ("help", "prints this"),
    ("quit", "leaves; an unfinished game is kept"),
    (
        "",
        "No file is ever written over, but for one that this game has written itself.",
    ),
];

impl Wish {
    /// `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<Wish>, WishError> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        let alone = |word, wish| match rest {
            "" => Ok(Some(wish)),
            _ => Err(WishError::NothingBehind {
                word,
                rest: excerpt(rest),
            }),
        };
        let file = |word, wish: fn(PathBuf) -> Wish| match rest {
            "" => Err(WishError::FileMissing { word }),
            path => Ok(Some(wish(PathBuf::from(path)))),
        };
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "draw" => alone("draw", Wish::Draw),
            "undo" => alone("undo", Wish::Undo),
            "redo" => alone("redo", Wish::Redo),
            "resign" => alone("resign", Wish::Resign),
            "hint" => alone("hint", Wish::Hint),
            "eval" => alone("eval", Wish::Eval),
            "fen" => alone("fen", Wish::Fen),
            "board" => alone("board", Wish::Board),
            "flip" => alone("flip", Wish::Flip),
            "moves" => alone("moves", Wish::Moves),
            "help" | "?" => alone("help", Wish::Help),
            "quit" | "exit" => alone("quit", Wish::Quit),
            "pgn" => file("pgn", Wish::Pgn),
            "save" => file("save", Wish::Save),
            "load" => file("load", Wish::Load),
            "new" => match rest.to_ascii_lowercase().as_str() {
                "" => Ok(Some(Wish::New(None))),
                "white" => Ok(Some(Wish::New(Some(Side::White)))),
                "black" => Ok(Some(Wish::New(Some(Side::Black)))),
                "both" => Ok(Some(Wish::New(Some(Side::Both)))),
                _ => Err(WishError::Side {
                    rest: excerpt(rest),
                }),
            },
            _ => Ok(Some(Wish::Move(line.to_owned()))),
        }
    }
}
