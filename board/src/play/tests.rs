//! Games played through requests, as a page plays them.

use serde_json::{Value, json};

use super::{Play, Request};
use crate::context::harness::Harness;
use crate::report::Report;

mod clocks;
mod endings;
mod library;
mod requests;

struct Game {
    play: Play,
    harness: Harness,
    /// The last state.
    view: Value,
    /// The events since the last request, without states.
    others: Vec<Value>,
}

impl Game {
    fn new(new: Value) -> Self {
        let harness = Harness::new();
        let play = Play::new();
        let mut game = Self {
            play,
            harness,
            view: Value::Null,
            others: Vec::new(),
        };
        let mut request = new;
        request["type"] = json!("new");
        game.request(request);
        assert_eq!(game.others, [json!({"type": "started"})]);
        game
    }

    fn both(fen: &str) -> Self {
        Self::new(json!({"side": "both", "start": {"kind": "fen", "fen": fen}}))
    }

    fn request(&mut self, request: Value) {
        let request: Request = serde_json::from_value(request).expect("a request");
        self.play.handle(request, &mut self.harness.context);
        self.take_events();
    }

    fn simple(&mut self, kind: &str) {
        self.request(json!({"type": kind}));
    }

    fn moves(&mut self, moves: &[&str]) {
        for text in moves {
            let before = self.plies();
            self.request(json!({"type": "move", "text": text}));
            assert_eq!(self.plies(), before + 1, "{text}: {:?}", self.others);
        }
    }

    /// Takes what the engine has thought.
    fn engine(&mut self) {
        let Some(Report::Play(report)) = self.harness.next_report() else {
            panic!("a report of this mode");
        };
        self.play.report(report, &mut self.harness.context);
        self.take_events();
    }

    fn take_events(&mut self) {
        self.others.clear();
        for event in self.harness.events() {
            match event["type"].as_str() {
                Some("game") => self.view = event,
                _ => self.others.push(event),
            }
        }
    }

    fn plies(&self) -> usize {
        self.view["moves"].as_array().map_or(0, Vec::len)
    }

    fn sans(&self) -> Vec<&str> {
        let moves = self.view["moves"].as_array().into_iter().flatten();
        moves.filter_map(|mv| mv["san"].as_str()).collect()
    }

    fn text(&self) -> &str {
        let last = self.others.last().expect("an event besides the state");
        last["text"].as_str().expect("a text")
    }
}

#[test]
fn fools_mate() {
    let mut game = Game::new(json!({"side": "both"}));
    assert_eq!(game.view["movable"], "both");
    game.moves(&["f3", "e5", "g4", "Qh4"]);
    assert_eq!(game.sans(), ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(
        game.view["result"],
        json!({"text": "Black wins by checkmate.", "result": "0-1"})
    );
    assert_eq!(game.view["movable"], Value::Null);
    assert_eq!(game.view["legal"], json!([]));
    let pgn = game.view["pgn"].as_str().expect("a text");
    assert!(pgn.contains("1. f3 e5 2. g4 Qh4#"), "{pgn}");
    game.request(json!({"type": "move", "text": "e1e2"}));
    assert_eq!(game.text(), "The game is over: Black wins by checkmate.");
    game.simple("takeback");
    assert_eq!(game.view["result"], Value::Null);
    game.simple("redo");
    assert_eq!(game.view["result"]["result"], "0-1");
}

#[test]
fn illegal_moves_change_nothing() {
    let mut game = Game::both("r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1");
    let before = game.view.clone();
    for request in [
        json!({"type": "move", "text": "e1g1"}),
        json!({"type": "move", "text": "e1g1"}),
        json!({"type": "move", "text": "O-O"}),
    ] {
        game.request(request);
        let illegal = &game.others[0];
        assert_eq!(illegal["type"], "illegal");
        assert_eq!(
            illegal["text"],
            "Cannot castle kingside: f1 is attacked by the queen on f3."
        );
        let marks = json!([
            {"square": "f1", "kind": "attacked"},
            {"square": "f3", "kind": "attacker"},
        ]);
        assert_eq!(illegal["marks"], marks);
    }
    game.simple("state");
    assert_eq!(game.view, before);
}

#[test]
fn a_premove_is_played_if_it_is_legal() {
    let start = json!({"kind": "fen", "fen": "7k/8/8/8/8/8/p7/1n5K w - - 0 1"});
    let mut game = Game::new(json!({"side": "black", "move_time": 50, "start": start}));
    game.request(json!({"type": "premove", "from": "a2", "to": "a1", "promotion": "r"}));
    let waiting = json!([{"from": "a2", "to": "a1", "promotion": "rook"}]);
    assert_eq!(game.view["premoves"], waiting);
    game.engine();
    assert_eq!(game.sans()[1..], ["a1=R"]);
}

#[test]
fn a_saved_game_is_restored() {
    let mut game = Game::new(
        json!({"side": "white", "elo": 900, "move_time": 50, "clock": "5+3",
               "start": {"kind": "chess960", "number": 42}}),
    );
    let uci = game.view["legal"][0]["uci"].clone();
    game.request(json!({"type": "move", "text": uci}));
    game.engine();
    let saved = game.view["saved"].clone();
    let mut other = Game::new(json!({}));
    other.request(json!({"type": "restore", "saved": saved}));
    for key in [
        "fen",
        "moves",
        "side",
        "players",
        "start_name",
        "saved",
        "legal",
    ] {
        assert_eq!(other.view[key], game.view[key], "{key}");
    }
    assert_eq!(other.view["start_name"], "Chess960 position 42");
    assert_eq!(
        other.view["players"]["black"],
        format!("{} at 900", common::NAME)
    );

    // A damaged one leaves the game as it is.
    let before = other.view["fen"].clone();
    let damaged = json!({"actions": ["begin standard white x"], "settings": {}});
    other.request(json!({"type": "restore", "saved": damaged}));
    assert!(
        other.text().starts_with("Cannot restore the game: line 1:"),
        "{}",
        other.text()
    );
    assert_eq!(other.view["fen"], before);
}

#[test]
fn invalid_requests_are_rejected() {
    let mut game = Game::new(json!({}));
    for (request, text) in [
        (json!({"type": "new", "elo": 100}), "Invalid strength"),
        (
            json!({"type": "new", "move_time": 1}),
            "Invalid time per move",
        ),
        (json!({"type": "new", "clock": "0+0"}), "Invalid clock"),
        (
            json!({"type": "new", "start": {"kind": "chess960", "number": 960}}),
            "Invalid start position 960",
        ),
        (
            json!({"type": "new", "start": {"kind": "fen", "fen": "x"}}),
            "Invalid FEN board",
        ),
        (json!({"type": "redo"}), "No move to redo"),
    ] {
        let kind = if request["type"] == "new" {
            "not_started"
        } else {
            "error"
        };
        game.request(request);
        assert!(game.text().starts_with(text), "{}", game.text());
        assert_eq!(game.others[0]["type"], kind);
    }
}
