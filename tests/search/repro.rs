//! One thread, the same position and limits: the same search, node for node, twice in a row,
//! in another engine, and after a new game whatever was searched before.

use crate::searcher::{ask, fresh, game, game_after, to_depth};
use movegen::Game;
use search::{Info, Limits, Searcher};
use std::time::Duration;

const DEPTH: u32 = 9;

/// Middlegames, an ending, a mate, and a game with a past.
fn games() -> Vec<Game> {
    vec![
        game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        game("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 4 9"),
        game("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        game("6k1/6p1/8/7Q/8/8/q2r4/7K w - - 30 40"),
        game_after(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6",
        ),
    ]
}

/// Everything a search says but the time.
fn said(search: &mut Searcher, game: &Game, limits: Limits) -> Vec<Info> {
    let mut infos = ask(search, game, limits).infos;
    for info in &mut infos {
        info.time = Duration::ZERO;
    }
    infos
}

fn nodes(infos: &[Info]) -> u64 {
    infos.last().map_or(0, |info| info.nodes)
}

#[test]
fn two_engines_say_the_same() {
    for game in games() {
        let first = said(&mut fresh(), &game, to_depth(DEPTH));
        assert_eq!(said(&mut fresh(), &game, to_depth(DEPTH)), first);
        assert!(nodes(&first) > u64::from(DEPTH));
    }
}

#[test]
fn a_new_game_forgets_everything_that_matters() {
    let games = games();
    let alone: Vec<_> = games
        .iter()
        .map(|game| said(&mut fresh(), game, to_depth(DEPTH)))
        .collect();
    let mut search = fresh();
    // In order and in reverse: each game comes after another one, and twice.
    for round in 0..2 {
        let order: Vec<_> = if round == 0 {
            (0..games.len()).collect()
        } else {
            (0..games.len()).rev().collect()
        };
        for index in order {
            search.new_game();
            let again = said(&mut search, &games[index], to_depth(DEPTH));
            assert_eq!(again, alone[index], "game {index}, round {round}");
        }
    }
}

#[test]
fn without_a_new_game_something_is_remembered() {
    // Otherwise the test above proves nothing.
    let game = &games()[1];
    let mut search = fresh();
    let first = said(&mut search, game, to_depth(DEPTH));
    let second = said(&mut search, game, to_depth(DEPTH));
    assert!(nodes(&second) < nodes(&first));
}

#[test]
fn a_limit_of_nodes_ends_at_the_same_node() {
    for limit in [1, 100, 1_000, 12_345, 50_000] {
        for game in games() {
            let limits = Limits {
                nodes: Some(limit),
                ..Limits::default()
            };
            let first = said(&mut fresh(), &game, limits.clone());
            assert_eq!(said(&mut fresh(), &game, limits), first);
            // The first iteration is always finished; from then on the limit holds.
            let deeper = first.last().is_some_and(|info| info.depth > 1);
            assert!(!deeper || nodes(&first) <= limit, "limit {limit}");
        }
    }
}

#[test]
fn stopped_searches_and_threads_leave_nothing_behind_after_a_new_game() {
    let game = &games()[2];
    let alone = said(&mut fresh(), game, to_depth(DEPTH));
    let mut search = fresh();
    search.set_threads(2).expect("two threads");
    crate::searcher::ask_until(&mut search, game, to_depth(30), |info| info.depth >= 7);
    search.set_threads(1).expect("one thread");
    search.new_game();
    assert_eq!(said(&mut search, game, to_depth(DEPTH)), alone);
}
