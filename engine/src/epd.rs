//! Positions with operations behind them.

pub(crate) mod line;
