//! The engine's turn: it thinks, plays, claims draws, answers offers and resigns.

use common::args::Side;
use movegen::Color;
use search::{Outcome, Score, centipawns};

use super::{Console, ConsoleError};
use crate::play::action::Action;
use crate::play::opponent::Reply;
use crate::play::thinking::Thinking;

/// How the engine ends games before the rules do.
#[derive(Debug)]
pub(super) struct EndPolicy {
    resigns: bool,
    /// Successive moves with a lost score.
    lost_moves: u32,
    /// The ply at which the engine last declined a draw.
    declined: Option<usize>,
}

impl EndPolicy {
    /// The engine resigns after this many moves at or below this score, in centipawns.
    const RESIGN_MOVES: u32 = 3;
    const RESIGN_SCORE: i32 = -800;
    /// It accepts a draw at or below this score, or from a late move on in a level game.
    const ACCEPT_SCORE: i32 = -50;
    const ACCEPT_LEVEL: i32 = 20;
    const LATE_MOVE: u16 = 30;

    pub(super) fn new(resigns: bool) -> EndPolicy {
        EndPolicy {
            resigns,
            lost_moves: 0,
            declined: None,
        }
    }

    pub(super) fn new_game(&mut self) {
        *self = EndPolicy::new(self.resigns);
    }

    /// Whether the engine resigns, with a move of this score.
    fn resigns_at(&mut self, centipawns: i32) -> bool {
        self.lost_moves = match centipawns <= EndPolicy::RESIGN_SCORE {
            true => self.lost_moves + 1,
            false => 0,
        };
        self.resigns && self.lost_moves >= EndPolicy::RESIGN_MOVES
    }

    /// Whether the engine accepts a draw.
    fn accepts(centipawns: i32, move_number: u16) -> bool {
        let late = move_number >= EndPolicy::LATE_MOVE;
        centipawns <= EndPolicy::ACCEPT_SCORE || late && centipawns <= EndPolicy::ACCEPT_LEVEL
    }
}

impl Console {
    /// Plays the engine's move if it is to move.
    pub(super) fn reply(&mut self) -> Result<(), ConsoleError> {
        if self.state.is_over() || self.state.is_user_to_move() {
            return Ok(());
        }
        let Some(reply) = self.choose()? else {
            return Ok(());
        };
        self.check_flag();
        if self.state.is_over() || self.claims_or_resigns(reply)? {
            return Ok(());
        }
        self.play(reply.mv, "Castellan")?;
        self.show();
        Ok(())
    }

    /// Lets the engine play the user's move.
    pub(super) fn play_engine_move(&mut self) -> Result<(), ConsoleError> {
        self.state.takes_moves()?;
        if let Some(reply) = self.choose()? {
            self.check_flag();
            self.state.takes_moves()?;
            self.play(reply.mv, "Castellan")?;
            if self.state.side == Side::Both || self.state.is_over() {
                self.show();
            }
        }
        Ok(())
    }

    fn choose(&mut self) -> Result<Option<Reply>, ConsoleError> {
        let position = *self.state.game.position();
        let clocks = self.running_clocks();
        let own_clock = clocks.map(|clocks| clocks.of(position.side_to_move()));
        let thinking = Thinking::new(position, own_clock.or(self.opponent.time()));
        let clocks = clocks.map(|clocks| clocks.for_search());
        let (game, opponent) = (&self.state.game, &mut self.opponent);
        let watched = self.terminal.is_interactive();
        let reply = self.terminal.work(&thinking, || match watched {
            true => opponent.choose(game, clocks, &thinking.stop, &mut &thinking),
            false => opponent.choose(game, clocks, &thinking.stop, &mut ()),
        });
        Ok(reply?)
    }

    /// Claims a draw that the engine wants, or resigns; returns whether the game has ended.
    fn claims_or_resigns(&mut self, reply: Reply) -> Result<bool, ConsoleError> {
        let Some(score) = reply.score else {
            return Ok(false);
        };
        let game = &self.state.game;
        let variant = self.state.variant;
        let claim = match score <= Score::DRAW {
            true if !game.claims().is_empty() => Some(Action::Draw),
            true if !game.claims_with(reply.mv).is_empty() => Some(Action::DrawWith {
                mv: reply.mv,
                variant,
            }),
            _ => None,
        };
        if let Some(action) = claim {
            let with = match action {
                Action::DrawWith { mv, .. } => format!(" with {}", game.position().san(mv)),
                _ => String::new(),
            };
            self.terminal
                .line(format_args!("Castellan claims a draw{with}."));
            self.claim_draw(action)?;
            return Ok(true);
        }
        let position = game.position();
        let color = position.side_to_move();
        if self.end_policy.resigns_at(centipawns(score, position)) {
            self.apply(Action::Resign(color), "")?;
            self.show_ending();
            return Ok(true);
        }
        Ok(false)
    }

    /// Offers the engine a draw. Two players agree on one.
    pub(super) fn offer_draw(&mut self) -> Result<(), ConsoleError> {
        self.state.takes_moves()?;
        let ply = self.state.game.moves().len();
        if self.state.side != Side::Both {
            if self.end_policy.declined == Some(ply) {
                return Err(ConsoleError::Declined);
            }
            let outcome = self.think()?;
            let position = self.state.game.position();
            // The user is to move: the engine's score is the opposite.
            let score = -centipawns(outcome.score, position);
            if !EndPolicy::accepts(score, position.fullmove_number()) {
                self.end_policy.declined = Some(ply);
                self.terminal.line("Castellan declines the draw.");
                return Ok(());
            }
            self.terminal.line("Castellan accepts the draw.");
        }
        self.apply(Action::Agree, "")?;
        self.show_ending();
        Ok(())
    }

    /// Searches the position at full strength; no clock runs meanwhile.
    pub(super) fn think(&mut self) -> Result<Outcome, ConsoleError> {
        if self.state.is_over() {
            return Err(ConsoleError::GameOver);
        }
        let thinking = Thinking::new(*self.state.game.position(), self.opponent.time());
        let (game, opponent) = (&self.state.game, &mut self.opponent);
        let watched = self.terminal.is_interactive();
        let outcome = self.terminal.work(&thinking, || match watched {
            true => opponent.think(game, &thinking.stop, &mut &thinking),
            false => opponent.think(game, &thinking.stop, &mut ()),
        })?;
        self.turn_started += outcome.time;
        Ok(outcome)
    }

    /// The name of a side's player.
    pub(super) fn player_name(&self, color: Color) -> String {
        match (self.state.side.includes(color == Color::White), self.elo) {
            (true, _) => self.player.clone(),
            (false, Some(elo)) => format!("{} at {elo}", crate::NAME),
            (false, None) => crate::NAME.to_owned(),
        }
    }
}
