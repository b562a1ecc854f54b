//! Chooses the network that becomes part of the program: the file that the environment variable
//! `EVALFILE` names, or else the repository's.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let network = match env::var("EVALFILE") {
        Ok(file) if !file.is_empty() => Path::new(&file).to_path_buf(),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("../nets/gen7.net"),
    };
    println!("cargo::rustc-env=EMBEDDED_NETWORK={}", network.display());
}
