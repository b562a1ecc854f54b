//! Any bytes as a network file give an error, or a network that is written as it was read and that
//! evaluates a position equally with every SIMD kernel. Random bytes hardly have the length that
//! their header states and the right hash, so both are also tried corrected.

#![no_main]

use libfuzzer_sys::fuzz_target;
use movegen::Position;
use search::nnue::{AccumulatorStack, Network, Simd};
use std::sync::Arc;

/// The smallest network, without its hash.
const SMALLEST: usize = 94 + ((768 + 1 + 2) * 64) * 2 + 4;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&corrected(bytes));
});

fn check(bytes: &[u8]) {
    match Network::read(bytes) {
        Ok(network) => {
            assert_eq!(network.to_bytes(), bytes);
            let position = Position::default();
            let value = network.evaluate_from_scratch(&position);
            let network = Arc::new(network);
            for kernel in Simd::all() {
                let mut accumulators = AccumulatorStack::new(Arc::clone(&network), kernel, 0);
                accumulators.reset(&position);
                assert_eq!(accumulators.evaluate(&position, 0), value);
            }
        }
        Err(error) => assert!(error.to_string().contains("network")),
    }
}

/// The bytes, repeated to the length of the smallest network with their description, and the
/// FNV-1a hash of all.
fn corrected(bytes: &[u8]) -> Vec<u8> {
    let description = bytes.get(90..94).and_then(|four| four.try_into().ok());
    let description = description.map_or(0, u32::from_le_bytes).min(4096);
    let length = SMALLEST + description as usize;
    let mut file: Vec<u8> = bytes.iter().copied().cycle().take(length).collect();
    let hash = file.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    file.extend(hash.to_le_bytes());
    file
}
