//! How the work of a session runs while the session reads its input.

#[cfg_attr(target_family = "wasm", path = "background/polled.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "background/threads.rs")]
mod system;

pub(super) use system::{Work, control, run, spawn};
