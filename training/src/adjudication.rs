//! Adjudication: ends games once both sides' scores have agreed on the result for some moves. Every
//! tenth game is played out.

use movegen::Color;

/// The rules as stated in a run's recipe.
pub(crate) const RULES: &str = "won after 4 plies beyond 500, drawn after 16 within 6 from ply 80, \
                                every tenth game played out";

/// True if the game of this number is played to its end by the rules.
pub(crate) fn is_played_out(number: u32) -> bool {
    number.is_multiple_of(10)
}

#[derive(Default)]
pub(super) struct Adjudicator {
    plies: usize,
    /// Consecutive plies with a decisive score for White, or (negative) for Black.
    decisive_plies: i32,
    /// Consecutive plies with a score near zero.
    level_plies: u32,
}

impl Adjudicator {
    const DECISIVE: i16 = 500;
    const DECISIVE_FOR_BLACK: i16 = -Self::DECISIVE;
    const DECISIVE_PLIES: i32 = 4;
    const LEVEL: u16 = 6;
    const LEVEL_PLIES: u32 = 16;
    /// No draws before this ply.
    const MIN_DRAW_PLY: usize = 80;

    /// Takes the score of a ply for White; returns the winner (inside, `None` for a draw) when
    /// the game is decided.
    pub(crate) fn add(&mut self, score: i16) -> Option<Option<Color>> {
        self.plies += 1;
        self.decisive_plies = match score {
            Self::DECISIVE.. => self.decisive_plies.max(0) + 1,
            ..=Self::DECISIVE_FOR_BLACK => self.decisive_plies.min(0) - 1,
            _ => 0,
        };
        self.level_plies = if score.unsigned_abs() <= Self::LEVEL {
            self.level_plies + 1
        } else {
            0
        };
        if self.decisive_plies >= Self::DECISIVE_PLIES {
            Some(Some(Color::White))
        } else if self.decisive_plies <= -Self::DECISIVE_PLIES {
            Some(Some(Color::Black))
        } else if self.level_plies >= Self::LEVEL_PLIES && self.plies >= Self::MIN_DRAW_PLY {
            Some(None)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_adjudicated_when_scores_agree() {
        let ply_of_end = |scores: &dyn Fn(usize) -> i16| {
            let mut adjudicator = Adjudicator::default();
            (1..200).find_map(|ply| Some((ply, adjudicator.add(scores(ply))?)))
        };
        assert_eq!(ply_of_end(&|_| 500), Some((4, Some(Color::White))));
        assert_eq!(ply_of_end(&|_| -500), Some((4, Some(Color::Black))));
        assert_eq!(
            ply_of_end(&|ply| if ply < 9 { 499 } else { 1300 }),
            Some((12, Some(Color::White)))
        );
        assert_eq!(ply_of_end(&|_| -6), Some((80, None)));
        assert_eq!(
            ply_of_end(&|ply| if ply < 70 { 20 } else { 0 }),
            Some((85, None))
        );
        assert_eq!(ply_of_end(&|_| 499), None);
        assert_eq!(ply_of_end(&|ply| if ply % 4 == 0 { 0 } else { 1500 }), None);
    }
}
