//! Commands: parsing a line of input. Pure, and without knowledge of positions, option ranges or
//! searches.

use std::path::PathBuf;

use thiserror::Error;
use vampirc_uci::{UciMessage, parse_strict};

use common::excerpt;

use crate::uci::genfens::GenFens;
use crate::uci::go::GoRequest;
use common::words::{did_you_mean, found, nearest, whole_number};
use formats::uci_position::{Base, PositionError};

/// A parsed line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UciCommand {
    Uci,
    IsReady,
    NewGame,
    Debug,
    /// Ignored: the engine needs no registration.
    Register,
    Position {
        base: Base,
        moves: Vec<String>,
    },
    Go(GoRequest),
    Stop,
    PonderHit,
    SetOption {
        name: String,
        /// Empty where none was given.
        value: String,
    },
    Quit,
    Display,
    Eval,
    Flip,
    Bench {
        depth: Option<u32>,
    },
    GenFens(GenFens),
    Help,
    Tune,
}

/// The reason a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UciCommandError {
    #[error("unknown command '{word}'{}; type 'help' for a list of commands", did_you_mean(.nearest))]
    Unknown {
        word: String,
        nearest: Vec<&'static str>,
    },

    #[error("expected 'on' or 'off' after 'debug', found {}", found(.text))]
    Debug { text: String },

    #[error("expected a depth of 1 or more after 'bench', found '{text}'")]
    Bench { text: String },

    #[error("'eval' takes no arguments, found '{text}'; 'position' sets the position")]
    Eval { text: String },

    #[error(
        "expected '<count> seed <number> [book <file>|None]' after 'genfens', found {}",
        found(.text)
    )]
    GenFens { text: String },

    #[error(
        "expected 'name <option> [value <value>]' after 'setoption', found {}", found(.text)
    )]
    SetOption { text: String },

    #[error(transparent)]
    Position(#[from] PositionError),
}

/// The commands: the name, the syntax of the arguments, and the effect.
#[rustfmt::skip]
const COMMANDS: [(&str, &str, &str); 19] = [
    ("uci", "", "print name, author and options, then uciok"),
    ("isready", "", "print readyok, also during a search"),
    ("ucinewgame", "", "clear what was learned about the previous game"),
    ("position", "startpos|fen <FEN> [moves ...]", "set the position"),
    ("go", "[<limit>]...", "search until the first limit is reached; limits are\n\
         depth N, nodes N, movetime MS, mate N, wtime MS, btime MS, winc MS, binc MS,\n\
         movestogo N, infinite, ponder, searchmoves <move>..."),
    ("go", "perft N", "count the leaf nodes below each move"),
    ("stop", "", "stop what is running; a search prints bestmove"),
    ("ponderhit", "", "the expected move was played: start the clock"),
    ("setoption", "name <option> [value <value>]", "set an option"),
    ("debug", "on|off", "ignored: nothing more would be printed"),
    ("d", "", "print the board, its FEN, key, checkers and legal moves"),
    ("eval", "", "print the static evaluation, piece by piece"),
    ("flip", "", "swap the colors"),
    ("bench", "[depth]", "run the benchmark"),
    ("genfens", "N seed S [book <file>|None]", "print N random openings for self-play"),
    ("tune", "", "list the search parameters of a tuning build"),
    ("register", "...", "ignored: no registration is needed"),
    ("help", "", "print this list"),
    ("quit", "", "exit"),
];

/// True if this is the first word of a command.
pub(crate) fn is_command(word: &str) -> bool {
    names().any(|name| name.eq_ignore_ascii_case(word))
}

/// Commands of a game in the terminal, which people type here too.
pub(super) const OF_GAMES: [&str; 6] = ["resign", "undo", "redo", "hint", "offer", "rematch"];

/// The first words of the commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.into_iter().map(|(name, ..)| name)
}

/// The text of `help`.
pub(super) fn help() -> impl Iterator<Item = String> {
    COMMANDS.into_iter().map(|(name, arguments, effect)| {
        let syntax = format!("{name} {arguments}");
        let effect = effect.replace('\n', &format!("\n{:41}", ""));
        format!("{syntax:41}{effect}")
    })
}

/// Some programs send it before their first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl UciCommand {
    /// Parses a line; `None` for a blank one.
    pub fn parse(line: &str) -> Result<Option<Self>, UciCommandError> {
        let typed = line.trim_start_matches(BYTE_ORDER_MARK);
        let line: String = typed
            .chars()
            .map(|character| {
                if character.is_whitespace() {
                    ' '
                } else {
                    character
                }
            })
            .collect();
        let (first, arguments) = split_word(&line);
        if first.is_empty() {
            return Ok(None);
        }
        if let Some(command) = extension(first, arguments) {
            return command.map(Some);
        }
        // As the protocol demands, unknown words before a command are skipped. Extensions are not
        // looked for there, since `d` and `help` occur in any sentence.
        let mut rest = line.trim();
        while !rest.is_empty() {
            if let Some(command) = protocol_command(rest) {
                return command.map(|command| Some(command.with_typed_value(typed)));
            }
            rest = split_word(rest).1;
        }
        Err(UciCommandError::Unknown {
            word: excerpt(first),
            nearest: nearest(first, names().chain(OF_GAMES)),
        })
    }

    /// With the blanks of an option's value, which ends the line, as they were typed: they may
    /// belong to a path.
    fn with_typed_value(mut self, typed: &str) -> Self {
        if let Self::SetOption { value, .. } = &mut self {
            let letters = typed.trim_end().chars().rev().take(value.chars().count());
            let letters: Vec<char> = letters.collect();
            *value = letters.into_iter().rev().collect();
        }
        self
    }
}

/// The first word, and the rest without surrounding blanks.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The command of the protocol that a text begins with, if there is one.
fn protocol_command(text: &str) -> Option<Result<UciCommand, UciCommandError>> {
    let (word, arguments) = split_word(text);
    let words = || arguments.split_whitespace().collect::<Vec<_>>();
    Some(match word.to_ascii_lowercase().as_str() {
        // The grammar is narrower than the protocol here: it keeps one of several limits, panics
        // on some numbers, and needs FENs of six fields.
        "go" => Ok(UciCommand::Go(GoRequest::parse(&words()))),
        "position" => Base::parse(&words())
            .map(|(base, moves)| UciCommand::Position { base, moves })
            .map_err(UciCommandError::from),
        "register" => Ok(UciCommand::Register),
        "setoption" => by_grammar(text)
            .or_else(|| cleared_option(text))
            .ok_or_else(|| UciCommandError::SetOption {
                text: excerpt(arguments),
            }),
        "debug" => {
            let (switch, rest) = split_word(arguments);
            let command = text.strip_suffix(rest).unwrap_or(text);
            by_grammar(command.trim_end()).ok_or_else(|| UciCommandError::Debug {
                text: excerpt(switch),
            })
        }
        // What follows a command without arguments is ignored, as the protocol demands.
        _ => Ok(by_grammar(word)?),
    })
}

/// The command that the grammar of vampirc-uci reads.
fn by_grammar(text: &str) -> Option<UciCommand> {
    match parse_strict(text).ok()?.into_iter().next()? {
        UciMessage::Uci => Some(UciCommand::Uci),
        UciMessage::IsReady => Some(UciCommand::IsReady),
        UciMessage::UciNewGame => Some(UciCommand::NewGame),
        UciMessage::Stop => Some(UciCommand::Stop),
        UciMessage::PonderHit => Some(UciCommand::PonderHit),
        UciMessage::Quit => Some(UciCommand::Quit),
        UciMessage::Debug(_) => Some(UciCommand::Debug),
        UciMessage::SetOption { name, value } => Some(UciCommand::SetOption {
            name: name.split_whitespace().collect::<Vec<_>>().join(" "),
            value: value.unwrap_or_default(),
        }),
        _ => None,
    }
}

/// A `setoption` that ends with `value`, which GUIs send to clear a string and the grammar rejects.
fn cleared_option(text: &str) -> Option<UciCommand> {
    let (before, last) = text.rsplit_once(' ')?;
    let command = by_grammar(before.trim_end())?;
    let is_cleared = matches!(&command, UciCommand::SetOption { value, .. } if value.is_empty());
    (is_cleared && last.eq_ignore_ascii_case("value")).then_some(command)
}

/// Commands beyond the protocol; `None` if `word` is not one.
fn extension(word: &str, arguments: &str) -> Option<Result<UciCommand, UciCommandError>> {
    Some(Ok(match word.to_ascii_lowercase().as_str() {
        "d" => UciCommand::Display,
        "eval" if arguments.is_empty() => UciCommand::Eval,
        "eval" => {
            let text = excerpt(arguments);
            return Some(Err(UciCommandError::Eval { text }));
        }
        "flip" => UciCommand::Flip,
        "help" => UciCommand::Help,
        "tune" => UciCommand::Tune,
        "bench" if arguments.is_empty() => UciCommand::Bench { depth: None },
        "bench" => return Some(bench(arguments)),
        "genfens" => return Some(gen_fens(arguments)),
        _ => return None,
    }))
}

/// Words after the book are ignored, as OpenBench demands.
fn gen_fens(arguments: &str) -> Result<UciCommand, UciCommandError> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let request = match words.as_slice() {
        [count, seed, number, rest @ ..] if seed.eq_ignore_ascii_case("seed") => {
            let book = match rest {
                [word, book, ..] if word.eq_ignore_ascii_case("book") => Some(*book),
                _ => None,
            };
            let book = book.filter(|book| !book.eq_ignore_ascii_case("none"));
            count
                .parse()
                .ok()
                .zip(number.parse().ok())
                .map(|(count, seed)| GenFens {
                    count,
                    seed,
                    book: book.map(PathBuf::from),
                })
        }
        _ => None,
    };
    request
        .map(UciCommand::GenFens)
        .ok_or_else(|| UciCommandError::GenFens {
            text: excerpt(arguments),
        })
}

fn bench(arguments: &str) -> Result<UciCommand, UciCommandError> {
    match whole_number(arguments) {
        Some(depth) if depth >= 1 => Ok(UciCommand::Bench {
            depth: Some(u32::try_from(depth).unwrap_or(u32::MAX)),
        }),
        _ => Err(UciCommandError::Bench {
            text: excerpt(arguments),
        }),
    }
}

#[cfg(test)]
mod tests;
