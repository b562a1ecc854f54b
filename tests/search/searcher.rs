//! Asking the search and waiting for all it has to say.
use movegen::{Game, Position, Variant};
use search::{Bound, Info, Limits, Observer, Outcome, SearchOptions, Searcher, Stop};

/// Enough for anything a test asks, and quickly emptied.
pub(crate) const HASH_MEGABYTES: usize = 4;

/// Records what a search reports, and stops it at an exact line that is good enough.
struct Recorder<'a> {
    infos: Vec<Info>,
    no_mate: Option<u32>,
    stop: Stop,
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
pub(crate) struct Answer {
    pub(crate) infos: Vec<Info>,
    /// It was sure that there is no mate in so many moves.
    pub(crate) no_mate: Option<u32>,
    pub(crate) outcome: Outcome,
}

impl Answer {
    /// The last report.
    pub(crate) fn last(&self) -> &Info {
        self.infos.last().expect("an answer with lines")
    }

    /// The best move in UCI notation.
    pub(crate) fn best_move(&self) -> String {
        let best = self.outcome.best_move.expect("a move");
        best.uci(Variant::Standard).to_string()
    }
}

/// A game that starts from a position of standard chess.
pub(crate) fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen, Variant::Standard).expect(fen))
}

/// The same with moves played.
pub(crate) fn game_after(fen: &str, moves: &str) -> Game {
    let mut game = game(fen);
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_uci(text).expect(text);
        game.push(mv).expect(text);
    }
    game
}

/// Searches to the end, or until an exact line is what the caller waits for.
pub(crate) fn ask_until(
    searcher: &mut Searcher,
    game: &Game,
    limits: Limits,
    enough: impl FnMut(&Info) -> bool,
) -> Answer {
    ask_with(searcher, game, &SearchOptions::new(limits), enough)
}

/// The same with options.
pub(crate) fn ask_with(
    searcher: &mut Searcher,
    game: &Game,
    options: &SearchOptions,
    mut enough: impl FnMut(&Info) -> bool,
) -> Answer {
    let stop = Stop::new();
    let mut recorder = Recorder {
        infos: Vec::new(),
        no_mate: None,
        stop: stop.clone(),
        enough: &mut enough,
    };
    let outcome = searcher.search(game, options, &stop, &mut recorder);
    Answer {
        infos: recorder.infos,
        no_mate: recorder.no_mate,
        outcome,
    }
}

/// Searches to the end.
pub(crate) fn ask(searcher: &mut Searcher, game: &Game, limits: Limits) -> Answer {
    ask_until(searcher, game, limits, |_| false)
}

/// A search that knows nothing yet.
pub(crate) fn fresh() -> Searcher {
    Searcher::new(HASH_MEGABYTES).expect("memory for a small table")
}

pub(crate) fn to_depth(depth: u32) -> Limits {
    Limits::depth(depth)
}
