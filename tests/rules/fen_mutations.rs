//! Thousands of mutated FENs: each is an error or a legal position, and never a panic.

use movegen::{Color, Position, Role, Variant};
use test_common::Rng;
use test_common::positions::{KIWIPETE, START};

const MUTANTS: usize = 20_000;
const RANDOM_TEXTS: usize = 10_000;

const SEEDS: [&str; 8] = [
    START,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "nqrknrbb/pppppppp/8/8/8/8/PPPPPPPP/NQRKNRBB w FCfc - 0 1",
    "nbbnqrkr/pppppppp/8/8/8/8/PPPPPPPP/NNRBKQBR w HChf - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 b - - 149 300",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb -",
];

const PIECES: &[u8] = b"PNBRQpnbrq";
/// The characters of FENs and some similar ones.
const LIKELY: &[u8] = b"PNBRQKpnbrqk12345678/ -wbKQkqABCDEFGHabcdefgh0369";

fn mutate(rng: &mut Rng, fen: &str) -> String {
    let mut bytes = fen.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len().max(1));
        let likely = *rng.choose(LIKELY);
        match rng.below(14) {
            0 => bytes.insert(at.min(bytes.len()), likely),
            1 if !bytes.is_empty() => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            3 if !bytes.is_empty() => bytes[at] = rng.next_u64() as u8,
            4 if !bytes.is_empty() => {
                let other = rng.below(bytes.len());
                bytes.swap(at, other);
            }
            5 => {
                let other = rng.choose(&SEEDS).as_bytes();
                let from = rng.below(other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            6 if !bytes.is_empty() => bytes[at] = likely,
            _ => {
                // Replacing a piece keeps the text well-formed.
                let pieces: Vec<usize> = (0..bytes.len())
                    .filter(|&at| PIECES.contains(&bytes[at]))
                    .collect();
                if !pieces.is_empty() {
                    bytes[*rng.choose(&pieces)] = *rng.choose(PIECES);
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn random_text(rng: &mut Rng) -> String {
    let len = rng.below(120);
    let likely_only = rng.below(2) == 0;
    let bytes: Vec<u8> = (0..len)
        .map(|_| {
            if likely_only {
                *rng.choose(LIKELY)
            } else {
                rng.next_u64() as u8
            }
        })
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether the text is a position; panics if the position is not legal.
fn is_position(text: &str, variant: Variant) -> bool {
    match Position::from_fen(text, variant) {
        Ok(position) => {
            for color in Color::ALL {
                assert_eq!(position.pieces(color, Role::King).count(), 1, "{text}");
                assert!(position.side(color).count() <= 16, "{text}");
                assert!(position.pieces(color, Role::Pawn).count() <= 8, "{text}");
            }
            let attacked = position.attacked_by(position.side_to_move());
            assert!(
                !attacked.has(position.king(!position.side_to_move())),
                "{text}"
            );
            let again = Position::from_fen(&position.fen(), variant);
            assert_eq!(again.as_ref(), Ok(&position), "{text}");
            for &mv in &position.legal_moves() {
                let next = position.play_unchecked(mv);
                assert_eq!(next.key(), next.key_from_scratch(), "{text}");
                assert!(
                    !next
                        .attacked_by(next.side_to_move())
                        .has(next.king(!next.side_to_move())),
                    "{text}"
                );
            }
            true
        }
        Err(error) => {
            let words = error.to_string();
            let named = words.contains("FEN") || words.starts_with("illegal position: ");
            assert!(named, "{text}: {error}");
            false
        }
    }
}

fn count_positions(texts: impl Iterator<Item = String>) -> usize {
    texts
        .map(|text| {
            let standard = is_position(&text, Variant::Standard);
            let chess960 = is_position(&text, Variant::Chess960);
            assert_eq!(
                standard, chess960,
                "castling rights alone are never an error: {text}"
            );
            usize::from(standard)
        })
        .sum()
}

#[test]
fn mutated_fens_are_errors_or_legal_positions() {
    let mut rng = Rng::new(0x0f3a_9c11);
    let texts = (0..MUTANTS).map(|_| {
        let seed = rng.choose(&SEEDS);
        mutate(&mut rng, seed)
    });
    let positions = count_positions(texts);
    // Neither kind is rare.
    assert!(
        (MUTANTS / 20..MUTANTS * 19 / 20).contains(&positions),
        "{positions}"
    );
}

/// Every number of fields gives a position if the missing ones do not change what is legal.
#[test]
fn fields_may_be_left_out_from_the_end() {
    const MISSING: [&str; 5] = ["w", "KQkq", "-", "0", "1"];
    for seed in SEEDS {
        let fields: Vec<&str> = seed.split(' ').collect();
        for kept in 1..=fields.len() {
            let cut = fields[..kept].join(" ");
            let filled = [&fields[..kept], &MISSING[kept - 1..]].concat().join(" ");
            for variant in [Variant::Standard, Variant::Chess960] {
                let expected = Position::from_fen(&filled, variant);
                assert_eq!(Position::from_fen(&cut, variant), expected, "{cut}");
                let moves_exist = expected.is_ok_and(|position| position.has_moves());
                assert!(moves_exist, "{filled}");
            }
        }
    }
}

#[test]
fn random_texts_are_errors() {
    let mut rng = Rng::new(0x77aa_0251);
    let texts = (0..RANDOM_TEXTS).map(|_| random_text(&mut rng));
    assert_eq!(count_positions(texts), 0);
}
