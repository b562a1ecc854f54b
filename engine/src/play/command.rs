//! The commands of the game in the terminal, as typed.

use std::path::PathBuf;

use crate::terminal::command_line::{ArgumentError, CommandLine};
use game::Side;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Any line that starts with no other keyword.
    Move(String),
    /// Of one piece, if a square is given.
    Legal(Option<String>),
    /// With an intended move, if given.
    Draw(Option<String>),
    Offer,
    Undo,
    Redo,
    Resign,
    Go,
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

/// What `help` prints.
pub(super) const HELP: [(&str, &str); 22] = [
    (
        "e2e4, Nf3, nf3, 0-0",
        "play a move, by its squares or in SAN",
    ),
    ("legal", "list the legal moves"),
    (
        "legal SQUARE",
        "list those of one piece; for a king, why it cannot castle",
    ),
    ("go", "let the engine make this move"),
    ("draw", "claim a draw"),
    ("draw MOVE", "claim a draw with the move that completes it"),
    ("offer", "offer a draw"),
    ("undo", "take back your last move and the reply"),
    ("redo", "replay what was taken back"),
    ("resign", "resign the game"),
    ("hint", "show a good move"),
    ("eval", "show the evaluation and the expected line"),
    ("moves", "show the score sheet"),
    ("board, flip", "show the board; turn it around"),
    ("fen", "print the FEN of the position"),
    ("pgn FILE", "write the game to a new PGN file"),
    (
        "save FILE",
        "save the game to a new file, with its undo history",
    ),
    (
        "load FILE",
        "resume a saved game, or the first game of a PGN file",
    ),
    (
        "new [SIDE]",
        "start a new game; SIDE is white, black or both",
    ),
    ("help", "print this help"),
    ("quit", "quit; an unfinished game is kept"),
    (
        "",
        "Existing files are not overwritten, except those written by this game.",
    ),
];

/// What the tab key completes, besides moves.
pub(super) const WORDS: [&str; 24] = [
    "legal",
    "go",
    "draw",
    "offer",
    "undo",
    "redo",
    "resign",
    "hint",
    "eval",
    "moves",
    "board",
    "flip",
    "fen",
    "pgn ",
    "save ",
    "load ",
    "new",
    "new white",
    "new black",
    "new both",
    "help",
    "quit",
    "O-O",
    "O-O-O",
];

impl Command {
    /// Returns `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, ArgumentError> {
        const FILE: &str = "a file name";
        let line = CommandLine::new(line);
        let optional = |command: fn(Option<String>) -> Command| {
            let argument = (!line.argument.is_empty()).then(|| line.argument.to_owned());
            Ok(Some(command(argument)))
        };
        match line.keyword.to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "legal" => optional(Command::Legal),
            "draw" => optional(Command::Draw),
            "offer" => line.alone(Command::Offer),
            "undo" => line.alone(Command::Undo),
            "redo" => line.alone(Command::Redo),
            "resign" => line.alone(Command::Resign),
            "go" => line.alone(Command::Go),
            "hint" => line.alone(Command::Hint),
            "eval" => line.alone(Command::Eval),
            "fen" => line.alone(Command::Fen),
            "board" => line.alone(Command::Board),
            "flip" => line.alone(Command::Flip),
            "moves" => line.alone(Command::Moves),
            "help" | "?" => line.alone(Command::Help),
            "quit" | "exit" => line.alone(Command::Quit),
            "pgn" => line.with(FILE, |path| Command::Pgn(path.into())),
            "save" => line.with(FILE, |path| Command::Save(path.into())),
            "load" => line.with(FILE, |path| Command::Load(path.into())),
            "new" if line.argument.is_empty() => Ok(Some(Command::New(None))),
            "new" => match line.argument.to_ascii_lowercase().parse::<Side>() {
                Ok(side) => Ok(Some(Command::New(Some(side)))),
                Err(_) => Err(line.invalid("white, black or both")),
            },
            _ => Ok(Some(Command::Move(line.text.to_owned()))),
        }
    }
}
