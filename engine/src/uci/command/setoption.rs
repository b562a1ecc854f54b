//! `setoption name … [value …]`: takes the two apart. Whether such an option exists, and what
//! it accepts, is the option table's affair.

use vampirc_uci::UciMessage;

use super::{Command, grammar};
use crate::uci::error::UciError;
use common::excerpt;

const VALUE_WORD: &str = "value";

/// `arguments` is what stands behind the verb, inner blanks as they were typed, since they may
/// belong to a path.
pub(super) fn parse(arguments: &str) -> Result<Command, UciError> {
    if let Some((name, value)) = read(arguments) {
        return Ok(Command::SetOption { name, value });
    }
    // The grammar refuses a `value` with nothing behind it, with which GUIs clear a string.
    if let Some((name, None)) = without_value_word(arguments).and_then(read) {
        return Ok(Command::SetOption {
            name,
            value: Some(String::new()),
        });
    }
    Err(UciError::SetOption {
        text: excerpt(arguments),
    })
}

fn read(arguments: &str) -> Option<(String, Option<String>)> {
    match grammar::read(&format!("setoption {arguments}"))? {
        UciMessage::SetOption { name, value } => {
            let words: Vec<&str> = name.split_whitespace().collect();
            Some((words.join(" "), value))
        }
        _ => None,
    }
}

fn without_value_word(arguments: &str) -> Option<&str> {
    let (before, last) = arguments.rsplit_once(' ')?;
    last.eq_ignore_ascii_case(VALUE_WORD)
        .then(|| before.trim_end())
}

#[cfg(test)]
mod tests {
    use crate::uci::command::Command;
    use crate::uci::error::UciError;

    fn set(line: &str) -> (String, Option<String>) {
        match Command::parse(line) {
            Ok(Some(Command::SetOption { name, value })) => (name, value),
            other => panic!("{line:?} gave {other:?}"),
        }
    }

    fn pair(name: &str, value: Option<&str>) -> (String, Option<String>) {
        (name.to_owned(), value.map(str::to_owned))
    }

    #[test]
    fn names_and_values_may_hold_blanks() {
        assert_eq!(
            set("setoption name Hash value 64"),
            pair("Hash", Some("64"))
        );
        assert_eq!(set("setoption name Clear Hash"), pair("Clear Hash", None));
        assert_eq!(
            set("  SETOPTION\tNAME  Move   Overhead  VALUE  30 "),
            pair("Move Overhead", Some("30"))
        );
        assert_eq!(
            set("setoption name UCI_Opponent value GM 2800 human Gary Kasparov"),
            pair("UCI_Opponent", Some("GM 2800 human Gary Kasparov"))
        );
        assert_eq!(
            set("setoption name Debug Log File value my  logs/a value b.txt"),
            pair("Debug Log File", Some("my  logs/a value b.txt"))
        );
    }

    #[test]
    fn a_value_with_nothing_behind_it_is_empty() {
        for line in [
            "setoption name Debug Log File value",
            "setoption name Debug Log File value ",
            "setoption name Debug Log File VALUE\t",
        ] {
            assert_eq!(set(line), pair("Debug Log File", Some("")), "{line:?}");
        }
        assert_eq!(
            set("setoption name X value value"),
            pair("X", Some("value"))
        );
    }

    #[test]
    fn a_return_inside_a_value_does_not_end_it() {
        assert_eq!(
            set("setoption name X value a\rquit"),
            pair("X", Some("a quit"))
        );
    }

    #[test]
    fn what_cannot_be_read_says_what_would_be_right() {
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
            assert!(matches!(error, UciError::SetOption { .. }), "{line:?}");
            assert!(
                error
                    .to_string()
                    .contains("setoption name <option> value <value>"),
                "{error}"
            );
        }
    }
}
