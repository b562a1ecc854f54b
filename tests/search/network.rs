//! Searches that have a network value their positions: as repeatable as any, and they forget
//! what was learnt with another one.

use crate::networks::{Numbers, random, shape};
use crate::searcher::{Answer, ask, fresh, game, to_depth};
use movegen::Game;
use search::Searcher;
use search::nnue::{Network, embedded};
use std::sync::Arc;

const DEPTH: u32 = 8;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn games() -> [Game; 3] {
    [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ]
    .map(game)
}

fn network(seed: u64) -> Arc<Network> {
    Arc::new(random(shape(64, 4, 8), Numbers::Usual, seed))
}

fn wild_network() -> Arc<Network> {
    Arc::new(random(shape(128, 1, 1), Numbers::Extreme, 4))
}

/// The nodes of one search after the other.
fn nodes(search: &mut Searcher) -> Vec<u64> {
    let answers = games().map(|game| ask(search, &game, to_depth(DEPTH)));
    answers.iter().map(|answer| answer.last().nodes).collect()
}

fn alone(network: Arc<Network>) -> Vec<u64> {
    let mut search = fresh();
    search.set_network(network);
    nodes(&mut search)
}

#[test]
fn what_was_learnt_by_another_network_is_forgotten() {
    let ways = [Arc::clone(embedded()), network(1), wild_network()];
    let alone = ways.clone().map(alone);
    assert!(alone[0] != alone[1] && alone[1] != alone[2], "{alone:?}");
    let mut search = fresh();
    for way in [1, 2, 0, 2, 1, 1, 0] {
        search.set_network(ways[way].clone());
        assert_eq!(nodes(&mut search), alone[way], "way {way}");
    }
}

#[test]
fn a_network_outlives_new_games_tables_and_threads() {
    let network = network(1);
    let alone = alone(Arc::clone(&network));
    let mut search = fresh();
    search.set_network(network);
    search.set_threads(3).expect("three threads");
    nodes(&mut search);
    search.set_threads(1).expect("one thread");
    search.set_hash(8).expect("a table");
    search
        .set_hash(crate::searcher::HASH_MEGABYTES)
        .expect("a table");
    search.new_game();
    assert_eq!(nodes(&mut search), alone);
}

/// A network to which all positions are alike, a hundred units good for the side to move.
#[test]
fn the_value_is_the_networks() {
    let shape = shape(64, 1, 1);
    let network = Network::from_parts(
        shape,
        400,
        String::new(),
        vec![0; shape.feature_count() * 64],
        vec![0; 64],
        vec![0; 2 * 64],
        vec![255 * 64 / 4],
    )
    .expect("a network");
    let mut search = fresh();
    search.set_network(Arc::new(network));
    let answer: Answer = ask(&mut search, &game(START), to_depth(1));
    // After one ply it is the other's turn; a knight's move has used up a little of the clock.
    let score = answer.last().score.raw();
    assert!((-100..=-99).contains(&score), "{score}");
}
