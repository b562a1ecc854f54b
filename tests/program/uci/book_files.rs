//! Books for tests, encoded independently of the program.

use super::CASTELLAN;
use test_common::{TempDir, UciEngine};

/// Keys published with the format.
pub(crate) const START_KEY: u64 = 0x463b_9618_1691_fc9c;
pub(crate) const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
pub(crate) const AFTER_E4_D5: u64 = 0x0756_b944_61c5_0fb0;

/// A book's bytes: key, move (castling as the king taking its rook) and weight of each entry,
/// in the order of the keys.
pub(crate) fn bytes(entries: &[(u64, &str, u16)]) -> Vec<u8> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|(key, ..)| *key);
    let written = entries.iter().flat_map(|(key, mv, weight)| {
        let squares: Vec<u16> = mv.bytes().map(u16::from).collect();
        let [from_file, from_rank, to_file, to_rank, ..] = squares[..] else {
            panic!("{mv}");
        };
        let word =
            (from_rank - 49) << 9 | (from_file - 97) << 6 | (to_rank - 49) << 3 | (to_file - 97);
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(word.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    });
    written.collect()
}

/// An engine that plays from a book of these entries.
pub(crate) fn with_book(folder: &TempDir, entries: &[(u64, &str, u16)]) -> UciEngine {
    let path = folder.write("good book.bin", bytes(entries));
    let mut engine = CASTELLAN.uci();
    engine.set_option("BookFile", path);
    engine.set_option("OwnBook", true);
    engine
}

/// The lines about the book.
pub(crate) fn book_messages(lines: &[String]) -> Vec<&str> {
    let lines = lines.iter().map(String::as_str);
    lines.filter(|line| line.contains(" book ")).collect()
}
