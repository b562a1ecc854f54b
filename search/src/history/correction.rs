//! Correction history: how far the static evaluation was off in similar positions, by pawn
//! structure, minor pieces, each side's non-pawn pieces, and the last two moves.

use super::continuation::{PIECE_TO, PieceTo};
use super::gravity;
use super::keys::PieceKeys;
use super::written::Written;
use crate::params;
use movegen::Color;

const SLOTS: usize = 16_384;
/// Entries are in 1/128 of an evaluation unit.
const GRAIN: i32 = 128;
/// The largest correction of one table.
const LIMIT: i32 = 64 * GRAIN;
/// The largest change by one update.
const MAX_BONUS: i32 = LIMIT / 4;
/// The depth counts for at most this much in an update.
const MAX_WEIGHT: i32 = 16;

#[derive(Debug)]
pub(crate) struct CorrectionHistory {
    pawns: [i16; 2 * SLOTS],
    minors: [i16; 2 * SLOTS],
    non_pawn: [[i16; 2 * SLOTS]; 2],
    continuation: [i16; PIECE_TO * PIECE_TO],
}

/// The index of a position in each table.
struct Indices {
    pawns: usize,
    minors: usize,
    non_pawn: [usize; 2],
    continuation: Option<usize>,
}

impl Indices {
    #[inline]
    fn new(side: Color, keys: PieceKeys, last_moves: [Option<PieceTo>; 2]) -> Self {
        let slot = |key: usize| side.index() * SLOTS + key % SLOTS;
        let continuation = match last_moves {
            [Some(last), Some(before)] => Some(before.index() * PIECE_TO + last.index()),
            _ => None,
        };
        Self {
            pawns: slot(keys.pawns()),
            minors: slot(keys.minors()),
            non_pawn: [
                slot(keys.non_pawns(Color::White)),
                slot(keys.non_pawns(Color::Black)),
            ],
            continuation,
        }
    }
}

impl CorrectionHistory {
    /// The correction to the evaluation of a position with these keys and this side to move.
    /// `last_moves` led to it, the last one first.
    #[inline]
    pub(crate) fn get(
        &self,
        side: Color,
        keys: PieceKeys,
        last_moves: [Option<PieceTo>; 2],
    ) -> i32 {
        let indices = Indices::new(side, keys, last_moves);
        let non_pawn: i32 = self
            .non_pawn
            .iter()
            .zip(indices.non_pawn)
            .map(|(table, index)| i32::from(table[index]))
            .sum();
        let continuation = indices
            .continuation
            .map_or(0, |index| i32::from(self.continuation[index]));
        let sum = i32::from(self.pawns[indices.pawns]) * params::correction::pawn()
            + i32::from(self.minors[indices.minors]) * params::correction::minor()
            + non_pawn * params::correction::non_pawn()
            + continuation * params::correction::continuation();
        sum / (GRAIN * 128)
    }

    /// The value found by a search at this depth differed from the evaluation by `error`.
    pub(super) fn update(
        &mut self,
        side: Color,
        keys: PieceKeys,
        last_moves: [Option<PieceTo>; 2],
        error: i32,
        depth: i32,
        written: &mut Written,
    ) {
        let indices = Indices::new(side, keys, last_moves);
        let weight = (depth + 1).min(MAX_WEIGHT);
        let [white, black] = &mut self.non_pawn;
        let entries = [
            Some(&mut self.pawns[indices.pawns]),
            Some(&mut self.minors[indices.minors]),
            Some(&mut white[indices.non_pawn[0]]),
            Some(&mut black[indices.non_pawn[1]]),
            indices
                .continuation
                .map(|index| &mut self.continuation[index]),
        ];
        let bonus = error * GRAIN * weight / params::correction::update_divisor();
        for entry in entries.into_iter().flatten() {
            gravity::<LIMIT>(entry, bonus.clamp(-MAX_BONUS, MAX_BONUS), written);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::history::Histories;
    use crate::history::keys::PieceKeys;
    use crate::memory::Large;
    use movegen::{Color, Position};

    #[test]
    fn a_constant_error_is_corrected_completely() {
        let (side, keys) = (Color::White, PieceKeys::of(&Position::default()));
        for bias in [-80, -10, 25, 60] {
            let mut histories = Large::<Histories>::zeroed();
            let corrected = |histories: &Histories| histories.correction.get(side, keys, [None; 2]);
            for _ in 0..2000 {
                let error = bias - corrected(&histories);
                histories.update_correction(side, keys, [None; 2], error, 6);
            }
            let corrected = corrected(&histories);
            assert!(
                (corrected - bias).abs() <= 2,
                "{corrected} instead of {bias}"
            );
        }
    }
}
