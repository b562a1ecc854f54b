//! The commands of the game in the terminal, as typed.

use std::path::PathBuf;

use common::command_line::{ArgumentError, CommandLine};
use common::excerpt;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Any line that starts with no other keyword.
    Move(String),
    /// Show the squares of castling, or why it is not legal.
    Castle,
    /// Activate the board on a pin.
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

/// Why a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    #[error("unknown command '{0}'; 'help' lists the commands")]
    Unknown(String),
}

/// What `help` prints.
pub(super) const HELP: [(&str, &str); 18] = [
    (
        "Nd1W-c3N, b2W-b4N",
        "move a piece; the letter may be omitted",
    ),
    (
        "QL1-QL3",
        "move an attack board (QL1-QL1 rotates it, with --rotation)",
    ),
    ("O-O, O-O-O", "castle"),
    (
        "a8B=Q",
        "promote a waiting pawn; a move that promotes ends with =Q",
    ),
    (
        "castle?",
        "show the squares of legal castling, or why it is not legal",
    ),
    ("board QL1", "activate a board: it must move this turn"),
    ("release", "cancel the activation"),
    ("legal", "list the legal moves"),
    ("go", "let the engine make this move"),
    ("undo, redo", "take back a move; replay it"),
    ("draw", "claim a draw"),
    ("moves", "list the moves of the game"),
    ("boards", "show the boards"),
    ("text", "print the position as one line of text"),
    ("set POSITION", "start a game from such a line"),
    ("save, load FILE", "save the game to a new file; resume it"),
    ("new", "start a new game"),
    ("help, quit", "print this help; quit"),
];

impl Command {
    /// Returns `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        const FILE: &str = "a file name";
        let line = CommandLine::new(line);
        Ok(match line.keyword.to_ascii_lowercase().as_str() {
            "" => None,
            "castle?" | "castle" => line.alone(Command::Castle)?,
            "board" => line.with("a pin", |pin| Command::Activate(pin.to_owned()))?,
            "release" => line.alone(Command::Release)?,
            "legal" => line.alone(Command::Legal)?,
            "go" => line.alone(Command::Go)?,
            "undo" => line.alone(Command::Undo)?,
            "redo" => line.alone(Command::Redo)?,
            "draw" => line.alone(Command::Draw)?,
            "moves" => line.alone(Command::Moves)?,
            "boards" => line.alone(Command::Boards)?,
            "text" => line.alone(Command::Text)?,
            "set" => line.with("a position", |text| Command::Set(text.to_owned()))?,
            "save" => line.with(FILE, |path| Command::Save(path.into()))?,
            "load" => line.with(FILE, |path| Command::Load(path.into()))?,
            "new" => line.alone(Command::New)?,
            "help" | "?" => line.alone(Command::Help)?,
            "quit" | "exit" => line.alone(Command::Quit)?,
            _ if line.argument.is_empty() => Some(Command::Move(line.keyword.to_owned())),
            _ => return Err(CommandError::Unknown(excerpt(line.text))),
        })
    }
}
