//! The option table against the protocol: what is printed, taken and refused.

use std::path::PathBuf;
use std::time::Duration;

use vampirc_uci::{UciMessage, UciOptionConfig, parse_strict};

use super::{OptionError, OptionTable, Setting};

const MEMORY_MIB: u32 = 4096;

fn table() -> OptionTable {
    OptionTable::new(MEMORY_MIB)
}

fn read(name: &str, value: &str) -> Result<Setting, OptionError> {
    table().read(name, Some(value))
}

#[test]
fn lines_are_as_the_protocol_wants_them() {
    let about = format!(
        "option name UCI_EngineAbout type string default Castellan {}",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(
        table().lines().collect::<Vec<_>>(),
        [
            "option name Hash type spin default 16 min 1 max 4096",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 218",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name Clear Hash type button",
            "option name SyzygyPath type string default <empty>",
            "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
            "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
            "option name Syzygy50MoveRule type check default true",
            "option name OwnBook type check default false",
            "option name BookFile type string default <empty>",
            "option name BookDepth type spin default 255 min 1 max 999",
            "option name BookBest type check default false",
            "option name BookSeed type spin default 0 min 0 max 2147483647",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1600 min 800 max 3000",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name StrengthSeed type spin default 0 min 0 max 2147483647",
            "option name UCI_Chess960 type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name UCI_AnalyseMode type check default false",
            "option name UCI_Opponent type string default <empty>",
            &about,
            "option name EvalFile type string default <empty>",
            "option name Debug Log File type string default <empty>",
        ]
    );
}

/// A grammar that is not ours reads the same out of each line.
#[test]
fn another_reader_understands_every_line() {
    for line in table().lines() {
        let messages = parse_strict(&line).expect(&line);
        let [UciMessage::Option(config)] = messages.as_slice() else {
            panic!("{line} gave {messages:?}");
        };
        assert!(line.contains(config.get_name()), "{line}");
        match config {
            UciOptionConfig::Spin {
                default, min, max, ..
            } => {
                let (min, max) = (min.expect(&line), max.expect(&line));
                assert!((min..=max).contains(&default.expect(&line)), "{line}");
            }
            UciOptionConfig::Check { default, .. } => assert!(default.is_some(), "{line}"),
            UciOptionConfig::String { default, .. } => assert!(default.is_some(), "{line}"),
            UciOptionConfig::Button { .. } => assert!(line.ends_with("button"), "{line}"),
            UciOptionConfig::Combo { .. } => panic!("{line} has no list of values"),
        }
    }
}

#[test]
fn names_in_any_case() {
    for name in ["hash", "HASH", "hAsH"] {
        assert_eq!(read(name, "64"), Ok(Setting::Hash(64)));
    }
    assert_eq!(
        read("move OVERHEAD", "250"),
        Ok(Setting::MoveOverhead(Duration::from_millis(250)))
    );
}

#[test]
fn an_unknown_name_is_told_the_known_ones() {
    let said = read("Hsah", "1").expect_err("no such option").to_string();
    assert!(
        said.contains("'Hsah'") && said.contains("Hash, Threads"),
        "{said}"
    );
}

#[test]
fn spins_take_their_whole_range_and_no_more() {
    assert_eq!(read("Hash", "1"), Ok(Setting::Hash(1)));
    assert_eq!(read("Hash", "4096"), Ok(Setting::Hash(4096)));
    assert_eq!(read("Threads", "1024"), Ok(Setting::Threads(1024)));
    assert_eq!(read("MultiPV", "218"), Ok(Setting::MultiPv(218)));
    assert_eq!(
        read("Move Overhead", "0"),
        Ok(Setting::MoveOverhead(Duration::ZERO))
    );
    for (name, value, range) in [
        ("Hash", "0", "from 1 to 4096"),
        ("Hash", "4097", "from 1 to 4096"),
        ("Hash", "-1", "from 1 to 4096"),
        ("Threads", "0", "from 1 to 1024"),
        ("Threads", "1025", "from 1 to 1024"),
        ("MultiPV", "219", "from 1 to 218"),
        ("Move Overhead", "5001", "from 0 to 5000"),
        ("Hash", "4294967297", "from 1 to 4096"),
        ("Hash", "99999999999999999999999999", "from 1 to 4096"),
    ] {
        let error = read(name, value).expect_err(value);
        assert!(matches!(error, OptionError::OutOfRange { .. }), "{error:?}");
        let said = error.to_string();
        assert!(
            said.contains(range) && said.contains(value) && said.contains(name),
            "{said}"
        );
    }
}

#[test]
fn spins_refuse_what_is_not_a_whole_number() {
    for value in ["abc", "", "16.0", "0x10", "16 MB", "1e3", "<empty>"] {
        let error = read("Hash", value).expect_err(value);
        assert!(matches!(error, OptionError::NotANumber { .. }), "{error:?}");
        assert!(
            error.to_string().contains("whole number from 1 to 4096"),
            "{error}"
        );
    }
    assert!(table().read("Hash", None).is_err());
}

#[test]
fn checks_are_true_or_false() {
    assert_eq!(read("Ponder", "TRUE"), Ok(Setting::Ponder(true)));
    assert_eq!(read("UCI_Chess960", "False"), Ok(Setting::Chess960(false)));
    assert_eq!(read("UCI_ShowWDL", "true"), Ok(Setting::ShowWdl(true)));
    assert_eq!(
        read("UCI_AnalyseMode", "true"),
        Ok(Setting::AnalyseMode(true))
    );
    for value in ["", "1", "on", "yes", "truee", "true false"] {
        let error = read("Ponder", value).expect_err(value);
        assert!(matches!(error, OptionError::NotASwitch { .. }), "{error:?}");
        assert!(error.to_string().contains("true or false"), "{error}");
    }
}

#[test]
fn strings_take_anything_and_nothing() {
    assert_eq!(
        read("UCI_Opponent", "GM 2800 human Gary  Kasparov"),
        Ok(Setting::Opponent("GM 2800 human Gary  Kasparov".to_owned()))
    );
    for value in [None, Some(""), Some("<empty>"), Some("<EMPTY>")] {
        assert_eq!(
            table().read("UCI_Opponent", value),
            Ok(Setting::Opponent(String::new()))
        );
        assert_eq!(
            table().read("Debug Log File", value),
            Ok(Setting::DebugLogFile(None))
        );
        assert_eq!(table().read("EvalFile", value), Ok(Setting::EvalFile(None)));
    }
    assert_eq!(
        read("Debug Log File", "my logs/uci log.txt"),
        Ok(Setting::DebugLogFile(Some(PathBuf::from(
            "my logs/uci log.txt"
        ))))
    );
}

#[test]
fn a_book_and_how_it_is_played_from() {
    let path = PathBuf::from("my books/a b.bin");
    for (name, value, setting) in [
        ("ownbook", "true", Setting::OwnBook(true)),
        (
            "BookFile",
            "my books/a b.bin",
            Setting::BookFile(Some(path)),
        ),
        ("BookFile", "<empty>", Setting::BookFile(None)),
        ("BookFile", "", Setting::BookFile(None)),
        ("BookDepth", "999", Setting::BookDepth(999)),
        ("BookBest", "false", Setting::BookBest(false)),
        ("BookSeed", "2147483647", Setting::BookSeed(i32::MAX as u32)),
    ] {
        assert_eq!(read(name, value), Ok(setting), "{name} {value}");
    }
    for (name, value) in [("BookDepth", "0"), ("BookSeed", "2147483648")] {
        let error = read(name, value).expect_err(value);
        assert!(matches!(error, OptionError::OutOfRange { .. }), "{error:?}");
    }
}

#[test]
fn folders_are_told_apart_as_the_platform_does() {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let read = |value: &str| match read("SyzygyPath", value) {
        Ok(Setting::SyzygyPath(folders)) => folders,
        other => panic!("{value:?} gave {other:?}"),
    };
    assert_eq!(
        read(&format!("/my tables/3 4{separator}{separator}other")),
        [PathBuf::from("/my tables/3 4"), PathBuf::from("other")]
    );
    assert_eq!(read("just one"), [PathBuf::from("just one")]);
    for nothing in ["", "<empty>", &separator.to_string()] {
        assert!(read(nothing).is_empty(), "{nothing:?}");
    }
}

#[test]
fn buttons_take_no_value() {
    assert_eq!(table().read("clear hash", None), Ok(Setting::ClearHash));
    assert_eq!(read("Clear Hash", ""), Ok(Setting::ClearHash));
    assert!(matches!(
        read("Clear Hash", "now"),
        Err(OptionError::ButtonValue { .. })
    ));
}

#[test]
fn defaults_follow_the_table_and_the_memory() {
    let defaults: Vec<Setting> = table().defaults().collect();
    assert!(defaults.contains(&Setting::Hash(16)));
    assert!(defaults.contains(&Setting::MoveOverhead(Duration::from_millis(10))));
    assert!(defaults.contains(&Setting::DebugLogFile(None)));
    assert!(defaults.contains(&Setting::EvalFile(None)));
    assert!(!defaults.contains(&Setting::ClearHash));

    let small: Vec<Setting> = OptionTable::new(0).defaults().collect();
    assert!(small.contains(&Setting::Hash(1)));
    assert_eq!(
        OptionTable::new(0).lines().next().as_deref(),
        Some("option name Hash type spin default 1 min 1 max 1")
    );
}
