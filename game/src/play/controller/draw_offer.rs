//! Draw offers, which only the chess engine judges.

use search::Score;

use super::{Controller, Job, Notice, Notices, Refusal};
use crate::Side;
use crate::play::action::Action;

impl Controller {
    /// Two players agree on a draw; the engine may have to think about it.
    pub fn offer_draw(&mut self) -> Notices<movegen::Position> {
        self.check_turn()?;
        if self.state.side == Side::Both {
            self.apply(&Action::Agree)?;
        } else if self.end_policy.has_declined(&self.state.game) {
            return Err(Refusal::Declined);
        } else if let Some(declined) = self.end_policy.declines_at_once(&self.state.game) {
            return Ok(vec![Notice::Says(declined.to_string())]);
        } else {
            self.consider(Job::DrawOffer);
        }
        Ok(Vec::new())
    }

    /// Answers a draw offer, given the score of the side to move.
    pub fn judged(&mut self, score: Score) -> Notices<movegen::Position> {
        if self.job.take() != Some(Job::DrawOffer) {
            return Ok(Vec::new());
        }
        self.state.resume_clock();
        let text = match self.end_policy.answer(&self.state.game, score) {
            Ok(()) => {
                self.apply(&Action::Agree)?;
                "Castellan accepts the draw.".to_owned()
            }
            Err(declined) => declined.to_string(),
        };
        Ok(vec![Notice::Says(text)])
    }

    /// True if the user may offer a draw.
    pub fn can_offer_draw(&self) -> bool {
        let is_open =
            self.state.side == Side::Both || !self.end_policy.has_declined(&self.state.game);
        is_open && self.check_turn().is_ok()
    }
}
