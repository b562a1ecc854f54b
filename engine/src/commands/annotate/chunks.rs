//! Splits games into the chunks that are evaluated.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use movegen::Variant;

use crate::input::ReadError;
use crate::input::games::InputGames;
use crate::output::progress;
use formats::pgn::{Games, Record};
use game::annotation::chunk_end;

/// A game and its number among all games, including invalid ones.
#[derive(Debug, Clone)]
pub(super) struct NumberedGame {
    pub(super) number: u64,
    pub(super) record: Record,
}

/// Counts the positions of the valid games; `None` if the input can be read only once.
pub(super) fn count_positions(paths: &[PathBuf], variant: Option<Variant>) -> Option<u64> {
    if paths.is_empty() || !paths.iter().all(|path| path.is_file()) {
        return None;
    }
    let bar = progress::bytes(paths);
    let mut positions = 0;
    for path in paths {
        let input = BufReader::with_capacity(1 << 16, bar.wrap_read(File::open(path).ok()?));
        let mut games = Games::new(input, variant);
        while let Some(game) = games.next_game().ok()? {
            positions += game.map_or(0, |record| record.moves().len() as u64 + 1);
        }
    }
    bar.finish_and_clear();
    Some(positions)
}

/// Successive positions of a game; position 0 is before the first move.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) game: Arc<NumberedGame>,
    pub(super) positions: Range<usize>,
}

impl Chunk {
    pub(super) fn is_last(&self) -> bool {
        self.positions.end > self.game.record.moves().len()
    }
}

pub(super) struct GameChunks {
    pub(super) games: InputGames,
    /// The game that is being split, and the start of its next chunk.
    current: Option<(Arc<NumberedGame>, usize)>,
}

impl GameChunks {
    pub(super) fn new(games: InputGames) -> GameChunks {
        GameChunks {
            games,
            current: None,
        }
    }

    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let (game, start) = match self.current.take() {
            Some(current) => current,
            None => match self.games.next_game()? {
                Some(record) => {
                    let number = self.games.count().total;
                    (Arc::new(NumberedGame { number, record }), 0)
                }
                None => return Ok(None),
            },
        };
        let positions = start..chunk_end(&game.record, start);
        let chunk = Chunk { game, positions };
        if !chunk.is_last() {
            self.current = Some((Arc::clone(&chunk.game), chunk.positions.end));
        }
        Ok(Some(chunk))
    }
}
