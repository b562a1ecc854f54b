//! The annotation of a game: progress, cancellation, resumption.

use serde_json::{Value, json};

use super::{Page, movetext, node};
use crate::messages::Mode;

const SHORT: &str = "1. e4 e5 2. Ke2 (2. Nf3 {main}) 2... Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8 *";

impl Page {
    /// Handles reports until the annotation has ended; returns all events.
    fn annotated(&mut self) -> Vec<Value> {
        let mut events = Vec::new();
        while let Some(more) = self.report() {
            events.extend(more);
            if events.iter().any(|event| event["type"] == "annotated") {
                break;
            }
        }
        events
    }
}

#[test]
fn a_game_is_annotated_with_progress() {
    let mut page = Page::new();
    let game = page.load(SHORT);
    page.send(json!({"type": "go", "node": node(&game, "e4 e5 Nf3")}));
    let events = page.send(json!({"type": "annotate", "nodes": 2000}));
    assert_eq!(
        events,
        [json!({"type": "progress", "done": 0, "total": 11})]
    );
    let events = page.annotated();
    let done = events.iter().filter_map(|event| event["done"].as_u64());
    let mut done: Vec<u64> = done.collect();
    done.dedup();
    assert_eq!(done, (1..=11).collect::<Vec<u64>>());
    assert_eq!(
        events.last(),
        Some(&json!({"type": "annotated", "text": null}))
    );
    let game = events
        .iter()
        .find(|event| event["type"] == "game")
        .expect("the game");
    let text = movetext(game);
    assert!(text.matches("[%eval ").count() >= 10, "{text}");
    assert!(text.contains("(2. Nf3 {main}"), "variations stay: {text}");
    assert!(text.contains("Ke2 $"), "{text}");
    assert!(game["summary"][0]["accuracy"].as_f64().is_some());
    assert!(
        game["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("[Annotator \"Castellan"))
    );
    let position = events
        .iter()
        .find(|event| event["type"] == "position")
        .expect("a position");
    assert_eq!(
        position["node"],
        node(game, "e4 e5 Nf3"),
        "what is shown stays"
    );
    // Accuracy of other moves is not that of the game.
    let (game, _) = page.shown(json!({"type": "delete", "node": node(game, "e4 e5 Ke2 Ke7")}));
    assert_eq!(game.get("summary"), None);
    // Without the annotations again.
    page.send(json!({"type": "undo"}));
    let (game, _) = page.shown(json!({"type": "undo"}));
    assert_eq!(movetext(&game), SHORT);
}

#[test]
fn an_annotation_is_canceled_by_request_and_by_another_main_line() {
    let mut page = Page::new();
    let canceled = |text: &str| json!({"type": "annotated", "text": text});
    page.load(SHORT);
    page.send(json!({"type": "annotate", "nodes": 1_000_000_000}));
    let events = page.send(json!({"type": "cancel_annotation"}));
    assert_eq!(events, [canceled("canceled")]);
    assert!(!page.harness.context.search.is_running(Mode::Analysis));
    page.send(json!({"type": "engine", "on": true, "lines": 1}));
    page.send(json!({"type": "annotate", "nodes": 1_000_000_000}));
    // A variation is no reason.
    page.send(json!({"type": "move", "text": "d2d4"}));
    assert!(page.analysis.annotation.is_some());
    let events = page.send(json!({"type": "new"}));
    assert_eq!(events[0], canceled("the main line has changed"));
    // The search that was on goes on.
    assert_eq!(page.report().expect("a report")[0]["type"], "lines");
}

#[test]
fn an_interrupted_annotation_is_resumed() {
    let mut page = Page::new();
    page.load(SHORT);
    page.send(json!({"type": "annotate", "nodes": 1000}));
    // The first chunk has eight positions.
    while page
        .analysis
        .annotation
        .as_ref()
        .is_some_and(|one| one.evaluations.is_empty())
    {
        page.report().expect("a report");
    }
    let work = |_: &search::SearchControl, _: &_| {};
    page.harness
        .context
        .search
        .start(Mode::Play, work)
        .expect("a thread");
    page.analysis.shown(&mut page.harness.context);
    let events = page.harness.events();
    assert_eq!(
        events.last(),
        Some(&json!({"type": "progress", "done": 8, "total": 11}))
    );
    let events = page.annotated();
    assert_eq!(
        events[0],
        json!({"type": "progress", "done": 9, "total": 11})
    );
    assert_eq!(
        events.last(),
        Some(&json!({"type": "annotated", "text": null}))
    );
}
