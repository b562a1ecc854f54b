//! Text in messages: untrusted text made safe to print, singular and plural.

use std::fmt::Display;

/// The longest excerpt, in characters.
const EXCERPT_LENGTH: usize = 80;

/// Returns a text on one line, safe to print: control characters, which could end the line or
/// disturb a terminal, are escaped.
pub fn escape_controls(text: &str) -> String {
    text.chars().map(escape_control).collect()
}

fn escape_control(character: char) -> String {
    if character.is_control() {
        character.escape_default().to_string()
    } else {
        character.to_string()
    }
}

/// Returns the start of a text with control characters escaped; what exceeds 80 characters becomes
/// `...`.
pub fn excerpt(text: &str) -> String {
    let mut out = String::new();
    let mut left = EXCERPT_LENGTH;
    for piece in text.chars().map(escape_control) {
        let length = piece.chars().count();
        if length > left {
            out.push_str("...");
            break;
        }
        left -= length;
        out.push_str(&piece);
    }
    out
}

/// Returns a text with a capital letter first.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Returns a count with its noun: `1 rank`, `2 ranks`.
pub fn plural<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == 1.into() {
        format!("{count} {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::{EXCERPT_LENGTH, excerpt, plural};

    #[test]
    fn one_is_singular() {
        let ranks = [0_usize, 1, 2].map(|count| plural(count, "rank"));
        assert_eq!(ranks, ["0 ranks", "1 rank", "2 ranks"]);
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("plain text"), "plain text");
        assert_eq!(excerpt("a\0b\rc\nd\u{1b}"), "a\\u{0}b\\rc\\nd\\u{1b}");
        let fits = "ä".repeat(EXCERPT_LENGTH);
        assert_eq!(excerpt(&fits), fits);
        assert_eq!(excerpt(&format!("{fits}ä")), format!("{fits}..."));
        assert!(excerpt(&"\0".repeat(EXCERPT_LENGTH)).len() <= EXCERPT_LENGTH + "...".len());
    }
}
