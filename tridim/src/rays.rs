//! Lines and leaps from every column, worked out when compiling: what a board without men
//! would allow.

use crate::column::{Column, DIAGONALS, KNIGHT_STEPS, STRAIGHTS};
use crate::squares::SquareSet;

/// One line from one column to the edge.
#[derive(Clone, Copy)]
struct Ray {
    /// A bit for each column on it.
    columns: u64,
    /// Every square that can exist on those columns.
    squares: SquareSet,
}

type Rays = [[Ray; Column::COUNT]; 4];

static SLANTING: Rays = rays(DIAGONALS);
static STRAIGHT: Rays = rays(STRAIGHTS);
static KNIGHT: [SquareSet; Column::COUNT] = leaps(&KNIGHT_STEPS);
static KING: [SquareSet; Column::COUNT] = {
    let (slanting, straight) = (leaps(&DIAGONALS), leaps(&STRAIGHTS));
    let mut both = slanting;
    let mut index = 0;
    while index < Column::COUNT {
        both[index] = both[index].with(straight[index]);
        index += 1;
    }
    both
};

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

/// The squares a knight reaches from a column.
pub(crate) fn knight(column: Column) -> SquareSet {
    KNIGHT[column.index()]
}

/// The squares a king reaches from a column.
pub(crate) fn king(column: Column) -> SquareSet {
    KING[column.index()]
}

/// The squares along diagonals up to the first shadow, the shadow's column included.
pub(crate) fn bishop(column: Column, shadows: u64) -> SquareSet {
    along(&SLANTING, column, shadows)
}

/// The same along files and ranks.
pub(crate) fn rook(column: Column, shadows: u64) -> SquareSet {
    along(&STRAIGHT, column, shadows)
}

fn along(rays: &Rays, column: Column, shadows: u64) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    for ray_of in rays {
        let ray = ray_of[column.index()];
        let met = ray.columns & shadows;
        reached |= match met {
            0 => ray.squares,
            met => {
                // Columns are numbered along the ranks: on a line they only rise or only fall.
                let rises = ray.columns >> column.index() != 0;
                let first = match rises {
                    true => met.trailing_zeros(),
                    false => u64::BITS - 1 - met.leading_zeros(),
                };
                ray.squares & !ray_of[first as usize % Column::COUNT].squares
            }
        };
    }
    reached
}
