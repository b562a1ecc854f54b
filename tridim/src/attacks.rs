//! Attacks: ordinary chess seen from above. Every piece blocks its whole column (its vertical
//! shadow) for sliding pieces; the mover chooses among the squares of the column it reaches.

use movegen::{Color, Role};

use crate::placement::Placement;
use crate::square::{Column, DIAGONALS, KNIGHT_STEPS, STRAIGHTS, Square, forward};
use crate::square_set::SquareSet;

impl Placement {
    /// The squares a pawn attacks from a column.
    fn pawn_attacks(&self, side: Color, column: Column) -> SquareSet {
        [-1, 1]
            .into_iter()
            .filter_map(|files| column.step(files, forward(side)))
            .fold(SquareSet::EMPTY, |set, reached| {
                set | self.on_column(reached)
            })
    }

    /// The squares a piece attacks, whatever stands there.
    pub(crate) fn attacks(&self, side: Color, role: Role, from: Square) -> SquareSet {
        let column = from.column();
        match role {
            Role::Pawn => self.pawn_attacks(side, column),
            Role::Knight => knight(column) & self.existing(),
            Role::King => king(column) & self.existing(),
            Role::Bishop => bishop(column, self.shadows()) & self.existing(),
            Role::Rook => rook(column, self.shadows()) & self.existing(),
            Role::Queen => {
                let lines = bishop(column, self.shadows()) | rook(column, self.shadows());
                lines & self.existing()
            }
        }
    }

    /// The pieces of a side that attack a column. They attack each of its squares, since a piece
    /// that reaches a column chooses the level.
    pub fn attackers(&self, column: Column, by: Color) -> SquareSet {
        let pieces = |role| self.pieces(by, role);
        let queens = pieces(Role::Queen);
        let diagonal = queens | pieces(Role::Bishop);
        let straight = queens | pieces(Role::Rook);
        let mut found = knight(column) & pieces(Role::Knight)
            | king(column) & pieces(Role::King)
            | self.pawn_attacks(!by, column) & pieces(Role::Pawn);
        if diagonal.any() {
            found |= bishop(column, self.shadows()) & diagonal;
        }
        if straight.any() {
            found |= rook(column, self.shadows()) & straight;
        }
        found
    }

    /// The pieces that check the king of a side.
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

/// The ray from one column to the edge in one direction.
#[derive(Clone, Copy)]
struct Ray {
    /// A bit per column.
    columns: u64,
    /// Every possible square on those columns.
    squares: SquareSet,
}

type Rays = [[Ray; Column::COUNT]; 4];

static DIAGONAL_RAYS: Rays = rays(DIAGONALS);
static STRAIGHT_RAYS: Rays = rays(STRAIGHTS);
static KNIGHT: [SquareSet; Column::COUNT] = leaps(&KNIGHT_STEPS);
static DIAGONAL_STEPS: [SquareSet; Column::COUNT] = leaps(&DIAGONALS);
static STRAIGHT_STEPS: [SquareSet; Column::COUNT] = leaps(&STRAIGHTS);

const fn rays(lines: [(i8, i8); 4]) -> Rays {
    const NOWHERE: Ray = Ray {
        columns: 0,
        squares: SquareSet::EMPTY,
    };
    let mut rays = [[NOWHERE; Column::COUNT]; 4];
    let mut line = 0;
    while line < lines.len() {
        let (files, ranks) = lines[line];
        let mut index = 0;
        while index < Column::COUNT {
            let mut next = Column::from_index(index as u8).step(files, ranks);
            let ray = &mut rays[line][index];
            while let Some(column) = next {
                ray.columns |= 1 << column.index();
                ray.squares = ray.squares.with(SquareSet::of_column(column));
                next = column.step(files, ranks);
            }
            index += 1;
        }
        line += 1;
    }
    rays
}

const fn leaps(steps: &[(i8, i8)]) -> [SquareSet; Column::COUNT] {
    let mut sets = [SquareSet::EMPTY; Column::COUNT];
    let mut index = 0;
    while index < Column::COUNT {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(column) = Column::from_index(index as u8).step(files, ranks) {
                sets[index] = sets[index].with(SquareSet::of_column(column));
            }
            step += 1;
        }
        index += 1;
    }
    sets
}

/// The squares a knight attacks from a column.
pub(crate) fn knight(column: Column) -> SquareSet {
    KNIGHT[column.index()]
}

/// The squares a king attacks from a column.
pub(crate) fn king(column: Column) -> SquareSet {
    DIAGONAL_STEPS[column.index()] | STRAIGHT_STEPS[column.index()]
}

/// The squares a bishop attacks, up to and including the first shadowed column.
pub(crate) fn bishop(column: Column, shadows: u64) -> SquareSet {
    along(&DIAGONAL_RAYS, column, shadows)
}

/// The squares a rook attacks, up to and including the first shadowed column.
pub(crate) fn rook(column: Column, shadows: u64) -> SquareSet {
    along(&STRAIGHT_RAYS, column, shadows)
}

fn along(rays: &Rays, column: Column, shadows: u64) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    for ray_of in rays {
        let ray = ray_of[column.index()];
        let met = ray.columns & shadows;
        reached |= match met {
            0 => ray.squares,
            met => {
                // Column numbers increase along the ranks: along a ray they only rise or only fall.
                let rises = ray.columns >> column.index() != 0;
                let first = if rises {
                    met.trailing_zeros()
                } else {
                    u64::BITS - 1 - met.leading_zeros()
                };
                ray.squares & !ray_of[first as usize % Column::COUNT].squares
            }
        };
    }
    reached
}
