//! Asking the search and waiting for all it has to say.
use movegen::{Game, Move, Position, Variant};
use search::{Best, Bound, Info, Limits, Manner, Report, Search, TablebaseUse};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// Enough for anything a test asks, and quickly emptied.
pub(crate) const HASH_MEGABYTES: usize = 4;

enum Word {
    Info(Box<Info>),
    NoMate(u32),
    Best(Best),
}

struct Ear(Sender<Word>);

impl Report for Ear {
    fn info(&mut self, info: &Info) {
        let _ = self.0.send(Word::Info(Box::new(info.clone())));
    }

    fn current_move(&mut self, _: u32, _: Move, _: usize) {}

    fn no_mate(&mut self, moves: u32) {
        let _ = self.0.send(Word::NoMate(moves));
    }

    fn best(&mut self, best: Best) {
        let _ = self.0.send(Word::Best(best));
    }
}

/// All that a search said.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) infos: Vec<Info>,
    /// It was sure that there is no mate in so many moves.
    pub(crate) no_mate: Option<u32>,
    pub(crate) best: Best,
}

impl Answer {
    /// What it said last before its move.
    pub(crate) fn last(&self) -> &Info {
        self.infos.last().expect("an answer with lines")
    }

    /// The move, as it is written.
    pub(crate) fn best_move(&self) -> String {
        let best = self.best.best.expect("a move");
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

/// One line, and tables used as they are by default.
pub(crate) fn usual() -> Manner {
    Manner {
        multi_pv: 1,
        tablebases: TablebaseUse::default(),
        move_overhead: Duration::ZERO,
        not_before: Duration::ZERO,
        started: Instant::now(),
    }
}

/// Searches to the end, or until an exact line is what the caller waits for.
pub(crate) fn ask_until(
    search: &mut Search,
    game: &Game,
    limits: Limits,
    enough: impl FnMut(&Info) -> bool,
) -> Answer {
    ask_as(search, game, limits, usual(), enough)
}

/// The same in a manner of the caller's.
pub(crate) fn ask_as(
    search: &mut Search,
    game: &Game,
    limits: Limits,
    manner: Manner,
    mut enough: impl FnMut(&Info) -> bool,
) -> Answer {
    let (sender, receiver) = channel();
    search
        .go(game, limits, manner, Box::new(Ear(sender)))
        .expect("a search");
    let (mut infos, mut no_mate) = (Vec::new(), None);
    for word in receiver {
        match word {
            Word::Info(info) => {
                if info.bound == Bound::Exact && enough(&info) {
                    search.stop();
                }
                infos.push(*info);
            }
            Word::NoMate(moves) => no_mate = Some(moves),
            Word::Best(best) => {
                search.wait();
                return Answer {
                    infos,
                    no_mate,
                    best,
                };
            }
        }
    }
    panic!("the search ended without a move");
}

/// Searches to the end.
pub(crate) fn ask(search: &mut Search, game: &Game, limits: Limits) -> Answer {
    ask_until(search, game, limits, |_| false)
}

/// A search that knows nothing yet.
pub(crate) fn fresh() -> Search {
    Search::new(HASH_MEGABYTES).expect("memory for a small table")
}

pub(crate) fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}
