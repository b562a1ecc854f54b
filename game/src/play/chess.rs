//! Games of chess: their saved form, and PGN.

use chrono::{Local, Utc};
use movegen::{Color, Game, Move, Position, Role, Square, Variant};
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::game_state::{End, GameState};
use super::playable::PlayablePosition;
use super::rejection::{ActionRejected, LineError};
use crate::Side;
use crate::game_file::SIGNATURE;
use formats::notation;
use formats::pgn::{Record, Tags, Variation};

/// A move out of turn, by its squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Premove {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Role>,
}

impl PlayablePosition for Position {
    type Premove = Premove;

    const SIGNATURE: &'static str = SIGNATURE;
    const CLAIMS_WITH_MOVES: bool = true;

    fn standard_start() -> Self {
        Self::default()
    }

    fn has_bare_king(&self, color: Color) -> bool {
        self.by_color(color) == self.pieces(color, Role::King)
    }

    fn premoved(&self, premove: Premove) -> Option<Move> {
        let Premove {
            from,
            to,
            promotion,
        } = premove;
        self.find_move(from, to, promotion).ok()
    }

    fn draw_report(game: &Game) -> Option<String> {
        Some(game.draw_report().to_string())
    }

    fn write_move(&self, mv: Move) -> String {
        mv.uci(self.variant()).to_string()
    }

    fn read_move(&self, text: &str) -> Result<Move, LineError> {
        Ok(self.move_from_uci(text)?)
    }

    fn heading(&self, side: Side) -> Vec<String> {
        let name = match self.variant() {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
        };
        vec![format!(
            "begin {name} {side} {}",
            notation::fen(self, self.variant())
        )]
    }

    fn read_heading(&self, _: Side, line: &str) -> Result<Option<(Self, Side)>, LineError> {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let ["begin", variant, side, fen] = words[..] else {
            return Ok(None);
        };
        let variant = match variant {
            "standard" => Variant::Standard,
            "chess960" => Variant::Chess960,
            _ => return Ok(None),
        };
        let Ok(side) = side.parse() else {
            return Ok(None);
        };
        Ok(Some((Self::from_fen(fen, variant)?, side)))
    }
}

impl GameState {
    /// The game of a PGN record, with the user's side, the clocks and the strength of another game.
    /// Fails with the number of a move where the record continues after the rules have ended the
    /// game.
    pub fn from_pgn(record: &Record, other: &Self) -> Result<Self, (usize, ActionRejected)> {
        let state = other.next_game(record.start, other.side);
        let mut state = state.map_err(|error| (1, error))?;
        // A saved game has the name up to the first blank.
        let tags = record.tags.iter().filter(|(name, _)| !name.contains(' '));
        let tags = tags.map(|(name, value)| Action::Tag(name.to_owned(), value.to_owned()));
        let moves = record.main_line.moves.iter().map_while(|node| {
            Some(Action::Move {
                mv: node.mv?,
                clock: node.comment.clock,
                time: None,
            })
        });
        // A move ends what is said of the moves before.
        for action in moves.chain(tags).chain([Action::Result(record.result)]) {
            let number = state.game.moves().len() + 1;
            state.apply(&action).map_err(|error| (number, error))?;
        }
        Ok(state)
    }

    /// The game as PGN: the one a claim has just ended, or the current one. The players are named
    /// unless the game was loaded from PGN.
    pub fn pgn(&self, white: &str, black: &str) -> String {
        self.record(white, black).pgn()
    }

    /// The game of `pgn` as a record.
    pub fn record(&self, white: &str, black: &str) -> Record {
        let (game, clocks) = self.played();
        let mut record = Record {
            main_line: Variation::new(game.moves()),
            tags: self.tags().clone(),
            ..Record::new(*game.start())
        };
        for (node, clock) in record.main_line.moves.iter_mut().zip(clocks) {
            node.comment.clock = *clock;
        }
        if *self.tags() == Tags::default() {
            let begun = self.times().first().copied().flatten();
            let date = begun.unwrap_or_else(Utc::now).with_timezone(&Local);
            for (name, value) in [
                ("Event", "Casual game"),
                ("Date", &date.format("%Y.%m.%d").to_string()),
                ("Round", "-"),
                ("White", white),
                ("Black", black),
            ] {
                record.tags.set(name, value);
            }
            let control = self.control().map(|control| control.to_string());
            record
                .tags
                .set("TimeControl", control.unwrap_or_else(|| "-".to_owned()));
        }
        let ending = self.ending();
        if let Some((_, result)) = &ending {
            record.result = *result;
        }
        let termination = match (self.end(), &ending) {
            // As the tags of that game have it.
            (Some(End::Recorded(_)), _) => return record,
            (Some(End::Flagged(_)), _) => "time forfeit",
            (_, Some(_)) => "normal",
            (_, None) => "unterminated",
        };
        record.tags.set("Termination", termination);
        if let Some((words, _)) = ending {
            let intended = self.claimed().and_then(|claimed| claimed.intended);
            record.main_line.last_comment().text = match intended {
                Some(mv) => format!("{words} with {}", game.position().san(mv)),
                None => words,
            };
        }
        record
    }
}
