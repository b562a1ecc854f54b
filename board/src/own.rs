//! The user's part in a game.

use formats::pgn::Record;
use game::profile::{Names, half_points};
use serde::Serialize;

use super::legal::ColorName;

/// The side that the user played, and their result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct OwnSide {
    color: ColorName,
    result: OwnResult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum OwnResult {
    Lost,
    Drew,
    Won,
    /// The game has no result.
    Played,
}

impl OwnSide {
    /// `None` if the game is not one of the user's.
    pub(crate) fn new(record: &Record, names: &Names) -> Option<Self> {
        let side = names.side(record)?;
        Some(Self {
            color: side.name(),
            result: match half_points(record.result, side) {
                Some(0) => OwnResult::Lost,
                Some(1) => OwnResult::Drew,
                Some(_) => OwnResult::Won,
                None => OwnResult::Played,
            },
        })
    }
}
