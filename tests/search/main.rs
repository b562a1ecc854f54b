//! The search from outside: what it must be right about whatever its numbers are.
mod current_move;
mod draws;
mod endings;
mod mates;
mod network;
#[path = "../nnue/networks.rs"]
mod networks;
mod order;
mod repro;
mod searcher;
mod tablebases;
mod threads;
mod tt;
