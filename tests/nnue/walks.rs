//! Every kernel, along every kind of line, against the value from scratch.
use crate::boards::{choose, positions, starts};
use crate::networks::{Choices, Numbers, random, shape};
use movegen::{MoveKind, Position};
use search::nnue::{AccumulatorStack, Network, Perspective, Simd};
use std::sync::Arc;

/// Narrow and wide; block sizes that tiles do not divide; one bucket and many.
const SHAPES: [(usize, usize, usize); 8] = [
    (64, 1, 1),
    (64, 32, 8),
    (128, 1, 3),
    (192, 2, 8),
    (256, 1, 8),
    (384, 4, 8),
    (960, 1, 1),
    (1024, 4, 1),
];

fn networks() -> impl Iterator<Item = Arc<Network>> {
    SHAPES.into_iter().zip(1..).flat_map(|(dimensions, seed)| {
        let (hidden, kings, outputs) = dimensions;
        [Numbers::Usual, Numbers::Extreme]
            .map(|numbers| Arc::new(random(shape(hidden, kings, outputs), numbers, seed)))
    })
}

/// The positions have nothing to do with each other: each is valued alone.
#[test]
fn every_kernel_values_a_thousand_positions_as_from_scratch() {
    const POSITIONS: usize = 1000;
    let positions = positions(POSITIONS, 7);
    for network in networks() {
        let values: Vec<i32> = positions
            .iter()
            .map(|position| network.evaluate_from_scratch(position))
            .collect();
        for kernel in Simd::all() {
            let mut accumulators = AccumulatorStack::new(Arc::clone(&network), kernel, 0);
            for (position, &value) in positions.iter().zip(&values) {
                accumulators.reset(position);
                let found = accumulators.evaluate(position, 0);
                assert_eq!(found, value, "{kernel} {network:?}\n{position}");
            }
        }
    }
}

/// How often something happened on a wander.
#[derive(Default, Debug)]
struct Seen {
    castled: usize,
    in_passing: usize,
    promoted: usize,
    turned: usize,
    passed: usize,
    valued: usize,
}

/// Goes down a tree of moves and up again, as a search does, and asks for values here and
/// there: at some nodes before their children, at some after, at many not at all.
struct Wanderer {
    network: Arc<Network>,
    accumulators: AccumulatorStack,
    choices: Choices,
    seen: Seen,
}

impl Wanderer {
    const DEEPEST: usize = 13;

    fn ask(&mut self, position: &Position, ply: usize) {
        let found = self.accumulators.evaluate(position, ply);
        let value = self.network.evaluate_from_scratch(position);
        let network = &self.network;
        assert_eq!(found, value, "{network:?}, ply {ply}\n{position}");
        self.seen.valued += 1;
    }

    fn wander(&mut self, position: &Position, ply: usize) {
        if self.choices.below(4) == 0 {
            self.ask(position, ply);
        }
        if ply == Self::DEEPEST {
            return;
        }
        let children = self.choices.from(1..=2);
        for _ in 0..children {
            if let Some(next) = self.step(position, ply) {
                self.wander(&next, ply + 1);
            }
            if self.choices.below(6) == 0 {
                self.ask(position, ply);
            }
        }
    }

    fn step(&mut self, position: &Position, ply: usize) -> Option<Position> {
        if self.choices.below(8) == 0
            && let Some(passed) = position.make_null()
        {
            self.accumulators.make_null(ply);
            self.seen.passed += 1;
            return Some(passed);
        }
        let mv = choose(position, &mut self.choices)?;
        self.accumulators.make_move(position, mv, ply);
        let next = position.play_unchecked(mv);
        match mv.kind() {
            MoveKind::Castling => self.seen.castled += 1,
            MoveKind::EnPassant => self.seen.in_passing += 1,
            MoveKind::Promotion(_) => self.seen.promoted += 1,
            MoveKind::Normal => {}
        }
        let view = |position| Perspective::of(self.network.shape(), position, next.side_to_move());
        let mover =
            |position| Perspective::of(self.network.shape(), position, !next.side_to_move());
        assert_eq!(view(position), view(&next), "only the mover's view turns");
        self.seen.turned += usize::from(mover(position) != mover(&next));
        Some(next)
    }
}

#[test]
fn values_along_lines_are_those_from_scratch() {
    for (network, seed) in networks().zip(1..) {
        for kernel in Simd::all() {
            let mut wanderer = Wanderer {
                accumulators: AccumulatorStack::new(
                    Arc::clone(&network),
                    kernel,
                    Wanderer::DEEPEST,
                ),
                network: Arc::clone(&network),
                choices: Choices::new(seed),
                seen: Seen::default(),
            };
            for start in starts() {
                wanderer.accumulators.reset(&start);
                wanderer.wander(&start, 0);
            }
            let seen = &wanderer.seen;
            for count in [
                seen.castled,
                seen.in_passing,
                seen.promoted,
                seen.turned,
                seen.passed,
            ] {
                assert!(count >= 10, "{kernel} {network:?}: {seen:?}");
            }
            assert!(seen.valued > 500, "{seen:?}");
        }
    }
}
