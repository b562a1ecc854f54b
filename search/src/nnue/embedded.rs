//! The network the program carries, so that it needs no file beside it.

use super::Network;
use std::sync::{Arc, LazyLock};

const BYTES: &[u8] = include_bytes!("../../../nets/gen4.net");

/// Read once, when it is first asked for. It is part of the program: a build whose network
/// cannot be read fails its first test.
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| match Network::read(BYTES) {
    Ok(network) => Arc::new(network),
    Err(error) => unreachable!("the program was built around a damaged network: {error}"),
});

/// What the engine plays with unless it is told otherwise.
#[must_use]
pub fn embedded() -> &'static Arc<Network> {
    &EMBEDDED
}
