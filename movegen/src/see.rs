//! Static exchange: what the captures on one square come to, both sides taking with their
//! least man first and stopping when it pays to. Pins are not looked at: an exchange is an
//! estimate, and has to be a quick one.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;

/// What each role is worth in an exchange; the caller's opinion.
pub type SeeValues = [i32; 6];

impl Position {
    /// Whether playing `mv` and exchanging on its square gains at least `threshold`.
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32, values: &SeeValues) -> bool {
        let (from, to) = (mv.from(), mv.to());
        // Wide enough that no values and no threshold run over.
        let worth = |role: Role| i64::from(values[role.index()]);
        let mut occupied = self.occupied() ^ Bitboard::of(from);
        let (gained, mut at_stake) = match mv.kind() {
            MoveKind::Castling => return threshold <= 0,
            MoveKind::EnPassant => {
                occupied ^= Bitboard::of(to).forward(!self.side_to_move);
                (worth(Role::Pawn), worth(Role::Pawn))
            }
            MoveKind::Promotion(role) => {
                let taken = self.role_on(to).map_or(0, worth);
                (taken + worth(role) - worth(Role::Pawn), worth(role))
            }
            MoveKind::Normal => {
                let mover = self.role_on(from).map_or(0, worth);
                (self.role_on(to).map_or(0, worth), mover)
            }
        };
        occupied |= Bitboard::of(to);

        // `balance` is what the side about to take has to make good to change the verdict.
        let mut balance = gained - i64::from(threshold);
        if balance < 0 {
            return false;
        }
        balance -= at_stake;
        if balance >= 0 {
            return true;
        }

        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        let orthogonal = self.role(Role::Rook) | self.role(Role::Queen);
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = !self.side_to_move;
        loop {
            attackers &= occupied;
            let ours = attackers & self.side(side);
            let Some((role, taker)) = self.least_of(ours) else {
                break;
            };
            // A king takes last, and only what is not protected any more.
            if role == Role::King && (attackers & self.side(!side)).any() {
                break;
            }
            side = !side;
            at_stake = worth(role);
            balance = -balance - 1 - at_stake;
            if balance >= 0 {
                break;
            }
            occupied ^= taker;
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook(to, occupied) & orthogonal;
            }
        }
        side != self.side_to_move
    }

    /// The least valuable role among `men`, and one man of it.
    fn least_of(&self, men: Bitboard) -> Option<(Role, Bitboard)> {
        Role::ALL.into_iter().find_map(|role| {
            let square = (men & self.role(role)).first()?;
            Some((role, Bitboard::of(square)))
        })
    }
}
