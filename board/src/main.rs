//! The executable `castellan-board`; its code is in the library.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    board::run(&clap::Parser::parse())
}

/// Begins the session, for which the page then calls `serve` itself.
#[cfg(target_family = "wasm")]
fn main() {
    board::serve();
}
