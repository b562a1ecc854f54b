//! The options: ONE table with name, kind, range and effect of each. Reads and prints them;
//! holds no current values and applies nothing, so a refused value cannot have changed any.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::NAME;
use crate::chance::LARGEST_SEED;
use crate::strength::{FULL_SKILL, HIGHEST_ELO, LOWEST_ELO, USUAL_ELO};
use crate::text::whole_number;
use common::excerpt;

/// A checked request to change an option: what is to be done, in the type it is needed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// In MiB.
    Hash(u32),
    Threads(u32),
    Ponder(bool),
    MultiPv(u32),
    MoveOverhead(Duration),
    ClearHash,
    Chess960(bool),
    ShowWdl(bool),
    AnalyseMode(bool),
    Opponent(String),
    EngineAbout(String),
    /// `None` means the built-in network.
    EvalFile(Option<PathBuf>),
    /// Where endgame tables are; none means none.
    SyzygyPath(Vec<PathBuf>),
    SyzygyProbeDepth(u32),
    SyzygyProbeLimit(u32),
    Syzygy50MoveRule(bool),
    OwnBook(bool),
    /// `None` means no book.
    BookFile(Option<PathBuf>),
    /// In full moves.
    BookDepth(u32),
    BookBest(bool),
    BookSeed(u32),
    LimitStrength(bool),
    Elo(u32),
    Skill(u32),
    StrengthSeed(u32),
    /// `None` means no log.
    DebugLogFile(Option<PathBuf>),
    /// A number of the search.
    #[cfg(feature = "tune")]
    Tune {
        name: &'static str,
        value: i32,
    },
}

impl Setting {
    /// It changes what a running search works with.
    pub fn concerns_a_running_search(&self) -> bool {
        match self {
            Setting::Hash(_)
            | Setting::Threads(_)
            | Setting::ClearHash
            | Setting::SyzygyPath(_)
            | Setting::EvalFile(_) => true,
            #[cfg(feature = "tune")]
            Setting::Tune { .. } => true,
            _ => false,
        }
    }
}

/// Why an option was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("there is no option '{name}'; the options are {}", known.join(", "))]
    Unknown {
        name: String,
        known: Vec<&'static str>,
    },

    #[error("option {name} needs a whole number from {min} to {max}, not {}", quoted(.text))]
    NotANumber {
        name: &'static str,
        text: String,
        min: i64,
        max: i64,
    },

    #[error("option {name} must be from {min} to {max}; {text} is outside")]
    OutOfRange {
        name: &'static str,
        text: String,
        min: i64,
        max: i64,
    },

    #[error("option {name} must be true or false, not {}", quoted(.text))]
    NotASwitch { name: &'static str, text: String },

    #[error("option {name} is a button and takes no value, not even {}", quoted(.text))]
    ButtonValue { name: &'static str, text: String },
}

fn quoted(text: &str) -> String {
    if text.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{text}'")
    }
}

/// How the protocol writes an empty string.
const EMPTY: &str = "<empty>";

/// No position has more legal moves.
const MOST_LINES: u32 = 218;
const MOST_THREADS: u32 = 1024;
const SMALLEST_HASH_MIB: u32 = 1;
const USUAL_HASH_MIB: u32 = 16;
const LONGEST_OVERHEAD_MS: u32 = 5000;
const DEEPEST_PROBE: u32 = 100;
/// No tables with more men have been made.
const MOST_TABLE_MEN: u32 = 7;
const USUAL_OVERHEAD_MS: u32 = 10;
const DEEPEST_BOOK: u32 = 999;
const USUAL_BOOK_DEPTH: u32 = 255;

/// What values an option takes, and which setting a value makes.
#[derive(Debug)]
enum Kind {
    Check {
        default: bool,
        make: fn(bool) -> Setting,
    },
    Spin {
        default: u32,
        min: u32,
        max: u32,
        make: fn(u32) -> Setting,
    },
    #[cfg(feature = "tune")]
    Tunable(search::params::Param),
    Text {
        default: &'static str,
        make: fn(String) -> Setting,
    },
    Button {
        make: fn() -> Setting,
    },
}

#[derive(Debug)]
struct Row {
    name: &'static str,
    kind: Kind,
}

/// All options, in the order they are printed.
#[derive(Debug)]
pub struct OptionTable {
    rows: Vec<Row>,
}

impl OptionTable {
    /// The table for a machine on which the hash table may take so many MiB.
    pub fn new(largest_hash_mib: u32) -> OptionTable {
        let largest_hash = largest_hash_mib.max(SMALLEST_HASH_MIB);
        let rows = vec![
            spin(
                "Hash",
                USUAL_HASH_MIB.min(largest_hash),
                (SMALLEST_HASH_MIB, largest_hash),
                Setting::Hash,
            ),
            spin("Threads", 1, (1, MOST_THREADS), Setting::Threads),
            check("Ponder", false, Setting::Ponder),
            spin("MultiPV", 1, (1, MOST_LINES), Setting::MultiPv),
            spin(
                "Move Overhead",
                USUAL_OVERHEAD_MS,
                (0, LONGEST_OVERHEAD_MS),
                |ms| Setting::MoveOverhead(Duration::from_millis(ms.into())),
            ),
            button("Clear Hash", || Setting::ClearHash),
            text("SyzygyPath", "", |folders| {
                Setting::SyzygyPath(folder_list(&folders))
            }),
            spin(
                "SyzygyProbeDepth",
                1,
                (1, DEEPEST_PROBE),
                Setting::SyzygyProbeDepth,
            ),
            spin(
                "SyzygyProbeLimit",
                MOST_TABLE_MEN,
                (0, MOST_TABLE_MEN),
                Setting::SyzygyProbeLimit,
            ),
            check("Syzygy50MoveRule", true, Setting::Syzygy50MoveRule),
            check("OwnBook", false, Setting::OwnBook),
            text("BookFile", "", |path| Setting::BookFile(file(path))),
            spin(
                "BookDepth",
                USUAL_BOOK_DEPTH,
                (1, DEEPEST_BOOK),
                Setting::BookDepth,
            ),
            check("BookBest", false, Setting::BookBest),
            spin("BookSeed", 0, (0, LARGEST_SEED), Setting::BookSeed),
            check("UCI_LimitStrength", false, Setting::LimitStrength),
            spin(
                "UCI_Elo",
                USUAL_ELO,
                (LOWEST_ELO, HIGHEST_ELO),
                Setting::Elo,
            ),
            spin("Skill Level", FULL_SKILL, (0, FULL_SKILL), Setting::Skill),
            spin("StrengthSeed", 0, (0, LARGEST_SEED), Setting::StrengthSeed),
            check("UCI_Chess960", false, Setting::Chess960),
            check("UCI_ShowWDL", false, Setting::ShowWdl),
            check("UCI_AnalyseMode", false, Setting::AnalyseMode),
            text("UCI_Opponent", "", Setting::Opponent),
            text("UCI_EngineAbout", NAME, Setting::EngineAbout),
            text("EvalFile", "", |path| Setting::EvalFile(file(path))),
            text("Debug Log File", "", |path| {
                Setting::DebugLogFile(file(path))
            }),
        ];
        #[cfg(feature = "tune")]
        let rows = rows.into_iter().chain(tunables()).collect();
        OptionTable { rows }
    }

    /// Checks a value for an option whose name may be written in any case.
    pub fn read(&self, name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
        match self
            .rows
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name))
        {
            Some(row) => row.read(value.unwrap_or_default()),
            None => Err(OptionError::Unknown {
                name: excerpt(name),
                known: self.rows.iter().map(|row| row.name).collect(),
            }),
        }
    }

    /// The `option name …` lines that answer `uci`.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.rows.iter().map(ToString::to_string)
    }

    /// The settings everything starts with.
    pub fn defaults(&self) -> impl Iterator<Item = Setting> + '_ {
        self.rows.iter().filter_map(|row| match &row.kind {
            Kind::Check { default, make } => Some(make(*default)),
            Kind::Spin { default, make, .. } => Some(make(*default)),
            Kind::Text { default, make } => Some(make((*default).to_owned())),
            Kind::Button { .. } => None,
            // The search has them already.
            #[cfg(feature = "tune")]
            Kind::Tunable(_) => None,
        })
    }
}

#[cfg(feature = "tune")]
fn tunables() -> impl Iterator<Item = Row> {
    search::params::table().into_iter().map(|param| Row {
        name: param.name,
        kind: Kind::Tunable(param),
    })
}

fn check(name: &'static str, default: bool, make: fn(bool) -> Setting) -> Row {
    let kind = Kind::Check { default, make };
    Row { name, kind }
}

fn spin(name: &'static str, default: u32, (min, max): (u32, u32), make: fn(u32) -> Setting) -> Row {
    let kind = Kind::Spin {
        default,
        min,
        max,
        make,
    };
    Row { name, kind }
}

fn text(name: &'static str, default: &'static str, make: fn(String) -> Setting) -> Row {
    let kind = Kind::Text { default, make };
    Row { name, kind }
}

/// No name means no file.
fn file(path: String) -> Option<PathBuf> {
    (!path.is_empty()).then(|| PathBuf::from(path))
}

/// Folders with what the platform writes between them: a colon, on Windows a semicolon.
fn folder_list(text: &str) -> Vec<PathBuf> {
    env::split_paths(text)
        .filter(|folder| !folder.as_os_str().is_empty())
        .collect()
}

fn button(name: &'static str, make: fn() -> Setting) -> Row {
    let kind = Kind::Button { make };
    Row { name, kind }
}

impl Row {
    fn read(&self, value: &str) -> Result<Setting, OptionError> {
        let name = self.name;
        match &self.kind {
            Kind::Check { make, .. } => {
                if value.eq_ignore_ascii_case("true") {
                    Ok(make(true))
                } else if value.eq_ignore_ascii_case("false") {
                    Ok(make(false))
                } else {
                    Err(OptionError::NotASwitch {
                        name,
                        text: excerpt(value),
                    })
                }
            }
            &Kind::Spin { min, max, make, .. } => {
                let number = self.number(value, min.into(), max.into())?;
                Ok(make(u32::try_from(number).unwrap_or(max)))
            }
            #[cfg(feature = "tune")]
            Kind::Tunable(param) => {
                let number = self.number(value, param.min.into(), param.max.into())?;
                let value = i32::try_from(number).unwrap_or(param.max);
                Ok(Setting::Tune { name, value })
            }
            Kind::Text { make, .. } => {
                let empty = value.eq_ignore_ascii_case(EMPTY);
                Ok(make(if empty { "" } else { value }.to_owned()))
            }
            Kind::Button { make } => {
                if value.is_empty() {
                    Ok(make())
                } else {
                    Err(OptionError::ButtonValue {
                        name,
                        text: excerpt(value),
                    })
                }
            }
        }
    }
}

impl Row {
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

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default, .. } => write!(out, "check default {default}"),
            Kind::Spin {
                default, min, max, ..
            } => write!(out, "spin default {default} min {min} max {max}"),
            #[cfg(feature = "tune")]
            Kind::Tunable(param) => {
                let (default, min, max) = (param.default, param.min, param.max);
                write!(out, "spin default {default} min {min} max {max}")
            }
            Kind::Text { default: "", .. } => write!(out, "string default {EMPTY}"),
            Kind::Text { default, .. } => write!(out, "string default {default}"),
            Kind::Button { .. } => write!(out, "button"),
        }
    }
}

#[cfg(test)]
mod tests;
