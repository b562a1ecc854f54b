//! `go`: what a search was asked for, as data. What the limits mean for a clock, and whether a
//! move exists, is decided elsewhere.
//!
//! Every key is read by itself and the results are merged, because the grammar keeps only one
//! of several kinds of limit. Any order and combination is fine; of a repeated key the last wins.

use std::time::Duration;

use vampirc_uci::{UciMessage, UciSearchControl, UciTimeControl};

use super::position::settle_case;
use super::{Command, grammar};
use crate::text::whole_number;
use crate::uci::error::UciError;
use common::excerpt;

/// The limits of one search; what was not said is `None` or false.
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
    /// The moves as they were typed, legal or not; empty if the word stood there alone.
    pub searchmoves: Option<Vec<String>>,
    pub perft: Option<u32>,
}

/// Times longer than this, about thirty years, are cut to it, so that sums of times and
/// moments cannot overflow.
const LONGEST_TIME_MS: u64 = 999_999_999_999;

/// So many digits of `depth`, `mate` and `movestogo` the grammar reads without fail: from 256
/// on it panics.
const SAFE_DIGITS: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Depth,
    Nodes,
    MoveTime,
    WhiteTime,
    BlackTime,
    WhiteIncrement,
    BlackIncrement,
    MovesToGo,
    Mate,
    Perft,
    Infinite,
    Ponder,
    SearchMoves,
}

const KEYS: [(&str, Key); 13] = [
    ("depth", Key::Depth),
    ("nodes", Key::Nodes),
    ("movetime", Key::MoveTime),
    ("wtime", Key::WhiteTime),
    ("btime", Key::BlackTime),
    ("winc", Key::WhiteIncrement),
    ("binc", Key::BlackIncrement),
    ("movestogo", Key::MovesToGo),
    ("mate", Key::Mate),
    ("infinite", Key::Infinite),
    ("ponder", Key::Ponder),
    ("searchmoves", Key::SearchMoves),
    ("perft", Key::Perft),
];

pub(super) fn parse(words: &[&str]) -> Result<Command, UciError> {
    let mut request = GoRequest::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let Some((name, key)) = key(word) else {
            return Err(UciError::GoToken {
                token: excerpt(word),
                known: KEYS.iter().map(|(name, _)| *name).collect(),
            });
        };
        match key {
            Key::Infinite => request.infinite = true,
            Key::Ponder => request.ponder = true,
            Key::SearchMoves => {
                let mut moves = Vec::new();
                while let Some(word) = words.next_if(|word| self::key(word).is_none()) {
                    moves.push(settle_case(word));
                }
                request.searchmoves = Some(moves);
            }
            _ => {
                let text = words.next().unwrap_or_default();
                let number = number(name, key, text).ok_or_else(|| UciError::GoValue {
                    key: name,
                    wanted: key.wanted(),
                    text: excerpt(text),
                })?;
                request.set(key, number);
            }
        }
    }
    Ok(Command::Go(request))
}

fn key(word: &str) -> Option<(&'static str, Key)> {
    KEYS.into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
}

impl Key {
    fn is_time(self) -> bool {
        matches!(
            self,
            Key::MoveTime
                | Key::WhiteTime
                | Key::BlackTime
                | Key::WhiteIncrement
                | Key::BlackIncrement
        )
    }

    /// Whether the grammar would read the value into eight bits.
    fn is_narrow(self) -> bool {
        matches!(self, Key::Depth | Key::Mate | Key::MovesToGo)
    }

    fn wanted(self) -> &'static str {
        if self.is_time() {
            "a whole number of milliseconds"
        } else {
            "a whole number, 0 or more"
        }
    }
}

/// The value of a key, none below zero: a clock that has run out shows less than nothing, and
/// must be played on.
fn number(name: &str, key: Key, text: &str) -> Option<u64> {
    let fits = !key.is_narrow() || text.len() <= SAFE_DIGITS;
    let value = fits
        .then(|| grammar_number(name, key, text))
        .flatten()
        .or_else(|| whole_number(text))?;
    if key.is_time() {
        Some(u64::try_from(value).unwrap_or(0))
    } else {
        u64::try_from(value).ok()
    }
}

/// What the grammar reads for one key and its value standing alone; `None` for what it does
/// not know or cannot hold.
fn grammar_number(name: &str, key: Key, text: &str) -> Option<i64> {
    let UciMessage::Go {
        time_control,
        search_control,
    } = grammar::read(&format!("go {name} {text}"))?
    else {
        return None;
    };
    match (time_control, search_control) {
        (Some(UciTimeControl::MoveTime(time)), None) if key == Key::MoveTime => {
            Some(time.num_milliseconds())
        }
        (
            Some(UciTimeControl::TimeLeft {
                white_time,
                black_time,
                white_increment,
                black_increment,
                moves_to_go,
            }),
            None,
        ) => {
            let time = match key {
                Key::WhiteTime => white_time,
                Key::BlackTime => black_time,
                Key::WhiteIncrement => white_increment,
                Key::BlackIncrement => black_increment,
                Key::MovesToGo => return moves_to_go.map(i64::from),
                _ => None,
            };
            time.map(|time| time.num_milliseconds())
        }
        (
            None,
            Some(UciSearchControl {
                depth, mate, nodes, ..
            }),
        ) => match key {
            Key::Depth => depth.map(i64::from),
            Key::Mate => mate.map(i64::from),
            Key::Nodes => i64::try_from(nodes?).ok(),
            _ => None,
        },
        _ => None,
    }
}

impl GoRequest {
    fn set(&mut self, key: Key, number: u64) {
        let time = Some(Duration::from_millis(number.min(LONGEST_TIME_MS)));
        let count = Some(u32::try_from(number).unwrap_or(u32::MAX));
        match key {
            Key::Depth => self.depth = count,
            Key::Nodes => self.nodes = Some(number),
            Key::MoveTime => self.movetime = time,
            Key::WhiteTime => self.wtime = time,
            Key::BlackTime => self.btime = time,
            Key::WhiteIncrement => self.winc = time,
            Key::BlackIncrement => self.binc = time,
            Key::MovesToGo => self.movestogo = count,
            Key::Mate => self.mate = count,
            Key::Perft => self.perft = count,
            Key::Infinite | Key::Ponder | Key::SearchMoves => {}
        }
    }
}

#[cfg(test)]
mod tests;
