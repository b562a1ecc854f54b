//! The words of a command: numbers read without overflow, words quoted in errors, and the names
//! that a mistyped one may mean.

/// Untrusted text as errors quote it.
pub fn found(text: &str) -> String {
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{text}'")
    }
}

/// Reads an optionally signed run of decimal digits. Saturates where the number does not fit;
/// returns `None` for anything but a whole number.
pub fn whole_number(text: &str) -> Option<i64> {
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

/// Returns the names nearest to a mistyped one by edit distance; none if all differ too much.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const MAX_LENGTH: usize = 40;
    let length = typed.chars().count();
    if length > MAX_LENGTH {
        return Vec::new();
    }
    // One letter in two, two in five, three in eight.
    let mut best = (length + 1) / 3;
    let typed = typed.to_lowercase();
    let mut found = Vec::new();
    for name in names {
        let distance = strsim::damerau_levenshtein(&typed, &name.to_lowercase());
        if distance < best {
            best = distance;
            found.clear();
        }
        if distance == best && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Writes the nearest names as part of an error: `, did you mean 'Hash'?`, or nothing.
pub fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        _ => format!(", did you mean '{}'?", names.join("' or '")),
    }
}

#[cfg(test)]
mod tests {
    use super::{nearest, whole_number};

    #[test]
    fn the_nearest_names_are_found() {
        let names = [
            "bench", "epd", "eval", "perft", "analyse", "analyze", "d", "go",
        ];
        for (typed, expected) in [
            ("banch", &["bench"][..]),
            ("Bench", &["bench"]),
            ("becnh", &["bench"]),
            ("epdd", &["epd"]),
            ("prft", &["perft"]),
            ("anlyse", &["analyse"]),
            ("analye", &["analyse", "analyze"]),
            ("x", &[]),
            ("depth", &[]),
            ("hello", &[]),
            ("", &[]),
        ] {
            assert_eq!(nearest(typed, names), expected, "{typed}");
        }
        assert_eq!(nearest(&"bench".repeat(100_000), names), [""; 0]);
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
    fn other_text_is_not_a_number() {
        for text in [
            "", "-", "+", "+-1", "--1", "1.0", "1e3", "0x10", "abc", "1 ", "٣", "1_000", "5\0",
        ] {
            assert_eq!(whole_number(text), None, "{text:?}");
        }
    }
}
