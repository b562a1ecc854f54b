//! Books from memory, valid and broken; keys; the choice of a move.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use movegen::{Position, Validated, Variant};
use proptest::prelude::*;
use test_common::table;

use super::{Book, BookError, BookMove, BookMoves, Choice, FULLY_CHECKED_ENTRIES, key, passed_by};

/// An entry encoded from the format's description, independently of the code under test: to
/// file and rank, from file and rank, promotion.
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

fn variant_of(fen: &str) -> Variant {
    let rights = fen.split(' ').nth(2).expect("a castling field");
    Variant::from_chess960(
        rights.contains(|letter: char| "ABCDEFGH".contains(letter.to_ascii_uppercase())),
    )
}

/// The moves found in UCI notation, with their weights.
fn listed(found: &BookMoves, variant: Variant) -> Vec<(String, u32)> {
    let moves = found.moves.iter();
    moves
        .map(|known| (known.mv.uci(variant).to_string(), known.weight))
        .collect()
}

/// Positions, entries, and the moves found: by weight, equal ones in their order; the weights of a
/// move are added. In the third but last the king on f1 castles with rooks on b1 and g1, the latter
/// only one step away.
const FOUND: &str = "
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | g1f3=2 e2e4=65535 d2d4=2 c2c4=0 | e2e4=65535 g1f3=2 d2d4=2 c2c4=0
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e4=65535 d2d4=9 e2e4=65535 | e2e4=131070 d2d4=9
r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1  | e8h8=3 e8a8=2               | e8g8=3 e8c8=2
r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1  | e8g8=3 e8c8=2               | e8g8=3 e8c8=2
1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1 | f1g1=5 f1b1=4 f1e1=1 | f1g1=5 f1b1=4 f1e1=1
3k4/8/8/8/8/8/8/K3Q3 w - - 0 1        | e1h1=1 e1g1=1               | e1h1=1 e1g1=1
3n3k/4P3/8/8/8/8/8/K7 w - - 0 1       | e7e8q=5 e7d8r=4 e7e8b=3 e7e8n=2 | e7e8q=5 e7d8r=4 e7e8b=3 e7e8n=2
";

/// In each book there are also entries with other keys.
#[test]
fn moves_of_a_position() {
    let weighed = |text: &str| -> Vec<(String, u32)> {
        let pairs = text.split(' ').filter_map(|pair| pair.split_once('='));
        pairs
            .map(|(mv, weight)| (mv.to_owned(), weight.parse().expect(mv)))
            .collect()
    };
    for [fen, entries, expected] in table(FOUND) {
        let variant = variant_of(fen);
        let position = Position::from_fen(fen, variant).expect(fen);
        let key = key(&position, None);
        let mut bytes = [entry(0, "a2a3", 9), entry(key - 1, "a2a3", 9)].concat();
        for (mv, weight) in weighed(entries) {
            bytes.extend(entry(key, &mv, weight as u16));
        }
        bytes.extend(entry(key + 1, "a2a3", 9));
        bytes.extend(entry(u64::MAX, "a2a3", 9));
        let mut book = Book::new(Cursor::new(bytes)).expect("a valid book");
        let found = book.find(&position, key).expect("readable");
        let expected = weighed(expected);
        assert_eq!(listed(&found, variant), expected, "{fen}");
        assert_eq!(found.illegal, [""; 0]);
        let weights = expected.iter().map(|(_, weight)| u64::from(*weight));
        assert_eq!(found.total(), weights.sum::<u64>());
    }
}

#[test]
fn illegal_moves_are_listed_apart() {
    let start = Position::default();
    let key = key(&start, None);
    let words = [
        (0o0000, "a1a1"),
        (0o1222, "c2c3"),
        (0o1444, "e2e5"),
        // A promotion in mid-board, two unassigned promotions, and a set top bit.
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
    let expected = [("c2c3".to_owned(), 1)];
    assert_eq!(listed(&found, Variant::Standard), expected);
    let illegal: Vec<&str> = found.illegal.iter().map(String::as_str).collect();
    assert_eq!(
        illegal,
        ["a1a1", "e2e5", "e2e4n", "e2e4=5", "e2e4=7", "e2e4=8"]
    );
}

#[test]
fn finds_every_key_and_no_other() {
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

#[test]
fn broken_books_are_rejected() {
    let good: Vec<u8> = (0..100).flat_map(|key| entry(key, "e2e4", 1)).collect();
    assert!(Book::new(Cursor::new(&good)).is_ok());
    let mut unsorted = good.clone();
    unsorted[16 * 50..16 * 50 + 8].copy_from_slice(&3u64.to_be_bytes());
    let text = b"This is not a book at all, whatever the extension may say, it is";
    let truncated = (1..16).map(|cut| (&good[..good.len() - cut], "truncated"));
    for (bytes, expected) in truncated.chain([
        (&b""[..], "empty"),
        (&unsorted, "entry 51 is out of order"),
        (text, "not sorted"),
    ]) {
        let error = Book::new(Cursor::new(bytes)).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// A book computed on the fly: entry n has key n, modified by `flaw`. Counts its reads.
struct Computed<F> {
    entries: u64,
    at: u64,
    read: u64,
    flaw: F,
}

impl<F: Fn(u64) -> u64> Read for Computed<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        assert_eq!((bytes.len(), self.at % 16), (16, 0), "one entry at a time");
        self.read += 1;
        bytes.copy_from_slice(&entry((self.flaw)(self.at / 16), "e2e4", 7));
        self.at += 16;
        Ok(16)
    }
}

impl<F> Seek for Computed<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(0) => self.entries * 16,
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(self.at)
    }
}

fn computed<F: Fn(u64) -> u64>(entries: u64, flaw: F) -> Result<Book<Computed<F>>, BookError> {
    Book::new(Computed {
        entries,
        at: 0,
        read: 0,
        flaw,
    })
}

#[test]
fn a_huge_book_is_searched_on_disk() {
    const ENTRIES: u64 = 1 << 56;
    const { assert!(ENTRIES > FULLY_CHECKED_ENTRIES) };
    let mut book = computed(ENTRIES, |number| number).expect("sorted");
    let start = Position::default();
    let opening = book.source.read;
    assert!(opening <= 64);
    for key in [0, 1, 12_345_678_901, ENTRIES - 1] {
        let before = book.source.read;
        assert_eq!(book.find(&start, key).unwrap().moves.len(), 1, "{key}");
        assert!(book.source.read - before <= 59);
    }
    assert!(book.find(&start, ENTRIES).unwrap().moves.is_empty());
}

#[test]
fn disorder_in_a_huge_book_is_detected() {
    const ENTRIES: u64 = 1 << 40;
    // Reversed: detected when opened.
    let refused = computed(ENTRIES, |number| ENTRIES - number);
    assert!(matches!(refused, Err(BookError::Unsorted { .. })));
    // One wrong entry, where the second step of the binary search reads it.
    const UNEVEN: u64 = ENTRIES + 100;
    let strange = UNEVEN / 4 * 3;
    let flaw = move |number| if number == strange { 5 } else { number };
    let mut book = computed(UNEVEN, flaw).expect("not among the samples");
    let result = book.find(&Position::default(), UNEVEN - 1);
    assert!(
        matches!(result, Err(BookError::Unsorted { .. })),
        "{result:?}"
    );
}

/// More entries for one key than any position has moves: reading stops at a limit.
#[test]
fn reads_at_most_1024_entries_per_key() {
    let mut book = computed(1 << 50, |_| 77).expect("sorted");
    let found = book.find(&Position::default(), 77).unwrap();
    let expected = [("e2e4".to_owned(), 7 * 1024)];
    assert_eq!(listed(&found, Variant::Standard), expected);
    assert!(book.source.read < 3000);
}

/// A file that is truncated while it is open, or a disk that fails.
#[test]
fn a_read_error_is_reported() {
    let bytes: Vec<u8> = (0..10).flat_map(|key| entry(key, "e2e4", 1)).collect();
    let mut book = Book::new(Cursor::new(bytes)).unwrap();
    book.source.get_mut().truncate(40);
    let result = book.find(&Position::default(), 8);
    assert!(matches!(result, Err(BookError::Read(_))), "{result:?}");
}

/// FENs and keys written by python-chess, whose FENs have the en passant square after every
/// double step.
const PYTHON_CHESS_KEYS: &str = include_str!("../../../tests/data/polyglot_keys.txt");

#[test]
fn keys_match_those_of_python_chess() {
    let lines = PYTHON_CHESS_KEYS
        .lines()
        .filter(|line| !line.starts_with('#'));
    let (mut count, mut polyglot_only) = (0, 0);
    for line in lines {
        let (fen, expected) = line.split_once("; ").expect(line);
        let Validated {
            position,
            en_passant,
            ..
        } = Validated::from_fen(fen, variant_of(fen)).expect(fen);
        let found = key(&position, en_passant);
        assert_eq!(format!("{found:016x}"), expected, "{fen}");
        count += 1;
        polyglot_only += usize::from(found != key(&position, position.en_passant()));
    }
    assert_eq!(count, 400);
    assert!(
        polyglot_only > 0,
        "the sample has illegal en passant captures"
    );
}

#[test]
fn only_double_pawn_steps_pass_a_square() {
    let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let castling = Position::from_fen(castling, Variant::Standard).unwrap();
    for (start, text, passed) in [
        (Position::default(), "e2e4", Some("e3")),
        (Position::default(), "e2e3", None),
        (Position::default(), "g1f3", None),
        (castling, "e1g1", None),
    ] {
        let mv = start.move_from_uci(text).unwrap();
        let expected = passed.map(|square| square.parse().unwrap());
        assert_eq!(passed_by(&start.play_unchecked(mv), mv), expected, "{text}");
    }
}

const START: u64 = 0x463b_9618_1691_fc9c;
const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;

fn book_moves(weights: &[u32]) -> BookMoves {
    let moves = Position::default().legal_moves();
    BookMoves {
        moves: moves
            .iter()
            .zip(weights)
            .map(|(&mv, &weight)| BookMove { mv, weight })
            .collect(),
        illegal: Vec::new(),
    }
}

/// The number of times each move is picked with the seeds 1 to `seeds`.
fn counts(weights: &[u32], key: u64, seeds: u64) -> Vec<u32> {
    let found = book_moves(weights);
    let mut counts = vec![0; weights.len()];
    for seed in 1..=seeds {
        let picked = Choice::Weighted { seed }.pick(&found, key).expect("a move");
        let at = found.moves.iter().position(|known| *known == picked);
        counts[at.expect("one of them")] += 1;
    }
    counts
}

/// The counts were computed independently from the definition of SplitMix64; each is within
/// three standard deviations of its expectation.
#[test]
fn moves_are_picked_in_proportion_to_their_weights() {
    let weights = [5000, 3000, 1999, 1, 0];
    let ten_thousand = counts(&weights, START, 10_000);
    assert_eq!(ten_thousand, [5013, 3020, 1965, 2, 0]);
    assert_eq!(counts(&[3, 2, 1], AFTER_E4, 6000), [3007, 1986, 1007]);
    for (count, weight) in ten_thousand.into_iter().zip(weights) {
        let (count, expected) = (f64::from(count), f64::from(weight));
        let deviation = (expected * (1.0 - expected / 10_000.0)).sqrt();
        assert!(
            (count - expected).abs() <= 3.0 * deviation,
            "{count} of {weight}"
        );
    }
}

#[test]
fn best_is_the_greatest_weight_and_the_first_of_equals() {
    for (weights, expected) in [(&[7, 7, 2][..], Some(0)), (&[1], Some(0)), (&[0], None)] {
        let found = book_moves(weights);
        let expected = expected.map(|at: usize| found.moves[at]);
        assert_eq!(Choice::Best.pick(&found, START), expected);
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), key: u64) {
        if let Ok(mut book) = Book::new(Cursor::new(bytes)) {
            let _ = book.find(&Position::default(), key);
        }
    }

    /// Whatever the entries contain, the moves found are legal and unique.
    #[test]
    fn arbitrary_entries_give_legal_moves(moves in prop::collection::vec(any::<(u16, u16)>(), 1..50)) {
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
