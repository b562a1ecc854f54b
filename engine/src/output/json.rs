//! What a search found of a position, in the shapes it has in JSON.

use std::fmt;
use std::time::Duration;

use movegen::{Color, Game, Move, Position, Variant};
use search::{Bound, Info};
use serde::{Serialize, Serializer};

/// For the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Score {
    /// 100 is an even chance to win.
    Cp(i32),
    /// Moves to mate; negative when the side to move is mated, 0 when it is so already.
    Mate(i32),
}

impl Score {
    pub(crate) fn of(info: &Info) -> Score {
        match info.score.mate_distance() {
            Some(moves) => Score::Mate(moves),
            None => Score::Cp(info.centipawns),
        }
    }
}

/// As UCI writes it.
impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(centipawns) => write!(out, "cp {centipawns}"),
            Score::Mate(moves) => write!(out, "mate {moves}"),
        }
    }
}

/// What a score leaves open, if anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Open {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl Open {
    pub(crate) fn of(bound: Bound) -> Option<Open> {
        match bound {
            Bound::Exact => None,
            Bound::Lower => Some(Open::Lower),
            Bound::Upper => Some(Open::Upper),
        }
    }

    /// As UCI says it behind a score.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Open::Lower => " lowerbound",
            Open::Upper => " upperbound",
        }
    }
}

/// A line of play and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Line {
    pub(crate) score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<Open>,
    /// Chances to win, draw and lose, in thousandths.
    pub(crate) wdl: [u32; 3],
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) pv: Vec<String>,
    pub(crate) san: Vec<String>,
}

impl Line {
    pub(crate) fn new(info: &Info, position: &Position, notation: Variant) -> Line {
        let chances = info.chances;
        Line {
            score: Score::of(info),
            bound: Open::of(info.bound),
            wdl: [chances.win, chances.draw, chances.loss],
            depth: info.depth,
            seldepth: info.selective_depth,
            pv: info
                .pv
                .iter()
                .map(|mv| mv.uci(notation).to_string())
                .collect(),
            san: san(position, &info.pv),
        }
    }

    /// Of a position without a legal move.
    pub(crate) fn at_the_end(position: &Position) -> Line {
        let (score, wdl) = match position.in_check() {
            true => (Score::Mate(0), [0, 0, 1000]),
            false => (Score::Cp(0), [0, 1000, 0]),
        };
        Line {
            score,
            bound: None,
            wdl,
            depth: 0,
            seldepth: 0,
            pv: Vec::new(),
            san: Vec::new(),
        }
    }
}

/// Moves one after the other, as people write them.
pub(crate) fn san(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut game = Game::new(*position);
    let mut written = Vec::with_capacity(moves.len());
    for &mv in moves {
        written.push(game.position().san(mv));
        if game.push(mv).is_err() {
            break;
        }
    }
    written
}

/// The number of the next move, as people write it.
pub(crate) fn number(position: &Position) -> String {
    let number = position.fullmove_number();
    match position.side_to_move() {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}..."),
    }
}

/// Moves with their numbers, as far as they are legal.
pub(crate) fn numbered(start: &Position, moves: impl IntoIterator<Item = Move>) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for mv in moves {
        let Some(next) = position.try_play(mv) else {
            break;
        };
        if words.is_empty() || position.side_to_move() == Color::White {
            words.push(number(&position));
        }
        words.push(position.san(mv));
        position = next;
    }
    words.join(" ")
}

/// How long something took, in JSON.
pub(crate) fn milliseconds<S: Serializer>(
    time: &Option<Duration>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => to.serialize_u128(time.as_millis()),
        None => to.serialize_none(),
    }
}

/// How a FEN is written.
pub(crate) fn fen(position: &Position, notation: Variant) -> String {
    match notation {
        Variant::Standard => position.fen(),
        Variant::Chess960 => position.shredder_fen(),
    }
}
