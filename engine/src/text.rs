//! Text and numbers that people and programs type: read without overflow, quoted without harm.

/// The most characters of untrusted text that a message quotes.
const EXCERPT_CHARACTERS: usize = 80;

/// Quotes untrusted text on one short line: control characters are escaped, since they could end
/// the line or disturb a terminal, and long text is cut.
pub(crate) fn excerpt(text: &str) -> String {
    let mut out = String::new();
    let mut room = EXCERPT_CHARACTERS;
    for character in text.chars() {
        let piece = if character.is_control() {
            character.escape_default().to_string()
        } else {
            character.to_string()
        };
        let length = piece.chars().count();
        if length > room {
            out.push_str("...");
            break;
        }
        room -= length;
        out.push_str(&piece);
    }
    out
}

/// Reads an optionally signed run of decimal digits. Saturates where the number does not fit;
/// returns `None` for anything but a whole number.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::{EXCERPT_CHARACTERS, excerpt, whole_number};

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("plain text"), "plain text");
        assert_eq!(excerpt("a\0b\rc\nd\u{1b}"), "a\\u{0}b\\rc\\nd\\u{1b}");
        let limit = "ä".repeat(EXCERPT_CHARACTERS);
        assert_eq!(excerpt(&limit), limit);
        assert_eq!(excerpt(&format!("{limit}ä")), format!("{limit}..."));
        assert!(
            excerpt(&"\0".repeat(EXCERPT_CHARACTERS)).len() <= EXCERPT_CHARACTERS + "...".len()
        );
    }

    #[test]
    fn reads_signs_and_leading_zeros() {
        assert_eq!(whole_number("0"), Some(0));
        assert_eq!(whole_number("-0"), Some(0));
        assert_eq!(whole_number("+17"), Some(17));
        assert_eq!(whole_number("-17"), Some(-17));
        assert_eq!(whole_number("0000000000000000000000012"), Some(12));
    }

    #[test]
    fn saturates_instead_of_overflowing() {
        assert_eq!(whole_number("9223372036854775807"), Some(i64::MAX));
        assert_eq!(whole_number("9223372036854775808"), Some(i64::MAX));
        assert_eq!(whole_number(&"9".repeat(5000)), Some(i64::MAX));
        assert_eq!(whole_number("-99999999999999999999"), Some(-i64::MAX));
    }

    #[test]
    fn refuses_what_is_not_a_whole_number() {
        for text in [
            "", "-", "+", "+-1", "--1", "1.0", "1e3", "0x10", "abc", "1 ", "٣", "1_000", "5\0",
        ] {
            assert_eq!(whole_number(text), None, "{text:?}");
        }
    }
}
