//! Every instruction set, along every kind of line, against the value from scratch.
use super::networks::{Numbers, random, shape, with_attacks};
use super::positions::{choose, positions, starts};
use movegen::{MoveKind, Position};
use search::nnue::{AccumulatorStack, Network, Perspective, Simd};
use std::sync::Arc;
use test_common::Rng;

/// Hidden neurons, king buckets, output buckets, attack neurons: narrow and wide, one bucket and
/// many, and widths that are not a whole number of register tiles.
const SHAPES: [(usize, usize, usize, usize); 9] = [
    (64, 1, 1, 0),
    (64, 32, 8, 32),
    (128, 1, 3, 16),
    (192, 2, 8, 0),
    (256, 1, 8, 16),
    (384, 4, 8, 0),
    (512, 8, 8, 32),
    (960, 1, 1, 0),
    (1024, 4, 1, 16),
];

fn networks() -> impl Iterator<Item = Arc<Network>> {
    SHAPES.into_iter().zip(1..).flat_map(|(dimensions, seed)| {
        let (hidden, kings, outputs, attacks) = dimensions;
        let shape = with_attacks(shape(hidden, kings, outputs), attacks);
        [Numbers::Usual, Numbers::Extreme].map(|numbers| Arc::new(random(shape, numbers, seed)))
    })
}

#[test]
fn single_positions_have_the_value_from_scratch() {
    let positions = positions(1000, 7);
    for network in networks() {
        let values: Vec<i32> = positions
            .iter()
            .map(|position| network.evaluate_from_scratch(position))
            .collect();
        for simd in Simd::all() {
            let mut accumulators = AccumulatorStack::new(Arc::clone(&network), simd, 0);
            for (position, &value) in positions.iter().zip(&values) {
                accumulators.reset(position);
                let found = accumulators.evaluate(position, 0);
                assert_eq!(found, value, "{simd} {network:?}\n{position}");
            }
        }
    }
}

/// The number of times something happened on a walk.
#[derive(Default, Debug)]
struct Counts {
    castled: usize,
    en_passant: usize,
    promoted: usize,
    perspectives_changed: usize,
    null_moves: usize,
    evaluated: usize,
}

/// Walks down and up a tree of moves like a search and evaluates some of its nodes, before or
/// after their children.
struct Walker {
    network: Arc<Network>,
    accumulators: AccumulatorStack,
    rng: Rng,
    counts: Counts,
}

impl Walker {
    const MAX_PLY: usize = 12;

    fn evaluate(&mut self, position: &Position, ply: usize) {
        let found = self.accumulators.evaluate(position, ply);
        let network = &self.network;
        let value = network.evaluate_from_scratch(position);
        assert_eq!(found, value, "{network:?}, ply {ply}\n{position}");
        self.counts.evaluated += 1;
    }

    fn walk(&mut self, position: &Position, ply: usize) {
        if self.rng.below(4) == 0 {
            self.evaluate(position, ply);
        }
        if ply == Self::MAX_PLY {
            return;
        }
        for _ in 0..self.rng.range(1..=2) {
            if let Some(next) = self.step(position, ply) {
                self.walk(&next, ply + 1);
            }
            if self.rng.below(6) == 0 {
                self.evaluate(position, ply);
            }
        }
    }

    fn step(&mut self, position: &Position, ply: usize) -> Option<Position> {
        if self.rng.below(8) == 0
            && let Some(passed) = position.null_move()
        {
            self.accumulators.make_null(ply);
            self.counts.null_moves += 1;
            return Some(passed);
        }
        let mv = choose(position, &mut self.rng)?;
        self.accumulators.make_move(position, mv, ply);
        let next = position.play_unchecked(mv);
        match mv.kind() {
            MoveKind::Castling => self.counts.castled += 1,
            MoveKind::EnPassant => self.counts.en_passant += 1,
            MoveKind::Promotion(_) => self.counts.promoted += 1,
            MoveKind::Normal => {}
        }
        let them = next.side_to_move();
        let [changed, theirs_changed] = [!them, them].map(|side| {
            let of = |position| Perspective::of(self.network.shape(), position, side);
            of(position) != of(&next)
        });
        assert!(
            !theirs_changed,
            "a move changes only the mover's perspective"
        );
        self.counts.perspectives_changed += usize::from(changed);
        Some(next)
    }
}

#[test]
fn lines_have_the_values_from_scratch() {
    for (network, seed) in networks().zip(1..) {
        for simd in Simd::all() {
            let mut walker = Walker {
                accumulators: AccumulatorStack::new(Arc::clone(&network), simd, Walker::MAX_PLY),
                network: Arc::clone(&network),
                rng: Rng::new(seed),
                counts: Counts::default(),
            };
            for start in starts() {
                walker.accumulators.reset(&start);
                walker.walk(&start, 0);
            }
            let counts = &walker.counts;
            let rare = [
                counts.castled,
                counts.en_passant,
                counts.promoted,
                counts.perspectives_changed,
                counts.null_moves,
            ];
            let enough = rare.iter().all(|&count| count >= 10) && counts.evaluated > 500;
            assert!(enough, "{simd} {network:?}: {counts:?}");
        }
    }
}
