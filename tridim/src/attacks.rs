//! Where men reach and what attacks what: ordinary chess seen from above, with every man's
//! vertical shadow in the way of lines, and a free choice among the squares of a column.
//!
//! Checks, turns, rights and a pawn's plain steps are not asked about here.

use crate::column::{Column, forward};
use crate::rays;
use crate::square::Square;
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Role};

impl World {
    /// The squares a pawn of this side attacks from a column.
    fn pawn_attacks(&self, side: Color, column: Column) -> SquareSet {
        [-1, 1]
            .into_iter()
            .filter_map(|files| column.step(files, forward(side)))
            .fold(SquareSet::EMPTY, |set, reached| {
                set | self.on_column(reached)
            })
    }

    /// The squares a man attacks, whoever stands there.
    pub(crate) fn attacks(&self, side: Color, role: Role, from: Square) -> SquareSet {
        let column = from.column();
        match role {
            Role::Pawn => self.pawn_attacks(side, column),
            Role::Knight => rays::knight(column) & self.existing(),
            Role::King => rays::king(column) & self.existing(),
            Role::Bishop => rays::bishop(column, self.shadows()) & self.existing(),
            Role::Rook => rays::rook(column, self.shadows()) & self.existing(),
            Role::Queen => {
                let lines =
                    rays::bishop(column, self.shadows()) | rays::rook(column, self.shadows());
                lines & self.existing()
            }
        }
    }

    /// The men of a side that attack a column: every square there at once, since whoever
    /// reaches a column chooses the level.
    #[must_use]
    pub fn attackers(&self, column: Column, by: Color) -> SquareSet {
        let men = |role| self.men(by, role);
        let queens = men(Role::Queen);
        let slanting = queens | men(Role::Bishop);
        let straight = queens | men(Role::Rook);
        let mut found = rays::knight(column) & men(Role::Knight)
            | rays::king(column) & men(Role::King)
            | self.pawn_attacks(!by, column) & men(Role::Pawn);
        if slanting.any() {
            found |= rays::bishop(column, self.shadows()) & slanting;
        }
        if straight.any() {
            found |= rays::rook(column, self.shadows()) & straight;
        }
        found
    }

    /// The men that give check to a side's king.
    #[must_use]
    pub fn checkers(&self, side: Color) -> SquareSet {
        match self.king(side) {
            Some(king) => self.attackers(king.column(), !side),
            None => SquareSet::EMPTY,
        }
    }

    pub(crate) fn in_check(&self, side: Color) -> bool {
        self.checkers(side).any()
    }
}
