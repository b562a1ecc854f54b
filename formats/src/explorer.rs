//! An opening explorer: the moves that games have played in each position, with their results.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::iter;

use movegen::{Color, Move, Position};

use crate::notation;
use crate::pgn::{GameResult, Record};
use crate::polyglot::key;

/// The plies of a game that are counted.
const MAX_PLIES: usize = 60;

/// The results of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Results {
    pub white: u32,
    pub draws: u32,
    pub black: u32,
}

impl Results {
    pub fn total(self) -> u32 {
        self.white + self.draws + self.black
    }
}

/// A move of games: their results, and what it cost where that is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Played {
    pub results: Results,
    /// The centipawns lost in the games that are evaluated, and the number of these.
    pub lost: u64,
    pub evaluated: u32,
}

impl Played {
    /// The centipawns lost in a game on average; `None` if that is not known.
    pub fn average_loss(self) -> Option<f64> {
        let games = f64::from(self.evaluated);
        (self.evaluated > 0).then(|| self.lost as f64 / games)
    }
}

/// The moves of games by their positions, also after a transposition; en passant makes no
/// difference.
#[derive(Debug, Default)]
pub struct Explorer {
    moves: HashMap<u64, Vec<(Move, Played)>>,
}

impl Explorer {
    /// Counts the main line of a game, unless it has no result; a move in a position that is
    /// repeated counts once. Its moves have lost these centipawns, as far as that is known.
    pub fn add(&mut self, record: &Record, losses: &[Option<u32>]) {
        let count = match record.result {
            GameResult::Won(Color::White) => |results: &mut Results| results.white += 1,
            GameResult::Won(Color::Black) => |results: &mut Results| results.black += 1,
            GameResult::Drawn => |results: &mut Results| results.draws += 1,
            GameResult::Unknown => return,
        };
        let moves = record.moves().take(MAX_PLIES);
        let losses = losses.iter().copied().chain(iter::repeat(None));
        let mut counted = HashSet::new();
        for ((position, mv), lost) in notation::legal_moves(&record.start, moves).zip(losses) {
            let key = key(&position, None);
            if !counted.insert((key, mv)) {
                continue;
            }
            let known = self.moves.entry(key).or_default();
            let index = known.iter().position(|(other, _)| *other == mv);
            let index = index.unwrap_or_else(|| {
                known.push((mv, Played::default()));
                known.len() - 1
            });
            if let Some((_, played)) = known.get_mut(index) {
                count(&mut played.results);
                played.lost += u64::from(lost.unwrap_or(0));
                played.evaluated += u32::from(lost.is_some());
            }
        }
    }

    /// The moves that were played in a position, the most frequent first.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Played)> {
        let known = self.moves.get(&key(position, None)).into_iter().flatten();
        let legal = known.filter(|(mv, _)| position.is_legal(*mv));
        let mut moves: Vec<(Move, Played)> = legal.copied().collect();
        moves.sort_by_key(|(_, played)| Reverse(played.results.total()));
        moves
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use movegen::Position;
    use test_common::{game_after, positions::START};

    use super::{Explorer, Results};
    use crate::pgn::Games;

    const GAMES: &str = "1. d4 Nf6 2. c4 e6 1-0\n\n1. c4 Nf6 2. d4 g6 0-1\n\n1. d4 d5 1/2-1/2\n\n\
                         1. d4 Nf6 2. Nf3 Ng8 3. Ng1 Nf6 1-0\n\n1. e4 *\n";

    #[test]
    fn moves_are_counted_by_position_with_their_results() {
        let mut explorer = Explorer::default();
        let mut games = Games::new(Cursor::new(GAMES), None);
        while let Ok(Some(game)) = games.next_game() {
            explorer.add(&game.expect("valid"), &[Some(8)]);
        }
        let played = |line: &str| {
            let position = *game_after(START, line).position();
            let moves = explorer.moves(&position).into_iter();
            let written = moves.map(|(mv, played)| {
                let Results {
                    white,
                    draws,
                    black,
                } = played.results;
                format!("{} {white} {draws} {black}", position.san(mv))
            });
            written.collect::<Vec<String>>()
        };
        // A game without a result does not count.
        assert_eq!(played(""), ["d4 2 1 0", "c4 0 0 1"]);
        // A game repeats the position.
        assert_eq!(played("d4"), ["Nf6 2 0 0", "d5 0 1 0"]);
        // Two orders of moves, one position.
        assert_eq!(played("d4 Nf6 c4"), ["e6 1 0 0", "g6 0 0 1"]);
        assert_eq!(played("e4"), [""; 0]);
        let totals = explorer.moves(&Position::default()).into_iter();
        assert!(totals.map(|(_, played)| played.results.total()).eq([3, 1]));
        let cost = |line: &str| {
            let position = *game_after(START, line).position();
            let moves = explorer.moves(&position).into_iter();
            moves
                .map(|(_, played)| (played.lost, played.average_loss()))
                .next()
        };
        assert_eq!(cost(""), Some((24, Some(8.0))));
        assert_eq!(cost("d4"), Some((0, None)));
    }
}
