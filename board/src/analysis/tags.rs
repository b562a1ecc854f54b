//! Changes of a game's tags.

use anyhow::{Context as _, Result, bail};
use common::excerpt;
use formats::pgn::{GameResult, Record};

/// Sets tags, of which those with an empty value are removed; `Result` is the result.
pub(super) fn set(record: &mut Record, tags: Vec<(String, String)>) -> Result<()> {
    for (name, value) in tags {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(word) {
            let name = excerpt(&name);
            bail!("invalid tag '{name}': expected a name of letters, digits and '_'");
        }
        let value = value.trim();
        match name.as_str() {
            "Result" => {
                record.result = GameResult::parse(value).with_context(|| {
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
