//! What a person types at the boards. Knows words, and no game.

use std::path::PathBuf;

use thiserror::Error;

use common::excerpt;

/// A line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// Anything that is no other word: a move.
    Move(String),
    /// The squares involved in castling, or why there is none.
    Castle,
    /// Begins the turn with the board on a pin.
    Activate(String),
    Release,
    Legal,
    Go,
    Undo,
    Redo,
    Draw,
    Moves,
    Boards,
    Text,
    Set(String),
    Save(PathBuf),
    Load(PathBuf),
    New,
    Help,
    Quit,
}

/// Why a line was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum WishError {
    #[error("'{word}' stands alone: nothing is done with '{rest}'")]
    NothingBehind { word: String, rest: String },
    #[error("'{word}' needs {what} behind it")]
    Missing { word: String, what: &'static str },
    #[error("a move is one word, not '{0}'; 'help' lists what else can be typed")]
    Words(String),
}

/// How each word is written in full, and what it does; `help` prints them.
pub(super) const HELP: [(&str, &str); 18] = [
    (
        "Nd1W-c3N, b2W-b4N",
        "a move of a man; the letter may be left out",
    ),
    (
        "QL1-QL3",
        "a move of an attack board (QL1-QL1 turns it, with --rotation)",
    ),
    ("O-O, O-O-O", "castling"),
    (
        "a8B=Q",
        "what a waiting pawn becomes; =Q behind a move that promotes",
    ),
    (
        "castle?",
        "shows the squares of open castlings, or says why there is none",
    ),
    ("board QL1", "begins the turn with this board"),
    ("release", "lets go of it"),
    ("legal", "lists the legal moves"),
    ("go", "lets the engine make this move"),
    ("undo, redo", "takes moves back, and plays them again"),
    ("draw", "claims a draw where the rules give one"),
    ("moves", "lists the game's moves"),
    ("boards", "draws the boards again"),
    ("text", "prints the position as a line of text"),
    ("set POSITION", "begins a game from such a line"),
    (
        "save, load FILE",
        "writes the game to a new file; goes on with one",
    ),
    ("new", "begins another game"),
    ("help, quit", "prints this; leaves"),
];

impl Wish {
    /// `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<Wish>, WishError> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        let alone = |wish| match rest {
            "" => Ok(Some(wish)),
            _ => Err(WishError::NothingBehind {
                word: excerpt(word),
                rest: excerpt(rest),
            }),
        };
        let with = |what, wish: fn(&str) -> Wish| match rest {
            "" => Err(WishError::Missing {
                word: excerpt(word),
                what,
            }),
            rest => Ok(Some(wish(rest))),
        };
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "castle?" | "castle" => alone(Wish::Castle),
            "board" => with("a pin", |pin| Wish::Activate(pin.to_owned())),
            "release" => alone(Wish::Release),
            "legal" => alone(Wish::Legal),
            "go" => alone(Wish::Go),
            "undo" => alone(Wish::Undo),
            "redo" => alone(Wish::Redo),
            "draw" => alone(Wish::Draw),
            "moves" => alone(Wish::Moves),
            "boards" => alone(Wish::Boards),
            "text" => alone(Wish::Text),
            "set" => with("a position", |text| Wish::Set(text.to_owned())),
            "save" => with("the name of a file", |path| Wish::Save(path.into())),
            "load" => with("the name of a file", |path| Wish::Load(path.into())),
            "new" => alone(Wish::New),
            "help" | "?" => alone(Wish::Help),
            "quit" | "exit" => alone(Wish::Quit),
            _ if rest.is_empty() => Ok(Some(Wish::Move(word.to_owned()))),
            _ => Err(WishError::Words(excerpt(line))),
        }
    }
}
