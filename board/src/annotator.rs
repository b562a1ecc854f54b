//! The annotation of games of the library in the background: one for all pages of a program. The
//! profile has the games that wait, so that a restart loses no more than those in progress.
//!
//! The server has workers, one for each core that no search of a page needs. Where there is no
//! server, as in WebAssembly, the session of the page does the work while nothing else runs.

mod progress;
#[cfg(not(target_family = "wasm"))]
mod workers;

use std::collections::{BTreeSet, VecDeque};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use common::files::FileError;
use formats::pgn::{GameResult, Record};
use game::annotation::{self, Evaluation, TwoPass};
use game::library::{GameId, GameKind, Library, Reserved, record};
use game::profile::{Annotating, Profile};
use search::SearchControl;
use service::SearcherBuilder;

use crate::messages::AnnotatorView;
use crate::report::{AnnotatorReport, Input};
use progress::Progress;

/// The time between two looks for changes of other programs.
const PAUSE: Duration = Duration::from_secs(1);
/// The nodes for each position where something was lost, unless the user chooses others.
pub(crate) const NODES: u64 = 400_000;
/// The reason that is told if the work fails by an error of the program.
pub(crate) const UNEXPECTED: &str = "the search has ended unexpectedly; please report this";
/// The largest hash table of a worker, in MiB: enough for the positions of a chunk.
const MAX_HASH: usize = 32;

/// The number of nodes that a user chooses for each position, within what is possible.
pub(crate) fn clamp_nodes(nodes: u64) -> u64 {
    const MIN_NODES: u64 = 100;
    const MAX_NODES: u64 = 1_000_000_000;
    nodes.clamp(MIN_NODES, MAX_NODES)
}

/// A handle; its clones are of the same annotator.
#[derive(Debug, Clone)]
pub(crate) struct Annotator(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    library: Library,
    state: Mutex<State>,
    /// Tells the workers that there may be work.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    builder: SearcherBuilder,
    /// The number of workers; none where sessions do the work.
    workers: usize,
    /// The threads of the searches of pages.
    busy: usize,
    /// The nodes of a position where something was lost.
    nodes: u64,
    /// The games that have not been begun, with the numbers of their positions.
    waiting: VecDeque<(GameId, usize)>,
    started: Vec<Started>,
    /// The games that are done, or not to be done, and still in the profile.
    leaving: BTreeSet<GameId>,
    /// The number of games that another program annotates.
    elsewhere: usize,
    claim: Option<Reserved>,
    progress: Progress,
    /// Those of the sessions.
    listeners: Vec<Sender<Input>>,
}

/// A game that was begun.
#[derive(Debug)]
struct Started {
    id: GameId,
    positions: usize,
    /// The share that is done.
    share: f64,
    /// Ends the work on it.
    stop: SearchControl,
    /// `None` while it is worked on.
    game: Option<TwoPass>,
}

/// True for a finished game of at least two moves that is not annotated.
pub(crate) fn is_wanting(record: &Record) -> bool {
    let count = record.moves().len();
    let moves = record.main_line.moves.iter();
    let evaluated = moves.filter(|node| node.comment.eval.is_some()).count();
    // The move that mates has no evaluation, even if it is the only one.
    record.result != GameResult::Unknown && count > 1 && 2 * evaluated < count
}

impl State {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty()
            && self.started.is_empty()
            && self.leaving.is_empty()
            && self.elsewhere == 0
    }

    fn has_next(&self) -> bool {
        let is_interrupted = |started: &Started| started.game.is_some();
        self.claim.is_some()
            && (!self.waiting.is_empty() || self.started.iter().any(is_interrupted))
    }

    fn tell(&mut self, report: impl Fn() -> AnnotatorReport) {
        let is_open = |listener: &Sender<Input>| listener.send(Input::Annotator(report())).is_ok();
        self.listeners.retain(is_open);
    }

    /// Forgets all games.
    fn forget(&mut self) {
        for one in self.started.drain(..) {
            one.stop.stop();
        }
        self.waiting.clear();
        self.elsewhere = 0;
        self.end();
    }

    /// Forgets all games, after the reason is told.
    fn fail(&mut self, text: &str) {
        self.tell(|| AnnotatorReport::Failed(text.to_owned()));
        self.forget();
    }

    fn end(&mut self) {
        self.progress = Progress::default();
        self.claim = None;
        self.tell(|| AnnotatorReport::Progress);
    }

    fn positions(&self) -> f64 {
        let started = self.started.iter();
        let started = started.map(|one| one.share * one.positions as f64);
        self.progress.positions as f64 + started.sum::<f64>()
    }
}

impl Annotator {
    pub(crate) fn new(library: Library, builder: SearcherBuilder) -> Self {
        Self(Arc::new(Shared {
            library,
            state: Mutex::new(State {
                builder,
                workers: 0,
                busy: 0,
                nodes: NODES,
                waiting: VecDeque::new(),
                started: Vec::new(),
                leaving: BTreeSet::new(),
                elsewhere: 0,
                claim: None,
                progress: Progress::default(),
                listeners: Vec::new(),
            }),
            changed: Condvar::new(),
        }))
    }

    pub(crate) fn library(&self) -> &Library {
        &self.0.library
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        let state = self.0.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports to a session what happens.
    pub(crate) fn tell(&self, listener: Sender<Input>) {
        self.lock().listeners.push(listener);
    }

    /// Adds games of the library to those that wait, for searchers of these parts.
    pub(crate) fn add(
        &self,
        games: &[GameId],
        nodes: u64,
        builder: SearcherBuilder,
    ) -> Result<(), FileError> {
        Profile::change(&self.0.library, |profile| {
            let annotating = &mut profile.annotating;
            annotating.nodes = nodes;
            let known: BTreeSet<GameId> = annotating.games.iter().cloned().collect();
            let new = games.iter().filter(|id| !known.contains(id));
            annotating.games.extend(new.cloned());
        })?;
        self.lock().builder = builder;
        self.resume()
    }

    /// Reads the profile again: takes up the games that wait there, unless another program
    /// annotates them, and drops those that were canceled.
    pub(crate) fn resume(&self) -> Result<(), FileError> {
        let mut state = self.lock();
        let done = self.read_profile(&mut state);
        state.tell(|| AnnotatorReport::Progress);
        self.0.changed.notify_all();
        done
    }

    fn read_profile(&self, state: &mut State) -> Result<(), FileError> {
        let library = &self.0.library;
        let Annotating { nodes, games } = Profile::read(library)?.annotating;
        let mut left: BTreeSet<GameId> = games.iter().cloned().collect();
        state.waiting.retain(|(id, _)| left.contains(id));
        state.started.retain(|one| {
            let is_left = left.contains(&one.id) && read(library, &one.id).is_some();
            if !is_left {
                one.stop.stop();
            }
            is_left
        });
        let was_elsewhere = std::mem::take(&mut state.elsewhere);
        left.retain(|id| !state.leaving.contains(id));
        if left.is_empty() {
            if state.is_idle() && (state.claim.is_some() || was_elsewhere > 0) {
                state.end();
            }
            return Ok(());
        }
        state.claim = state.claim.take().or_else(|| library.reserve("annotation"));
        if state.claim.is_none() {
            state.elsewhere = left.len();
            // The other program has annotated the rest.
            state.progress.games += was_elsewhere.saturating_sub(left.len());
            return Ok(());
        }
        state.nodes = nodes;
        for known in state.waiting.iter().map(|(id, _)| id) {
            left.remove(known);
        }
        for known in &state.started {
            left.remove(&known.id);
        }
        for id in games.into_iter().filter(|id| left.contains(id)) {
            let positions = read(library, &id).map_or(0, |record| record.moves().len() + 1);
            state.waiting.push_back((id, positions));
        }
        Ok(())
    }

    /// True if another program annotates the games that wait.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.lock().elsewhere > 0
    }

    /// The time after which a session is to call `check`; `None` if none is.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let state = self.lock();
        (state.workers == 0 && !state.is_idle()).then_some(PAUSE)
    }

    /// True if a session is to call `annotate_next`.
    pub(crate) fn needs_session(&self) -> bool {
        let state = self.lock();
        state.workers == 0 && state.has_next()
    }

    /// Annotates the next game that waits, until it is done or stopped.
    pub(crate) fn annotate_next(&self, stop: &SearchControl) {
        let Some((id, mut game, builder)) = self.take(stop) else {
            return;
        };
        let progressed = |share| {
            let mut state = self.lock();
            if let Some(one) = state.started.iter_mut().find(|one| one.id == id) {
                one.share = share;
            }
        };
        let is_complete = match builder.build() {
            Ok(mut searcher) => game.run(&mut searcher, stop, progressed),
            Err(error) => return self.fail(&error.to_string()),
        };
        if !is_complete {
            let mut state = self.lock();
            if let Some(one) = state.started.iter_mut().find(|one| one.id == id) {
                one.game = Some(game);
            }
            return;
        }
        match keep_annotated(&self.0.library, &id, &game.record, &game.evaluations) {
            Ok(kept) => {
                let mut state = self.lock();
                state.started.retain(|one| one.id != id);
                state.progress.games += 1;
                state.progress.positions += game.evaluations.len();
                state.leaving.insert(id.clone());
                if kept.is_some() {
                    state.tell(|| AnnotatorReport::Annotated(id.clone()));
                }
                drop(state);
                self.leave(&BTreeSet::from([id]));
            }
            // Perhaps the disk is full; the games wait in the profile.
            Err(error) => self.lock().fail(&error.to_string()),
        }
    }

    /// The next game to work on: one that was interrupted, or that waits.
    fn take(&self, stop: &SearchControl) -> Option<(GameId, TwoPass, SearcherBuilder)> {
        let mut skipped = BTreeSet::new();
        let mut state = self.lock();
        let mut builder = state.builder.clone();
        builder.threads = 1;
        builder.hash = (builder.hash / state.workers.max(1)).clamp(1, MAX_HASH);
        let mut next = None;
        if let Some(one) = state.started.iter_mut().find(|one| one.game.is_some()) {
            one.stop = stop.clone();
            next = one.game.take().map(|game| (one.id.clone(), game));
        }
        while next.is_none()
            && let Some((id, positions)) = state.waiting.pop_front()
        {
            if let Some(record) = read(&self.0.library, &id).filter(is_wanting) {
                state.started.push(Started {
                    id: id.clone(),
                    positions,
                    share: 0.0,
                    stop: stop.clone(),
                    game: None,
                });
                next = Some((id, TwoPass::new(record, state.nodes)));
            } else {
                // It was deleted, or is annotated by now.
                state.leaving.insert(id.clone());
                skipped.insert(id);
            }
        }
        drop(state);
        if !skipped.is_empty() {
            self.leave(&skipped);
        }
        next.map(|(id, game)| (id, game, builder))
    }

    /// Removes games from the profile. After the last ones, looks for others.
    fn leave(&self, games: &BTreeSet<GameId>) {
        let left = Profile::change(&self.0.library, |profile| {
            profile.annotating.games.retain(|id| !games.contains(id));
        });
        if left.is_err() {
            // The next check tries it again.
            return;
        }
        let mut state = self.lock();
        state.leaving.retain(|id| !games.contains(id));
        if state.is_idle() {
            // What another program has added; errors are reported when it is to be changed.
            let _ = self.read_profile(&mut state);
            self.0.changed.notify_all();
        }
    }

    /// Looks for games that another program has added or canceled, and for those that were deleted.
    pub(crate) fn check(&self) {
        let leaving = self.lock().leaving.clone();
        if !leaving.is_empty() {
            self.leave(&leaving);
        }
        let mut state = self.lock();
        if state.is_idle() {
            return;
        }
        // If it cannot be read, that is reported when it is changed.
        let _ = self.read_profile(&mut state);
        let done = match state.elsewhere {
            0 => state.positions(),
            _ => state.progress.games as f64,
        };
        state.progress.measure(Instant::now(), done);
        state.tell(|| AnnotatorReport::Progress);
        self.0.changed.notify_all();
    }

    /// Forgets the games that wait.
    pub(crate) fn cancel(&self) -> Result<(), FileError> {
        let canceled = self.clear_profile();
        self.lock().forget();
        canceled
    }

    /// Forgets the games that wait, since they cannot be annotated.
    pub(crate) fn fail(&self, text: &str) {
        // No look at the profile ends the work before the reason is told.
        let mut state = self.lock();
        let canceled = self.clear_profile();
        let text = canceled.map_or_else(|error| error.to_string(), |()| text.to_owned());
        state.fail(&text);
    }

    fn clear_profile(&self) -> Result<(), FileError> {
        Profile::change(&self.0.library, |profile| {
            profile.annotating.games.clear();
        })
    }

    /// `None` if no game waits.
    pub(crate) fn view(&self) -> Option<AnnotatorView> {
        let state = self.lock();
        if state.is_idle() {
            return None;
        }
        let waiting = state.waiting.iter().map(|(_, positions)| *positions);
        let started = state.started.iter().map(|one| one.positions);
        let Progress {
            games, positions, ..
        } = state.progress;
        let left = waiting.chain(started).sum::<usize>();
        let of_games = games + state.waiting.len() + state.started.len() + state.elsewhere;
        // Of another program only the games are known.
        let (done, of_positions) = match state.elsewhere {
            0 => (state.positions(), positions + left),
            _ => (games as f64, of_games),
        };
        Some(AnnotatorView {
            games,
            of_games,
            positions: done as usize,
            of_positions,
            seconds_left: state.progress.seconds_for(of_positions as f64 - done),
        })
    }

    /// Leaves cores to a search with some threads, while what is returned exists.
    pub(crate) fn give_way(&self, threads: usize) -> Precedence {
        let mut state = self.lock();
        state.busy += threads;
        let free = state.workers.saturating_sub(state.busy);
        let running = state.started.iter().filter(|one| one.game.is_none());
        if state.workers > 0 {
            for one in running.skip(free) {
                one.stop.stop();
            }
        }
        Precedence {
            annotator: self.clone(),
            threads,
        }
    }
}

/// The precedence of a search over the annotation.
#[derive(Debug)]
pub(crate) struct Precedence {
    annotator: Annotator,
    threads: usize,
}

impl Drop for Precedence {
    fn drop(&mut self) {
        self.annotator.lock().busy -= self.threads;
        self.annotator.0.changed.notify_all();
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
    before: &Record,
    evaluations: &[Evaluation],
) -> Result<Option<Record>, FileError> {
    let mut annotated = None;
    library.change(id, |_, text| {
        let same =
            |record: &Record| record.start == before.start && record.moves().eq(before.moves());
        let mut record = record(text).filter(same)?;
        annotation::annotate(&mut record, evaluations);
        let text = record.pgn();
        annotated = Some(record);
        Some(text)
    })?;
    Ok(annotated)
}
