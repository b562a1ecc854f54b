//! What stands to be taken.

use super::survey::Survey;
use super::tapered::{Tapered, tapered};
use movegen::{Position, Role};

const PAWN_ON_OFFICER: Tapered = tapered(48, 40);
const MINOR_ON_MAJOR: Tapered = tapered(34, 30);
const ROOK_ON_QUEEN: Tapered = tapered(30, 24);
const HANGING_OFFICER: Tapered = tapered(26, 22);
const HANGING_PAWN: Tapered = tapered(5, 14);

#[inline(always)]
pub(super) fn value(position: &Position, us: &Survey, them: &Survey) -> Tapered {
    let enemy = |role| position.pieces(them.color, role);
    let minors = enemy(Role::Knight) | enemy(Role::Bishop);
    let majors = enemy(Role::Rook) | enemy(Role::Queen);
    let hanging = us.all() & !them.all();

    let by_pawns = us.by(Role::Pawn) & (minors | majors);
    let by_minors = (us.by(Role::Knight) | us.by(Role::Bishop)) & majors;
    let by_rooks = us.by(Role::Rook) & enemy(Role::Queen);
    PAWN_ON_OFFICER * by_pawns.count() as i32
        + MINOR_ON_MAJOR * by_minors.count() as i32
        + ROOK_ON_QUEEN * by_rooks.count() as i32
        + HANGING_OFFICER * (hanging & (minors | majors)).count() as i32
        + HANGING_PAWN * (hanging & them.pawns).count() as i32
}
