//! The speed of the rules, with cozy-chess doing the same work in the same run: perft on one thread,
//! without a hash table and with the last ply counted in bulk, then the steps a search takes.

use cozy_chess::Board;
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use movegen::{Move, Position, SeeValues, Variant, perft};
use std::hint::black_box;
use std::time::Duration;

/// A position with a published perft count.
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

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += cozy_perft(&child, depth - 1);
        }
        false
    });
    leaves
}

fn perft_counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    for &Tree {
        name,
        fen,
        depth,
        leaves,
    } in &TREES
    {
        let (position, board) = (ours(fen), theirs(fen));
        assert_eq!(perft(&position, depth), leaves, "{name}");
        assert_eq!(cozy_perft(&board, depth), leaves, "{name}");
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(BenchmarkId::new("castellan", name), |bencher| {
            bencher.iter(|| perft(black_box(&position), depth));
        });
        group.bench_function(BenchmarkId::new("cozy-chess", name), |bencher| {
            bencher.iter(|| cozy_perft(black_box(&board), depth));
        });
    }
    group.finish();
}

/// A group for functions of the two libraries that do the same with every item.
struct Comparison<'a>(BenchmarkGroup<'a, WallTime>);

impl<'a> Comparison<'a> {
    fn new(criterion: &'a mut Criterion, name: &str, items: usize) -> Self {
        let mut group = criterion.benchmark_group(name);
        group
            .sample_size(30)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .throughput(Throughput::Elements(items as u64));
        Self(group)
    }

    fn bench<T, R>(&mut self, library: &str, items: &[T], work: impl Fn(&T) -> R) -> &mut Self {
        self.0.bench_function(library, |bencher| {
            bencher.iter(|| {
                for item in items {
                    black_box(work(black_box(item)));
                }
            });
        });
        self
    }
}

/// Every position with each of its moves.
fn moves() -> Vec<(Position, Move)> {
    let with_moves = |tree: &Tree| {
        let position = ours(tree.fen);
        let moves = position.legal_moves().to_vec();
        moves.into_iter().map(move |mv| (position, mv))
    };
    TREES.iter().flat_map(with_moves).collect()
}

fn cozy_moves() -> Vec<(Board, cozy_chess::Move)> {
    let mut found = Vec::new();
    for board in TREES.iter().map(|tree| theirs(tree.fen)) {
        board.generate_moves(|moves| {
            found.extend(moves.into_iter().map(|mv| (board.clone(), mv)));
            false
        });
    }
    found
}

fn steps_of_a_search(criterion: &mut Criterion) {
    let (moves, cozy_moves) = (moves(), cozy_moves());
    Comparison::new(criterion, "play", moves.len())
        .bench("castellan", &moves, |(position, mv)| {
            position.play_unchecked(*mv)
        })
        .bench("cozy-chess", &cozy_moves, |(board, mv)| {
            let mut child = board.clone();
            child.play_unchecked(*mv);
            child
        });
    Comparison::new(criterion, "legality of one move", moves.len())
        .bench("castellan", &moves, |(position, mv)| position.is_legal(*mv))
        .bench("cozy-chess", &cozy_moves, |(board, mv)| board.is_legal(*mv));
    // cozy-chess has no SEE.
    Comparison::new(criterion, "SEE", moves.len()).bench("castellan", &moves, |(position, mv)| {
        position.see_ge(*mv, 0, &VALUES)
    });
}

fn fen(criterion: &mut Criterion) {
    let fens = TREES.map(|tree| tree.fen);
    Comparison::new(criterion, "FEN parsing", fens.len())
        .bench("castellan", &fens, |fen| ours(fen))
        .bench("cozy-chess", &fens, |fen| theirs(fen));
    Comparison::new(criterion, "FEN writing", fens.len())
        .bench("castellan", &fens.map(ours), Position::shredder_fen)
        .bench("cozy-chess", &fens.map(theirs), |board| {
            format!("{board:#}")
        });
}

criterion_group!(benches, perft_counts, steps_of_a_search, fen);
criterion_main!(benches);
