//! Collects move statistics from games and turns them into book entries.

use std::cmp::Reverse;
use std::collections::HashMap;

use movegen::Color;

use crate::formats::pgn::{GameResult, Record};
use crate::formats::polyglot::{EncodedMove, Entry, key, passed_by};

/// Points for a game; doubled, so that a draw is a whole number.
const WIN: u32 = 2;
const DRAW: u32 = 1;

/// How moves are weighted.
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
fn points(score: GameResult, mover: Color) -> u32 {
    match score {
        GameResult::Won(winner) if winner == mover => WIN,
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
    use movegen::{Color, Game, Variant};

    use super::{BookBuilder, Weights, scaled};
    use crate::formats::pgn::{GameResult, Record, Variation};
    use crate::formats::polyglot::{key, passed_square};

    const WHITE_WON: GameResult = GameResult::Won(Color::White);
    const BLACK_WON: GameResult = GameResult::Won(Color::Black);

    fn game_after(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = game.position().move_from_uci(text).expect(text);
            game.push(mv).expect("legal");
        }
        game
    }

    fn record(moves: &str, result: GameResult) -> Record {
        let game = game_after(moves);
        Record {
            main_line: Variation::new(game.moves()),
            result,
            ..Record::new(*game.start(), Variant::Standard)
        }
    }

    /// The moves and weights in the position after some moves, in the order of the book.
    fn at(
        games: &[(&str, GameResult)],
        min_games: u32,
        weights: Weights,
        after: &str,
    ) -> Vec<(String, u16)> {
        let mut builder = BookBuilder::default();
        for (moves, score) in games {
            builder.add(&record(moves, *score));
        }
        let game = game_after(after);
        let wanted = key(game.position(), passed_square(&game, None));
        let entries = builder.into_entries(min_games, weights);
        assert!(entries.is_sorted_by_key(|entry| entry.key));
        entries
            .iter()
            .filter(|entry| entry.key == wanted)
            .map(|entry| (entry.mv.to_string(), entry.weight))
            .collect()
    }

    fn pairs<const N: usize>(moves: [(&str, u16); N]) -> Vec<(String, u16)> {
        moves.map(|(mv, weight)| (mv.to_owned(), weight)).to_vec()
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
    fn a_win_is_two_points_and_a_draw_one() {
        let by_result = |after| at(&GAMES, 1, Weights::ByResult, after);
        // e4: won, drawn, lost. d4: won, unfinished. f3: lost, so not there.
        assert_eq!(by_result(""), pairs([("d2d4", 3), ("e2e4", 3)]));
        // c5: won by Black. e5: lost, drawn.
        assert_eq!(by_result("e2e4"), pairs([("c7c5", 2), ("e7e5", 1)]));
        assert_eq!(by_result("d2d4"), pairs([("d7d5", 1)]));
        assert_eq!(by_result("f2f3"), pairs([("e7e5", 2)]));
    }

    #[test]
    fn uniform_weights_keep_all_moves() {
        let uniform = |after| at(&GAMES, 1, Weights::Uniform, after);
        assert_eq!(uniform(""), pairs([("d2d4", 1), ("e2e4", 1), ("f2f3", 1)]));
        assert_eq!(uniform("e2e4"), pairs([("c7c5", 1), ("e7e5", 1)]));
    }

    #[test]
    fn rare_moves_are_left_out() {
        for (least, expected) in [(2, 2), (3, 1), (4, 0)] {
            let found = at(&GAMES, least, Weights::ByResult, "");
            assert_eq!(found.len(), expected, "{least} games");
        }
        let found = at(&GAMES, 2, Weights::ByResult, "e2e4");
        assert_eq!(found, pairs([("e7e5", 1)]));
    }

    #[test]
    fn repeated_moves_count_once() {
        let games = [("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", WHITE_WON)];
        assert_eq!(at(&games, 1, Weights::ByResult, ""), pairs([("g1f3", 2)]));
    }

    #[test]
    fn castling_is_king_takes_rook() {
        let games = [("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8", GameResult::Drawn)];
        let before = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
        let found = at(&games, 1, Weights::ByResult, before);
        assert_eq!(found, pairs([("e1h1", 1)]));
        let found = at(&games, 1, Weights::ByResult, &format!("{before} e1g1"));
        assert_eq!(found, pairs([("e8h8", 1)]));
    }

    #[test]
    fn weights_are_scaled_to_sixteen_bits() {
        assert_eq!(scaled(1, 65_535), 1);
        assert_eq!(scaled(65_535, 65_535), 65_535);
        assert_eq!(scaled(131_070, 131_070), 65_535);
        assert_eq!(scaled(65_536, 131_070), 32_768);
        assert_eq!(scaled(1, u32::MAX), 1);
        assert_eq!(scaled(u32::MAX, u32::MAX), u16::MAX);
    }
}
