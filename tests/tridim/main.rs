//! Tri-Dimensional chess: all moves against an independent implementation; castling, attack boards,
//! promotion and the reasons of illegal moves one by one.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod boards;
mod castling;
mod game;
mod helpers;
mod moves;
mod promotion;
mod properties;
mod reference;
mod search;
mod text;
