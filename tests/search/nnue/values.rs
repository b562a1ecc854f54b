//! The values of a network, against the rules of its features and sums worked out by hand.
use super::networks::{Numbers, random, shape, with_attacks};
use super::positions::{at, positions};
use movegen::{Color, Piece, Role, Square};
use search::nnue::{AccumulatorStack, Network, Perspective, Simd, Tensor, features};
use std::sync::Arc;

const HIDDEN: usize = 64;

/// Own pieces first, 64 features for each of pawn, knight, bishop, rook, queen, king; then the
/// opponent's.
#[test]
fn features_follow_the_rule() {
    let shape = shape(HIDDEN, 1, 1);
    // White's king on c1 leaves the board as it is. Black's on g8 mirrors the files, and Black
    // sees the ranks from its side: its king is on b1.
    let position = at("6k1/5p2/8/8/8/8/1P6/2K4R w - - 0 1");
    let index = |square: &str| square.parse::<Square>().expect(square).index();
    let (rook, king, opponent) = (3 * 64, 5 * 64, 6 * 64);
    for (side, expected) in [
        (
            Color::White,
            [
                index("b2"),
                rook + index("h1"),
                king + index("c1"),
                opponent + index("f7"),
                opponent + king + index("g8"),
            ],
        ),
        // For Black f7 is c2, b2 is g7, h1 is a8 and c1 is f8.
        (
            Color::Black,
            [
                index("c2"),
                king + index("b1"),
                opponent + index("g7"),
                opponent + rook + index("a8"),
                opponent + king + index("f8"),
            ],
        ),
    ] {
        let mut found: Vec<usize> = features(&shape, &position, side).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{side}");
    }
}

#[test]
fn king_square_selects_the_king_bucket() {
    // A bucket for each rank and each pair of files.
    let shape = shape(HIDDEN, 32, 1);
    for (king, side, bucket) in [
        ("a1", Color::White, 0),
        ("h1", Color::White, 0),
        ("e1", Color::White, 3),
        ("d1", Color::White, 3),
        ("g3", Color::White, 9),
        ("a8", Color::Black, 0),
        ("e8", Color::Black, 3),
        ("b1", Color::Black, 29),
    ] {
        let perspective = Perspective::new(&shape, side, king.parse().expect(king));
        let pawn = Piece::new(side, Role::Pawn);
        let feature = perspective.feature(pawn, Square::D4);
        assert_eq!(feature / 768, bucket, "{king} {side}");
    }
}

#[test]
fn piece_count_selects_the_output_bucket() {
    let cases: [(usize, &[u32]); 3] = [
        // The smallest count of each bucket.
        (8, &[2, 6, 10, 14, 18, 22, 26, 30]),
        (3, &[2, 13, 24]),
        (1, &[2]),
    ];
    for (buckets, first) in cases {
        let shape = shape(HIDDEN, 1, buckets);
        for pieces in 2..=32 {
            let expected = first.partition_point(|&first| first <= pieces) - 1;
            assert_eq!(shape.output_bucket(pieces), expected, "{buckets} {pieces}");
        }
    }
}

/// A network with one output bucket.
fn network(
    feature_weight: impl Fn(usize, usize) -> i16,
    bias: i16,
    output_weight: impl Fn(usize) -> i16,
    output_bias: i32,
) -> Arc<Network> {
    let shape = shape(HIDDEN, 1, 1);
    let network = Network::from_fn(shape, 400, "", |tensor, index| match tensor {
        Tensor::FeatureWeights => feature_weight(index / HIDDEN, index % HIDDEN).into(),
        Tensor::FeatureBiases => bias.into(),
        Tensor::OutputWeights => output_weight(index).into(),
        Tensor::OutputBiases => output_bias,
        _ => 0,
    });
    Arc::new(network.expect("a network"))
}

/// The value of a position, which must be the same for every instruction set.
fn value(network: &Arc<Network>, fen: &str) -> i32 {
    let position = at(fen);
    let value = network.evaluate_from_scratch(&position);
    for simd in Simd::all() {
        let mut accumulators = AccumulatorStack::new(Arc::clone(network), simd, 0);
        accumulators.reset(&position);
        assert_eq!(accumulators.evaluate(&position, 0), value, "{simd}");
    }
    value
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const PAWN: &str = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
const PAWN_AGAINST: &str = "4k3/8/8/8/8/8/P7/4K3 b - - 0 1";

#[test]
fn biases_and_activations_by_hand() {
    let none = |_| 0;
    let own = |index| if index == 0 { 64 } else { 0 };
    let opponent = |index| if index == HIDDEN { -64 } else { 0 };
    let value = |network| value(&network, KINGS);
    // The output bias alone: in 1/(160·64) of a logit, which is worth 400.
    assert_eq!(value(network(|_, _| 0, 0, none, 160 * 64)), 400);
    assert_eq!(value(network(|_, _| 0, 0, none, -160 * 32)), -200);
    // One neuron of each side at its maximum, 160² · 64 / 160 = 160 · 64: one logit each.
    assert_eq!(value(network(|_, _| 0, 160, own, 0)), 400);
    assert_eq!(value(network(|_, _| 0, 160, opponent, 0)), -400);
    // SCReLU: half the activation is a quarter of the value, 80² · 64 / 160 · 400 / 10240; and
    // it is clipped above and below.
    assert_eq!(value(network(|_, _| 0, 80, own, 0)), 100);
    assert_eq!(value(network(|_, _| 0, 30_000, own, 0)), 400);
    assert_eq!(value(network(|_, _| 0, -1, own, 0)), 0);
}

#[test]
fn feature_weights_by_hand() {
    let own = |index| if index == 0 { 64 } else { 0 };
    let opponent = |index| if index == HIDDEN { -64 } else { 0 };
    let only = |wanted: usize| {
        move |feature, neuron| {
            if (feature, neuron) == (wanted, 0) {
                80
            } else {
                0
            }
        }
    };
    // The king on e1 mirrors the board: an own pawn on a2 is seen on h2. For Black it is the
    // opponent's pawn on a7, seen on h7.
    let (own_h2, opponent_h7) = (15, 384 + 55);
    for (network, kings, pawn, pawn_against) in [
        (network(only(own_h2), 0, own, 0), 0, 100, 0),
        (network(only(own_h2), 0, opponent, 0), 0, 0, -100),
        (network(only(opponent_h7), 0, own, 0), 0, 0, 100),
    ] {
        assert_eq!(value(&network, KINGS), kings);
        assert_eq!(value(&network, PAWN), pawn);
        assert_eq!(value(&network, PAWN_AGAINST), pawn_against);
    }
}

/// The bias activates a neuron of the attack layer by a quarter, and a pawn that the side to move
/// attacks with its king by another quarter.
#[test]
fn attack_features_by_hand() {
    // Targets of eight rows each, pawns first; the king is the sixth row. Four weights of each of
    // sixteen neurons follow each other.
    let (feature, neurons) = (5, 16);
    let weight = feature / 4 * 4 * neurons + feature % 4;
    let network = Network::from_fn(
        with_attacks(shape(HIDDEN, 1, 1), neurons),
        400,
        "",
        |tensor, index| match tensor {
            Tensor::AttackWeights if index == weight => 64,
            Tensor::AttackBiases if index == 0 => 64,
            Tensor::AttackOutputs if index == 0 => 64,
            _ => 0,
        },
    );
    let network = Arc::new(network.expect("a network"));
    // (64 / 256)² and (128 / 256)² of a logit, which is worth 400.
    assert_eq!(value(&network, KINGS), 25);
    assert_eq!(value(&network, "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"), 100);
    assert_eq!(value(&network, "4k3/8/8/8/8/8/4p3/4K3 b - - 0 1"), 25);
    assert_eq!(value(&network, "4k3/4P3/8/8/8/8/8/4K3 b - - 0 1"), 100);
}

/// All activations and weights at their maximum, in the widest network.
#[test]
fn the_largest_sums_are_exact() {
    const WIDEST: i64 = 1024;
    let shape = shape(WIDEST as usize, 1, 1);
    for (weight, bias) in [(127, 0), (-128, 0), (127, i32::MAX), (-128, i32::MIN)] {
        let network = Network::from_fn(shape, u16::MAX, "", |tensor, _| match tensor {
            Tensor::FeatureWeights => 0,
            Tensor::FeatureBiases => 160,
            Tensor::OutputWeights => weight,
            Tensor::OutputBiases => bias,
            _ => 0,
        });
        let network = Arc::new(network.expect("a network"));
        let logit = 2 * WIDEST * 160 * i64::from(weight) + i64::from(bias);
        let exact = logit * 65535 / (160 * 64);
        let expected = exact.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        assert_eq!(
            i64::from(value(&network, KINGS)),
            expected,
            "{weight} {bias}"
        );
    }
}

/// A constant value would pass every comparison above.
#[test]
fn random_networks_distinguish_positions() {
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

#[test]
fn shapes_print_their_dimensions() {
    let shape = shape(256, 4, 8);
    assert_eq!(shape.to_string(), "(3072 -> 256)x2 -> 8");
    let shape = with_attacks(shape, 16);
    assert_eq!(shape.to_string(), "(3072 -> 256)x2 -> 8 + (144 -> 16)");
}
