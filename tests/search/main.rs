//! The search from outside: properties that hold whatever its parameters are.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod current_move;
mod determinism;
mod draws;
mod endings;
mod fail_high;
mod mates;
mod move_order;
mod network;
mod nnue;
mod run;
mod tablebases;
mod threads;
mod tt;
