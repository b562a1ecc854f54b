//! `go`: the limits of a search as typed, and as the search takes them.
//!
//! Keys come in any combination and order; of a repeated key the last counts. What cannot be read
//! is ignored, as the protocol demands, so that every `go` is answered.

use std::iter::Peekable;
use std::time::Duration;

use movegen::{Color, Move};
use search::{Limits, PlayerClock};
use thiserror::Error;

use common::excerpt;
use common::words::{did_you_mean, found, nearest, whole_number};
use formats::uci_position::without_number;

/// The reason a part of the arguments of `go` is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GoError {
    #[error("expected {expected} after 'go {key}', found {}", found(.text))]
    Value {
        key: &'static str,
        expected: &'static str,
        text: String,
    },

    #[error(
        "unknown limit '{word}' for 'go'{}; the limits are {}",
        did_you_mean(&nearest(.word, KEYS)),
        KEYS.join(", ")
    )]
    UnknownKey { word: String },
}

/// The limits of one search; `None` or false for those not given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoRequest {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub movetime: Option<Duration>,
    pub wtime: Option<Duration>,
    pub btime: Option<Duration>,
    pub winc: Option<Duration>,
    pub binc: Option<Duration>,
    pub movestogo: Option<u32>,
    pub mate: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    /// The moves as typed, legal or not; empty if none follow the word.
    pub searchmoves: Option<Vec<String>>,
    pub perft: Option<u32>,
    /// The parts that could not be read.
    pub ignored: Vec<GoError>,
}

/// About thirty years. Longer times are cut to it, so that sums of times cannot overflow.
const MAX_TIME_MS: u64 = 999_999_999_999;

const KEYS: [&str; 13] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

impl GoRequest {
    pub(super) fn parse(words: &[&str]) -> Self {
        let mut request = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            if let Err(error) = request.set(word, &mut words) {
                request.ignored.push(error);
            }
        }
        request
    }

    /// Reads the value of a key, if it has one.
    fn set<'a>(
        &mut self,
        word: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<(), GoError> {
        let Some(key) = key(word) else {
            // A number would be the value of the unknown key.
            words.next_if(|word| decimal(word).is_some());
            let word = excerpt(word);
            return Err(GoError::UnknownKey { word });
        };
        let mut value = || match words.next_if(|word| self::key(word).is_none()) {
            Some(value) => value,
            None => words.peek().copied().unwrap_or_default(),
        };
        match key {
            "depth" => self.depth = Some(count(key, value())?),
            "nodes" => self.nodes = Some(number(key, value())?),
            "movetime" => self.movetime = Some(time(key, value())?),
            "wtime" => self.wtime = Some(time(key, value())?),
            "btime" => self.btime = Some(time(key, value())?),
            "winc" => self.winc = Some(time(key, value())?),
            "binc" => self.binc = Some(time(key, value())?),
            "movestogo" => self.movestogo = Some(count(key, value())?),
            "mate" => self.mate = Some(count(key, value())?),
            "perft" => self.perft = Some(count(key, value())?),
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            _ => {
                let mut moves = Vec::new();
                while let Some(word) = words.next_if(|word| self::key(word).is_none()) {
                    moves.push(without_number(word).to_owned());
                }
                moves.retain(|text| !text.is_empty());
                self.searchmoves = Some(moves);
            }
        }
        Ok(())
    }

    /// The limits of the search. Without any it lasts until `stop`; a depth, a number of nodes or
    /// of moves to mate is at least 1.
    pub(super) fn limits(&self, side_to_move: Color, search_moves: Vec<Move>) -> Limits {
        let mut limits = Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            soft_nodes: None,
            move_time: self.movetime,
            clocks: self.clocks(side_to_move),
            moves_to_go: self.movestogo,
            mate: self.mate.map(|moves| moves.max(1)),
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
        };
        if !is_limited(&limits) && !limits.ponder {
            limits.infinite = true;
        }
        limits
    }

    /// The side to move has a clock if anything was said about time: where its own is missing, the
    /// opponent's, or its increment alone. Playing without one would lose on time.
    fn clocks(&self, side_to_move: Color) -> [PlayerClock; 2] {
        let clock = |remaining: Option<Duration>, increment: Option<Duration>| PlayerClock {
            remaining,
            increment: increment.unwrap_or_default(),
        };
        let mut clocks = [clock(self.wtime, self.winc), clock(self.btime, self.binc)];
        let [white, black] = &mut clocks;
        let (own, other) = match side_to_move {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        if own.remaining.is_none() {
            let increment = (!own.increment.is_zero()).then_some(own.increment);
            own.remaining = other.remaining.or(increment);
        }
        clocks
    }
}

/// True if anything but `stop` ends such a search.
pub(super) fn is_limited(limits: &Limits) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.move_time.is_some()
        || limits.mate.is_some()
        || limits.clocks.iter().any(|clock| clock.remaining.is_some())
}

fn key(word: &str) -> Option<&'static str> {
    KEYS.into_iter().find(|key| key.eq_ignore_ascii_case(word))
}

/// A whole number, or a decimal without its fraction.
fn decimal(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let number = whole_number(whole)?;
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_fraction.then_some(number)
}

fn number(key: &'static str, text: &str) -> Result<u64, GoError> {
    let number = decimal(text).and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| GoError::Value {
        key,
        expected: "a whole number, 0 or more",
        text: excerpt(text),
    })
}

fn count(key: &'static str, text: &str) -> Result<u32, GoError> {
    Ok(u32::try_from(number(key, text)?).unwrap_or(u32::MAX))
}

/// Negative times, as of a clock that has run out, count as 0.
fn time(key: &'static str, text: &str) -> Result<Duration, GoError> {
    let ms = decimal(text).ok_or_else(|| GoError::Value {
        key,
        expected: "a whole number of milliseconds",
        text: excerpt(text),
    })?;
    let ms = u64::try_from(ms).unwrap_or(0);
    Ok(Duration::from_millis(ms.min(MAX_TIME_MS)))
}

#[cfg(test)]
mod tests;
