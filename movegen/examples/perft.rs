//! Counts the leaves of the tree of legal moves below each move, on every core:
//!
//! ```text
//! cargo run --release --features rayon --example perft -- 6 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
//! ```

use movegen::engine::divide;
use movegen::{Position, START_FEN, Variant};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(5), |depth| depth.parse())?;
    let fen = arguments.next().unwrap_or_else(|| START_FEN.to_owned());
    let position = Position::from_fen(&fen, Variant::Standard)?;

    let start = Instant::now();
    let never = AtomicBool::new(false);
    let moves = divide(&position, depth, &never).unwrap_or_default();
    for (mv, leaves) in &moves {
        println!("{}: {leaves}", position.san(*mv));
    }
    let leaves: u64 = moves.iter().map(|(_, leaves)| leaves).sum();
    println!("{leaves} leaves in {:.2?}", start.elapsed());
    Ok(())
}
