//! Books made of games counted by hand.

use movegen::{Color, Game, Position, Variant};

use super::{Tally, Weights, scaled};
use crate::formats::pgn::{Line, Record, Score};
use crate::formats::polyglot::entry::MoveWord;
use crate::formats::polyglot::{key, passed_square};

const WHITE_WON: Score = Score::Won(Color::White);
const BLACK_WON: Score = Score::Won(Color::Black);

fn record(moves: &str, score: Score) -> Record {
    let mut game = Game::default();
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_uci(text).expect(text);
        game.push(mv).expect("legal");
    }
    Record {
        line: Line::of(game.moves()),
        score,
        ..Record::new(*game.start(), Variant::Standard)
    }
}

fn tally(games: &[(&str, Score)]) -> Tally {
    let mut tally = Tally::default();
    for (moves, score) in games {
        tally.add(&record(moves, *score));
    }
    tally
}

/// Moves and weights after some moves, in the order of the book.
fn at(games: &[(&str, Score)], least: u32, weights: Weights, after: &str) -> Vec<(String, u16)> {
    let mut game = Game::default();
    for text in after.split_whitespace() {
        let mv = game.position().move_from_uci(text).expect(text);
        game.push(mv).expect("legal");
    }
    let wanted = key(game.position(), passed_square(&game, None));
    let entries = tally(games).into_entries(least, weights);
    assert!(entries.is_sorted_by_key(|entry| entry.key));
    entries
        .iter()
        .filter(|entry| entry.key == wanted)
        .map(|entry| (entry.word.to_string(), entry.weight))
        .collect()
}

fn pairs<const N: usize>(moves: [(&str, u16); N]) -> Vec<(String, u16)> {
    moves.map(|(mv, weight)| (mv.to_owned(), weight)).to_vec()
}

const GAMES: [(&str, Score); 6] = [
    ("e2e4 e7e5", WHITE_WON),
    ("e2e4 e7e5", Score::Drawn),
    ("e2e4 c7c5", BLACK_WON),
    ("d2d4 d7d5", WHITE_WON),
    ("d2d4 d7d5", Score::Unknown),
    ("f2f3 e7e5", BLACK_WON),
];

#[test]
fn two_points_for_a_win_and_one_for_a_draw_of_the_side_that_moves() {
    let by_result = |after| at(&GAMES, 1, Weights::ByResult, after);
    // e4: won, drawn, lost. d4: won, unfinished. f3: lost, so not there.
    assert_eq!(by_result(""), pairs([("d2d4", 3), ("e2e4", 3)]));
    // c5: won by Black. e5: lost, drawn.
    assert_eq!(by_result("e2e4"), pairs([("c7c5", 2), ("e7e5", 1)]));
    assert_eq!(by_result("d2d4"), pairs([("d7d5", 1)]));
    assert_eq!(by_result("f2f3"), pairs([("e7e5", 2)]));
}

#[test]
fn uniform_weights_keep_every_move() {
    let uniform = |after| at(&GAMES, 1, Weights::Uniform, after);
    assert_eq!(uniform(""), pairs([("d2d4", 1), ("e2e4", 1), ("f2f3", 1)]));
    assert_eq!(uniform("e2e4"), pairs([("c7c5", 1), ("e7e5", 1)]));
}

#[test]
fn too_few_games_are_left_out() {
    for (least, expected) in [(2, 2), (3, 1), (4, 0)] {
        let found = at(&GAMES, least, Weights::ByResult, "");
        assert_eq!(found.len(), expected, "{least} games");
    }
    let found = at(&GAMES, 2, Weights::ByResult, "e2e4");
    assert_eq!(found, pairs([("e7e5", 1)]));
}

#[test]
fn a_game_that_repeats_itself_counts_once() {
    let games = [("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", WHITE_WON)];
    assert_eq!(at(&games, 1, Weights::ByResult, ""), pairs([("g1f3", 2)]));
}

#[test]
fn castling_is_written_as_taking_the_rook() {
    let games = [("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8", Score::Drawn)];
    let before = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
    let found = at(&games, 1, Weights::ByResult, before);
    assert_eq!(found, pairs([("e1h1", 1)]));
    let found = at(&games, 1, Weights::ByResult, &format!("{before} e1g1"));
    assert_eq!(found, pairs([("e8h8", 1)]));
}

#[test]
fn promotions_are_written_in_the_three_top_bits() {
    let position = Position::from_fen("7k/4P3/8/8/8/8/8/K7 w - - 0 1", Variant::Standard).unwrap();
    // By the description of the format: 1 knight, 2 bishop, 3 rook, 4 queen.
    for (text, word) in [
        ("e7e8n", 0o1_6474),
        ("e7e8b", 0o2_6474),
        ("e7e8r", 0o3_6474),
        ("e7e8q", 0o4_6474),
    ] {
        let mv = position.move_from_uci(text).unwrap();
        assert_eq!(MoveWord::of(mv), MoveWord(word), "{text}");
        assert_eq!(MoveWord(word).read(&position), Some(mv), "{text}");
    }
}

#[test]
fn weights_too_large_for_their_place_are_scaled() {
    assert_eq!(scaled(1, 65_535), 1);
    assert_eq!(scaled(65_535, 65_535), 65_535);
    assert_eq!(scaled(131_070, 131_070), 65_535);
    assert_eq!(scaled(65_536, 131_070), 32_768);
    assert_eq!(scaled(1, u32::MAX), 1);
    assert_eq!(scaled(u32::MAX, u32::MAX), u16::MAX);
}
