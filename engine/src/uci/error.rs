//! What can be wrong with a line from the outside, said so that a person can mend it.

use thiserror::Error;

use crate::uci::options::OptionError;

/// Why a line was refused. A refused line has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UciError {
    #[error("unknown command '{word}'; 'help' lists the commands")]
    UnknownCommand { word: String },

    #[error("'debug' must be followed by 'on' or 'off', not by {}", found(.text))]
    DebugSwitch { text: String },

    #[error("'go {key}' must be followed by {wanted}, not by {}", found(.text))]
    GoValue {
        key: &'static str,
        wanted: &'static str,
        text: String,
    },

    #[error("'go' does not know '{token}'; it knows {}", known.join(", "))]
    GoToken {
        token: String,
        known: Vec<&'static str>,
    },

    #[error("'position' must be followed by 'startpos' or 'fen <FEN>', not by {}", found(.text))]
    PositionBase { text: String },

    #[error("'position fen' must be followed by a FEN, then if wanted by 'moves <move> ...'")]
    PositionFen,

    #[error("'position startpos' may be followed only by 'moves <move> ...', not by '{token}'")]
    PositionToken { token: String },

    #[error(
        "cannot read 'setoption {text}'; what would be right is \
         'setoption name <option> value <value>', or 'setoption name <option>' for a button"
    )]
    SetOption { text: String },

    #[error("'bench' may be followed only by a depth of 1 or more, not by '{text}'")]
    Bench { text: String },

    #[error(transparent)]
    Option(#[from] OptionError),
}

fn found(text: &str) -> String {
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{text}'")
    }
}

#[cfg(test)]
mod tests {
    use super::UciError;

    #[test]
    fn an_absent_word_is_called_nothing() {
        let absent = UciError::DebugSwitch {
            text: String::new(),
        };
        assert!(absent.to_string().ends_with("not by nothing"));
    }
}
