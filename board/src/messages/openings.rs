//! The messages between the page and the mode Openings.

use game::annotation::Heading;
use game::deck::Source;
use game::library::GameId;
use movegen::Color;
use serde::{Deserialize, Serialize};

use super::analysis;
use crate::illegal::Illegal;
use crate::legal::{BoardView, LegalMove};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The position after some moves in the user's games with a color. `text` is one more move, by
    /// its squares or in SAN; the answer to an illegal one is the reason.
    Go {
        color: Color,
        moves: Vec<String>,
        text: Option<String>,
    },
    /// Makes the user's moves in a line their repertoire.
    Mark {
        color: Color,
        moves: Vec<String>,
    },
    /// Removes the last of the user's moves in a line from their repertoire.
    Unmark {
        color: Color,
        moves: Vec<String>,
    },
    /// Adds the user's moves in the games of a PGN and their variations.
    Import {
        color: Color,
        pgn: String,
    },
    Export {
        color: Color,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Position(Box<PositionView>),
    Overview(Overview),
    Imported {
        added: usize,
        /// The number of moves in positions that have another one.
        other: usize,
        /// The number of games that could not be read, or begin elsewhere.
        unread: usize,
    },
    Exported {
        color: Color,
        pgn: String,
    },
    Illegal(Illegal),
    Error {
        text: String,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct PositionView {
    pub(crate) color: Color,
    /// The moves that lead there.
    pub(crate) path: Vec<PathMove>,
    #[serde(flatten)]
    pub(crate) board: BoardView,
    pub(crate) legal: Vec<LegalMove>,
    pub(crate) opening: Option<String>,
    /// The known moves, the most frequent first.
    pub(crate) known: Vec<KnownMove>,
    /// True if all of the user's moves in the path are their repertoire.
    pub(crate) marked: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct PathMove {
    pub(crate) uci: String,
    /// The move with its number, that of Black only at the start.
    pub(crate) text: String,
}

/// A move of own games, of the repertoire or of the book.
#[derive(Debug, Serialize)]
pub(crate) struct KnownMove {
    #[serde(flatten)]
    pub(crate) results: analysis::OwnMoveView,
    /// The pawns that the user's move has lost on average.
    pub(crate) loss: Option<f64>,
    /// The number of games of which that is the average.
    pub(crate) evaluated: u32,
    pub(crate) repertoire: bool,
    pub(crate) book: bool,
}

/// The openings of the user's games with a color.
#[derive(Debug, Serialize)]
pub(crate) struct Overview {
    pub(crate) color: Color,
    pub(crate) games: usize,
    /// The number of positions in the repertoire.
    pub(crate) repertoire: usize,
    /// The lines that have cost the user most.
    pub(crate) costly: Vec<CostlyView>,
    /// The moves that left the repertoire, the book or the usual move, the most frequent first.
    pub(crate) left: Vec<Departure>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CostlyView {
    pub(crate) moves: Vec<String>,
    pub(crate) text: String,
    pub(crate) results: analysis::OwnMoveView,
    /// In pawns, on average.
    pub(crate) loss: f64,
    pub(crate) evaluated: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Departure {
    pub(crate) id: GameId,
    pub(crate) ply: usize,
    pub(crate) heading: Heading,
    /// The move of the game with its number.
    pub(crate) played: String,
    /// The move that was to be played.
    pub(crate) known: String,
    pub(crate) source: Source,
    /// The number of games with this move, of which this is the latest.
    pub(crate) games: usize,
}
