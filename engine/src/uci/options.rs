//! The options: one table with the name, kind, default, range and effect of each. The `uci` and
//! `setoption` commands, `--option` on the command line and the tests of the documents read it,
//! so that a new option is one row (and a field of [`Config`], if it has a value).

use std::env;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use search::TablebaseUse;
use thiserror::Error;

use crate::NAME;
use crate::memory::available_mebibytes;
use crate::seed::MAX_SEED;
use crate::strength::{DEFAULT_ELO, MAX_ELO, MAX_SKILL, MIN_ELO};
use crate::text::whole_number;
use common::excerpt;

/// The values of the options.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// In MiB.
    pub hash: usize,
    pub threads: usize,
    pub multi_pv: usize,
    pub move_overhead: Duration,
    /// Directories with tablebases.
    pub syzygy_path: Vec<PathBuf>,
    pub tablebases: TablebaseUse,
    pub own_book: bool,
    pub book_file: Option<PathBuf>,
    /// The last full move for which the book is probed.
    pub book_depth: u32,
    pub book_best: bool,
    pub book_seed: u32,
    pub limit_strength: bool,
    pub elo: u32,
    pub skill_level: u32,
    pub strength_seed: u32,
    pub chess960: bool,
    pub show_wdl: bool,
    pub analyse_mode: bool,
    /// `None` for the built-in network.
    pub eval_file: Option<PathBuf>,
    pub debug_log_file: Option<PathBuf>,
}

/// What has to be done when an option has got a new value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The next search reads the value.
    Nothing,
    ResizeHash,
    ClearHash,
    StartThreads,
    LoadNetwork,
    LoadTablebases,
    OpenBook,
    SeedBook,
    SeedStrength,
    OpenDebugLog,
    /// Nothing, but a running search would read the value.
    #[cfg(feature = "tune")]
    Tune,
}

impl Effect {
    /// Whether it has to wait for the end of a running search.
    pub fn needs_idle_search(self) -> bool {
        match self {
            Effect::ResizeHash
            | Effect::ClearHash
            | Effect::StartThreads
            | Effect::LoadNetwork
            | Effect::LoadTablebases => true,
            #[cfg(feature = "tune")]
            Effect::Tune => true,
            _ => false,
        }
    }
}

/// Why an option keeps its value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("unknown option '{name}'; the options are {}", known.join(", "))]
    Unknown {
        name: String,
        known: Vec<&'static str>,
    },

    #[error(
        "invalid value '{text}' for option {name}: expected a whole number from {min} to {max}"
    )]
    NotANumber {
        name: &'static str,
        text: String,
        min: i64,
        max: i64,
    },

    #[error("value {text} for option {name} is out of range: expected {min} to {max}")]
    OutOfRange {
        name: &'static str,
        text: String,
        min: i64,
        max: i64,
    },

    #[error("invalid value '{text}' for option {name}: expected true or false")]
    NotABool { name: &'static str, text: String },

    #[error("option {name} is a button and takes no value, but '{text}' was given")]
    ButtonValue { name: &'static str, text: String },
}

/// The UCI notation for an empty string.
const EMPTY: &str = "<empty>";

/// No position has more legal moves.
const MAX_MULTI_PV: u32 = 218;
const MAX_THREADS: u32 = 1024;
const MIN_HASH: u32 = 1;
const DEFAULT_HASH: u32 = 16;
/// No tablebases with more pieces have been generated.
const MAX_TABLEBASE_PIECES: u32 = 7;

/// The kind of an option, and how a value is stored.
#[derive(Debug)]
enum Kind {
    Check {
        default: bool,
        set: fn(&mut Config, bool),
    },
    Spin {
        default: u32,
        range: RangeInclusive<u32>,
        set: fn(&mut Config, u32),
    },
    String {
        default: &'static str,
        set: fn(&mut Config, &str),
    },
    Button,
    /// A search parameter, which is not stored in [`Config`].
    #[cfg(feature = "tune")]
    Tunable(search::params::Param),
}

#[derive(Debug)]
struct Row {
    name: &'static str,
    kind: Kind,
    effect: Effect,
    /// Changes how positions are searched outside a session too, so that `--option` takes it.
    analysis: bool,
}

/// All options, in the order in which they are listed.
#[derive(Debug)]
pub struct OptionTable {
    rows: Vec<Row>,
}

/// A valid new value for an option.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The option's name as the table has it.
    pub name: &'static str,
    pub effect: Effect,
    /// Whether commands that analyse positions use the option.
    pub analysis: bool,
    value: Value,
}

#[derive(Debug, Clone)]
enum Value {
    Check(bool, fn(&mut Config, bool)),
    Spin(u32, fn(&mut Config, u32)),
    String(String, fn(&mut Config, &str)),
    Button,
    #[cfg(feature = "tune")]
    Tunable(i32),
}

impl OptionTable {
    /// The table where `Hash` may be at most `max_hash` MiB.
    pub fn new(max_hash: u32) -> OptionTable {
        let max_hash = max_hash.max(MIN_HASH);
        let default_hash = DEFAULT_HASH.min(max_hash);
        let hash_range = MIN_HASH..=max_hash;
        let pieces_range = 0..=MAX_TABLEBASE_PIECES;
        // The closures store a value `v` in a configuration `c`.
        let rows = vec![
            spin("Hash", default_hash, hash_range, |c, v| c.hash = v as usize)
                .then(Effect::ResizeHash)
                .in_analysis(),
            spin("Threads", 1, 1..=MAX_THREADS, |c, v| c.threads = v as usize)
                .then(Effect::StartThreads)
                .in_analysis(),
            // GUIs announce pondering with it; `go ponder` starts it.
            check("Ponder", false, |_, _| {}),
            spin("MultiPV", 1, 1..=MAX_MULTI_PV, |c, v| {
                c.multi_pv = v as usize
            }),
            spin("Move Overhead", 10, 0..=5000, |c, v| {
                c.move_overhead = milliseconds(v)
            }),
            button("Clear Hash").then(Effect::ClearHash),
            string("SyzygyPath", "", |c, v| c.syzygy_path = directories(v))
                .then(Effect::LoadTablebases)
                .in_analysis(),
            spin("SyzygyProbeDepth", 1, 1..=100, |c, v| {
                c.tablebases.depth = v
            })
            .in_analysis(),
            spin(
                "SyzygyProbeLimit",
                MAX_TABLEBASE_PIECES,
                pieces_range,
                |c, v| c.tablebases.max_pieces = v,
            )
            .in_analysis(),
            check("Syzygy50MoveRule", true, |c, v| {
                c.tablebases.fifty_moves = v
            })
            .in_analysis(),
            check("OwnBook", false, |c, v| c.own_book = v),
            string("BookFile", "", |c, v| c.book_file = path(v)).then(Effect::OpenBook),
            spin("BookDepth", 255, 1..=999, |c, v| c.book_depth = v),
            check("BookBest", false, |c, v| c.book_best = v),
            spin("BookSeed", 0, 0..=MAX_SEED, |c, v| c.book_seed = v).then(Effect::SeedBook),
            check("UCI_LimitStrength", false, |c, v| c.limit_strength = v),
            spin("UCI_Elo", DEFAULT_ELO, MIN_ELO..=MAX_ELO, |c, v| c.elo = v),
            spin("Skill Level", MAX_SKILL, 0..=MAX_SKILL, |c, v| {
                c.skill_level = v
            }),
            spin("StrengthSeed", 0, 0..=MAX_SEED, |c, v| c.strength_seed = v)
                .then(Effect::SeedStrength),
            check("UCI_Chess960", false, |c, v| c.chess960 = v).in_analysis(),
            check("UCI_ShowWDL", false, |c, v| c.show_wdl = v),
            check("UCI_AnalyseMode", false, |c, v| c.analyse_mode = v),
            // Information for the engine, and about it, that changes nothing.
            string("UCI_Opponent", "", |_, _| {}),
            string("UCI_EngineAbout", NAME, |_, _| {}),
            string("EvalFile", "", |c, v| c.eval_file = path(v))
                .then(Effect::LoadNetwork)
                .in_analysis(),
            string("Debug Log File", "", |c, v| c.debug_log_file = path(v))
                .then(Effect::OpenDebugLog),
        ];
        #[cfg(feature = "tune")]
        let rows = rows.into_iter().chain(tunables()).collect();
        OptionTable { rows }
    }

    /// The table where `Hash` may take all available memory.
    pub fn for_this_machine() -> OptionTable {
        OptionTable::new(available_mebibytes())
    }

    /// Checks a value for an option, whose name may be in any case.
    pub fn parse(&self, name: &str, value: &str) -> Result<Assignment, OptionError> {
        let row = self
            .rows
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown {
                name: excerpt(name),
                known: self.names().collect(),
            })?;
        Ok(row.assign(row.parse(value)?))
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.rows.iter().map(|row| row.name)
    }

    /// The `option name …` lines in the answer to `uci`.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.rows.iter().map(ToString::to_string)
    }

    /// Every option at its default.
    pub fn default_config(&self) -> Config {
        let mut config = Config::default();
        for row in &self.rows {
            row.assign(row.default()).apply(&mut config);
        }
        config
    }
}

impl Assignment {
    pub fn apply(&self, config: &mut Config) {
        match &self.value {
            Value::Check(on, set) => set(config, *on),
            Value::Spin(number, set) => set(config, *number),
            Value::String(text, set) => set(config, text),
            Value::Button => {}
            #[cfg(feature = "tune")]
            Value::Tunable(value) => {
                let row = search::params::table()
                    .into_iter()
                    .find(|row| row.name == self.name);
                if let Some(row) = row {
                    row.set(*value);
                }
            }
        }
    }
}

fn check(name: &'static str, default: bool, set: fn(&mut Config, bool)) -> Row {
    Row::new(name, Kind::Check { default, set })
}

fn spin(
    name: &'static str,
    default: u32,
    range: RangeInclusive<u32>,
    set: fn(&mut Config, u32),
) -> Row {
    let kind = Kind::Spin {
        default,
        range,
        set,
    };
    Row::new(name, kind)
}

fn string(name: &'static str, default: &'static str, set: fn(&mut Config, &str)) -> Row {
    Row::new(name, Kind::String { default, set })
}

fn button(name: &'static str) -> Row {
    Row::new(name, Kind::Button)
}

#[cfg(feature = "tune")]
fn tunables() -> impl Iterator<Item = Row> {
    search::params::table().into_iter().map(|param| {
        Row::new(param.name, Kind::Tunable(param))
            .then(Effect::Tune)
            .in_analysis()
    })
}

/// The lines that answer `tune`: name, default, smallest and largest value, and step of each
/// search parameter.
#[cfg(feature = "tune")]
pub(crate) fn tune_lines() -> impl Iterator<Item = String> {
    search::params::table().into_iter().map(|row| {
        let (name, default, min, max) = (row.name, row.default, row.min, row.max);
        format!("info string tune {name} {default} {min} {max} {}", row.step)
    })
}

fn milliseconds(number: u32) -> Duration {
    Duration::from_millis(number.into())
}

/// No file if the text is empty.
fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// Directories separated as in the platform's search paths: by `:`, on Windows by `;`.
fn directories(text: &str) -> Vec<PathBuf> {
    env::split_paths(text)
        .filter(|directory| !directory.as_os_str().is_empty())
        .collect()
}

impl Row {
    fn new(name: &'static str, kind: Kind) -> Row {
        Row {
            name,
            kind,
            effect: Effect::Nothing,
            analysis: false,
        }
    }

    fn then(self, effect: Effect) -> Row {
        Row { effect, ..self }
    }

    fn in_analysis(self) -> Row {
        Row {
            analysis: true,
            ..self
        }
    }

    fn assign(&self, value: Value) -> Assignment {
        Assignment {
            name: self.name,
            effect: self.effect,
            analysis: self.analysis,
            value,
        }
    }

    fn default(&self) -> Value {
        match &self.kind {
            Kind::Check { default, set } => Value::Check(*default, *set),
            Kind::Spin { default, set, .. } => Value::Spin(*default, *set),
            Kind::String { default, set } => Value::String((*default).to_owned(), *set),
            Kind::Button => Value::Button,
            #[cfg(feature = "tune")]
            Kind::Tunable(param) => Value::Tunable(param.default),
        }
    }

    fn parse(&self, text: &str) -> Result<Value, OptionError> {
        let name = self.name;
        match &self.kind {
            Kind::Check { set, .. } => {
                if text.eq_ignore_ascii_case("true") {
                    Ok(Value::Check(true, *set))
                } else if text.eq_ignore_ascii_case("false") {
                    Ok(Value::Check(false, *set))
                } else {
                    let text = excerpt(text);
                    Err(OptionError::NotABool { name, text })
                }
            }
            Kind::Spin { range, set, .. } => {
                let (min, max) = (*range.start(), *range.end());
                let number = self.number(text, min.into(), max.into())?;
                Ok(Value::Spin(u32::try_from(number).unwrap_or(max), *set))
            }
            Kind::String { set, .. } => {
                let empty = text.eq_ignore_ascii_case(EMPTY);
                let text = if empty { "" } else { text };
                Ok(Value::String(text.to_owned(), *set))
            }
            Kind::Button if text.is_empty() => Ok(Value::Button),
            Kind::Button => {
                let text = excerpt(text);
                Err(OptionError::ButtonValue { name, text })
            }
            #[cfg(feature = "tune")]
            Kind::Tunable(param) => {
                let number = self.number(text, param.min.into(), param.max.into())?;
                Ok(Value::Tunable(i32::try_from(number).unwrap_or(param.max)))
            }
        }
    }

    fn number(&self, value: &str, min: i64, max: i64) -> Result<i64, OptionError> {
        let (name, text) = (self.name, excerpt(value));
        match whole_number(value) {
            Some(number) if (min..=max).contains(&number) => Ok(number),
            Some(_) => Err(OptionError::OutOfRange {
                name,
                text,
                min,
                max,
            }),
            None => Err(OptionError::NotANumber {
                name,
                text,
                min,
                max,
            }),
        }
    }
}

/// As `uci` lists it.
impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default, .. } => write!(out, "check default {default}"),
            Kind::Spin { default, range, .. } => {
                let (min, max) = (range.start(), range.end());
                write!(out, "spin default {default} min {min} max {max}")
            }
            Kind::String { default: "", .. } => write!(out, "string default {EMPTY}"),
            Kind::String { default, .. } => write!(out, "string default {default}"),
            Kind::Button => write!(out, "button"),
            #[cfg(feature = "tune")]
            Kind::Tunable(param) => {
                let (default, min, max) = (param.default, param.min, param.max);
                write!(out, "spin default {default} min {min} max {max}")
            }
        }
    }
}

#[cfg(test)]
mod tests;
