//! Where the men stand and what they can reach: material, squares, mobility, bishop pair,
//! outposts, rooks on files. The one pass over the men; it fills in the survey on its way.

use super::piece_square;
use super::survey::{Survey, whole_files};
use super::tapered::{Tapered, tapered};
use movegen::{Bitboard, Position, Role, attacks};

const BISHOP_PAIR: Tapered = tapered(28, 45);
const OUTPOST: Tapered = tapered(22, 12);
const OPEN_FILE: Tapered = tapered(26, 10);
const HALF_OPEN_FILE: Tapered = tapered(12, 8);

/// How many squares a role reaches at most, what all of them are worth, and what none is.
struct Reach {
    most: i32,
    gain: (i32, i32),
    none: (i32, i32),
}

const REACH: [Reach; 4] = [
    Reach {
        most: 8,
        gain: (52, 54),
        none: (-32, -36),
    },
    Reach {
        most: 13,
        gain: (74, 80),
        none: (-34, -40),
    },
    Reach {
        most: 14,
        gain: (48, 92),
        none: (-22, -44),
    },
    Reach {
        most: 27,
        gain: (48, 80),
        none: (-20, -36),
    },
];

/// Weight of an attack on a king's zone, and of each square of it that is hit.
const ASSAULT: [i32; 4] = [2, 2, 3, 4];

/// The first squares free a piece, the last ones hardly matter: a parabola up to its top.
static MOBILITY: [[Tapered; 28]; 4] = {
    let mut table = [[Tapered::ZERO; 28]; 4];
    let mut role = 0;
    while role < 4 {
        let Reach { most, gain, none } = &REACH[role];
        let mut count = 0;
        while count < 28 {
            let reached = if (count as i32) < *most {
                count as i32
            } else {
                *most
            };
            let part = reached * (2 * *most - reached);
            let whole = *most * *most;
            table[role][count] = tapered(
                none.0 + gain.0 * part / whole,
                none.1 + gain.1 * part / whole,
            );
            count += 1;
        }
        role += 1;
    }
    table
};

/// The value of a side's men by themselves; completes its survey.
#[inline(always)]
pub(super) fn look(position: &Position, us: &mut Survey, them: &Survey) -> Tapered {
    let mut value = piece_square::value(us.color, Role::King, us.king);
    for square in us.pawns {
        value += piece_square::value(us.color, Role::Pawn, square);
    }
    value += officers(position, us, them, Role::Knight);
    value += officers(position, us, them, Role::Bishop);
    value += officers(position, us, them, Role::Rook);
    value += officers(position, us, them, Role::Queen);
    value
        + bishop_pair(position, us)
        + outposts(position, us, them)
        + rooks_on_files(position, us, them)
}

#[inline(always)]
fn officers(position: &Position, us: &mut Survey, them: &Survey, role: Role) -> Tapered {
    let own = |role| position.pieces(us.color, role);
    // A man behind another that moves alike adds its force to it.
    let blockers = match role {
        Role::Bishop => us.occupied ^ own(Role::Queen),
        Role::Rook => us.occupied ^ own(Role::Queen) ^ own(Role::Rook),
        _ => us.occupied,
    };
    let free = !(us.pawns | Bitboard::of(us.king) | them.by(Role::Pawn));
    let kind = role.index() - Role::Knight.index();
    let mut value = Tapered::ZERO;
    for square in own(role) {
        let attacked = match role {
            Role::Knight => attacks::knight(square),
            Role::Bishop => attacks::bishop(square, blockers),
            Role::Rook => attacks::rook(square, blockers),
            _ => attacks::queen(square, blockers),
        };
        us.note(role, attacked);
        let reached = (attacked & free).count() as usize;
        value += piece_square::value(us.color, role, square) + MOBILITY[kind][reached.min(27)];
        let hits = attacked & them.king_zone;
        if hits.any() {
            us.assailants += 1;
            us.assault += ASSAULT[kind] + hits.count() as i32;
        }
    }
    value
}

#[inline(always)]
fn bishop_pair(position: &Position, us: &Survey) -> Tapered {
    let bishops = position.pieces(us.color, Role::Bishop);
    if (bishops & Bitboard::DARK).any() && (bishops & !Bitboard::DARK).any() {
        BISHOP_PAIR
    } else {
        Tapered::ZERO
    }
}

/// Minor pieces in the enemy's half, held by a pawn, where no pawn can ever attack them.
#[inline(always)]
fn outposts(position: &Position, us: &Survey, them: &Survey) -> Tapered {
    let minors = position.pieces(us.color, Role::Knight) | position.pieces(us.color, Role::Bishop);
    let far = Bitboard::relative_rank(us.color, 3)
        | Bitboard::relative_rank(us.color, 4)
        | Bitboard::relative_rank(us.color, 5);
    let candidates = minors & far & us.by(Role::Pawn);
    OUTPOST * (candidates & !them.pawn_reach()).count() as i32
}

#[inline(always)]
fn rooks_on_files(position: &Position, us: &Survey, them: &Survey) -> Tapered {
    let rooks = position.pieces(us.color, Role::Rook);
    let half_open = rooks & !whole_files(us.pawns);
    let open = half_open & !whole_files(them.pawns);
    OPEN_FILE * open.count() as i32 + HALF_OPEN_FILE * (half_open ^ open).count() as i32
}
