//! Chooses the network that becomes part of the program: the file that the environment variable
//! `EVALFILE` names, or else the repository's. Its hash is checked here, so that the program need
//! not do it at every start.

#[path = "src/nnue/hash.rs"]
mod hash;

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let network = match env::var("EVALFILE") {
        Ok(file) if !file.is_empty() => Path::new(&file).to_path_buf(),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("../nets/gen7.net"),
    };
    let name = network.display();
    println!("cargo::rerun-if-changed={name}");
    println!("cargo::rustc-env=EMBEDDED_NETWORK={name}");
    match fs::read(&network) {
        Ok(bytes) => match bytes.split_last_chunk() {
            Some((hashed, stated)) if hash::fnv1a(hashed).to_le_bytes() == *stated => {}
            _ => println!("cargo::error=damaged network file '{name}': its hash is wrong"),
        },
        Err(error) => println!("cargo::error=cannot read the network file '{name}': {error}"),
    }
}
