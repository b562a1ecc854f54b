//! Properties of any sensible evaluation: symmetry, bounds, and what players know.

use super::evaluate;
use crate::nnue::{Network, Shape, embedded};
use crate::score::Score;
use crate::{Limits, SearchControl, SearchOptions, Searcher, endgame};
use movegen::{Color, Game, Piece, Position, Setup, Square, Variant};
use std::sync::Arc;
use test_common::Rng;

/// A position; its castling rights may be of either variant.
pub(super) fn at(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).expect(fen)
}

fn value(position: &Position) -> i32 {
    evaluate(position, embedded())
}

fn value_of(fen: &str) -> i32 {
    value(&at(fen))
}

/// The pieces of a position after a mapping, without castling rights and en passant square.
fn mapped(
    position: &Position,
    side_to_move: Color,
    map: impl Fn(Square, Piece) -> Option<(Square, Piece)>,
) -> Position {
    let mut setup = Setup::empty();
    for (square, piece) in position.piece_map() {
        if let Some((square, piece)) = map(square, piece) {
            setup.pieces[square.index()] = Some(piece);
        }
    }
    setup.side_to_move = side_to_move;
    setup
        .position(Variant::Standard)
        .expect("a legal position")
        .position
}

fn flipped(position: &Position) -> Position {
    mapped(position, !position.side_to_move(), |square, piece| {
        let piece = Piece::new(!piece.color(), piece.role());
        Some((square.flip_rank(), piece))
    })
}

fn mirrored(position: &Position) -> Position {
    mapped(position, position.side_to_move(), |square, piece| {
        Some((square.flip_file(), piece))
    })
}

/// Random games from openings, endings and crowded boards.
#[test]
fn values_are_symmetric_and_below_proven_scores() {
    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5b2/3k2p1/7p/1P5P/3KB1P1/8/8 b - - 0 1",
        "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
        "8/8/4k3/8/8/2BNK3/7p/8 w - - 0 1",
    ];
    const GAMES: u64 = 60;
    const PLIES: usize = 150;
    for seed in 1..=GAMES {
        let mut rng = Rng::new(seed);
        let mut position = at(rng.choose::<&str>(&STARTS));
        for _ in 0..PLIES {
            let found = value(&position);
            assert_eq!(value(&flipped(&position)), found, "{position}");
            assert_eq!(value(&mirrored(&position)), found, "{position}");
            let limit = Score::MAX_EVAL.raw() / 2;
            assert!(found.abs() < limit, "{position}: {found}");
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(*rng.choose(&moves));
        }
    }
}

#[test]
fn the_most_queens_stay_below_proven_scores() {
    for fen in [
        "k7/8/8/3QQQ2/3QQQ2/3QQQ2/8/1NBRKRBN w - - 0 1",
        "1k6/8/8/2qqqqqq/2qqq3/8/8/1nbrKrbn b - - 0 1",
        "k7/pppppppp/8/3QQQ2/3QQQ2/3QQQ2/8/1NBRKRBN w - - 0 1",
        "k1qqqqqq/qqq5/8/8/8/8/QQQ5/K1QQQQQQ w - - 0 1",
    ] {
        if let Ok(position) = Position::from_fen(fen, Variant::Standard) {
            assert!(value(&position).abs() < Score::MAX_EVAL.raw(), "{fen}");
        }
    }
}

#[test]
fn the_start_position_is_nearly_level() {
    let start = value(&Position::default());
    assert!((1..60).contains(&start), "{start}");
}

#[test]
fn piece_values_are_in_the_usual_order() {
    let start = Position::default();
    let without = |removed| {
        value(&mapped(&start, Color::White, |square, piece| {
            (square != removed).then_some((square, piece))
        }))
    };
    let [queen, rook, bishop, knight] =
        [Square::D8, Square::A8, Square::C8, Square::B8].map(without);
    let pawn = without(Square::E7);
    let values = format!("{queen} {rook} {bishop} {knight} {pawn}");
    // The network saturates, so a queen is worth less than nine of its pawns, but more than two
    // minor pieces; and it wins.
    let chances = crate::wdl::chances(Score::eval(queen), &start);
    assert!(chances.win > 990 && queen > rook, "{values}");
    assert!(queen > bishop + knight, "{values}");
    assert!(rook > bishop && rook > knight, "{values}");
    assert!(knight > 2 * pawn && bishop > 2 * pawn, "{values}");
    assert!(pawn > 30, "{values}");
}

#[test]
fn endings_that_cannot_be_won_are_draws() {
    for fen in [
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NK3 b - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
        // h8 is dark and the bishop is not.
        "6k1/8/8/8/7P/8/4B3/4K3 w - - 0 1",
        "1k6/8/P7/8/8/2B5/8/4K3 b - - 0 1",
        "k7/8/8/P7/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(value_of(fen), 0, "{fen}");
        assert_eq!(value(&flipped(&at(fen))), 0, "{fen}");
    }
    for fen in [
        // h8 is dark and so is the bishop.
        "6k1/8/8/8/7P/8/3B4/4K3 w - - 0 1",
        "1k6/8/P7/8/8/8/4B3/4K3 w - - 0 1",
        "6k1/8/8/8/6P1/8/4B3/4K3 w - - 0 1",
    ] {
        assert_eq!(endgame::value(&at(fen)), None, "{fen}");
        assert!(value_of(fen) > 100, "{fen}: {}", value_of(fen));
    }
}

/// The evaluation leads a shallow search of both sides to the mate.
#[test]
fn bare_kings_are_mated_within_fifty_moves() {
    let options = SearchOptions::new(Limits::depth(5));
    let mut searcher = Searcher::new(1).expect("a small table");
    for fen in [
        "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
        "q7/8/3k4/8/8/3K4/8/8 b - - 0 1",
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1",
    ] {
        let mut game = Game::new(at(fen));
        while game.outcome().is_none() && game.claims().is_empty() {
            let result = searcher.search(&game, &options, &SearchControl::new(), &mut ());
            let mv = result.best_move.expect("a legal move");
            game.push(mv).expect("a legal move");
        }
        assert!(game.position().is_checkmate(), "{fen}: {}", game.position());
    }
}

#[test]
fn bishop_and_knight_drive_the_king_to_the_right_corner() {
    // The bishop is on dark squares, so the mate is on a1 or h8.
    let right = value_of("7k/8/5K2/8/3BN3/8/8/8 w - - 0 1");
    let middle = value_of("8/8/2K5/8/k2BN3/8/8/8 w - - 0 1");
    let wrong = value_of("k7/8/2K5/8/3BN3/8/8/8 w - - 0 1");
    assert!(right > middle && middle > wrong, "{right} {middle} {wrong}");
}

/// A network with random weights.
fn random_network(king_buckets: usize) -> Network {
    let map = std::array::from_fn(|square| {
        let (rank, file) = (square / 8, square % 8);
        ((rank * 4 + file.min(7 - file)) % king_buckets) as u8
    });
    let shape = Shape::new(64, king_buckets, 8, map).expect("a shape");
    let mut rng = Rng::new(1);
    Network::from_fn(shape, 400, "", |_, _| rng.range(-60..=60)).expect("a network")
}

/// Along every line of a search the incremental value is that from scratch, which
/// `LineEvaluator::evaluate` asserts in test builds.
#[test]
fn incremental_values_follow_the_search() {
    let options = SearchOptions::new(Limits::nodes(30_000));
    let mut searcher = Searcher::new(1).expect("a small table");
    for king_buckets in [1, 32] {
        searcher.set_network(Arc::new(random_network(king_buckets)));
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
            "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        ] {
            let game = Game::new(at(fen));
            let result = searcher.search(&game, &options, &SearchControl::new(), &mut ());
            assert!(result.nodes >= 30_000, "{fen}: {result:?}");
        }
    }
}
