//! Changes of a game's tags.

use anyhow::{Context as _, Result, bail};
use common::excerpt;
use formats::pgn::{GameResult, Record, is_tag_name};

/// Sets tags, of which those with an empty value are removed; `Result` is the result.
pub(super) fn set(record: &mut Record, tags: Vec<(String, String)>) -> Result<()> {
    for (name, value) in tags {
        if !is_tag_name(&name) {
            let name = excerpt(&name);
            bail!(
                "invalid tag '{name}': expected a name of letters, digits and '_' \
                 that does not begin with '_'"
            );
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
