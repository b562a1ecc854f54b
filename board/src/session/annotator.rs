//! Games of the library that are annotated in the background, while no other search runs. What is left of them is in the
//! profile, so that a restart loses no more than the game at work.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use common::files::FileError;
use formats::pgn::{GameResult, Record};
use game::annotation;
use game::library::{GameId, GameKind, Library};
use game::profile::{Annotating, Profile};
use serde::Serialize;
use service::background::TaskError;

use super::context::Search;
use super::evaluation::{EvaluatedGame, Progress};
use super::task::Owner;
use super::{Report, library};

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
        Ok(Some((GameKind::Chess, pgn))) => library::record(&pgn),
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
    let same = |record: &Record| {
        record.start == game.record.start && record.moves().eq(game.record.moves())
    };
    let Some(mut record) = read(library, id).filter(same) else {
        return Ok(None);
    };
    annotation::annotate(&mut record, &game.evaluations);
    library.keep(id, GameKind::Chess, &record.pgn())?;
    Ok(Some(record))
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
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use game::library::{GameId, GameKind, Library};
    use game::profile::Profile;
    use serde_json::{Value, json};
    use service::{Engine, OptionTable};
    use test_common::TempDir;

    use super::{EvaluatedGame, Owner, is_wanting, keep_annotated, read};
    use crate::session::{Context, Input, Mode, Session};

    struct Page {
        session: Session,
        inputs: Receiver<Input>,
        events: Receiver<String>,
    }

    impl Page {
        /// A page that shows Train.
        fn new(library: &Library) -> Self {
            let mut engine = Engine::new(OptionTable::default());
            engine.set("Hash", 1).expect("a valid option");
            let (sender, inputs) = channel();
            let (events_sender, events) = channel();
            let send = move |event| events_sender.send(event).is_ok();
            let context = Context::new(engine, library.clone(), sender, Box::new(send));
            let session = Session::new(context);
            let mut page = Self {
                session,
                inputs,
                events,
            };
            page.send(&json!({"mode": "show", "request": "training"}));
            page
        }

        fn send(&mut self, request: &Value) {
            let request = Input::Request(request.to_string(), Arc::default());
            self.session.handle(request);
        }

        fn training(&mut self, request: &Value) {
            self.send(&json!({"mode": "training", "request": request}));
        }

        /// Handles what the tasks report until something is true.
        fn until(&mut self, mut is_true: impl FnMut(&Session) -> bool) {
            while !is_true(&self.session) {
                let input = self.inputs.recv_timeout(Duration::from_secs(120));
                self.session.handle(input.expect("a report"));
            }
        }

        /// The state of the annotation in the events since the last call.
        fn annotation(&self) -> Vec<Value> {
            let events = self.events.try_iter();
            let events = events.map(|text| serde_json::from_str(&text).expect("JSON"));
            let events = events.map(|mut event: Value| event["event"].take());
            events
                .filter(|event| event["type"] == "annotation")
                .collect()
        }
    }

    /// Three games to annotate, one that is not over, and one that cannot be read.
    fn library(folder: &TempDir) -> Library {
        let library = Library::at(folder.directory().to_owned());
        for pgn in [
            "1. e4 e5 2. Nf3 Nc6 1-0",
            "[White \"You\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
            "1. d4 d5 1/2-1/2",
            "1. e4 e5 *",
            "1. Ke5 1-0",
        ] {
            let kept = library.keep(&GameId::now(), GameKind::Chess, pgn);
            kept.expect("written");
        }
        library
    }

    fn wanting(library: &Library) -> usize {
        let ids = library.games().expect("games").into_iter();
        let records = ids.filter_map(|id| read(library, &id));
        records.filter(is_wanting).count()
    }

    fn waiting(library: &Library) -> usize {
        let profile = Profile::read(library).expect("a profile");
        profile.annotating.games.len()
    }

    #[test]
    fn a_deleted_game_is_not_kept_again() {
        let folder = TempDir::new("board annotator deleted");
        let library = library(&folder);
        let ids = library.games().expect("readable");
        let (id, record) = ids
            .iter()
            .find_map(|id| Some((id, read(&library, id)?)))
            .expect("a game");
        let game = EvaluatedGame::new(record, 1);
        library.delete(id).expect("deleted");
        let kept = keep_annotated(&library, id, &game).expect("nothing to write");
        assert!(kept.is_none());
        assert_eq!(library.find(id).expect("readable"), None);
    }

    #[test]
    fn the_games_of_the_library_are_annotated_in_the_background() {
        let folder = TempDir::new("annotate all");
        let library = library(&folder);
        let mut page = Page::new(&library);
        let [event] = page.annotation().try_into().expect("one event");
        assert_eq!(
            (&event["wanting"], &event["running"]),
            (&json!(3), &json!(null))
        );
        page.training(&json!({"type": "annotate", "nodes": 100}));
        page.until(|_| waiting(&library) == 0);
        assert_eq!(wanting(&library), 0);
        let events = page.annotation();
        let running = &events.first().expect("an event")["running"];
        // 3, 5 and 5 positions.
        let expected = json!({"games": 0, "of_games": 3, "positions": 0, "of_positions": 13});
        assert_eq!(running, &expected);
        let positions: Vec<u64> = events
            .iter()
            .filter_map(|event| event["running"]["positions"].as_u64())
            .collect();
        assert!(
            positions.is_sorted() && positions.len() > 13,
            "{positions:?}"
        );
        let last = events.last().expect("an event");
        assert_eq!(
            (&last["wanting"], &last["running"]),
            (&json!(0), &json!(null))
        );
    }

    #[test]
    fn what_is_left_goes_on_after_a_restart_unless_it_is_canceled() {
        let folder = TempDir::new("annotate again");
        let library = library(&folder);
        let mut page = Page::new(&library);
        page.training(&json!({"type": "annotate", "nodes": 100}));
        page.until(|_| waiting(&library) == 2);
        // Another page leaves it to the first one.
        let other = Page::new(&library);
        assert!(!other.session.context.search.is_running(Owner::Annotator));
        drop((page, other));
        assert_eq!(wanting(&library), 2);
        let mut page = Page::new(&library);
        page.until(|_| waiting(&library) == 1);
        page.training(&json!({"type": "cancel_annotation"}));
        assert!(!page.session.context.search.is_running(Owner::Annotator));
        assert_eq!((waiting(&library), wanting(&library)), (0, 1));
    }

    #[test]
    fn other_searches_come_first() {
        let folder = TempDir::new("annotate later");
        let library = library(&folder);
        let mut page = Page::new(&library);
        page.training(&json!({"type": "annotate", "nodes": 100}));
        page.send(&json!({"mode": "show", "request": "analysis"}));
        assert!(page.session.context.search.is_running(Owner::Annotator));
        let engine =
            |on| json!({"mode": "analysis", "request": {"type": "engine", "on": on, "lines": 1}});
        page.send(&engine(true));
        assert!(page.session.context.search.is_running(Mode::Analysis));
        page.send(&engine(false));
        assert!(page.session.context.search.is_running(Owner::Annotator));
        page.until(|_| waiting(&library) == 0);
        assert_eq!(wanting(&library), 0);
    }
}
