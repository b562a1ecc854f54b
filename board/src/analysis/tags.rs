//! Changes of a game's tags.

use common::excerpt;
use formats::pgn::{GameResult, Record};
use game::play::TextError;

/// Sets tags, of which those with an empty value are removed; `Result` is the result.
pub(super) fn set(record: &mut Record, tags: Vec<(String, String)>) -> Result<(), TextError> {
    for (name, value) in tags {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(word) {
            let name = excerpt(&name);
            return Err(format!(
                "invalid tag '{name}': expected a name of letters, digits and '_'"
            )
            .into());
        }
        let value = value.trim();
        match name.as_str() {
            "Result" => {
                record.result = GameResult::parse(value).ok_or_else(|| {
                    let found = excerpt(value);
                    format!("invalid result '{found}': expected 1-0, 0-1, 1/2-1/2 or *")
                })?;
            }
            // Those follow from the start position.
            "FEN" | "SetUp" | "Variant" => {}
            _ if value.is_empty() => record.tags.remove(&name),
            _ => record.tags.set(&name, value),
        }
    }
    Ok(())
}
