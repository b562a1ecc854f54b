//! The root moves that a search reports while it searches them.

use movegen::Move;
use search::{Limits, Observer, SearchControl, SearchOptions};
use test_common::positions::{KIWIPETE, MATE_IN_ONE, START};

use crate::run::{game, new_searcher};

#[derive(Default)]
struct CurrentMoves(Vec<(u32, Move, usize)>);

impl Observer for CurrentMoves {
    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.0.push((depth, mv, number));
    }
}

#[test]
fn current_moves_are_legal_and_numbered_in_the_order_of_the_search() {
    const DEPTH: u32 = 6;
    for (fen, multi_pv) in [(START, 1), (KIWIPETE, 1), (KIWIPETE, 3), (MATE_IN_ONE, 2)] {
        let game = game(fen);
        let legal = game.position().legal_moves();
        let options = SearchOptions {
            multi_pv,
            ..SearchOptions::new(Limits::depth(DEPTH))
        };
        let mut current = CurrentMoves::default();
        new_searcher().search(&game, &options, &SearchControl::new(), &mut current);
        let moves = current.0;
        let first = moves.first().map(|&(depth, _, number)| (depth, number));
        assert_eq!(first, Some((1, 1)), "{fen}");
        for &(depth, mv, number) in &moves {
            assert!((1..=DEPTH).contains(&depth), "{fen}: depth {depth}");
            assert!(legal.contains(&mv), "{fen}: {mv:?}");
            assert!((1..=legal.len()).contains(&number), "{fen}: {number}");
        }
        // A line of MultiPV starts after the moves of the lines before it.
        for pair in moves.windows(2) {
            let [(_, mv, number), (_, next_mv, next)] = pair else {
                unreachable!("windows of two");
            };
            let counts_up = *next == number + 1 && next_mv != mv;
            assert!(counts_up || *next <= multi_pv, "{fen}: {number}, {next}");
        }
    }
}
