//! How fast the search is: nodes a second at fixed depth, and the same with one thread and with
//! two in one run.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use movegen::{Game, Position, Variant};
use search::{Limits, SearchControl, SearchOptions, Searcher};
use std::time::Duration;

/// An opening, two middlegames, and three endings.
const POSITIONS: [&str; 6] = [
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 4 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 50",
    "3r1rk1/p4pp1/1p2p2p/8/2PR4/1P3PP1/P3P1KP/3R4 w - - 0 25",
];

const DEPTH: u32 = 9;
const NODES: u64 = 1_000_000;
const HASH_MEGABYTES: usize = 16;

/// Searches afresh; the nodes, and the time without clearing.
fn searched(searcher: &mut Searcher, game: &Game, limits: &Limits) -> (u64, Duration) {
    searcher.new_game();
    let options = SearchOptions::new(limits.clone());
    let outcome = searcher.search(game, &options, &SearchControl::new(), &mut ());
    (outcome.nodes, outcome.time)
}

fn games() -> Vec<Game> {
    POSITIONS
        .iter()
        .map(|fen| Game::new(Position::from_fen(fen, Variant::Standard).expect(fen)))
        .collect()
}

/// One thread searches the same nodes every time, so that time is all that differs.
fn fixed_depth(criterion: &mut Criterion) {
    let games = games();
    let limits = Limits {
        depth: Some(DEPTH),
        ..Limits::default()
    };
    let mut searcher = Searcher::new(HASH_MEGABYTES).expect("memory");
    let nodes = |searcher: &mut Searcher| -> (u64, Duration) {
        let all = games.iter().map(|game| searched(searcher, game, &limits));
        all.fold((0, Duration::ZERO), |sum, one| {
            (sum.0 + one.0, sum.1 + one.1)
        })
    };
    let mut group = criterion.benchmark_group("nodes");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes(&mut searcher).0));
    group.bench_function(BenchmarkId::new("depth", DEPTH), |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| nodes(&mut searcher).1).sum());
    });
    group.finish();
}

/// How much less time two threads take for the same nodes. They stop a few hundred past the
/// limit, which is a few in a thousand.
fn threads(criterion: &mut Criterion) {
    let game = &games()[1];
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let mut group = criterion.benchmark_group("threads");
    group.sample_size(10);
    group.throughput(Throughput::Elements(NODES));
    for count in [1, 2] {
        let mut searcher = Searcher::new(HASH_MEGABYTES).expect("memory");
        searcher.set_threads(count).expect("threads");
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter_custom(|times| {
                let time = |_| searched(&mut searcher, game, &limits).1;
                (0..times).map(time).sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, fixed_depth, threads);
criterion_main!(benches);
