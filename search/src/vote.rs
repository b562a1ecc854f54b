//! Which worker's move is played: each votes for its own with its depth and score.

use crate::deepen::Found;
use crate::score::Score;

/// The place of the winner among what the workers found.
pub(crate) fn winner(found: &[Found]) -> Option<usize> {
    let worst = found.iter().map(|one| one.best.score).min()?;
    let votes_for = |candidate: &Found| -> i64 {
        found
            .iter()
            .filter(|one| one.best.mv == candidate.best.mv)
            .map(|one| weight(one, worst))
            .sum()
    };
    let order = |candidate: &Found| {
        let score = candidate.best.score;
        // A proven result needs no majority.
        let proven = if score.is_decisive() {
            score
        } else {
            Score::DRAW
        };
        (proven, votes_for(candidate), weight(candidate, worst))
    };
    let best = found.iter().map(order).max()?;
    found.iter().position(|candidate| order(candidate) == best)
}

fn weight(one: &Found, worst: Score) -> i64 {
    const SCORE_OFFSET: i64 = 15;
    (i64::from(one.best.score - worst) + SCORE_OFFSET) * i64::from(one.depth)
}
