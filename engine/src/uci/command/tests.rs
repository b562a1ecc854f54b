//! UciCommand parsing: valid lines, errors, and arbitrary input.

use proptest::prelude::*;
use test_common::table;

use super::{Base, GoRequest, UciCommand, UciCommandError, names};

fn parse(line: &str) -> Option<UciCommand> {
    UciCommand::parse(line).unwrap_or_else(|error| panic!("{line:?} is rejected: {error}"))
}

const COMMANDS_WITHOUT_ARGUMENTS: [(&str, UciCommand); 11] = [
    ("uci", UciCommand::Uci),
    ("isready", UciCommand::IsReady),
    ("ucinewgame", UciCommand::NewGame),
    ("stop", UciCommand::Stop),
    ("ponderhit", UciCommand::PonderHit),
    ("quit", UciCommand::Quit),
    ("register", UciCommand::Register),
    ("d", UciCommand::Display),
    ("flip", UciCommand::Flip),
    ("help", UciCommand::Help),
    ("tune", UciCommand::Tune),
];

#[test]
fn blank_lines_are_ignored() {
    for line in ["", " ", "\t \r", "\u{feff}", "\u{3000}"] {
        assert_eq!(parse(line), None, "{line:?}");
    }
}

#[test]
fn commands_without_arguments_in_any_case_with_any_blanks_and_tails() {
    for (word, command) in COMMANDS_WITHOUT_ARGUMENTS {
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
fn arguments_and_unknown_words_before_commands() {
    let position = UciCommand::Position {
        base: Base::Startpos,
        moves: vec!["e2e4".to_owned()],
    };
    let go = UciCommand::Go(GoRequest {
        depth: Some(3),
        ..GoRequest::default()
    });
    for (line, command) in [
        ("register name A code 1", UciCommand::Register),
        ("Eval ", UciCommand::Eval),
        ("debug on", UciCommand::Debug),
        ("debug  OFF ", UciCommand::Debug),
        ("bench", UciCommand::Bench { depth: None }),
        ("bench 12", UciCommand::Bench { depth: Some(12) }),
        ("joho debug on", UciCommand::Debug),
        ("\0 uci", UciCommand::Uci),
        ("well then position startpos moves e2e4", position),
        ("xyz go depth 3", go),
    ] {
        assert_eq!(parse(line), Some(command), "{line:?}");
    }
}

/// After `setoption`: the name and the value.
const OPTIONS: &str = r"
name Hash value 64                          | Hash           | 64
name Clear Hash                             | Clear Hash     |
\tNAME  Move   Overhead  VALUE  30 \t        | Move Overhead  | 30
name UCI_Opponent value GM 2800 human Gary Kasparov | UCI_Opponent | GM 2800 human Gary Kasparov
name Debug Log File value my  logs/a value b.txt | Debug Log File | my  logs/a value b.txt
name Debug Log File value                   | Debug Log File |
name Debug Log File value \t                | Debug Log File |
name Debug Log File VALUE\t                 | Debug Log File |
name X value value                          | X              | value
name X value a\rquit \t\u3000b                | X              | a\rquit \t\u3000b
";

#[test]
fn setoption_names_and_values() {
    for [arguments, name, value] in table(OPTIONS) {
        let [arguments, value] = [arguments, value].map(|text| {
            let blanks = [(r"\t", "\t"), (r"\r", "\r"), (r"\u3000", "\u{3000}")];
            let replace = |text: String, (name, blank)| text.replace(name, blank);
            blanks.into_iter().fold(text.to_owned(), replace)
        });
        for word in ["setoption", "  SETOPTION", "please setoption"] {
            let expected = UciCommand::SetOption {
                name: name.to_owned(),
                value: value.clone(),
            };
            let line = format!("{word} {arguments}");
            assert_eq!(parse(&line), Some(expected), "{line:?}");
        }
    }
}

/// Lines, and what the error quotes and says.
const ERRORS: &str = r"
hello             | 'hello'             | type 'help' for a list of commands
uciok             | 'uciok'             | type 'help' for a list of commands
readyok           | 'readyok'           | type 'help' for a list of commands
isreadynow        | 'isreadynow'        | type 'help' for a list of commands
gogogo 5          | 'gogogo'            | type 'help' for a list of commands
quit\0            | 'quit\u{0}'         | type 'help' for a list of commands
# Extensions are recognized only as the first word.
please help       | 'please'            | type 'help' for a list of commands
vitamin d         | 'vitamin'           | type 'help' for a list of commands
a bench           | 'a'                 | type 'help' for a list of commands
debug             | found nothing       | expected 'on' or 'off' after 'debug'
debug joho on     | 'joho'              | expected 'on' or 'off' after 'debug'
debug onn         | 'onn'               | expected 'on' or 'off' after 'debug'
bench 0           | '0'                 | expected a depth of 1 or more after 'bench'
bench -3          | '-3'                | expected a depth of 1 or more after 'bench'
bench deep        | 'deep'              | expected a depth of 1 or more after 'bench'
bench 5 6         | '5 6'               | expected a depth of 1 or more after 'bench'
eval startpos     | 'startpos'          | 'position' sets the position
setoption         | found nothing       | expected 'name <option> [value <value>]' after 'setoption'
setoption name    | 'name'              | expected 'name <option> [value <value>]' after 'setoption'
setoption name value     | 'name value'       | expected 'name <option> [value <value>]' after 'setoption'
setoption Hash value 5   | 'Hash value 5'     | expected 'name <option> [value <value>]' after 'setoption'
setoption name value 5   | 'name value 5'     | expected 'name <option> [value <value>]' after 'setoption'
setoption value 5 name Hash | 'value 5 name Hash' | expected 'name <option> [value <value>]' after 'setoption'
";

#[test]
fn errors_quote_the_text_and_say_what_was_expected() {
    for [line, quoted, expected] in table(ERRORS) {
        for line in [
            line.replace(r"\0", "\0"),
            format!("{line} ").replace(r"\0", "\0"),
        ] {
            let error = UciCommand::parse(&line).expect_err(&line).to_string();
            assert!(error.contains(quoted), "{line:?}: {error}");
            assert!(error.contains(expected), "{line:?}: {error}");
        }
    }
}

#[test]
fn help_lists_exactly_the_commands() {
    let listed: Vec<&str> = names().collect();
    for (word, _) in COMMANDS_WITHOUT_ARGUMENTS {
        assert!(listed.contains(&word), "{word}");
    }
    for word in listed {
        let error = UciCommand::parse(word).err();
        assert!(
            !matches!(error, Some(UciCommandError::Unknown { .. })),
            "{word}"
        );
    }
}

#[test]
fn errors_for_huge_lines_are_short() {
    const LENGTH: usize = 1 << 16;
    const MAX_MESSAGE: usize = 400;
    let commands = [
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
        for command in commands {
            if let Err(error) = UciCommand::parse(&format!("{command} {tail}")) {
                let message = error.to_string();
                assert!(
                    message.len() < MAX_MESSAGE,
                    "{command:?} {unit:?}: {message}"
                );
            }
        }
    }
}

/// Words that the parser knows, which random text would hardly contain, and some others.
const WORDS: &str = "uci go position startpos fen moves setoption name value depth mate movestogo \
    nodes wtime btime winc binc movetime infinite ponder searchmoves perft debug on register later \
    id info option bestmove e2e4 E7E8Q 0000 256 999 1000 -1 99999999999999999999 1.5 \
    4k3/8/8/8/8/8/8/4K3 w - KQkq 0 bench \0 é \u{feff}";

fn line_of_words() -> impl Strategy<Value = String> {
    let words: Vec<&str> = WORDS.split(' ').chain([""]).collect();
    let blank = prop::sample::select(vec![" ", "  ", "\t", "\r", ""]);
    let word_and_blank = (prop::sample::select(words), blank);
    prop::collection::vec(word_and_blank, 0..12)
        .prop_map(|pairs| pairs.into_iter().flat_map(<[&str; 2]>::from).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = UciCommand::parse(&String::from_utf8_lossy(&bytes)) {
            prop_assert!(!error.to_string().contains(char::is_control));
        }
    }

    #[test]
    fn no_known_words_panic(line in line_of_words()) {
        if let Err(error) = UciCommand::parse(&line) {
            prop_assert!(!error.to_string().contains(char::is_control));
        }
    }
}
