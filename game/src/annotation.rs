//! Annotation of a game: evaluations, assessments, better lines and accuracy.
//!
//! `evaluate` searches the positions, `notes` adds the annotations with `accuracy`, and `heading`
//! is what the tags say about the game.

mod accuracy;
mod evaluate;
mod heading;
mod notes;

pub use evaluate::{
    EvaluateError, Evaluation, GameEvaluation, chunk_end, evaluate, expectation_of_eval,
    white_expectation,
};
pub use heading::{Heading, Player};
pub use notes::{
    GameReport, Loss, MAX_LINE_MOVES, SideReport, annotate, assessment, move_loss, shown_moves,
};
