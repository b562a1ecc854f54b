//! The commands of a game in the terminal, as typed.

use std::path::PathBuf;

use anyhow::Result;
use common::words::nearest;
use game::Side;
use movegen::Position;

use crate::terminal::command_line::CommandLine;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ConsoleCommand {
    /// Any line that starts with no other keyword.
    Move(String),
    /// A claim, possibly with an intended move.
    Draw(Option<String>),
    Offer,
    /// Lists the legal moves, of a single piece if its square is given.
    Legal(Option<String>),
    Pgn(PathBuf),
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
    Save(PathBuf),
    Load(PathBuf),
    New(Option<Side>),
    Rematch,
    Help,
    Quit,
}

/// The text of `help`: usages, and what they do.
const HELP: &str = "\
e2e4, Nf3, nf3, 0-0  play a move, by its squares or in SAN
legal SQUARE         list the moves of one piece; for a king, why it cannot castle
draw MOVE            claim a draw with the move that completes it
offer                offer a draw
pgn FILE             write the game to a new PGN file
load PGN             resume the first game of a PGN file
legal                list the legal moves
go                   let the engine make this move
draw                 claim a draw
undo                 take back your last move and the reply
redo                 replay what was taken back
resign               resign the game
hint                 show a good move
eval                 show the evaluation and the expected line
moves                show the score sheet
board, flip          show the board; turn it around
fen                  print the position as one line of text
save FILE            save the game to a new file, with its undo history
load FILE            resume a saved game
new [SIDE]           start a new game; SIDE is white, black or both
rematch              play again with the other side, when the game is over
help                 print this help
quit                 quit; an unfinished game is kept";
const FILES: &str = "Existing files are not overwritten, except those written by this game.";
/// The width of the usages.
const COLUMNS: usize = 20;

/// Parses a line; returns `None` for a blank one.
pub(super) fn parse(line: &str) -> Result<Option<ConsoleCommand>> {
    const FILE: &str = "a file name";
    let line = CommandLine::new(line);
    let keyword = line.keyword.to_ascii_lowercase();
    let optional = line.optional().map(str::to_owned);
    match keyword.as_str() {
        "" => Ok(None),
        "draw" => Ok(Some(ConsoleCommand::Draw(optional))),
        "offer" => line.alone(ConsoleCommand::Offer),
        "legal" => Ok(Some(ConsoleCommand::Legal(optional))),
        "pgn" => line.with(FILE, |path| ConsoleCommand::Pgn(path.into())),
        "undo" => line.alone(ConsoleCommand::Undo),
        "redo" => line.alone(ConsoleCommand::Redo),
        "resign" => line.alone(ConsoleCommand::Resign),
        "go" => line.alone(ConsoleCommand::Go),
        "hint" => line.alone(ConsoleCommand::Hint),
        "eval" => line.alone(ConsoleCommand::Eval),
        "fen" | "text" => line.alone(ConsoleCommand::Fen),
        "board" | "boards" => line.alone(ConsoleCommand::Board),
        "flip" => line.alone(ConsoleCommand::Flip),
        "moves" => line.alone(ConsoleCommand::Moves),
        "rematch" => line.alone(ConsoleCommand::Rematch),
        "help" | "?" => line.alone(ConsoleCommand::Help),
        "quit" | "exit" => line.alone(ConsoleCommand::Quit),
        "save" => line.with(FILE, |path| ConsoleCommand::Save(path.into())),
        "load" => line.with(FILE, |path| ConsoleCommand::Load(path.into())),
        "new" => match line
            .optional()
            .map(|side| side.to_ascii_lowercase().parse())
        {
            None => Ok(Some(ConsoleCommand::New(None))),
            Some(Ok(side)) => Ok(Some(ConsoleCommand::New(Some(side)))),
            Some(Err(_)) => Err(line.invalid("white, black or both")),
        },
        _ => Ok(Some(ConsoleCommand::Move(line.text.to_owned()))),
    }
}

/// The lines of `help`.
pub(super) fn help() -> impl Iterator<Item = &'static str> {
    HELP.lines().chain([FILES])
}

/// The usages of the commands.
fn usages() -> impl Iterator<Item = &'static str> {
    let usages = HELP.lines().skip(1);
    usages.filter_map(|line| Some(line.get(..COLUMNS)?.trim_end()))
}

/// The commands that a mistyped one may have been, without their arguments. Moves have digits.
pub(super) fn nearest_keywords(line: &str) -> Vec<&'static str> {
    let keyword = CommandLine::new(line).keyword;
    if keyword.contains(|letter: char| letter.is_ascii_digit()) {
        return Vec::new();
    }
    let words = usages().flat_map(|usage| usage.split([' ', ',']));
    let keywords = words.filter(|word| word.starts_with(char::is_lowercase));
    nearest(keyword, keywords)
}

/// The completions of the tab key: commands and legal moves.
pub(super) fn completions(position: &Position) -> Vec<String> {
    let usages = usages().flat_map(|usage| usage.split(", "));
    let sides = Side::NAMES.map(|side| format!("new {side}"));
    let commands = usages.map(|usage| match usage.split_once(' ') {
        Some((keyword, argument)) if argument.starts_with('[') => keyword.to_owned(),
        Some((keyword, argument)) if argument.starts_with(char::is_uppercase) => {
            format!("{keyword} ")
        }
        _ => usage.to_owned(),
    });
    let mut completions: Vec<String> = commands
        .filter(|command| !command.is_empty())
        .chain(sides)
        .chain(position.legal_moves().iter().map(|&mv| position.san(mv)))
        .collect();
    completions.sort();
    completions.dedup();
    completions
}
