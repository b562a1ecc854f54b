//! Ends of games by the engine before the rules do: it claims draws, resigns and answers offers.

use movegen::{Game, Move, Position, Role};
use search::{Score, centipawns};
use thiserror::Error;

use super::action::Action;
use super::playable::PlayablePosition;

/// The move the engine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply<M = Move> {
    pub mv: M,
    /// For the engine; `None` if the move was not searched for.
    pub score: Option<Score>,
}

/// When the engine claims a draw, resigns, or accepts a draw, in one game.
#[derive(Debug)]
pub struct EndPolicy {
    resigns: bool,
    /// Successive moves with a lost score.
    lost_moves: u32,
    /// The score of the engine's last move, in centipawns.
    last_score: Option<i32>,
    /// The ply at which the engine last declined a draw.
    declined: Option<usize>,
}

/// The reason the engine declines a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DrawDeclined {
    #[error("Castellan declines the draw: it is better.")]
    Better,
    #[error(
        "Castellan declines the draw: it plays on until move {}.",
        EndPolicy::LATE_MOVE
    )]
    Early,
    #[error("Castellan declines the draw: too many pieces are on the board.")]
    Pieces,
}

/// A game in which the engine may end the game instead of making its move.
pub trait Opponent: PlayablePosition {
    /// The engine's message and the action that ends the game.
    fn ends_with(
        _: &mut EndPolicy,
        _: &Game<Self>,
        _: Reply<Self::Move>,
    ) -> Option<(String, Action<Self::Move>)> {
        None
    }
}

impl Opponent for Position {
    fn ends_with(policy: &mut EndPolicy, game: &Game, reply: Reply) -> Option<(String, Action)> {
        let action = policy.ends_with(game, reply)?;
        Some((EndPolicy::announcement(&action, game), action))
    }
}

impl EndPolicy {
    /// The engine resigns after this many moves at or below this score, in centipawns.
    const RESIGN_MOVES: u32 = 3;
    const RESIGN_SCORE: i32 = -800;
    /// It accepts a draw at or below this score: it is losing.
    const LOSING_SCORE: i32 = -200;
    /// It accepts a draw up to this score from a late move on, if few pieces are left.
    const LEVEL_SCORE: i32 = 20;
    const LATE_MOVE: u16 = 30;
    /// Unless the score of its last move was so low, it cannot be losing now without having erred.
    const SAFE_SCORE: i32 = -100;
    /// Pieces of both sides besides kings and pawns.
    const FEW_PIECES: u32 = 6;

    /// `resigns`: the engine resigns lost games.
    pub fn new(resigns: bool) -> Self {
        Self {
            resigns,
            lost_moves: 0,
            last_score: None,
            declined: None,
        }
    }

    /// Forgets the moves and offers so far, which belong to another game or were taken back.
    pub fn reset(&mut self) {
        *self = Self::new(self.resigns);
    }

    /// The action that ends the game instead of the engine's move: a claim of a draw that it wants,
    /// or its resignation.
    fn ends_with(&mut self, game: &Game, reply: Reply) -> Option<Action> {
        let score = reply.score?;
        let position = game.position();
        let own = centipawns(score, position);
        self.last_score = Some(own);
        let wants_draw = score <= Score::DRAW;
        if wants_draw && !game.claims().is_empty() {
            return Some(Action::Draw);
        }
        if wants_draw && !game.claims_with(reply.mv).is_empty() {
            return Some(Action::DrawWith(reply.mv));
        }
        self.lost_moves = if own <= Self::RESIGN_SCORE {
            self.lost_moves + 1
        } else {
            0
        };
        let resigns = self.resigns && self.lost_moves >= Self::RESIGN_MOVES;
        resigns.then(|| Action::Resign(position.side_to_move()))
    }

    /// The engine's message when it ends the game.
    fn announcement(action: &Action, game: &Game) -> String {
        match action {
            Action::DrawWith(mv) => {
                let san = game.position().san(*mv);
                format!("Castellan claims a draw with {san}.")
            }
            Action::Resign(_) => "Castellan resigns.".to_owned(),
            _ => "Castellan claims a draw.".to_owned(),
        }
    }

    /// True if the engine has already declined a draw in this position.
    pub fn has_declined(&self, game: &Game) -> bool {
        self.declined == Some(game.moves().len())
    }

    /// The reason a draw is declined without a search: too early, and the engine was not losing.
    pub fn declines_at_once(&mut self, game: &Game) -> Option<DrawDeclined> {
        let is_safe = self
            .last_score
            .is_some_and(|score| score > Self::SAFE_SCORE);
        let declined = untimely(game.position()).filter(|_| is_safe)?;
        self.declined = Some(game.moves().len());
        Some(declined)
    }

    /// Answers a draw that the side to move offers, given the score of that side.
    pub fn answer(&mut self, game: &Game, score: Score) -> Result<(), DrawDeclined> {
        let answer = answer(game.position(), score);
        if answer.is_err() {
            self.declined = Some(game.moves().len());
        }
        answer
    }
}

/// The reason a level game is played on.
fn untimely(position: &Position) -> Option<DrawDeclined> {
    let minor = [Role::Pawn, Role::King].map(|role| position.by_role(role).count());
    let pieces = position.occupied().count() - minor.iter().sum::<u32>();
    if position.fullmove_number() < EndPolicy::LATE_MOVE {
        Some(DrawDeclined::Early)
    } else {
        (pieces > EndPolicy::FEW_PIECES).then_some(DrawDeclined::Pieces)
    }
}

fn answer(position: &Position, score: Score) -> Result<(), DrawDeclined> {
    let own = -centipawns(score, position);
    if own <= EndPolicy::LOSING_SCORE {
        Ok(())
    } else if own > EndPolicy::LEVEL_SCORE {
        Err(DrawDeclined::Better)
    } else {
        untimely(position).map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Color, Game, Position, Variant};
    use search::Score;

    use super::{DrawDeclined, EndPolicy, Reply};
    use crate::play::action::Action;

    fn game(fen: &str) -> Game {
        Game::new(Position::from_fen(fen, Variant::Standard).expect("legal"))
    }

    fn reply(game: &Game, san: &str, score: Score) -> Reply {
        Reply {
            mv: game.position().move_from_san(san).expect("legal"),
            score: Some(score),
        }
    }

    #[test]
    fn draws_are_claimed_unless_the_engine_is_better() {
        let mut policy = EndPolicy::new(true);
        let claimable = game("4k3/8/8/8/8/8/8/R3K3 w - - 100 90");
        let with_move = game("4k3/8/8/8/8/8/8/R3K3 w - - 99 90");
        let draw = |game: &Game| reply(game, "Ra2", Score::DRAW);
        assert_eq!(
            policy.ends_with(&claimable, draw(&claimable)),
            Some(Action::Draw)
        );
        let mv = draw(&with_move).mv;
        assert_eq!(
            policy.ends_with(&with_move, draw(&with_move)),
            Some(Action::DrawWith(mv))
        );
        let better = reply(&claimable, "Ra2", Score::mate_in(5));
        assert_eq!(policy.ends_with(&claimable, better), None);
        let from_book = Reply {
            score: None,
            ..better
        };
        assert_eq!(policy.ends_with(&claimable, from_book), None);
    }

    #[test]
    fn lost_games_are_resigned_at_the_third_move() {
        let lost = game("4k3/8/8/8/8/8/8/QR2K3 b - - 0 1");
        let losing = reply(&lost, "Kd7", Score::mated_in(8));
        let level = reply(&lost, "Kd7", Score::DRAW);
        let mut policy = EndPolicy::new(true);
        let mut resigned = |reply| policy.ends_with(&lost, reply).is_some();
        // A better score in between starts again.
        let replies = [losing, losing, level, losing, losing, losing];
        assert_eq!(
            replies.map(&mut resigned),
            [false, false, false, false, false, true]
        );
        let mut stubborn = EndPolicy::new(false);
        for _ in 0..5 {
            assert_eq!(stubborn.ends_with(&lost, losing), None);
        }
        let action = policy.ends_with(&lost, losing);
        assert_eq!(action, Some(Action::Resign(Color::Black)));
    }

    #[test]
    fn a_draw_is_declined_once_per_position() {
        let mut policy = EndPolicy::new(false);
        let mut early = Game::default();
        assert_eq!(policy.answer(&early, Score::DRAW), Err(DrawDeclined::Early));
        assert!(policy.has_declined(&early));
        let mv = early.position().move_from_san("e4").expect("legal");
        early.play(mv).expect("legal");
        assert!(!policy.has_declined(&early));
    }

    #[test]
    fn an_early_offer_is_declined_without_a_search() {
        let early = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 2");
        let late = game("4k3/1p6/8/8/8/8/1P6/4K3 b - - 0 40");
        let declined = |game: &Game, san, pawns: f64| {
            let mut policy = EndPolicy::new(false);
            assert_eq!(policy.declines_at_once(game), None);
            let score = search::wdl::from_centipawns((100.0 * pawns) as i32, game.position());
            policy.ends_with(game, reply(game, san, score));
            let declined = policy.declines_at_once(game);
            assert_eq!(policy.has_declined(game), declined.is_some());
            declined
        };
        assert_eq!(declined(&early, "e5", 0.0), Some(DrawDeclined::Early));
        // It may be losing, or may accept.
        assert_eq!(declined(&early, "e5", -1.5), None);
        assert_eq!(declined(&late, "Kd7", 0.0), None);
    }

    #[test]
    fn only_a_lost_game_or_a_late_level_one_is_drawn() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ";
        let endgame = "r3k3/1p6/8/8/8/8/1P6/R3K3 w - - 0 ";
        // The scores are those of the side that offers, the opposite of the engine's.
        let pawns = |game: &Game, pawns: f64| {
            search::wdl::from_centipawns((100.0 * pawns) as i32, game.position())
        };
        for (fen, number, offering, expected) in [
            // After 1. e4 d5 the user is somewhat better.
            (start, 2, 0.6, Err(DrawDeclined::Early)),
            (start, 29, 1.5, Err(DrawDeclined::Early)),
            (start, 40, 0.6, Err(DrawDeclined::Pieces)),
            (start, 2, 3.0, Ok(())),
            (endgame, 29, 0.0, Err(DrawDeclined::Early)),
            (endgame, 30, 0.0, Ok(())),
            (endgame, 30, 0.6, Ok(())),
            (endgame, 30, -0.6, Err(DrawDeclined::Better)),
        ] {
            let game = game(&format!("{fen}{number}"));
            let answer = EndPolicy::new(false).answer(&game, pawns(&game, offering));
            assert_eq!(answer, expected, "{fen}{number} {offering}");
        }
        let mated = Score::mate_in(9);
        assert_eq!(
            EndPolicy::new(false).answer(&game(&format!("{start}2")), mated),
            Ok(())
        );
    }
}
