//! With what positions are searched by the jobs of the shell, and how far: the arguments they
//! share, and searches made by them.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use movegen::{Game, Variant};
use search::nnue::Network;
use search::{
    Limits, Observer, Outcome, SearchError, SearchOptions, Searcher, Stop, TablebaseUse, Tablebases,
};
use thiserror::Error;

use crate::eval_file::{self, EvalFileError};
use crate::output::warn;
use crate::uci::options::{Assignment, OptionError, OptionTable};
use common::excerpt;

/// What a position is given when nobody says how much: about a second, and the same everywhere.
const USUAL_NODES: u64 = 1_000_000;

/// How far and with what every position is searched.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MeansArgs {
    /// Searches so many plies deep
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Searches so many nodes [default: 1000000, if there is no other limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Searches so many milliseconds; what is found then depends on the machine
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Positions searched at once [default: as many as the machine has cores for]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Threads for each position; with more than one, results vary from run to run
    #[arg(long, value_name = "N", value_parser = |text: &str| assignment("Threads", text))]
    threads: Option<Assignment>,
    /// Size of the hash table of each job
    #[arg(long, value_name = "MB", value_parser = |text: &str| assignment("Hash", text))]
    hash: Option<Assignment>,
    /// Sets an option of the engine, such as EvalFile=NET; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = named)]
    options: Vec<Assignment>,
    /// Reads and writes castling as in Chess960
    #[arg(long)]
    chess960: bool,
}

/// Why an argument is no setting.
#[derive(Debug, Error)]
enum SettingError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("expected NAME=VALUE, as in EvalFile=castellan.net, not '{text}'")]
    NoValue { text: String },
    #[error("option {name} has no effect here")]
    Useless { name: &'static str },
}

fn assignment(name: &str, value: &str) -> Result<Assignment, OptionError> {
    OptionTable::for_this_machine().parse(name, value)
}

/// A value for an option that changes how a position is searched.
fn named(text: &str) -> Result<Assignment, SettingError> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(SettingError::NoValue {
            text: excerpt(text),
        });
    };
    let assignment = assignment(name.trim(), value)?;
    match assignment.analysis {
        true => Ok(assignment),
        false => Err(SettingError::Useless {
            name: assignment.name,
        }),
    }
}

/// The same, made sense of.
#[derive(Debug, Clone)]
pub(crate) struct Means {
    /// How far each position is searched.
    pub(crate) limits: Limits,
    /// How FENs are read and moves written.
    pub(crate) variant: Variant,
    /// Positions searched at once.
    pub(crate) jobs: usize,
    /// Threads for each position.
    pub(crate) threads: usize,
    hash_mebibytes: usize,
    network: Arc<Network>,
    tablebases: Arc<Tablebases>,
    tablebase_use: TablebaseUse,
    tablebases_named: bool,
}

impl MeansArgs {
    /// Fails only where a network has to be read. What is wrong with endgame tables is said,
    /// and the rest used.
    pub(crate) fn means(&self) -> Result<Means, EvalFileError> {
        let mut config = OptionTable::for_this_machine().default_config();
        let given = self.options.iter().chain(&self.hash).chain(&self.threads);
        for assignment in given {
            assignment.apply(&mut config);
        }
        let (tablebases, errors) = Tablebases::find(&config.syzygy_path);
        for error in errors {
            warn(error);
        }
        let network = eval_file::network(config.eval_file.as_deref())?;
        let variant = match self.chess960 || config.chess960 {
            true => Variant::Chess960,
            false => Variant::Standard,
        };
        let threads = config.threads.max(1);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let jobs = self
            .jobs
            .map_or_else(|| (cores / threads).max(1), NonZero::get);
        Ok(Means {
            limits: self.limits(),
            variant,
            jobs,
            threads,
            hash_mebibytes: config.hash,
            network,
            tablebases: Arc::new(tablebases),
            tablebase_use: config.tablebases,
            tablebases_named: !config.syzygy_path.is_empty(),
        })
    }

    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.movetime.is_none();
        Limits {
            depth: self.depth,
            nodes: self.nodes.or(unlimited.then_some(USUAL_NODES)),
            move_time: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

impl Means {
    /// One searcher for each job.
    pub(crate) fn searcher(&self) -> Result<Searcher, SearchError> {
        let mut searcher = self.single_threaded()?;
        searcher.set_threads(self.threads)?;
        searcher.set_tablebases(Arc::clone(&self.tablebases));
        Ok(searcher)
    }

    /// Whether folders of endgame tables were named.
    pub(crate) fn has_tablebases(&self) -> bool {
        self.tablebases_named
    }

    /// A searcher with one thread and no tablebases, whatever the arguments say.
    pub(crate) fn single_threaded(&self) -> Result<Searcher, SearchError> {
        let mut searcher = Searcher::new(self.hash_mebibytes)?;
        searcher.set_network(Arc::clone(&self.network));
        Ok(searcher)
    }

    /// Searches a position, remembering nothing of others.
    pub(crate) fn search(
        &self,
        searcher: &mut Searcher,
        game: &Game,
        multi_pv: usize,
        observer: &mut dyn Observer,
    ) -> Outcome {
        searcher.new_game();
        let options = SearchOptions {
            multi_pv,
            tablebases: self.tablebase_use,
            ..SearchOptions::new(self.limits.clone())
        };
        searcher.search(game, &options, &Stop::new(), observer)
    }
}
