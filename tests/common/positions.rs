//! Positions that many tests use.

use crate::Rng;
use movegen::{Position, Variant};

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// White mates with a1a8.
pub const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
/// Black is checkmated.
pub const CHECKMATE: &str = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
/// Black is stalemated.
pub const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// Lines of tests/data/mates2000.epd, evenly spread over the file.
pub fn mate_suite(count: usize) -> String {
    let suite = crate::repository_file("tests/data/mates2000.epd");
    let lines: Vec<&str> = suite.lines().collect();
    let step = lines.len() / count;
    let chosen = lines.iter().step_by(step).take(count);
    chosen.map(|line| format!("{line}\n")).collect()
}

/// The rows of tests/data/variants.txt: a FEN, its variant where nobody says which, and the
/// castling rights it then has and those it has in standard chess.
pub fn variants() -> Vec<[&'static str; 4]> {
    crate::table(include_str!("../data/variants.txt"))
}

/// A random position with these pieces, White's in capitals.
pub fn random(rng: &mut Rng, pieces: &str, clock: u32) -> Position {
    loop {
        let mut board = ['1'; 64];
        for piece in pieces.chars() {
            board[rng.below(64)] = piece;
        }
        let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
        let side = *rng.choose(&['w', 'b']);
        let fen = format!("{} {side} - - {clock} 80", ranks.join("/"));
        let complete = board.iter().filter(|&&square| square != '1').count() == pieces.len();
        if complete && let Ok(position) = Position::from_fen(&fen, Variant::Standard) {
            return position;
        }
    }
}
