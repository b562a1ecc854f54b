//! The commands of the game in the terminal, as typed.

use std::path::PathBuf;

use crate::terminal::command_line::{ArgumentError, CommandLine};
use clap::ValueEnum;
use common::excerpt;
use game::Side;
use thiserror::Error;

use tridim::{Move, Position};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Any line that starts with no other keyword.
    Move(String),
    /// Show the squares of castling, or why it is not legal.
    Castle,
    /// Activate the board on a pin.
    Activate(String),
    Release,
    /// Of the piece on a square or the board on a pin, if given.
    Legal(Option<String>),
    Go,
    Hint,
    Eval,
    Undo,
    Redo,
    Draw,
    Resign,
    Moves,
    Boards,
    Flip,
    Fen,
    Notation(NotationStyle),
    Set(String),
    Save(PathBuf),
    Load(PathBuf),
    New(Option<Side>),
    Help,
    Quit,
}

/// How moves are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum NotationStyle {
    /// Both squares: b2W-b4N
    Full,
    /// As Meder prints games: b4N
    Short,
}

impl NotationStyle {
    /// Writes a legal move.
    pub(super) fn write(self, position: &Position, mv: Move) -> String {
        match self {
            NotationStyle::Full => position.notation(mv),
            NotationStyle::Short => position.short_notation(mv),
        }
    }
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
pub(super) const HELP: [(&str, &str); 25] = [
    (
        "b2W-b4N, Nd1W-c3N",
        "move a piece; the letter may be omitted",
    ),
    (
        "b4N, Nc3N, axb3W",
        "the same as Meder writes it, if it is unambiguous",
    ),
    (
        "QL1-QL3, QL3",
        "move an attack board (QL1-QL1 rotates it, with --rotation)",
    ),
    ("O-O, O-O-O", "castle"),
    (
        "a8B=Q, a8BQ",
        "promote a pawn, also one that waited; a move that promotes ends with =Q",
    ),
    (
        "castle?",
        "show the squares of legal castling, or why it is not legal",
    ),
    ("board QL1", "activate a board: it must move this turn"),
    ("release", "cancel the activation"),
    ("legal", "list the legal moves"),
    (
        "legal SQUARE|PIN",
        "list those of one piece or board; for a king, why it cannot castle",
    ),
    ("go", "let the engine make this move"),
    ("hint", "show a good move"),
    ("eval", "show the evaluation and the expected line"),
    ("undo, redo", "take back a move; replay it"),
    ("draw", "claim a draw"),
    ("resign", "resign the game"),
    ("moves", "show the score sheet"),
    ("boards, flip", "show the boards; turn them around"),
    ("fen", "print the position as one line of text"),
    ("set POSITION", "start a game from such a line"),
    (
        "notation STYLE",
        "print moves in full, or short as Meder does",
    ),
    ("save, load FILE", "save the game to a new file; resume it"),
    (
        "new [SIDE]",
        "start a new game; SIDE is white, black or both",
    ),
    ("help", "print this help"),
    ("quit", "quit; an unfinished game is kept"),
];

/// What the tab key completes, besides moves.
pub(super) const WORDS: [&str; 26] = [
    "castle?",
    "board ",
    "release",
    "legal",
    "go",
    "hint",
    "eval",
    "undo",
    "redo",
    "draw",
    "resign",
    "moves",
    "boards",
    "flip",
    "fen",
    "set ",
    "notation full",
    "notation short",
    "save ",
    "load ",
    "new",
    "new white",
    "new black",
    "new both",
    "help",
    "quit",
];

impl Command {
    /// Returns `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        const FILE: &str = "a file name";
        let line = CommandLine::new(line);
        Ok(match line.keyword.to_ascii_lowercase().as_str() {
            "" => None,
            "castle?" | "castle" => line.alone(Command::Castle)?,
            "board" if line.argument.is_empty() => Some(Command::Boards),
            "board" => Some(Command::Activate(line.argument.to_owned())),
            "release" => line.alone(Command::Release)?,
            "legal" if line.argument.is_empty() => Some(Command::Legal(None)),
            "legal" => Some(Command::Legal(Some(line.argument.to_owned()))),
            "go" => line.alone(Command::Go)?,
            "hint" => line.alone(Command::Hint)?,
            "eval" => line.alone(Command::Eval)?,
            "undo" => line.alone(Command::Undo)?,
            "redo" => line.alone(Command::Redo)?,
            "draw" => line.alone(Command::Draw)?,
            "resign" => line.alone(Command::Resign)?,
            "moves" => line.alone(Command::Moves)?,
            "boards" => line.alone(Command::Boards)?,
            "flip" => line.alone(Command::Flip)?,
            "fen" | "text" => line.alone(Command::Fen)?,
            "notation" => match NotationStyle::from_str(line.argument, true) {
                Ok(style) => Some(Command::Notation(style)),
                Err(_) => return Err(line.invalid("full or short").into()),
            },
            "set" => line.with("a position", |text| Command::Set(text.to_owned()))?,
            "save" => line.with(FILE, |path| Command::Save(path.into()))?,
            "load" => line.with(FILE, |path| Command::Load(path.into()))?,
            "new" if line.argument.is_empty() => Some(Command::New(None)),
            "new" => match line.argument.to_ascii_lowercase().parse::<Side>() {
                Ok(side) => Some(Command::New(Some(side))),
                Err(_) => return Err(line.invalid("white, black or both").into()),
            },
            "help" | "?" => line.alone(Command::Help)?,
            "quit" | "exit" => line.alone(Command::Quit)?,
            _ if line.argument.is_empty() => Some(Command::Move(line.keyword.to_owned())),
            _ => return Err(CommandError::Unknown(excerpt(line.text))),
        })
    }
}
