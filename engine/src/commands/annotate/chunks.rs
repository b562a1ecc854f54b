//! Splits games into the chunks that are evaluated.

use std::ops::Range;
use std::sync::Arc;

use crate::input::ReadError;
use crate::input::games::InputGames;
use formats::pgn::Record;
use game::annotation::chunk_end;

/// A game and its place in the input.
#[derive(Debug, Clone)]
pub(super) struct NumberedGame {
    /// The number among all games, including invalid ones.
    pub(super) number: u64,
    /// The length in the input.
    pub(super) bytes: u64,
    pub(super) record: Record,
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
    pub(super) fn new(games: InputGames) -> Self {
        Self {
            games,
            current: None,
        }
    }

    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let (game, start) = match self.current.take() {
            Some(current) => current,
            None => match self.games.next_game()? {
                Some(record) => {
                    let count = self.games.count();
                    let (number, bytes) = (count.total, count.bytes);
                    let game = NumberedGame {
                        number,
                        bytes,
                        record,
                    };
                    (Arc::new(game), 0)
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
