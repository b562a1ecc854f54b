//! How far the static evaluation was off where positions were alike: in pawn structure, in
//! minor pieces, in each side's officers, and in the moves that led there.

use super::continuation::{ARRIVALS, Arrival};
use crate::params;
use movegen::{Color, Position};

const SLOTS: usize = 16_384;
/// Entries are this much finer than evaluations.
const GRAIN: i32 = 128;
/// No table believes the evaluation to be off by more.
const LIMIT: i32 = 64 * GRAIN;
/// The weight of all that was learnt before, against at most `MOST_WEIGHT` of a new error.
const WHOLE: i32 = 256;
const MOST_WEIGHT: i32 = 16;

#[derive(Debug)]
pub(crate) struct Corrections {
    pawns: [i16; 2 * SLOTS],
    minors: [i16; 2 * SLOTS],
    officers: [[i16; 2 * SLOTS]; 2],
    continuation: [i16; ARRIVALS * ARRIVALS],
}

/// Where in every table a position's entries are.
struct Places {
    pawns: usize,
    minors: usize,
    officers: [usize; 2],
    continuation: Option<usize>,
}

#[inline]
fn slot(turn: Color, key: u64) -> usize {
    turn.index() * SLOTS + key as usize % SLOTS
}

fn places(position: &Position, last: Option<Arrival>, before_it: Option<Arrival>) -> Places {
    let (turn, keys) = (position.side_to_move(), position.keys());
    let continuation = match (before_it, last) {
        (Some(before), Some(last)) => Some(before.index() * ARRIVALS + last.index()),
        _ => None,
    };
    Places {
        pawns: slot(turn, keys.pawns),
        minors: slot(turn, keys.minors),
        officers: keys.non_pawns.map(|key| slot(turn, key)),
        continuation,
    }
}

impl Corrections {
    pub(super) fn forget(&mut self) {
        self.pawns.fill(0);
        self.minors.fill(0);
        self.officers.as_flattened_mut().fill(0);
        self.continuation.fill(0);
    }

    /// What to add to the evaluation of a position reached by these last two moves.
    #[inline]
    pub(crate) fn of(
        &self,
        position: &Position,
        last: Option<Arrival>,
        before_it: Option<Arrival>,
    ) -> i32 {
        if params::correction::enabled() == 0 {
            return 0;
        }
        let places = places(position, last, before_it);
        let officers: i32 = self
            .officers
            .iter()
            .zip(places.officers)
            .map(|(table, place)| i32::from(table[place]))
            .sum();
        let continuation = places
            .continuation
            .map_or(0, |place| i32::from(self.continuation[place]));
        let sum = i32::from(self.pawns[places.pawns]) * params::correction::pawn()
            + i32::from(self.minors[places.minors]) * params::correction::minor()
            + officers * params::correction::officers()
            + continuation * params::correction::continuation();
        sum / (GRAIN * 128)
    }

    /// The search's value differed from the evaluation by `error`.
    pub(crate) fn learn(
        &mut self,
        position: &Position,
        last: Option<Arrival>,
        before_it: Option<Arrival>,
        error: i32,
        depth: i32,
    ) {
        let places = places(position, last, before_it);
        let weight = (depth + 1).min(MOST_WEIGHT);
        let [ours, theirs] = &mut self.officers;
        let entries = [
            Some(&mut self.pawns[places.pawns]),
            Some(&mut self.minors[places.minors]),
            Some(&mut ours[places.officers[0]]),
            Some(&mut theirs[places.officers[1]]),
            places
                .continuation
                .map(|place| &mut self.continuation[place]),
        ];
        for entry in entries.into_iter().flatten() {
            let old = i32::from(*entry);
            let mixed = (old * (WHOLE - weight) + error * GRAIN * weight) / WHOLE;
            *entry = mixed.clamp(-LIMIT, LIMIT) as i16;
        }
    }
}
