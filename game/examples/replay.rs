//! Replays the games of a PGN file, and prints how each ended or why it is invalid:
//!
//! ```text
//! cargo run --release -p game --example replay -- games.pgn
//! ```

use formats::pgn::{Games, Record};
use movegen::{Game, PlayError, Variant};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

/// The main line as a game of the rules, which knows repetitions, claims and the end.
fn replay(record: &Record) -> Result<Game, PlayError> {
    let mut game = Game::new(record.start);
    for mv in record.moves() {
        // PGN may go on after the rules have ended a game; `play` would refuse that.
        game.push(mv)?;
    }
    Ok(game)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("missing FILE.pgn")?;
    let input = BufReader::new(File::open(path)?);
    let mut games = Games::new(input, Variant::Standard, usize::MAX);
    while let Some(read) = games.next_game()? {
        let record = match read {
            Ok(record) => record,
            Err(invalid) => {
                println!("{invalid}");
                continue;
            }
        };
        let game = replay(&record)?;
        let tag = |name| record.tags.get(name).unwrap_or("?");
        let (white, black, result) = (tag("White"), tag("Black"), record.result.as_str());
        println!("{white} - {black} {result}, {} plies", game.moves().len());
        match game.outcome() {
            Some(outcome) => println!("  {outcome}"),
            None => println!("  {}", game.draw_report()),
        }
        println!("  {}", game.position());
    }
    Ok(())
}
