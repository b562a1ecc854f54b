//! Chooses the network that becomes part of the program: the file that the environment variable
//! `EVALFILE` names, or else the repository's. Its hash is checked here, so that the program need
//! not do it at every start.

#[path = "../common/src/hash.rs"]
#[expect(unreachable_pub, reason = "it is a module of a library")]
mod hash;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Relative to the package, which is the current directory of a build script.
const NETWORK: &str = "nets/gen20.net";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let network = match env::var_os("EVALFILE") {
        Some(file) if !file.is_empty() => PathBuf::from(file),
        _ => PathBuf::from(NETWORK),
    };
    println!("cargo::rerun-if-changed={}", network.display());
    if let Err(error) = embed(&network) {
        println!("cargo::error={error}");
    }
}

/// Copies the file to where the library includes it from. A path to the file itself would name the
/// first of two clones that share a target directory.
fn embed(network: &Path) -> Result<(), String> {
    let name = network.display();
    let bytes = fs::read(network)
        .map_err(|error| format!("cannot read the network file '{name}': {error}"))?;
    match bytes.split_last_chunk() {
        Some((hashed, stated)) if hash::fnv1a(hashed).to_le_bytes() == *stated => {}
        _ => return Err(format!("damaged network file '{name}': its hash is wrong")),
    }
    let folder = env::var_os("OUT_DIR").ok_or("Cargo sets no OUT_DIR")?;
    let copy = Path::new(&folder).join("embedded.net");
    fs::write(&copy, bytes).map_err(|error| format!("cannot write '{}': {error}", copy.display()))
}
