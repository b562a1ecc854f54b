//! The option table against the protocol: what it lists, accepts and rejects.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vampirc_uci::{UciMessage, UciOptionConfig, parse_strict};

use super::{Config, Effect, OptionError, OptionTable};

const MAX_HASH: u32 = 4096;

fn table() -> OptionTable {
    OptionTable::new(MAX_HASH)
}

/// The configuration after one assignment.
fn set(name: &str, value: &str) -> Config {
    let mut config = table().default_config();
    let assignment = table().parse(name, value);
    assignment
        .unwrap_or_else(|error| panic!("{name} {value}: {error}"))
        .apply(&mut config);
    config
}

fn error(name: &str, value: &str) -> OptionError {
    table().parse(name, value).expect_err(value)
}

/// An independent grammar reads the same out of each line.
#[test]
fn another_parser_reads_every_option_line() {
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
fn spins_accept_their_range_under_names_in_any_case() {
    assert_eq!(set("hAsH", "1").hash, 1);
    assert_eq!(set("Hash", "4096").hash, 4096);
    assert_eq!(set("Threads", "1024").threads, 1024);
    assert_eq!(set("MultiPV", "218").search.multi_pv, 218);
    assert_eq!(
        set("Move Overhead", "0").search.move_overhead,
        Duration::ZERO
    );
    let overhead = Duration::from_millis(250);
    assert_eq!(set("move OVERHEAD", "250").search.move_overhead, overhead);
    assert_eq!(set("SyzygyProbeDepth", "9").search.tablebases.depth, 9);
    assert_eq!(set("SyzygyProbeLimit", "3").search.tablebases.max_pieces, 3);
    assert_eq!(set("BookDepth", "999").book_depth, 999);
    assert_eq!(set("BookSeed", "2147483647").book_seed, i32::MAX as u32);
    assert_eq!(set("UCI_Elo", "801").elo, 801);
    assert_eq!(set("Skill Level", "0").skill_level, 0);
    assert_eq!(set("StrengthSeed", "5").strength_seed, 5);
}

/// Reads a check option's field.
type Field = fn(&Config) -> bool;

#[test]
fn checks_accept_true_and_false() {
    let fields: [(&str, Field); 8] = [
        ("Syzygy50MoveRule", |config| {
            config.search.tablebases.fifty_moves
        }),
        ("OwnBook", |config| config.own_book),
        ("BookBest", |config| config.book_best),
        ("UCI_LimitStrength", |config| config.limit_strength),
        ("UCI_Chess960", |config| config.chess960),
        ("UCI_ShowWDL", |config| config.show_wdl),
        ("UCI_AnalyseMode", |config| config.analyse_mode),
        ("uci_analysemode", |config| config.analyse_mode),
    ];
    for (name, field) in fields {
        for value in ["true", "TRUE", "True"] {
            assert!(field(&set(name, value)), "{name}");
        }
        assert!(!field(&set(name, "False")), "{name}");
    }
    assert!(table().parse("Ponder", "true").is_ok());
}

#[test]
fn errors_name_the_option_the_value_and_what_was_expected() {
    for (name, values, expected) in [
        (
            "Hash",
            &[
                "0",
                "4097",
                "-1",
                "4294967297",
                "99999999999999999999999999",
                "",
                "0x10",
                "16 MB",
                "<empty>",
            ][..],
            "a whole number from 1 to 4096",
        ),
        ("Threads", &["0", "1025"], "a whole number from 1 to 1024"),
        ("MultiPV", &["0", "219"], "a whole number from 1 to 218"),
        ("Move Overhead", &["5001"], "a whole number from 0 to 5000"),
        ("SyzygyProbeDepth", &["0"], "a whole number from 1 to 100"),
        ("SyzygyProbeLimit", &["8"], "a whole number from 0 to 7"),
        ("BookDepth", &["0", "1000"], "a whole number from 1 to 999"),
        (
            "BookSeed",
            &["-1", "2147483648"],
            "a whole number from 0 to 2147483647",
        ),
        ("Ponder", &["", "1", "truee", "true false"], "true or false"),
    ] {
        for value in values {
            let full = format!("invalid value '{value}' for option {name}: expected {expected}");
            assert_eq!(error(name, value).to_string(), full);
        }
    }
    let clear = table().parse("clear hash", "").expect("a button");
    assert_eq!(clear.effect, Effect::ClearHash);
    assert_eq!(
        error("clear hash", "now").to_string(),
        "option Clear Hash is a button and takes no value, but 'now' was given"
    );
    let mistyped = error("Hsah", "1").to_string();
    assert_eq!(mistyped, "unknown option 'Hsah', did you mean 'Hash'?");
    let unknown = error("Contempt", "1").to_string();
    assert!(unknown.starts_with("unknown option 'Contempt'; the options are Hash, Threads, "));
}

#[test]
fn strings_accept_anything_and_nothing() {
    assert!(
        table()
            .parse("UCI_Opponent", "GM 2800 human Gary  Kasparov")
            .is_ok()
    );
    type Field = fn(&Config) -> &Option<PathBuf>;
    let fields: [(&str, Field); 3] = [
        ("BookFile", |config| &config.book_file),
        ("EvalFile", |config| &config.eval_file),
        ("Debug Log File", |config| &config.debug_log_file),
    ];
    for (name, field) in fields {
        for value in ["", "<empty>", "<EMPTY>"] {
            assert_eq!(field(&set(name, value)), &None, "{name} {value}");
        }
        let path = "my files/a file.bin";
        let config = set(name, path);
        assert_eq!(field(&config).as_deref(), Some(Path::new(path)), "{name}");
    }
}

#[test]
fn directories_are_separated_as_the_platform_does() {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let read = |value: &str| set("SyzygyPath", value).syzygy_path;
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
fn a_small_memory_limits_the_hash_table() {
    let small = OptionTable::new(0);
    assert_eq!(small.default_config().hash, 1);
    assert_eq!(
        small.lines().next().as_deref(),
        Some("option name Hash type spin default 1 min 1 max 1")
    );
}
