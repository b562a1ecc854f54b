//! The game being played and who plays it; every change is an [`Entry`], so that the same
//! entries always lead to the same table. Knows no person, no search and no file.

use std::fmt;

use movegen::{
    ClaimError, Claimed, Color, Event, FenError, Game, Move, Outcome, PlayError, Position,
    UciMoveError, Variant,
};
use thiserror::Error;

use crate::formats::pgn::{GameResult, Record, Variation};
use crate::notation;
use clap::ValueEnum;
use common::args::Side;
use common::excerpt;

/// How a game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beginning {
    pub(super) start: Position,
    pub(super) variant: Variant,
    /// Whose moves a person makes.
    pub(super) side: Side,
}

/// One thing done at the table, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Begin(Box<Beginning>),
    Move { mv: Move, variant: Variant },
    Undo,
    Redo,
    Draw,
    Resign(Color),
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Begin(beginning) => beginning.fmt(f),
            &Entry::Move { mv, variant } => write!(f, "move {}", mv.uci(variant)),
            Entry::Undo => f.write_str("undo"),
            Entry::Redo => f.write_str("redo"),
            Entry::Draw => f.write_str("draw"),
            Entry::Resign(Color::White) => f.write_str("resign white"),
            Entry::Resign(Color::Black) => f.write_str("resign black"),
        }
    }
}

/// Why a line of a kept game cannot be followed.
#[derive(Debug, Error)]
pub(super) enum EntryError {
    #[error("'{0}' is nothing that is done at the board")]
    Unknown(String),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Move(#[from] UciMoveError),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Why something was not done. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error("the game is over: {0} has resigned")]
    Resigned(Color),
    #[error("the game is over: {0}; there is nothing to resign")]
    Over(Outcome),
    #[error("there is no move to take back")]
    NothingToUndo,
    #[error("nothing was taken back that could be played again")]
    NothingToRedo,
}

/// A game and what belongs to it.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) game: Game,
    pub(super) variant: Variant,
    pub(super) side: Side,
    resigned: Option<Color>,
    /// The game a claim has ended, until another is begun on the board.
    claimed: Option<(Claimed, Variant)>,
}

impl Table {
    pub(super) fn new(beginning: Beginning) -> Table {
        Table {
            game: Game::new(beginning.start),
            variant: beginning.variant,
            side: beginning.side,
            resigned: None,
            claimed: None,
        }
    }

    /// Does what a line of a kept game says.
    pub(super) fn follow(&mut self, line: &str) -> Result<Entry, EntryError> {
        let entry = self.read(line)?;
        self.apply(&entry)?;
        Ok(entry)
    }

    fn read(&self, line: &str) -> Result<Entry, EntryError> {
        let unknown = || EntryError::Unknown(excerpt(line));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(match (word, rest) {
            ("begin", rest) => {
                let beginning = Beginning::read(rest)?.ok_or_else(unknown)?;
                Entry::Begin(Box::new(beginning))
            }
            ("move", text) => Entry::Move {
                mv: self.game.position().move_from_uci(text)?,
                variant: self.variant,
            },
            ("undo", "") => Entry::Undo,
            ("redo", "") => Entry::Redo,
            ("draw", "") => Entry::Draw,
            ("resign", "white") => Entry::Resign(Color::White),
            ("resign", "black") => Entry::Resign(Color::Black),
            _ => return Err(unknown()),
        })
    }

    /// Does it, or says why not; what happened is told in its order.
    pub(super) fn apply(&mut self, entry: &Entry) -> Result<Vec<Event>, Refusal> {
        if let (Some(color), Entry::Move { .. } | Entry::Undo | Entry::Redo | Entry::Draw) =
            (self.resigned, entry)
        {
            return Err(Refusal::Resigned(color));
        }
        match *entry {
            Entry::Begin(ref beginning) => *self = Table::new(**beginning),
            Entry::Move { mv, .. } => {
                let events = self.game.play(mv)?;
                self.claimed = None;
                return Ok(events);
            }
            Entry::Undo => {
                self.game.undo().ok_or(Refusal::NothingToUndo)?;
            }
            Entry::Redo => {
                self.game.redo().ok_or(Refusal::NothingToRedo)?;
            }
            Entry::Draw => {
                let claimed = self.game.claim_draw()?;
                let events = claimed.events().to_vec();
                self.claimed = Some((claimed, self.variant));
                self.variant = Variant::Standard;
                return Ok(events);
            }
            Entry::Resign(color) => self.resign(color)?,
        }
        Ok(Vec::new())
    }

    /// The board takes a move, or this is why it does not.
    pub(super) fn takes_moves(&self) -> Result<(), Refusal> {
        match (self.resigned, self.game.outcome()) {
            (Some(color), _) => Err(Refusal::Resigned(color)),
            (None, Some(outcome)) => Err(PlayError::Over(outcome).into()),
            (None, None) => Ok(()),
        }
    }

    fn resign(&mut self, color: Color) -> Result<(), Refusal> {
        if let Some(color) = self.resigned {
            return Err(Refusal::Resigned(color));
        }
        match self.outcome() {
            Some(outcome) => Err(Refusal::Over(outcome)),
            None => {
                self.resigned = Some(color);
                Ok(())
            }
        }
    }

    /// How the game ended by the rules, a claim among them.
    fn outcome(&self) -> Option<Outcome> {
        match &self.claimed {
            Some((claimed, _)) => Some(claimed.outcome()),
            None => self.game.outcome(),
        }
    }

    /// Nothing more is to be played before another game begins.
    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.outcome().is_some()
    }

    /// The game has moves, and no end yet.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.is_over() && self.game.moves().len() > 0
    }

    /// Whether a person makes the next move.
    pub(super) fn awaits_a_person(&self) -> bool {
        self.side
            .includes(self.game.position().side_to_move() == Color::White)
    }

    /// How the game ended, in words and as a result.
    pub(super) fn ending(&self) -> Option<(String, GameResult)> {
        match (self.resigned, self.outcome()) {
            (Some(color), _) => Some((format!("{color} resigns"), GameResult::Won(!color))),
            (None, Some(outcome)) => Some((outcome.to_string(), outcome.into())),
            (None, None) => None,
        }
    }

    /// The game as it is written down: the one a claim has just ended, or the one on the board.
    pub(super) fn record(&self) -> Record {
        let (game, variant) = match &self.claimed {
            Some((claimed, variant)) => (&claimed.record, *variant),
            None => (&self.game, self.variant),
        };
        let mut record = Record {
            main_line: Variation::new(game.moves()),
            ..Record::new(*game.start(), variant)
        };
        if let Some((words, score)) = self.ending() {
            record.result = score;
            record.main_line.last_comment().text = words;
        }
        record
    }
}

impl fmt::Display for Beginning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self.variant {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
        };
        let fen = notation::fen(&self.start, self.variant);
        write!(f, "begin {variant} {} {fen}", self.side)
    }
}

impl Beginning {
    /// `None` when it is not of this form.
    fn read(text: &str) -> Result<Option<Beginning>, FenError> {
        let mut words = text.splitn(3, ' ');
        let (Some(variant), Some(side), Some(fen)) = (words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        let variant = match variant {
            "standard" => Variant::Standard,
            "chess960" => Variant::Chess960,
            _ => return Ok(None),
        };
        let Ok(side) = Side::from_str(side, false) else {
            return Ok(None);
        };
        Ok(Some(Beginning {
            start: Position::from_fen(fen, variant)?,
            variant,
            side,
        }))
    }
}
