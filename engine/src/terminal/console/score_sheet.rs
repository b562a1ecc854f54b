//! The moves of a game as a score sheet.

use formats::notation::move_number;
use game::play::{GameState, shown_clock};
use movegen::Color;

/// A line for each move number, with the movers' clocks, if there are any.
pub(super) fn lines(state: &GameState) -> Vec<String> {
    let game = &state.game;
    // After a claim the next game has no moves yet.
    let clocks = state.played().1;
    let mut lines: Vec<String> = Vec::new();
    for ((position, mv), ply) in game.positions().zip(game.moves()).zip(0..) {
        let mut cell = position.san(mv);
        if let Some(Some(clock)) = clocks.get(ply) {
            cell.push_str(&format!(" ({})", shown_clock(*clock)));
        }
        match lines.last_mut() {
            Some(line) if position.side_to_move() == Color::Black => {
                line.push_str(&format!(" {cell}"));
            }
            _ => lines.push(format!("{} {cell}", move_number(position))),
        }
    }
    lines
}
