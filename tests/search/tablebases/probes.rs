//! WDL and DTZ values, compared with python-chess and with the rules.

use super::{all_four_piece_tables, tables};
use movegen::{Position, Variant};
use search::{Tablebases, Wdl};
use test_common::Rng;
use test_common::positions::{self, START};

/// WDL and DTZ, as python-chess reads them from the same tables.
const KNOWN: [(&str, Wdl, i32); 30] = [
    ("8/2k5/8/8/8/3K4/8/6q1 w - - 0 1", Wdl::Loss, -14),
    ("8/8/6K1/8/3k4/8/8/7Q w - - 0 1", Wdl::Win, 15),
    ("6q1/8/3K4/8/8/3k4/8/8 w - - 0 1", Wdl::Loss, -12),
    ("3K4/8/5k2/8/8/5q2/8/8 b - - 0 1", Wdl::Win, 3),
    ("8/7k/2q5/8/8/6K1/8/8 w - - 0 1", Wdl::Loss, -14),
    ("3K4/3R4/8/8/8/8/2k5/8 b - - 0 1", Wdl::Loss, -22),
    ("8/7r/8/8/8/1k6/5K2/8 b - - 0 1", Wdl::Win, 19),
    ("8/8/8/1R6/1k5K/8/8/8 b - - 0 1", Wdl::Draw, 0),
    ("8/8/6K1/k7/8/2R5/8/8 b - - 0 1", Wdl::Loss, -24),
    ("8/8/8/1R6/8/4K3/8/6k1 w - - 0 1", Wdl::Win, 5),
    ("8/8/4K3/8/p7/8/8/2k5 w - - 0 1", Wdl::Loss, -2),
    ("4k3/8/8/8/K7/7p/8/8 b - - 0 1", Wdl::Win, 1),
    ("8/8/4k3/1P6/8/1K6/8/8 b - - 0 1", Wdl::Draw, 0),
    ("8/8/8/k7/8/8/4P3/1K6 w - - 0 1", Wdl::Win, 9),
    ("2K5/k7/8/7P/8/8/8/8 w - - 0 1", Wdl::Win, 1),
    ("8/8/8/6K1/8/1k6/p7/8 w - - 0 1", Wdl::Loss, -2),
    ("4k3/8/8/7K/8/8/5P2/8 w - - 0 1", Wdl::Win, 1),
    ("1K6/8/8/p1k5/8/8/8/8 w - - 0 1", Wdl::Loss, -2),
    ("8/8/6P1/3k4/8/K7/8/8 b - - 0 1", Wdl::Draw, 0),
    ("8/8/6k1/3p4/8/8/1K6/8 b - - 0 1", Wdl::Win, 9),
    ("8/7Q/k7/2K5/q7/8/8/8 b - - 0 1", Wdl::Draw, 0),
    ("1K4q1/8/8/4k3/8/1Q6/8/8 w - - 0 1", Wdl::Win, 1),
    ("7q/8/3Q4/2K5/8/8/8/7k w - - 0 1", Wdl::Draw, 0),
    ("4K1Q1/8/8/8/8/8/1q6/k7 w - - 0 1", Wdl::Draw, 0),
    ("3K4/q7/8/7k/8/8/8/4Q3 b - - 0 1", Wdl::Draw, 0),
    ("8/8/8/3r4/8/8/2k2K2/R7 w - - 0 1", Wdl::Draw, 0),
    ("4k3/8/8/8/1r6/8/3K4/6R1 w - - 0 1", Wdl::Draw, 0),
    ("4R3/4r3/6K1/8/8/8/8/3k4 w - - 0 1", Wdl::Win, 1),
    ("8/8/3k2r1/8/K7/8/R7/8 w - - 0 1", Wdl::Draw, 0),
    ("8/8/8/8/5k2/8/K4r2/3R4 w - - 0 1", Wdl::Draw, 0),
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).expect(fen)
}

#[test]
fn values_equal_those_of_python_chess() {
    let tables = tables();
    for (fen, wdl, plies) in KNOWN {
        let position = position(fen);
        let dtz = tables.dtz(&position).map(|dtz| dtz.plies);
        assert_eq!(
            (tables.wdl(&position), dtz),
            (Some(wdl), Some(plies)),
            "{fen}"
        );
    }
}

/// The value of a position from those of its moves.
fn best_value(tables: &Tablebases, position: &Position) -> Wdl {
    let value = |&mv| {
        let next = position.play_unchecked(mv);
        if next.is_checkmate() {
            Wdl::Win
        } else if next.is_stalemate() || next.is_insufficient_material() {
            Wdl::Draw
        } else {
            -tables.wdl(&next).expect("a table for each capture")
        }
    };
    let moves = position.legal_moves();
    moves.iter().map(value).max().expect("a move")
}

fn assert_values_follow(tables: &Tablebases, endings: &[&str], positions: usize) {
    let mut rng = Rng::new(3);
    for pieces in endings {
        for _ in 0..positions {
            let position = positions::random(&mut rng, pieces, 0);
            if position.has_moves() {
                let best = best_value(tables, &position);
                assert_eq!(tables.wdl(&position), Some(best), "{position}");
            }
        }
    }
}

#[test]
fn the_value_of_a_position_is_that_of_its_best_move() {
    let endings = ["KQk", "kqK", "KRk", "krK", "KPk", "kpK", "KQkq", "KRkr"];
    assert_values_follow(&tables(), &endings, 400);
    if let Some(tables) = all_four_piece_tables() {
        let endings = [
            "KPkp", "kpKP", "KRkp", "kqKR", "KBNk", "knpK", "KPPk", "KBkn",
        ];
        assert_values_follow(&tables, &endings, 200);
    }
}

#[test]
fn castling_rights_more_pieces_and_missing_tables_are_unknown() {
    let tables = tables();
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4KBNR w - - 0 1",
        "4k3/8/8/8/8/8/8/4KBN1 w - - 0 1",
        START,
    ] {
        assert_eq!(tables.wdl(&position(fen)), None, "{fen}");
        assert_eq!(tables.dtz(&position(fen)), None, "{fen}");
    }
    let none = Tablebases::default();
    assert_eq!(none.wdl(&position(KNOWN[0].0)), None);
    assert_eq!(none.count().pieces, 0);
}
