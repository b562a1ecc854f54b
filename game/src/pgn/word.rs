//! The words of movetext. The grammar skips those that it does not know, and a game read without
//! them would be another game: a German one, for example, without its knight moves.

use std::borrow::Cow;

use pgn_reader::SanPlus;

/// What a word between separators is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// A move or a null move, in the form that the grammar knows.
    Move(Cow<'a, [u8]>),
    Number,
    Nag(u8),
    /// Part of `e.p.`, which tells nothing.
    Nothing,
    /// What may be left out, and is kept as a comment.
    Text,
    Unknown,
}

const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "*", "½-½", "½–½", "1–0", "0–1"];

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

/// Names of the null move, of which the grammar knows the first.
const NULL_MOVES: [&[u8]; 4] = [b"--", b"Z0", b"0000", b"@@@@"];

/// Whether a byte ends a word. A `$` also does, and begins the next.
pub(super) fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'.' | b'(' | b')' | b'!' | b'?' | b'}')
}

/// Splits off the result, which may follow a move without a blank, as in `Nf3*`.
pub(super) fn split_result(word: &[u8]) -> (&[u8], &[u8]) {
    let mut results = RESULTS.iter().map(|result| result.as_bytes());
    let result = results.find(|result| word.ends_with(result));
    match word.split_at_checked(word.len() - result.map_or(0, <[u8]>::len)) {
        // Otherwise the end is part of an unknown word.
        Some((before, result)) if before.is_empty() || as_move(before).is_some() => {
            (before, result)
        }
        _ => (word, &[]),
    }
}

impl Word<'_> {
    pub(super) fn read(word: &[u8]) -> Word<'_> {
        if let Some(mv) = as_move(word) {
            return Word::Move(mv);
        }
        let symbol = SYMBOLS.iter().find(|(symbol, _)| word == symbol.as_bytes());
        if let Some(&(_, nag)) = symbol {
            return Word::Nag(nag);
        }
        match word {
            [b'$', digits @ ..] => match std::str::from_utf8(digits).map(str::parse) {
                Ok(Ok(nag)) => Word::Nag(nag),
                _ => Word::Text,
            },
            b"e" | b"p" | b"ep" => Word::Nothing,
            _ if word.iter().all(u8::is_ascii_digit) => Word::Number,
            _ if word.iter().any(u8::is_ascii_alphanumeric) => Word::Unknown,
            _ => Word::Text,
        }
    }
}

/// The move in the form that the grammar knows, if the word has the form of one.
fn as_move(word: &[u8]) -> Option<Cow<'_, [u8]>> {
    if NULL_MOVES.contains(&word) {
        return Some(Cow::Borrowed(b"--"));
    }
    let bare = match word {
        [bare @ .., b'+' | b'#'] => bare,
        _ => word,
    };
    if matches!(bare, b"0-0" | b"0-0-0") || SanPlus::from_ascii(word).is_ok() {
        return Some(Cow::Borrowed(word));
    }
    let normal = normalised(word);
    SanPlus::from_ascii(&normal)
        .is_ok()
        .then_some(Cow::Owned(normal))
}

/// Other common forms of moves: `e2-e4`, `e8Q`, `e8=q`, `Qf7++`, `exd6ep`.
fn normalised(word: &[u8]) -> Vec<u8> {
    let is_check = |byte: &u8| matches!(byte, b'+' | b'#');
    let end = word.iter().rposition(|byte| !is_check(byte));
    let (mut bare, check) = word
        .split_at_checked(end.map_or(0, |at| at + 1))
        .unwrap_or((word, b""));
    for en_passant in [&b"ep"[..], b"e"] {
        bare = bare.strip_suffix(en_passant).unwrap_or(bare);
    }
    let mut normal = Vec::with_capacity(word.len() + 1);
    for (at, &byte) in bare.iter().enumerate() {
        let between = (normal.last(), bare.get(at + 1));
        if byte != b'-' || !matches!(between, (Some(b'1'..=b'8'), Some(b'a'..=b'h'))) {
            normal.push(byte);
        }
    }
    if let Some(promotion) = normal.pop_if(|last| b"NBRQnbrq".contains(last)) {
        if normal.last() != Some(&b'=') {
            normal.push(b'=');
        }
        normal.push(promotion.to_ascii_uppercase());
    }
    normal.extend(check.first());
    normal
}

#[cfg(test)]
mod tests {
    use super::{Word, split_result};

    #[test]
    fn other_forms_of_moves_are_normalised() {
        for (word, normal) in [
            ("a8Q", "a8=Q"),
            ("bxa8n+", "bxa8=N+"),
            ("e2-e4", "e2e4"),
            ("Ng1-f3", "Ng1f3"),
            ("e7-e8Q", "e7e8=Q"),
            ("Qf7++", "Qf7+"),
            ("exd6ep", "exd6"),
            ("exd6e", "exd6"),
            ("Nf3+", "Nf3+"),
            ("0-0", "0-0"),
            ("0-0-0+", "0-0-0+"),
            ("O-O", "O-O"),
            ("Z0", "--"),
            ("0000", "--"),
            ("@@@@", "--"),
        ] {
            let read = Word::read(word.as_bytes());
            assert_eq!(read, Word::Move(normal.as_bytes().into()), "{word}");
        }
        for word in ["Sf3", "e9", "e2--", "Q", "8=Q", "--e4", "a8P", "1-1"] {
            let read = Word::read(word.as_bytes());
            assert!(!matches!(read, Word::Move(_)), "{word}: {read:?}");
        }
    }

    #[test]
    fn what_is_no_move_is_kept_or_unknown() {
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
            ("Sf3", Word::Unknown),
            ("1-1", Word::Unknown),
        ] {
            assert_eq!(Word::read(word.as_bytes()), expected, "{word}");
        }
    }

    #[test]
    fn a_result_may_follow_without_a_blank() {
        for (word, expected) in [
            ("*", ("", "*")),
            ("Nf3*", ("Nf3", "*")),
            ("e4½-½", ("e4", "½-½")),
            ("Nf31-0", ("Nf3", "1-0")),
            ("Sf3*", ("Sf3*", "")),
            ("1/2-1/2", ("", "1/2-1/2")),
            ("e4", ("e4", "")),
        ] {
            let expected = (expected.0.as_bytes(), expected.1.as_bytes());
            assert_eq!(split_result(word.as_bytes()), expected, "{word}");
        }
    }
}
