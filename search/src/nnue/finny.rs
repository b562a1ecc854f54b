//! Sums for a position that stands alone: from those of an earlier position seen the same
//! way, by what differs. Positions of one search differ little, so that this is cheap.

use super::Network;
use super::block::Block;
use super::features::Perspective;
use super::simd::SimdOps;
use movegen::{Bitboard, Color, Piece, Position, Role};

/// The last position of each view, and its sums.
pub(super) struct FinnyTable {
    men: Box<[Men]>,
    rows: Box<[Block]>,
}

/// The squares of each side's men, by role.
type Men = [[Bitboard; 6]; 2];

/// Features that a position has and another has not; no position has more.
struct Differing {
    features: [u16; 32],
    count: usize,
}

impl Differing {
    fn none() -> Self {
        Self {
            features: [0; 32],
            count: 0,
        }
    }

    #[inline]
    fn push(&mut self, feature: usize) {
        self.features[self.count] = feature as u16;
        self.count += 1;
    }

    fn features(&self) -> &[u16] {
        &self.features[..self.count]
    }
}

impl FinnyTable {
    /// Every view starts with an empty board, whose sums are the biases.
    pub(super) fn new(network: &Network) -> Self {
        let views = Perspective::count(&network.shape);
        Self {
            men: vec![Men::default(); views].into_boxed_slice(),
            rows: network.feature_bias.repeat(views).into_boxed_slice(),
        }
    }

    /// A side's sums for a position.
    #[inline]
    pub(super) fn sums<K: SimdOps>(
        &mut self,
        kernels: K,
        network: &Network,
        position: &Position,
        view: Perspective,
    ) -> &[Block] {
        let men = &mut self.men[view.number()];
        let mut come = Differing::none();
        let mut gone = Differing::none();
        for color in Color::ALL {
            for role in Role::ALL {
                let man = Piece::new(color, role);
                let now = position.pieces(color, role);
                let then = std::mem::replace(&mut men[color.index()][role.index()], now);
                for square in now & !then {
                    come.push(view.feature(man, square));
                }
                for square in then & !now {
                    gone.push(view.feature(man, square));
                }
            }
        }
        let blocks = network.feature_bias.len();
        let row = &mut self.rows[view.number() * blocks..][..blocks];
        let table = &network.feature_weights;
        kernels.rebuild(row, table, come.features(), gone.features());
        row
    }
}
