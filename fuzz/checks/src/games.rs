//! Any bytes as a file of self-play games give an error, or games that are written as they were
//! read.

use crate::positions;
use crate::small::{Bytes, Edits, Input};
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use movegen::Color;
use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::Path;
use test_common::TempDir;
use training::data::{ChunkReader, ChunkWriter, GameRecord, ScoredMove, Termination};

const RECIPE: &str = "fuzz";
/// Magic and version.
const FILE_HEADER: usize = 12;
/// The header of a chunk: marker, four lengths; then the checksum.
const LENGTHS: usize = 20;
const CHUNK_HEADER: usize = LENGTHS + 4;

pub fn check(data: &[u8]) {
    let directory = TempDir::new("fuzz");
    let path = directory.directory().join("any.cg");
    let file = match Input::new(data) {
        Input::File(file) => file.to_vec(),
        Input::Description(edits, bytes) => {
            write(&path, &games(bytes));
            edited(&fs::read(&path).expect("a file"), &edits)
        }
    };
    fs::write(&path, file).expect("a file");
    match read(&path) {
        Ok(games) => {
            let path = directory.directory().join("rewritten.cg");
            write(&path, &games);
            assert_eq!(read(&path).expect("valid games"), games);
        }
        Err(error) => assert!(error.to_string().contains("any.cg"), "{error}"),
    }
}

fn read(path: &Path) -> Result<Vec<GameRecord>, Box<dyn Error + Send + Sync>> {
    let mut games = Vec::new();
    for chunk in ChunkReader::open(path)? {
        let chunk = chunk?;
        chunk.recipe()?;
        games.extend(chunk.games()?);
    }
    Ok(games)
}

fn write(path: &Path, games: &[GameRecord]) {
    let mut writer = ChunkWriter::open(path, |_| Ok(())).expect("a new file");
    writer.append(RECIPE, games).expect("space for games");
}

/// Up to four games: start, result, and a choice among the legal moves for every ply.
fn games(mut bytes: Bytes<'_>) -> Vec<GameRecord> {
    let count = bytes.byte() % 5;
    let games = (0..count).map(|number| {
        let (start, _) = positions::position(bytes.byte());
        let mut position = start;
        let mut moves = Vec::new();
        let winner = [None, Some(Color::White), Some(Color::Black)][usize::from(bytes.byte() % 3)];
        let termination = usize::from(bytes.byte()) % Termination::ALL.len();
        for _ in 0..bytes.byte() % 64 {
            let legal = position.legal_moves();
            let choice = usize::from(bytes.byte());
            let Some(&mv) = legal.get(choice % legal.len().max(1)) else {
                break;
            };
            let score = bytes.u16() as i16;
            moves.push(ScoredMove { mv, score });
            position = position.play_unchecked(mv);
        }
        GameRecord {
            number: number.into(),
            start,
            moves,
            winner,
            termination: Termination::ALL[termination],
        }
    });
    games.collect()
}

/// A file of one chunk with edits of the header of the chunk, the recipe and the unpacked games.
fn edited(file: &[u8], edits: &Edits) -> Vec<u8> {
    let (header, chunk) = file.split_at(FILE_HEADER);
    let (chunk_header, body) = chunk.split_at(CHUNK_HEADER);
    let (recipe, packed) = body.split_at(RECIPE.len());
    let mut raw = Vec::new();
    let unpacked = ZlibDecoder::new(packed).read_to_end(&mut raw);
    unpacked.expect("what the writer packed");

    let mut edited = [&[0; LENGTHS], recipe, &raw].concat();
    edits.apply(&mut edited);
    edited.resize(edited.len().max(LENGTHS), 0);
    let (changes, body) = edited.split_at(LENGTHS);
    let (recipe, raw) = body.split_at(RECIPE.len().min(body.len()));
    let mut packed = Vec::new();
    let read = ZlibEncoder::new(raw, Compression::fast()).read_to_end(&mut packed);
    read.expect("memory");
    let lengths =
        [recipe.len(), raw.len(), packed.len()].map(|length| (length as u32).to_le_bytes());
    let stated = [b"CHNK", lengths.as_flattened(), &chunk_header[16..LENGTHS]].concat();
    let mut chunk: Vec<u8> = stated.iter().zip(changes).map(|(a, b)| a ^ b).collect();
    let checksum = crc32fast::hash(&[&chunk, recipe, &packed].concat());
    chunk.extend((checksum ^ u32::from(edits.wrong_checksum)).to_le_bytes());
    [header, &chunk, recipe, &packed].concat()
}
