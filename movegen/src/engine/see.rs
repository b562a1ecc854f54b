//! Static exchange evaluation (SEE): the material outcome of the captures on one square, where both
//! sides capture with their least valuable piece first and may stop at any time. Pins are ignored
//! for speed.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;

/// The value of each role in an exchange, indexed by `Role::index`.
pub type SeeValues = [i32; 6];

/// True if `mv` and the exchange on its destination gain at least `threshold`.
///
/// ```
/// use movegen::Position;
/// use movegen::engine::{SeeValues, see_ge};
///
/// const VALUES: SeeValues = [100, 300, 300, 500, 900, 0];
/// let position: Position = "4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1".parse()?;
/// let mv = position.move_from_san("Rxe5+").unwrap();
/// // The rook takes a pawn and is taken.
/// assert!(see_ge(&position, mv, -400, &VALUES));
/// assert!(!see_ge(&position, mv, -399, &VALUES));
/// # Ok::<(), movegen::FenError>(())
/// ```
pub fn see_ge(position: &Position, mv: Move, threshold: i32, values: &SeeValues) -> bool {
    let (from, to) = (mv.from(), mv.to());
    // In i64 no values and no threshold overflow.
    let value = |role: Role| i64::from(values[role.index()]);
    let mut occupied = position.occupied() ^ Bitboard::of(from);
    let (gain, mut at_risk) = match mv.kind() {
        MoveKind::Castling => return threshold <= 0,
        MoveKind::EnPassant => {
            occupied ^= Bitboard::of(to).forward(!position.side_to_move);
            (value(Role::Pawn), value(Role::Pawn))
        }
        MoveKind::Promotion(role) => {
            let captured = position.role_on(to).map_or(0, value);
            (captured + value(role) - value(Role::Pawn), value(role))
        }
        MoveKind::Normal => {
            let mover = position.role_on(from).map_or(0, value);
            (position.role_on(to).map_or(0, value), mover)
        }
    };
    occupied |= Bitboard::of(to);

    // The result relative to the threshold for the side that has just moved, first if its piece
    // survives, then if the piece is lost.
    let mut balance = gain - i64::from(threshold);
    if balance < 0 {
        return false;
    }
    balance -= at_risk;
    if balance >= 0 {
        return true;
    }

    let diagonal = position.by_role(Role::Bishop) | position.by_role(Role::Queen);
    let orthogonal = position.by_role(Role::Rook) | position.by_role(Role::Queen);
    let mut attackers = position.attackers_to(to, occupied);
    let mut side = !position.side_to_move;
    loop {
        attackers &= occupied;
        let ours = attackers & position.by_color(side);
        let Some((role, attacker)) = least_valuable(position, ours) else {
            break;
        };
        // A king captures last, and only an undefended piece.
        if role == Role::King && (attackers & position.by_color(!side)).any() {
            break;
        }
        side = !side;
        at_risk = value(role);
        balance = -balance - 1 - at_risk;
        if balance >= 0 {
            break;
        }
        occupied ^= attacker;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & orthogonal;
        }
    }
    side != position.side_to_move
}

/// The least valuable role among `pieces`, and one piece of it.
fn least_valuable(position: &Position, pieces: Bitboard) -> Option<(Role, Bitboard)> {
    Role::ALL.into_iter().find_map(|role| {
        let square = (pieces & position.by_role(role)).first()?;
        Some((role, Bitboard::of(square)))
    })
}
