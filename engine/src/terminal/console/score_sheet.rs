//! The moves of a game as a score sheet.

use game::play::{PlayablePosition, shown_clock, written_time};
use movegen::{Color, GamePosition};

use super::{ConsoleGame, State};

/// One line for each move number, with the movers' clocks and the times of the moves, if there are
/// any.
pub(super) fn lines<G: ConsoleGame>(kind: &G, state: &State<G>) -> Vec<String> {
    let game = &state.game;
    // After a claim the next game has no moves yet.
    let (clocks, times) = (state.played().1, state.times());
    let mut lines: Vec<(String, String)> = Vec::new();
    for ((position, mv), ply) in game.positions().zip(game.moves()).zip(0..) {
        let mut cell = kind.written(position, mv);
        if let Some(Some(clock)) = clocks.get(ply) {
            cell.push_str(&format!(" ({})", shown_clock(*clock)));
        }
        let time = times.get(ply).copied().flatten();
        let time = time.map_or_else(String::new, |time| format!("  {}", written_time(time)));
        match lines.last_mut() {
            Some((line, times)) if position.side_to_move() == Color::Black => {
                line.push_str(&format!(" {cell}"));
                times.push_str(&time);
            }
            _ => lines.push((format!("{} {cell}", position.number()), time)),
        }
    }
    lines
        .into_iter()
        .map(|(line, times)| line + &times)
        .collect()
}
