//! The annotation of games of the library in the background, while no other search runs. The
//! profile has those that wait, so that a restart loses no more than the game in progress.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use common::files::FileError;
use formats::pgn::{GameResult, Record};
use game::annotation;
use game::library::{GameId, GameKind, Library, Reserved, record};
use game::profile::{Annotating, Profile};
use service::background::TaskError;

use crate::evaluation::EvaluatedGame;
use crate::messages::training::AnnotatorView;
use crate::report::{Progress, Report};
use crate::task::{Owner, Search};

/// A game that waits, and the number of its positions.
type Waiting = (GameId, usize);

/// The time between two looks for changes of other pages.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Annotator {
    waiting: VecDeque<Waiting>,
    /// The number of games that another page annotates.
    elsewhere: usize,
    /// The time at which the profile was read last.
    checked: Instant,
    /// The nodes to search in each position.
    nodes: u64,
    /// The first game that waits.
    current: Option<EvaluatedGame>,
    /// Games and positions since the start.
    done: Waited,
    claim: Option<Reserved>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Waited {
    games: usize,
    positions: usize,
}

/// True for a finished game with moves that is not annotated.
pub(crate) fn is_wanting(record: &Record) -> bool {
    let count = record.moves().len();
    let moves = record.main_line.moves.iter();
    let evaluated = moves.filter(|node| node.comment.eval.is_some()).count();
    record.result != GameResult::Unknown && count > 0 && 2 * evaluated < count
}

impl Default for Annotator {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            elsewhere: 0,
            checked: Instant::now(),
            nodes: 0,
            current: None,
            done: Waited::default(),
            claim: None,
        }
    }
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

    /// Reads the profile again: takes up the games that wait there, unless another page annotates
    /// them, and drops those that were canceled.
    pub(crate) fn resume(&mut self, library: &Library) -> Result<(), FileError> {
        self.checked = Instant::now();
        let Annotating { nodes, games } = Profile::read(library)?.annotating;
        let first = self.waiting.front().cloned();
        let left: BTreeSet<&GameId> = games.iter().collect();
        self.waiting.retain(|(id, _)| left.contains(id));
        if first != self.waiting.front().cloned() {
            self.current = None;
        }
        self.elsewhere = 0;
        if games.is_empty() {
            return Ok(());
        }
        self.claim = self.claim.take().or_else(|| library.reserve("annotation"));
        if self.claim.is_none() {
            self.elsewhere = games.len();
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

    /// Continues with the first game that waits.
    pub(crate) fn run(&mut self, search: &mut Search, library: &Library) -> Result<(), TaskError> {
        let mut is_resumed = false;
        while self.current.is_none() {
            let mut left = Vec::new();
            while let Some((id, _)) = self.waiting.front() {
                if let Some(record) = read(library, id).filter(is_wanting) {
                    self.current = Some(EvaluatedGame::new(record, self.nodes));
                    break;
                }
                // It was deleted, or is annotated by now.
                left.extend(self.waiting.pop_front());
            }
            self.leave(left, library);
            // Another page may have added some.
            let is_done = self.claim.is_none() || is_resumed;
            if self.current.is_none() && (is_done || self.resume(library).is_err()) {
                self.done = Waited::default();
                self.claim = None;
                return Ok(());
            }
            is_resumed = true;
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
        match game.take(report) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(text) => {
                self.cancel(library).map_err(|error| error.to_string())?;
                return Err(text);
            }
        }
        let annotated = self.keep(library);
        self.current = None;
        let left = self.waiting.pop_front();
        self.leave(left, library);
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

    /// Removes games from those that wait.
    fn leave(&mut self, left: impl IntoIterator<Item = Waiting>, library: &Library) {
        let mut ids = BTreeSet::new();
        for (id, positions) in left {
            self.done.games += 1;
            self.done.positions += positions;
            ids.insert(id);
        }
        if !ids.is_empty() {
            // Those that stay there are skipped later.
            let _ = Profile::change(library, |profile| {
                profile.annotating.games.retain(|id| !ids.contains(id));
            });
        }
    }

    /// The time until another page may have added or canceled games; `None` while none wait.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let wait = PAUSE.saturating_sub(self.checked.elapsed());
        (!self.waiting.is_empty() || self.elsewhere > 0).then_some(wait)
    }

    /// Looks for games that other pages have added, canceled or deleted. Returns false if it is
    /// too early.
    pub(crate) fn check(&mut self, search: &mut Search, library: &Library) -> bool {
        if self.time_left().is_none_or(|left| !left.is_zero()) {
            return false;
        }
        // If it cannot be read, that is reported when it is changed.
        let _ = self.resume(library);
        let first = self.waiting.front();
        if first.is_none_or(|(id, _)| read(library, id).is_none()) {
            self.current = None;
        }
        if self.current.is_none() {
            search.stop(Owner::Annotator);
        }
        true
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
        let waiting = self.waiting.len().max(self.elsewhere);
        (waiting > 0).then(|| AnnotatorView {
            games,
            of_games: games + waiting,
            positions: positions + self.current.as_ref().map_or(0, EvaluatedGame::searched),
            of_positions: positions + left,
        })
    }
}

pub(crate) fn read(library: &Library, id: &GameId) -> Option<Record> {
    match library.read(id) {
        Ok(Some((GameKind::Chess, pgn))) => record(&pgn),
        _ => None,
    }
}

/// Annotates a game of the library, unless it is deleted or its moves have changed. Comments that
/// it has got in the meantime stay.
pub(crate) fn keep_annotated(
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
