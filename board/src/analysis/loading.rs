//! Games and positions that are loaded.

use std::io::Cursor;

use anyhow::{Error, Result, anyhow, bail};
use formats::pgn::{Games, Record};
use game::library::{Entry, GameId, GameKind, Kept};

use super::{Analysis, State};
use crate::context::{CHANGED_ELSEWHERE, Context};
use crate::messages::analysis::{Choice, Event};

/// Message when others have changed the same game, which excludes nothing.
const CHANGED_TOO: &str =
    "the game was changed elsewhere, too; the library has both changes: open it there to see them";
/// The most games of a file from which one is chosen.
const MAX_GAMES: usize = 10_000;
/// The most games of a file that are kept at once.
const MAX_KEPT: usize = 1000;

impl Analysis {
    pub(super) fn load_pgn(
        &mut self,
        text: &str,
        id: Option<GameId>,
        context: &mut Context,
    ) -> Result<()> {
        let mut games = games(text)?;
        if games.len() == 1 {
            self.texts
                .extend(id.clone().map(|id| (id, text.to_owned())));
            return self.load_game(games.swap_remove(0), id, context);
        }
        context.page.send(Event::Choices {
            games: games
                .iter()
                .map(|game| Choice::new(game.as_ref().map(|loaded| &loaded.record), &context.names))
                .collect(),
            cut: games.len() == MAX_GAMES,
        });
        self.choices = games;
        self.kept.clear();
        Ok(())
    }

    /// Loads a game; one with an invalid move, with a message, up to there.
    pub(super) fn load_game(
        &mut self,
        game: Result<Loaded, String>,
        id: Option<GameId>,
        context: &mut Context,
    ) -> Result<()> {
        let Loaded { record, error } = game.map_err(Error::msg)?;
        let warnings = record.warnings.clone();
        let mut state = State::new(record);
        state.id = id.unwrap_or(state.id);
        self.load(state, context)?;
        if let Some(error) = error {
            let text = format!("The game is loaded up to there: {error}");
            context.page.note(&text);
        } else if !warnings.is_empty() {
            let text = format!("Not all of the game is kept: {}", warnings.join("; "));
            context.page.note(&text);
        }
        Ok(())
    }

    /// Opens another game; this can be undone.
    pub(super) fn load(&mut self, state: State, context: &mut Context) -> Result<()> {
        self.replace(state, context)?;
        context.page.send(Event::Opened);
        Ok(())
    }

    /// Keeps the game in the library, in the place of its earlier state.
    pub(super) fn keep(&mut self, context: &mut Context) -> Result<()> {
        let id = self.state.id.clone();
        let mut entry = Entry {
            text: self.texts.get(&id).cloned(),
            id: id.clone(),
        };
        let pgn = self.state.tree.record().pgn();
        let place = context.library.keep(&mut entry, GameKind::Chess, &pgn)?;
        self.texts.insert(id.clone(), pgn);
        // It may have counted as it was.
        self.forget_own_games();
        context.page.send(Event::Kept {
            count: 1,
            choices: false,
        });
        // The page keeps its name and its revision.
        self.rename(&id, &entry.id, context);
        match place {
            Kept::Here => Ok(()),
            Kept::Merged => bail!(CHANGED_TOO),
            Kept::Apart => bail!(CHANGED_ELSEWHERE),
        }
    }

    /// Gives the game of an entry another name.
    pub(crate) fn rename(&mut self, old: &GameId, new: &GameId, context: &mut Context) {
        let text = self.texts.remove(old);
        self.texts.extend(text.map(|text| (new.clone(), text)));
        let states = self.undo.iter_mut().chain(&mut self.redo);
        let states = states.chain([&mut self.state]);
        for state in states.filter(|state| state.id == *old) {
            state.id = new.clone();
        }
        if self.state.id == *new {
            self.send_game(context);
        }
    }

    /// Keeps the games of the text loaded last in the library, after those that an earlier try has
    /// kept.
    pub(super) fn keep_choices(&mut self, context: &mut Context) -> Result<()> {
        let before = self.kept.len();
        let mut games = self.choices.iter().flatten().skip(before);
        let mut new = games.by_ref().take(MAX_KEPT.saturating_sub(before));
        let result = new.try_for_each(|game| -> Result<()> {
            let (mut entry, pgn) = (Entry::default(), game.record.pgn());
            context.library.keep(&mut entry, GameKind::Chess, &pgn)?;
            self.kept.push(entry.id);
            Ok(())
        });
        let count = self.kept.len();
        if count > 0 {
            let choices = true;
            context.page.send(Event::Kept { count, choices });
        }
        result?;
        if games.next().is_some() {
            let text = format!("Only the first {MAX_KEPT} games are kept.");
            context.page.note(&text);
        }
        Ok(())
    }

    /// Deletes the games that `keep_choices` has kept.
    pub(super) fn delete_kept(&mut self, context: &mut Context) -> Result<()> {
        context.library.delete(&self.kept)?;
        let count = std::mem::take(&mut self.kept).len();
        context.page.send(Event::KeptDeleted { count });
        Ok(())
    }
}

/// A game of a text, whole or up to an error.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub(super) record: Record,
    error: Option<String>,
}

/// The games of a text, at least one.
pub(super) fn games(text: &str) -> Result<Vec<Result<Loaded, String>>> {
    let mut games = Games::new(Cursor::new(text), None);
    let mut found = Vec::new();
    while found.len() < MAX_GAMES
        && let Ok(Some(game)) = games.next_game()
    {
        found.push(match game {
            Ok(record) => Ok(Loaded {
                record,
                error: None,
            }),
            Err(mut invalid) => {
                let error = invalid.to_string();
                match invalid.part.take() {
                    Some(part) => Ok(Loaded {
                        record: *part,
                        error: Some(error),
                    }),
                    None => Err(error),
                }
            }
        });
    }
    if found.is_empty() {
        Err(anyhow!(
            "the text has no game: expected PGN, such as 1. e4 e5 2. Nf3"
        ))
    } else {
        Ok(found)
    }
}
