//! The user's part in a game.

use std::hash::{DefaultHasher, Hash, Hasher};

use common::files::FileError;
use formats::pgn::Record;
use game::library::{GameId, GameKind, Library};
use game::profile::{Names, half_points};
use serde::Serialize;

use crate::legal::ColorName;

/// The texts of all games of chess, the latest first; `None` if their hash is the one that is known.
pub(crate) fn changed_games(
    library: &Library,
    known: &mut Option<u64>,
) -> Result<Option<Vec<(GameId, String)>>, FileError> {
    let mut games = Vec::new();
    let mut hasher = DefaultHasher::new();
    for id in library.games()? {
        if let Ok(Some((GameKind::Chess, pgn))) = library.read(&id) {
            (&id, &pgn).hash(&mut hasher);
            games.push((id, pgn));
        }
    }
    let hash = Some(hasher.finish());
    Ok((std::mem::replace(known, hash) != hash).then_some(games))
}

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
