//! What a network says of a position, against the rules of its features and sums by hand.
use crate::boards::{at, positions};
use crate::networks::{Numbers, random, shape};
use movegen::{Color, Piece, Position, Setup, Square, Variant};
use search::nnue::{AccumulatorStack, Network, Perspective, Shape, Simd, features};
use std::sync::Arc;

const HIDDEN: usize = 64;

fn sorted(shape: &Shape, position: &Position, perspective: Color) -> Vec<usize> {
    let mut features: Vec<usize> = features(shape, position, perspective).collect();
    features.sort_unstable();
    features
}

/// Own men first, 64 features for each of pawn, knight, bishop, rook, queen, king; then the
/// other's.
#[test]
fn features_are_where_the_rule_puts_them() {
    let shape = shape(HIDDEN, 1, 1);
    // White's king on c1 leaves the board as it is; Black's on g8 is on the files that are
    // mirrored, and Black sees the ranks from the other side: its king stands on b1.
    let position = at("6k1/5p2/8/8/8/8/1P6/2K4R w - - 0 1");
    let b2 = 9;
    let h1 = 7;
    let c1 = 2;
    let f7 = 53;
    let g8 = 62;
    let white = vec![b2, 3 * 64 + h1, 5 * 64 + c1, 384 + f7, 384 + 5 * 64 + g8];
    assert_eq!(sorted(&shape, &position, Color::White), white);
    // f7 seen from Black is f2, mirrored c2; b2 becomes b7, then g7; h1 h8, a8; c1 c8, f8.
    let (c2, b1, g7, a8, f8) = (10, 1, 54, 56, 61);
    let black = vec![
        c2,
        5 * 64 + b1,
        384 + g7,
        384 + 3 * 64 + a8,
        384 + 5 * 64 + f8,
    ];
    assert_eq!(sorted(&shape, &position, Color::Black), black);
}

#[test]
fn the_own_kings_square_chooses_the_bucket() {
    // A bucket for each rank and each pair of files.
    let shape = shape(HIDDEN, 32, 1);
    for (king, perspective, bucket) in [
        ("a1", Color::White, 0),
        ("h1", Color::White, 0),
        ("e1", Color::White, 3),
        ("d1", Color::White, 3),
        ("g3", Color::White, 9),
        ("a8", Color::Black, 0),
        ("e8", Color::Black, 3),
        ("b1", Color::Black, 29),
    ] {
        let king: Square = king.parse().expect(king);
        let view = Perspective::new(&shape, perspective, king);
        let pawn = Square::at(3, 3);
        let feature = view.feature(Piece::new(perspective, movegen::Role::Pawn), pawn);
        assert_eq!(feature / 768, bucket, "{king} {perspective}");
    }
}

#[test]
fn men_choose_the_output_bucket() {
    let eight = shape(HIDDEN, 1, 8);
    let firsts = [2, 6, 10, 14, 18, 22, 26, 30];
    for (bucket, first) in firsts.into_iter().enumerate() {
        assert_eq!(eight.output_bucket(first), bucket);
        assert_eq!(
            eight.output_bucket(first.saturating_sub(1).max(2)),
            bucket.saturating_sub(1)
        );
    }
    assert_eq!(eight.output_bucket(32), 7);
    let one = shape(HIDDEN, 1, 1);
    assert!((2..=32).all(|men| one.output_bucket(men) == 0));
    let three = shape(HIDDEN, 1, 3);
    assert_eq!(
        [2, 12, 13, 23, 24, 32].map(|men| three.output_bucket(men)),
        [0, 0, 1, 1, 2, 2]
    );
}

/// A network with one output bucket, from its weights.
fn network(
    feature_weight: impl Fn(usize, usize) -> i16,
    bias: i16,
    output_weight: impl Fn(usize) -> i16,
    output_bias: i32,
) -> Arc<Network> {
    let shape = shape(HIDDEN, 1, 1);
    let feature_weights = (0..shape.feature_count())
        .flat_map(|feature| (0..HIDDEN).map(move |neuron| (feature, neuron)))
        .map(|(feature, neuron)| feature_weight(feature, neuron))
        .collect();
    let network = Network::from_parts(
        shape,
        400,
        String::new(),
        feature_weights,
        vec![bias; HIDDEN],
        (0..2 * HIDDEN).map(output_weight).collect(),
        vec![output_bias],
    );
    Arc::new(network.expect("a network"))
}

/// Every way there is of asking.
fn value(network: &Arc<Network>, fen: &str) -> i32 {
    let position = at(fen);
    let value = network.evaluate_from_scratch(&position);
    for kernel in Simd::all() {
        let mut accumulators = AccumulatorStack::new(Arc::clone(network), kernel, 0);
        accumulators.reset(&position);
        let found = accumulators.evaluate(&position, 0);
        assert_eq!(found, value, "{kernel}");
    }
    value
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const PAWN: &str = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
const PAWN_AGAINST: &str = "4k3/8/8/8/8/8/P7/4K3 b - - 0 1";

#[test]
fn sums_by_hand() {
    let none = |_| 0;
    // The bias alone: logits are in 1/(255·64), a logit is worth 400.
    assert_eq!(value(&network(|_, _| 0, 0, none, 255 * 64), KINGS), 400);
    assert_eq!(value(&network(|_, _| 0, 0, none, -255 * 32), KINGS), -200);
    // One neuron of each side at its biggest, 255² · 64 / 255 = 255 · 64: one logit each.
    let first = |place: usize| if place == 0 { 64 } else { 0 };
    let other = |place: usize| if place == HIDDEN { -64 } else { 0 };
    assert_eq!(value(&network(|_, _| 0, 255, first, 0), KINGS), 400);
    assert_eq!(value(&network(|_, _| 0, 255, other, 0), KINGS), -400);
    // Squares: at half the activation a quarter of the value, 128² · 64 / 255 · 400 / 16320.
    assert_eq!(value(&network(|_, _| 0, 128, first, 0), KINGS), 100);
    // Clamped above and below.
    assert_eq!(value(&network(|_, _| 0, 30_000, first, 0), KINGS), 400);
    assert_eq!(value(&network(|_, _| 0, -1, first, 0), KINGS), 0);
    // A pawn of one's own, a pawn of the other's: e1 mirrors the board, a2 becomes h2.
    let own_pawn = |feature, neuron| if (feature, neuron) == (15, 0) { 255 } else { 0 };
    assert_eq!(value(&network(own_pawn, 0, first, 0), KINGS), 0);
    assert_eq!(value(&network(own_pawn, 0, first, 0), PAWN), 400);
    assert_eq!(value(&network(own_pawn, 0, first, 0), PAWN_AGAINST), 0);
    assert_eq!(value(&network(own_pawn, 0, other, 0), PAWN_AGAINST), -400);
    // For Black to move, White's pawn on a2 is the other's pawn on a7, mirrored h7.
    let enemy_pawn = |feature, neuron| {
        if (feature, neuron) == (384 + 55, 0) {
            255
        } else {
            0
        }
    };
    assert_eq!(value(&network(enemy_pawn, 0, first, 0), PAWN_AGAINST), 400);
    assert_eq!(value(&network(enemy_pawn, 0, first, 0), PAWN), 0);
}

/// All activations and weights at their largest, in the widest network.
#[test]
fn the_largest_sums_are_exact() {
    const WIDEST: i64 = 1024;
    let shape = shape(WIDEST as usize, 1, 1);
    for (weight, bias) in [(127, 0), (-127, 0), (127, i32::MAX), (-127, i32::MIN)] {
        let network = Network::from_parts(
            shape,
            u16::MAX,
            String::new(),
            vec![0; shape.feature_count() * shape.hidden()],
            vec![255; shape.hidden()],
            vec![weight; 2 * shape.hidden()],
            vec![bias],
        );
        let network = Arc::new(network.expect("a network"));
        let logit = 2 * WIDEST * 255 * i64::from(weight) + i64::from(bias);
        let exact = logit * 65535 / (255 * 64);
        let expected = exact.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        assert_eq!(
            i64::from(value(&network, KINGS)),
            expected,
            "{weight} {bias}"
        );
    }
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
    setup.position(Variant::Standard).expect("a position")
}

#[test]
fn colours_and_wings_are_equals() {
    for (kings, seed) in [(1, 3), (4, 4), (32, 5)] {
        let network = random(shape(HIDDEN, kings, 8), Numbers::Usual, seed);
        for position in positions(1000, seed) {
            let value = network.evaluate_from_scratch(&position);
            let flipped = rebuilt(&position, !position.side_to_move(), |square, man| {
                (square.flip_rank(), Piece::new(!man.color(), man.role()))
            });
            assert_eq!(network.evaluate_from_scratch(&flipped), value, "{position}");
            let mirrored = rebuilt(&position, position.side_to_move(), |square, man| {
                (square.flip_file(), man)
            });
            assert_eq!(
                network.evaluate_from_scratch(&mirrored),
                value,
                "{position}"
            );
        }
    }
}

/// A value that came out the same for all positions would pass every comparison above.
#[test]
fn random_networks_tell_positions_apart() {
    for numbers in [Numbers::Usual, Numbers::Extreme] {
        let network = random(shape(256, 1, 8), numbers, 11);
        let mut values: Vec<i32> = positions(1000, 12)
            .iter()
            .map(|position| network.evaluate_from_scratch(position))
            .collect();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 300, "{numbers:?}: {}", values.len());
    }
}
