//! Draws inside the tree: repetition, the fifty-move rule (50-move rule) and insufficient
//! material, and upcoming repetitions.

use crate::score::{MAX_PLY, Score};
use movegen::engine::reversible_move;
use movegen::{FIFTY_MOVE_PLIES, Game, Outcome, Position, THREEFOLD, attacks};

/// The draw by which a game has ended although there are legal moves: seventy-five-move rule,
/// fivefold repetition or insufficient material. A search of its position finds nothing but a draw.
pub fn drawn_game(game: &Game) -> Option<Outcome> {
    let ended = game.outcome().filter(|outcome| outcome.winner().is_none());
    ended.filter(|&outcome| outcome != Outcome::Stalemate)
}

/// The Zobrist keys of the game's positions, then of the current line's, the current one last.
#[derive(Default, Debug)]
pub(crate) struct KeyStack {
    keys: Vec<u64>,
    /// Positions before the last null move cannot be repeated; this is the first one after it.
    start: usize,
}

impl KeyStack {
    /// Holds the positions of a game and no line.
    pub(crate) fn set_game(&mut self, game: &Game) {
        self.keys.clear();
        self.keys.extend(game.positions().map(Position::key));
        self.keys.reserve(MAX_PLY + 2);
        self.start = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Like `push` for the position after a null move. Returns what `pop_null` takes.
    pub(crate) fn push_null(&mut self, position: &Position) -> usize {
        self.push(position);
        std::mem::replace(&mut self.start, self.keys.len() - 1)
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    pub(crate) fn pop_null(&mut self, start: usize) {
        self.pop();
        self.start = start;
    }

    /// The score of a position that is drawn by rule, or in which checkmate came with the move
    /// that completed the fifty-move rule: then the mate counts.
    #[inline]
    pub(crate) fn draw_score(&self, position: &Position, ply: usize) -> Option<Score> {
        if position.halfmove_clock() >= FIFTY_MOVE_PLIES {
            return Some(if position.is_checkmate() {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        let drawn = self.is_repetition(position, ply) || position.is_insufficient_material();
        drawn.then_some(Score::DRAW)
    }

    /// The number of plies back that a repetition can be.
    #[inline]
    fn reversible_plies(&self, position: &Position) -> usize {
        let stacked = self.keys.len() - 1 - self.start;
        usize::from(position.halfmove_clock()).min(stacked)
    }

    /// Repetition: the position occurred once before inside the tree, where it can be reached
    /// again, or twice in all, which makes it the third time on the board.
    #[inline]
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let current = self.keys.len() - 1;
        let limit = self.reversible_plies(position);
        let mut earlier = 0;
        let mut back = 4;
        while back <= limit {
            if self.keys[current - back] == position.key() {
                earlier += 1;
                if back < ply || earlier == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Upcoming repetition: the side to move can return to an earlier position of this line,
    /// so its score is at least a draw.
    #[inline]
    pub(crate) fn upcoming_repetition(&self, position: &Position, ply: usize) -> bool {
        let current = self.keys.len() - 1;
        let limit = self.reversible_plies(position).min(ply.saturating_sub(1));
        let mut back = 3;
        while back <= limit {
            let difference = self.keys[current - back] ^ position.key();
            if let Some([a, b]) = reversible_move(difference)
                && (attacks::between(a, b) & position.occupied()).is_empty()
            {
                return true;
            }
            back += 2;
        }
        false
    }
}

/// The keys of positions that occurred twice since the last irreversible move: a third
/// occurrence is a draw.
pub(crate) fn seen_twice(game: &Game) -> Vec<u64> {
    const _: () = assert!(THREEFOLD == 3);
    let clock = usize::from(game.position().halfmove_clock());
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    for position in game.positions().rev().take(clock + 1) {
        let key = position.key();
        if once.contains(&key) {
            twice.push(key);
        } else {
            once.push(key);
        }
    }
    twice
}
