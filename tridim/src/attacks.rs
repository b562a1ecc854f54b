//! Where men reach and what attacks what: ordinary chess seen from above, with every man's
//! vertical shadow in the way of lines, and a free choice among the squares of a column.
//!
//! Checks, turns, rights and a pawn's plain steps are not asked about here.

use crate::column::{Column, DIAGONALS, KNIGHT_STEPS, STRAIGHTS, forward};
use crate::square::Square;
use crate::squares::SquareSet;
use crate::world::World;
use movegen::{Color, Role};

/// For each column the squares that can exist a knight's, or a king's, step away.
struct Leaps {
    knight: [SquareSet; Column::COUNT],
    king: [SquareSet; Column::COUNT],
}

static LEAPS: std::sync::LazyLock<Leaps> = std::sync::LazyLock::new(|| {
    let table = |steps: &[(i8, i8)]| {
        std::array::from_fn(|index| {
            let column = Column::from_index(index as u8);
            steps
                .iter()
                .filter_map(|&(files, ranks)| column.step(files, ranks))
                .fold(SquareSet::EMPTY, |set, reached| {
                    set | SquareSet::of_column(reached)
                })
        })
    };
    Leaps {
        knight: table(&KNIGHT_STEPS),
        king: table(&[DIAGONALS, STRAIGHTS].concat()),
    }
});

impl World {
    /// Every square along these lines up to the first shadow, the shadow's column included.
    fn along(&self, column: Column, lines: &[(i8, i8)]) -> SquareSet {
        let mut reached = SquareSet::EMPTY;
        for &line in lines {
            for column in column.line(line) {
                reached |= SquareSet::of_column(column);
                if self.has_shadow(column) {
                    break;
                }
            }
        }
        reached & self.existing()
    }

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
            Role::Knight => LEAPS.knight[column.index()] & self.existing(),
            Role::King => LEAPS.king[column.index()] & self.existing(),
            Role::Bishop => self.along(column, &DIAGONALS),
            Role::Rook => self.along(column, &STRAIGHTS),
            Role::Queen => self.along(column, &DIAGONALS) | self.along(column, &STRAIGHTS),
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
        let mut found = LEAPS.knight[column.index()] & men(Role::Knight)
            | LEAPS.king[column.index()] & men(Role::King)
            | self.pawn_attacks(!by, column) & men(Role::Pawn);
        if slanting.any() {
            found |= self.along(column, &DIAGONALS) & slanting;
        }
        if straight.any() {
            found |= self.along(column, &STRAIGHTS) & straight;
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
