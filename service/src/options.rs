//! The options: one table with the name, kind, default, range and effect of each. The `uci` and
//! `setoption` commands, `--option` on the command line, the settings of Castellan Board and the
//! tests of the documents read it, so that a new option is one row, and a field of [`Config`] or of
//! `SearchOptions` if it has a value.

use std::env;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use common::words::{did_you_mean, nearest, whole_number};
use common::{NAME, excerpt};
use search::SearchOptions;
use thiserror::Error;

use crate::seed::MAX_SEED;
use crate::strength::{DEFAULT_ELO, MAX_ELO, MAX_SKILL, MIN_ELO};

/// The values of the options.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// In MiB.
    pub hash: usize,
    pub threads: usize,
    /// Those of every search, which has limits of its own.
    pub search: SearchOptions,
    /// Directories with tablebases.
    pub syzygy_path: Vec<PathBuf>,
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

/// The work to do when an option is set.
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
    /// Nothing, but a running search must not see the change.
    #[cfg(feature = "tune")]
    Tune,
}

impl Effect {
    /// True if it has to wait for the end of a running search.
    pub fn needs_idle_search(self) -> bool {
        match self {
            Self::ResizeHash
            | Self::ClearHash
            | Self::StartThreads
            | Self::LoadNetwork
            | Self::LoadTablebases => true,
            #[cfg(feature = "tune")]
            Self::Tune => true,
            _ => false,
        }
    }
}

/// Reason why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("unknown option '{name}'{}", options(.nearest, .known))]
    Unknown {
        name: String,
        nearest: Vec<&'static str>,
        known: Vec<&'static str>,
    },

    #[error(
        "invalid value '{text}' for option {name}: expected a whole number from {min} to {max}"
    )]
    Number {
        name: &'static str,
        text: String,
        min: i64,
        max: i64,
    },

    #[error("invalid value '{text}' for option {name}: expected true or false")]
    Bool { name: &'static str, text: String },

    #[error("option {name} is a button and takes no value, but '{text}' was given")]
    Button { name: &'static str, text: String },
}

fn options(nearest: &[&str], known: &[&str]) -> String {
    match nearest {
        [] => format!("; the options are {}", known.join(", ")),
        _ => did_you_mean(nearest),
    }
}

/// The UCI notation for an empty string.
const EMPTY: &str = "<empty>";

/// No position has more legal moves.
const MAX_MULTI_PV: u32 = 218;
const MAX_THREADS: u32 = if cfg!(target_family = "wasm") {
    1
} else {
    1024
};
const MIN_HASH: u32 = 1;
const DEFAULT_HASH: u32 = 16;
/// The maximum of Stockfish.
const MAX_HASH: u32 = if cfg!(target_pointer_width = "64") {
    1 << 25
} else {
    1 << 11
};
/// No tablebases with more pieces have been generated.
const MAX_PIECES: u32 = 7;

/// A value of an option, and how it is stored.
#[derive(Debug, Clone)]
enum Value {
    Check(bool, fn(&mut Config, bool)),
    Spin {
        number: i64,
        range: RangeInclusive<i64>,
        set: SetNumber,
    },
    String(String, fn(&mut Config, &str)),
    Button,
}

#[derive(Debug, Clone)]
enum SetNumber {
    Config(fn(&mut Config, i64)),
    /// A search parameter is not stored in [`Config`].
    #[cfg(feature = "tune")]
    Param(search::params::Param),
}

/// The types of options, as UCI names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    Check,
    Spin { min: i64, max: i64 },
    String,
    Button,
}

/// An option with a valid value.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The option's name as the table has it.
    pub name: &'static str,
    pub effect: Effect,
    /// The option changes how positions are searched outside a session too, so that
    /// commands take it as `--option`.
    pub analysis: bool,
    /// The option's name among the settings of Castellan Board, if it is one.
    pub label: Option<&'static str>,
    value: Value,
}

/// Parses the value of an option on a command line, whose parser repeats the value in its message.
pub fn argument(name: &str, value: &str) -> Result<Assignment, String> {
    let assignment = OptionTable::default().parse(name, value);
    assignment.map_err(|error| match error {
        OptionError::Number { min, max, .. } => {
            format!("expected a whole number from {min} to {max}")
        }
        error => error.to_string(),
    })
}

/// All options with their defaults, in the order in which they are listed.
#[derive(Debug, Clone)]
pub struct OptionTable {
    pub(crate) rows: Vec<Assignment>,
}

/// The table does not depend on the machine, since programs store options and set them elsewhere.
/// Memory that is missing shows when it is allocated.
impl Default for OptionTable {
    fn default() -> Self {
        Self::new(MAX_HASH)
    }
}

impl OptionTable {
    /// The table where `Hash` may be at most `max_hash` MiB.
    pub fn new(max_hash: u32) -> Self {
        let max_hash = max_hash.max(MIN_HASH);
        let default_hash = DEFAULT_HASH.min(max_hash);
        // The closures store the value `v`, which is in the range, in the configuration `c`.
        let rows = vec![
            spin("Hash", default_hash, MIN_HASH, max_hash, |c, v| {
                c.hash = v as usize;
            })
            .then(Effect::ResizeHash)
            .in_analysis()
            .on_board("Hash table (MB)"),
            spin("Threads", 1, 1, MAX_THREADS, |c, v| c.threads = v as usize)
                .then(Effect::StartThreads)
                .in_analysis()
                .on_board("Threads"),
            // GUIs announce pondering with it; `go ponder` starts it.
            check("Ponder", false, |_, _| {}),
            spin("MultiPV", 1, 1, MAX_MULTI_PV, |c, v| {
                c.search.multi_pv = v as usize;
            }),
            spin("Move Overhead", 10, 0, 5000, |c, v| {
                c.search.move_overhead = Duration::from_millis(v as u64);
            }),
            button("Clear Hash").then(Effect::ClearHash),
            string("SyzygyPath", "", |c, v| c.syzygy_path = directories(v))
                .then(Effect::LoadTablebases)
                .in_analysis()
                .on_board("Syzygy tablebases"),
            spin("SyzygyProbeDepth", 1, 1, 100, |c, v| {
                c.search.tablebases.depth = v as u32;
            })
            .in_analysis(),
            spin("SyzygyProbeLimit", MAX_PIECES, 0, MAX_PIECES, |c, v| {
                c.search.tablebases.max_pieces = v as u32;
            })
            .in_analysis(),
            check("Syzygy50MoveRule", true, |c, v| {
                c.search.tablebases.fifty_moves = v;
            })
            .in_analysis(),
            check("OwnBook", false, |c, v| c.own_book = v),
            string("BookFile", "", |c, v| c.book_file = path(v))
                .then(Effect::OpenBook)
                .on_board("Polyglot book"),
            spin("BookDepth", 255, 1, 999, |c, v| c.book_depth = v as u32),
            check("BookBest", false, |c, v| c.book_best = v),
            spin("BookSeed", 0, 0, MAX_SEED, |c, v| c.book_seed = v as u32).then(Effect::SeedBook),
            check("UCI_LimitStrength", false, |c, v| c.limit_strength = v),
            spin("UCI_Elo", DEFAULT_ELO, MIN_ELO, MAX_ELO, |c, v| {
                c.elo = v as u32;
            }),
            spin("Skill Level", MAX_SKILL, 0, MAX_SKILL, |c, v| {
                c.skill_level = v as u32;
            }),
            spin("StrengthSeed", 0, 0, MAX_SEED, |c, v| {
                c.strength_seed = v as u32;
            })
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
        Self { rows }
    }

    /// Checks a value for an option, whose name may be in any case.
    pub fn parse(&self, name: &str, value: &str) -> Result<Assignment, OptionError> {
        let row = self
            .rows
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown {
                name: excerpt(name),
                nearest: nearest(name, self.names()),
                known: self.names().collect(),
            })?;
        let value = row.value.parse(row.name, value)?;
        Ok(Assignment {
            value,
            ..row.clone()
        })
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.rows.iter().map(|row| row.name)
    }

    /// The `option name …` lines in the answer to `uci`.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let line = |row: &Assignment| format!("option name {} type {}", row.name, row.value);
        self.rows.iter().map(line)
    }

    /// Every option at its default.
    pub fn default_config(&self) -> Config {
        let mut config = Config::default();
        for row in &self.rows {
            row.apply(&mut config);
        }
        config
    }
}

impl Assignment {
    fn new(name: &'static str, value: Value) -> Self {
        Self {
            name,
            effect: Effect::Nothing,
            analysis: false,
            label: None,
            value,
        }
    }

    fn then(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    fn in_analysis(self) -> Self {
        Self {
            analysis: true,
            ..self
        }
    }

    fn on_board(self, label: &'static str) -> Self {
        Self {
            label: Some(label),
            ..self
        }
    }

    /// The value as text, as `setoption` takes it.
    pub fn text(&self) -> String {
        match &self.value {
            Value::Check(on, _) => on.to_string(),
            Value::Spin { number, .. } => number.to_string(),
            Value::String(text, _) => text.clone(),
            Value::Button => String::new(),
        }
    }

    pub fn kind(&self) -> OptionKind {
        match &self.value {
            Value::Check(..) => OptionKind::Check,
            Value::Spin { range, .. } => OptionKind::Spin {
                min: *range.start(),
                max: *range.end(),
            },
            Value::String(..) => OptionKind::String,
            Value::Button => OptionKind::Button,
        }
    }

    pub fn apply(&self, config: &mut Config) {
        match &self.value {
            Value::Check(on, set) => set(config, *on),
            Value::Spin { number, set, .. } => match set {
                SetNumber::Config(set) => set(config, *number),
                #[cfg(feature = "tune")]
                SetNumber::Param(param) => {
                    param.set(i32::try_from(*number).unwrap_or(param.default));
                }
            },
            Value::String(text, set) => set(config, text),
            Value::Button => {}
        }
    }
}

fn check(name: &'static str, default: bool, set: fn(&mut Config, bool)) -> Assignment {
    Assignment::new(name, Value::Check(default, set))
}

fn spin<N: Into<i64>>(
    name: &'static str,
    default: N,
    min: N,
    max: N,
    set: fn(&mut Config, i64),
) -> Assignment {
    let value = Value::Spin {
        number: default.into(),
        range: min.into()..=max.into(),
        set: SetNumber::Config(set),
    };
    Assignment::new(name, value)
}

fn string(name: &'static str, default: &str, set: fn(&mut Config, &str)) -> Assignment {
    Assignment::new(name, Value::String(default.to_owned(), set))
}

fn button(name: &'static str) -> Assignment {
    Assignment::new(name, Value::Button)
}

#[cfg(feature = "tune")]
fn tunables() -> impl Iterator<Item = Assignment> {
    search::params::table().into_iter().map(|param| {
        let value = Value::Spin {
            number: param.default.into(),
            range: param.min.into()..=param.max.into(),
            set: SetNumber::Param(param),
        };
        Assignment::new(param.name, value)
            .then(Effect::Tune)
            .in_analysis()
    })
}

/// The lines that answer `tune`, as OpenBench reads them: name, type, default, smallest and largest
/// value of each search parameter, and the step and the learning rate at the end of a tune.
#[cfg(feature = "tune")]
pub fn tune_lines() -> impl Iterator<Item = String> {
    search::params::table().into_iter().map(|row| {
        let (name, default, min, max) = (row.name, row.default, row.min, row.max);
        format!("{name}, int, {default}, {min}, {max}, {}, 0.0025", row.step)
    })
}

/// No file if the text is empty.
fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// Directories separated as in the platform's search paths: by `:`, on Windows by `;`.
fn directories(text: &str) -> Vec<PathBuf> {
    if cfg!(target_family = "wasm") {
        // It has no search paths, and no tablebases.
        return path(text).into_iter().collect();
    }
    env::split_paths(text)
        .filter(|directory| !directory.as_os_str().is_empty())
        .collect()
}

impl Value {
    /// Parses another value of the same kind.
    fn parse(&self, name: &'static str, text: &str) -> Result<Self, OptionError> {
        let quoted = || excerpt(text);
        match self {
            Self::Check(_, set) => {
                let lower_case = text.to_ascii_lowercase();
                let on = lower_case.parse().map_err(|_| OptionError::Bool {
                    name,
                    text: quoted(),
                })?;
                Ok(Self::Check(on, *set))
            }
            Self::Spin { range, set, .. } => {
                let number = whole_number(text).filter(|number| range.contains(number));
                Ok(Self::Spin {
                    number: number.ok_or_else(|| OptionError::Number {
                        name,
                        text: quoted(),
                        min: *range.start(),
                        max: *range.end(),
                    })?,
                    range: range.clone(),
                    set: set.clone(),
                })
            }
            Self::String(_, set) => {
                let empty = text.eq_ignore_ascii_case(EMPTY);
                let text = if empty { "" } else { text };
                Ok(Self::String(text.to_owned(), *set))
            }
            Self::Button if text.is_empty() => Ok(Self::Button),
            Self::Button => Err(OptionError::Button {
                name,
                text: quoted(),
            }),
        }
    }
}

/// Writes the option as `uci` lists it, with this default.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(default, _) => write!(f, "check default {default}"),
            Self::Spin { number, range, .. } => {
                let (min, max) = (range.start(), range.end());
                write!(f, "spin default {number} min {min} max {max}")
            }
            Self::String(default, _) if default.is_empty() => write!(f, "string default {EMPTY}"),
            Self::String(default, _) => write!(f, "string default {default}"),
            Self::Button => write!(f, "button"),
        }
    }
}

#[cfg(test)]
mod tests;
