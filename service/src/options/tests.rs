//! The option table against the protocol: what it lists, accepts and rejects.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use test_common::TempDir;
use vampirc_uci::{UciMessage, UciOptionConfig, parse_strict};

use super::{Assignment, Config, Effect, OptionError, OptionTable, Value};
use crate::Engine;

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

/// Another value than the default: of a number the next one.
fn other(row: &Assignment) -> String {
    match (&row.value, row.text().as_str()) {
        (Value::Check(..), "true") => "false".to_owned(),
        (Value::Check(..), _) => "true".to_owned(),
        (Value::Spin { number, range, .. }, _) if number == range.end() => (number - 1).to_string(),
        (Value::Spin { number, .. }, _) => (number + 1).to_string(),
        (Value::String(..), _) => "my files/a file.bin".to_owned(),
        (Value::Button, _) => String::new(),
    }
}

#[test]
fn every_option_takes_its_values_and_says_what_it_expects() {
    let parses = |name: &str, value: &str| {
        let parsed = table().parse(name, value).expect(value);
        assert!(parsed.name.eq_ignore_ascii_case(name));
        parsed.text()
    };
    for Assignment { name, value, .. } in &table().rows {
        let invalid = |text: &str, expected: &str| {
            let full = format!("invalid value '{text}' for option {name}: expected {expected}");
            assert_eq!(error(name, text).to_string(), full);
        };
        let lower = name.to_ascii_lowercase();
        match value {
            Value::Check(..) => {
                for text in ["true", "TRUE", "False"] {
                    assert_eq!(parses(&lower, text), text.to_ascii_lowercase());
                }
                for text in ["", "1", "truee", "true false"] {
                    invalid(text, "true or false");
                }
            }
            Value::Spin { range, .. } => {
                let (min, max) = (*range.start(), *range.end());
                for number in [min, max] {
                    assert_eq!(parses(&lower, &number.to_string()), number.to_string());
                }
                let beyond = [min - 1, max + 1].map(|number| number.to_string());
                let texts = ["99999999999999999999999999", "", "0x10", "16 MB", "<empty>"];
                for text in beyond.iter().map(String::as_str).chain(texts) {
                    invalid(text, &format!("a whole number from {min} to {max}"));
                }
            }
            Value::String(..) => {
                for text in ["", "<empty>", "<EMPTY>"] {
                    assert_eq!(parses(&lower, text), "");
                }
                for text in ["my files/a file.bin", "GM 2800 human Gary  Kasparov"] {
                    assert_eq!(parses(&lower, text), text);
                }
            }
            Value::Button => {
                assert_eq!(parses(&lower, ""), "");
                let full =
                    format!("option {name} is a button and takes no value, but 'now' was given");
                assert_eq!(error(name, "now").to_string(), full);
            }
        }
    }
}

/// Otherwise two of them would be stored in one place.
#[test]
fn options_do_not_change_each_other() {
    let without_value = ["Ponder", "Clear Hash", "UCI_Opponent", "UCI_EngineAbout"];
    let rows = table().rows;
    let default = table().default_config();
    let set = |names: [&Assignment; 2]| {
        let mut config = default.clone();
        for row in names {
            let assignment = table().parse(row.name, &other(row)).expect(row.name);
            assignment.apply(&mut config);
        }
        config
    };
    for (row, number) in rows.iter().zip(1..) {
        let is_stored = set([row; 2]) != default;
        assert_ne!(is_stored, without_value.contains(&row.name), "{}", row.name);
        for after in rows.iter().skip(number) {
            let (one, two) = (row.name, after.name);
            let alone = [row, after].map(|row| set([row; 2]));
            assert!(!is_stored || alone[0] != alone[1], "{one} and {two}");
            let mut both = set([row, after]);
            assert_eq!(both, set([after, row]), "{one} and {two}");
            after.apply(&mut both);
            assert_eq!(both, alone[0], "{one} and {two}");
        }
    }
}

#[test]
fn values_have_their_units() {
    let overhead = Duration::from_millis(250);
    assert_eq!(set("Move Overhead", "250").search.move_overhead, overhead);
    assert_eq!(set("BookSeed", "2147483647").book_seed, i32::MAX as u32);
    let book = set("BookFile", "my files/a book.bin").book_file;
    assert_eq!(book, Some("my files/a book.bin".into()));
    assert_eq!(set("BookFile", "<empty>").book_file, None);
}

#[test]
fn an_unknown_option_is_named_with_those_that_there_are() {
    let mistyped = error("Hsah", "1").to_string();
    assert_eq!(mistyped, "unknown option 'Hsah', did you mean 'Hash'?");
    let unknown = error("Contempt", "1").to_string();
    assert!(unknown.starts_with("unknown option 'Contempt'; the options are Hash, Threads, "));
}

/// A new game clears the hash table and takes the next seed, and nothing else changes.
#[test]
fn a_new_game_keeps_every_option() {
    let folder = TempDir::new("options");
    let network = folder.write("net", search::nnue::embedded().to_bytes());
    let book = folder.write("book.bin", [0; 16]);
    let rows = OptionTable::new(2).rows;
    for row in &rows {
        let mut engine = Engine::new(OptionTable::new(2));
        let value = match row.effect {
            Effect::LoadNetwork => network.clone(),
            Effect::LoadTablebases => folder.path(""),
            Effect::OpenBook => book.clone(),
            _ => other(row),
        };
        engine.prepare().expect("a searcher");
        engine.set(row.name, &value).expect(row.name);
        let state = |engine: &Engine| {
            let texts: Vec<String> = engine.options().iter().map(Assignment::text).collect();
            (texts, engine.config().clone(), engine.builder())
        };
        let (texts, config, parts) = state(&engine);
        assert!(texts.contains(&value), "{}", row.name);
        engine.new_game();
        let (new_texts, new_config, new_parts) = state(&engine);
        assert_eq!((new_texts, new_config), (texts, config), "{}", row.name);
        assert!(Arc::ptr_eq(&new_parts.network, &parts.network));
        assert!(Arc::ptr_eq(&new_parts.tablebases, &parts.tablebases));
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
