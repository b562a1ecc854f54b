//! Games of the library that are annotated in the background, while no other search runs. What is left of them is in the
//! profile, so that a restart loses no more than the game in progress.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use common::files::FileError;
use formats::pgn::{GameResult, Record};
use game::annotation;
use game::library::{GameId, GameKind, Library, record};
use game::profile::{Annotating, Profile};
use serde::Serialize;
use service::background::TaskError;

use super::Report;
use super::evaluation::{EvaluatedGame, Progress};
use super::task::{Owner, Search};

/// How far it is.
#[derive(Debug, Serialize)]
pub(crate) struct AnnotatorView {
    games: usize,
    of_games: usize,
    positions: usize,
    of_positions: usize,
}

/// A game that waits, with the number of its positions.
type Waiting = (GameId, usize);

#[derive(Debug, Default)]
pub(crate) struct Annotator {
    waiting: VecDeque<Waiting>,
    /// Per position.
    nodes: u64,
    /// The first game that waits.
    current: Option<EvaluatedGame>,
    /// Games and positions since the start.
    done: Waited,
    claim: Option<Claim>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Waited {
    games: usize,
    positions: usize,
}

/// True for a finished game with moves that is not annotated.
pub(super) fn is_wanting(record: &Record) -> bool {
    let count = record.moves().len();
    let moves = record.main_line.moves.iter();
    let evaluated = moves.filter(|node| node.comment.eval.is_some()).count();
    record.result != GameResult::Unknown && count > 0 && 2 * evaluated < count
}

impl Annotator {
    /// Adds games of the library to those that wait.
    pub(crate) fn add(
        &mut self,
        games: &[GameId],
        nodes: u64,
        library: &Library,
    ) -> Result<(), FileError> {
        Profile::change(library, |profile| {
            let annotating = &mut profile.annotating;
            annotating.nodes = nodes;
            let known: BTreeSet<GameId> = annotating.games.iter().cloned().collect();
            let new = games.iter().filter(|id| !known.contains(id));
            annotating.games.extend(new.cloned());
        })?;
        self.resume(library)
    }

    /// Takes up what the profile has left, unless another page does it.
    pub(crate) fn resume(&mut self, library: &Library) -> Result<(), FileError> {
        let Annotating { nodes, games } = Profile::read(library)?.annotating;
        if games.is_empty() {
            return Ok(());
        }
        self.claim = self.claim.take().or_else(|| Claim::new(library));
        if self.claim.is_none() {
            return Ok(());
        }
        self.nodes = nodes;
        let known: BTreeSet<GameId> = self.waiting.iter().map(|(id, _)| id.clone()).collect();
        for id in games.into_iter().filter(|id| !known.contains(id)) {
            let positions = read(library, &id).map_or(0, |record| record.moves().len() + 1);
            self.waiting.push_back((id, positions));
        }
        Ok(())
    }

    /// Goes on with the first game that waits.
    pub(crate) fn run(&mut self, search: &mut Search, library: &Library) -> Result<(), TaskError> {
        let mut is_resumed = false;
        while self.current.is_none() {
            let Some((id, _)) = self.waiting.front() else {
                // Another page may have added some.
                if self.claim.is_none() || is_resumed || self.resume(library).is_err() {
                    self.done = Waited::default();
                    self.claim = None;
                    return Ok(());
                }
                is_resumed = true;
                continue;
            };
            match read(library, id).filter(is_wanting) {
                Some(record) => self.current = Some(EvaluatedGame::new(record, self.nodes)),
                // Deleted, or annotated by now.
                None => self.leave(library),
            }
        }
        match &mut self.current {
            Some(game) => game.start(Owner::Annotator, search, Report::Annotator),
            None => Ok(()),
        }
    }

    /// Takes a report; returns the game that is annotated by it.
    pub(crate) fn report(
        &mut self,
        report: Progress,
        library: &Library,
    ) -> Result<Option<(GameId, Record)>, String> {
        let Some(game) = &mut self.current else {
            return Ok(None);
        };
        match report {
            Progress::Searched => game.searched += 1,
            Progress::Evaluated(evaluations) => game.evaluations.extend(evaluations),
            Progress::Failed(text) => {
                self.cancel(library).map_err(|error| error.to_string())?;
                return Err(text);
            }
        }
        if !game.is_complete() {
            return Ok(None);
        }
        let annotated = self.keep(library);
        self.leave(library);
        if annotated.is_err() {
            // Perhaps the disk is full; the others wait in the profile.
            *self = Self::default();
        }
        annotated.map_err(|error| error.to_string())
    }

    /// Keeps the annotated game, unless its moves have changed in the meantime.
    fn keep(&self, library: &Library) -> Result<Option<(GameId, Record)>, FileError> {
        let Some((game, (id, _))) = self.current.as_ref().zip(self.waiting.front()) else {
            return Ok(None);
        };
        let kept = keep_annotated(library, id, game)?;
        Ok(kept.map(|record| (id.clone(), record)))
    }

    /// Is done with the first game.
    fn leave(&mut self, library: &Library) {
        self.current = None;
        if let Some((id, positions)) = self.waiting.pop_front() {
            self.done.games += 1;
            self.done.positions += positions;
            // One that stays there is found annotated later.
            let _ = Profile::change(library, |profile| {
                profile.annotating.games.retain(|other| *other != id);
            });
        }
    }

    /// Forgets the games that wait.
    pub(crate) fn cancel(&mut self, library: &Library) -> Result<(), FileError> {
        *self = Self::default();
        Profile::change(library, |profile| profile.annotating.games.clear())
    }

    /// `None` if no game waits.
    pub(crate) fn view(&self) -> Option<AnnotatorView> {
        let left: usize = self.waiting.iter().map(|(_, positions)| positions).sum();
        let Waited { games, positions } = self.done;
        (!self.waiting.is_empty()).then(|| AnnotatorView {
            games,
            of_games: games + self.waiting.len(),
            positions: positions + self.current.as_ref().map_or(0, |game| game.searched),
            of_positions: positions + left,
        })
    }
}

fn read(library: &Library, id: &GameId) -> Option<Record> {
    match library.read(id) {
        Ok(Some((GameKind::Chess, pgn))) => record(&pgn),
        _ => None,
    }
}

/// The page that annotates the games of a library: of those of one program only one.
#[derive(Debug)]
struct Claim(PathBuf);

impl Claim {
    fn new(library: &Library) -> Option<Self> {
        let folder = library.folder()?.clone();
        let is_free = claims().insert(folder.clone());
        is_free.then(|| Self(folder))
    }
}

/// Annotates the game that the library has, which may have got comments, unless its moves have changed
/// or it is deleted.
pub(super) fn keep_annotated(
    library: &Library,
    id: &GameId,
    game: &EvaluatedGame,
) -> Result<Option<Record>, FileError> {
    let mut annotated = None;
    library.change(id, |_, text| {
        let same = |record: &Record| {
            record.start == game.record.start && record.moves().eq(game.record.moves())
        };
        let mut record = record(text).filter(same)?;
        annotation::annotate(&mut record, &game.evaluations);
        let text = record.pgn();
        annotated = Some(record);
        Some(text)
    })?;
    Ok(annotated)
}

impl Drop for Claim {
    fn drop(&mut self) {
        claims().remove(&self.0);
    }
}

fn claims() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static CLAIMS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
