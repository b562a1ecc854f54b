//! The sums of the feature layer along a line of moves, brought up to date only where a value
//! is asked for.
//!
//! Playing a move notes what it changes; taking it back is forgetting. A value asked for at
//! some ply needs the sums there: they follow from those of an earlier ply, change by change,
//! or, where a side sees the board in another way since its king moved, from the last position
//! seen that way.

use super::Network;
use super::block::Block;
use super::dirty_pieces::{DirtyPieces, king_target};
use super::features::Perspective;
use super::finny::FinnyTable;
use super::simd::{Simd, SimdOps};
use movegen::{Color, Move, Position, Role};
use std::fmt;
use std::sync::Arc;

/// One ply's notes.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// What led here from the ply before.
    change: DirtyPieces,
    /// How White and Black see the board.
    views: [Perspective; 2],
    /// One of them sees it in another way than a ply before.
    turned: bool,
    /// The sums of both are there.
    known: bool,
}

/// Sums further back than this are not worth following.
const FAR: usize = 6;

/// Values of the positions on a line of moves.
pub struct AccumulatorStack {
    network: Arc<Network>,
    kernel: Simd,
    frames: Box<[Frame]>,
    /// White's and Black's sums of every ply.
    rows: Box<[Block]>,
    refresh: FinnyTable,
}

impl AccumulatorStack {
    /// For lines of up to so many moves.
    #[must_use]
    pub fn new(network: Arc<Network>, kernel: Simd, moves: usize) -> Self {
        let plies = moves + 1;
        let frame = Frame {
            change: DirtyPieces::Nothing,
            views: views(&network, &Position::default()),
            turned: true,
            known: false,
        };
        Self {
            kernel,
            frames: vec![frame; plies].into_boxed_slice(),
            rows: network.feature_bias.repeat(2 * plies).into_boxed_slice(),
            refresh: FinnyTable::new(&network),
            network,
        }
    }

    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// A line begins.
    pub fn start(&mut self, position: &Position) {
        let root = &mut self.frames[0];
        root.views = views(&self.network, position);
        root.known = false;
    }

    /// A legal move is played on the position at a ply.
    #[inline]
    pub fn play(&mut self, position: &Position, mv: Move, ply: usize) {
        let views = self.frames[ply].views;
        let frame = &mut self.frames[ply + 1];
        frame.change.set(position, mv);
        frame.views = views;
        frame.turned = false;
        frame.known = false;
        if position.role_on(mv.from()) == Some(Role::King) {
            self.move_king(position.side_to_move(), mv, ply + 1);
        }
    }

    /// The move that led to a ply is one of a king.
    #[inline(never)]
    fn move_king(&mut self, color: Color, mv: Move, ply: usize) {
        let frame = &mut self.frames[ply];
        let side = color.index();
        let view = Perspective::new(&self.network.shape, color, king_target(color, mv));
        frame.turned = frame.views[side] != view;
        frame.views[side] = view;
    }

    /// The turn is passed at a ply.
    pub fn pass(&mut self, ply: usize) {
        self.frames[ply + 1] = Frame {
            change: DirtyPieces::Nothing,
            turned: false,
            known: false,
            ..self.frames[ply]
        };
    }

    /// The value for the side to move of the position at a ply.
    #[inline]
    pub fn value(&mut self, position: &Position, ply: usize) -> i32 {
        self.kernel.value(self, position, ply)
    }

    #[inline(always)]
    pub(super) fn value_with<K: SimdOps>(
        &mut self,
        kernels: K,
        position: &Position,
        ply: usize,
    ) -> i32 {
        self.find(kernels, position, ply);
        let network = &*self.network;
        let blocks = network.feature_bias.len();
        let (white, black) = self.rows[2 * ply * blocks..][..2 * blocks].split_at(blocks);
        let (us, them) = match position.side_to_move() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let bucket = network.shape.output_bucket(position.occupied().count());
        let weighted = kernels.output(us, them, network.output_weights(bucket));
        network.value(weighted, bucket)
    }

    /// Makes the sums at a ply known.
    #[inline(always)]
    fn find<K: SimdOps>(&mut self, kernels: K, position: &Position, ply: usize) {
        let mut known = ply;
        while !self.frames[known].known {
            // The first ply counts as turned.
            if self.frames[known].turned || ply - known == FAR {
                return self.find_apart(kernels, position, ply);
            }
            known -= 1;
        }
        for ply in known + 1..=ply {
            self.step(kernels, ply, Color::White);
            self.step(kernels, ply, Color::Black);
            self.frames[ply].known = true;
        }
    }

    /// The same where there is a side whose sums do not follow from earlier ones, or not
    /// from near ones.
    #[cold]
    #[inline(never)]
    fn find_apart<K: SimdOps>(&mut self, kernels: K, position: &Position, ply: usize) {
        for color in Color::ALL {
            let side = color.index();
            let view = self.frames[ply].views[side];
            let line = self.frames[..=ply].iter().enumerate().rev();
            let known = line
                .take(FAR + 1)
                .take_while(|(_, frame)| frame.views[side] == view)
                .find(|(_, frame)| frame.known);
            if let Some((known, _)) = known {
                for ply in known + 1..=ply {
                    self.step(kernels, ply, color);
                }
            } else {
                let blocks = self.network.feature_bias.len();
                let row = &mut self.rows[(2 * ply + side) * blocks..][..blocks];
                let sums = self.refresh.sums(kernels, &self.network, position, view);
                row.copy_from_slice(sums);
            }
        }
        self.frames[ply].known = true;
    }

    /// A side's sums at a ply from those a ply before.
    #[inline(always)]
    fn step<K: SimdOps>(&mut self, kernels: K, ply: usize, color: Color) {
        let network = &*self.network;
        let blocks = network.feature_bias.len();
        let frame = &self.frames[ply];
        let view = frame.views[color.index()];
        let row = |man| network.feature_weights(view.see(man));
        // Those of the other side lie between.
        let rows = &mut self.rows[(2 * ply - 2 + color.index()) * blocks..][..3 * blocks];
        let (parent, rest) = rows.split_at_mut(blocks);
        let (_, child) = rest.split_at_mut(blocks);
        match frame.change {
            DirtyPieces::Nothing => child.copy_from_slice(parent),
            DirtyPieces::Step { gone, come } => {
                kernels.update(parent, child, [row(come)], [row(gone)]);
            }
            DirtyPieces::Capture { gone, come, taken } => {
                kernels.update(parent, child, [row(come)], [row(gone), row(taken)]);
            }
            DirtyPieces::Castle { gone, come } => {
                let added = [row(come[0]), row(come[1])];
                let removed = [row(gone[0]), row(gone[1])];
                kernels.update(parent, child, added, removed);
            }
        }
    }
}

fn views(network: &Network, position: &Position) -> [Perspective; 2] {
    Color::ALL.map(|color| Perspective::of(&network.shape, position, color))
}

impl fmt::Debug for AccumulatorStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.frames.len();
        write!(f, "AccumulatorStack({:?}, {plies} plies)", self.network)
    }
}
