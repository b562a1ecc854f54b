//! The verdict on a move that is tried where the best one is known.

use formats::pgn::Nag;
use movegen::{Move, Position};

use super::evaluate::Evaluation;
use super::judgement::Loss;
use super::reason::{BadMove, Reason};

#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// `None` if the move is as good as the best, or loses less than an inaccuracy.
    pub assessment: Option<Nag>,
    /// The reason the move is bad, where it can be proven.
    pub reason: Option<Reason>,
}

impl Verdict {
    /// Judges a move by the evaluations before and after it.
    pub fn new(position: &Position, mv: Move, before: &Evaluation, after: &Evaluation) -> Self {
        let loss = Loss::new(position.side_to_move(), mv, before, after);
        let bad = BadMove {
            position,
            mv,
            captured_on: None,
            before,
            after,
        };
        Self {
            assessment: loss.assessment,
            reason: loss.assessment.and_then(|_| bad.reason()),
        }
    }
}
