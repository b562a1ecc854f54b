//! Several threads: searches start, stop and end in any order, always with a legal move.

use crate::run::{game, new_searcher, run, run_until};
use search::{Limits, Poll, SearchControl, SearchOptions, SearchResult, Searcher};
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use test_common::positions::{KIWIPETE, START};

const POSITIONS: [&str; 4] = [
    START,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88",
];

fn infinite() -> Limits {
    Limits {
        infinite: true,
        ..Limits::default()
    }
}

fn searcher_with(threads: usize) -> Searcher {
    let mut searcher = new_searcher();
    searcher.set_threads(threads).expect("threads");
    searcher
}

#[test]
fn every_number_of_threads_and_size_of_table_finds_a_legal_move() {
    let mut searcher = new_searcher();
    for (threads, megabytes) in [(1, 4), (2, 1), (4, 8), (3, 4), (8, 2), (1, 16), (2, 16)] {
        searcher.set_hash(megabytes).expect("memory");
        searcher.set_threads(threads).expect("threads");
        searcher.new_game();
        for fen in POSITIONS {
            let game = game(fen);
            let results = run(&mut searcher, &game, Limits::depth(6));
            let best = results.best_move();
            assert!(game.position().is_legal(best), "{threads} threads: {fen}");
            if let Some(ponder) = results.outcome.ponder {
                assert!(game.position().play_unchecked(best).is_legal(ponder));
            }
        }
        searcher.clear_hash();
    }
}

#[test]
fn a_stop_before_the_search_is_not_lost() {
    let mut searcher = searcher_with(3);
    for fen in POSITIONS.into_iter().cycle().take(300) {
        let game = game(fen);
        let stop = SearchControl::new();
        stop.stop();
        let options = SearchOptions::new(infinite());
        let outcome = searcher.search(&game, &options, &stop, &mut ());
        assert!(game.position().is_legal(outcome.best_move.expect("a move")));
    }
}

#[test]
fn another_thread_stops_a_search_at_any_moment() {
    let mut searcher = searcher_with(3);
    let game = game(KIWIPETE);
    for round in 0..25 {
        let stop = SearchControl::new();
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

thread_local! {
    static CONTROL: RefCell<Option<SearchControl>> = const { RefCell::new(None) };
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

/// Searches with a control whose `poll` is called on the caller's thread.
fn search_polled(limits: Limits, poll: Poll) -> SearchResult {
    let control = SearchControl::polled(poll);
    CONTROL.set(Some(control.clone()));
    POLLS.set(0);
    let options = SearchOptions::new(limits);
    searcher_with(1).search(&game(KIWIPETE), &options, &control, &mut ())
}

fn control() -> SearchControl {
    CONTROL.with_borrow(|control| control.clone().expect("a control"))
}

#[test]
fn a_search_that_is_polled_can_be_stopped_on_its_own_thread() {
    let outcome = search_polled(infinite(), |_| {
        POLLS.set(POLLS.get() + 1);
        if POLLS.get() == 20 {
            control().stop();
        }
    });
    assert!(outcome.best_move.is_some());
    assert!(
        outcome.nodes > 10 * 512 && outcome.nodes < 100_000,
        "{outcome:?}"
    );
}

#[test]
fn a_search_that_waits_to_answer_is_polled_for_longer() {
    let limits = Limits {
        ponder: true,
        ..Limits::depth(3)
    };
    let outcome = search_polled(limits, |longest| {
        if longest > Duration::ZERO {
            POLLS.set(POLLS.get() + 1);
            control().ponder_hit();
        }
    });
    assert!(outcome.best_move.is_some());
    assert_eq!(POLLS.get(), 1);
}

#[test]
fn a_stopped_search_does_not_affect_the_next() {
    let mut searcher = searcher_with(2);
    for round in 0..20 {
        let game = game(POSITIONS[round % 3]);
        let depth = 3 + round as u32 % 4;
        let results = run_until(&mut searcher, &game, infinite(), |info| info.depth >= depth);
        let mut position = *game.position();
        for &mv in &results.last().pv {
            position = position.try_play(mv).expect("a legal line");
        }
    }
}

#[test]
fn a_limited_ponder_search_returns_after_the_ponder_hit() {
    let mut searcher = searcher_with(2);
    let game = game(START);
    for before_search in [true, false].into_iter().cycle().take(20) {
        let stop = SearchControl::new();
        let hit = AtomicBool::new(false);
        let ponder_hit = || {
            hit.store(true, Ordering::SeqCst);
            stop.ponder_hit();
        };
        if before_search {
            ponder_hit();
        }
        let limits = Limits {
            ponder: true,
            ..Limits::depth(3)
        };
        let outcome = thread::scope(|scope| {
            if !before_search {
                scope.spawn(ponder_hit);
            }
            searcher.search(&game, &SearchOptions::new(limits), &stop, &mut ())
        });
        assert!(hit.load(Ordering::SeqCst) && outcome.best_move.is_some());
    }
}
