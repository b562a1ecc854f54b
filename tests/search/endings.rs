//! Endings played without tables: hard mates against the best defence there is, which the
//! tables know, and draws that no depth of search may talk itself out of.

use crate::searcher::{ask, fresh, game};
use crate::tablebases::{Dice, random_position, shared_tables};
use movegen::{Color, FIFTY_MOVE_PLIES, Game, Move, Position};
use rayon::prelude::*;
use search::{Limits, Tablebases};

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// The reply that holds out longest, or loses least.
fn best_defence(tables: &Tablebases, position: &Position) -> Move {
    let plies = |next: &Position| match tables.dtz(next) {
        Some(distance) if distance.plies > 0 => distance.plies,
        // Out of the table, or out of the loss.
        _ => i32::MAX,
    };
    let moves = position.legal_moves();
    let held = moves
        .iter()
        .max_by_key(|&&mv| plies(&position.play_unchecked(mv)));
    *held.expect("a move")
}

/// White, to move, mates before anybody may claim a draw.
fn mates_in_time(tables: &Tablebases, start: Position, limits: &Limits) -> bool {
    let mut search = fresh();
    let mut game = Game::new(start);
    loop {
        let position = *game.position();
        if position.is_checkmate() {
            return position.side_to_move() == Color::Black;
        }
        if !game.claims().is_empty() || game.outcome().is_some() {
            return false;
        }
        let mv = if position.side_to_move() == Color::White {
            ask(&mut search, &game, limits.clone()).outcome.best_move
        } else {
            Some(best_defence(tables, &position))
        };
        game.push(mv.expect("a move")).expect("a legal move");
    }
}

#[test]
fn hard_endings_are_won_against_the_best_defence() {
    const GAMES: usize = 6;
    let Some(tables) = shared_tables() else {
        return;
    };
    let mut dice = Dice::new();
    let mut starts = Vec::new();
    for (men, limit) in [("KBNk", 50_000), ("KQkr", 180_000), ("KBBk", 20_000)] {
        let mut wanted = GAMES;
        while wanted > 0 {
            let start = random_position(&mut dice, men, 0);
            let plies = tables.dtz(&start).map_or(0, |distance| distance.plies);
            // Not those that are nearly over.
            if start.side_to_move() == Color::White
                && (30..i32::from(FIFTY_MOVE_PLIES)).contains(&plies)
            {
                starts.push((start, limit));
                wanted -= 1;
            }
        }
    }
    starts.par_iter().for_each(|&(start, limit)| {
        assert!(mates_in_time(&tables, start, &nodes(limit)), "{start}");
    });
}

/// The pawn's corner is not of the bishop's colour.
#[test]
fn known_draws_stay_drawn_however_long_they_are_searched() {
    for fen in [
        "7k/8/8/8/4B2P/6K1/8/8 w - - 0 1",
        "6k1/8/8/7P/4B2P/6K1/8/8 w - - 0 1",
    ] {
        let answer = ask(&mut fresh(), &game(fen), nodes(100_000));
        let score = answer.last().centipawns;
        assert!(score.abs() <= 20, "{fen}: {score}");
    }
}
