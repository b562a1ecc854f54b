//! The verdict on a move that is tried where the best one is known.

use formats::pgn::Nag;
use movegen::{Color, Move, Position};

use super::evaluate::Evaluation;
use super::judgement::Loss;
use super::reason::{BadMove, Reason};

/// The expected points from which a side counts as winning.
const WINNING: f64 = 0.75;

#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// `None` if the move is as good as the best, or loses less than an inaccuracy.
    pub assessment: Option<Nag>,
    /// The reason the move is bad, where it can be proven.
    pub reason: Option<Reason>,
    /// True if a won position is still won, and one that is even at least even.
    pub keeps_result: bool,
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
        let result = |evaluation: &Evaluation| match position.side_to_move() {
            Color::White => result(evaluation.expectation),
            Color::Black => result(1.0 - evaluation.expectation),
        };
        Self {
            keeps_result: result(after) >= result(before),
            assessment: loss.assessment,
            reason: loss.assessment.and_then(|_| bad.reason()),
        }
    }
}

/// Returns 1 for a win, 0 for a draw and -1 for a loss, as the expected points suggest.
fn result(points: f64) -> i32 {
    i32::from(points >= WINNING) - i32::from(points <= 1.0 - WINNING)
}

#[cfg(test)]
mod tests {
    use formats::pgn::{Eval, Nag};
    use movegen::Position;

    use super::{Evaluation, Verdict};

    /// An inaccuracy may keep the result or not, whatever it costs.
    #[test]
    fn an_inaccuracy_keeps_a_win_or_loses_it() {
        let start = Position::default();
        let [best, tried] = ["d4", "e4"].map(|san| start.move_from_san(san).expect("legal"));
        for (before, after, is_kept) in [
            ((260, 0.9), (150, 0.78), true),
            ((100, 0.76), (30, 0.58), false),
            ((60, 0.62), (0, 0.5), true),
            ((-30, 0.4), (-90, 0.24), false),
            ((-200, 0.1), (-270, 0.05), true),
        ] {
            let [before, after] = [before, after].map(|(centipawns, expectation)| Evaluation {
                eval: Some(Eval::Centipawns(centipawns)),
                expectation,
                line: vec![best],
            });
            let verdict = Verdict::new(&start, tried, &before, &after);
            assert_eq!(verdict.assessment, Some(Nag::DUBIOUS), "{before:?}");
            assert_eq!(verdict.keeps_result, is_kept, "{before:?}");
        }
    }
}
