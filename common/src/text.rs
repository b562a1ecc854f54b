//! Quoting untrusted text in messages.

/// The longest excerpt, in characters.
const EXCERPT_LENGTH: usize = 80;

/// Returns the start of a text on one line, safe to print: control characters, which could end
/// the line or disturb a terminal, are escaped, and what exceeds 80 characters becomes `...`.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut out = String::new();
    let mut left = EXCERPT_LENGTH;
    for character in text.chars() {
        let piece = if character.is_control() {
            character.escape_default().to_string()
        } else {
            character.to_string()
        };
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

#[cfg(test)]
mod tests {
    use super::{EXCERPT_LENGTH, excerpt};

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
