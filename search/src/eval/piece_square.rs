//! What a man is worth for being there: its material and its square, by formula.
//!
//! Squares are seen from the man's own side. Every formula is the same on both wings.

use super::tapered::{Tapered, tapered};
use movegen::{Color, Role, Square};

const MATERIAL: [Tapered; 6] = [
    tapered(88, 108),
    tapered(335, 305),
    tapered(350, 330),
    tapered(485, 555),
    tapered(1000, 1020),
    Tapered::ZERO,
];

/// A pawn's worth by rank, counted from its home.
const PAWN_MIDDLE: [i32; 6] = [0, 0, 4, 10, 22, 40];
const PAWN_END: [i32; 6] = [0, 2, 6, 14, 28, 48];
/// What a pawn on the second to fifth rank gains on the two middle files, and on the c and f.
const CENTER_PAWN: [i32; 4] = [-14, 2, 16, 18];
const NEAR_CENTER_PAWN: [i32; 4] = [0, 1, 5, 6];
const ROOK_PAWN: Tapered = tapered(-8, -4);

/// A king on its first rank, from the corner to the middle.
const KING_AT_HOME: [i32; 4] = [18, 28, 4, -6];
/// What each rank costs a king in the midgame.
const KING_STEP: i32 = 26;

static TABLE: [[Tapered; 64]; 6] = {
    let mut table = [[Tapered::ZERO; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut index = 0;
        while index < 64 {
            let at = Square::wrapping(index as u8);
            table[role][index] = MATERIAL[role].plus(square(Role::ALL[role], at));
            index += 1;
        }
        role += 1;
    }
    table
};

/// A man's material and square together.
#[inline]
pub(super) fn value(color: Color, role: Role, square: Square) -> Tapered {
    TABLE[role.index()][square.relative(color).index()]
}

/// Steps from the edge, 0 to 3, of a file or a rank.
const fn inward(line: u8) -> i32 {
    (if line < 4 { line } else { 7 - line }) as i32
}

const fn square(role: Role, at: Square) -> Tapered {
    let rank = at.rank() as i32;
    let middle_file = inward(at.file());
    let center = middle_file + inward(at.rank());
    let first_rank = if rank == 0 { 1 } else { 0 };
    match role {
        Role::Pawn => pawn(at),
        Role::Knight => {
            let advanced = if rank >= 3 && rank <= 5 { 8 } else { 0 };
            tapered(8 * center - 30 + advanced, 6 * center - 22 + advanced)
        }
        Role::Bishop => tapered(4 * center - 12 - 10 * first_rank, 3 * center - 10),
        Role::Rook => {
            let seventh = if rank == 6 { 1 } else { 0 };
            tapered(3 * middle_file - 5 + 14 * seventh, 14 * seventh)
        }
        Role::Queen => tapered(center - 3, 5 * center - 15),
        Role::King => {
            let home = KING_AT_HOME[middle_file as usize];
            let steps = if rank < 4 { rank } else { 4 };
            tapered(home - KING_STEP * steps, 10 * center - 30)
        }
    }
}

const fn pawn(at: Square) -> Tapered {
    let rank = at.rank() as usize;
    if rank == 0 || rank == 7 {
        return Tapered::ZERO;
    }
    let from_home = rank - 1;
    let by_rank = tapered(PAWN_MIDDLE[from_home], PAWN_END[from_home]);
    let by_file = match inward(at.file()) {
        3 if from_home < CENTER_PAWN.len() => tapered(CENTER_PAWN[from_home], 0),
        2 if from_home < NEAR_CENTER_PAWN.len() => tapered(NEAR_CENTER_PAWN[from_home], 0),
        0 => ROOK_PAWN,
        _ => Tapered::ZERO,
    };
    by_rank.plus(by_file)
}
