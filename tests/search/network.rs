//! Searches with networks: the network determines the evaluation, and nothing learnt with another
//! one remains.

use crate::nnue::networks::{Numbers, random, shape};
use crate::run::{HASH_MEGABYTES, game, new_searcher, run, run_new};
use search::nnue::{Network, Tensor, embedded};
use search::{Limits, Searcher};
use std::sync::Arc;
use test_common::positions::{KIWIPETE, START};

/// The nodes of three searches, one after the other.
fn nodes(searcher: &mut Searcher) -> Vec<u64> {
    [START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]
        .map(|fen| run(searcher, &game(fen), Limits::depth(8)).last().nodes)
        .to_vec()
}

fn nodes_with(network: &Arc<Network>) -> Vec<u64> {
    let mut searcher = new_searcher();
    searcher.set_network(Arc::clone(network));
    nodes(&mut searcher)
}

#[test]
fn a_new_network_clears_what_was_learnt_with_another() {
    let networks = [
        Arc::clone(embedded()),
        Arc::new(random(shape(64, 4, 8), Numbers::Usual, 1)),
        Arc::new(random(shape(128, 1, 1), Numbers::Extreme, 4)),
    ];
    let expected = networks.each_ref().map(nodes_with);
    assert!(expected[0] != expected[1] && expected[1] != expected[2]);
    let mut searcher = new_searcher();
    for index in [1, 2, 0, 2, 1, 1, 0] {
        searcher.set_network(Arc::clone(&networks[index]));
        assert_eq!(nodes(&mut searcher), expected[index], "network {index}");
    }
}

#[test]
fn a_network_outlives_new_games_tables_and_threads() {
    let network = Arc::new(random(shape(64, 4, 8), Numbers::Usual, 1));
    let mut searcher = new_searcher();
    searcher.set_network(Arc::clone(&network));
    searcher.set_threads(3).expect("three threads");
    nodes(&mut searcher);
    searcher.set_threads(1).expect("one thread");
    searcher.set_hash(8).expect("memory");
    searcher.set_hash(HASH_MEGABYTES).expect("memory");
    searcher.new_game();
    assert_eq!(nodes(&mut searcher), nodes_with(&network));
}

/// A network that evaluates every position as 100 for the side to move.
#[test]
fn the_score_is_the_networks() {
    let shape = shape(64, 1, 1);
    let network = Network::from_fn(shape, 400, "", |tensor, _| match tensor {
        Tensor::OutputBiases => 160 * 64 / 4,
        _ => 0,
    })
    .expect("a network");
    let mut searcher = new_searcher();
    searcher.set_network(Arc::new(network));
    let results = run(&mut searcher, &game(START), Limits::depth(1));
    // After one ply it is the opponent's; a knight's move advances the halfmove clock.
    let score = results.score().raw();
    assert!((-100..=-99).contains(&score), "{score}");
    assert_ne!(score, run_new(&game(START), Limits::depth(1)).score().raw());
}
