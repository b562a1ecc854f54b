//! Arguments of the commands of Tri-Dimensional chess: a position, and the limits of its engine.

use std::time::{Duration, Instant};

use search::SearchControl;
use tridim::search::{Limits, MAX_DEPTH, SearchResult, Searcher};
use tridim::{Game, Position, Rules, TextError};

use super::{nodes, seconds};

/// A position and the rules that apply to it.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// Position as one line of text [default: the start position]
    #[arg(value_name = "POSITION")]
    pub(crate) position: Vec<String>,
    /// Allow attack boards to rotate in place
    #[arg(long)]
    pub(crate) rotation: bool,
}

impl PositionArgs {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            rotation: self.rotation,
        }
    }

    pub(crate) fn position(&self) -> Result<Position, TextError> {
        match self.position.as_slice() {
            [] => Ok(Position::start(self.rules())),
            words => Position::from_text(&words.join(" "), self.rules()),
        }
    }
}

/// The limits of a search; one second by default.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct LimitArgs {
    /// Search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub(crate) depth: Option<u32>,
    /// Number of nodes to search, such as 500000 or 1e6
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub(crate) nodes: Option<u64>,
    /// Search time in seconds [default: 1 without other limits]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
}

impl LimitArgs {
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    /// Returns `None` when there is no legal move.
    pub(crate) fn search(
        &self,
        searcher: &mut Searcher,
        game: &Game,
        stop: &SearchControl,
        on_iteration: impl FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let time = self.time.or(unlimited.then_some(Self::DEFAULT_TIME));
        let limits = Limits {
            depth: self.depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes.unwrap_or(u64::MAX),
            // A time that no clock reaches is none.
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            is_stopped: &|| stop.is_stopped(),
        };
        searcher.search(game, limits, on_iteration)
    }
}
