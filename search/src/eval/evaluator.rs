//! How a search has its positions valued, and what is kept for that along the line.

use super::endings;
use crate::net::{Accumulators, Kernel, Network};
use crate::score::MAX_PLY;
use movegen::{Move, Position};
use std::sync::Arc;

/// Values positions along a line of moves.
#[derive(Debug)]
pub(crate) struct Evaluator {
    accumulators: Accumulators,
}

impl Evaluator {
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        let network = Arc::clone(network);
        Self {
            accumulators: Accumulators::new(network, Kernel::best(), MAX_PLY),
        }
    }

    /// A line begins at some position.
    pub(crate) fn start(&mut self, root: &Position) {
        self.accumulators.start(root);
    }

    /// A move is played on the position at a ply.
    #[inline]
    pub(crate) fn play(&mut self, position: &Position, mv: Move, ply: usize) {
        self.accumulators.play(position, mv, ply);
    }

    /// The turn is passed at a ply.
    pub(crate) fn pass(&mut self, ply: usize) {
        self.accumulators.pass(ply);
    }

    /// The value for the side to move of the position at a ply.
    #[inline]
    pub(crate) fn value(&mut self, position: &Position, ply: usize) -> i32 {
        if let Some(known) = endings::value(position) {
            return known;
        }
        let value = self.accumulators.value(position, ply);
        #[cfg(test)]
        assert_eq!(
            value,
            self.accumulators.network().value_from_scratch(position)
        );
        value
    }
}

#[cfg(test)]
mod tests {
    use crate::limits::Limits;
    use crate::net::{Network, Shape};
    use crate::solo::Solo;
    use movegen::{Game, Position, Variant};
    use std::sync::Arc;

    /// Numbers all over the place, the same every time.
    fn network(king_buckets: usize) -> Network {
        let map = std::array::from_fn(|square| {
            let (rank, file) = (square / 8, square % 8);
            ((rank * 4 + file.min(7 - file)) % king_buckets) as u8
        });
        let shape = Shape::new(64, king_buckets, 8, map).expect("a shape");
        let mut state = 1_u64;
        let mut numbers = |count: usize| -> Vec<i16> {
            let number = |_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state % 121) as i16 - 60
            };
            (0..count).map(number).collect()
        };
        Network::from_parts(
            shape,
            400,
            String::new(),
            numbers(shape.feature_count() * 64),
            numbers(64),
            numbers(8 * 2 * 64),
            vec![0; 8],
        )
        .expect("a network")
    }

    /// Whatever line a search stands in, the value it is given is that of its position (which is
    /// asserted where it is given).
    #[test]
    fn the_sums_follow_the_search_everywhere() {
        let limits = Limits {
            nodes: Some(30_000),
            ..Limits::default()
        };
        let mut solo = Solo::new(1).expect("a small table");
        for king_buckets in [1, 32] {
            solo.set_network(&Arc::new(network(king_buckets)));
            for fen in [
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
                "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
            ] {
                let position = Position::from_fen(fen, Variant::Chess960).expect(fen);
                let verdict = solo.search(&Game::new(position), &limits).expect("a move");
                assert!(verdict.nodes >= 30_000, "{fen}: {verdict:?}");
            }
        }
    }
}
