//! Networks from outside: their files, what they say of positions, and that every quick way
//! of asking gives what the slow one does.
mod boards;
mod format;
mod networks;
mod values;
mod walks;
