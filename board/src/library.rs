//! The library: the games that were played here, on the page or in the terminal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;

use chrono::Local;
use common::NAME;
use common::files::FileError;
use formats::notation;
use formats::pgn::{Games, Record};
use game::Side;
use game::annotation::Heading;
use game::library::{Entry, GameId, GameKind, Library, record};
use game::play::{GameState, TridimState};
use game::profile::{Names, Profile, USER};
use movegen::{Color, Position};

use crate::context::Context;
use crate::illegal::sentence;
use crate::messages::library::{Event, Kept, PlayerName, Request};
use crate::own::OwnSide;

/// The most games that are listed.
const MAX_GAMES: usize = 5000;
/// The most names that are listed.
const MAX_PLAYERS: usize = 100;

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
        if let Event::Names { names } | Event::Imported { names, .. } = &event {
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
            Request::Names { names: changed } => {
                let mut names = changed.clone();
                Profile::change(self.library, |profile| {
                    // Another page may have set names that this one does not know.
                    profile.names.merge(self.names, changed);
                    names.clone_from(&profile.names);
                })?;
                Event::Names { names }
            }
            Request::Import { profile } => match serde_json::from_str(&profile) {
                Ok(profile) => Event::Imported {
                    exercises: Profile::import(self.library, profile)?,
                    names: Profile::read(self.library)?.names,
                },
                Err(error) => Event::NotImported {
                    text: format!("This is not a profile of Castellan: {error}."),
                },
            },
            Request::Add { pgn } => add(self, &pgn).unwrap_or_else(|error| Event::NotAdded {
                text: sentence(&error),
            }),
            Request::Players => Event::Players {
                players: players(self)?,
            },
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

/// Keeps the games of a text, the earliest first, except those that are there with the same
/// players, date and moves.
fn add(reader: &mut Reader<'_>, pgn: &str) -> Result<Event, FileError> {
    let mut kept = HashSet::new();
    for id in reader.library.games()? {
        if let Some((GameKind::Chess, pgn)) = reader.read(&id) {
            kept.extend(record(&pgn).as_ref().map(identity));
        }
    }
    let (mut new, mut known, mut invalid) = (Vec::new(), 0, 0);
    let mut games = Games::new(Cursor::new(pgn), None);
    while let Ok(Some(game)) = games.next_game() {
        match game {
            Ok(game) if game.moves().len() > 0 => {
                if kept.insert(identity(&game)) {
                    new.push(game);
                } else {
                    known += 1;
                }
            }
            _ => invalid += 1,
        }
    }
    new.sort_by_cached_key(|game| {
        ["UTCDate", "Date", "UTCTime"].map(|tag| game.tags.get(tag).map(str::to_owned))
    });
    for game in &new {
        let mut entry = Entry::default();
        reader
            .library
            .keep(&mut entry, GameKind::Chess, &game.pgn())?;
    }
    Ok(Event::Added {
        count: new.len(),
        known,
        invalid,
    })
}

/// A hash of what tells a game from others.
fn identity(game: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    for tag in ["White", "Black", "Date", "UTCTime"] {
        // What is written as unknown need not be there.
        let known = game.tags.get(tag).filter(|value| !value.contains('?'));
        known.hash(&mut hasher);
    }
    notation::fen(&game.start, game.start.variant()).hash(&mut hasher);
    for mv in game.moves() {
        mv.hash(&mut hasher);
    }
    hasher.finish()
}

/// The names in the games: first those of the user, then those that resemble them, then the most
/// frequent.
fn players(reader: &mut Reader<'_>) -> Result<Vec<PlayerName>, FileError> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for id in reader.library.games()? {
        if let Some((GameKind::Chess, pgn)) = reader.read(&id)
            && let Some(record) = record(&pgn)
        {
            for color in Color::ALL {
                let name = record
                    .tags
                    .get(&color.to_string())
                    .unwrap_or_default()
                    .trim();
                if !matches!(name, "" | "?") {
                    *counts.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
    }
    let names = reader.names;
    let mut players: Vec<PlayerName> = counts
        .into_iter()
        .map(|(name, games)| PlayerName {
            own: names.include(&name),
            name,
            games,
        })
        .collect();
    players.sort_by_cached_key(|one| (!one.own, !names.resemble(&one.name), Reverse(one.games)));
    players.truncate(MAX_PLAYERS);
    Ok(players)
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
    let begun = state.times().first().copied().flatten();
    let date = begun.map(|time| time.with_timezone(&Local).format("%Y.%m.%d").to_string());
    if let Some(date) = date.or_else(|| date_of_id(id)) {
        record.tags.set("Date", date);
    }
    if let Some((_, result)) = state.ending() {
        record.result = result;
    }
    Some((record, state.played().0.moves().len()))
}

/// The date in the name of a game, in UTC.
fn date_of_id(id: &GameId) -> Option<String> {
    let id = id.to_string();
    let (year, month, day) = (id.get(..4)?, id.get(4..6)?, id.get(6..8)?);
    Some(format!("{year}.{month}.{day}"))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Local, Utc};
    use game::library::GameId;

    use super::tridim;

    #[test]
    fn the_date_of_a_game_of_tridim_is_that_of_its_first_move() {
        let id = GameId::try_from("20260101-120000000-0".to_owned()).expect("valid");
        let date = |first: &str| {
            let text = format!("signature\nmove {first}\nmove c7B-c5N\n");
            let (record, plies) = tridim(&id, &text).expect("a game");
            assert_eq!(plies, 2);
            record.tags.get("Date").map(str::to_owned)
        };
        let begun: DateTime<Utc> = "2026-03-05T12:00:00Z".parse().expect("a time");
        let local = begun.with_timezone(&Local).format("%Y.%m.%d").to_string();
        assert_eq!(date("b2W-b4N at 2026-03-05T12:00:00Z"), Some(local));
        // An older game has no times, but a name.
        assert_eq!(date("b2W-b4N").as_deref(), Some("2026.01.01"));
    }
}
