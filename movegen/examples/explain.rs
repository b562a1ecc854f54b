//! Plays moves in SAN or UCI notation and explains what is illegal:
//!
//! ```text
//! cargo run --example explain -- e4 e5 Ke2 a6 Ke1 a5 Nf3 a4 Bc4 a3 O-O
//! cargo run --example explain -- --fen 'r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1' O-O
//! ```

use movegen::{CastlingSide, Game, Position, Variant};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut game = Game::default();
    if arguments.next_if_eq("--fen").is_some() {
        let fen = arguments.next().ok_or("missing FEN after --fen")?;
        game = Game::new(Position::from_fen(&fen, Variant::Standard)?);
    }
    for text in arguments {
        let in_uci = game.move_from_uci(&text);
        match in_uci.or_else(|_| game.move_from_san(&text)) {
            Ok(mv) => {
                println!("{}", game.position().san(mv));
                game.play(mv)?;
            }
            Err(error) => {
                // With every reason; `{error}` has the first one.
                println!("{error:#}");
                break;
            }
        }
    }

    let position = game.position();
    println!("\n{position:#}\n\n{position}");
    if let Some(outcome) = game.outcome() {
        println!("{outcome}");
        return Ok(());
    }
    let moves = position.legal_moves();
    let moves: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
    println!("{} to move: {}", position.side_to_move(), moves.join(" "));
    for pin in position.pins(position.side_to_move()) {
        println!("{pin}");
    }
    for side in CastlingSide::ALL {
        for reason in game.castling_report(side).errors() {
            println!("{reason}");
        }
    }
    println!("{}", game.draw_report());
    Ok(())
}
