//! Any bytes as a file of self-play games: an error in words, or games that are written as they
//! were read. Hardly any bytes have the right checksum, so they are also put into a chunk as what
//! it holds once unpacked.

#![no_main]

use flate2::Compression;
use flate2::write::ZlibEncoder;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;
use training::data::{Appender, Chunks, DataError, Game};

const FRONT: &[u8] = b"CASTGAME\x01\0\0\0";

/// One place for each process, so that several may run side by side.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("castellan-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for files");
    folder
});

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[FRONT, bytes].concat());
    if let Some((&games, raw)) = bytes.split_first() {
        check(&[FRONT, &chunk(u32::from(games), raw)].concat());
    }
});

fn check(bytes: &[u8]) {
    let file = FOLDER.join("any.cg");
    fs::write(&file, bytes).expect("a file");
    match read(&file) {
        Ok(games) => assert_eq!(read(&again(&games)).expect("games of ours"), games),
        Err(error) => assert!(error.to_string().contains("any.cg"), "{error}"),
    }
}

fn read(file: &PathBuf) -> Result<Vec<Game>, DataError> {
    let mut games = Vec::new();
    for chunk in Chunks::open(file)? {
        let chunk = chunk?;
        chunk.recipe()?;
        games.extend(chunk.games()?);
    }
    Ok(games)
}

fn again(games: &[Game]) -> PathBuf {
    let file = FOLDER.join("again.cg");
    // What is there is added to.
    let _ = fs::remove_file(&file);
    let mut appender = Appender::open(&file, |_| Ok(())).expect("a new file");
    appender.append("fuzz", games).expect("space for games");
    file
}

/// A chunk as docs/training.md describes it, without a recipe.
fn chunk(games: u32, raw: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(raw).expect("memory");
    let packed = encoder.finish().expect("memory");
    let mut chunk = b"CHNK".to_vec();
    for word in [0, raw.len() as u32, packed.len() as u32, games] {
        chunk.extend(word.to_le_bytes());
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&chunk);
    hasher.update(&packed);
    chunk.extend(hasher.finalize().to_le_bytes());
    chunk.extend(packed);
    chunk
}
