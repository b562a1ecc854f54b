//! Accumulators along a line of moves, updated lazily: only where a value is needed.
//!
//! Making a move stores its dirty pieces; undoing one needs nothing. The accumulators of a ply
//! are computed from those of an earlier ply, move by move, or, after a king move has changed a
//! side's perspective, from the Finny table.

use super::features::{DirtyPieces, Perspective, king_target};
use super::forward::{refresh, update};
use super::network::{Block, Network};
use super::shape::Tensor;
use super::simd::{Simd, SimdOps, SimdTask};
use crate::memory::Large;
use movegen::{Bitboard, Color, Move, Piece, Position, Role};
use std::fmt;
use std::sync::Arc;

/// The entry of a ply.
#[derive(Clone, Copy, Debug)]
struct StackEntry {
    /// The changes by the move from the ply before.
    dirty: DirtyPieces,
    /// White's and Black's.
    perspectives: [Perspective; 2],
    /// A perspective differs from that of the ply before.
    perspective_changed: bool,
    /// Both accumulators are up to date.
    computed: bool,
}

/// A refresh is cheaper than more updates than this.
const MAX_UPDATES: usize = 6;

/// The accumulators of the positions on a line of moves.
pub struct AccumulatorStack {
    network: Arc<Network>,
    simd: Simd,
    entries: Box<[StackEntry]>,
    /// White's and Black's accumulator of each ply.
    accumulators: Large<[Block<i16>]>,
    finny: FinnyTable,
}

impl AccumulatorStack {
    /// For lines of up to `moves` moves.
    #[must_use]
    pub fn new(network: Arc<Network>, simd: Simd, moves: usize) -> Self {
        let plies = moves + 1;
        let entry = StackEntry {
            dirty: DirtyPieces::None,
            perspectives: perspectives(&network, &Position::default()),
            perspective_changed: true,
            computed: false,
        };
        Self {
            simd,
            entries: vec![entry; plies].into_boxed_slice(),
            accumulators: Large::zeros(2 * plies * network.blocks()),
            finny: FinnyTable::new(&network),
            network,
        }
    }

    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts a line at ply 0.
    pub fn reset(&mut self, position: &Position) {
        let root = &mut self.entries[0];
        root.perspectives = perspectives(&self.network, position);
        root.computed = false;
    }

    /// Makes a legal move on the position at a ply.
    #[inline]
    pub fn make_move(&mut self, position: &Position, mv: Move, ply: usize) {
        let perspectives = self.entries[ply].perspectives;
        let entry = &mut self.entries[ply + 1];
        entry.dirty.set(position, mv);
        entry.perspectives = perspectives;
        entry.perspective_changed = false;
        entry.computed = false;
        if position.role_on(mv.from()) == Some(Role::King) {
            self.move_king(position.side_to_move(), mv, ply + 1);
        }
    }

    #[inline(never)]
    fn move_king(&mut self, side: Color, mv: Move, ply: usize) {
        let entry = &mut self.entries[ply];
        let perspective = Perspective::new(&self.network.shape, side, king_target(side, mv));
        entry.perspective_changed = entry.perspectives[side.index()] != perspective;
        entry.perspectives[side.index()] = perspective;
    }

    /// Makes a null move at a ply.
    pub fn make_null(&mut self, ply: usize) {
        self.entries[ply + 1] = StackEntry {
            dirty: DirtyPieces::None,
            perspective_changed: false,
            computed: false,
            ..self.entries[ply]
        };
    }

    /// The value of the position at a ply, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let simd = self.simd;
        simd.run(Evaluate {
            stack: self,
            position,
            ply,
        })
    }

    /// Brings both accumulators of a ply up to date.
    #[inline(always)]
    fn compute<S: SimdOps>(&mut self, simd: S, position: &Position, ply: usize) {
        let mut computed = ply;
        while !self.entries[computed].computed {
            // The entry of ply 0 always counts as changed.
            if self.entries[computed].perspective_changed || ply - computed == MAX_UPDATES {
                let stack = self;
                return simd.run(ComputeEach(Evaluate {
                    stack,
                    position,
                    ply,
                }));
            }
            computed -= 1;
        }
        for ply in computed + 1..=ply {
            self.update(simd, ply, Color::White);
            self.update(simd, ply, Color::Black);
            self.entries[ply].computed = true;
        }
    }

    /// Computes a side's accumulator at a ply from that of the ply before.
    #[inline(always)]
    fn update<S: SimdOps>(&mut self, simd: S, ply: usize, color: Color) {
        let network = &*self.network;
        let blocks = network.blocks();
        let entry = &self.entries[ply];
        let perspective = entry.perspectives[color.index()];
        let row = |piece| network.feature_weights(perspective.feature_of(piece));
        // The other side's accumulator lies between parent and child.
        let rows = &mut self.accumulators[(2 * ply - 2 + color.index()) * blocks..][..3 * blocks];
        let (parent, rest) = rows.split_at_mut(blocks);
        let (_, child) = rest.split_at_mut(blocks);
        match entry.dirty {
            DirtyPieces::None => child.copy_from_slice(parent),
            DirtyPieces::Move { removed, added } => {
                update(simd, parent, child, [row(added)], [row(removed)]);
            }
            DirtyPieces::Capture {
                removed,
                added,
                captured,
            } => {
                update(
                    simd,
                    parent,
                    child,
                    [row(added)],
                    [row(removed), row(captured)],
                );
            }
            DirtyPieces::Castle { removed, added } => {
                update(simd, parent, child, added.map(row), removed.map(row));
            }
        }
    }
}

/// `AccumulatorStack::evaluate`, to be compiled for each instruction set.
struct Evaluate<'a> {
    stack: &'a mut AccumulatorStack,
    position: &'a Position,
    ply: usize,
}

impl SimdTask for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: SimdOps>(self, simd: S) -> i32 {
        let (stack, position, ply) = (self.stack, self.position, self.ply);
        stack.compute(simd, position, ply);
        let blocks = stack.network.blocks();
        let (white, black) = stack.accumulators[2 * ply * blocks..][..2 * blocks].split_at(blocks);
        let (us, them) = match position.side_to_move() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        stack.network.value(simd, us, them, position)
    }
}

/// The rare part of `AccumulatorStack::compute`: each side separately, where one of them has to be
/// refreshed.
struct ComputeEach<'a>(Evaluate<'a>);

impl SimdTask for ComputeEach<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: SimdOps>(self, simd: S) {
        let (stack, position, ply) = (self.0.stack, self.0.position, self.0.ply);
        for color in Color::ALL {
            let side = color.index();
            let perspective = stack.entries[ply].perspectives[side];
            let line = stack.entries[..=ply].iter().enumerate().rev();
            let computed = line
                .take(MAX_UPDATES + 1)
                .take_while(|(_, entry)| entry.perspectives[side] == perspective)
                .find(|(_, entry)| entry.computed);
            if let Some((computed, _)) = computed {
                for ply in computed + 1..=ply {
                    stack.update(simd, ply, color);
                }
            } else {
                let blocks = stack.network.blocks();
                let row = &mut stack.accumulators[(2 * ply + side) * blocks..][..blocks];
                let finny = &mut stack.finny;
                row.copy_from_slice(finny.refresh(simd, &stack.network, position, perspective));
            }
        }
        stack.entries[ply].computed = true;
    }
}

fn perspectives(network: &Network, position: &Position) -> [Perspective; 2] {
    Color::ALL.map(|color| Perspective::of(&network.shape, position, color))
}

impl fmt::Debug for AccumulatorStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.entries.len();
        write!(f, "AccumulatorStack({:?}, {plies} plies)", self.network)
    }
}

/// Finny table (accumulator cache): for each perspective the last position refreshed and its
/// accumulator. A refresh applies only the difference, which is small within one search.
struct FinnyTable {
    positions: Box<[PieceBitboards]>,
    accumulators: Box<[Block<i16>]>,
}

/// By color and role.
type PieceBitboards = [[Bitboard; 6]; 2];

/// Features to add or remove; no position has more.
struct FeatureList {
    features: [u16; 32],
    len: usize,
}

impl FeatureList {
    fn new() -> Self {
        Self {
            features: [0; 32],
            len: 0,
        }
    }

    #[inline]
    fn push(&mut self, feature: usize) {
        self.features[self.len] = feature as u16;
        self.len += 1;
    }

    fn as_slice(&self) -> &[u16] {
        &self.features[..self.len]
    }
}

impl FinnyTable {
    /// Every entry starts with an empty board, whose accumulator is the biases.
    fn new(network: &Network) -> Self {
        let count = Perspective::count(&network.shape);
        Self {
            positions: vec![PieceBitboards::default(); count].into_boxed_slice(),
            accumulators: network.feature_biases().repeat(count).into_boxed_slice(),
        }
    }

    /// A side's accumulator for a position.
    #[inline]
    fn refresh<S: SimdOps>(
        &mut self,
        simd: S,
        network: &Network,
        position: &Position,
        perspective: Perspective,
    ) -> &[Block<i16>] {
        let cached = &mut self.positions[perspective.index()];
        let mut added = FeatureList::new();
        let mut removed = FeatureList::new();
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece::new(color, role);
                let now = position.pieces(color, role);
                let before = std::mem::replace(&mut cached[color.index()][role.index()], now);
                for square in now & !before {
                    added.push(perspective.feature(piece, square));
                }
                for square in before & !now {
                    removed.push(perspective.feature(piece, square));
                }
            }
        }
        let blocks = network.blocks();
        let row = &mut self.accumulators[perspective.index() * blocks..][..blocks];
        let weights = network.i8s(Tensor::FeatureWeights);
        refresh(simd, row, weights, added.as_slice(), removed.as_slice());
        row
    }
}
