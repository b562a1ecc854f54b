//! How fast the rules are, with cozy-chess doing the same work in the same run.
//!
//! Perft on one thread, without a hash table, the last ply counted in bulk; then the small
//! steps a search takes millions of times.

use cozy_chess::Board;
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use movegen::{Move, Position, SeeValues, Variant, perft};
use std::hint::black_box;
use std::time::Duration;

/// A tree with its published number of leaves.
struct Tree {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    leaves: u64,
}

const TREES: [Tree; 4] = [
    Tree {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        depth: 6,
        leaves: 119_060_324,
    },
    Tree {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
        depth: 5,
        leaves: 193_690_690,
    },
    Tree {
        name: "promotions",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w HA - 1 8",
        depth: 5,
        leaves: 89_941_194,
    },
    Tree {
        name: "chess960",
        fen: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        depth: 5,
        leaves: 8_146_062,
    },
];

const VALUES: SeeValues = [100, 320, 330, 500, 900, 0];

fn ours(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).expect(fen)
}

fn theirs(fen: &str) -> Board {
    Board::from_fen(fen, true).expect(fen)
}

fn perft_of_cozy(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += perft_of_cozy(&child, depth - 1);
        }
        false
    });
    leaves
}

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    for tree in &TREES {
        let (position, board) = (ours(tree.fen), theirs(tree.fen));
        assert_eq!(perft(&position, tree.depth), tree.leaves, "{}", tree.name);
        assert_eq!(
            perft_of_cozy(&board, tree.depth),
            tree.leaves,
            "{}",
            tree.name
        );
        group.throughput(Throughput::Elements(tree.leaves));
        group.bench_function(BenchmarkId::new("castellan", tree.name), |bencher| {
            bencher.iter(|| perft(black_box(&position), tree.depth));
        });
        group.bench_function(BenchmarkId::new("cozy-chess", tree.name), |bencher| {
            bencher.iter(|| perft_of_cozy(black_box(&board), tree.depth));
        });
    }
    group.finish();
}

/// A group of quick benches that each do `elements` things.
fn small<'a>(
    criterion: &'a mut Criterion,
    name: &str,
    elements: usize,
) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .throughput(Throughput::Elements(elements as u64));
    group
}

fn positions() -> Vec<Position> {
    TREES.iter().map(|tree| ours(tree.fen)).collect()
}

fn boards() -> Vec<Board> {
    TREES.iter().map(|tree| theirs(tree.fen)).collect()
}

/// Every position with each of its moves.
fn moves() -> Vec<(Position, Move)> {
    let with_moves = |position: Position| {
        let moves = position.legal_moves().to_vec();
        moves.into_iter().map(move |mv| (position, mv))
    };
    positions().into_iter().flat_map(with_moves).collect()
}

fn moves_of_cozy() -> Vec<(Board, cozy_chess::Move)> {
    let mut found = Vec::new();
    for board in boards() {
        board.generate_moves(|moves| {
            found.extend(moves.into_iter().map(|mv| (board.clone(), mv)));
            false
        });
    }
    found
}

fn play(criterion: &mut Criterion) {
    let (moves, moves_of_cozy) = (moves(), moves_of_cozy());
    let mut group = small(criterion, "play", moves.len());
    group.bench_function("castellan", |bencher| {
        bencher.iter(|| {
            for (position, mv) in &moves {
                black_box(position.play_unchecked(black_box(*mv)));
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        bencher.iter(|| {
            for (board, mv) in &moves_of_cozy {
                let mut child = board.clone();
                child.play_unchecked(black_box(*mv));
                black_box(&child);
            }
        });
    });
    group.finish();
}

fn legality_of_one_move(criterion: &mut Criterion) {
    let (moves, moves_of_cozy) = (moves(), moves_of_cozy());
    let mut group = small(criterion, "legality of one move", moves.len());
    group.bench_function("castellan", |bencher| {
        bencher.iter(|| {
            for (position, mv) in &moves {
                black_box(position.is_legal(black_box(*mv)));
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        bencher.iter(|| {
            for (board, mv) in &moves_of_cozy {
                black_box(board.is_legal(black_box(*mv)));
            }
        });
    });
    group.finish();
}

fn fen(criterion: &mut Criterion) {
    let mut group = small(criterion, "FEN read", TREES.len());
    group.bench_function("castellan", |bencher| {
        bencher.iter(|| {
            for tree in &TREES {
                black_box(ours(black_box(tree.fen)));
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        bencher.iter(|| {
            for tree in &TREES {
                black_box(theirs(black_box(tree.fen)));
            }
        });
    });
    group.finish();

    let (positions, boards) = (positions(), boards());
    let mut group = small(criterion, "FEN print", TREES.len());
    group.bench_function("castellan", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(position.shredder_fen());
            }
        });
    });
    group.bench_function("cozy-chess", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                black_box(format!("{board:#}"));
            }
        });
    });
    group.finish();
}

/// cozy-chess has no exchange evaluation to compare with.
fn exchange(criterion: &mut Criterion) {
    let moves = moves();
    let mut group = small(criterion, "exchange", moves.len());
    group.bench_function("castellan", |bencher| {
        bencher.iter(|| {
            for (position, mv) in &moves {
                black_box(position.see_ge(black_box(*mv), 0, &VALUES));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, trees, play, legality_of_one_move, fen, exchange);
criterion_main!(benches);
