//! Examples made ready for the arithmetic, some hundred at a time: features of both sides,
//! output buckets, targets.

use super::objective::Objective;
use crate::data::Example;
use movegen::{Color, Piece, Square};
use search::net::{Shape, View};

/// Few enough that the sums of a strip stay in a core's cache, many enough that most rows of
/// the table are touched more than once.
pub(super) const BLOCK: usize = 512;
const MOST_MEN: usize = 32;

/// What the network sees of an example.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Row numbers for the side to move and for the other side.
    rows: [[u16; MOST_MEN]; 2],
    count: u8,
    pub(super) bucket: u8,
}

impl Input {
    pub(super) fn new(shape: &Shape, example: &Example) -> Self {
        // The board of an example is turned so that its side to move is White.
        let view = |side, king| View::new(shape, side, Square::wrapping(king as u8));
        let own = view(Color::White, example.own_king());
        let their = view(Color::Black, example.their_king());
        let mut rows = [[0; MOST_MEN]; 2];
        let mut count = 0;
        for man in example.men().take(MOST_MEN) {
            let color = if man.own { Color::White } else { Color::Black };
            let Some(&piece) = Piece::ALL.get(man.role * 2 + color.index()) else {
                continue;
            };
            let square = Square::wrapping(man.square as u8);
            // Below 32 · 768.
            rows[0][count] = own.feature(piece, square) as u16;
            rows[1][count] = their.feature(piece, square) as u16;
            count += 1;
        }
        Self {
            rows,
            count: count as u8,
            bucket: shape.output_bucket(example.count()) as u8,
        }
    }

    /// Row numbers for one side: 0 is the side to move, 1 the other.
    #[inline(always)]
    pub(super) fn rows(&self, side: usize) -> &[u16] {
        let count = usize::from(self.count).min(MOST_MEN);
        &self.rows[side & 1][..count]
    }
}

/// Inputs and what the network should say of them.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) inputs: Vec<Input>,
    pub(super) targets: Vec<f32>,
    /// Examples gathered before any is looked at, so that waiting for memory overlaps.
    gathered: Vec<Example>,
}

impl Block {
    pub(super) fn fill(
        &mut self,
        shape: &Shape,
        objective: Objective,
        examples: impl Iterator<Item = Example>,
    ) {
        self.gathered.clear();
        self.gathered.extend(examples);
        self.inputs.clear();
        self.targets.clear();
        for example in &self.gathered {
            self.inputs.push(Input::new(shape, example));
            self.targets.push(objective.target(example));
        }
    }
}

/// Where each feature occurs in a block, so that a row's gradient is added up in one go.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// For each row where its places begin; one number more than rows.
    starts: Vec<u32>,
    /// Twice the number of the example, and 1 more for the side not to move.
    places: Vec<u16>,
}

impl Index {
    pub(super) fn fill(&mut self, rows: usize, inputs: &[Input]) {
        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        let occurrences = || {
            let sides = inputs.iter().enumerate();
            sides.flat_map(|(number, input)| {
                (0..2).flat_map(move |side| {
                    let place = (number * 2 + side) as u16;
                    input.rows(side).iter().map(move |&row| (row, place))
                })
            })
        };
        // Counted two rows ahead: adding up makes that each row's start one row ahead, and
        // filling moves every start on to the next row's.
        let mut all = 0;
        for (row, _) in occurrences() {
            self.starts[usize::from(row) + 2] += 1;
            all += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.places.clear();
        self.places.resize(all, 0);
        for (row, place) in occurrences() {
            let next = &mut self.starts[usize::from(row) + 1];
            self.places[*next as usize] = place;
            *next += 1;
        }
    }

    /// Where in the block a row occurs.
    #[inline(always)]
    pub(super) fn places(&self, row: usize) -> &[u16] {
        let (start, end) = (self.starts[row] as usize, self.starts[row + 1] as usize);
        &self.places[start..end]
    }
}
