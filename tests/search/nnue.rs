//! NNUE from outside: the network file, the values of positions, and every fast implementation
//! against the value from scratch.
mod format;
pub(crate) mod networks;
mod positions;
mod values;
mod walks;
