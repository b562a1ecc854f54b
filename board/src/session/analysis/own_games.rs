//! The moves of the user's own games in the position shown.

use std::collections::HashSet;

use formats::explorer::{Explorer, Results};
use formats::pgn::GameResult;
use game::library::{GameId, GameKind, Library};
use movegen::{Position, Square};
use serde::Serialize;

use crate::session::legal::squares;
use crate::session::library;

/// The games that are read, the latest first.
const MAX_GAMES: usize = 10_000;

/// The games of the library by their positions.
#[derive(Debug, Default)]
pub(super) struct OwnGames {
    explorer: Explorer,
    /// The games that have been read.
    read: HashSet<GameId>,
}

/// A move of own games.
#[derive(Debug, Serialize)]
pub(crate) struct OwnMoveView {
    uci: String,
    san: String,
    squares: [Square; 2],
    white: u32,
    draws: u32,
    black: u32,
}

impl OwnGames {
    /// Reads the games of the library that are new or over.
    pub(super) fn read_new(&mut self, library: &Library) {
        for id in library.games().into_iter().flatten().take(MAX_GAMES) {
            if self.read.contains(&id) {
                continue;
            }
            let Ok(Some((kind, text))) = library.read(&id) else {
                continue;
            };
            if kind == GameKind::Chess
                && let Some(record) = library::record(&text)
            {
                if record.result == GameResult::Unknown {
                    // It may go on.
                    continue;
                }
                self.explorer.add(&record);
            }
            self.read.insert(id);
        }
    }

    pub(super) fn moves(&self, position: &Position) -> Vec<OwnMoveView> {
        let moves = self.explorer.moves(position).into_iter();
        let views = moves.map(|(mv, results)| {
            let Results {
                white,
                draws,
                black,
            } = results;
            OwnMoveView {
                uci: mv.uci(position.variant()).to_string(),
                san: position.san(mv),
                squares: squares(mv, position),
                white,
                draws,
                black,
            }
        });
        views.collect()
    }
}
