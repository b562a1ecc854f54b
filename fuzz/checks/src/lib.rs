//! What the fuzz targets check: each module has a function `check` that takes any bytes and panics
//! if the program misbehaves. The fuzz targets call it with invented bytes, a test with the corpora.

pub mod book;
pub mod fen;
pub mod games;
pub mod net;
mod positions;
pub mod san;
pub mod session;
mod small;
pub mod uci;
pub mod uci_move;

/// Panics if the program misbehaves on these bytes.
pub type Check = fn(&[u8]);

/// Every check with the name of its target.
pub const ALL: [(&str, Check); 8] = [
    ("book", book::check),
    ("fen", fen::check),
    ("games", games::check),
    ("net", net::check),
    ("san", san::check),
    ("session", session::check),
    ("uci", uci::check),
    ("uci_move", uci_move::check),
];
