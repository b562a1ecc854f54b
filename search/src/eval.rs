//! What a position is worth before anything is played: by a network, or by hand.
//!
//! Owns every opinion about standing positions. It knows nothing of searching: one position
//! in, one number out, the same for both colours and both wings. By hand it is centipawns.

mod endings;
mod evaluator;
mod king;
mod pawns;
mod picture;
mod piece_square;
mod pieces;
mod survey;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;

pub(crate) use evaluator::Evaluator;
pub use picture::{Picture, picture};

use crate::net::Network;
use movegen::{Color, Position, Role};
use survey::Survey;
use tapered::{FULL_PHASE, Tapered};

/// Having the move, which is mostly worth something.
const TEMPO: i32 = 16;

/// The value of a position that stands alone, for the side to move: as a search has it from
/// `Evaluator`, which is quicker along a line.
fn value(position: &Position, network: Option<&Network>) -> i32 {
    match network {
        None => evaluate(position),
        Some(_) if endings::cannot_be_won(position) => 0,
        Some(network) => network.value_from_scratch(position),
    }
}

/// The value of a position for the side to move by hand, in centipawns.
#[must_use]
fn evaluate(position: &Position) -> i32 {
    if endings::cannot_be_won(position) {
        return 0;
    }
    let value = endings::mate_in_hand(position).unwrap_or_else(|| balance(position));
    TEMPO
        + match position.turn() {
            Color::White => value,
            Color::Black => -value,
        }
}

/// The value for White, all terms together.
fn balance(position: &Position) -> i32 {
    let mut white = Survey::of(position, Color::White);
    let mut black = Survey::of(position, Color::Black);
    let men =
        pieces::look(position, &mut white, &black) - pieces::look(position, &mut black, &white);
    let sum = men + terms(position, &white, &black) - terms(position, &black, &white);
    let stronger = if sum.end() >= 0 {
        Color::White
    } else {
        Color::Black
    };
    sum.blend(phase(position), endings::winning_share(position, stronger))
}

/// What needs both surveys to be complete.
#[inline(always)]
fn terms(position: &Position, us: &Survey, them: &Survey) -> Tapered {
    pawns::value(position, us, them) + king::value(us, them) + threats::value(position, us, them)
}

/// How much of the midgame is left, up to `FULL_PHASE`.
fn phase(position: &Position) -> i32 {
    let count = |role| position.role(role).count() as i32;
    let minors = count(Role::Knight) + count(Role::Bishop);
    (minors + 2 * count(Role::Rook) + 4 * count(Role::Queen)).min(FULL_PHASE)
}
