//! Collects move statistics from games and turns them into book entries.

use std::cmp::Reverse;
use std::collections::HashMap;

use movegen::Color;

use formats::pgn::{GameResult, Record};
use formats::polyglot::{EncodedMove, Entry, key, passed_by};

/// Points for a game; doubled, so that a draw is a whole number.
const WIN: u32 = 2;
const DRAW: u32 = 1;

/// The weighting of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weights {
    /// Two points for each win of the side that played the move and one for each draw.
    ByResult,
    /// One for every move.
    Uniform,
}

/// Games and points of each move, by the key of its position.
#[derive(Debug, Default)]
pub(super) struct BookBuilder {
    moves: HashMap<(u64, EncodedMove), Count>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    games: u32,
    points: u32,
}

impl BookBuilder {
    /// Adds the moves of a game. A move repeated in the same position counts once.
    pub(super) fn add(&mut self, game: &Record) {
        let mut position = game.start;
        let mut passed = game.passed_at_start;
        let mut seen = Vec::with_capacity(game.moves().len());
        for mv in game.moves() {
            let step = (key(&position, passed), EncodedMove::new(mv));
            if !seen.contains(&step) {
                seen.push(step);
                let count = self.moves.entry(step).or_default();
                count.games = count.games.saturating_add(1);
                count.points = count
                    .points
                    .saturating_add(points(game.result, position.side_to_move()));
            }
            position = position.play_unchecked(mv);
            passed = passed_by(&position, mv);
        }
    }

    /// Returns the entries sorted by key, the moves of a position by descending weight. Moves
    /// of fewer games, and with `Weights::ByResult` moves without points, are left out.
    pub(super) fn into_entries(self, min_games: u32, weights: Weights) -> Vec<Entry> {
        let kept = self.moves.into_iter().filter(|(_, count)| {
            count.games >= min_games && (weights == Weights::Uniform || count.points > 0)
        });
        let mut moves: Vec<_> = kept.collect();
        moves.sort_unstable_by_key(|&((key, mv), count)| (key, Reverse(count.points), mv));
        let mut entries = Vec::with_capacity(moves.len());
        for position in moves.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let most = position.first().map_or(0, |(_, count)| count.points);
            entries.extend(position.iter().map(|&((key, mv), count)| Entry {
                key,
                mv,
                weight: match weights {
                    Weights::ByResult => scaled(count.points, most),
                    Weights::Uniform => 1,
                },
            }));
        }
        entries
    }
}

/// An unfinished game counts as a draw.
fn points(result: GameResult, side: Color) -> u32 {
    match result {
        GameResult::Won(winner) if winner == side => WIN,
        GameResult::Won(_) => 0,
        GameResult::Drawn | GameResult::Unknown => DRAW,
    }
}

/// Scales the points of a position's moves in proportion where they exceed the range of a
/// weight; never to zero.
fn scaled(points: u32, most: u32) -> u16 {
    const LARGEST: u64 = u16::MAX as u64;
    let most = u64::from(most).max(LARGEST);
    let weight = (u64::from(points) * LARGEST / most).max(1);
    u16::try_from(weight).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use movegen::Color;
    use test_common::{game_after, positions::START};

    use super::{BookBuilder, Weights, scaled};
    use formats::pgn::{GameResult, Record, Variation};
    use formats::polyglot::{key, passed_square};

    const WHITE_WON: GameResult = GameResult::Won(Color::White);
    const BLACK_WON: GameResult = GameResult::Won(Color::Black);

    fn record(moves: &str, result: GameResult) -> Record {
        let game = game_after(START, moves);
        Record {
            main_line: Variation::new(game.moves()),
            result,
            ..Record::new(*game.start())
        }
    }

    /// The moves and weights in the position after some moves, in the order of the book.
    fn at(games: &[(&str, GameResult)], min_games: u32, weights: Weights, after: &str) -> String {
        let mut builder = BookBuilder::default();
        for (moves, result) in games {
            builder.add(&record(moves, *result));
        }
        let game = game_after(START, after);
        let wanted = key(game.position(), passed_square(&game, None));
        let entries = builder.into_entries(min_games, weights);
        assert!(entries.is_sorted_by_key(|entry| entry.key));
        let here = entries.iter().filter(|entry| entry.key == wanted);
        let moves = here.map(|entry| format!("{} {}", entry.mv, entry.weight));
        moves.collect::<Vec<_>>().join(", ")
    }

    const GAMES: [(&str, GameResult); 6] = [
        ("e2e4 e7e5", WHITE_WON),
        ("e2e4 e7e5", GameResult::Drawn),
        ("e2e4 c7c5", BLACK_WON),
        ("d2d4 d7d5", WHITE_WON),
        ("d2d4 d7d5", GameResult::Unknown),
        ("f2f3 e7e5", BLACK_WON),
    ];

    #[test]
    fn moves_have_weights() {
        use Weights::{ByResult, Uniform};
        let repeated = [("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", WHITE_WON)];
        let before = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
        let white_castled = format!("{before} e1g1");
        let both_castled = format!("{white_castled} e8g8");
        let castling = [(both_castled.as_str(), GameResult::Drawn)];
        for (games, min_games, weights, after, expected) in [
            // e4: won, drawn, lost. d4: won, unfinished. f3: lost, so left out.
            (&GAMES[..], 1, ByResult, "", "d2d4 3, e2e4 3"),
            // c5: won by Black. e5: lost, drawn.
            (&GAMES, 1, ByResult, "e2e4", "c7c5 2, e7e5 1"),
            (&GAMES, 1, ByResult, "d2d4", "d7d5 1"),
            (&GAMES, 1, ByResult, "f2f3", "e7e5 2"),
            (&GAMES, 1, Uniform, "", "d2d4 1, e2e4 1, f2f3 1"),
            (&GAMES, 1, Uniform, "e2e4", "c7c5 1, e7e5 1"),
            // Rare moves are left out.
            (&GAMES, 2, ByResult, "", "d2d4 3, e2e4 3"),
            (&GAMES, 3, ByResult, "", "e2e4 3"),
            (&GAMES, 4, ByResult, "", ""),
            (&GAMES, 2, ByResult, "e2e4", "e7e5 1"),
            // A move repeated in one game counts once.
            (&repeated, 1, ByResult, "", "g1f3 2"),
            // Castling is king takes rook.
            (&castling, 1, ByResult, before, "e1h1 1"),
            (&castling, 1, ByResult, &white_castled, "e8h8 1"),
        ] {
            let found = at(games, min_games, weights, after);
            assert_eq!(found, expected, "{min_games} {weights:?} '{after}'");
        }
    }

    #[test]
    fn weights_are_scaled_to_sixteen_bits() {
        for (points, most, weight) in [
            (1, 65_535, 1),
            (65_535, 65_535, 65_535),
            (131_070, 131_070, 65_535),
            (65_536, 131_070, 32_768),
            (1, u32::MAX, 1),
            (u32::MAX, u32::MAX, u16::MAX),
        ] {
            assert_eq!(scaled(points, most), weight);
        }
    }
}
