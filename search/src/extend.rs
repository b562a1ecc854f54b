//! Searching deeper where it matters.

pub(crate) mod singular;
