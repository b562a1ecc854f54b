//! What earlier cutoffs teach about moves: one table a file, all with the same arithmetic.

pub(crate) mod capture;
pub(crate) mod continuation;
pub(crate) mod correction;
pub(crate) mod pawn;
pub(crate) mod quiet;

use crate::memory::Zeroable;
use crate::movepick::Lookout;
use crate::params;
use capture::CaptureHistory;
use continuation::{Arrival, ContinuationHistory};
use correction::Corrections;
use movegen::{Move, Position};
use pawn::PawnHistory;
use quiet::QuietHistory;

/// Entries stay within ± this.
pub(crate) const LIMIT: i32 = 16_384;

/// Moves an entry by a bonus, the less the closer it is to the limit already.
#[inline]
pub(crate) fn nudge(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// What a cutoff at this depth is worth to the move that made it.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    let linear = depth * params::history::bonus_slope() + params::history::bonus_base();
    linear.min(params::history::bonus_most())
}

/// What it costs the moves tried in vain before.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    let linear = depth * params::history::malus_slope() + params::history::malus_base();
    -linear.min(params::history::malus_most())
}

/// All tables of one worker, some four megabytes, and all zeros at first.
#[derive(Debug)]
pub(crate) struct Histories {
    pub(crate) quiet: QuietHistory,
    pub(crate) capture: CaptureHistory,
    pub(crate) continuation: ContinuationHistory,
    pub(crate) pawn: PawnHistory,
    pub(crate) corrections: Corrections,
}

// SAFETY: nothing but tables of numbers.
unsafe impl Zeroable for Histories {}

impl Histories {
    /// What they say of a move: of one that takes or promotes the captures, of the others the
    /// rest.
    pub(crate) fn of(
        &self,
        position: &Position,
        lookout: &Lookout,
        mv: Move,
        arrival: Arrival,
        noisy: bool,
    ) -> i32 {
        if noisy {
            return self.capture.get(position, mv);
        }
        self.quiet
            .get(position.side_to_move(), lookout.threats.all, mv)
            + self.continuation.recent(&lookout.before, arrival)
            + self.pawn.get(position, arrival)
    }

    pub(crate) fn forget(&mut self) {
        self.quiet.forget();
        self.capture.forget();
        self.continuation.forget();
        self.pawn.forget();
        self.corrections.forget();
    }
}
