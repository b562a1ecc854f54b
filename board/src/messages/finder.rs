//! The messages between the page and the search of the library by position.

use game::annotation::Heading;
use game::library::GameId;
use serde::{Deserialize, Serialize};

use crate::own::OwnSide;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The games with a position like this one.
    Find {
        part: Part,
        fen: String,
        chess960: bool,
    },
}

/// The part of a position that is the same in the games that are found.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    Position,
    Pawns,
    Material,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The search waits until all games have been read.
    Indexing {
        done: usize,
        total: usize,
    },
    Found {
        part: Part,
        /// The number of games, of which only the latest are listed.
        count: usize,
        games: Vec<Found>,
    },
    Failed {
        text: String,
    },
}

/// A game with a position like the one that is searched.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) id: GameId,
    pub(crate) heading: Heading,
    pub(crate) own: Option<OwnSide>,
    /// The number of moves before the position.
    pub(crate) ply: usize,
    /// The move in the position, with its number.
    pub(crate) next: Option<String>,
}
