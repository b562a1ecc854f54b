//! The library: the games that were played here, on the page or in the terminal.

use common::NAME;
use common::files::FileError;
use formats::pgn::Record;
use game::Side;
use game::annotation::Heading;
use game::library::{GameId, GameKind, Library, record};
use game::play::{GameState, TridimState};
use game::profile::{Names, Profile, USER};
use movegen::{Color, Position};

use crate::context::Context;
use crate::illegal::sentence;
use crate::messages::library::{Event, Kept, Request};
use crate::own::OwnSide;

/// The games that are listed.
const MAX_GAMES: usize = 5000;

pub(crate) fn handle(request: Request, unkept: Option<&str>, context: &mut Context) {
    let mut reader = Reader {
        library: &context.library,
        unkept,
        names: &context.names,
        first_error: None,
    };
    let answer = reader.answer(request);
    let (event, error) = match answer {
        Ok(event) => (Some(event), reader.first_error),
        Err(error) => (None, Some(error)),
    };
    if let Some(event) = event {
        if let Event::Names { names } = &event {
            context.names.clone_from(names);
        }
        context.page.send(event);
    }
    if let Some(error) = error {
        context.page.note(&error);
    }
}

/// Reads games of the library; those that cannot be read are left out.
struct Reader<'a> {
    library: &'a Library,
    unkept: Option<&'a str>,
    names: &'a Names,
    first_error: Option<FileError>,
}

impl Reader<'_> {
    fn read(&mut self, id: &GameId) -> Option<(GameKind, String)> {
        let read = self.library.read(id);
        read.unwrap_or_else(|error| {
            self.first_error.get_or_insert(error);
            None
        })
    }

    fn answer(&mut self, request: Request) -> Result<Event, FileError> {
        Ok(match request {
            Request::List => list(self)?,
            Request::Open { id, ply } => {
                let kept = self.library.read(&id)?;
                opened(id, kept, ply)
            }
            Request::Delete { ids } => {
                self.library.delete(&ids)?;
                list(self)?
            }
            Request::Names { names } => {
                let kept = names.clone();
                Profile::change(self.library, |profile| profile.names = kept)?;
                Event::Names { names }
            }
            Request::Export => {
                let games = self.library.games()?.into_iter().rev();
                let texts = games.filter_map(|id| match self.read(&id) {
                    Some((GameKind::Chess, pgn)) => Some(pgn),
                    _ => None,
                });
                Event::Exported {
                    pgn: texts.collect(),
                    profile: Profile::read(self.library)?.json(),
                }
            }
        })
    }
}

fn list(reader: &mut Reader<'_>) -> Result<Event, FileError> {
    let games = reader.library.games()?.into_iter().take(MAX_GAMES);
    let kept = games.filter_map(|id| {
        let (kind, text) = reader.read(&id)?;
        let (record, plies) = match kind {
            GameKind::Chess => {
                let record = record(&text)?;
                let plies = record.moves().len();
                (record, plies)
            }
            GameKind::Tridim => tridim(&id, &text)?,
        };
        Some(Kept {
            id,
            heading: Heading::new(&record),
            own: OwnSide::new(&record, reader.names),
            moves: plies.div_ceil(2),
            tridim: kind == GameKind::Tridim,
        })
    });
    let games = kept.collect();
    Ok(Event::Games {
        games,
        unkept: reader.unkept.as_ref().map(sentence),
        folder: reader.library.folder().map(|folder| {
            if cfg!(target_family = "wasm") {
                "this browser".to_owned()
            } else {
                folder.display().to_string()
            }
        }),
    })
}

fn opened(id: GameId, kept: Option<(GameKind, String)>, ply: usize) -> Event {
    match kept {
        Some((GameKind::Tridim, text)) => Event::OpenedTridim {
            id,
            saved: lines(&text).map(str::to_owned).collect(),
        },
        kept => Event::Opened {
            id,
            pgn: kept.map(|(_, pgn)| pgn).unwrap_or_default(),
            ply,
        },
    }
}

/// The lines of a saved game after its signature.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().skip(1)
}

/// The record of a game of Tri-Dimensional chess, and the number of its plies.
fn tridim(id: &GameId, text: &str) -> Option<(Record, usize)> {
    let mut state: TridimState = GameState::default();
    for line in lines(text) {
        state.follow(line).ok()?;
    }
    let mut record = Record::new(Position::default());
    record.tags.set("Event", "Tri-Dimensional chess");
    for color in Color::ALL {
        let name = if state.side == Side::Both {
            color.to_string()
        } else if state.side.includes(color) {
            USER.to_owned()
        } else {
            NAME.to_owned()
        };
        record.tags.set(&color.to_string(), &name);
    }
    let id = id.to_string();
    if let (Some(year), Some(month), Some(day)) = (id.get(..4), id.get(4..6), id.get(6..8)) {
        record.tags.set("Date", format!("{year}.{month}.{day}"));
    }
    if let Some((_, result)) = state.ending() {
        record.result = result;
    }
    Some((record, state.played().0.moves().len()))
}

#[cfg(test)]
mod tests {
    use game::library::{GameId, GameKind, Library};
    use serde_json::{Value, json};
    use test_common::TempDir;

    use super::{NAME, handle};
    use crate::context::harness::Harness;

    fn answer(harness: &mut Harness, request: Value) -> Value {
        let request = serde_json::from_value(request).expect("a request");
        handle(request, None, &mut harness.context);
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
            let kept = library.keep(&mut id.clone().into(), GameKind::Chess, &pgn(white));
            kept.expect("written");
        }
        let damaged = GameId::try_from("2026-3".to_owned()).expect("valid");
        let kept = library.keep(&mut damaged.into(), GameKind::Chess, "1. Ke5 *");
        kept.expect("written");
        let names = json!({"own": "", "lichess": "bo", "chess_com": ""});
        let named = answer(&mut harness, json!({"type": "names", "names": names}));
        assert_eq!(named["names"], names);
        let list = answer(&mut harness, json!({"type": "list"}));
        let games = list["games"].as_array().expect("games");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0]["heading"]["white"]["name"], "Bo");
        let own = json!({"color": "white", "result": "played"});
        assert_eq!((&games[0]["own"], &games[1]["own"]), (&own, &json!(null)));
        assert_eq!(
            (&games[0]["moves"], &games[0]["id"]),
            (&json!(2), &json!("2026-2"))
        );
        let opened = answer(&mut harness, json!({"type": "open", "id": "2026-1"}));
        assert_eq!(
            opened,
            json!({"type": "opened", "id": "2026-1", "pgn": pgn("Ada"), "ply": 0})
        );
        let exported = answer(&mut harness, json!({"type": "export"}));
        let text = exported["pgn"].as_str().expect("a PGN");
        assert!(text.starts_with(&(pgn("Ada") + &pgn("Bo"))), "{text}");
        let profile = exported["profile"].as_str().expect("JSON");
        assert!(profile.contains(r#""lichess": "bo""#), "{profile}");
        let list = answer(&mut harness, json!({"type": "delete", "ids": ["2026-2"]}));
        assert_eq!(list["games"].as_array().map(Vec::len), Some(1));
        let again = answer(&mut harness, json!({"type": "delete", "ids": ["2026-2"]}));
        assert_eq!(again, list);
        let error = answer(&mut harness, json!({"type": "open", "id": "2026-2"}));
        assert_eq!(error["type"], "note");
    }

    #[test]
    fn a_game_of_tridim_is_opened_in_its_mode() {
        let folder = TempDir::new("board tridim games");
        let mut harness = Harness::new();
        harness.context.library = Library::at(folder.directory().to_owned());
        let saved = ["rotation off", "side black", "resign black"];
        let text = format!("castellan tridim game 1\n{}\n", saved.join("\n"));
        let id = GameId::try_from("20261127-120000000-0".to_owned()).expect("valid");
        let library = &harness.context.library;
        library
            .keep(&mut id.clone().into(), GameKind::Tridim, &text)
            .expect("written");
        let list = answer(&mut harness, json!({"type": "list"}));
        let game = &list["games"][0];
        assert_eq!(game["tridim"], true);
        let heading = &game["heading"];
        let names = ["white", "black"].map(|side| heading[side]["name"].as_str());
        assert_eq!(names, [Some(NAME), Some("You")]);
        assert_eq!(heading["sortable_date"], "2026.11.27");
        assert_eq!(heading["result"], "1–0");
        let opened = answer(&mut harness, json!({"type": "open", "id": id}));
        assert_eq!(
            opened,
            json!({"type": "opened_tridim", "id": id, "saved": saved})
        );
        let exported = answer(&mut harness, json!({"type": "export"}));
        assert_eq!(exported["pgn"], "");
    }
}
