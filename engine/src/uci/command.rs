//! From a line of text to a command: pure, and without an opinion on chess.
//!
//! The grammar is `vampirc-uci`'s, behind a thin layer that finds the verb and takes over
//! wherever the grammar is narrower than the wire. Nothing here knows a position, an option's
//! range or a search.

mod go;
mod grammar;
mod position;
mod setoption;

use vampirc_uci::UciMessage;

use crate::text::whole_number;
use crate::uci::error::UciError;
use common::excerpt;

pub use go::GoRequest;

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    Debug(bool),
    /// Asks for nothing: this engine needs no registration.
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
        value: Option<String>,
    },
    Quit,
    Display,
    Eval,
    Flip,
    Bench {
        depth: Option<u32>,
    },
    Help,
    Tune,
}

/// Where the moves of a `position` command start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    Startpos,
    /// As it was typed, blanks between the fields made single.
    Fen(String),
}

/// Some programs put this before the first line they send.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Command {
    /// Reads one line. A line without words asks for nothing and is `None`.
    pub fn parse(line: &str) -> Result<Option<Command>, UciError> {
        let line: String = line
            .trim_start_matches(BYTE_ORDER_MARK)
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
        if let Some(command) = extra(first, arguments) {
            return command.map(Some);
        }
        // The protocol: skip what is unknown, try the rest of the line. Only its own verbs are
        // looked for, since single letters and plain words like `help` occur in any sentence.
        let (mut word, mut arguments) = (first, arguments);
        while !word.is_empty() {
            if let Some(command) = verb(word, arguments) {
                return command.map(Some);
            }
            (word, arguments) = split_word(arguments);
        }
        Err(UciError::UnknownCommand {
            word: excerpt(first),
        })
    }
}

/// The first word and, without blanks around it, what stands behind it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The protocol's own verbs; `None` if `word` is not one.
fn verb(word: &str, arguments: &str) -> Option<Result<Command, UciError>> {
    let words = || arguments.split_whitespace().collect::<Vec<_>>();
    Some(match word.to_ascii_lowercase().as_str() {
        "go" => go::parse(&words()),
        "position" => position::parse(&words()),
        "setoption" => setoption::parse(arguments),
        "debug" => debug(arguments),
        "register" => Ok(Command::Register),
        _ => Ok(bare(&grammar::read(word)?)?),
    })
}

/// Verbs that take nothing; whatever is behind them is ignored, as the protocol asks.
fn bare(message: &UciMessage) -> Option<Command> {
    match message {
        UciMessage::Uci => Some(Command::Uci),
        UciMessage::IsReady => Some(Command::IsReady),
        UciMessage::UciNewGame => Some(Command::NewGame),
        UciMessage::Stop => Some(Command::Stop),
        UciMessage::PonderHit => Some(Command::PonderHit),
        UciMessage::Quit => Some(Command::Quit),
        _ => None,
    }
}

fn debug(arguments: &str) -> Result<Command, UciError> {
    let (switch, _) = split_word(arguments);
    match grammar::read(&format!("debug {switch}")) {
        Some(UciMessage::Debug(on)) => Ok(Command::Debug(on)),
        _ => Err(UciError::DebugSwitch {
            text: excerpt(switch),
        }),
    }
}

/// Commands beyond the protocol, for people and scripts; `None` if `word` is not one.
fn extra(word: &str, arguments: &str) -> Option<Result<Command, UciError>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "flip" => Ok(Command::Flip),
        "help" => Ok(Command::Help),
        "tune" => Ok(Command::Tune),
        "bench" => bench(arguments),
        _ => return None,
    })
}

fn bench(arguments: &str) -> Result<Command, UciError> {
    let depth = match arguments {
        "" => None,
        text => Some(bench_depth(text)?),
    };
    Ok(Command::Bench { depth })
}

/// The depth a bench is asked for, in a session or from a shell.
pub(crate) fn bench_depth(text: &str) -> Result<u32, UciError> {
    match whole_number(text) {
        Some(depth) if depth >= 1 => Ok(u32::try_from(depth).unwrap_or(u32::MAX)),
        _ => Err(UciError::Bench {
            text: excerpt(text),
        }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Base, Command, GoRequest};
    use crate::uci::error::UciError;

    fn parse(line: &str) -> Option<Command> {
        Command::parse(line).unwrap_or_else(|error| panic!("{line:?} was refused: {error}"))
    }

    #[test]
    fn a_line_without_words_asks_for_nothing() {
        for line in ["", " ", "\t \r", "\u{feff}", "\u{3000}"] {
            assert_eq!(parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn bare_verbs_in_any_case_with_any_blanks_and_tails() {
        let verbs = [
            ("uci", Command::Uci),
            ("isready", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("register", Command::Register),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("flip", Command::Flip),
            ("help", Command::Help),
            ("tune", Command::Tune),
        ];
        for (word, command) in verbs {
            for line in [
                word.to_owned(),
                word.to_ascii_uppercase(),
                format!("  \t{word} \t"),
                format!("{word}\r"),
                format!("{word} and more"),
                format!("\u{feff}{word}"),
            ] {
                assert_eq!(parse(&line), Some(command.clone()), "{line:?}");
            }
        }
    }

    #[test]
    fn register_is_ignored_whatever_it_says() {
        for line in [
            "register",
            "register later",
            "register name A code 1",
            "register x",
        ] {
            assert_eq!(parse(line), Some(Command::Register), "{line:?}");
        }
    }

    #[test]
    fn debug_is_on_or_off() {
        assert_eq!(parse("debug on"), Some(Command::Debug(true)));
        assert_eq!(parse("debug  OFF "), Some(Command::Debug(false)));
        for (line, text) in [
            ("debug", ""),
            ("debug joho on", "joho"),
            ("debug onn", "onn"),
        ] {
            let error = Command::parse(line).expect_err(line);
            assert_eq!(
                error,
                UciError::DebugSwitch {
                    text: text.to_owned()
                }
            );
            assert!(error.to_string().contains("'on' or 'off'"));
        }
    }

    #[test]
    fn unknown_words_before_a_verb_are_skipped() {
        assert_eq!(parse("joho debug on"), Some(Command::Debug(true)));
        assert_eq!(parse("\0 uci"), Some(Command::Uci));
        assert_eq!(
            parse("well then position startpos moves e2e4"),
            Some(Command::Position {
                base: Base::Startpos,
                moves: vec!["e2e4".to_owned()]
            })
        );
        assert_eq!(
            parse("please setoption name Hash value 5"),
            Some(Command::SetOption {
                name: "Hash".to_owned(),
                value: Some("5".to_owned())
            })
        );
        assert_eq!(
            parse("xyz go depth 3"),
            Some(Command::Go(GoRequest {
                depth: Some(3),
                ..GoRequest::default()
            }))
        );
    }

    #[test]
    fn commands_beyond_the_protocol_are_not_looked_for() {
        for line in ["please help", "vitamin d", "a bench"] {
            assert!(Command::parse(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn unknown_commands_are_named() {
        for line in [
            "hello",
            "uciok",
            "readyok",
            "isreadynow",
            "gogogo 5",
            "quit\0",
        ] {
            let word = line
                .split(' ')
                .next()
                .unwrap_or_default()
                .replace('\0', "\\u{0}");
            assert_eq!(
                Command::parse(line),
                Err(UciError::UnknownCommand { word }),
                "{line:?}"
            );
        }
    }

    #[test]
    fn bench_takes_a_depth() {
        assert_eq!(parse("bench"), Some(Command::Bench { depth: None }));
        assert_eq!(parse("bench 12"), Some(Command::Bench { depth: Some(12) }));
        for line in ["bench 0", "bench -3", "bench deep", "bench 5 6"] {
            let error = Command::parse(line).expect_err(line);
            assert!(matches!(error, UciError::Bench { .. }), "{line:?}");
        }
    }

    #[test]
    fn a_huge_line_gets_a_short_answer() {
        const LENGTH: usize = 1 << 16;
        const LONGEST_ANSWER: usize = 400;
        let verbs = [
            "",
            "go",
            "go depth",
            "position",
            "position startpos",
            "setoption",
            "setoption name",
            "debug",
            "bench",
        ];
        for unit in ["x", "x ", "9", "\0", "e2e4 ", "value ", "é"] {
            let tail = unit.repeat(LENGTH / unit.len());
            for verb in verbs {
                if let Err(error) = Command::parse(&format!("{verb} {tail}")) {
                    let said = error.to_string();
                    assert!(said.len() < LONGEST_ANSWER, "{verb:?} {unit:?}: {said}");
                }
            }
        }
    }

    /// Lines made of the words the parser knows, which random text would hardly ever hit.
    fn wordy_line() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "uci",
            "go",
            "position",
            "startpos",
            "fen",
            "moves",
            "setoption",
            "name",
            "value",
            "depth",
            "mate",
            "movestogo",
            "nodes",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movetime",
            "infinite",
            "ponder",
            "searchmoves",
            "perft",
            "debug",
            "on",
            "register",
            "later",
            "id",
            "info",
            "option",
            "bestmove",
            "e2e4",
            "E7E8Q",
            "0000",
            "256",
            "999",
            "1000",
            "-1",
            "99999999999999999999",
            "1.5",
            "4k3/8/8/8/8/8/8/4K3",
            "w",
            "-",
            "KQkq",
            "0",
            "bench",
            "\0",
            "é",
            "\u{feff}",
            "",
        ]);
        prop::collection::vec(
            (word, prop::sample::select(vec![" ", "  ", "\t", "\r", ""])),
            0..12,
        )
        .prop_map(|pairs| {
            pairs
                .iter()
                .map(|(word, gap)| format!("{word}{gap}"))
                .collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Err(error) = Command::parse(&String::from_utf8_lossy(&bytes)) {
                prop_assert!(!error.to_string().contains(char::is_control));
            }
        }

        #[test]
        fn no_words_make_it_panic(line in wordy_line()) {
            if let Err(error) = Command::parse(&line) {
                prop_assert!(!error.to_string().contains(char::is_control));
            }
        }
    }
}
