//! Counts the leaves of the tree of legal moves by the public API, as fast as `movegen::perft`,
//! with which it compares:
//!
//! ```text
//! cargo run --release --example perft -- 6 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
//! ```

use movegen::{All, Position, START_FEN, Variant};
use std::error::Error;
use std::time::Instant;

/// The last two plies are counted in bulk: neither their moves nor their positions are made.
fn perft(position: &Position, depth: u32) -> u64 {
    let mut leaves = 0;
    match depth {
        0 => leaves = 1,
        1 => leaves = position.count_moves().into(),
        2 => position.generate_moves::<All>(|moves| leaves += position.count_replies(moves)),
        _ => position.for_each_move::<All>(|_, mv| {
            leaves += perft(&position.play_unchecked(mv), depth - 1);
        }),
    }
    leaves
}

type Count = fn(&Position, u32) -> u64;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(5), |depth| depth.parse())?;
    let fen = arguments.next().unwrap_or_else(|| START_FEN.to_owned());
    let position = Position::from_fen(&fen, Variant::Standard)?;

    let counters: [(&str, Count); 2] = [("public API", perft), ("movegen::perft", movegen::perft)];
    for (name, count) in counters {
        let start = Instant::now();
        let leaves = count(&position, depth);
        println!("{leaves} leaves in {:.2?} by {name}", start.elapsed());
    }
    Ok(())
}
