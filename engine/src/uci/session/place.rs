//! `position`: a whole new game is built, and only then takes the place of the old one.

use std::io::Write;

use movegen::{FenError, Game, Setup, Square, UciMoveError, Variant};
use thiserror::Error;

use super::Session;
use crate::uci::command::{Base, Command};
use crate::uci::error::UciError;
use common::excerpt;

/// Why a `position` line was refused.
#[derive(Debug, Error)]
pub(crate) enum PlaceError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number} '{text}' is not legal in {fen}: {reason}")]
    Move {
        number: usize,
        text: String,
        fen: String,
        reason: String,
    },
}

/// Why words that should describe a game do not.
#[derive(Debug, Error)]
pub(crate) enum WordsError {
    #[error(transparent)]
    Line(#[from] UciError),
    #[error(transparent)]
    Place(#[from] PlaceError),
}

/// A game as `position` describes it.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) game: Game,
    /// The square a pawn has passed over to reach the start, as the FEN says: a position keeps
    /// it only where a capture is legal, and a book asks for more.
    pub(crate) passed_at_start: Option<Square>,
}

impl<W: Write + Send + 'static> Session<W> {
    pub(super) fn place(&mut self, base: &Base, moves: &[String]) -> Result<(), PlaceError> {
        let variant = match self.settings.chess960 {
            true => Variant::Chess960,
            false => Variant::Standard,
        };
        let placed = Placed::build(base, moves, variant)?;
        if self.settings.debug
            && let Base::Fen(fen) = base
        {
            self.say_what_was_dropped(fen, variant);
        }
        self.game = placed.game;
        self.passed_at_start = placed.passed_at_start;
        self.variant = variant;
        Ok(())
    }

    fn say_what_was_dropped(&self, fen: &str, variant: Variant) {
        let setup = fen.parse::<Setup>();
        let dropped = setup.map(|setup| setup.dropped_rights(variant));
        self.printer.lines(
            dropped
                .unwrap_or_default()
                .into_iter()
                .map(|(_, reason)| format!("info string a castling right is dropped: {reason}")),
        );
    }
}

impl Placed {
    /// From the words a `position` command would have; `fen` may be left out.
    pub(crate) fn from_words(text: &str, variant: Variant) -> Result<Placed, WordsError> {
        let first = text.split_whitespace().next().unwrap_or_default();
        let named = ["startpos", "fen"]
            .iter()
            .any(|name| first.eq_ignore_ascii_case(name));
        let kind = if named { "" } else { "fen " };
        match Command::parse(&format!("position {kind}{text}"))? {
            Some(Command::Position { base, moves }) => Ok(Placed::build(&base, &moves, variant)?),
            _ => Err(UciError::PositionFen.into()),
        }
    }

    pub(crate) fn build(
        base: &Base,
        moves: &[String],
        variant: Variant,
    ) -> Result<Placed, PlaceError> {
        let mut placed = Placed::at_start(base, variant)?;
        follow(&mut placed.game, moves, variant)?;
        Ok(placed)
    }

    fn at_start(base: &Base, variant: Variant) -> Result<Placed, FenError> {
        match base {
            Base::Startpos => Ok(Placed {
                game: Game::default(),
                passed_at_start: None,
            }),
            Base::Fen(fen) => {
                let setup = fen.parse::<Setup>()?;
                Ok(Placed {
                    game: Game::new(setup.position(variant)?),
                    passed_at_start: setup.en_passant,
                })
            }
        }
    }
}

fn follow(game: &mut Game, moves: &[String], variant: Variant) -> Result<(), PlaceError> {
    for (text, number) in moves.iter().zip(1..) {
        let position = game.position();
        let refused = |reason: String| PlaceError::Move {
            number,
            text: excerpt(text),
            fen: match variant {
                Variant::Standard => position.fen(),
                Variant::Chess960 => position.shredder_fen(),
            },
            reason,
        };
        let mv = position.move_from_uci(text).map_err(|error| {
            refused(match error {
                UciMoveError::Malformed(_) => {
                    "expected two squares and perhaps a promotion, as e2e4 or e7e8q".to_owned()
                }
                UciMoveError::Refused { reason, .. } => reason.to_string(),
            })
        })?;
        let played = game.push(mv).map_err(|error| error.to_string());
        played.map_err(|reason| PlaceError::Move {
            number,
            text: excerpt(text),
            fen: game.position().fen(),
            reason,
        })?;
    }
    Ok(())
}
