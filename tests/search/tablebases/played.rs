//! Games and choices: what is won is won in time, what is lost is not lost before time.

use super::{Dice, random_position, shared_tables, tables, with_tables};
use crate::searcher::{ask, ask_with, fresh, game, game_after, to_depth};
use movegen::{FIFTY_MOVE_PLIES, Game, Move, Position};
use search::{Limits, Score, SearchOptions, Searcher, TablebaseUse, Tablebases};

/// Few nodes, and this many lines.
fn few_nodes(multi_pv: usize) -> SearchOptions {
    SearchOptions {
        multi_pv,
        ..SearchOptions::new(Limits::nodes(200))
    }
}

/// The move after which the tables give the winner most work.
fn longest_defence(tables: &Tablebases, position: &Position) -> Move {
    let length = |&&mv: &&Move| {
        let next = position.play_unchecked(mv);
        tables
            .dtz(&next)
            .map_or(i32::MAX, |distance| distance.plies)
    };
    let moves = position.legal_moves();
    *moves.iter().max_by_key(length).expect("a move")
}

/// Plays a won position out; it has to be mate in time, and nothing may come back.
fn assert_won(search: &mut Searcher, tables: &Tablebases, start: Position, multi_pv: usize) {
    let winner = start.side_to_move();
    let mut game = Game::new(start);
    while !game.position().is_checkmate() {
        let position = game.position();
        let history = || game.moves().map(|mv| format!("{mv:?}")).collect::<Vec<_>>();
        assert!(
            position.halfmove_clock() < FIFTY_MOVE_PLIES,
            "{start} {:?}",
            history()
        );
        assert_eq!(game.occurrences(), 1, "{start} {:?}", history());
        assert_eq!(game.outcome(), None, "{start} {:?}", history());
        let mv = if position.side_to_move() == winner {
            let answer = ask_with(search, &game, &few_nodes(multi_pv), |_| false);
            answer.outcome.best_move.expect("a move")
        } else {
            longest_defence(tables, position)
        };
        game.push(mv).expect("a legal move");
    }
    assert_ne!(game.position().side_to_move(), winner, "{start}");
}

/// A position that the side to move wins, and how many plies it takes at most.
fn won(dice: &mut Dice, tables: &Tablebases, men: &str) -> (Position, u32) {
    loop {
        let position = random_position(dice, men, 0);
        if let Some(distance) = tables.dtz(&position)
            && distance.plies > 0
        {
            return (position, distance.plies.unsigned_abs() + 1);
        }
    }
}

/// The same men with another clock.
fn with_clock(position: &Position, clock: u32) -> Position {
    let fen = position.fen();
    let men: Vec<&str> = fen.split(' ').take(4).collect();
    *game(&format!("{} {clock} 80", men.join(" "))).position()
}

fn assert_all_won(search: &mut Searcher, tables: &Tablebases, men: &[&str], multi_pv: usize) {
    let mut dice = Dice::new();
    for men in men {
        for clock in [0, 60, 90] {
            let mut tight = won(&mut dice, tables, men);
            while tight.1 + clock > 100 {
                tight = won(&mut dice, tables, men);
            }
            let (position, plies) = tight;
            assert_won(search, tables, with_clock(&position, clock), multi_pv);
            // As late as it can be.
            assert_won(search, tables, with_clock(&position, 100 - plies), multi_pv);
        }
    }
}

#[test]
fn won_endings_are_won_in_time_from_any_clock() {
    let men = ["KQk", "kqK", "KRk", "krK", "KPk", "kpK"];
    assert_all_won(&mut with_tables(), &tables(), &men, 1);
}

#[test]
fn also_with_threads_and_several_lines() {
    let mut search = with_tables();
    search.set_threads(2).expect("threads");
    assert_all_won(&mut search, &tables(), &["KRk", "kpK"], 3);
}

#[test]
fn also_with_four_men() {
    let Some(tables) = shared_tables() else {
        return;
    };
    let mut search = fresh();
    search.set_tablebases(shared_tables().expect("found before"));
    let men = ["KBNk", "kqKR", "KQkp", "kbbK", "KRkn"];
    assert_all_won(&mut search, &tables, &men, 1);
}

#[test]
fn every_choice_keeps_what_the_position_is_worth() {
    let (mut search, tables) = (with_tables(), tables());
    let mut dice = Dice::new();
    for men in ["KPk", "kpK", "KRk", "krK", "KQkq", "KRkr"] {
        for _ in 0..60 {
            let position = random_position(&mut dice, men, 0);
            if !position.has_moves() || position.is_insufficient_material() {
                continue;
            }
            let answer = ask(&mut search, &Game::new(position), to_depth(2));
            let next = position.play_unchecked(answer.outcome.best_move.expect("a move"));
            if next.has_moves() && !next.is_insufficient_material() {
                let kept = -tables.wdl(&next).expect("a table");
                assert_eq!(Some(kept), tables.wdl(&position), "{position}");
            } else {
                assert!(next.is_checkmate() || tables.wdl(&position) == Some(search::Wdl::Draw));
            }
        }
    }
}

/// The queen and the king have gone to and fro, and have come to the same position twice.
const TO_AND_FRO: &str = "b1c1 h8g8 c1b1 g8h8 b1c1 h8g8 c1b1 g8h8 b1c1 h8g8";
const BEFORE: &str = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";

#[test]
fn a_third_time_is_a_draw_and_is_avoided() {
    let game = game_after(BEFORE, TO_AND_FRO);
    let drawing = game.position().move_from_uci("c1b1").expect("a move");
    let only = Limits {
        search_moves: vec![drawing],
        ..to_depth(4)
    };
    let answer = ask(&mut with_tables(), &game, only);
    assert_eq!(answer.last().score, Score::DRAW);
    let answer = ask(&mut with_tables(), &game, to_depth(4));
    assert_ne!(answer.outcome.best_move, Some(drawing));
    assert!(answer.last().score.is_win());
}

#[test]
fn the_loser_repeats() {
    let game = game_after(BEFORE, &format!("{TO_AND_FRO} c1b1"));
    // g8h8 gives the position a fourth time.
    let answer = ask(&mut with_tables(), &game, to_depth(4));
    assert_eq!(answer.best_move(), "g8h8");
    assert_eq!(answer.last().score, Score::DRAW);
}

#[test]
fn once_something_came_back_only_the_nearest_step_will_do() {
    let tables = tables();
    let game = game_after(BEFORE, "b1c1 h8g8 c1b1 g8h8");
    let here = tables.dtz(game.position()).expect("a table").plies;
    for depth in 1..=4 {
        let answer = ask(&mut with_tables(), &game, to_depth(depth));
        let next = game
            .position()
            .play_unchecked(answer.outcome.best_move.expect("a move"));
        let there = tables.dtz(&next).expect("a table").plies;
        assert_eq!(there, 1 - here);
    }
}

/// A rook's mate that takes more than 15 plies.
const LONG: &str = "8/8/8/3k4/8/8/8/4K2R w - -";

fn told(men: &str, clock: u32, fifty_moves: bool) -> Score {
    let options = SearchOptions {
        tablebases: TablebaseUse {
            fifty_moves,
            ..TablebaseUse::default()
        },
        ..SearchOptions::new(to_depth(4))
    };
    let game = game(&format!("{men} {clock} 80"));
    let answer = ask_with(&mut with_tables(), &game, &options, |_| false);
    answer.last().score
}

#[test]
fn wins_that_come_too_late_are_told_as_what_they_are() {
    assert!(told(LONG, 0, true).is_win());
    assert_eq!(told(LONG, 90, true), Score::CURSED_WIN);
    assert!(told(LONG, 90, false).is_win(), "without the rule");
    let lost = "8/8/8/3k4/8/8/8/4K2R b - -";
    assert!(told(lost, 0, true).is_loss());
    assert_eq!(told(lost, 90, true), -Score::CURSED_WIN);
    assert!(told(lost, 90, false).is_loss());
    assert_eq!(told("7q/8/3Q4/2K5/8/8/8/7k w - -", 0, true), Score::DRAW);
}

#[test]
fn asked_for_a_mate_it_finds_the_quickest() {
    for (men, moves) in [
        ("8/8/5K1k/8/8/8/1R6/8 w - -", 1),
        ("8/8/2R5/8/8/8/3K4/k7 w - -", 2),
        ("8/8/8/3R4/3K4/k7/8/8 w - -", 3),
        ("8/8/8/8/k7/8/1Q6/2K5 w - -", 3),
    ] {
        let limits = Limits {
            mate: Some(3),
            ..to_depth(6)
        };
        for clock in [0, 50] {
            let game = game(&format!("{men} {clock} 80"));
            let answer = ask(&mut with_tables(), &game, limits.clone());
            assert_eq!(answer.last().score.mate_distance(), Some(moves), "{men}");
        }
    }
}
