//! The editor of positions: the faults of one that is being edited.

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
