//! The editor of positions: what is wrong with one that is being edited.

use movegen::{Dropped, FenError, Game, Validated, Variant};

use crate::illegal;
use crate::messages::editor::{Event, Request};

/// Answers a request; nothing is kept.
pub(crate) fn answer(request: Request) -> Event {
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
    let Validated {
        position,
        en_passant,
        dropped,
        ..
    } = Validated::from_fen(fen, variant)?;
    let mut notes: Vec<String> = dropped.iter().map(illegal::sentence).collect();
    if dropped.iter().any(Dropped::is_of_chess960) {
        notes.push("Chess960 has these castling rights; tick Chess960 to keep them.".to_owned());
    }
    if let Some(square) = en_passant
        && position.en_passant() != en_passant
    {
        notes.push(format!("No pawn can capture en passant on {square}."));
    }
    let outcome = Game::new(position).outcome();
    notes.extend(outcome.map(|outcome| format!("The game is over: {outcome}.")));
    Ok(Event {
        notes,
        ..Event::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Request, answer};
    use crate::context::harness::json;

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
    fn rights_of_chess960_and_dropped_ones_are_noted() {
        let fen = "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAga - 0 1";
        for (fen, chess960, parts) in [
            (
                fen,
                false,
                &["right G", "right A", "right g", "right a", "tick Chess960"][..],
            ),
            (fen, true, &[]),
            (
                "r3k3/8/8/8/8/8/8/4K2B w K d6 0 1",
                false,
                &["right K dropped", "on d5"],
            ),
        ] {
            let checked = check(fen, chess960);
            let notes = checked["notes"].as_array().expect("notes");
            assert_eq!(notes.len(), parts.len(), "{notes:?}");
            for (note, part) in notes.iter().zip(parts) {
                assert!(
                    note.as_str().is_some_and(|note| note.contains(part)),
                    "{note}"
                );
            }
        }
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
