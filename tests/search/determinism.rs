//! With one thread, the same position and limits give the same search, node for node: twice, by
//! another searcher, and after a new game whatever was searched before.

use crate::run::{game, game_after, new_searcher, run, run_until};
use movegen::Game;
use search::{Bound, Info, Limits, Searcher};
use std::time::Duration;
use test_common::positions::{KIWIPETE, START};

const DEPTH: u32 = 9;

/// Middlegames, an ending, a mate, and a game with a repetition.
fn games() -> Vec<Game> {
    vec![
        game(START),
        game(KIWIPETE),
        game("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 4 9"),
        game("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        game("6k1/6p1/8/7Q/8/8/q2r4/7K w - - 30 40"),
        game_after(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"),
    ]
}

/// Everything a search reports but what depends on the time. A slow machine is also told bounds,
/// which a search reports after its first second.
fn infos(searcher: &mut Searcher, game: &Game, limits: Limits) -> Vec<Info> {
    let mut infos = run(searcher, game, limits).infos;
    infos.retain(|info| info.bound == Bound::Exact);
    for info in &mut infos {
        info.time = Duration::ZERO;
    }
    infos
}

fn nodes(infos: &[Info]) -> u64 {
    infos.last().map_or(0, |info| info.nodes)
}

#[test]
fn a_node_limit_ends_at_the_same_node() {
    for limit in [1, 100, 1_000, 12_345, 50_000] {
        for game in games() {
            let first = infos(&mut new_searcher(), &game, Limits::nodes(limit));
            let second = infos(&mut new_searcher(), &game, Limits::nodes(limit));
            assert_eq!(second, first);
            // The first iteration is always completed.
            let deeper = first.last().is_some_and(|info| info.depth > 1);
            assert!(!deeper || nodes(&first) <= limit, "limit {limit}");
        }
    }
}

#[test]
fn a_new_game_clears_everything_that_matters() {
    let games = games();
    let limits = || Limits::depth(DEPTH);
    let expected: Vec<_> = games
        .iter()
        .map(|game| infos(&mut new_searcher(), game, limits()))
        .collect();
    let mut searcher = new_searcher();
    // Each game comes after another one, and once after itself.
    for index in (0..games.len()).chain((0..games.len()).rev()) {
        searcher.new_game();
        let again = infos(&mut searcher, &games[index], limits());
        assert_eq!(again, expected[index], "game {index}");
    }
    // Without a new game something is remembered; otherwise the above proves nothing.
    let again = infos(&mut searcher, &games[0], limits());
    assert!(nodes(&again) < nodes(&expected[0]));
}

/// The more was written, the more has to be cleared.
#[test]
fn a_new_game_clears_after_searches_of_any_length() {
    let game = &games()[1];
    let expected = infos(&mut new_searcher(), game, Limits::depth(DEPTH));
    let mut searcher = new_searcher();
    for limit in [1, 20, 60, 300, 2_000, 1, 50_000, 60] {
        searcher.new_game();
        run(&mut searcher, &games()[2], Limits::nodes(limit));
        searcher.new_game();
        let again = infos(&mut searcher, game, Limits::depth(DEPTH));
        assert_eq!(again, expected, "after {limit} nodes");
    }
}

#[test]
fn stopped_searches_and_threads_leave_nothing_after_a_new_game() {
    let game = &games()[2];
    let expected = infos(&mut new_searcher(), game, Limits::depth(DEPTH));
    let mut searcher = new_searcher();
    searcher.set_threads(2).expect("two threads");
    run_until(&mut searcher, game, Limits::depth(30), |info| {
        info.depth >= 7
    });
    searcher.set_threads(1).expect("one thread");
    searcher.new_game();
    assert_eq!(infos(&mut searcher, game, Limits::depth(DEPTH)), expected);
}
