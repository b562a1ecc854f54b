//! Attacks of both sides in all directions at once, in eight lanes: parallel prefix (Kogge-Stone)
//! fills for the sliders, and shifts for the other pieces.

use super::{AttackCounts, Attacks, PieceSets, Sides};
use crate::nnue::simd::LaneOps;
use movegen::Color;

const A: u64 = 0x0101_0101_0101_0101;
const H: u64 = A << 7;
const AB: u64 = A | A << 1;
const GH: u64 = H | H >> 1;
const FIRST: u64 = 0xff;
const LAST: u64 = 0xff << 56;
const FIRST_TWO: u64 = 0xffff;
const LAST_TWO: u64 = 0xffff << 48;

/// Steps of a piece: how far the squares of each lane are rotated, and where they can end.
#[derive(Clone, Copy)]
struct Steps {
    turns: [u64; 8],
    ends: [u64; 8],
}

/// Each direction is followed by its opposite: the diagonals, then ranks and files.
const DIRECTIONS: Steps = Steps {
    turns: [9, 55, 7, 57, 8, 56, 1, 63],
    ends: [
        !(A | FIRST),
        !(H | LAST),
        !(H | FIRST),
        !(A | LAST),
        !FIRST,
        !LAST,
        !A,
        !H,
    ],
};

const JUMPS: Steps = Steps {
    turns: [17, 47, 15, 49, 10, 54, 6, 58],
    ends: [
        !(A | FIRST_TWO),
        !(H | LAST_TWO),
        !(H | FIRST_TWO),
        !(A | LAST_TWO),
        !(AB | FIRST),
        !(GH | LAST),
        !(GH | FIRST),
        !(AB | LAST),
    ],
};

/// Captures of White's pawns in the first two lanes and of Black's in lanes 4 and 5.
const WHITE_FIRST: Steps = Steps {
    turns: [9, 7, 0, 0, 57, 55, 0, 0],
    ends: [!A, !H, 0, 0, !A, !H, 0, 0],
};

const BLACK_FIRST: Steps = Steps {
    turns: [57, 55, 0, 0, 9, 7, 0, 0],
    ends: WHITE_FIRST.ends,
};

const fn times(turns: [u64; 8], factor: u64) -> [u64; 8] {
    let mut results = turns;
    let mut lane = 0;
    while lane < 8 {
        results[lane] = turns[lane] * factor % 64;
        lane += 1;
    }
    results
}

/// Squares that a slider can pass or reach in one, two and four steps.
#[derive(Clone, Copy)]
struct Paths<T>([T; 3]);

const TWO: [u64; 8] = times(DIRECTIONS.turns, 2);
const FOUR: [u64; 8] = times(DIRECTIONS.turns, 4);

impl<T: Copy> Paths<T> {
    #[inline(always)]
    fn new<O: LaneOps<Sets = T>>(ops: O, occupied: T) -> Self {
        let one = ops.and_not(ops.load(&DIRECTIONS.ends), occupied);
        let two = ops.and(one, ops.rotate(one, &DIRECTIONS.turns));
        let four = ops.and(two, ops.rotate(two, &TWO));
        Self([one, two, four])
    }

    /// The attacks of sliders from these squares, by direction.
    #[inline(always)]
    fn slide<O: LaneOps<Sets = T>>(self, ops: O, from: T) -> T {
        let [one, two, four] = self.0;
        let to = ops.or(from, ops.and(one, ops.rotate(from, &DIRECTIONS.turns)));
        let to = ops.or(to, ops.and(two, ops.rotate(to, &TWO)));
        let to = ops.or(to, ops.and(four, ops.rotate(to, &FOUR)));
        step(ops, to, &DIRECTIONS)
    }
}

#[inline(always)]
fn step<O: LaneOps>(ops: O, from: O::Sets, steps: &'static Steps) -> O::Sets {
    ops.and(ops.load(&steps.ends), ops.rotate(from, &steps.turns))
}

/// Lanes in which a square is attacked at least once, and at least twice.
#[derive(Clone, Copy)]
struct Sum<T> {
    once: T,
    twice: T,
}

impl<T: Copy> Sum<T> {
    #[inline(always)]
    fn of<O: LaneOps<Sets = T>>(ops: O, a: T, b: T, c: T) -> Self {
        let either = ops.or(a, b);
        Self {
            once: ops.or(either, c),
            twice: ops.or(ops.and(a, b), ops.and(either, c)),
        }
    }

    #[inline(always)]
    fn add<O: LaneOps<Sets = T>>(self, ops: O, once: T, twice: T) -> Self {
        let both = ops.and(self.once, once);
        Self {
            once: ops.or(self.once, once),
            twice: ops.or(ops.or(self.twice, twice), both),
        }
    }
}

#[inline(always)]
fn low<O: LaneOps>(ops: O, both: [O::Sets; 2]) -> O::Sets {
    ops.low_halves(both[0], both[1])
}

#[inline(always)]
fn high<O: LaneOps>(ops: O, both: [O::Sets; 2]) -> O::Sets {
    ops.high_halves(both[0], both[1])
}

/// The union of the lanes of each of two, in its half.
#[inline(always)]
fn halves<O: LaneOps>(ops: O, both: [O::Sets; 2]) -> O::Sets {
    ops.or(low(ops, both), high(ops, both))
}

/// The counts for the side `us`.
#[inline(always)]
pub(super) fn count<O: LaneOps>(ops: O, sets: &PieceSets, us: Color) -> AttackCounts {
    let sides = Sides::new(sets, us);
    let [ours, theirs] = &sides.pieces;
    let all = [
        ops.halves(sides.all[0], sides.all[0]),
        ops.halves(sides.all[1], sides.all[1]),
    ];
    let paths = Paths::new(ops, ops.or(all[0], all[1]));
    let knights = [
        step(ops, ops.halves(ours[1], ours[1]), &JUMPS),
        step(ops, ops.halves(theirs[1], theirs[1]), &JUMPS),
    ];
    let kings = [
        ops.halves(ours[5], ours[5]),
        ops.halves(theirs[5], theirs[5]),
    ];
    let rays = [paths.slide(ops, kings[0]), paths.slide(ops, kings[1])];
    let kings = [
        step(ops, kings[0], &DIRECTIONS),
        step(ops, kings[1], &DIRECTIONS),
    ];
    // Bishops on the diagonals, rooks on the others.
    let pieces = [
        paths.slide(ops, ops.halves(ours[2], ours[3])),
        paths.slide(ops, ops.halves(theirs[2], theirs[3])),
    ];
    let queens = [
        paths.slide(ops, ops.halves(ours[4], ours[4])),
        paths.slide(ops, ops.halves(theirs[4], theirs[4])),
    ];
    let sliders = [ops.or(pieces[0], queens[0]), ops.or(pieces[1], queens[1])];
    // Where a ray of the king meets an enemy slider's.
    let pinned = [
        ops.and(ops.and(rays[0], ops.swap_lanes(sliders[1])), all[0]),
        ops.and(ops.and(rays[1], ops.swap_lanes(sliders[0])), all[1]),
    ];
    let captures = match us {
        Color::White => &WHITE_FIRST,
        Color::Black => &BLACK_FIRST,
    };
    let pawns = step(ops, ops.halves(ours[0], theirs[0]), captures);

    // Lanes: bishops and rooks of each side, then the rays of each king.
    let first = ops.join_quads(
        ops.join_pairs(low(ops, pieces), high(ops, pieces)),
        ops.join_pairs(low(ops, rays), high(ops, rays)),
    );
    // Queens and pinned pieces of each side, then knights and kings.
    let second = ops.join_quads(
        ops.join_pairs(halves(ops, queens), halves(ops, pinned)),
        ops.join_pairs(halves(ops, knights), halves(ops, kings)),
    );
    let sums = [
        Sum::of(ops, sliders[0], knights[0], kings[0]),
        Sum::of(ops, sliders[1], knights[1], kings[1]),
    ];
    let sum = Sum {
        once: pawns,
        twice: ops.halves(0, 0),
    };
    let (once, twice) = ([sums[0].once, sums[1].once], [sums[0].twice, sums[1].twice]);
    let sum = sum.add(ops, low(ops, once), low(ops, twice));
    let sum = sum.add(ops, high(ops, once), high(ops, twice));
    let sum = sum.add(ops, ops.swap_lanes(sum.once), ops.swap_lanes(sum.twice));
    let sum = sum.add(ops, ops.swap_pairs(sum.once), ops.swap_pairs(sum.twice));
    let pawns = ops.or(pawns, ops.swap_lanes(pawns));

    let [first, second] = [ops.to_array(first), ops.to_array(second)];
    let [pawns, once, twice] = [
        ops.to_array(pawns),
        ops.to_array(sum.once),
        ops.to_array(sum.twice),
    ];
    let attacks = [0, 1].map(|side| {
        let (pair, enemy, half) = (2 * side, 2 * (1 - side), 4 * side);
        Attacks {
            rows: [
                pawns[half],
                second[4 + pair],
                first[pair],
                first[pair + 1],
                second[pair],
                second[5 + pair],
                twice[half],
                second[enemy + 1],
            ],
            all: once[half],
            rays: [first[4 + enemy], first[5 + enemy]],
        }
    });
    let crossed = [
        ops.cross(&attacks[0].rows, &sides.targets(&attacks, 0)),
        ops.cross(&attacks[1].rows, &sides.targets(&attacks, 1)),
    ];
    AttackCounts::of(&sides, &attacks, crossed)
}
