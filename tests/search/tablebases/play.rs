//! Games and choices: won games are won before the fifty-move rule, lost ones are prolonged.

use super::{all_four_piece_tables, assert_keeps_value, best_defence, searcher_with, tables};
use crate::run::{game, game_after, only, run, run_with, uci_move};
use movegen::{FIFTY_MOVE_PLIES, Game, Position};
use search::{Limits, Score, SearchOptions, Searcher, TablebaseUse, Tablebases};
use test_common::{Rng, positions};

/// Plays a won position out: it must be mate before the fifty-move rule, without a repetition.
fn assert_won(searcher: &mut Searcher, tables: &Tablebases, start: &Position, multi_pv: usize) {
    let winner = start.side_to_move();
    let mut game = Game::new(*start);
    let options = SearchOptions {
        multi_pv,
        ..SearchOptions::new(Limits::nodes(200))
    };
    while !game.position().is_checkmate() {
        let position = game.position();
        let in_time = position.halfmove_clock() < FIFTY_MOVE_PLIES;
        let is_open = game.occurrences() == 1 && game.outcome().is_none();
        let moves = || game.moves().collect::<Vec<_>>();
        assert!(in_time && is_open, "{start} {:?}", moves());
        let mv = if position.side_to_move() == winner {
            run_with(searcher, &game, &options, |_| false).best_move()
        } else {
            best_defence(tables, position)
        };
        game.push(mv).expect("a legal move");
    }
    assert_ne!(game.position().side_to_move(), winner, "{start}");
}

/// A position won for the side to move within this many plies, and those plies at most.
fn won(rng: &mut Rng, tables: &Tablebases, pieces: &str, within: u32) -> (Position, u32) {
    loop {
        let position = positions::random(rng, pieces, 0);
        let plies = tables.dtz(&position).map_or(0, |dtz| dtz.plies);
        if plies > 0 && plies.unsigned_abs() < within {
            return (position, plies.unsigned_abs() + 1);
        }
    }
}

fn with_clock(position: &Position, clock: u32) -> Position {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    *game(&format!("{} {clock} 80", fields.join(" "))).position()
}

fn assert_all_won(searcher: &mut Searcher, tables: &Tablebases, endings: &[&str], multi_pv: usize) {
    let mut rng = Rng::new(4);
    for pieces in endings {
        for clock in [0, 90] {
            let (position, plies) = won(&mut rng, tables, pieces, 100 - clock);
            // With the latest possible clock too.
            for clock in [clock, 100 - plies] {
                assert_won(searcher, tables, &with_clock(&position, clock), multi_pv);
            }
        }
    }
}

#[test]
fn won_endings_are_won_in_time_from_any_clock() {
    let endings = ["KQk", "kqK", "KRk", "krK", "KPk", "kpK"];
    let mut searcher = searcher_with(tables());
    assert_all_won(&mut searcher, &tables(), &endings, 1);
    searcher.set_threads(2).expect("threads");
    assert_all_won(&mut searcher, &tables(), &["KRk", "kpK"], 3);
    if let (Some(tables), Some(known)) = (all_four_piece_tables(), all_four_piece_tables()) {
        let endings = ["KBNk", "kqKR", "KQkp", "kbbK", "KRkn"];
        assert_all_won(&mut searcher_with(tables), &known, &endings, 1);
    }
}

#[test]
fn every_move_keeps_the_value_of_the_position() {
    let (mut searcher, known) = (searcher_with(tables()), tables());
    let mut rng = Rng::new(5);
    for pieces in ["KPk", "kpK", "KRk", "krK", "KQkq", "KRkr"] {
        for _ in 0..30 {
            let position = positions::random(&mut rng, pieces, 0);
            assert_keeps_value(&mut searcher, &known, position);
        }
    }
}

const QUEEN: &str = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
/// Queen and king go back and forth; at the end `c1b1` is a third occurrence.
const TWICE: &str = "b1c1 h8g8 c1b1 g8h8 b1c1 h8g8 c1b1 g8h8 b1c1 h8g8";

#[test]
fn the_winner_avoids_a_third_occurrence_and_the_loser_seeks_it() {
    let won = game_after(QUEEN, TWICE);
    let drawing = uci_move(&won, "c1b1");
    let results = run(&mut searcher_with(tables()), &won, only(drawing, 4));
    assert_eq!(results.score(), Score::DRAW);
    let results = run(&mut searcher_with(tables()), &won, Limits::depth(4));
    assert_ne!(results.best_move(), drawing);
    assert!(results.score().is_win());
    let lost = game_after(QUEEN, &format!("{TWICE} c1b1"));
    let results = run(&mut searcher_with(tables()), &lost, Limits::depth(4));
    assert_eq!(results.best_uci(), "g8h8");
    assert_eq!(results.score(), Score::DRAW);
}

#[test]
fn after_a_repetition_every_move_reduces_the_dtz() {
    let tables_of = tables();
    let game = game_after(QUEEN, "b1c1 h8g8 c1b1 g8h8");
    let dtz = |position: &Position| tables_of.dtz(position).expect("a table").plies;
    for depth in 1..=4 {
        let results = run(&mut searcher_with(tables()), &game, Limits::depth(depth));
        let next = game.position().play_unchecked(results.best_move());
        assert_eq!(dtz(&next), 1 - dtz(game.position()));
    }
}

/// The rook mates in more than ten plies.
#[test]
fn wins_after_the_fifty_move_rule_are_reported_as_cursed() {
    let reported = |board: &str, clock: u32, fifty_moves: bool| {
        let options = SearchOptions {
            tablebases: TablebaseUse {
                fifty_moves,
                ..TablebaseUse::default()
            },
            ..SearchOptions::new(Limits::depth(4))
        };
        let game = game(&format!("{board} - - {clock} 80"));
        run_with(&mut searcher_with(tables()), &game, &options, |_| false).score()
    };
    let (won, lost) = ("8/8/8/3k4/8/8/8/4K2R w", "8/8/8/3k4/8/8/8/4K2R b");
    assert!(reported(won, 0, true).is_win());
    assert!(reported(lost, 0, true).is_loss());
    assert_eq!(reported(won, 90, true), Score::CURSED_WIN);
    assert_eq!(reported(lost, 90, true), -Score::CURSED_WIN);
    assert!(reported(won, 90, false).is_win(), "without the rule");
    assert!(reported(lost, 90, false).is_loss(), "without the rule");
    assert_eq!(reported("7q/8/3Q4/2K5/8/8/8/7k w", 0, true), Score::DRAW);
}

#[test]
fn go_mate_finds_the_shortest() {
    for (board, moves) in [
        ("8/8/5K1k/8/8/8/1R6/8 w", 1),
        ("8/8/2R5/8/8/8/3K4/k7 w", 2),
        ("8/8/8/3R4/3K4/k7/8/8 w", 3),
        ("8/8/8/8/k7/8/1Q6/2K5 w", 3),
    ] {
        let limits = Limits {
            mate: Some(3),
            ..Limits::depth(6)
        };
        for clock in [0, 50] {
            let game = game(&format!("{board} - - {clock} 80"));
            let results = run(&mut searcher_with(tables()), &game, limits.clone());
            assert_eq!(results.score().mate_distance(), Some(moves), "{board}");
        }
    }
}
