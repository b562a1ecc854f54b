//! Text in commands and messages: numbers read without overflow, words quoted.

/// Untrusted text as errors quote it.
pub(crate) fn found(text: &str) -> String {
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{text}'")
    }
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
    use super::whole_number;

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
    fn other_text_is_no_number() {
        for text in [
            "", "-", "+", "+-1", "--1", "1.0", "1e3", "0x10", "abc", "1 ", "٣", "1_000", "5\0",
        ] {
            assert_eq!(whole_number(text), None, "{text:?}");
        }
    }
}
