//! The attack features: how many squares and pieces of each kind a side attacks with which role.
//! They are counts, not squares, so that few positions teach much.
//!
//! For each side, the side to move first, eight sets of squares (`Rows`) are crossed with eight
//! others (`targets`): a count is the number of squares in both. Four counts of safe checks for
//! each side follow.

#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "other sets have no lanes")
)]
mod lanes;

use super::shape::{ATTACK_GROUP, ATTACK_GROUPS};
use super::simd::{LaneOps, LaneTask, SimdOps};
use movegen::{Bitboard, Color, Role, Square, attacks};

const ROWS: usize = 8;
const TARGETS: usize = 8;

/// The squares of each role, and of White and Black.
pub type PieceSets = [u64; 8];

/// Squares that a side attacks with each role, those that it attacks at least twice, and the
/// enemy's pinned pieces.
type Rows = [u64; ROWS];

/// The counts of a position, by feature, in groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct AttackCounts([[u8; ATTACK_GROUP]; ATTACK_GROUPS]);

impl Default for AttackCounts {
    fn default() -> Self {
        Self([[0; ATTACK_GROUP]; ATTACK_GROUPS])
    }
}

impl AttackCounts {
    /// The counts for the side `us`, with tables: the reference for faster implementations.
    #[must_use]
    pub fn new(sets: &PieceSets, us: Color) -> Self {
        let sides = Sides::new(sets, us);
        let occupied = Bitboard(sides.all[0] | sides.all[1]);
        let attacks = [0, 1].map(|side| Attacks::new(&sides, side, occupied));
        let cross = |side: usize| {
            let (rows, targets) = (&attacks[side].rows, sides.targets(&attacks, side));
            std::array::from_fn(|index| count(rows[index % ROWS] & targets[index / ROWS]))
        };
        Self::of(&sides, &attacks, [cross(0), cross(1)])
    }

    /// The counts for the side `us`, with these instructions.
    #[inline(always)]
    pub(super) fn with<S: SimdOps>(simd: S, sets: &PieceSets, us: Color) -> Self {
        simd.run_on_lanes(Count { sets, us })
    }

    /// The counts of rows and targets of each side, those of a target together, and the others.
    #[inline(always)]
    fn of(sides: &Sides, attacks: &[Attacks; 2], crossed: [[u8; ROWS * TARGETS]; 2]) -> Self {
        const SIDE: usize = ROWS * TARGETS;
        let mut counts = Self::default();
        let bytes = counts.0.as_flattened_mut();
        bytes[..SIDE].copy_from_slice(&crossed[0]);
        bytes[SIDE..2 * SIDE].copy_from_slice(&crossed[1]);
        bytes[2 * SIDE..2 * SIDE + 4].copy_from_slice(&sides.safe_checks(attacks, 0));
        bytes[2 * SIDE + 4..2 * SIDE + 8].copy_from_slice(&sides.safe_checks(attacks, 1));
        counts
    }

    #[inline(always)]
    pub fn groups(&self) -> &[[u8; ATTACK_GROUP]; ATTACK_GROUPS] {
        &self.0
    }
}

struct Count<'a> {
    sets: &'a PieceSets,
    us: Color,
}

impl LaneTask for Count<'_> {
    type Output = AttackCounts;

    #[inline(always)]
    fn run<O: LaneOps>(self, ops: O) -> AttackCounts {
        lanes::count(ops, self.sets, self.us)
    }

    fn run_without(self) -> AttackCounts {
        AttackCounts::new(self.sets, self.us)
    }
}

#[inline(always)]
fn count(set: u64) -> u8 {
    set.count_ones() as u8
}

/// The pieces of both sides, the side to move first.
struct Sides {
    us: Color,
    pieces: [[u64; 6]; 2],
    all: [u64; 2],
}

/// Squares and pieces that a side attacks.
struct Attacks {
    rows: Rows,
    all: u64,
    /// The squares from which a bishop and a rook would give check.
    rays: [u64; 2],
}

const TWICE: usize = 6;
const PINNED: usize = 7;

impl Sides {
    #[inline(always)]
    fn new(sets: &PieceSets, us: Color) -> Self {
        let [.., white, black] = *sets;
        let all = match us {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let [pawns, knights, bishops, rooks, queens, kings, ..] = *sets;
        let roles = [pawns, knights, bishops, rooks, queens, kings];
        let pieces = all.map(|all| roles.map(|role| role & all));
        Self { us, pieces, all }
    }

    #[inline(always)]
    fn king(&self, side: usize) -> Square {
        let king = Bitboard(self.pieces[side][Role::King.index()]);
        king.first().unwrap_or(Square::A1)
    }

    /// The sets that are crossed with the rows of a side.
    #[inline(always)]
    fn targets(&self, attacks: &[Attacks; 2], side: usize) -> [u64; TARGETS] {
        let enemy = &attacks[1 - side];
        let [pawns, knights, bishops, rooks, queens, king] = self.pieces[1 - side];
        [
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            king | enemy.rows[Role::King.index()],
            !(enemy.rows[Role::Pawn.index()] | self.all[side]),
            self.all[1 - side] & !enemy.all,
        ]
    }

    /// Checks by a knight, a bishop, a rook and a queen where the enemy attacks nothing.
    #[inline(always)]
    fn safe_checks(&self, attacks: &[Attacks; 2], side: usize) -> [u8; 4] {
        let (own, enemy) = (&attacks[side], &attacks[1 - side]);
        let [_, knights, bishops, rooks, queens, ..] = own.rows;
        let [bishop, rook] = own.rays;
        let safe = !enemy.all;
        [
            count(knights & attacks::knight(self.king(1 - side)).0 & safe),
            count(bishops & bishop & safe),
            count(rooks & rook & safe),
            count(queens & (bishop | rook) & safe),
        ]
    }
}

impl Attacks {
    fn new(sides: &Sides, side: usize, occupied: Bitboard) -> Self {
        let pieces = sides.pieces[side].map(Bitboard);
        let mut rows = [0; ROWS];
        let (mut all, mut twice) = (0, 0);
        let mut add = |role: Role, attacked: Bitboard| {
            rows[role.index()] |= attacked.0;
            twice |= all & attacked.0;
            all |= attacked.0;
        };
        let forward = if side == 0 { sides.us } else { !sides.us };
        let ahead = pieces[Role::Pawn.index()].forward(forward);
        add(Role::Pawn, ahead.east());
        add(Role::Pawn, ahead.west());
        for from in pieces[Role::Knight.index()] {
            add(Role::Knight, attacks::knight(from));
        }
        for from in pieces[Role::Bishop.index()] {
            add(Role::Bishop, attacks::bishop(from, occupied));
        }
        for from in pieces[Role::Rook.index()] {
            add(Role::Rook, attacks::rook(from, occupied));
        }
        for from in pieces[Role::Queen.index()] {
            add(Role::Queen, attacks::queen(from, occupied));
        }
        add(Role::King, attacks::king(sides.king(side)));
        let king = sides.king(1 - side);
        let rays = [
            attacks::bishop(king, occupied),
            attacks::rook(king, occupied),
        ];
        // What attacks the king when its neighbors are gone.
        let theirs = Bitboard(sides.all[1 - side]);
        let without = occupied & !(theirs & (rays[0] | rays[1]));
        let [_, _, bishops, rooks, queens, _] = pieces;
        let snipers = attacks::bishop(king, without) & (bishops | queens) & !rays[0]
            | attacks::rook(king, without) & (rooks | queens) & !rays[1];
        for sniper in snipers {
            rows[PINNED] |= (attacks::between(king, sniper) & theirs).0;
        }
        rows[TWICE] = twice;
        let rays = rays.map(|ray| ray.0);
        Self { rows, all, rays }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::features::piece_sets;
    use crate::nnue::simd::{Simd, SimdTask};
    use common::rng::SplitMix64;
    use movegen::{Position, Variant};

    struct CountWith<'a>(&'a PieceSets, Color);

    impl SimdTask for CountWith<'_> {
        type Output = AttackCounts;

        #[inline(always)]
        fn run<S: SimdOps>(self, simd: S) -> AttackCounts {
            AttackCounts::with(simd, self.0, self.1)
        }
    }

    fn counts(fen: &str) -> AttackCounts {
        let position = Position::from_fen(fen, Variant::Standard).unwrap();
        AttackCounts::new(&piece_sets(&position), position.side_to_move())
    }

    fn crossed(counts: &AttackCounts, side: usize, row: usize, target: usize) -> u8 {
        counts.0.as_flattened()[side * ROWS * TARGETS + target * ROWS + row]
    }

    #[test]
    fn counts_of_a_position() {
        // White: Kg1, Qd1, Bb5, pawn e4; Black: Ke8, Nc6 (pinned by the bishop), Rd8, pawn f5.
        let counts = counts("3rk3/8/2n5/1B3p2/4P3/8/8/3Q2K1 w - - 0 1");
        let [pawn, knight, bishop, rook, queen, king] = Role::ALL.map(Role::index);
        // What attacks what: exf5, Bxc6, Qxd8, Rxd1.
        assert_eq!(crossed(&counts, 0, pawn, pawn), 1);
        assert_eq!(crossed(&counts, 0, bishop, knight), 1);
        assert_eq!(crossed(&counts, 0, queen, rook), 1);
        assert_eq!(crossed(&counts, 1, rook, queen), 1);
        assert_eq!(crossed(&counts, 0, king, pawn), 0);
        assert_eq!(crossed(&counts, 0, PINNED, knight), 1);
        assert_eq!(crossed(&counts, 1, PINNED, queen), 0);
        // Of Black's pieces, f5 and c6 are not defended; one is attacked by the pawn.
        assert_eq!(crossed(&counts, 0, pawn, 7), 1);
        assert_eq!(crossed(&counts, 0, bishop, 7), 1);
        assert_eq!(crossed(&counts, 0, knight, 7), 0);
        // Around the king on e8, the queen attacks d8 and d7.
        assert_eq!(crossed(&counts, 0, queen, 5), 2);
    }

    #[test]
    fn all_instruction_sets_count_the_same() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "k1q1q1q1/1q1q1q2/q1q5/3Q4/2Q1Q3/3Q1Q2/Q1Q5/K1Q5 w - - 0 1",
        ];
        let mut rng = SplitMix64::with_stream(1, 1);
        for start in starts {
            for _ in 0..20 {
                let mut position = Position::from_fen(start, Variant::Standard).unwrap();
                for _ in 0..100 {
                    let (sets, us) = (piece_sets(&position), position.side_to_move());
                    let expected = AttackCounts::new(&sets, us);
                    for simd in Simd::all() {
                        assert_eq!(
                            simd.run(CountWith(&sets, us)),
                            expected,
                            "{simd}: {position:?}"
                        );
                    }
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position = position.play_unchecked(moves[rng.below(moves.len())]);
                }
            }
        }
    }
}
