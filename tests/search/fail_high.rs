//! A root move that fails high is the best move from then on, also if the search is stopped while
//! it is searched again with a wider window.

use crate::run::{new_searcher, run_new, run_with};
use movegen::{Game, Move, Position, Variant};
use search::{Bound, Limits, SearchOptions, bench};
use std::time::Duration;

#[test]
fn a_root_move_that_failed_high_is_played_if_its_re_search_is_stopped() {
    let mut found = 0;
    for &fen in bench::POSITIONS {
        let game = Game::new(Position::from_fen(fen, Variant::Chess960).expect(fen));
        let mut options = SearchOptions::new(Limits::depth(10));
        // Bounds are reported in searches of more than a second.
        options.started -= Duration::from_secs(2);
        let infos = run_with(&mut new_searcher(), &game, &options, |_| false).infos;
        let mut best: Option<Move> = None;
        for (info, next) in infos.iter().zip(&infos[1..]) {
            let mv = info.pv.first().copied();
            let limit = info.nodes + 1;
            if info.bound == Bound::Lower && mv != best && next.nodes > limit {
                let outcome = run_new(&game, Limits::nodes(limit)).outcome;
                assert_eq!(outcome.best_move, mv, "{fen} after {limit} nodes");
                found += 1;
            }
            if info.bound == Bound::Exact {
                best = mv;
            }
        }
    }
    assert!(found >= 5, "only {found} moves failed high");
}
