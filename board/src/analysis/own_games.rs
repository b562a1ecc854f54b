//! The moves of the user's own games in the position shown.

use std::collections::HashSet;

use formats::explorer::Explorer;
use formats::pgn::GameResult;
use game::library::{self, GameId, GameKind, Library};
use game::profile::Names;
use movegen::{Color, Position};

use crate::messages::analysis::OwnMoveView;

/// The most games that are read, the latest first.
const MAX_GAMES: usize = 10_000;

/// The user's games of the library by their positions, those with White and those with Black.
#[derive(Debug, Default)]
pub(super) struct OwnGames {
    explorers: [Explorer; 2],
    /// The games that have been read.
    read: HashSet<GameId>,
}

impl OwnGames {
    /// Reads the games of the library that are new or over; all of them after one was deleted.
    pub(super) fn read_new(&mut self, library: &Library, names: &Names) {
        let Ok(games) = library.games() else {
            return;
        };
        // The latest are first.
        let is_there = |id: &GameId| games.binary_search_by(|other| id.cmp(other)).is_ok();
        if !self.read.iter().all(is_there) {
            *self = Self::default();
        }
        for id in games.into_iter().take(MAX_GAMES) {
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
                let [white, black] = &mut self.explorers;
                match names.side(&record) {
                    Some(Color::White) => white.add(&record, &[]),
                    Some(Color::Black) => black.add(&record, &[]),
                    None => {}
                }
            }
            self.read.insert(id);
        }
    }

    /// The moves in the user's games with White, and in those with Black.
    pub(super) fn moves(&self, position: &Position) -> [Vec<OwnMoveView>; 2] {
        let [white, black] = &self.explorers;
        [(Color::White, white), (Color::Black, black)].map(|(side, explorer)| {
            let moves = explorer.moves(position).into_iter();
            let views =
                moves.map(|(mv, played)| OwnMoveView::new(side, position, mv, played.results));
            views.collect()
        })
    }
}
