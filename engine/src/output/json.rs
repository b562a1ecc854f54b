//! What a search found, in JSON.

use std::fmt;
use std::time::Duration;

use movegen::{Position, Variant};
use search::{Bound, Info};
use serde::{Serialize, Serializer};

use game::notation;

/// A score for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JsonScore {
    /// Centipawns; 100 is an even chance to win.
    Cp(i32),
    /// Moves to mate: negative when the side to move is mated, 0 when it is checkmate.
    Mate(i32),
}

impl JsonScore {
    pub(crate) fn of(info: &Info) -> JsonScore {
        match info.score.mate_distance() {
            Some(moves) => JsonScore::Mate(moves),
            None => JsonScore::Cp(info.centipawns),
        }
    }
}

/// As in UCI's `info score`.
impl fmt::Display for JsonScore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonScore::Cp(centipawns) => write!(out, "cp {centipawns}"),
            JsonScore::Mate(moves) => write!(out, "mate {moves}"),
        }
    }
}

/// The bound that a score is, if it is not exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JsonBound {
    Lower,
    Upper,
}

impl JsonBound {
    pub(crate) fn of(bound: Bound) -> Option<JsonBound> {
        match bound {
            Bound::Exact => None,
            Bound::Lower => Some(JsonBound::Lower),
            Bound::Upper => Some(JsonBound::Upper),
        }
    }

    /// As in UCI's `info score`, with a space in front.
    pub(crate) fn uci(self) -> &'static str {
        match self {
            JsonBound::Lower => " lowerbound",
            JsonBound::Upper => " upperbound",
        }
    }
}

/// A principal variation and its score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct JsonLine {
    pub(crate) score: JsonScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<JsonBound>,
    /// The chances to win, draw and lose, in permille.
    pub(crate) wdl: [u32; 3],
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) pv: Vec<String>,
    pub(crate) san: Vec<String>,
}

impl JsonLine {
    pub(crate) fn new(info: &Info, position: &Position, variant: Variant) -> JsonLine {
        let chances = info.chances;
        let pv = info.pv.iter();
        JsonLine {
            score: JsonScore::of(info),
            bound: JsonBound::of(info.bound),
            wdl: [chances.win, chances.draw, chances.loss],
            depth: info.depth,
            seldepth: info.selective_depth,
            pv: pv.map(|mv| mv.uci(variant).to_string()).collect(),
            san: notation::san_moves(position, info.pv.iter().copied()),
        }
    }

    /// The line of a position without legal moves.
    pub(crate) fn game_over(position: &Position) -> JsonLine {
        let (score, wdl) = match position.in_check() {
            true => (JsonScore::Mate(0), [0, 0, 1000]),
            false => (JsonScore::Cp(0), [0, 1000, 0]),
        };
        JsonLine {
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

/// Serializes a duration as whole milliseconds.
pub(crate) fn milliseconds<S: Serializer>(
    time: &Option<Duration>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => to.serialize_u128(time.as_millis()),
        None => to.serialize_none(),
    }
}
