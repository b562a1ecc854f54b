//! Games: a position with its history, undo and redo, claims and the end.

use crate::game_position::GamePosition;
use crate::outcome::{Claim, Event, Outcome};
use crate::position::Position;
use alloc::vec;
use alloc::vec::Vec;
use thiserror::Error;

/// The halfmove clock from which a draw may be claimed under the fifty-move rule.
pub const FIFTY_MOVE_PLIES: u16 = 100;
/// The halfmove clock at which the game is drawn without a claim.
pub const SEVENTY_FIVE_MOVE_PLIES: u16 = 150;
/// The occurrences of a position from which a draw may be claimed.
pub const THREEFOLD: usize = 3;
/// The occurrences of a position at which the game is drawn without a claim.
pub const FIVEFOLD: usize = 5;

/// The reason a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The move is illegal; [`Position::find_move`] tells why.
    #[error("illegal move")]
    Illegal,
}

/// The reason a draw cannot be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// Neither rule allows a claim in the current position.
    #[error(
        "neither fifty moves without a capture or pawn move nor a threefold repetition is complete"
    )]
    NotTriggered,
    /// The game has ended.
    #[error("the game is over ({0})")]
    Over(Outcome),
    /// The intended move is illegal.
    #[error("the intended move is illegal")]
    Illegal,
    /// Neither rule would allow a claim after the intended move.
    #[error(
        "the move completes neither fifty moves without a capture or pawn move nor a threefold \
         repetition"
    )]
    NotCompleted,
}

/// A game that ended with a claimed draw, kept for its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed<P: GamePosition = Position> {
    /// The rule that was invoked.
    pub claim: Claim,
    /// The move the claim was made with; it was not played.
    pub intended: Option<P::Move>,
    /// The game.
    pub record: Game<P>,
}

impl<P: GamePosition> Claimed<P> {
    /// The events of the claim.
    pub fn events(&self) -> [Event; 2] {
        [Event::DrawClaimed(self.claim), Event::Ended(self.outcome())]
    }

    /// The outcome of the game.
    pub fn outcome(&self) -> Outcome {
        Outcome::DrawClaimed(self.claim)
    }
}

/// A start position and the moves played from it, with undo and redo.
///
/// ```
/// use movegen::{Color, Game, Outcome};
///
/// let mut game = Game::default();
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     let mv = game.position().move_from_san(san)?;
///     game.play(mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
///
/// game.undo();
/// assert_eq!(game.outcome(), None);
/// assert!(game.redo().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game<P: GamePosition = Position> {
    start: P,
    /// Each move played, and the position after it.
    played: Vec<(P::Move, P)>,
    /// The undone moves with the positions after them; the last one is redone first.
    undone: Vec<(P::Move, P)>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}

impl<P: GamePosition> Game<P> {
    /// A game without moves.
    pub const fn new(start: P) -> Self {
        Self {
            start,
            played: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The start position.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &P {
        self.played
            .last()
            .map_or(&self.start, |(_, position)| position)
    }

    /// The moves played, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = P::Move> + ExactSizeIterator {
        self.played.iter().map(|&(mv, _)| mv)
    }

    /// The positions of the game, from the start to the current one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &P> {
        core::iter::once(&self.start).chain(self.played.iter().map(|(_, position)| position))
    }

    /// The number of times the current position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        let current = self.position();
        self.count(current, usize::from(current.halfmove_clock()) + 1)
    }

    /// The number of times a position has occurred among the last ones of the game.
    fn count(&self, position: &P, last: usize) -> usize {
        self.positions()
            .rev()
            .take(last)
            .filter(|past| past.same_position(position))
            .count()
    }

    /// The rules under which the side to move may claim a draw.
    pub fn claims(&self) -> Vec<Claim> {
        if !self.position().has_moves() {
            return Vec::new();
        }
        claims_of(self.position(), self.occurrences())
    }

    /// The rules under which the side to move may claim a draw by naming this move before playing
    /// it (FIDE 9.2.1.1, 9.3.1): it completes fifty moves without a capture or pawn move, or the
    /// third occurrence of a position. Since the move is not played, it may also be mate or
    /// stalemate.
    pub fn claims_with(&self, mv: P::Move) -> Vec<Claim> {
        match self.position().try_play(mv) {
            Some(next) if self.outcome().is_none() => {
                let earlier = self.count(&next, usize::from(next.halfmove_clock()));
                claims_of(&next, earlier + 1)
            }
            _ => Vec::new(),
        }
    }

    /// The outcome of the game, if it has ended without a claim. Checkmate takes precedence.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if !position.has_moves() {
            let winner = !position.side_to_move();
            Some(if position.in_check() {
                Outcome::Checkmate { winner }
            } else {
                Outcome::Stalemate
            })
        } else if position.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if position.halfmove_clock() >= SEVENTY_FIVE_MOVE_PLIES {
            Some(Outcome::SeventyFiveMoves)
        } else if self.occurrences() >= FIVEFOLD {
            Some(Outcome::FivefoldRepetition)
        } else {
            None
        }
    }

    /// Plays a move and returns its events. Fails if the move is illegal or the game is over.
    ///
    /// ```
    /// use movegen::{Event, Game, PlayError};
    ///
    /// let mut game = Game::default();
    /// let mv = game.position().move_from_san("e4")?;
    /// assert_eq!(game.play(mv)?, [Event::Moved]);
    /// assert_eq!(game.play(mv), Err(PlayError::Illegal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: P::Move) -> Result<Vec<Event>, PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::Over(outcome));
        }
        self.push(mv)?;
        let mut events = vec![Event::Moved];
        if self.position().in_check() && self.position().has_moves() {
            events.push(Event::Check);
        }
        events.extend(self.available_claims());
        events.extend(self.outcome().map(Event::Ended));
        Ok(events)
    }

    /// Plays a legal move even if the game is over, since a GUI may play on.
    pub fn push(&mut self, mv: P::Move) -> Result<(), PlayError> {
        let next = self.position().try_play(mv).ok_or(PlayError::Illegal)?;
        self.played.push((mv, next));
        self.undone.clear();
        Ok(())
    }

    /// An event for each claim that the side to move may make, to be announced when a game starts
    /// or is resumed, and after every move; none once the game is over.
    pub fn available_claims(&self) -> impl Iterator<Item = Event> + use<P> {
        let claims = match self.outcome() {
            None => self.claims(),
            Some(_) => Vec::new(),
        };
        claims.into_iter().map(Event::from)
    }

    /// Undoes the last move and returns it. Castling rights, clocks, en passant square and
    /// repetitions are restored.
    pub fn undo(&mut self) -> Option<P::Move> {
        let (mv, position) = self.played.pop()?;
        self.undone.push((mv, position));
        Some(mv)
    }

    /// True if an undone move can be played again.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Plays the last undone move again and returns it.
    pub fn redo(&mut self) -> Option<P::Move> {
        let (mv, position) = self.undone.pop()?;
        self.played.push((mv, position));
        Some(mv)
    }

    /// Claims a draw. On success, returns the finished game, and this game starts over from
    /// [`GamePosition::initial`] with nothing to undo or redo: the initial position of standard
    /// chess, and not [`start`](Self::start), where the game had begun somewhere else. The rules
    /// stay the same: a game of Chess960 remains one. To begin again where the game began, make a
    /// new one from the record's `start`.
    ///
    /// ```
    /// use movegen::{Game, Position, Variant};
    ///
    /// let fen = "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 100 70";
    /// let mut game = Game::new(Position::from_fen(fen, Variant::Chess960)?);
    /// let record = game.claim_draw()?.record;
    /// assert_eq!(record.start().shredder_fen(), fen);
    /// assert_eq!(game.start().fen(), Position::default().fen());
    /// assert_eq!(game.start().variant(), Variant::Chess960);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn claim_draw(&mut self) -> Result<Claimed<P>, ClaimError> {
        let claims = self.claims();
        self.claim(&claims, None, ClaimError::NotTriggered)
    }

    /// Claims a draw with an intended move, like `claim_draw`. The move is not played. If the claim
    /// is refused, nothing changes; over the board the move would have to be played then (FIDE
    /// 9.5.3).
    ///
    /// ```
    /// use movegen::{Claim, Game, Position, Variant};
    ///
    /// let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
    /// let mut game = Game::new(Position::from_fen(fen, Variant::Standard)?);
    /// assert!(game.claim_draw().is_err());
    /// let intended = game.position().move_from_san("Ra2")?;
    /// assert_eq!(game.claim_with(intended)?.claim, Claim::FiftyMoves);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn claim_with(&mut self, mv: P::Move) -> Result<Claimed<P>, ClaimError> {
        let claims = self.claims_with(mv);
        let refusal = match self.position().try_play(mv) {
            Some(_) => ClaimError::NotCompleted,
            None => ClaimError::Illegal,
        };
        self.claim(&claims, Some(mv), refusal)
    }

    fn claim(
        &mut self,
        claims: &[Claim],
        intended: Option<P::Move>,
        refusal: ClaimError,
    ) -> Result<Claimed<P>, ClaimError> {
        if let Some(outcome) = self.outcome() {
            return Err(ClaimError::Over(outcome));
        }
        let &claim = claims.first().ok_or(refusal)?;
        let new_game = Self::new(self.start.initial());
        let record = core::mem::replace(self, new_game);
        Ok(Claimed {
            claim,
            intended,
            record,
        })
    }
}

/// The claims that a position allows at one of its occurrences.
fn claims_of(position: &impl GamePosition, occurrences: usize) -> Vec<Claim> {
    let fifty = position.halfmove_clock() >= FIFTY_MOVE_PLIES;
    let threefold = occurrences >= THREEFOLD;
    [(fifty, Claim::FiftyMoves), (threefold, Claim::Threefold)]
        .into_iter()
        .filter_map(|(holds, claim)| holds.then_some(claim))
        .collect()
}
