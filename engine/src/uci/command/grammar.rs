//! The door to the `vampirc-uci` grammar: one line in, at most one message out.
//!
//! The grammar is strict and a little narrower than the wire, and with some input it panics
//! (`go` with a trailing blank; `depth`, `mate` and `movestogo` from 256 to 999). Callers
//! therefore hand it single lines with single blanks, no blank at the end, and never a number
//! of three digits for those keys. `None` means only that the grammar refused.

use vampirc_uci::{UciMessage, parse_strict};

pub(super) fn read(line: &str) -> Option<UciMessage> {
    parse_strict(line).ok()?.into_iter().next()
}

/// Reads a line and believes the answer only if it prints back as what was typed: where words
/// run together (`e2e4moves e7e5`) the grammar sees more than stands there.
pub(super) fn read_faithfully(line: &str) -> Option<UciMessage> {
    read(line).filter(|message| message.to_string().eq_ignore_ascii_case(line))
}

#[cfg(test)]
mod tests {
    use vampirc_uci::UciMessage;

    use super::{read, read_faithfully};

    #[test]
    fn one_line_is_one_message() {
        assert_eq!(read("isready"), Some(UciMessage::IsReady));
        assert_eq!(read("IsReady"), Some(UciMessage::IsReady));
        assert_eq!(read("isready please"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn words_run_together_are_not_believed() {
        let line = "position startpos moves e2e4moves e7e5";
        assert!(
            read(line).is_some(),
            "the grammar reads two moves from these words"
        );
        assert_eq!(read_faithfully(line), None);
        assert!(read_faithfully("position startpos moves e2e4 e7e5").is_some());
    }
}
