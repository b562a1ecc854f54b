//! The values of the options, and the one place where a setting takes effect.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use search::{TablebaseUse, Tablebases};

use super::{Deferred, Session, SessionError};
use crate::chance::Seed;
use crate::eval_file;
use crate::uci::options::Setting;

/// Values the session itself goes by. What the search keeps is not kept twice.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The size to start with.
    pub(super) hash_mebibytes: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) move_overhead: Duration,
    pub(super) tablebases: TablebaseUse,
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
    pub(super) analysing: bool,
    pub(super) own_book: bool,
    /// The last full move the book is asked for.
    pub(super) book_depth: u32,
    pub(super) book_best: bool,
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    pub(super) skill: u32,
    pub(super) debug: bool,
}

impl Settings {
    pub(super) fn new(defaults: impl Iterator<Item = Setting>) -> Settings {
        let mut settings = Settings::default();
        for setting in defaults {
            settings.note(&setting);
        }
        settings
    }

    fn note(&mut self, setting: &Setting) {
        match *setting {
            Setting::Hash(mebibytes) => self.hash_mebibytes = widened(mebibytes),
            Setting::Threads(count) => self.threads = widened(count),
            Setting::MultiPv(lines) => self.multi_pv = widened(lines),
            Setting::MoveOverhead(overhead) => self.move_overhead = overhead,
            Setting::SyzygyProbeDepth(depth) => self.tablebases.depth = depth,
            Setting::SyzygyProbeLimit(men) => self.tablebases.most_men = men,
            Setting::Syzygy50MoveRule(on) => self.tablebases.fifty_moves = on,
            Setting::Chess960(on) => self.chess960 = on,
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::AnalyseMode(on) => self.analysing = on,
            Setting::OwnBook(on) => self.own_book = on,
            Setting::BookDepth(moves) => self.book_depth = moves,
            Setting::BookBest(on) => self.book_best = on,
            Setting::LimitStrength(on) => self.limit_strength = on,
            Setting::Elo(elo) => self.elo = elo,
            Setting::Skill(skill) => self.skill = skill,
            _ => {}
        }
    }
}

fn widened(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl<W: Write + Send + 'static> Session<W> {
    /// What a running search would notice waits for its end; the rest counts from the next
    /// search on anyway.
    pub(super) fn set(&mut self, setting: Setting) -> Result<(), SessionError> {
        if setting.concerns_a_running_search() {
            self.when_at_rest(Deferred::Setting(setting))
        } else {
            self.apply(&setting)
        }
    }

    pub(super) fn apply(&mut self, setting: &Setting) -> Result<(), SessionError> {
        match setting {
            Setting::Hash(mebibytes) => self.searcher().set_hash(widened(*mebibytes))?,
            Setting::Threads(count) => self.searcher().set_threads(widened(*count))?,
            Setting::ClearHash => self.searcher().clear_hash(),
            Setting::EvalFile(path) => {
                self.network = eval_file::network(path.as_deref())?;
                self.searcher().set_network(Arc::clone(&self.network));
            }
            Setting::BookFile(path) => self.book.open(path.as_deref())?,
            Setting::BookSeed(seed) => self.book.set_seed(*seed),
            Setting::SyzygyPath(folders) => self.find_tablebases(folders),
            Setting::StrengthSeed(seed) => self.strength_seed = Seed::new(*seed),
            Setting::DebugLogFile(path) => self.printer.log_to(path.as_deref())?,
            #[cfg(feature = "tune")]
            Setting::Tune { name, value } => crate::uci::tune::set(name, *value),
            Setting::MultiPv(_)
            | Setting::MoveOverhead(_)
            | Setting::SyzygyProbeDepth(_)
            | Setting::SyzygyProbeLimit(_)
            | Setting::Syzygy50MoveRule(_)
            | Setting::Chess960(_)
            | Setting::ShowWdl(_)
            | Setting::AnalyseMode(_)
            | Setting::OwnBook(_)
            | Setting::BookDepth(_)
            | Setting::BookBest(_)
            | Setting::LimitStrength(_)
            | Setting::Elo(_)
            | Setting::Skill(_) => {}
            // Things a program tells us that change nothing: whether to ponder is said anew
            // by every `go`.
            Setting::Ponder(_) | Setting::Opponent(_) | Setting::EngineAbout(_) => {}
        }
        self.settings.note(setting);
        Ok(())
    }

    /// What is not found or broken is said, and the rest used.
    fn find_tablebases(&mut self, folders: &[PathBuf]) {
        let (tablebases, errors) = Tablebases::find(folders);
        for error in errors {
            self.printer.error(error);
        }
        let count = tablebases.count();
        self.searcher().set_tablebases(tablebases);
        if !folders.is_empty() {
            self.printer.line(format_args!("info string {count}"));
        }
    }
}
