//! The words of movetext.

use movegen::{Color, San};

use super::record::GameResult;

/// The text between two separators.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A move in SAN, or a null move.
    Move(Option<San>),
    Number,
    Nag(u8),
    /// A result, and the move that it may follow without a blank, as in `Nf3*`.
    Result(Option<Option<San>>, GameResult),
    /// Part of `e.p.`, which tells nothing.
    Nothing,
    /// Text that may be left out, and is kept as a comment.
    Text,
    /// Text that may be a move: a game read without it would be another game.
    Unknown,
}

const RESULTS: [(&str, GameResult); 10] = [
    ("1-0", GameResult::Won(Color::White)),
    ("1–0", GameResult::Won(Color::White)),
    ("0-1", GameResult::Won(Color::Black)),
    ("0–1", GameResult::Won(Color::Black)),
    ("1/2-1/2", GameResult::Drawn),
    ("1/2–1/2", GameResult::Drawn),
    ("½-½", GameResult::Drawn),
    ("½–½", GameResult::Drawn),
    ("*", GameResult::Unknown),
    ("1/2", GameResult::Drawn),
];

/// Symbols that have a numeric annotation glyph. `=` alone is also an offer of a draw.
const SYMBOLS: [(&str, u8); 16] = [
    ("N", 146),
    ("D", 220),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("-+", 19),
    ("□", 7),
];

const NULL_MOVES: [&[u8]; 4] = [b"--", b"Z0", b"0000", b"@@@@"];

/// True if a byte is a token of its own, or none.
pub(super) fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'.' | b'(' | b')' | b'{' | b'}' | b';' | b'!' | b'?')
}

/// True if a word ends before this byte.
pub(super) fn ends(byte: u8) -> bool {
    byte == b'$' || is_separator(byte)
}

/// The meaning of a `Result` tag.
pub(super) fn result(text: &str) -> Option<GameResult> {
    let known = RESULTS.iter().find(|(known, _)| *known == text);
    known.map(|&(_, result)| result)
}

impl Word {
    pub(super) fn read(word: &[u8]) -> Self {
        if word.iter().all(u8::is_ascii_digit) && !NULL_MOVES.contains(&word) {
            return Self::Number;
        }
        if let Some(mv) = as_move(word) {
            return Self::Move(mv);
        }
        for (text, result) in RESULTS {
            if let Some(before) = word.strip_suffix(text.as_bytes()) {
                let mv = as_move(before);
                // Otherwise the end is part of an unknown word.
                if before.is_empty() || mv.is_some() {
                    return Self::Result(mv, result);
                }
            }
        }
        if let Some(&(_, nag)) = SYMBOLS.iter().find(|(known, _)| known.as_bytes() == word) {
            return Self::Nag(nag);
        }
        match word {
            [b'$', digits @ ..] => match std::str::from_utf8(digits).map(str::parse) {
                Ok(Ok(nag)) => Self::Nag(nag),
                _ => Self::Text,
            },
            b"e" | b"p" | b"ep" => Self::Nothing,
            _ if word.iter().any(u8::is_ascii_alphanumeric) => Self::Unknown,
            _ => Self::Text,
        }
    }
}

/// A move, or a null move, if the word has the form of one.
fn as_move(word: &[u8]) -> Option<Option<San>> {
    if let Some(san) = San::from_ascii(word) {
        return Some(Some(san));
    }
    if NULL_MOVES.contains(&word) {
        return Some(None);
    }
    // `e.p.` without the dots, which end a word.
    let en_passant = word.strip_suffix(b"ep").or(word.strip_suffix(b"e"))?;
    San::from_ascii(en_passant).map(Some)
}

#[cfg(test)]
mod tests {
    use movegen::{Color, San};

    use super::Word;
    use crate::pgn::GameResult;

    #[test]
    fn moves_in_other_forms() {
        for (word, san) in [
            ("a8Q", "a8=Q"),
            ("bxa8n+", "bxa8=N"),
            ("e2-e4", "e2e4"),
            ("Ng1-f3", "Ng1f3"),
            ("e7-e8q", "e7e8=Q"),
            ("Qf7++", "Qf7"),
            ("exd6ep", "exd6"),
            ("exd6e", "exd6"),
            ("0-0", "O-O"),
            ("0-0-0+", "O-O-O"),
        ] {
            let san: San = san.parse().expect(san);
            assert_eq!(Word::read(word.as_bytes()), Word::Move(Some(san)), "{word}");
        }
        for word in ["--", "Z0", "0000", "@@@@"] {
            assert_eq!(Word::read(word.as_bytes()), Word::Move(None), "{word}");
        }
    }

    #[test]
    fn other_words() {
        for (word, expected) in [
            ("12", Word::Number),
            ("$0", Word::Nag(0)),
            ("$255", Word::Nag(255)),
            ("$256", Word::Text),
            ("$x", Word::Text),
            ("+/-", Word::Nag(16)),
            ("####", Word::Text),
            ("=", Word::Text),
            ("новинка", Word::Text),
        ] {
            assert_eq!(Word::read(word.as_bytes()), expected, "{word}");
        }
        for word in ["Sf3", "e9", "e2--", "Q", "8=Q", "--e4", "a8P", "1-1"] {
            assert_eq!(Word::read(word.as_bytes()), Word::Unknown, "{word}");
        }
    }

    #[test]
    fn a_result_may_follow_without_a_blank() {
        for (word, mv, result) in [
            ("*", None, GameResult::Unknown),
            ("Nf3*", Some("Nf3"), GameResult::Unknown),
            ("e4½-½", Some("e4"), GameResult::Drawn),
            ("Nf31-0", Some("Nf3"), GameResult::Won(Color::White)),
            ("1/2-1/2", None, GameResult::Drawn),
            ("1/2", None, GameResult::Drawn),
            ("Nf31/2", Some("Nf3"), GameResult::Drawn),
        ] {
            let mv = mv.map(|san| Some(san.parse().expect(san)));
            assert_eq!(
                Word::read(word.as_bytes()),
                Word::Result(mv, result),
                "{word}"
            );
        }
        assert_eq!(Word::read(b"Sf3*"), Word::Unknown);
    }
}
