//! The efficiently updatable neural network (NNUE): its weights, its file format, and the value
//! it gives a position. Knows nothing of the search.
//!
//! The hidden layer is two accumulators, one for each side's perspective: sums of a row of
//! weights for every piece on the board. Their squared clipped ReLU (SCReLU), weighted once
//! more, is the value for the side to move. Shape, features and file format are public, because
//! the trainer shares them.

mod accumulator;
mod attacks;
mod features;
mod format;
mod forward;
mod leb128;
mod network;
mod shape;
mod simd;

pub use accumulator::AccumulatorStack;
pub use attacks::{AttackCounts, PieceSets};
pub use features::{Perspective, features};
pub use format::MAX_FILE_SIZE;
pub use network::{MAX_DESCRIPTION_LENGTH, Network, NetworkError};
pub use shape::{
    ATTACK_FEATURES, ATTACK_MULTIPLE, ATTACK_ONE, FEATURES, HIDDEN_MULTIPLE, MAX_KING_BUCKETS,
    MAX_OUTPUT_BUCKETS, Number, QA, Shape, ShapeError, Tensor, TensorShape,
};
pub use simd::{Loops, Simd};

use std::sync::{Arc, LazyLock};

/// The network the engine uses by default, which is part of the executable; `build.rs` chooses it.
/// For WebAssembly it is a file beside the program, which browsers keep when the program changes.
pub fn embedded() -> &'static Arc<Network> {
    // A build whose network cannot be read fails its first test.
    static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| match read_embedded() {
        Ok(network) => Arc::new(network),
        Err(error) => unreachable!("the embedded network is damaged: {error}"),
    });
    &EMBEDDED
}

#[cfg(not(target_family = "wasm"))]
fn read_embedded() -> Result<Network, NetworkError> {
    Network::read_verified(include_bytes!(concat!(env!("OUT_DIR"), "/embedded.net")))
}

#[cfg(target_family = "wasm")]
fn read_embedded() -> Result<Network, NetworkError> {
    Network::read(&std::fs::read("castellan.net").unwrap_or_default())
}
