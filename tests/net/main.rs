//! Networks from outside: their files, and what they say of positions.
mod boards;
mod format;
mod networks;
mod values;
