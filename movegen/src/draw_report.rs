//! The evidence for a draw claim: what counts, and what is missing.

use crate::game::{FIFTY_MOVE_PLIES, Game};
use crate::played_move::PlayedMove;
use alloc::vec::Vec;
use core::fmt;

/// The repetitions and the halfmove clock of a game's current position; see [`Game::draw_report`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DrawReport {
    /// The moves after which the position stood before, `None` for the start of the game. With the
    /// current one it has occurred once more than there are elements.
    pub earlier: Vec<Option<PlayedMove>>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The capture or pawn move that set the clock to 0, if it was made in the game.
    pub reset: Option<PlayedMove>,
}

impl DrawReport {
    /// The plies without a capture or pawn move that are missing for a claim under the fifty-move
    /// rule.
    pub fn plies_to_claim(&self) -> u16 {
        FIFTY_MOVE_PLIES.saturating_sub(self.halfmove_clock)
    }
}

/// Both in words: `the position has occurred after 1... e5 and now; …`
impl fmt::Display for DrawReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.earlier.is_empty() {
            f.write_str("the position has not occurred before; ")?;
        } else {
            f.write_str("the position has occurred ")?;
            for (index, after) in self.earlier.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                match after {
                    Some(mv) => write!(f, "{comma}after {mv}")?,
                    None => write!(f, "{comma}at the start")?,
                }
            }
            f.write_str(" and now; ")?;
        }
        let kind = "without a capture or pawn move";
        match self.plies_to_claim() {
            0 => write!(f, "50 moves {kind} are complete")?,
            1 => write!(f, "the fifty-move rule needs 1 more half-move {kind}")?,
            plies => write!(
                f,
                "the fifty-move rule needs {plies} more half-moves {kind}"
            )?,
        }
        match self.reset {
            Some(mv) => write!(f, "; the last was {mv}"),
            None => Ok(()),
        }
    }
}

impl Game {
    /// The earlier positions that count for a repetition of the current one, and since which move
    /// the halfmove clock has run.
    ///
    /// ```
    /// use movegen::Game;
    ///
    /// let mut game = Game::default();
    /// for san in "e4 e5 Nf3 Nf6 Ng1 Ng8".split(' ') {
    ///     game.play(game.move_from_san(san)?)?;
    /// }
    /// let report = game.draw_report();
    /// assert_eq!(report.earlier[0].map(|mv| mv.ply), Some(2));
    /// assert_eq!((report.plies_to_claim(), report.reset), (96, report.earlier[0]));
    /// assert_eq!(
    ///     report.to_string(),
    ///     "the position has occurred after 1... e5 and now; \
    ///      the fifty-move rule needs 96 more half-moves without a capture or pawn move; \
    ///      the last was 1... e5",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw_report(&self) -> DrawReport {
        let position = self.position();
        let halfmove_clock = position.halfmove_clock();
        let current = self.moves().len();
        let reset = current.checked_sub(halfmove_clock.into());
        let first = reset.unwrap_or(0);
        let earlier = self.positions().take(current).enumerate().skip(first);
        DrawReport {
            earlier: earlier
                .filter(|(_, past)| past.same_position(position))
                .map(|(ply, _)| self.played_move(ply))
                .collect(),
            halfmove_clock,
            reset: reset.and_then(|ply| self.played_move(ply)),
        }
    }
}
