//! Annotation of a game: evaluations, assessments, better lines and accuracy.
//!
//! `evaluate` searches the positions, `two_pass` some of them twice, `judgement` says what a move costs and `reason` why, `notes`
//! adds the annotations with `accuracy`, and `heading` is what the tags say about the game.

mod accuracy;
mod attempt;
mod evaluate;
mod heading;
mod judgement;
mod notes;
mod reason;
#[cfg(test)]
mod tests;
mod times;
mod two_pass;

pub use attempt::Verdict;
pub use evaluate::{
    EvaluateError, Evaluation, GameEvaluation, MAX_LINE_MOVES, chunk_end, eval_for_white, evaluate,
    expectation_of_eval, white_expectation,
};
pub use heading::{Heading, Player};
pub use judgement::Loss;
pub use notes::{GameReport, SideReport, annotate, costliest};
pub use reason::Reason;
pub use times::move_seconds;
pub use two_pass::TwoPass;
