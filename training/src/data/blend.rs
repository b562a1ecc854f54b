//! TD(λ): scores that know how the game went on.

use super::game::GameRecord;

/// Blends the score of a position with those of the later positions of its game, as expected
/// points and with weights that fall by λ a ply. What a short search overlooked shows in the
/// scores of the next moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blend {
    /// At least 0, where nothing is blended, and below 1.
    pub lambda: f32,
    /// Score units per logit.
    pub scale: f32,
}

impl Blend {
    /// The blended scores of a game, for White.
    pub(super) fn scores(self, game: &GameRecord) -> Vec<i16> {
        /// Beyond this a score is as good as a result.
        const LARGEST_LOGIT: f32 = 10.0;
        let mut later = None;
        let blended = game.moves.iter().rev().map(|played| {
            let logit = f32::from(played.score) / self.scale;
            let own = sigmoid(logit.clamp(-LARGEST_LOGIT, LARGEST_LOGIT));
            let points = later.map_or(own, |later| own + self.lambda * (later - own));
            later = Some(points);
            ((points / (1.0 - points)).ln() * self.scale).round() as i16
        });
        let mut scores: Vec<i16> = blended.collect();
        scores.reverse();
        scores
    }
}

pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ScoredMove;
    use movegen::{Move, Position, Square};

    fn blend(lambda: f32, scores: &[i16]) -> Vec<i16> {
        let mut game = GameRecord::random(0, Position::default());
        let mv = Move::normal(Square::A1, Square::A2);
        let moves = scores.iter().map(|&score| ScoredMove { mv, score });
        game.moves = moves.collect();
        let scale = 100.0;
        Blend { lambda, scale }.scores(&game)
    }

    #[test]
    fn each_score_is_blended_with_the_blend_of_the_later_ones() {
        // 100 ln 3: 0.75 and 0.25 points.
        assert_eq!(blend(0.0, &[110, -110, 0]), [110, -110, 0]);
        // From the end: 0.5; (0.25 + 0.5) / 2 = 0.375; (0.75 + 0.375) / 2 = 0.5625.
        assert_eq!(blend(0.5, &[110, -110, 0]), [25, -51, 0]);
        assert!(blend(0.5, &[]).is_empty());
    }

    #[test]
    fn mates_count_as_wins() {
        assert_eq!(blend(0.5, &[0, 32_000]), [110, 1000]);
        assert_eq!(blend(0.5, &[0, -32_000]), [-110, -1000]);
    }
}
