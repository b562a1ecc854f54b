//! A game: a position with its history, draw claims and outcome.

use movegen::{
    Claim, ClaimError, FIFTY_MOVE_PLIES, FIVEFOLD, Outcome, PlayError, SEVENTY_FIVE_MOVE_PLIES,
    THREEFOLD,
};

use crate::illegal_move::IllegalMove;
use crate::moves::Move;
use crate::pin::Pin;
use crate::position::{Position, Rules};

/// What happened in a game.
pub type Event = movegen::Event<Move>;

/// A game that ended with a claim, kept so that it can be recorded.
pub type Claimed = movegen::Claimed<Game, Move>;

/// A position and the moves that led to it, with undo and redo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    /// Each move played and the position after it.
    played: Vec<(Move, Position)>,
    /// Moves undone, the latest last.
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

    /// The moves played, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.played.iter().map(|&(mv, _)| mv)
    }

    /// Every position of the game, from the start to the current one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        std::iter::once(&self.start).chain(self.played.iter().map(|(_, position)| position))
    }

    /// How often the current position has occurred, this time included.
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

    /// The draws the side to move may claim.
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

    /// The outcome of the game, not counting claims. Mate takes precedence.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if position.is_checkmate() {
            Some(Outcome::Checkmate {
                winner: !position.side_to_move(),
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

    /// Plays a move and returns the events.
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

    /// Activates a board: the turn will be a move of this board, unless it is released.
    pub fn activate(&mut self, pin: Pin) -> Result<(), IllegalMove> {
        *self.position_mut() = self.position().activate(pin)?;
        Ok(())
    }

    /// Releases the activated board, if any.
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
        let mut events = vec![Event::Moved(mv)];
        if self.position().in_check() && self.position().has_moves() {
            events.push(Event::Check);
        }
        events.extend(self.available_claims());
        events.extend(self.outcome().map(Event::Ended));
        events
    }

    /// An event for each claim that the side to move may make; nothing once the game is over.
    pub fn available_claims(&self) -> impl Iterator<Item = Event> + use<> {
        let claims = match self.outcome() {
            None => self.claims(),
            Some(_) => Vec::new(),
        };
        claims.into_iter().map(Event::from)
    }

    /// Undoes the last move; rights, clocks, boards and repetitions are restored.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, _) = self.played.pop()?;
        self.release();
        self.undone.push(mv);
        Some(mv)
    }

    /// Whether an undone move can be replayed.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Replays the move last undone.
    pub fn redo(&mut self) -> Option<Move> {
        let mv = self.undone.pop()?;
        self.release();
        self.played.push((mv, self.position().play_unchecked(mv)));
        Some(mv)
    }

    /// Claims a draw. If it is granted, returns the game for the record; this one starts over
    /// under the same rules, without history.
    pub fn claim_draw(&mut self) -> Result<Claimed, ClaimError> {
        if let Some(outcome) = self.outcome() {
            return Err(ClaimError::Over(outcome));
        }
        let claim = self
            .claims()
            .first()
            .copied()
            .ok_or(ClaimError::NotTriggered)?;
        let new_game = Self::standard(self.start.rules());
        let record = std::mem::replace(self, new_game);
        Ok(Claimed {
            claim,
            intended: None,
            record,
        })
    }
}
