//! The judgement of moves by human winning chances: the curve, thresholds and rules about mates
//! that lichess publishes (<https://lichess.org/page/accuracy>, `Advice` in its server).

use movegen::{Color, Move};

use super::accuracy::{self, MAX_CENTIPAWNS};
use super::evaluate::Evaluation;
use formats::pgn::{Eval, Nag};

/// The losses of winning chances, which go from −1 to 1, from which a move gets an assessment.
const LOSSES: [(f64, Nag); 3] = [
    (0.3, Nag::BLUNDER),
    (0.2, Nag::MISTAKE),
    (0.1, Nag::DUBIOUS),
];

/// The centipawns beyond which a mate that is allowed or missed costs less: a side that is almost
/// lost before it allows a mate, or still winning after it misses one.
const ALMOST_DECIDED: i32 = 700;
const DECIDED: i32 = 999;

/// The cost of a move to its side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// Winning chances, from 0 to 2.
    pub chances: f64,
    pub centipawns: i32,
    /// In percent.
    pub accuracy: f64,
    pub assessment: Option<Nag>,
}

impl Loss {
    const NONE: Self = Self {
        chances: 0.0,
        centipawns: 0,
        accuracy: 100.0,
        assessment: None,
    };

    /// Compares the evaluations before and after a move. The best move loses nothing, even if the
    /// next search values it lower.
    pub fn new(mover: Color, mv: Move, before: &Evaluation, after: &Evaluation) -> Self {
        if before.line.first() == Some(&mv) {
            return Self::NONE;
        }
        let chances = lost_chances(mover, before, after);
        let [before, after] = [before, after].map(|evaluation| Value::new(mover, evaluation));
        let percents = [before, after].map(|value| accuracy::win_percent(value.centipawns()));
        Self {
            chances: chances.max(0.0),
            centipawns: (before.centipawns() - after.centipawns()).max(0),
            accuracy: accuracy::move_accuracy(percents[0], percents[1]),
            assessment: match (before, after) {
                (Value::Centipawns(_), Value::Centipawns(_)) => LOSSES
                    .into_iter()
                    .find_map(|(least, nag)| (chances >= least).then_some(nag)),
                (Value::Centipawns(before), Value::Mated) => Some(mate_assessment(-before)),
                (Value::Mates, Value::Centipawns(after)) => Some(mate_assessment(after)),
                (Value::Mates, Value::Mated) => Some(Nag::BLUNDER),
                // Mates that come later, and moves of a side that is mated anyway.
                _ => None,
            },
        }
    }
}

/// Returns the winning chances that a side has lost between two evaluations, from -2 to 2.
pub(super) fn lost_chances(side: Color, before: &Evaluation, after: &Evaluation) -> f64 {
    let [before, after] = [before, after].map(|evaluation| {
        let value = Value::new(side, evaluation);
        accuracy::winning_chances(value.centipawns())
    });
    before - after
}

/// Returns the assessment of a move that allows or misses a mate in a position with these
/// centipawns for the side with the mate.
fn mate_assessment(centipawns: i32) -> Nag {
    if centipawns > DECIDED {
        Nag::DUBIOUS
    } else if centipawns > ALMOST_DECIDED {
        Nag::MISTAKE
    } else {
        Nag::BLUNDER
    }
}

/// An evaluation for one side.
#[derive(Debug, Clone, Copy)]
enum Value {
    Centipawns(i32),
    Mates,
    Mated,
}

impl Value {
    fn new(side: Color, evaluation: &Evaluation) -> Self {
        let sign = match side {
            Color::White => 1,
            Color::Black => -1,
        };
        let white_mates = match evaluation.eval {
            Some(Eval::Centipawns(value)) => return Self::Centipawns(sign * value),
            Some(Eval::Mate(moves)) => moves > 0,
            None => evaluation.expectation > 0.5,
        };
        if white_mates == (side == Color::White) {
            Self::Mates
        } else {
            Self::Mated
        }
    }

    /// The centipawns, limited.
    fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
            Self::Mates => MAX_CENTIPAWNS,
            Self::Mated => -MAX_CENTIPAWNS,
        }
    }
}

/// Returns the centipawns for White, limited.
pub(super) fn white_centipawns(evaluation: &Evaluation) -> i32 {
    Value::new(Color::White, evaluation).centipawns()
}

#[cfg(test)]
mod tests {
    use movegen::Color::{Black, White};
    use movegen::{Color, Move, Position};

    use super::super::evaluate::Evaluation;
    use super::Loss;
    use formats::pgn::{Eval, Nag};

    const MATE: fn(i32) -> Eval = Eval::Mate;
    const CP: fn(i32) -> Eval = Eval::Centipawns;

    fn evaluation(eval: Option<Eval>, line: &[Move]) -> Evaluation {
        Evaluation {
            eval,
            // Only says who is checkmated; the engine's own expectation is not judged.
            expectation: 1.0,
            line: line.to_vec(),
        }
    }

    /// The loss of 1. e4 or of any other move where 1. d4 is best.
    fn loss(mover: Color, before: Eval, after: Option<Eval>) -> Loss {
        let position = Position::default();
        let [played, best] = ["e4", "d4"].map(|san| position.move_from_san(san).expect("legal"));
        let before = evaluation(Some(before), &[best]);
        Loss::new(mover, played, &before, &evaluation(after, &[]))
    }

    /// The symbols that follow from the published rule, with evaluations from White's view.
    #[test]
    fn assessments_follow_from_winning_chances() {
        for (mover, before, after, expected) in [
            // 2 / (1 + exp(-0.00368208 cp)) - 1, so that 54 lose 0.099, 55 lose 0.101 and so on.
            (White, CP(0), CP(-54), None),
            (White, CP(0), CP(-55), Some(Nag::DUBIOUS)),
            (White, CP(0), CP(-110), Some(Nag::DUBIOUS)),
            (White, CP(0), CP(-111), Some(Nag::MISTAKE)),
            (White, CP(0), CP(-168), Some(Nag::MISTAKE)),
            (White, CP(0), CP(-169), Some(Nag::BLUNDER)),
            (Black, CP(0), CP(169), Some(Nag::BLUNDER)),
            (Black, CP(0), CP(-169), None),
            // Opera Game: 9... b5 and 11... Nbd7; the queen hung by 9. Qc2.
            (Black, CP(143), CP(250), Some(Nag::DUBIOUS)),
            (Black, CP(210), CP(650), Some(Nag::BLUNDER)),
            (White, CP(-390), CP(-1270), Some(Nag::BLUNDER)),
            // Beyond ten pawns all are alike.
            (White, CP(2000), CP(1000), None),
            (White, CP(-1000), CP(-3000), None),
        ] {
            let loss = loss(mover, before, Some(after));
            assert_eq!(loss.assessment, expected, "{mover} {before} {after}");
        }
    }

    #[test]
    fn mates_allowed_and_missed() {
        for (mover, before, after, expected) in [
            (White, CP(0), MATE(-3), Some(Nag::BLUNDER)),
            (White, CP(-700), MATE(-3), Some(Nag::BLUNDER)),
            (White, CP(-701), MATE(-3), Some(Nag::MISTAKE)),
            (White, CP(-999), MATE(-3), Some(Nag::MISTAKE)),
            (White, CP(-1000), MATE(-3), Some(Nag::DUBIOUS)),
            (Black, CP(701), MATE(3), Some(Nag::MISTAKE)),
            (White, MATE(4), CP(1000), Some(Nag::DUBIOUS)),
            (White, MATE(4), CP(999), Some(Nag::MISTAKE)),
            (White, MATE(4), CP(700), Some(Nag::BLUNDER)),
            (Black, MATE(-4), CP(-1000), Some(Nag::DUBIOUS)),
            (Black, MATE(-4), MATE(2), Some(Nag::BLUNDER)),
            // Delayed, hastened, escaped.
            (White, MATE(2), MATE(5), None),
            (White, MATE(-5), MATE(-1), None),
            (White, MATE(-5), CP(-900), None),
            (White, CP(300), MATE(5), None),
        ] {
            let loss = loss(mover, before, Some(after));
            assert_eq!(loss.assessment, expected, "{mover} {before} {after}");
        }
        // Checkmate.
        assert_eq!(loss(White, CP(0), None).assessment, None);
    }

    #[test]
    fn the_best_move_loses_nothing() {
        let best = Position::default().move_from_san("d4").expect("legal");
        let before = evaluation(Some(CP(300)), &[best]);
        let after = evaluation(Some(CP(-300)), &[]);
        assert_eq!(Loss::new(White, best, &before, &after), Loss::NONE);
    }
}
