//! What must hold of any sensible evaluation: symmetry, bounds, and what players know.

use crate::endgame;
use crate::nnue::{Network, Shape, embedded};
use crate::score::Score;
use crate::{Limits, SearchOptions, Searcher, Stop};
use movegen::{Color, Game, Move, Piece, Position, Setup, Square, Variant};
use std::sync::Arc;

fn at(fen: &str) -> Position {
    match Position::from_fen(fen, Variant::Standard) {
        Ok(position) => position,
        Err(error) => panic!("{fen}: {error}"),
    }
}

/// The value of a position for the side to move.
fn evaluate(position: &Position) -> i32 {
    super::value(position, embedded())
}

/// The value of a FEN for the side to move.
fn value(fen: &str) -> i32 {
    evaluate(&at(fen))
}

/// The same men, moved and coloured by the caller; no castling, no en passant.
fn rebuilt(
    position: &Position,
    turn: Color,
    place: impl Fn(Square, Piece) -> (Square, Piece),
) -> Position {
    let mut setup = Setup::empty();
    for (square, man) in position.piece_map() {
        let (square, man) = place(square, man);
        setup.pieces[square.index()] = Some(man);
    }
    setup.side_to_move = turn;
    match setup.position(Variant::Standard) {
        Ok(rebuilt) => rebuilt,
        Err(error) => panic!("{position}: {error}"),
    }
}

fn flipped(position: &Position) -> Position {
    rebuilt(position, !position.side_to_move(), |square, man| {
        (square.flip_rank(), Piece::new(!man.color(), man.role()))
    })
}

fn mirrored(position: &Position) -> Position {
    rebuilt(position, position.side_to_move(), |square, man| {
        (square.flip_file(), man)
    })
}

/// A small generator of repeatable choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

const WALKS: u64 = 60;
const PLIES: usize = 150;

/// Every position of random games from openings, endings and crowded boards.
fn along_random_walks(mut check: impl FnMut(&Position)) {
    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5b2/3k2p1/7p/1P5P/3KB1P1/8/8 b - - 0 1",
        "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
        "8/8/4k3/8/8/2BNK3/7p/8 w - - 0 1",
    ];
    for seed in 1..=WALKS {
        let mut choices = Choices(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut position = at(STARTS[choices.below(STARTS.len())]);
        for _ in 0..PLIES {
            check(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[choices.below(moves.len())]);
        }
    }
}

#[test]
fn the_colours_are_equals() {
    along_random_walks(|position| {
        assert_eq!(
            evaluate(position),
            evaluate(&flipped(position)),
            "{position}"
        );
    });
}

#[test]
fn the_wings_are_equals() {
    along_random_walks(|position| {
        assert_eq!(
            evaluate(position),
            evaluate(&mirrored(position)),
            "{position}"
        );
    });
}

#[test]
fn a_value_is_never_a_proof() {
    let limit = Score::MAX_EVAL.raw();
    along_random_walks(|position| {
        let value = evaluate(position);
        assert!(value.abs() < limit / 2, "{position}: {value}");
    });
    // All the queens there can be, against nothing and against as many.
    for fen in [
        "k7/8/8/3QQQ2/3QQQ2/3QQQ2/8/1NBRKRBN w - - 0 1",
        "1k6/8/8/2qqqqqq/2qqq3/8/8/1nbrKrbn b - - 0 1",
        "k7/pppppppp/8/3QQQ2/3QQQ2/3QQQ2/8/1NBRKRBN w - - 0 1",
        "k1qqqqqq/qqq5/8/8/8/8/QQQ5/K1QQQQQQ w - - 0 1",
    ] {
        if let Ok(position) = Position::from_fen(fen, Variant::Standard) {
            assert!(evaluate(&position).abs() < limit, "{fen}");
        }
    }
}

#[test]
fn the_start_is_nearly_level() {
    let start = evaluate(&Position::default());
    assert!((1..60).contains(&start), "{start}");
}

#[test]
fn material_is_worth_what_players_say() {
    let start = Position::default();
    let without = |square: Square| {
        let mut setup = Setup::empty();
        for (at, man) in start.piece_map().filter(|&(at, _)| at != square) {
            setup.pieces[at.index()] = Some(man);
        }
        match setup.position(Variant::Standard) {
            Ok(position) => evaluate(&position),
            Err(error) => panic!("{error}"),
        }
    };
    let queen = without(Square::D8);
    let rook = without(Square::A8);
    let bishop = without(Square::C8);
    let knight = without(Square::at(1, 7));
    let pawn = without(Square::at(4, 6));
    assert!(queen > 500, "{queen}");
    assert!(
        queen > rook && rook > bishop && rook > knight,
        "{queen} {rook} {bishop} {knight}"
    );
    assert!(
        knight > 2 * pawn && bishop > 2 * pawn,
        "{knight} {bishop} {pawn}"
    );
    assert!(pawn > 30, "{pawn}");
}

#[test]
fn endings_nobody_wins_are_draws() {
    for fen in [
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NK3 b - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
        // h8 is dark and the bishop is not.
        "6k1/8/8/8/7P/8/4B3/4K3 w - - 0 1",
        "1k6/8/P7/8/8/2B5/8/4K3 b - - 0 1",
        "k7/8/8/P7/8/8/8/4K3 w - - 0 1",
    ] {
        let position = at(fen);
        assert_eq!(evaluate(&position), 0, "{fen}");
        assert_eq!(evaluate(&flipped(&position)), 0, "{fen}");
    }
    for fen in [
        // h8 is dark and so is the bishop.
        "6k1/8/8/8/7P/8/3B4/4K3 w - - 0 1",
        "1k6/8/P7/8/8/8/4B3/4K3 w - - 0 1",
        "6k1/8/8/8/6P1/8/4B3/4K3 w - - 0 1",
    ] {
        assert_eq!(
            endgame::value(&at(fen)),
            None,
            "{fen} is left to the network"
        );
        assert!(value(fen) > 100, "{fen}: {}", value(fen));
    }
}

/// A plain search, to see where the evaluation leads.
struct Hunt {
    position: Position,
    /// Positions the game has been in; coming back to one is as good as a draw.
    seen: Vec<u64>,
}

impl Hunt {
    /// The value for the side to move and its best move. Mates are counted from the root.
    fn search(
        &self,
        position: &Position,
        depth: usize,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Move>) {
        const MATE: i32 = 100_000;
        let moves = position.legal_moves();
        let back_again = ply > 0 && self.seen.contains(&position.key());
        if moves.is_empty() && position.in_check() {
            return (ply - MATE, None);
        }
        if moves.is_empty() || back_again || position.is_insufficient_material() {
            return (0, None);
        }
        if depth == 0 {
            return (evaluate(position), None);
        }
        let mut best = None;
        for &mv in moves.iter() {
            let next = position.play_unchecked(mv);
            let value = -self.search(&next, depth - 1, ply + 1, -beta, -alpha).0;
            if value > alpha {
                (alpha, best) = (value, Some(mv));
                if alpha >= beta {
                    break;
                }
            }
        }
        (alpha, best)
    }
}

/// Both sides search a few plies; the mate comes before fifty moves have passed.
fn is_mated_in_time(fen: &str, depth: usize) -> bool {
    const FIFTY_MOVES: usize = 100;
    let mut hunt = Hunt {
        position: at(fen),
        seen: Vec::new(),
    };
    for _ in 0..FIFTY_MOVES {
        hunt.seen.push(hunt.position.key());
        let Some(mv) = hunt.search(&hunt.position, depth, 0, -200_000, 200_000).1 else {
            break;
        };
        hunt.position = hunt.position.play_unchecked(mv);
    }
    hunt.position.is_checkmate()
}

#[test]
fn a_queen_mates_a_bare_king() {
    assert!(is_mated_in_time("8/8/8/4k3/8/8/8/3QK3 w - - 0 1", 4));
    assert!(is_mated_in_time("q7/8/3k4/8/8/3K4/8/8 b - - 0 1", 4));
}

#[test]
fn a_rook_mates_a_bare_king() {
    assert!(is_mated_in_time("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", 4));
}

#[test]
fn two_bishops_mate_a_bare_king() {
    assert!(is_mated_in_time("8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1", 4));
}

#[test]
fn bishop_and_knight_lead_the_king_to_the_right_corner() {
    // The bishop is on dark squares: a1 and h8 are the corners to be mated in.
    let right = value("7k/8/5K2/8/3BN3/8/8/8 w - - 0 1");
    let middle = value("8/8/2K5/8/k2BN3/8/8/8 w - - 0 1");
    let wrong = value("k7/8/2K5/8/3BN3/8/8/8 w - - 0 1");
    assert!(right > middle && middle > wrong, "{right} {middle} {wrong}");
}

/// Numbers all over the place, the same every time.
fn network(king_buckets: usize) -> Network {
    let map = std::array::from_fn(|square| {
        let (rank, file) = (square / 8, square % 8);
        ((rank * 4 + file.min(7 - file)) % king_buckets) as u8
    });
    let shape = Shape::new(64, king_buckets, 8, map).expect("a shape");
    let mut state = 1_u64;
    let mut numbers = |count: usize| -> Vec<i16> {
        let number = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 121) as i16 - 60
        };
        (0..count).map(number).collect()
    };
    Network::from_parts(
        shape,
        400,
        String::new(),
        numbers(shape.feature_count() * 64),
        numbers(64),
        numbers(8 * 2 * 64),
        vec![0; 8],
    )
    .expect("a network")
}

/// Whatever line a search stands in, the value it is given is that of its position (which is
/// asserted where it is given).
#[test]
fn the_sums_follow_the_search_everywhere() {
    let options = SearchOptions::new(Limits::nodes(30_000));
    let mut searcher = Searcher::new(1).expect("a small table");
    for king_buckets in [1, 32] {
        searcher.set_network(Arc::new(network(king_buckets)));
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
            "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        ] {
            let position = Position::from_fen(fen, Variant::Chess960).expect(fen);
            let game = Game::new(position);
            let outcome = searcher.search(&game, &options, &Stop::new(), &mut ());
            assert!(outcome.nodes >= 30_000, "{fen}: {outcome:?}");
        }
    }
}
