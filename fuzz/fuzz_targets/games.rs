//! Any bytes as a file of self-play games give an error, or games that are written as they were
//! read. Random bytes hardly have the right checksum, so they are also tried as the unpacked
//! contents of a chunk.

#![no_main]

use flate2::Compression;
use flate2::write::ZlibEncoder;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;
use training::data::{ChunkReader, ChunkWriter, DataError, GameRecord};

const HEADER: &[u8] = b"CASTGAME\x01\0\0\0";

/// One directory per process, so that several can run in parallel.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("castellan-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a directory for files");
    folder
});

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[HEADER, bytes].concat());
    if let Some((&games, raw)) = bytes.split_first() {
        check(&[HEADER, &chunk(u32::from(games), raw)].concat());
    }
});

fn check(bytes: &[u8]) {
    let file = FOLDER.join("any.cg");
    fs::write(&file, bytes).expect("a file");
    match read(&file) {
        Ok(games) => assert_eq!(read(&rewritten(&games)).expect("valid games"), games),
        Err(error) => assert!(error.to_string().contains("any.cg"), "{error}"),
    }
}

fn read(file: &PathBuf) -> Result<Vec<GameRecord>, DataError> {
    let mut games = Vec::new();
    for chunk in ChunkReader::open(file)? {
        let chunk = chunk?;
        chunk.recipe()?;
        games.extend(chunk.games()?);
    }
    Ok(games)
}

fn rewritten(games: &[GameRecord]) -> PathBuf {
    let file = FOLDER.join("rewritten.cg");
    // The writer appends to an existing file.
    let _ = fs::remove_file(&file);
    let mut writer = ChunkWriter::open(&file, |_| Ok(())).expect("a new file");
    writer.append("fuzz", games).expect("space for games");
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
