//! Searches, and everything they report.

use movegen::{Game, Move, Variant};
use search::{
    Bound, Info, Limits, Observer, Score, SearchControl, SearchOptions, SearchResult, Searcher,
};

pub(crate) use test_common::{game, game_after};

/// Enough for every test, and cleared quickly.
pub(crate) const HASH_MEGABYTES: usize = 4;

/// Records what a search reports, and stops it at the first exact line that is `enough`.
struct Recorder<'a> {
    infos: Vec<Info>,
    no_mate: Option<u32>,
    stop: SearchControl,
    enough: &'a mut dyn FnMut(&Info) -> bool,
}

impl Observer for Recorder<'_> {
    fn info(&mut self, info: &Info) {
        if info.bound == Bound::Exact && (self.enough)(info) {
            self.stop.stop();
        }
        self.infos.push(info.clone());
    }

    fn no_mate(&mut self, moves: u32) {
        self.no_mate = Some(moves);
    }
}

/// Everything a search reported, and its outcome.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) infos: Vec<Info>,
    /// There is no mate in this many moves.
    pub(crate) no_mate: Option<u32>,
    pub(crate) outcome: SearchResult,
}

impl Results {
    /// The last line reported.
    pub(crate) fn last(&self) -> &Info {
        self.infos.last().expect("a line")
    }

    pub(crate) fn score(&self) -> Score {
        self.last().score
    }

    pub(crate) fn best_move(&self) -> Move {
        self.outcome.best_move.expect("a move")
    }

    pub(crate) fn best_uci(&self) -> String {
        self.best_move().uci(Variant::Standard).to_string()
    }
}

pub(crate) fn uci_move(game: &Game, text: &str) -> Move {
    test_common::legal_move(game.position(), text)
}

pub(crate) fn new_searcher() -> Searcher {
    Searcher::new(HASH_MEGABYTES).expect("memory for a small table")
}

/// Searches with a new searcher.
pub(crate) fn run_new(game: &Game, limits: Limits) -> Results {
    run(&mut new_searcher(), game, limits)
}

pub(crate) fn run(searcher: &mut Searcher, game: &Game, limits: Limits) -> Results {
    run_with(searcher, game, &SearchOptions::new(limits), |_| false)
}

/// Searches until a limit is reached or an exact line is `enough`.
pub(crate) fn run_until(
    searcher: &mut Searcher,
    game: &Game,
    limits: Limits,
    enough: impl FnMut(&Info) -> bool,
) -> Results {
    run_with(searcher, game, &SearchOptions::new(limits), enough)
}

pub(crate) fn run_with(
    searcher: &mut Searcher,
    game: &Game,
    options: &SearchOptions,
    mut enough: impl FnMut(&Info) -> bool,
) -> Results {
    let stop = SearchControl::new();
    let mut recorder = Recorder {
        infos: Vec::new(),
        no_mate: None,
        stop: stop.clone(),
        enough: &mut enough,
    };
    let outcome = searcher.search(game, options, &stop, &mut recorder);
    Results {
        infos: recorder.infos,
        no_mate: recorder.no_mate,
        outcome,
    }
}

/// `go mate`.
pub(crate) fn mate_limit(moves: u32) -> Limits {
    Limits {
        mate: Some(moves),
        ..Limits::default()
    }
}

/// Only this root move, to this depth.
pub(crate) fn only(mv: Move, depth: u32) -> Limits {
    Limits {
        search_moves: vec![mv],
        ..Limits::depth(depth)
    }
}

/// The score of a mate in this many moves, for the side to move or, if negative, against it.
pub(crate) fn mate_score(moves: i32) -> Score {
    if moves > 0 {
        Score::mate_in(mate_plies(moves))
    } else {
        Score::mated_in(mate_plies(moves))
    }
}

pub(crate) fn mate_plies(moves: i32) -> usize {
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    plies.unsigned_abs() as usize
}
