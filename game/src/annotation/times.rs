//! The time that the moves of a game took, from the clocks in its comments.

use std::time::Duration;

use movegen::Color;

use crate::play::TimeControl;
use formats::pgn::Record;

/// Returns the seconds that each move of the main line took; `None` where the clocks do not say. A
/// side's first move counts from the time that the `TimeControl` tag gives it.
pub fn move_seconds(record: &Record) -> Vec<Option<f64>> {
    let control = record.tags.get("TimeControl");
    let control = control.and_then(TimeControl::from_seconds);
    let increment = control.map_or(Duration::ZERO, |control| control.increment);
    let mut clocks = [control.map(|control| control.base); 2];
    let mut side = record.start.side_to_move();
    let moves = record.main_line.moves.iter().map(|node| {
        let before = match side {
            Color::White => &mut clocks[0],
            Color::Black => &mut clocks[1],
        };
        side = !side;
        let after = node.comment.clock;
        let left = std::mem::replace(before, after)?;
        let taken = (left + increment).saturating_sub(after?);
        Some(taken.as_millis() as f64 / 1000.0)
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use movegen::Position;
    use test_common::{game_after, positions::START};

    use super::move_seconds;
    use formats::pgn::{Record, Variation};

    fn seconds(control: Option<&str>, clocks: [Option<u64>; 5]) -> Vec<Option<f64>> {
        let game = game_after(START, "e4 e5 Nf3 Nc6 Bb5");
        let mut record = Record::new(Position::default());
        record.main_line = Variation::new(game.moves());
        if let Some(control) = control {
            record.tags.set("TimeControl", control);
        }
        for (node, clock) in record.main_line.moves.iter_mut().zip(clocks) {
            node.comment.clock = clock.map(Duration::from_secs);
        }
        move_seconds(&record)
    }

    #[test]
    fn times_are_differences_of_clocks() {
        let clocks = [Some(300), Some(298), Some(290), None, Some(291)];
        assert_eq!(
            seconds(Some("300+3"), clocks),
            [Some(3.0), Some(5.0), Some(13.0), None, Some(2.0)]
        );
        // Without a time control: neither the first moves nor increments are known.
        assert_eq!(
            seconds(None, clocks),
            [None, None, Some(10.0), None, Some(0.0)]
        );
        assert_eq!(seconds(Some("300+3"), [None; 5]), [None; 5]);
    }
}
