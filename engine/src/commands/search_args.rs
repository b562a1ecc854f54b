//! The search arguments shared by `analyze` and `annotate`.

use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::value_parser;
use common::{NAME, excerpt};
use movegen::{Game, Variant};
use search::{Limits, SearchControl, SearchError, SearchOptions, SearchResult, Searcher};
use service::{Assignment, Engine, EngineError, OptionTable, argument, limits_or_default, memory};

use crate::args::{Shard, nodes, shard};
use crate::input::positions::Reading;
use crate::output::warn;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SearchArgs {
    /// Search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes per position, such as 500000 or 1e6; depth 1 is always searched [default: 1e6 if there
    /// is no other limit]
    #[arg(long, value_name = "N", value_parser = nodes)]
    nodes: Option<u64>,
    /// Time per position in milliseconds; results then depend on the machine
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Number of positions searched at the same time [default: number of CPUs / threads]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Threads per position; with more than one, results vary from run to run
    #[arg(long, value_name = "N", value_parser = |text: &str| argument("Threads", text))]
    threads: Option<Assignment>,
    /// Size of each job's hash table
    #[arg(long, value_name = "MB", value_parser = |text: &str| argument("Hash", text))]
    hash: Option<Assignment>,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH", value_parser = |text: &str| argument("SyzygyPath", text))]
    syzygy: Option<Assignment>,
    /// Set a UCI option, such as EvalFile=NET; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    options: Vec<Assignment>,
    /// Do the K-th of N equal parts of the files; the results of all parts, one after the other,
    /// are those of the whole
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    /// Treat positions and games without a Variant tag as Chess960
    #[arg(long)]
    chess960: bool,
}

fn parse_assignment(text: &str) -> Result<Assignment> {
    let Some((name, value)) = text.split_once('=') else {
        let text = excerpt(text);
        bail!("expected NAME=VALUE, such as EvalFile=castellan.net, found '{text}'");
    };
    let assignment = OptionTable::default().parse(name.trim(), value)?;
    if assignment.analysis {
        Ok(assignment)
    } else {
        Err(anyhow!("option {} has no effect here", assignment.name))
    }
}

/// Everything the searches of one run share.
#[derive(Debug)]
pub(crate) struct SearchSetup {
    engine: Engine,
    pub(crate) limits: Limits,
    pub(crate) reading: Reading,
    pub(crate) jobs: usize,
    shard: Option<Shard>,
}

impl SearchArgs {
    /// Loads the network and the tablebases. Tablebase files that cannot be used are reported and
    /// skipped; jobs that do not fit into memory are left out.
    pub(crate) fn setup(&self) -> Result<SearchSetup, EngineError> {
        let mut engine = Engine::new(OptionTable::default());
        let given = self.options.iter().chain(&self.hash).chain(&self.threads);
        for assignment in given.chain(&self.syzygy) {
            for error in engine.apply(assignment)? {
                warn(error);
            }
        }
        let config = engine.config();
        Ok(SearchSetup {
            limits: self.limits(),
            reading: Reading {
                variant: (self.chess960 || config.chess960).then_some(Variant::Chess960),
                strict: false,
            },
            jobs: memory::jobs(self.jobs.map(usize::from), config),
            engine,
            shard: self.shard,
        })
    }

    fn limits(&self) -> Limits {
        limits_or_default(Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        })
    }
}

impl SearchSetup {
    /// Threads per position.
    pub(crate) fn threads(&self) -> usize {
        self.engine.config().threads
    }

    /// The part of the input that is searched, which has this length unless it is a stream.
    pub(crate) fn part(&self, length: impl FnOnce() -> Option<u64>) -> Result<RangeInclusive<u64>> {
        let Some(shard) = self.shard else {
            return Ok(1..=u64::MAX);
        };
        length()
            .map(|length| shard.part(length))
            .ok_or_else(|| anyhow!("--shard needs files, not a stream"))
    }

    /// Creates the searcher of a job.
    pub(crate) fn searcher(&self) -> Result<Searcher, SearchError> {
        self.engine.builder().build()
    }

    /// Searches a position as if it were the first.
    pub(crate) fn search(
        &self,
        searcher: &mut Searcher,
        game: &Game,
        multi_pv: usize,
    ) -> SearchResult {
        searcher.new_game();
        let options = self.options(multi_pv);
        searcher.search(game, &options, &SearchControl::new(), &mut ())
    }

    pub(crate) fn options(&self, multi_pv: usize) -> SearchOptions {
        SearchOptions {
            multi_pv,
            ..self.engine.search_options(self.limits.clone())
        }
    }

    /// Returns what the results depend on besides the input, as text to compare and to show.
    pub(crate) fn settings(&self) -> Vec<String> {
        let limits = &self.limits;
        let depth = limits.depth.map(|depth| format!("--depth {depth}"));
        let nodes = limits.nodes.map(|nodes| format!("--nodes {nodes}"));
        let time = limits.move_time;
        let time = time.map(|time| format!("--movetime {}", time.as_millis()));
        let limits = [depth, nodes, time].into_iter().flatten();
        let settings = [NAME.to_owned()].into_iter().chain(limits);
        let mut settings: Vec<String> = settings.chain(self.engine.changed_options()).collect();
        settings.extend(self.shard.map(|shard| shard.to_string()));
        if self.reading.variant.is_some() {
            settings.push("--chess960".to_owned());
        }
        settings
    }
}
