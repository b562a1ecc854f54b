//! The editor of positions: what is wrong with one that is being edited.

use movegen::{DroppedRight, FenError, Game, Position, Setup, Variant};
use serde::{Deserialize, Serialize};

use super::illegal;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    Check { fen: String, chess960: bool },
}

/// About the position of a request, which is repeated.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Event {
    fen: String,
    chess960: bool,
    /// The reason the position is not legal.
    problem: Option<String>,
    /// The parts that are dropped when it is used.
    notes: Vec<String>,
    suggests_chess960: bool,
}

/// Answers a request; nothing is kept.
pub(super) fn answer(request: Request) -> Event {
    let Request::Check { fen, chess960 } = request;
    let variant = Variant::from_chess960(chess960);
    let checked = check(&fen, variant).unwrap_or_else(|error| Event {
        problem: Some(illegal::sentence(&error)),
        ..Event::default()
    });
    Event {
        fen,
        chess960,
        ..checked
    }
}

fn check(fen: &str, variant: Variant) -> Result<Event, FenError> {
    let setup: Setup = fen.parse()?;
    let (position, dropped) = setup.position(variant)?;
    let Rights {
        mut notes,
        suggests_chess960,
    } = rights(&setup, &dropped);
    if let Some(square) = setup.en_passant
        && position.en_passant() != Some(square)
    {
        notes.push(format!("No pawn can capture en passant on {square}."));
    }
    let outcome = Game::new(position).outcome();
    notes.extend(outcome.map(|outcome| format!("The game is over: {outcome}.")));
    Ok(Event {
        notes,
        suggests_chess960,
        ..Event::default()
    })
}

/// The castling rights of a setup that a position cannot have.
#[derive(Debug, Default)]
pub(super) struct Rights {
    /// A sentence for each, unless all are possible in Chess960.
    pub(super) notes: Vec<String>,
    pub(super) suggests_chess960: bool,
}

pub(super) fn rights(setup: &Setup, dropped: &[DroppedRight]) -> Rights {
    let fits = |(_, dropped): (Position, Vec<DroppedRight>)| dropped.is_empty();
    if !dropped.is_empty() && setup.position(Variant::Chess960).is_ok_and(fits) {
        let text = "These castling rights are possible only in Chess960, where king and rooks may \
                    start on other squares.";
        return Rights {
            notes: vec![text.to_owned()],
            suggests_chess960: true,
        };
    }
    let notes = dropped
        .iter()
        .map(|(right, reason)| format!("{}: {reason}.", right.letter()));
    Rights {
        notes: notes.collect(),
        suggests_chess960: false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Request, answer};
    use crate::session::harness::json;

    fn check(fen: &str, chess960: bool) -> Value {
        let fen = fen.to_owned();
        json(answer(Request::Check { fen, chess960 }))
    }

    #[test]
    fn problems_are_sentences() {
        for (fen, words) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock"),
        ] {
            let problem = check(fen, false)["problem"].take();
            let problem = problem.as_str().expect("a problem");
            assert!(problem.contains(words), "{fen}: {problem}");
        }
        let fine = check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", false);
        assert!(fine["problem"].is_null() && fine["notes"] == serde_json::json!([]));
    }

    #[test]
    fn chess960_is_suggested_only_if_it_helps() {
        let fen = "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAga - 0 1";
        let checked = check(fen, false);
        assert_eq!(checked["suggests_chess960"], true);
        assert_eq!(checked["notes"].as_array().map(Vec::len), Some(1));
        let checked = check(fen, true);
        assert_eq!(checked["suggests_chess960"], false);
        assert_eq!(checked["notes"], serde_json::json!([]));
        let checked = check("4k3/8/8/8/8/8/8/4K2B w K - 0 1", false);
        assert_eq!(checked["suggests_chess960"], false);
        let note = checked["notes"][0].as_str().expect("a note");
        assert!(note.starts_with("K: ") && note.contains("h1"), "{note}");
    }

    #[test]
    fn en_passant_and_the_end_of_the_game_are_noted() {
        let note = |fen: &str| check(fen, false)["notes"][0].as_str().map(str::to_owned);
        let fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
        let text = "No pawn can capture en passant on e3.";
        assert_eq!(note(fen).as_deref(), Some(text));
        assert_eq!(note("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), None);
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        assert!(note(mate).is_some_and(|note| note.contains("checkmate")));
    }
}
