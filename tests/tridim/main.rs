//! Tri-Dimensional chess: all moves against an independent implementation; castling, attack boards,
//! promotion and the reasons of illegal moves one by one.

mod boards;
mod castling;
mod castling_edges;
mod game;
mod helpers;
mod moves;
mod promotion;
mod properties;
mod reference;
mod search;
mod text;
