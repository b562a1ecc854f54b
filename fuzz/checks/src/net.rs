//! Any bytes as a network file give an error, or a network that is written as it was read and that
//! evaluates positions equally with every SIMD kernel.

use crate::positions;
use crate::small::{Bytes, Input};
use common::hash::fnv1a;
use search::nnue::{
    ATTACK_MULTIPLE, AccumulatorStack, HIDDEN_MULTIPLE, MAX_OUTPUT_BUCKETS, Network, NetworkError,
    Shape, Simd, Tensor,
};
use std::ops::Range;
use std::sync::Arc;

pub fn check(data: &[u8]) {
    let file = match Input::new(data) {
        Input::File(file) => file.to_vec(),
        Input::Description(edits, bytes) => {
            let mut file = network_file(bytes);
            edits.apply(&mut file);
            correct_length(&mut file);
            let hash = fnv1a(&file) ^ u64::from(edits.wrong_checksum);
            file.extend(hash.to_le_bytes());
            file
        }
    };
    match Network::read(&file) {
        Ok(network) => {
            assert_eq!(network.to_bytes(), file);
            evaluate(&Arc::new(network), data);
        }
        Err(error) => assert!(error.to_string().contains("network"), "{error}"),
    }
}

/// Plays a line that the last bytes choose; the accumulators of every kernel follow it.
fn evaluate(network: &Arc<Network>, data: &[u8]) {
    const PLIES: usize = 3;
    let mut choices = data.iter().rev().map(|&byte| usize::from(byte));
    let (start, _) = positions::position(choices.next().unwrap_or(0) as u8);
    let mut position = start;
    let mut line = Vec::new();
    while line.len() < PLIES {
        let moves = position.legal_moves();
        let choice = choices.next().unwrap_or(0);
        let Some(&mv) = moves.get(choice % moves.len().max(1)) else {
            break;
        };
        let next = position.play_unchecked(mv);
        line.push((position, mv, next, network.evaluate_from_scratch(&next)));
        position = next;
    }
    for kernel in Simd::all() {
        let mut accumulators = AccumulatorStack::new(Arc::clone(network), kernel, PLIES);
        accumulators.reset(&start);
        for (ply, (position, mv, next, value)) in line.iter().enumerate() {
            accumulators.make_move(position, *mv, ply);
            assert_eq!(accumulators.evaluate(next, ply + 1), *value, "{kernel}");
        }
    }
}

/// A valid file without its hash: a small shape, the king map of half the board, a description,
/// and numbers of bytes that are repeated until there are enough.
fn network_file(mut bytes: Bytes<'_>) -> Vec<u8> {
    let hidden = HIDDEN_MULTIPLE << (bytes.byte() % 2);
    let king_buckets = 1 + bytes.byte() % 2;
    let output_buckets = 1 + usize::from(bytes.byte()) % MAX_OUTPUT_BUCKETS;
    let attack_neurons = ATTACK_MULTIPLE * usize::from(bytes.byte() % 3);
    let scale = bytes.u16().max(1);
    let half_map: [u8; 32] = std::array::from_fn(|_| bytes.byte() % king_buckets);
    let king_map =
        std::array::from_fn(|square| half_map[square / 8 * 4 + (square % 8).min(7 - square % 8)]);
    let description_length = bytes.byte().into();
    let description =
        String::from_utf8_lossy(bytes.take(description_length)).replace(char::is_control, " ");
    let numbers = if bytes.rest().is_empty() {
        &[0]
    } else {
        bytes.rest()
    };

    let byte = |index: usize| numbers[index % numbers.len()];
    let number = |tensor, index: usize| match tensor {
        Tensor::FeatureBiases | Tensor::AttackBiases | Tensor::AttackOutputs => {
            i16::from_le_bytes([2 * index, 2 * index + 1].map(byte)).into()
        }
        Tensor::FeatureWeights | Tensor::AttackWeights | Tensor::OutputWeights => {
            (byte(index) as i8).into()
        }
        Tensor::OutputBiases => i32::from_le_bytes([0, 1, 2, 3].map(|at| byte(4 * index + at))),
    };
    let network = Shape::new(hidden, king_buckets.into(), output_buckets, king_map)
        .map_err(NetworkError::from)
        .and_then(|shape| Ok(shape.with_attack_neurons(attack_neurons)?))
        .and_then(|shape| Network::from_fn(shape, scale, &description, number));
    let mut file = network.expect("a network").to_bytes();
    file.truncate(file.len() - size_of::<u64>());
    file
}

/// Makes the length of the tensors that of a file without its hash.
fn correct_length(file: &mut [u8]) {
    const DESCRIPTION_LENGTH: Range<usize> = 94..98;
    const TENSORS_LENGTH: Range<usize> = 98..102;
    let after_header = file.len().checked_sub(TENSORS_LENGTH.end);
    let Some(after_header) = after_header.and_then(|length| u32::try_from(length).ok()) else {
        return;
    };
    let description = file[DESCRIPTION_LENGTH]
        .try_into()
        .map_or(0, u32::from_le_bytes);
    let tensors = after_header.saturating_sub(description);
    file[TENSORS_LENGTH].copy_from_slice(&tensors.to_le_bytes());
}
