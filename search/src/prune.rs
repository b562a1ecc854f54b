//! Cutting short: whole nodes before any move is tried, and single moves before they are
//! played. One idea a file.

pub(crate) mod exchange;
pub(crate) mod futility;
pub(crate) mod history;
pub(crate) mod late_moves;
pub(crate) mod null_move;
pub(crate) mod probcut;
pub(crate) mod razoring;
pub(crate) mod reverse_futility;
