//! Tablebase and book lookups for a position.

use std::cmp::Reverse;

use movegen::{Color, FIFTY_MOVE_PLIES, Game, Move, Position};
use search::Tablebases;
use service::Engine;

use crate::legal::NamedMove;
use crate::messages::analysis::{BookMoveView, TablebaseMove, TablebaseView, Value};

/// Plies to the next capture, pawn move or mate, positive if the side to move wins, and the value.
fn probe(tablebases: &Tablebases, position: &Position) -> Option<(i32, Value)> {
    let plies = tablebases.dtz(position)?.plies;
    let reaches =
        plies.unsigned_abs() + u32::from(position.halfmove_clock()) <= u32::from(FIFTY_MOVE_PLIES);
    let value = match (plies.signum(), reaches) {
        (1, true) => Value::Win,
        (1, false) => Value::CursedWin,
        (0, _) => Value::Draw,
        (_, false) => Value::BlessedLoss,
        (_, true) => Value::Loss,
    };
    Some((plies, value))
}

impl Value {
    fn of_opponent(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::CursedWin => Self::BlessedLoss,
            Self::Draw => Self::Draw,
            Self::BlessedLoss => Self::CursedWin,
            Self::Loss => Self::Win,
        }
    }
}

impl TablebaseView {
    /// `None` if no table has the position.
    pub(super) fn new(tablebases: &Tablebases, position: &Position) -> Option<Self> {
        let (plies, value) = probe(tablebases, position)?;
        let legal = position.legal_moves();
        let moves = legal.iter();
        let mut moves: Vec<TablebaseMove> = moves
            .filter_map(|&mv| TablebaseMove::new(tablebases, position, mv))
            .collect();
        moves.sort_by_key(|mv| {
            let dtz = i64::from(mv.dtz);
            // Losses are delayed.
            let order = match mv.value {
                Value::BlessedLoss | Value::Loss => (mv.zeroing, -dtz),
                _ => (!mv.zeroing, dtz),
            };
            (mv.value, Reverse(mv.mate), order)
        });
        Some(Self {
            verdict: verdict(position.side_to_move(), plies, value),
            moves,
        })
    }
}

fn verdict(mover: Color, plies: i32, value: Value) -> String {
    let winner = if plies > 0 { mover } else { !mover };
    match value {
        Value::Draw => "Draw".to_owned(),
        Value::Win | Value::Loss => format!("{winner} wins, DTZ {}", plies.abs()),
        Value::CursedWin | Value::BlessedLoss => {
            format!(
                "{winner} wins, but the fifty-move rule draws (DTZ {})",
                plies.abs()
            )
        }
    }
}

impl TablebaseMove {
    fn new(tablebases: &Tablebases, position: &Position, mv: Move) -> Option<Self> {
        let after = position.play_unchecked(mv);
        let mate = after.in_check() && !after.has_moves();
        let (plies, value) = match after.has_moves() {
            true => probe(tablebases, &after)?,
            false if mate => (0, Value::Loss),
            false => (0, Value::Draw),
        };
        Some(Self {
            mv: NamedMove::new(mv, position),
            value: value.of_opponent(),
            mate,
            zeroing: after.halfmove_clock() == 0,
            dtz: plies.unsigned_abs(),
        })
    }
}

/// The moves of the book; `None` without a book, or if it cannot be read.
pub(super) fn book(engine: &Engine, game: &Game) -> Option<Vec<BookMoveView>> {
    let found = engine.book_moves(game)?;
    let total = found.total().max(1) as f64;
    let position = game.position();
    let moves = found.moves.iter().map(|known| BookMoveView {
        mv: NamedMove::new(known.mv, position),
        weight: known.weight,
        share: (1000.0 * f64::from(known.weight) / total).round() / 10.0,
    });
    Some(moves.collect())
}

#[cfg(test)]
mod tests {
    use movegen::{Position, Variant};
    use search::Tablebases;
    use serde_json::{Value, json, to_value};

    use super::TablebaseView;

    fn view(fen: &str) -> Option<Value> {
        let folder = test_common::repository_path("tests/data/syzygy");
        let (tablebases, errors) = Tablebases::find(&[folder]);
        assert!(errors.is_empty());
        let position = Position::from_fen(fen, Variant::Standard).expect("legal");
        TablebaseView::new(&tablebases, &position).map(|view| to_value(view).expect("JSON"))
    }

    #[test]
    fn moves_are_sorted_by_their_value() {
        // With the rook's pawn Black draws in the corner.
        let drawn = view("k7/8/8/8/8/8/P7/K7 w - - 0 1").expect("KPvK");
        assert_eq!(drawn["verdict"], "Draw");
        let moves = drawn["moves"].as_array().expect("moves");
        assert!(moves.iter().all(|mv| mv["value"] == "draw"));
        let won = view("8/8/8/4k3/7R/8/8/4K3 w - - 0 1").expect("KRvK");
        let verdict = won["verdict"].as_str().expect("a verdict");
        assert!(verdict.starts_with("White wins, DTZ "), "{verdict}");
        let moves = won["moves"].as_array().expect("moves");
        // On d4, e4 and f4 the rook is lost.
        let draws = moves.iter().skip(moves.len() - 3);
        let draws: Vec<&str> = draws.filter_map(|mv| mv["san"].as_str()).collect();
        assert_eq!(draws, ["Rd4", "Re4+", "Rf4"]);
        let values = |mv: &Value| (mv["value"].clone(), mv["dtz"].as_u64());
        assert!(moves.windows(2).all(|pair| {
            let [one, other] = [&pair[0], &pair[1]].map(values);
            one.0 != other.0 || one.1 <= other.1
        }));
        assert!(view("8/8/8/4k3/8/4K3/PPPPPPPP/8 w - - 0 1").is_none());
    }

    #[test]
    fn mate_comes_first_and_the_clock_counts() {
        let mate = view("8/8/8/8/8/k1K5/8/7R w - - 0 1").expect("KRvK");
        let best = &mate["moves"][0];
        assert_eq!(
            (&best["san"], &best["mate"]),
            (&json!("Ra1#"), &json!(true))
        );
        let late = view("8/8/4k3/8/8/8/8/QK6 w - - 98 90").expect("KQvK");
        assert!(
            late["verdict"]
                .as_str()
                .is_some_and(|text| text.contains("fifty-move rule draws")),
            "{late}"
        );
        let early = view("8/8/4k3/8/8/8/8/QK6 w - - 0 1").expect("KQvK");
        assert_eq!(early["moves"][0]["value"], "win");
    }
}
