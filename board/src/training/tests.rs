//! Exercises answered through requests, as a page does.

use game::library::{Entry, GameKind, Library};
use game::profile::Profile;
use serde_json::{Value, json};
use test_common::TempDir;

use super::{Training, today};
use crate::annotator::Annotator;
use crate::context::harness::Harness;
use crate::messages::Mode;

/// Black allows mate with 3... Nf6; the better move is a variation, as annotations add it.
const ANNOTATED: &str = "[White \"Bo\"]\n[Black \"Ada\"]\n\n\
    1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Bc4 {[%eval 0.2]} Nc6 {[%eval 0.2]} \
    3. Qh5 {[%eval 0.0]} Nf6?? {[%eval #1] Allows mate in 1.} (3... g6 {[%eval 0.0]} 4. Qf3 Nf6) 4. Qxf7# 1-0\n\n";

struct Page {
    training: Training,
    harness: Harness,
    _folder: TempDir,
}

impl Page {
    /// With a library of some games, of which those of Ada are the user's.
    fn new(games: &[&str]) -> Self {
        let folder = TempDir::new("board training");
        let mut harness = Harness::new();
        harness.context.library = Library::at(folder.directory().to_owned());
        harness.context.names.own = "Ada".to_owned();
        for pgn in games {
            let library = &harness.context.library;
            let kept = library.keep(&mut Entry::default(), GameKind::Chess, pgn);
            kept.expect("written");
        }
        Self {
            training: Training::default(),
            harness,
            _folder: folder,
        }
    }

    fn shown(&mut self) -> Value {
        self.training
            .shown(&Annotator::default(), &mut self.harness.context);
        self.harness.events().pop().expect("an event")
    }

    /// The last event after a request, and after the search that it starts.
    fn send(&mut self, request: Value) -> Value {
        let request = serde_json::from_value(request).expect("a request");
        self.training.handle(
            request,
            &mut Annotator::default(),
            &mut self.harness.context,
        );
        let mut events = self.harness.events();
        if events.last().is_some_and(|event| event["judging"] == true) {
            let report = self.harness.next_report().expect("a report");
            let crate::report::Report::Training(report) = report else {
                panic!("a report of another mode");
            };
            self.training.report(report, &mut self.harness.context);
            events = self.harness.events();
        }
        events.pop().expect("an event")
    }
}

#[test]
fn a_bad_answer_is_refuted_and_the_better_line_shown() {
    let mut page = Page::new(&[ANNOTATED]);
    let exercise = page.shown();
    assert_eq!(exercise["type"], "exercise");
    assert_eq!(
        (&exercise["due"], &exercise["count"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        (&exercise["color"], &exercise["ply"]),
        (&json!("black"), &json!(5))
    );
    assert_eq!(exercise["last"], json!(["d1", "h5"]));
    assert_eq!(exercise["answer"], json!(null));
    // Nothing is said of it before.
    let text = exercise.to_string();
    assert!(!text.contains("Allows") && !text.contains("Qf3"), "{text}");
    let illegal = page.send(json!({"type": "move", "text": "e8e6"}));
    assert_eq!(illegal["type"], "illegal");
    let judged = page.send(json!({"type": "move", "text": "a6"}));
    let answer = &judged["answer"];
    assert_eq!(answer["good"], false);
    assert_eq!(answer["text"], "a6?? is not good.");
    assert_eq!(answer["refutation"], "Allows mate in 1. 3... a6 4. Qxf7#");
    assert_eq!(answer["played"], "Nf6?? Allows mate in 1.");
    assert_eq!(answer["line"], "3... g6 4. Qf3 Nf6");
    assert_eq!(answer["best"], json!(["g7", "g6"]));
    assert_eq!(judged["legal"], json!([]));
    let tomorrow = today().succ_opt().expect("a day");
    assert_eq!(answer["due"], json!(tomorrow));
    // It is answered, and comes back tomorrow.
    let error = page.send(json!({"type": "move", "text": "g7g6"}));
    assert_eq!(error["text"], "There is no exercise to answer.");
    let done = page.send(json!({"type": "next"}));
    assert_eq!(done, json!({"type": "done", "count": 1, "next": tomorrow}));
    assert_eq!(page.shown(), done);
}

#[test]
fn good_answers_are_the_best_move_and_those_within_an_inaccuracy() {
    for (uci, text) in [
        ("g7g6", "g6 is the best move."),
        ("d8e7", "Qe7 is as good as the best move."),
    ] {
        let mut page = Page::new(&[ANNOTATED]);
        page.shown();
        let judged = page.send(json!({"type": "move", "text": uci}));
        let answer = &judged["answer"];
        assert_eq!(
            (&answer["good"], &answer["text"]),
            (&json!(true), &json!(text))
        );
        assert_eq!(answer["refutation"], json!(null));
    }
}

#[test]
fn an_answer_is_not_judged_once_another_exercise_is_wanted() {
    let mut page = Page::new(&[ANNOTATED]);
    page.shown();
    for request in [
        json!({"type": "move", "text": "a7a6"}),
        json!({"type": "next"}),
    ] {
        let request = serde_json::from_value(request).expect("a request");
        page.training.handle(
            request,
            &mut Annotator::default(),
            &mut page.harness.context,
        );
    }
    assert!(!page.harness.context.search.is_running(Mode::Training));
    let profile = Profile::read(&page.harness.context.library).expect("readable");
    assert!(profile.exercises.is_empty());
}

#[test]
fn an_exercise_answered_with_a_clock_that_was_ahead_comes_again() {
    let mut page = Page::new(&[ANNOTATED]);
    page.shown();
    page.send(json!({"type": "solve"}));
    let library = page.harness.context.library.clone();
    let path = library.folder().expect("a folder").join("profile.json");
    let today = today().to_string();
    let kept = std::fs::read_to_string(&path).expect("a profile");
    let due = kept.split("\"due\": \"").nth(1).expect("a date");
    let due = due.get(..today.len()).expect("a date");
    std::fs::write(&path, kept.replace(due, "2099-01-01")).expect("written");
    let done = page.send(json!({"type": "next"}));
    assert_eq!(
        (&done["type"], &done["next"]),
        (&json!("done"), &json!(due))
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a profile"), kept);
}

#[test]
fn exercises_are_ones_own() {
    let others = ANNOTATED.replace("Ada", "Eve");
    let mut page = Page::new(&[&others]);
    let none = json!({"type": "done", "count": 0, "next": null});
    assert_eq!(page.shown(), none);
    page.harness.context.names.lichess = "EVE".to_owned();
    page.training.forget(&mut page.harness.context.search);
    assert_eq!(page.shown()["type"], "exercise");
    // Given up, it is shown.
    let solved = page.send(json!({"type": "solve"}));
    assert_eq!(solved["answer"]["line"], "3... g6 4. Qf3 Nf6");
    assert_eq!(solved["answer"]["good"], false);
}
