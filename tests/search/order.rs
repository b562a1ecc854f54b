//! The order in which moves are tried: every legal one once, and what promises most first.

use crate::searcher::{ask, fresh, game, to_depth};
use movegen::{Game, Move, Position, Variant};
use search::Searcher;

/// Positions of all kinds: many checks, many captures, pawns about to promote.
const SUITE: &str = include_str!("../data/mates2000.epd");
const CHESS960: &str = include_str!("../data/samples/DFRC_5k.epd");

/// Every so many-th position of the suite, and all that follow from it.
const EVERY: usize = 5;

fn positions() -> Vec<Position> {
    let men = |line: &str| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let read = |fen: &str, variant| Position::from_fen(fen, variant).expect(fen);
    let standard = SUITE.lines().step_by(EVERY);
    let standard = standard.map(|line| read(&men(line), Variant::Standard));
    let chess960 = CHESS960.lines().map(|line| read(line, Variant::Chess960));
    let mut all: Vec<Position> = standard.chain(chess960).collect();
    for position in all.clone() {
        let moves = position.legal_moves();
        all.extend(moves.iter().map(|&mv| position.play_unchecked(mv)));
    }
    all
}

fn sorted<'a>(moves: impl IntoIterator<Item = &'a Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().copied().collect();
    moves.sort_by_key(|mv| mv.to_bits());
    moves
}

fn texts(searcher: &mut Searcher, game: &Game) -> Vec<String> {
    let moves = searcher.order(game.position());
    let text = |mv: &Move| mv.uci(Variant::Standard).to_string();
    moves.iter().map(text).collect()
}

#[test]
fn every_legal_move_comes_once() {
    let positions = positions();
    assert!(positions.len() > 5_000, "{}", positions.len());
    let mut searcher = fresh();
    for position in &positions {
        let ordered = searcher.order(position);
        let legal = position.legal_moves();
        assert_eq!(sorted(&ordered), sorted(&legal), "{}", position.fen());
    }
}

#[test]
fn every_legal_move_comes_once_where_the_table_knows_one() {
    let mut searcher = fresh();
    for position in positions().into_iter().step_by(EVERY) {
        let answer = ask(&mut searcher, &Game::new(position), to_depth(2));
        let Some(best) = answer.outcome.best_move else {
            continue;
        };
        let ordered = searcher.order(&position);
        let legal = position.legal_moves();
        assert_eq!(ordered.first(), Some(&best), "{}", position.fen());
        assert_eq!(sorted(&ordered), sorted(&legal), "{}", position.fen());
    }
}

/// A pawn may take a queen or a pawn; the rook, a pawn that is guarded.
#[test]
fn captures_come_by_what_they_gain_and_losing_ones_last() {
    let game = game("6k1/8/1p6/p7/2q1p3/1P1P4/8/R5K1 w - - 0 1");
    let order = texts(&mut fresh(), &game);
    let place = |text: &str| order.iter().position(|mv| mv == text).expect(text);
    assert_eq!(&order[..2], ["b3c4", "d3c4"].map(String::from).as_slice());
    assert_eq!(place("d3e4"), 2);
    assert_eq!(place("a1a5"), order.len() - 1);
}

/// What refuted much in one position is tried sooner in another.
#[test]
fn what_was_learnt_changes_the_order_and_can_be_forgotten() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const LIKE_IT: &str = "rnbqkbnr/1ppppppp/p7/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 2";
    let like_it = game(LIKE_IT);
    let unlearnt = texts(&mut fresh(), &like_it);
    let mut searcher = fresh();
    ask(&mut searcher, &game(START), to_depth(8));
    assert_ne!(texts(&mut searcher, &like_it), unlearnt);
    searcher.new_game();
    assert_eq!(texts(&mut searcher, &like_it), unlearnt);
}
