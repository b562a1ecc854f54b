//! The move order: every legal move once, the most promising ones first.

use crate::run::{game, new_searcher, run};
use movegen::{Game, Move, Position, Variant};
use search::{Limits, Searcher};
use test_common::positions::START;

/// Positions with many checks, many captures, and pawns about to promote.
const SUITE: &str = include_str!("../data/mates2000.epd");
const CHESS960: &str = include_str!("../data/samples/DFRC_5k.epd");

/// A position in this many is tested.
const STEP: usize = 5;

/// Positions of the suites, and the positions after each of their moves.
fn positions() -> Vec<Position> {
    let read = |line: &str, variant| {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        Position::from_fen(&fen.join(" "), variant).expect(line)
    };
    let standard = SUITE.lines().step_by(STEP);
    let standard = standard.map(|line| read(line, Variant::Standard));
    let chess960 = CHESS960.lines().map(|line| read(line, Variant::Chess960));
    let mut all: Vec<Position> = standard.chain(chess960).collect();
    for position in all.clone() {
        let moves = position.legal_moves();
        all.extend(moves.iter().map(|&mv| position.play_unchecked(mv)));
    }
    all
}

fn assert_complete(ordered: &[Move], position: &Position) {
    let sorted = |moves: &[Move]| {
        let mut moves = moves.to_vec();
        moves.sort();
        moves
    };
    let legal = position.legal_moves();
    assert_eq!(sorted(ordered), sorted(&legal), "{}", position.fen());
}

fn order(searcher: &mut Searcher, game: &Game) -> Vec<String> {
    let moves = searcher.order(game.position());
    let text = |mv: &Move| mv.uci(Variant::Standard).to_string();
    moves.iter().map(text).collect()
}

#[test]
fn every_legal_move_comes_once() {
    let positions = positions();
    assert!(positions.len() > 5_000, "{}", positions.len());
    let mut searcher = new_searcher();
    for position in &positions {
        assert_complete(&searcher.order(position), position);
    }
}

#[test]
fn the_table_move_comes_first_and_every_other_once() {
    let mut searcher = new_searcher();
    for position in positions().into_iter().step_by(STEP) {
        let results = run(&mut searcher, &Game::new(position), Limits::depth(2));
        let Some(best) = results.outcome.best_move else {
            continue;
        };
        let ordered = searcher.order(&position);
        assert_eq!(ordered.first(), Some(&best), "{}", position.fen());
        assert_complete(&ordered, &position);
    }
}

/// A pawn may capture a queen or a pawn; the rook, a protected pawn.
#[test]
fn captures_come_by_what_they_gain_and_losing_ones_last() {
    let game = game("6k1/8/1p6/p7/2q1p3/1P1P4/8/R5K1 w - - 0 1");
    let order = order(&mut new_searcher(), &game);
    assert_eq!(order[..3], ["b3c4", "d3c4", "d3e4"]);
    assert_eq!(order.last().map(String::as_str), Some("a1a5"));
}

#[test]
fn histories_change_the_order_until_a_new_game() {
    let similar = game("rnbqkbnr/1ppppppp/p7/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 2");
    let mut searcher = new_searcher();
    let initial = order(&mut searcher, &similar);
    run(&mut searcher, &game(START), Limits::depth(8));
    assert_ne!(order(&mut searcher, &similar), initial);
    searcher.new_game();
    assert_eq!(order(&mut searcher, &similar), initial);
}
