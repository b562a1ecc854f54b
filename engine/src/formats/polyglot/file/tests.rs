//! Books of every kind, good and broken, read from memory.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use movegen::{Position, Variant};
use proptest::prelude::*;

use super::{Book, BookError, CHECKED_WHOLE, Found};
use crate::formats::polyglot::key;

/// An entry by the description of the format, not by our own writer: to file and row, from
/// file and row, promotion.
fn entry(key: u64, mv: &str, weight: u16) -> [u8; 16] {
    let text = mv.as_bytes();
    let digit = |at: usize, zero: u8| u16::from(text[at] - zero);
    let promotion = match text.get(4) {
        None => 0,
        Some(letter) => 1 + "nbrq".find(char::from(*letter)).expect("a role") as u16,
    };
    let word = digit(2, b'a')
        | digit(3, b'1') << 3
        | digit(0, b'a') << 6
        | digit(1, b'1') << 9
        | promotion << 12;
    raw(key, word, weight)
}

fn raw(key: u64, word: u16, weight: u16) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&key.to_be_bytes());
    bytes[8..10].copy_from_slice(&word.to_be_bytes());
    bytes[10..12].copy_from_slice(&weight.to_be_bytes());
    bytes[12..].copy_from_slice(&0xdead_beef_u32.to_be_bytes());
    bytes
}

fn position(fen: &str, variant: Variant) -> Position {
    Position::from_fen(fen, variant).expect(fen)
}

/// What a book with these moves for a position, and others around it, finds there.
fn find(position: &Position, moves: &[(&str, u16)]) -> Found {
    let key = key(position, None);
    let mut bytes = Vec::new();
    bytes.extend(entry(0, "a2a3", 9));
    bytes.extend(entry(key - 1, "a2a3", 9));
    bytes.extend(
        moves
            .iter()
            .flat_map(|(mv, weight)| entry(key, mv, *weight)),
    );
    bytes.extend(entry(key + 1, "a2a3", 9));
    bytes.extend(entry(u64::MAX, "a2a3", 9));
    let mut book = Book::new(Cursor::new(bytes)).expect("a good book");
    book.find(position, key).expect("readable")
}

/// Moves in UCI notation with their weights.
fn listed(found: &Found, variant: Variant) -> Vec<(String, u32)> {
    let moves = found.moves.iter();
    moves
        .map(|known| (known.mv.uci(variant).to_string(), known.weight))
        .collect()
}

fn pairs<const N: usize>(moves: [(&str, u32); N]) -> Vec<(String, u32)> {
    moves.map(|(mv, weight)| (mv.to_owned(), weight)).to_vec()
}

#[test]
fn the_moves_of_a_position_the_heaviest_first() {
    let found = find(
        &Position::default(),
        &[("g1f3", 2), ("e2e4", 65535), ("d2d4", 2), ("c2c4", 0)],
    );
    let expected = [("e2e4", 65535), ("g1f3", 2), ("d2d4", 2), ("c2c4", 0)];
    assert_eq!(listed(&found, Variant::Standard), pairs(expected));
    assert_eq!(found.total(), 65539);
    assert!(found.illegal.is_empty());
}

#[test]
fn a_move_that_stands_there_twice_weighs_both() {
    let found = find(
        &Position::default(),
        &[("e2e4", 65535), ("d2d4", 9), ("e2e4", 65535)],
    );
    let expected = [("e2e4", 2 * 65535), ("d2d4", 9)];
    assert_eq!(listed(&found, Variant::Standard), pairs(expected));
}

#[test]
fn castling_is_the_king_taking_its_rook_and_two_steps_are_understood() {
    let both = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", Variant::Standard);
    let expected = [("e8g8", 3), ("e8c8", 2)];
    for moves in [[("e8h8", 3), ("e8a8", 2)], [("e8g8", 3), ("e8c8", 2)]] {
        assert_eq!(
            listed(&find(&both, &moves), Variant::Standard),
            pairs(expected)
        );
    }
    // Rooks on b1 and g1, king on f1: one step to g1 would be the rook's own square.
    let fen = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";
    let found = find(
        &position(fen, Variant::Chess960),
        &[("f1g1", 5), ("f1b1", 4), ("f1e1", 1)],
    );
    let expected = [("f1g1", 5), ("f1b1", 4), ("f1e1", 1)];
    assert_eq!(listed(&found, Variant::Chess960), pairs(expected));
    assert!(found.moves[0].mv.is_castling() && found.moves[1].mv.is_castling());
    assert!(!found.moves[2].mv.is_castling());
}

#[test]
fn other_men_go_where_castling_kings_would() {
    let queen = position("3k4/8/8/8/8/8/8/K3Q3 w - - 0 1", Variant::Standard);
    let found = find(&queen, &[("e1h1", 1), ("e1g1", 1)]);
    let expected = [("e1h1", 1), ("e1g1", 1)];
    assert_eq!(listed(&found, Variant::Standard), pairs(expected));
}

#[test]
fn promotions() {
    let pawn = position("3n3k/4P3/8/8/8/8/8/K7 w - - 0 1", Variant::Standard);
    let moves = [("e7e8q", 5), ("e7d8r", 4), ("e7e8b", 3), ("e7e8n", 2)];
    let found = find(&pawn, &moves);
    let expected = moves.map(|(mv, weight)| (mv, u32::from(weight)));
    assert_eq!(listed(&found, Variant::Standard), pairs(expected));
}

#[test]
fn what_is_not_legal_is_told_apart() {
    let start = Position::default();
    let key = key(&start, None);
    let words = [
        (0o0000, "a1a1"),
        (0o1222, "c2c3"),
        (0o1444, "e2e5"),
        // A promotion in the middle of the board, two that do not exist, and a stray top bit.
        (0o1_1434, "e2e4n"),
        (0o5_1434, "e2e4=5"),
        (0o7_1434, "e2e4=7"),
        (0o10_1434, "e2e4=8"),
    ];
    let bytes: Vec<u8> = words
        .iter()
        .flat_map(|(word, _)| raw(key, *word, 1))
        .collect();
    let mut book = Book::new(Cursor::new(bytes)).unwrap();
    let found = book.find(&start, key).unwrap();
    assert_eq!(listed(&found, Variant::Standard), pairs([("c2c3", 1)]));
    let illegal: Vec<&str> = found.illegal.iter().map(String::as_str).collect();
    assert_eq!(
        illegal,
        ["a1a1", "e2e5", "e2e4n", "e2e4=5", "e2e4=7", "e2e4=8"]
    );
}

#[test]
fn every_key_of_a_book_is_found_and_no_other() {
    let start = Position::default();
    for count in 0..40u64 {
        let keys = (0..count).map(|number| number * 3 + 1);
        let mut bytes = entry(0, "e2e4", 1).to_vec();
        bytes.extend(keys.flat_map(|key| {
            entry(key, "e2e4", 1)
                .into_iter()
                .chain(entry(key, "d2d4", 1))
        }));
        let mut book = Book::new(Cursor::new(bytes)).unwrap();
        assert_eq!(book.entries(), 1 + 2 * count);
        for key in 0..3 * count + 3 {
            let there = match key {
                0 => 1,
                key if key % 3 == 1 && key < 3 * count => 2,
                _ => 0,
            };
            assert_eq!(
                book.find(&start, key).unwrap().moves.len(),
                there,
                "{key} of {count}"
            );
        }
    }
}

fn refusal(bytes: &[u8]) -> String {
    Book::new(Cursor::new(bytes))
        .expect_err("no book")
        .to_string()
}

#[test]
fn broken_books_are_refused_in_words() {
    let good: Vec<u8> = (0..100).flat_map(|key| entry(key, "e2e4", 1)).collect();
    assert!(Book::new(Cursor::new(&good)).is_ok());
    assert!(refusal(b"").contains("empty"));
    for cut in 1..16 {
        let said = refusal(&good[..good.len() - cut]);
        assert!(said.contains("cut off"), "{said}");
    }
    let mut unsorted = good.clone();
    unsorted[16 * 50..16 * 50 + 8].copy_from_slice(&3u64.to_be_bytes());
    assert!(refusal(&unsorted).contains("entry 51 is out of order"));
    let text = "This is no book at all, not by any stretch of the imagination...".as_bytes();
    assert_eq!(text.len() % 16, 0);
    assert!(refusal(text).contains("not sorted"));
}

/// A book that is computed when it is read: entry number n has key n, or what a flaw makes of
/// it. Counts what is read of it.
struct Endless<F> {
    entries: u64,
    at: u64,
    read: u64,
    flaw: F,
}

impl<F: Fn(u64) -> u64> Read for Endless<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        assert_eq!((bytes.len(), self.at % 16), (16, 0), "one entry at a time");
        self.read += 1;
        bytes.copy_from_slice(&entry((self.flaw)(self.at / 16), "e2e4", 7));
        self.at += 16;
        Ok(16)
    }
}

impl<F> Seek for Endless<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(0) => self.entries * 16,
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(self.at)
    }
}

fn endless<F: Fn(u64) -> u64>(entries: u64, flaw: F) -> Result<Book<Endless<F>>, BookError> {
    Book::new(Endless {
        entries,
        at: 0,
        read: 0,
        flaw,
    })
}

#[test]
fn a_huge_book_is_searched_where_it_lies() {
    const ENTRIES: u64 = 1 << 56;
    const { assert!(ENTRIES > CHECKED_WHOLE) };
    let mut book = endless(ENTRIES, |number| number).expect("sorted");
    let start = Position::default();
    let looked_over = book.source.read;
    assert!(looked_over <= 64);
    for key in [0, 1, 12_345_678_901, ENTRIES - 1] {
        let before = book.source.read;
        assert_eq!(book.find(&start, key).unwrap().moves.len(), 1, "{key}");
        assert!(book.source.read - before <= 59);
    }
    assert!(book.find(&start, ENTRIES).unwrap().moves.is_empty());
}

#[test]
fn a_huge_book_out_of_order_is_noticed_sooner_or_later() {
    const ENTRIES: u64 = 1 << 40;
    // Turned round: seen at once.
    let refused = endless(ENTRIES, |number| ENTRIES - number);
    assert!(matches!(refused, Err(BookError::Unsorted { .. })));
    // A flaw of one entry, where the second step of a lookup comes upon it.
    const UNEVEN: u64 = ENTRIES + 100;
    let strange = UNEVEN / 4 * 3;
    let flaw = move |number| if number == strange { 5 } else { number };
    let mut book = endless(UNEVEN, flaw).expect("it was not looked at");
    let met = book.find(&Position::default(), UNEVEN - 1);
    assert!(matches!(met, Err(BookError::Unsorted { .. })), "{met:?}");
}

/// One position with more entries than any has moves: only so much is read.
#[test]
fn one_key_for_ever() {
    let mut book = endless(1 << 50, |_| 77).expect("sorted");
    let found = book.find(&Position::default(), 77).unwrap();
    assert_eq!(
        listed(&found, Variant::Standard),
        pairs([("e2e4", 7 * 1024)])
    );
    assert!(book.source.read < 3000);
}

/// A file that gets shorter under the reader's hands, or a disk that goes.
#[test]
fn a_book_that_can_no_longer_be_read() {
    let bytes: Vec<u8> = (0..10).flat_map(|key| entry(key, "e2e4", 1)).collect();
    let mut book = Book::new(Cursor::new(bytes)).unwrap();
    book.source.get_mut().truncate(40);
    let met = book.find(&Position::default(), 8);
    assert!(matches!(met, Err(BookError::Read(_))), "{met:?}");
}

proptest! {
    #[test]
    fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), key: u64) {
        if let Ok(mut book) = Book::new(Cursor::new(bytes)) {
            let _ = book.find(&Position::default(), key);
        }
    }

    /// Whatever stands in the entries of a position, what is found is legal, once each.
    #[test]
    fn any_entries_of_a_position(moves in prop::collection::vec(any::<(u16, u16)>(), 1..50)) {
        let start = Position::default();
        let key = key(&start, None);
        let bytes: Vec<u8> = moves.iter().flat_map(|(word, weight)| raw(key, *word, *weight)).collect();
        let found = Book::new(Cursor::new(bytes)).unwrap().find(&start, key).unwrap();
        prop_assert!(found.moves.iter().all(|known| start.is_legal(known.mv)));
        prop_assert!(found.moves.len() + found.illegal.len() <= moves.len());
        for (at, known) in found.moves.iter().enumerate() {
            prop_assert!(found.moves[..at].iter().all(|other| other.mv != known.mv));
            prop_assert!(at == 0 || found.moves[at - 1].weight >= known.weight);
        }
    }
}
