//! Tri-Dimensional chess: the rules of `docs/tridim.md`, condition by condition, and against an
//! independent reference.

mod boards;
mod castling;
mod castling_edges;
mod moves;
mod promotion;
mod reference;
mod scene;
