//! The speed of the rules, with cozy-chess and shakmaty doing the same work in the same run: perft
//! on one thread, without a hash table and with the last ply counted in bulk; then single
//! operations on the positions of `castellan bench`.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use cozy_chess::Board;
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use movegen::engine::{self, SeeValues};
use movegen::{Move, Position, Variant, perft};
use search::bench::POSITIONS;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::hint::black_box;
use std::time::Duration;

/// Positions with published perft counts: names, FENs, depths, leaves.
const TREES: &str = "\
start; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1; 6; 119060324
kiwipete; r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1; 5; 193690690
position 3; 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1; 6; 11030083
position 4; r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w ha - 0 1; 5; 15833292
position 5; rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w HA - 1 8; 5; 89941194
position 6; r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10; 5; 164075551
chess960 1; bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9; 5; 8146062
chess960 2; 2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9; 5; 16253601
chess960 3; b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9; 5; 6417013";

const VALUES: SeeValues = [100, 320, 330, 500, 900, 0];

fn ours(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).expect(fen)
}

fn theirs(fen: &str) -> Board {
    Board::from_fen(fen, true).expect(fen)
}

fn shakmaty_position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960)
        .expect("a legal position")
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
    for line in TREES.lines() {
        let fields: Vec<&str> = line.split("; ").collect();
        let [name, fen, depth, leaves] = fields[..] else {
            panic!("{line}");
        };
        let (depth, leaves) = (depth.parse().expect(line), leaves.parse().expect(line));
        let (position, board, chess) = (ours(fen), theirs(fen), shakmaty_position(fen));
        assert_eq!(perft(&position, depth), leaves, "{name}");
        assert_eq!(cozy_perft(&board, depth), leaves, "{name}");
        assert_eq!(shakmaty::perft(&chess, depth), leaves, "{name}");
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(BenchmarkId::new("castellan", name), |bencher| {
            bencher.iter(|| perft(black_box(&position), depth));
        });
        group.bench_function(BenchmarkId::new("cozy-chess", name), |bencher| {
            bencher.iter(|| cozy_perft(black_box(&board), depth));
        });
        group.bench_function(BenchmarkId::new("shakmaty", name), |bencher| {
            bencher.iter(|| shakmaty::perft(black_box(&chess), depth));
        });
    }
    group.finish();
}

/// Positions of one library, each with its legal moves or their texts.
type WithMoves<P, M> = Vec<(P, Vec<M>)>;

/// A group of functions of the libraries that do the same.
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

    fn of_each<T, R>(&mut self, library: &str, items: &[T], work: impl Fn(&T) -> R) -> &mut Self {
        self.0.bench_function(library, |bencher| {
            bencher.iter(|| {
                for item in items {
                    black_box(&work(black_box(item)));
                }
            });
        });
        self
    }

    fn of_moves<P, M, R>(
        &mut self,
        library: &str,
        positions: &WithMoves<P, M>,
        work: impl Fn(&P, &M) -> R,
    ) -> &mut Self {
        self.0.bench_function(library, |bencher| {
            bencher.iter(|| {
                for (position, moves) in positions {
                    for mv in moves {
                        black_box(&work(black_box(position), black_box(mv)));
                    }
                }
            });
        });
        self
    }
}

fn moves_of_a_board(board: &Board) -> Vec<cozy_chess::Move> {
    let mut found = Vec::new();
    board.generate_moves(|moves| {
        found.extend(moves);
        false
    });
    found
}

fn single_moves(criterion: &mut Criterion) {
    let fens: Vec<String> = POSITIONS
        .iter()
        .map(|fen| ours(fen).shredder_fen())
        .collect();
    let with_moves = |fen: &String| (ours(fen), ours(fen).legal_moves().to_vec());
    let castellan: WithMoves<Position, Move> = fens.iter().map(with_moves).collect();
    let with_moves = |fen: &String| (theirs(fen), moves_of_a_board(&theirs(fen)));
    let cozy: WithMoves<Board, cozy_chess::Move> = fens.iter().map(with_moves).collect();
    let with_moves = |fen: &String| {
        (
            shakmaty_position(fen),
            shakmaty_position(fen).legal_moves().to_vec(),
        )
    };
    let shak: WithMoves<Chess, shakmaty::Move> = fens.iter().map(with_moves).collect();
    let items = castellan.iter().map(|(_, moves)| moves.len()).sum();

    // A copy of the position with the move made.
    Comparison::new(criterion, "play", items)
        .of_moves("castellan", &castellan, |position, &mv| {
            position.play_unchecked(mv)
        })
        .of_moves("cozy-chess", &cozy, |board, &mv| {
            let mut child = board.clone();
            child.play_unchecked(mv);
            child
        })
        .of_moves("shakmaty", &shak, |chess, &mv| {
            let mut child = chess.clone();
            child.play_unchecked(mv);
            child
        });
    Comparison::new(criterion, "legality of one move", items)
        .of_moves("castellan", &castellan, |position, &mv| {
            position.is_legal(mv)
        })
        .of_moves("cozy-chess", &cozy, |board, &mv| board.is_legal(mv))
        .of_moves("shakmaty", &shak, |chess, &mv| chess.is_legal(mv));

    // cozy-chess has no SAN, and neither has a SEE.
    Comparison::new(criterion, "SAN writing", items)
        .of_moves("castellan", &castellan, |position, &mv| position.san(mv))
        .of_moves("shakmaty", &shak, |chess, &mv| {
            SanPlus::from_move(chess.clone(), mv).to_string()
        });
    let texts: Vec<Vec<String>> = castellan
        .iter()
        .map(|(position, moves)| moves.iter().map(|&mv| position.san(mv)).collect())
        .collect();
    let our_texts = castellan
        .iter()
        .map(|&(position, _)| position)
        .zip(texts.clone())
        .collect();
    let their_texts = shak
        .iter()
        .map(|(chess, _)| chess.clone())
        .zip(texts)
        .collect();
    Comparison::new(criterion, "SAN parsing", items)
        .of_moves(
            "castellan",
            &our_texts,
            |position: &Position, text: &String| {
                position.move_from_san(text).expect("a legal move")
            },
        )
        .of_moves("shakmaty", &their_texts, |chess: &Chess, text: &String| {
            let san: SanPlus = text.parse().expect("a SAN");
            san.san.to_move(chess).expect("a legal move")
        });
    Comparison::new(criterion, "SEE", items).of_moves("castellan", &castellan, |position, &mv| {
        engine::see_ge(position, mv, 0, &VALUES)
    });
}

fn fen(criterion: &mut Criterion) {
    let positions: Vec<Position> = POSITIONS.iter().map(|fen| ours(fen)).collect();
    let fens: Vec<String> = positions.iter().map(Position::shredder_fen).collect();
    let boards: Vec<Board> = fens.iter().map(|fen| theirs(fen)).collect();
    let chess: Vec<Chess> = fens.iter().map(|fen| shakmaty_position(fen)).collect();
    Comparison::new(criterion, "FEN parsing", fens.len())
        .of_each("castellan", &fens, |fen| ours(fen))
        .of_each("cozy-chess", &fens, |fen| theirs(fen))
        .of_each("shakmaty", &fens, |fen| shakmaty_position(fen));
    Comparison::new(criterion, "FEN writing", fens.len())
        .of_each("castellan", &positions, Position::shredder_fen)
        .of_each("cozy-chess", &boards, |board| format!("{board:#}"))
        .of_each("shakmaty", &chess, |chess| {
            Fen::from_position(chess, EnPassantMode::Legal).to_string()
        });
}

criterion_group!(benches, perft_counts, single_moves, fen);
criterion_main!(benches);
