//! Playing weaker in a session: when, and by which chance.

use std::io::Write;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

use search::{Limits, SearchOptions, Stop};

use super::task::spawn;
use super::{Session, SessionError};
use crate::strength::{Chooser, Level, WeakReport, pause};
use crate::uci::report::WireReport;

impl<W: Write + Send + 'static> Session<W> {
    /// How strongly to play; `None` for as strongly as possible. In a game only: whoever
    /// analyses, asks without an end or for a mate wants to know what is true.
    pub(super) fn level(&self, limits: &Limits) -> Option<Level> {
        let config = &self.config;
        if config.analyse_mode || limits.infinite || limits.mate.is_some() {
            None
        } else if config.limit_strength {
            Some(Level::of_elo(config.elo))
        } else {
            Level::of_skill(config.skill_level)
        }
    }

    /// Starts a search at this level, which answers after as long as a player would think.
    pub(super) fn play_weaker(
        &mut self,
        level: Level,
        options: SearchOptions,
        stop: Stop,
        report: WireReport<W>,
    ) -> Result<JoinHandle<()>, SessionError> {
        /// Spreads move numbers over all bits.
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let position = self.position.game.position();
        // A position that comes again is not always answered in the same way.
        let moment = u64::from(position.fullmove_number()).wrapping_mul(ODD);
        let seed = self.strength_seed.take();
        self.printer.line(format_args!(
            "info string held back to {} nodes, seed {seed}",
            level.nodes
        ));
        let chooser = Chooser {
            spread: level.spread,
            seed: seed.into(),
            key: position.key() ^ moment,
        };
        let options = SearchOptions {
            multi_pv: options.multi_pv.max(level.moves),
            not_before: pause(&options.limits, position.side_to_move(), chooser.patience()),
            limits: level.limited(options.limits),
            ..options
        };
        let mut report = WeakReport::new(report, self.config.multi_pv);
        let (searcher, game) = (Arc::clone(&self.searcher), self.position.game.clone());
        spawn("the search", move || {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let outcome = searcher.search(&game, &options, &stop, &mut report);
            let (best, ponder) = report.choose(&outcome, &chooser);
            report.into_inner().best(best, ponder);
        })
    }
}
