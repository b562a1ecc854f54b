//! Positions with moves of every kind.

use movegen::{Position, Variant};

const FENS: [(&str, Variant); 10] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Variant::Standard,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        Variant::Standard,
    ),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 99 60", Variant::Standard),
    (
        "2r5/1P4P1/4k3/8/8/4K3/1p4p1/2R5 b - - 0 1",
        Variant::Standard,
    ),
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", Variant::Standard),
    (
        "4k3/8/8/3N4/1N3N2/8/1N3N2/4K2R w K - 0 1",
        Variant::Standard,
    ),
    ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", Variant::Standard),
    (
        "nqrknrbb/pppppppp/8/8/8/8/PPPPPPPP/NQRKNRBB w FCfc - 0 1",
        Variant::Chess960,
    ),
    ("4k3/8/8/8/8/8/8/RRK2R2 w FB - 0 1", Variant::Chess960),
    ("5krb/6p1/6P1/8/8/8/8/4R2K b g - 0 1", Variant::Chess960),
];

/// The position for a number, which may be any.
pub(crate) fn position(choice: u8) -> (Position, Variant) {
    let (fen, variant) = FENS[usize::from(choice) % FENS.len()];
    (Position::from_fen(fen, variant).expect(fen), variant)
}

/// The position that the first byte chooses, and the text after it.
pub(crate) fn chosen(data: &[u8]) -> Option<(Position, Variant, &str)> {
    let (&choice, text) = data.split_first()?;
    let (position, variant) = position(choice);
    Some((position, variant, str::from_utf8(text).ok()?))
}
