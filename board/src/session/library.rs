//! The library: the games that were played here.

use std::io::Cursor;

use game::annotation::Heading;
use game::pgn::{Games, Record};
use movegen::Variant;
use serde::{Deserialize, Serialize};

use super::Context;
use super::illegal::sentence;

pub(crate) use game::library::GameId;

/// The games that are listed.
const MAX_GAMES: usize = 5000;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    List,
    /// The PGN of a game.
    Open {
        id: GameId,
    },
    Delete {
        id: GameId,
    },
    /// The PGN of all games.
    Export,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Games {
        games: Vec<Kept>,
        /// Their folder.
        folder: Option<String>,
    },
    Opened {
        pgn: String,
    },
    Exported {
        pgn: String,
    },
    Error {
        text: String,
    },
}

/// A game of the list.
#[derive(Debug, Serialize)]
pub(crate) struct Kept {
    id: GameId,
    heading: Heading,
    moves: usize,
}

pub(crate) fn handle(request: Request, context: &mut Context) {
    let library = context.library.clone();
    let event = match request {
        Request::List => Ok(list(context)),
        Request::Open { id } => library.read(&id).map(|pgn| Event::Opened {
            pgn: pgn.unwrap_or_default(),
        }),
        Request::Delete { id } => library.delete(&id).map(|()| list(context)),
        Request::Export => {
            let games = library.games().into_iter().rev();
            let texts = games.filter_map(|id| library.read(&id).ok().flatten());
            Ok(Event::Exported {
                pgn: texts.collect(),
            })
        }
    };
    context.send(event.unwrap_or_else(|error| Event::Error {
        text: sentence(&error),
    }));
}

fn list(context: &Context) -> Event {
    let library = &context.library;
    let games = library.games().into_iter().take(MAX_GAMES);
    let kept = games.filter_map(|id| {
        let pgn = library.read(&id).ok()??;
        let record = record(&pgn)?;
        Some(Kept {
            id,
            heading: Heading::new(&record),
            moves: record.moves().len().div_ceil(2),
        })
    });
    Event::Games {
        games: kept.collect(),
        folder: library.folder().map(|folder| {
            if cfg!(target_family = "wasm") {
                "this browser".to_owned()
            } else {
                folder.display().to_string()
            }
        }),
    }
}

/// The game of a file of the library.
pub(super) fn record(pgn: &str) -> Option<Record> {
    let mut games = Games::annotated(Cursor::new(pgn), Variant::Standard);
    games.next_game().ok()??.ok()
}

#[cfg(test)]
mod tests {
    use game::library::Library;
    use serde_json::{Value, json};
    use test_common::TempDir;

    use super::{GameId, handle};
    use crate::session::harness::Harness;

    fn answer(harness: &mut Harness, request: Value) -> Value {
        let request = serde_json::from_value(request).expect("a request");
        handle(request, &mut harness.context);
        harness.events().pop().expect("an event")
    }

    #[test]
    fn games_are_listed_opened_exported_and_deleted() {
        let folder = TempDir::new("board games");
        let library = Library::at(folder.directory().to_owned());
        let mut harness = Harness::new();
        harness.context.library = library.clone();
        let pgn = |white: &str| format!("[White \"{white}\"]\n\n1. e4 e5 2. Nf3 *\n\n");
        for (number, white) in [(1, "Ada"), (2, "Bo")] {
            let id = GameId::try_from(format!("2026-{number}")).expect("valid");
            library.keep(&id, &pgn(white)).expect("written");
        }
        let damaged = GameId::try_from("2026-3".to_owned()).expect("valid");
        library.keep(&damaged, "1. Ke5 *").expect("written");
        let list = answer(&mut harness, json!({"type": "list"}));
        let games = list["games"].as_array().expect("games");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0]["heading"]["white"]["name"], "Bo");
        assert_eq!(
            (&games[0]["moves"], &games[0]["id"]),
            (&json!(2), &json!("2026-2"))
        );
        let opened = answer(&mut harness, json!({"type": "open", "id": "2026-1"}));
        assert_eq!(opened, json!({"type": "opened", "pgn": pgn("Ada")}));
        let exported = answer(&mut harness, json!({"type": "export"}));
        let text = exported["pgn"].as_str().expect("a PGN");
        assert!(text.starts_with(&(pgn("Ada") + &pgn("Bo"))), "{text}");
        let list = answer(&mut harness, json!({"type": "delete", "id": "2026-2"}));
        assert_eq!(list["games"].as_array().map(Vec::len), Some(1));
        let error = answer(&mut harness, json!({"type": "open", "id": "2026-2"}));
        assert_eq!(error["type"], "error");
    }
}
