//! Tri-Dimensional chess: the rules of `docs/tridim.md`, condition by condition, and against an
//! independent reference.

mod boards;
mod castling;
mod castling_edges;
mod dice;
mod game;
mod moves;
mod promotion;
mod properties;
mod reference;
mod scene;
mod search;
mod text;
