//! Any bytes as a network file give an error, or a network that is written as it was read and that
//! evaluates positions equally with every SIMD kernel.

use crate::positions;
use crate::small::{Bytes, Input};
use search::nnue::{
    AccumulatorStack, FEATURES, HIDDEN_MULTIPLE, MAX_OUTPUT_BUCKETS, MAX_OUTPUT_WEIGHT, Network,
    Simd,
};
use std::sync::Arc;

pub fn check(data: &[u8]) {
    let file = match Input::new(data) {
        Input::File(file) => file.to_vec(),
        Input::Description(edits, bytes) => {
            let mut file = network_file(bytes);
            edits.apply(&mut file);
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
/// and numbers that are repeated until there are enough.
fn network_file(mut bytes: Bytes<'_>) -> Vec<u8> {
    let hidden = HIDDEN_MULTIPLE << (bytes.byte() % 2);
    let king_buckets = 1 + bytes.byte() % 2;
    let output_buckets = 1 + usize::from(bytes.byte()) % MAX_OUTPUT_BUCKETS;
    let scale = bytes.u16().max(1);
    let half_map: [u8; 32] = std::array::from_fn(|_| bytes.byte() % king_buckets);
    let description_length = bytes.byte().into();
    let description = String::from_utf8_lossy(bytes.take(description_length));
    let description = description.replace(char::is_control, " ");
    let numbers = if bytes.rest().is_empty() {
        &[0]
    } else {
        bytes.rest()
    };

    let mut file = b"CASTLNET".to_vec();
    let counts = [1, hidden as u32, king_buckets.into(), output_buckets as u32];
    file.extend(counts.into_iter().flat_map(u32::to_le_bytes));
    file.extend(scale.to_le_bytes());
    file.extend((0..64).map(|square| half_map[square / 8 * 4 + (square % 8).min(7 - square % 8)]));
    file.extend((description.len() as u32).to_le_bytes());
    file.extend(description.as_bytes());
    let feature_weights = (usize::from(king_buckets) * FEATURES + 1) * hidden;
    let output_weights = output_buckets * 2 * hidden;
    // By slices, since this is most of the work of most inputs.
    let bytes = feature_weights * size_of::<i16>();
    let repeated = numbers.repeat(bytes.div_ceil(numbers.len()));
    file.extend(&repeated[..bytes]);
    let mut numbers = numbers.iter().copied().cycle();
    for byte in numbers.by_ref().take(output_weights) {
        let weight = i16::from(byte as i8).clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT);
        file.extend(weight.to_le_bytes());
    }
    file.extend(numbers.take(output_buckets * size_of::<i32>()));
    file
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
