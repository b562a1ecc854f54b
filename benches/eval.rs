//! Speed of the network for every instruction set of this processor: incremental updates with
//! the output layer, the output layer alone, and refreshes for positions that stand alone.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use movegen::{Move, Position, Variant};
use search::nnue::{AccumulatorStack, Network, Shape, Simd, embedded};
use std::hint::black_box;
use std::sync::Arc;

/// An opening, two middlegames, and three endings.
const POSITIONS: [&str; 6] = [
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 4 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 50",
    "3r1rk1/p4pp1/1p2p2p/8/2PR4/1P3PP1/P3P1KP/3R4 w - - 0 25",
];

/// A network with arbitrary numbers, which make no difference to the time.
fn network(hidden: usize) -> Arc<Network> {
    const OUTPUTS: usize = 8;
    let shape = Shape::without_king_buckets(hidden, OUTPUTS).expect("a shape");
    let spread = |number: usize| (number.wrapping_mul(0x9e37_79b9) >> 7 & 127) as i32 - 63;
    let network = Network::from_fn(shape, 400, "benchmark", |_, index| spread(index));
    Arc::new(network.expect("a network"))
}

/// A position with its legal moves and the positions after them.
type Family = (Position, Vec<(Move, Position)>);

fn families() -> Vec<Family> {
    let family = |fen: &&str| {
        let parent = Position::from_fen(fen, Variant::Standard).expect(fen);
        let moves = parent.legal_moves();
        let children = moves.iter().map(|&mv| (mv, parent.play_unchecked(mv)));
        (parent, children.collect())
    };
    POSITIONS.iter().map(family).collect()
}

/// Runs one measurement for every network and instruction set.
fn for_all(
    criterion: &mut Criterion,
    name: &str,
    values: usize,
    measure: impl Fn(&mut AccumulatorStack) -> i32,
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(values as u64));
    for (network_name, network) in [
        ("256", network(256)),
        ("512", network(512)),
        ("own", Arc::clone(embedded())),
    ] {
        for simd in Simd::all() {
            let mut accumulators = AccumulatorStack::new(Arc::clone(&network), simd, 1);
            let id = BenchmarkId::new(simd.to_string(), network_name);
            group.bench_function(id, |bencher| bencher.iter(|| measure(&mut accumulators)));
        }
    }
    group.finish();
}

/// Makes a move and evaluates the position after it, as a search does.
fn incremental(criterion: &mut Criterion) {
    let families = families();
    let children = families.iter().map(|(_, children)| children.len()).sum();
    for_all(criterion, "incremental", children, |accumulators| {
        let mut sum = 0;
        for (parent, children) in black_box(&families) {
            accumulators.reset(parent);
            for (mv, child) in children {
                accumulators.make_move(parent, *mv, 0);
                sum ^= accumulators.evaluate(child, 1);
            }
        }
        sum
    });
}

/// Each position from the Finny table's entry of the one before it.
fn refresh(criterion: &mut Criterion) {
    let families = families();
    for_all(criterion, "refresh", families.len(), |accumulators| {
        let mut sum = 0;
        for (parent, _) in black_box(&families) {
            accumulators.reset(parent);
            sum ^= accumulators.evaluate(parent, 0);
        }
        sum
    });
}

/// The output layer for accumulators that are up to date.
fn output(criterion: &mut Criterion) {
    let families = families();
    for_all(criterion, "output", 1, |accumulators| {
        accumulators.evaluate(black_box(&families[0].0), 0)
    });
}

criterion_group!(benches, incremental, refresh, output);
criterion_main!(benches);
