//! Several threads: searches begin, stop and end in any order, and always with a legal move.
use crate::searcher::{ask, ask_until, fresh, game, to_depth};
use search::{Limits, SearchOptions, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88",
];

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
            let best = answer.outcome.best_move.expect("a move");
            assert!(game.position().is_legal(best), "{threads} threads: {fen}");
            if let Some(ponder) = answer.outcome.ponder {
                assert!(game.position().play_unchecked(best).is_legal(ponder));
            }
        }
    }
}

#[test]
fn a_stop_before_the_search_starts_is_not_lost() {
    let mut searcher = fresh();
    searcher.set_threads(3).expect("threads");
    for round in 0..300 {
        let game = game(POSITIONS[round % POSITIONS.len()]);
        let stop = Stop::new();
        stop.stop();
        let options = SearchOptions::new(infinite());
        let outcome = searcher.search(&game, &options, &stop, &mut ());
        let best = outcome.best_move.expect("a move");
        assert!(game.position().is_legal(best));
    }
}

#[test]
fn another_thread_stops_a_search_at_any_moment() {
    let mut searcher = fresh();
    searcher.set_threads(3).expect("threads");
    let game = game(POSITIONS[1]);
    for round in 0..50 {
        let stop = Stop::new();
        let outcome = thread::scope(|scope| {
            scope.spawn(|| {
                (0..round).for_each(|_| thread::yield_now());
                stop.stop();
            });
            let options = SearchOptions::new(infinite());
            searcher.search(&game, &options, &stop, &mut ())
        });
        assert!(game.position().is_legal(outcome.best_move.expect("a move")));
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
fn a_limited_search_that_ponders_returns_after_the_ponder_hit() {
    let mut searcher = fresh();
    searcher.set_threads(2).expect("threads");
    let game = game(POSITIONS[0]);
    for early in [true, false].into_iter().cycle().take(20) {
        let stop = Stop::new();
        let hit = AtomicBool::new(false);
        let play = || {
            hit.store(true, Ordering::SeqCst);
            stop.ponder_hit();
        };
        if early {
            play();
        }
        let limits = Limits {
            ponder: true,
            ..to_depth(3)
        };
        let outcome = thread::scope(|scope| {
            if !early {
                scope.spawn(play);
            }
            searcher.search(&game, &SearchOptions::new(limits), &stop, &mut ())
        });
        assert!(hit.load(Ordering::SeqCst) && outcome.best_move.is_some());
    }
}

#[test]
fn memory_and_threads_can_be_changed_between_searches() {
    let mut search = fresh();
    for (megabytes, threads) in [(1, 2), (8, 4), (2, 1), (16, 2)] {
        search.set_hash(megabytes).expect("memory");
        search.set_threads(threads).expect("threads");
        search.new_game();
        let game = game(POSITIONS[1]);
        assert!(
            ask(&mut search, &game, to_depth(5))
                .outcome
                .best_move
                .is_some()
        );
        search.clear_hash();
    }
}
