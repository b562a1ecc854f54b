//! Positions of all kinds.
use movegen::{Move, Position, Variant};
use test_common::Rng;
use test_common::positions::{KIWIPETE, START};

/// Openings, endings, castling, en passant, promotions, Chess960.
const STARTS: [&str; 11] = [
    START,
    KIWIPETE,
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 9 60",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "2r5/1P4P1/4k3/8/8/4K3/1p4p1/2R5 b - - 0 1",
    "8/8/3k4/8/4Q2Q/8/8/K6Q w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "nqrknrbb/pppppppp/8/8/8/8/PPPPPPPP/NQRKNRBB w FCfc - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "4k3/8/8/8/8/8/8/RRK2R2 w FB - 0 1",
];

pub(crate) fn starts() -> impl Iterator<Item = Position> {
    STARTS.into_iter().map(at)
}

/// A position; its castling rights may be of either variant.
pub(crate) fn at(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).expect(fen)
}

/// A random legal move, in half of the cases a special one if there is any.
pub(crate) fn choose(position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let is_special = |mv: &Move| mv.is_castling() || mv.is_en_passant() || mv.is_promotion();
    let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
    if moves.is_empty() {
        None
    } else if !special.is_empty() && rng.below(2) == 0 {
        Some(*rng.choose(&special))
    } else {
        Some(*rng.choose(&moves))
    }
}

/// The positions of random games.
pub(crate) fn positions(count: usize, seed: u64) -> Vec<Position> {
    const MAX_PLIES: usize = 120;
    let rng = &mut Rng::new(seed);
    let mut positions = Vec::with_capacity(count);
    for start in STARTS.into_iter().cycle() {
        let mut position = at(start);
        for _ in 0..MAX_PLIES {
            if positions.len() == count {
                return positions;
            }
            positions.push(position);
            match choose(&position, rng) {
                Some(mv) => position = position.play_unchecked(mv),
                None => break,
            }
        }
    }
    positions
}
