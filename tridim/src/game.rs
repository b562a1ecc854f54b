//! A game: a position with its past, what may be claimed in it, and how it ended.

use crate::mv::Move;
use crate::pin::Pin;
use crate::position::{Position, Rules};
use crate::refusal::MoveRefusal;
use movegen::{
    Claim, ClaimError, FIFTY_MOVE_PLIES, FIVEFOLD, Outcome, SEVENTY_FIVE_MOVE_PLIES, THREEFOLD,
};
use thiserror::Error;

/// Something that happened in a game, in the order it happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    Moved(Move),
    Check,
    FiftyMoveRuleAvailable,
    ThreefoldAvailable,
    DrawClaimed(Claim),
    Ended(Outcome),
}

/// Why a move was not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("that move is not legal here")]
    Illegal,
}

/// A game that ended by a claim, put aside so that it can be recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    pub claim: Claim,
    pub record: Game,
}

impl Claimed {
    /// What happened, for whoever listens to the game.
    #[must_use]
    pub fn events(&self) -> [Event; 2] {
        [Event::DrawClaimed(self.claim), Event::Ended(self.outcome())]
    }

    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::DrawClaimed(self.claim)
    }
}

/// A position and the moves that led to it, with undo and redo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    /// Each move played, and the position after it.
    played: Vec<(Move, Position)>,
    /// Moves taken back, the latest last.
    undone: Vec<Move>,
}

impl Game {
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self {
            start,
            played: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// A game from the start position.
    #[must_use]
    pub fn standard(rules: Rules) -> Self {
        Self::new(Position::start(rules))
    }

    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    #[must_use]
    pub fn position(&self) -> &Position {
        self.played
            .last()
            .map_or(&self.start, |(_, position)| position)
    }

    /// The moves played, the first one first.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.played.iter().map(|&(mv, _)| mv)
    }

    /// Every position of the game, the start first and the present one last.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        std::iter::once(&self.start).chain(self.played.iter().map(|(_, position)| position))
    }

    /// How often the present position has occurred, this time included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let present = self.position();
        let reversible = usize::from(present.halfmove_clock());
        self.positions()
            .rev()
            .take(reversible + 1)
            .filter(|past| past.repeats(present))
            .count()
    }

    /// What the side to move may claim a draw by.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        if !self.position().has_moves() {
            return Vec::new();
        }
        let fifty = self.position().halfmove_clock() >= FIFTY_MOVE_PLIES;
        let threefold = self.occurrences() >= THREEFOLD;
        [(fifty, Claim::FiftyMoves), (threefold, Claim::Threefold)]
            .into_iter()
            .filter_map(|(holds, claim)| holds.then_some(claim))
            .collect()
    }

    /// How the game has ended, if it has without anyone claiming. Mate comes first.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if position.is_checkmate() {
            Some(Outcome::Checkmate {
                winner: !position.turn(),
            })
        } else if position.is_stalemate() {
            Some(Outcome::Stalemate)
        } else if position.is_bare_kings() {
            Some(Outcome::InsufficientMaterial)
        } else if position.halfmove_clock() >= SEVENTY_FIVE_MOVE_PLIES {
            Some(Outcome::SeventyFiveMoves)
        } else if self.occurrences() >= FIVEFOLD {
            Some(Outcome::FivefoldRepetition)
        } else {
            None
        }
    }

    /// Plays a move as an arbiter would let it be played, and says what came of it.
    pub fn play(&mut self, mv: Move) -> Result<Vec<Event>, PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::Over(outcome));
        }
        let next = self.position().try_play(mv).ok_or(PlayError::Illegal)?;
        self.release();
        self.played.push((mv, next));
        self.undone.clear();
        Ok(self.events_of(mv))
    }

    /// Begins the turn with a board: it will be a move of this one, until it is released.
    pub fn activate(&mut self, pin: Pin) -> Result<(), MoveRefusal> {
        *self.position_mut() = self.position().activate(pin)?;
        Ok(())
    }

    /// Lets go of the board that was activated, if one was.
    pub fn release(&mut self) {
        *self.position_mut() = self.position().release();
    }

    fn position_mut(&mut self) -> &mut Position {
        match self.played.last_mut() {
            Some((_, position)) => position,
            None => &mut self.start,
        }
    }

    fn events_of(&self, mv: Move) -> Vec<Event> {
        let outcome = self.outcome();
        let mut events = vec![Event::Moved(mv)];
        if self.position().in_check() && self.position().has_moves() {
            events.push(Event::Check);
        }
        events.extend(self.claims().into_iter().map(|claim| match claim {
            Claim::FiftyMoves => Event::FiftyMoveRuleAvailable,
            Claim::Threefold => Event::ThreefoldAvailable,
        }));
        events.extend(outcome.map(Event::Ended));
        events
    }

    /// Takes the last move back. Rights, clock, boards and repetitions are as they were
    /// before it.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, _) = self.played.pop()?;
        self.release();
        self.undone.push(mv);
        Some(mv)
    }

    /// Plays the move last taken back again.
    pub fn redo(&mut self) -> Option<Move> {
        let mv = self.undone.pop()?;
        self.release();
        self.played.push((mv, self.position().play_unchecked(mv)));
        Some(mv)
    }

    /// Claims a draw. When it is given, the game is handed back for the record, and this one
    /// starts anew, under the same rules, with nothing to undo or redo.
    pub fn claim_draw(&mut self) -> Result<Claimed, ClaimError> {
        if let Some(outcome) = self.outcome() {
            return Err(ClaimError::Over(outcome));
        }
        let claim = self
            .claims()
            .first()
            .copied()
            .ok_or(ClaimError::NotTriggered)?;
        let anew = Self::standard(self.start.rules());
        let record = std::mem::replace(self, anew);
        Ok(Claimed { claim, record })
    }
}
