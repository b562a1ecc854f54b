//! Output in JSON, whose format docs/schemas states, and the result of a search in it.

use movegen::Position;
use search::Info;
use serde::Serialize;

use crate::output::score::{UciBound, UciScore};
use formats::notation;

/// The version of the format; a new one is needed when a key vanishes or its meaning changes, not
/// when one is added.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    value: &'a T,
}

/// An object in JSON for other programs, with the version of the format.
pub(crate) fn versioned(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Versioned {
        version: VERSION,
        value,
    })
}

/// A value as a line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// A principal variation and its score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct JsonLine {
    pub(crate) score: UciScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<UciBound>,
    /// The chances to win, draw and lose, in permille.
    pub(crate) wdl: [u32; 3],
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) pv: Vec<String>,
    pub(crate) san: Vec<String>,
}

impl JsonLine {
    pub(crate) fn new(info: &Info, position: &Position) -> Self {
        let chances = info.chances;
        let pv = info.pv.iter();
        Self {
            score: UciScore::of(info),
            bound: UciBound::of(info.bound),
            wdl: [chances.win, chances.draw, chances.loss],
            depth: info.depth,
            seldepth: info.selective_depth,
            pv: pv
                .map(|mv| mv.uci(position.variant()).to_string())
                .collect(),
            san: notation::san_moves(position, info.pv.iter().copied()),
        }
    }

    /// The line of a position without legal moves.
    pub(crate) fn game_over(position: &Position) -> Self {
        let mated = position.in_check();
        Self {
            score: UciScore::of_end(mated),
            bound: None,
            wdl: if mated { [0, 0, 1000] } else { [0, 1000, 0] },
            depth: 0,
            seldepth: 0,
            pv: Vec::new(),
            san: Vec::new(),
        }
    }
}
