//! Networks with random numbers.
use search::nnue::{Network, Shape, Tensor};
use test_common::Rng;

/// The kind of numbers in a network.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    /// Sums are below, inside and above the range of activations.
    Usual,
    /// The largest, the smallest and their neighbours.
    Extreme,
}

impl Numbers {
    fn feature_weight(self, rng: &mut Rng) -> i8 {
        let any = rng.range(-70..=70) as i8;
        match self {
            Self::Usual => any,
            Self::Extreme => *rng.choose(&[i8::MIN, i8::MIN + 1, -1, 0, any, i8::MAX]),
        }
    }

    fn feature_bias(self, rng: &mut Rng) -> i16 {
        let any = rng.range(-70..=70) as i16;
        match self {
            Self::Usual => any,
            Self::Extreme => {
                *rng.choose(&[i16::MIN, i16::MIN + 1, -161, -1, 0, any, 160, 161, i16::MAX])
            }
        }
    }

    fn output(self, rng: &mut Rng) -> i8 {
        match self {
            Self::Usual => rng.range(-127..=127) as i8,
            Self::Extreme => *rng.choose(&[i8::MIN, i8::MAX]),
        }
    }

    fn output_bias(self, rng: &mut Rng) -> i32 {
        let any = rng.range(-20_000..=20_000);
        match self {
            Self::Usual => any,
            Self::Extreme => *rng.choose(&[i32::MIN, any, i32::MAX]),
        }
    }
}

/// A shape whose king buckets are spread over the board.
pub(crate) fn shape(hidden: usize, king_buckets: usize, output_buckets: usize) -> Shape {
    let map = std::array::from_fn(|square| {
        let (rank, file) = (square / 8, square % 8);
        ((rank * 4 + file.min(7 - file)) % king_buckets) as u8
    });
    Shape::new(hidden, king_buckets, output_buckets, map).expect("a valid shape")
}

pub(crate) fn with_attacks(shape: Shape, neurons: usize) -> Shape {
    shape.with_attack_neurons(neurons).expect("a valid shape")
}

pub(crate) fn random(shape: Shape, numbers: Numbers, seed: u64) -> Network {
    let rng = &mut Rng::new(seed);
    let description = format!("{numbers:?} numbers from {seed}");
    let network = Network::from_fn(shape, 400, &description, |tensor, _| match tensor {
        Tensor::FeatureWeights | Tensor::AttackWeights => numbers.feature_weight(rng).into(),
        Tensor::FeatureBiases | Tensor::AttackBiases | Tensor::AttackOutputs => {
            numbers.feature_bias(rng).into()
        }
        Tensor::OutputWeights => numbers.output(rng).into(),
        Tensor::OutputBiases => numbers.output_bias(rng),
    });
    network.expect("a network")
}
