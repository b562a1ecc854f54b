//! The messages between the page and the library.

use game::annotation::Heading;
use game::library::GameId;
use game::profile::Names;
use serde::{Deserialize, Serialize};

use crate::own::OwnSide;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    List,
    /// The PGN of a game, to be shown at a ply.
    Open {
        id: GameId,
        #[serde(default)]
        ply: usize,
    },
    Delete {
        ids: Vec<GameId>,
    },
    /// The PGN of all games, and the profile.
    Export,
    /// Adds the exercises and names of a profile that was exported, which is JSON.
    Import {
        profile: String,
    },
    /// Keeps the games of a PGN text, except those that are there.
    Add {
        pgn: String,
    },
    /// The names in the games, for the user to say which are theirs.
    Players,
    /// The user's names from now on.
    Names {
        names: Names,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Games {
        games: Vec<Kept>,
        /// Their folder.
        folder: Option<String>,
        /// The reason for which they are not kept.
        unkept: Option<String>,
    },
    Opened {
        id: GameId,
        pgn: String,
        ply: usize,
    },
    /// A game of Tri-Dimensional chess, by the lines of a saved game.
    OpenedTridim {
        id: GameId,
        saved: Vec<String>,
    },
    Exported {
        pgn: String,
        /// JSON, as it is in the library.
        profile: String,
    },
    /// A profile has been added.
    Imported {
        /// The number of exercises that have changed.
        exercises: usize,
        names: Names,
    },
    NotImported {
        text: String,
    },
    /// Games have been added.
    Added {
        count: usize,
        /// The number of those that were there.
        known: usize,
        /// The number of those that cannot be read, or have no moves.
        invalid: usize,
    },
    NotAdded {
        text: String,
    },
    Players {
        players: Vec<PlayerName>,
    },
    Names {
        names: Names,
    },
}

/// A name in the games of the library.
#[derive(Debug, Serialize)]
pub(crate) struct PlayerName {
    pub(crate) name: String,
    pub(crate) games: usize,
    /// True for a name of the user.
    pub(crate) own: bool,
}

/// A game of the list.
#[derive(Debug, Serialize)]
pub(crate) struct Kept {
    pub(crate) id: GameId,
    pub(crate) heading: Heading,
    pub(crate) own: Option<OwnSide>,
    pub(crate) moves: usize,
    /// True for Tri-Dimensional chess.
    pub(crate) tridim: bool,
}
