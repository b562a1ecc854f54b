//! Command parsing: valid lines, errors, and input of every kind of badness.

use proptest::prelude::*;

use super::{Base, Command, CommandError, GoRequest, HELP};

fn parse(line: &str) -> Option<Command> {
    Command::parse(line).unwrap_or_else(|error| panic!("{line:?} is rejected: {error}"))
}

const COMMANDS_WITHOUT_ARGUMENTS: [(&str, Command); 12] = [
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

#[test]
fn blank_lines_are_no_command() {
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
fn register_is_accepted_with_any_arguments() {
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
            CommandError::Debug {
                text: text.to_owned()
            }
        );
        assert!(error.to_string().contains("'on' or 'off'"));
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
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
            value: "5".to_owned()
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
fn extensions_after_unknown_words_are_not_commands() {
    for line in ["please help", "vitamin d", "a bench"] {
        assert!(Command::parse(line).is_err(), "{line:?}");
    }
}

#[test]
fn errors_name_the_unknown_command() {
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
            Err(CommandError::Unknown { word }),
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
        assert!(matches!(error, CommandError::Bench { .. }), "{line:?}");
    }
}

#[test]
fn setoption_names_and_values() {
    for (line, name, value) in [
        ("setoption name Hash value 64", "Hash", "64"),
        ("setoption name Clear Hash", "Clear Hash", ""),
        (
            "  SETOPTION\tNAME  Move   Overhead  VALUE  30 ",
            "Move Overhead",
            "30",
        ),
        (
            "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
            "UCI_Opponent",
            "GM 2800 human Gary Kasparov",
        ),
        (
            "setoption name Debug Log File value my  logs/a value b.txt",
            "Debug Log File",
            "my  logs/a value b.txt",
        ),
        ("setoption name Debug Log File value", "Debug Log File", ""),
        ("setoption name Debug Log File value ", "Debug Log File", ""),
        (
            "setoption name Debug Log File VALUE\t",
            "Debug Log File",
            "",
        ),
        ("setoption name X value value", "X", "value"),
        ("setoption name X value a\rquit", "X", "a quit"),
    ] {
        let expected = Command::SetOption {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        assert_eq!(parse(line), Some(expected), "{line:?}");
    }
    for line in [
        "setoption",
        "setoption ",
        "setoption name",
        "setoption name ",
        "setoption Hash value 5",
        "setoption name value",
        "setoption name value 5",
        "setoption value 5 name Hash",
    ] {
        let error = Command::parse(line).expect_err(line);
        assert!(matches!(error, CommandError::SetOption { .. }), "{line:?}");
        let message = error.to_string();
        assert!(
            message.contains("setoption name <option> value <value>"),
            "{message}"
        );
    }
}

/// So that `help` cannot forget a command.
#[test]
fn help_lists_every_command() {
    let listed = |word: &str| {
        HELP.iter()
            .any(|(syntax, _)| syntax.split(' ').next() == Some(word))
    };
    for word in COMMANDS_WITHOUT_ARGUMENTS.map(|(word, _)| word) {
        assert!(listed(word), "{word}");
    }
    for (syntax, _) in HELP.iter().filter(|(syntax, _)| !syntax.is_empty()) {
        let word = syntax.split(' ').next().unwrap_or_default();
        let error = Command::parse(word);
        assert!(
            !matches!(error, Err(CommandError::Unknown { .. })),
            "{word}"
        );
    }
}

#[test]
fn errors_for_huge_lines_are_short() {
    const LENGTH: usize = 1 << 16;
    const MAX_MESSAGE: usize = 400;
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
                let message = error.to_string();
                assert!(message.len() < MAX_MESSAGE, "{verb:?} {unit:?}: {message}");
            }
        }
    }
}

/// Lines of words the parser knows, which random text would hardly ever contain.
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
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = Command::parse(&String::from_utf8_lossy(&bytes)) {
            prop_assert!(!error.to_string().contains(char::is_control));
        }
    }

    #[test]
    fn no_known_words_panic(line in wordy_line()) {
        if let Err(error) = Command::parse(&line) {
            prop_assert!(!error.to_string().contains(char::is_control));
        }
    }
}
