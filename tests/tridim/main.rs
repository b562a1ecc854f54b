//! Tri-Dimensional chess: the rules of `docs/tridim.md` one by one, and against an independent
//! implementation.

mod boards;
mod castling;
mod castling_edges;
mod game;
mod game_state;
mod helpers;
mod moves;
mod promotion;
mod properties;
mod reference;
mod search;
mod text;
