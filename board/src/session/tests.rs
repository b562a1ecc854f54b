//! The annotation in the background, through pages that show Train.

use std::iter;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use game::library::{Entry, GameId, GameKind, Library};
use game::profile::Profile;
use search::SearchControl;
use serde_json::{Value, json};
use service::{Engine, OptionTable};
use test_common::TempDir;

use super::{Mode, Owner, Session};
use crate::annotator::{Annotator, is_wanting, keep_annotated, read};
use crate::context::Context;
use crate::report::Input;

mod files;
mod requests;

struct Page {
    session: Session,
    inputs: Receiver<Input>,
    events: Receiver<String>,
}

impl Page {
    fn open(library: &Library) -> Self {
        let engine = engine();
        let annotator = Annotator::new(library.clone(), engine.builder());
        Self::of(engine, annotator)
    }

    fn of(engine: Engine, annotator: Annotator) -> Self {
        let (inputs_sender, inputs) = channel();
        let (events_sender, events) = channel();
        let send = move |event| events_sender.send(event).is_ok();
        let context = Context::new(engine, annotator, inputs_sender, Box::new(send));
        Self {
            session: Session::new(context),
            inputs,
            events,
        }
    }

    /// A page that shows Train.
    fn new(library: &Library) -> Self {
        let mut page = Self::open(library);
        page.send(&json!({"mode": "show", "request": "training"}));
        page
    }

    /// The next event that has been sent, without its mode.
    fn next_event(&self) -> Option<Value> {
        let text = self.events.try_recv().ok()?;
        let mut message: Value = serde_json::from_str(&text).expect("JSON");
        Some(message["event"].take())
    }

    fn send(&mut self, request: &Value) {
        self.session.handle_request(&request.to_string());
    }

    fn training(&mut self, request: &Value) {
        self.send(&json!({"mode": "training", "request": request}));
    }

    /// The events that answer a request, without their modes.
    fn answers(&mut self, mode: &str, request: &Value) -> Vec<Value> {
        self.send(&json!({"mode": mode, "request": request}));
        iter::from_fn(|| self.next_event()).collect()
    }

    /// Handles what the tasks report until something is true.
    fn until(&mut self, mut is_true: impl FnMut(&Session) -> bool) {
        while !is_true(&self.session) {
            self.handle(Duration::from_secs(120)).expect("a report");
        }
    }

    /// Handles what the task reports within some time.
    fn handle(&mut self, wait: Duration) -> Result<(), RecvTimeoutError> {
        match self.inputs.recv_timeout(wait)? {
            Input::Task(id, report) => self.session.handle_task(id, report),
            Input::Annotator(report) => self.session.handle_annotator(report),
            Input::Request | Input::Closed => {}
        }
        Ok(())
    }

    /// The state of the annotation in the events since the last call.
    fn annotation(&self) -> Vec<Value> {
        let events = iter::from_fn(|| self.next_event());
        events
            .filter(|event| event["type"] == "annotation")
            .collect()
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new(OptionTable::default());
    engine.set("Hash", 1).expect("a valid option");
    engine
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
        let kept = library.keep(&mut Entry::default(), GameKind::Chess, pgn);
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
    library.delete(std::slice::from_ref(id)).expect("deleted");
    let kept = keep_annotated(&library, id, &record, &[]).expect("nothing to write");
    assert!(kept.is_none());
    assert_eq!(library.find(id).expect("readable"), None);
}

#[test]
fn a_game_in_latin_1_is_read_as_the_command_reads_it() {
    let folder = TempDir::new("board annotator latin 1");
    let library = Library::at(folder.directory().to_owned());
    let path = folder.directory().join("20260101-120000000-0.pgn");
    std::fs::write(&path, b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} 1-0\n").expect("written");
    let id = library.games().expect("readable").remove(0);
    let record = read(&library, &id).expect("a game");
    keep_annotated(&library, &id, &record, &[]).expect("kept");
    let text = std::fs::read_to_string(&path).expect("UTF-8");
    assert!(text.contains("Müller") && text.contains("schön"), "{text}");
}

#[test]
fn the_games_of_the_library_are_annotated_in_the_background() {
    let folder = TempDir::new("annotate all");
    let library = library(&folder);
    let mut page = Page::new(&library);
    let [event] = page.annotation().try_into().expect("one event");
    assert_eq!((&event["wanting"], &event["own"]), (&json!(3), &json!(1)));
    page.training(&json!({"type": "annotate", "nodes": 4000}));
    page.until(|_| waiting(&library) == 0);
    assert_eq!(wanting(&library), 0);
    page.until(|session| session.annotation.is_none());
    let events = page.annotation();
    let running: Vec<&Value> = events
        .iter()
        .filter_map(|event| event.get("running"))
        .collect();
    // 3, 5 and 5 positions.
    let expected = json!({"games": 0, "of_games": 3, "positions": 0, "of_positions": 13, "seconds_left": null});
    assert_eq!(running.first(), Some(&&expected));
    let games: Vec<u64> = running
        .iter()
        .filter_map(|view| view["games"].as_u64())
        .collect();
    assert!(games.is_sorted() && games.contains(&2), "{games:?}");
    assert_eq!(running.last(), Some(&&json!(null)));
    let wanting = events.iter().rfind(|event| event.get("wanting").is_some());
    assert_eq!(wanting.expect("an event")["wanting"], 0);
}

#[test]
fn only_the_games_of_the_user_are_annotated_where_they_ask_for_that() {
    let folder = TempDir::new("annotate own");
    let library = library(&folder);
    let mut page = Page::new(&library);
    page.training(&json!({"type": "annotate", "nodes": 100, "own": true}));
    assert_eq!(waiting(&library), 1);
}

#[test]
fn another_book_has_other_exercises() {
    let folder = TempDir::new("train book");
    let mut page = Page::new(&library(&folder));
    // 1. d4, in the format of Polyglot.
    let key = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
    let entry = [&key[..], &[0x02, 0xdb, 0, 1, 0, 0, 0, 0]].concat();
    let book = folder.write("book.bin", entry);
    for (file, count) in [("", 0), (book.as_str(), 1), ("", 0)] {
        let events = page.answers("engine", &json!({"options": [["BookFile", file]]}));
        let mut counts = events.iter().filter_map(|event| event["count"].as_u64());
        assert_eq!(counts.next_back(), Some(count), "'{file}'");
    }
}

#[test]
fn what_is_left_goes_on_after_a_restart() {
    let folder = TempDir::new("annotate again");
    let library = library(&folder);
    let mut page = Page::new(&library);
    page.training(&json!({"type": "annotate", "nodes": 100}));
    page.until(|_| waiting(&library) <= 2);
    // Another program leaves it to the first one.
    let other = Page::new(&library);
    assert!(!other.session.context.search.is_running(Owner::Annotator));
    drop((page, other));
    assert_eq!(wanting(&library), waiting(&library));
    let mut page = Page::new(&library);
    page.until(|_| waiting(&library) == 0);
    assert_eq!(wanting(&library), 0);
}

#[test]
fn another_program_cancels_what_runs() {
    let folder = TempDir::new("annotate cancel");
    let library = library(&folder);
    let mut pages = [Page::new(&library), Page::new(&library)];
    let [page, other] = &mut pages;
    // It would take hours.
    page.training(&json!({"type": "annotate", "nodes": 1_000_000_000}));
    assert!(page.session.context.search.is_running(Owner::Annotator));
    other.send(&json!({"mode": "show", "request": "training"}));
    other.until(|session| session.annotation.is_some());
    let elsewhere = other.session.annotation.clone();
    assert_eq!(elsewhere.map(|view| view.of_games), Some(3));
    other.training(&json!({"type": "cancel_annotation"}));
    while page.session.context.search.is_running(Owner::Annotator) {
        let left = page.session.time_left().unwrap_or(Duration::from_secs(1));
        if page.handle(left).is_err() {
            page.session.time_out();
        }
    }
    page.until(|session| session.annotation.is_none());
    assert_eq!((waiting(&library), wanting(&library)), (0, 3));
    assert_eq!(page.session.time_left(), None);
    // The next one does it.
    other.training(&json!({"type": "annotate", "nodes": 100}));
    other.until(|_| waiting(&library) == 0);
    assert_eq!(wanting(&library), 0);
}

#[test]
fn one_annotator_works_for_all_pages_and_without_one() {
    let folder = TempDir::new("annotate served");
    let library = library(&folder);
    let annotator = Annotator::new(library.clone(), engine().builder());
    annotator.start_workers();
    let mut pages = [(); 2].map(|()| Page::of(engine(), annotator.clone()));
    let [page, other] = &mut pages;
    page.training(&json!({"type": "annotate", "nodes": 1_000_000_000}));
    other.until(|session| session.annotation.is_some());
    assert!(!page.session.context.search.is_running(Owner::Annotator));
    // Every page can cancel it.
    other.training(&json!({"type": "cancel_annotation"}));
    for page in [&mut *page, other] {
        page.until(|session| session.annotation.is_none());
    }
    assert_eq!((waiting(&library), wanting(&library)), (0, 3));
    page.training(&json!({"type": "annotate", "nodes": 100}));
    drop(pages);
    let end = Instant::now() + Duration::from_secs(60);
    while waiting(&library) > 0 {
        assert!(Instant::now() < end, "{} games wait", waiting(&library));
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(wanting(&library), 0);
}

/// The bytes that this thread has written.
#[cfg(target_os = "linux")]
fn written() -> Option<u64> {
    let counts = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    let count = counts.lines().find_map(|line| line.strip_prefix("wchar: "));
    count?.parse().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn games_that_are_deleted_leave_the_queue_at_once() {
    let folder = TempDir::new("annotate deleted");
    let library = library(&folder);
    let ids: Vec<GameId> = (0..500).map(|_| GameId::now()).collect();
    let queued = Profile::change(&library, |profile| {
        profile.annotating.nodes = 100;
        profile.annotating.games.clone_from(&ids);
    });
    queued.expect("written");
    let profile = library.folder().expect("a folder").join("profile.json");
    let size = std::fs::metadata(profile).expect("a file").len();
    let annotator = Annotator::new(library.clone(), engine().builder());
    annotator.resume().expect("a profile");
    // Where the system does not count, there is nothing to compare.
    let Some(before) = written() else { return };
    annotator.annotate_next(&SearchControl::new());
    assert_eq!(waiting(&library), 0);
    let written = written().expect("as before") - before;
    assert!(written < 2 * size, "{written} bytes for a file of {size}");
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
