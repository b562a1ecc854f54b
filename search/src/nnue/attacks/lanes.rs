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

/// Steps of a piece: how far the squares of the lanes are moved, up the board in the low half and
/// down in the high one, and where they can end.
struct Steps {
    distances: [u64; 4],
    ends: [u64; 8],
}

/// The diagonals, then the file and the rank; each direction in the same place as its opposite in
/// the other half.
const DIRECTIONS: Steps = Steps {
    distances: [9, 7, 8, 1],
    ends: [
        !(A | FIRST),
        !(H | FIRST),
        !FIRST,
        !A,
        !(H | LAST),
        !(A | LAST),
        !LAST,
        !H,
    ],
};

const JUMPS: Steps = Steps {
    distances: [17, 15, 10, 6],
    ends: [
        !(A | FIRST_TWO),
        !(H | FIRST_TWO),
        !(AB | FIRST),
        !(GH | FIRST),
        !(H | LAST_TWO),
        !(A | LAST_TWO),
        !(GH | LAST),
        !(AB | LAST),
    ],
};

/// Captures of White's pawns in the low half, of Black's in the high one.
const CAPTURES: Steps = Steps {
    distances: [9, 7, 0, 0],
    ends: [!A, !H, 0, 0, !H, !A, 0, 0],
};

/// The distances of two and of four steps in the directions.
const TWO: [u64; 4] = [18, 14, 16, 2];
const FOUR: [u64; 4] = [36, 28, 32, 4];

/// Squares that a slider can pass or reach in one, two and four steps.
#[derive(Clone, Copy)]
struct Paths<T>([T; 3]);

impl<T: Copy> Paths<T> {
    #[inline(always)]
    fn new<O: LaneOps<Sets = T>>(ops: O, occupied: T) -> Self {
        let one = ops.and_not(ops.load(&DIRECTIONS.ends), occupied);
        let two = ops.and(one, ops.shift(one, &DIRECTIONS.distances));
        let four = ops.and(two, ops.shift(two, &TWO));
        Self([one, two, four])
    }

    /// The attacks of sliders from these squares, by direction.
    #[inline(always)]
    fn slide<O: LaneOps<Sets = T>>(self, ops: O, from: T) -> T {
        let [one, two, four] = self.0;
        let to = ops.or(from, ops.and(one, ops.shift(from, &DIRECTIONS.distances)));
        let to = ops.or(to, ops.and(two, ops.shift(to, &TWO)));
        let to = ops.or(to, ops.and(four, ops.shift(to, &FOUR)));
        step(ops, to, &DIRECTIONS)
    }
}

#[inline(always)]
fn step<O: LaneOps>(ops: O, from: O::Sets, steps: &'static Steps) -> O::Sets {
    ops.and(ops.load(&steps.ends), ops.shift(from, &steps.distances))
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

/// The union of the halves of each of two, in its half.
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
        ops.pairs(sides.all[0], sides.all[0]),
        ops.pairs(sides.all[1], sides.all[1]),
    ];
    let paths = Paths::new(ops, ops.or(all[0], all[1]));
    let knights = [
        step(ops, ops.pairs(ours[1], ours[1]), &JUMPS),
        step(ops, ops.pairs(theirs[1], theirs[1]), &JUMPS),
    ];
    let kings = [ops.pairs(ours[5], ours[5]), ops.pairs(theirs[5], theirs[5])];
    let rays = [paths.slide(ops, kings[0]), paths.slide(ops, kings[1])];
    let kings = [
        step(ops, kings[0], &DIRECTIONS),
        step(ops, kings[1], &DIRECTIONS),
    ];
    // Bishops on the diagonals, rooks on the others.
    let pieces = [
        paths.slide(ops, ops.pairs(ours[2], ours[3])),
        paths.slide(ops, ops.pairs(theirs[2], theirs[3])),
    ];
    let queens = [
        paths.slide(ops, ops.pairs(ours[4], ours[4])),
        paths.slide(ops, ops.pairs(theirs[4], theirs[4])),
    ];
    let sliders = [ops.or(pieces[0], queens[0]), ops.or(pieces[1], queens[1])];
    // Where a ray of the king meets an enemy slider's.
    let pinned = [
        ops.and(ops.and(rays[0], ops.swap_halves(sliders[1])), all[0]),
        ops.and(ops.and(rays[1], ops.swap_halves(sliders[0])), all[1]),
    ];
    let pawns = match us {
        Color::White => step(ops, ops.halves(ours[0], theirs[0]), &CAPTURES),
        Color::Black => ops.swap_halves(step(ops, ops.halves(theirs[0], ours[0]), &CAPTURES)),
    };

    // Lanes of each side: bishops and the king's diagonals, rooks and its file and rank.
    let first = ops.join_pairs(halves(ops, pieces), halves(ops, rays));
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
        let (pair, half) = (2 * side, 4 * side);
        let (enemy_pair, enemy_half) = (2 * (1 - side), 4 * (1 - side));
        Attacks {
            rows: [
                pawns[half],
                second[4 + pair],
                first[half],
                first[half + 2],
                second[pair],
                second[5 + pair],
                twice[half],
                second[enemy_pair + 1],
            ],
            all: once[half],
            rays: [first[enemy_half + 1], first[enemy_half + 3]],
        }
    });
    let crossed = [
        ops.cross(&attacks[0].rows, &sides.targets(&attacks, 0)),
        ops.cross(&attacks[1].rows, &sides.targets(&attacks, 1)),
    ];
    AttackCounts::of(&sides, &attacks, crossed)
}
