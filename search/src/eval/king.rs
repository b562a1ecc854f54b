//! The king's safety: the pawns before it, and what the enemy has brought up against it.

use super::survey::{Survey, whole_files};
use super::tapered::{Tapered, tapered};
use movegen::{Bitboard, Role, Square, attacks};

/// Pawns one and two ranks before the king, on its file and the next ones.
const CLOSE_PAWN: Tapered = tapered(16, 0);
const FAR_PAWN: Tapered = tapered(9, 0);
/// Of these files, those without a pawn of ours.
const BARE_FILE: Tapered = tapered(-16, 0);
/// Enemy pawns up to three ranks before the king.
const STORM: Tapered = tapered(-7, 0);

/// Weights in an assault, in its own units: see `danger`.
const OPEN_TO_CHECK: [i32; 4] = [4, 2, 5, 5];
const UNHELD_SQUARE: i32 = 2;
const WITHOUT_QUEEN: i32 = -7;
/// With fewer men than this in it, an assault is none unless it can check.
const MEN_OF_AN_ASSAULT: i32 = 2;
/// An assault counts by its square, up to this.
const ASSAULT_AT_MOST: i32 = 34;

#[inline(always)]
pub(super) fn value(us: &Survey, them: &Survey) -> Tapered {
    shelter(us, them) - danger(us, them)
}

#[inline(always)]
fn shelter(us: &Survey, them: &Survey) -> Tapered {
    let center = Square::at(us.king.file().clamp(1, 6), us.king.rank());
    let middle = Bitboard::of(center);
    let row = middle | middle.east() | middle.west();
    let first = row.forward(us.color);
    let second = first.forward(us.color);
    let third = second.forward(us.color);
    let files = whole_files(us.pawns);
    let times = |set: Bitboard| set.count() as i32;
    CLOSE_PAWN * times(first & us.pawns)
        + FAR_PAWN * times(second & us.pawns)
        + BARE_FILE * times(row & !files)
        + STORM * times((first | second | third) & them.pawns)
}

/// What `them` threaten to do to our king. Attackers, the squares around the king they hit,
/// squares nobody else holds and checks to be had are counted in units; the damage grows
/// with their square, because attackers help each other.
#[inline(always)]
fn danger(us: &Survey, them: &Survey) -> Tapered {
    let checks = checks(us, them);
    if them.assailants < MEN_OF_AN_ASSAULT && checks == 0 {
        return Tapered::ZERO;
    }
    let unheld = us.king_zone & them.held & !us.held;
    let mut units = them.assault + checks + UNHELD_SQUARE * unheld.count() as i32;
    if them.by(Role::Queen).is_empty() {
        units += WITHOUT_QUEEN;
    }
    let units = units.clamp(0, ASSAULT_AT_MOST);
    tapered(units * units / 2, units * 2)
}

/// Units for the checks the enemy could give without losing the man that gives it.
#[inline(always)]
fn checks(us: &Survey, them: &Survey) -> i32 {
    let only_king = us.by(Role::King) & !us.held;
    let safe = !them.men & !us.held & (!only_king | them.twice);
    let lines = attacks::rook(us.king, us.occupied);
    let diagonals = attacks::bishop(us.king, us.occupied);
    let from = [
        (Role::Knight, attacks::knight(us.king)),
        (Role::Bishop, diagonals),
        (Role::Rook, lines),
        (Role::Queen, lines | diagonals),
    ];
    from.into_iter()
        .zip(OPEN_TO_CHECK)
        .map(|((role, squares), units)| units * i32::from((squares & safe & them.by(role)).any()))
        .sum()
}
