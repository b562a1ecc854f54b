//! Any bytes as an opening book are rejected with an error or probed without a panic. Among any
//! entries of one position the moves found are legal, and the choice is one of them.

use std::io::Cursor;

use formats::polyglot::{Book, Choice, key};
use movegen::Position;

const KEY_BYTES: usize = 8;
const MOVE_AND_WEIGHT_BYTES: usize = 8;

pub fn check(data: &[u8]) {
    let start = Position::default();
    if let Ok(mut book) = Book::new(Cursor::new(data)) {
        // Keys in the book, and one that is probably not.
        for entry in data.chunks_exact(KEY_BYTES + MOVE_AND_WEIGHT_BYTES) {
            let key = entry.first_chunk().copied().map_or(0, u64::from_be_bytes);
            look_up(&mut book, &start, key);
        }
        look_up(&mut book, &start, key(&start, None));
    }
    let start_key = key(&start, None);
    let entries = data.chunks_exact(MOVE_AND_WEIGHT_BYTES);
    let bytes: Vec<u8> = entries
        .flat_map(|entry| {
            start_key
                .to_be_bytes()
                .into_iter()
                .chain(entry.iter().copied())
        })
        .collect();
    match Book::new(Cursor::new(&bytes)) {
        Ok(mut book) => look_up(&mut book, &start, start_key),
        Err(error) => assert!(bytes.is_empty(), "{error}"),
    }
}

fn look_up(book: &mut Book<Cursor<impl AsRef<[u8]>>>, position: &Position, key: u64) {
    let found = book.find(position, key).expect("a sorted book in memory");
    for known in &found.moves {
        assert!(position.is_legal(known.mv));
    }
    for choice in [Choice::Best, Choice::Weighted { seed: key }] {
        let picked = choice.pick(&found, key);
        assert_eq!(picked.is_some(), found.total() > 0);
        assert!(picked.is_none_or(|picked| picked.weight > 0 && found.moves.contains(&picked)));
    }
}
