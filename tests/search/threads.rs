//! Several threads: searches begin, stop and end in any order, and always with a legal move.
use crate::searcher::{ask, ask_until, fresh, game, to_depth};
use movegen::Game;
use search::{Best, Info, Limits, Manner, Report, Search, TablebaseUse};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88",
];

/// Hears only the end.
struct End(Sender<Best>);

impl Report for End {
    fn info(&mut self, _: &Info) {}

    fn current_move(&mut self, _: u32, _: movegen::Move, _: usize) {}

    fn best(&mut self, best: Best) {
        let _ = self.0.send(best);
    }
}

fn go(search: &mut Search, game: &Game, limits: Limits) -> std::sync::mpsc::Receiver<Best> {
    let (sender, receiver) = channel();
    let manner = Manner {
        multi_pv: 1,
        tablebases: TablebaseUse::default(),
        move_overhead: Duration::ZERO,
        not_before: Duration::ZERO,
        started: Instant::now(),
    };
    search
        .go(game, limits, manner, Box::new(End(sender)))
        .expect("a search");
    receiver
}

fn infinite() -> Limits {
    Limits {
        infinite: true,
        ..Limits::default()
    }
}

#[test]
fn every_number_of_threads_answers_with_a_legal_move() {
    let mut search = fresh();
    for threads in [1, 2, 4, 3, 8, 1] {
        search.set_threads(threads).expect("threads");
        for fen in POSITIONS {
            let game = game(fen);
            let answer = ask(&mut search, &game, to_depth(6));
            let best = answer.best.best.expect("a move");
            assert!(game.position().is_legal(best), "{threads} threads: {fen}");
            if let Some(ponder) = answer.best.ponder {
                assert!(game.position().play_unchecked(best).is_legal(ponder));
            }
        }
    }
}

#[test]
fn a_stop_right_behind_go_is_never_lost() {
    let mut search = fresh();
    search.set_threads(3).expect("threads");
    for round in 0..300 {
        let game = game(POSITIONS[round % POSITIONS.len()]);
        let answer = go(&mut search, &game, infinite());
        search.stop();
        search.wait();
        let best = answer.recv().expect("an answer").best.expect("a move");
        assert!(game.position().is_legal(best));
        assert!(answer.recv().is_err(), "one answer only");
        assert!(!search.is_running());
    }
}

#[test]
fn stops_in_the_middle_leave_the_next_search_whole() {
    let mut search = fresh();
    search.set_threads(2).expect("threads");
    for round in 0..20 {
        let game = game(POSITIONS[round % 3]);
        let deep_enough = 3 + round as u32 % 4;
        let answer = ask_until(&mut search, &game, infinite(), |info| {
            info.depth >= deep_enough
        });
        let last = answer.last();
        let mut position = *game.position();
        for &mv in &last.pv {
            position = position.try_play(mv).expect("a legal line");
        }
    }
}

#[test]
fn a_ponder_hit_lets_a_limited_search_answer() {
    let mut search = fresh();
    search.set_threads(2).expect("threads");
    let game = game(POSITIONS[0]);
    for _ in 0..20 {
        let limits = Limits {
            ponder: true,
            ..to_depth(3)
        };
        let answer = go(&mut search, &game, limits);
        search.ponder_hit();
        search.wait();
        assert!(answer.recv().expect("an answer").best.is_some());
    }
}

#[test]
fn memory_and_threads_can_be_changed_between_searches() {
    let mut search = fresh();
    for (megabytes, threads) in [(1, 2), (8, 4), (2, 1), (16, 2)] {
        search.set_hash(megabytes).expect("memory");
        search.set_threads(threads).expect("threads");
        search.new_game().expect("a new game");
        let game = game(POSITIONS[1]);
        assert!(ask(&mut search, &game, to_depth(5)).best.best.is_some());
        search.clear_hash().expect("an empty table");
    }
}
