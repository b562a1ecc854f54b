//! Endings without tablebases: difficult mates against the best defence, which the tablebases
//! know, and draws that no depth of search may misjudge.

use crate::run::{game, new_searcher, run, run_new};
use crate::tablebases::{all_four_piece_tables, best_defence};
use movegen::{Color, FIFTY_MOVE_PLIES, Game, Position};
use rayon::prelude::*;
use search::{Limits, Tablebases};
use test_common::{Rng, positions};

/// White, to move, mates before a draw can be claimed.
fn mates_in_time(tables: &Tablebases, start: Position, limits: &Limits) -> bool {
    let mut searcher = new_searcher();
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
            run(&mut searcher, &game, limits.clone()).best_move()
        } else {
            best_defence(tables, &position)
        };
        game.push(mv).expect("a legal move");
    }
}

#[test]
fn difficult_endings_are_won_against_the_best_defence() {
    const GAMES: usize = 3;
    /// Shorter wins are easy.
    const MIN_PLIES: i32 = 30;
    let Some(tables) = all_four_piece_tables() else {
        return;
    };
    let mut rng = Rng::new(1);
    let mut starts = Vec::new();
    for (pieces, nodes) in [("KBNk", 50_000), ("KQkr", 180_000), ("KBBk", 20_000)] {
        let difficult = std::iter::repeat_with(|| positions::random(&mut rng, pieces, 0))
            .filter(|start| start.side_to_move() == Color::White)
            .filter(|start| {
                let plies = tables.dtz(start).map_or(0, |dtz| dtz.plies);
                (MIN_PLIES..i32::from(FIFTY_MOVE_PLIES)).contains(&plies)
            });
        starts.extend(difficult.take(GAMES).map(|start| (start, nodes)));
    }
    starts.par_iter().for_each(|&(start, nodes)| {
        let limits = Limits::nodes(nodes);
        assert!(mates_in_time(&tables, start, &limits), "{start}");
    });
}

/// The bishop does not control the promotion square.
#[test]
fn the_wrong_bishop_draws_at_any_depth() {
    for fen in [
        "7k/8/8/8/4B2P/6K1/8/8 w - - 0 1",
        "6k1/8/8/7P/4B2P/6K1/8/8 w - - 0 1",
    ] {
        let results = run_new(&game(fen), Limits::nodes(100_000));
        let centipawns = results.last().centipawns;
        assert!(centipawns.abs() <= 20, "{fen}: {centipawns}");
    }
}

/// By the tablebases the mates, or the win of the rook, take 56, 51, 15 and 27 plies.
#[test]
fn a_known_win_is_a_draw_when_the_clock_runs_out_before_the_mate() {
    for (pieces, clock) in [
        ("8/8/8/3k4/8/8/8/2B1KN2", 84),
        ("8/8/3k4/3r4/8/8/8/3K2Q1", 84),
        ("8/8/8/3k4/8/8/8/Q3K3", 90),
        ("8/8/8/3k4/8/8/8/R3K3", 84),
    ] {
        for clock in [clock, clock + 4, clock + 8] {
            let fen = format!("{pieces} w - - {clock} 90");
            let results = run_new(&game(&fen), Limits::nodes(50_000));
            let centipawns = results.last().centipawns;
            assert!(centipawns.abs() <= 100, "{fen}: {centipawns}");
        }
    }
}
