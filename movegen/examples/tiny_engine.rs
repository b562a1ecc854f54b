//! A UCI engine of alpha-beta and material, which only shows how the library is used:
//!
//! ```text
//! printf 'position startpos moves e2e4 e7e5\ngo depth 5\n' | cargo run --release --example tiny_engine
//! ```

use movegen::{Game, Move, Position, Role, Variant};
use std::error::Error;

const MATE: i32 = 30_000;
const DRAW: i32 = 0;

/// The material of the side to move, minus that of the other side.
fn evaluate(position: &Position) -> i32 {
    let values = Role::ALL.into_iter().zip([100, 320, 330, 500, 900, 0]);
    let us = position.side_to_move();
    let balance = values.map(|(role, value)| {
        let count = |color| position.pieces(color, role).count() as i32;
        value * (count(us) - count(!us))
    });
    balance.sum()
}

/// Captures and promotions until the position is quiet.
fn quiesce(position: &Position, mut alpha: i32, beta: i32) -> i32 {
    alpha = alpha.max(evaluate(position));
    for mv in position.noisy_moves() {
        if alpha >= beta {
            break;
        }
        alpha = alpha.max(-quiesce(&position.play_unchecked(mv), -beta, -alpha));
    }
    alpha
}

/// The value of the current position for the side to move; captures are tried first.
fn search(game: &mut Game, depth: i32, mut alpha: i32, beta: i32) -> i32 {
    let position = *game.position();
    if !position.has_moves() {
        return if position.in_check() {
            -MATE - depth
        } else {
            DRAW
        };
    }
    if game.outcome().is_some() || game.occurrences() > 1 {
        return DRAW;
    }
    if depth <= 0 {
        return quiesce(&position, alpha, beta);
    }
    for mv in position
        .noisy_moves()
        .into_iter()
        .chain(position.quiet_moves())
    {
        if alpha >= beta || game.push(mv).is_err() {
            break;
        }
        alpha = alpha.max(-search(game, depth - 1, -beta, -alpha));
        game.undo();
    }
    alpha
}

fn best_move(game: &mut Game, depth: i32) -> Option<(Move, i32)> {
    let mut best = None;
    for mv in game.position().legal_moves() {
        let alpha = best.map_or(-2 * MATE, |(_, score)| score);
        game.push(mv).ok()?;
        let score = -search(game, depth - 1, -2 * MATE, -alpha);
        game.undo();
        if score > alpha {
            best = Some((mv, score));
        }
    }
    best
}

/// The game of `startpos moves …` or `fen FEN moves …`.
fn read_game(text: &str) -> Result<Game, Box<dyn Error>> {
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut game = match start.trim().strip_prefix("fen ") {
        Some(fen) => Game::new(Position::from_fen(fen, Variant::Standard)?),
        None => Game::default(),
    };
    for mv in moves.split_whitespace() {
        game.push(game.move_from_uci(mv)?)?;
    }
    Ok(game)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::default();
    for line in std::io::stdin().lines() {
        let line = line?;
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("uci", _) => println!("id name tiny\nuciok"),
            ("isready", _) => println!("readyok"),
            ("position", text) => match read_game(text) {
                Ok(read) => game = read,
                Err(error) => println!("info string {error}"),
            },
            ("go", limits) => {
                let depth = limits.strip_prefix("depth ").map_or(Ok(5), str::parse)?;
                match best_move(&mut game, depth) {
                    Some((mv, score)) => println!(
                        "info depth {depth} score cp {score}\nbestmove {}",
                        mv.uci(Variant::Standard)
                    ),
                    None => println!("bestmove 0000"),
                }
            }
            ("quit", _) => break,
            _ => {}
        }
    }
    Ok(())
}
