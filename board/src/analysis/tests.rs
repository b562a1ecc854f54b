//! Requests of a page, and the events it gets.

use formats::pgn::MAX_DEPTH;
use serde_json::{Value, json};

use super::live::LatestLines;
use super::{Analysis, Request};
use crate::annotator::Annotator;
use crate::context::harness::Harness;
use crate::messages::Mode;

mod annotation;
mod loading;
mod own_games;

/// The requests that the page is told the success or failure of, whatever else it requests.
const OPENING: [&str; 4] = ["new", "load_pgn", "choose", "load_fen"];

struct Page {
    analysis: Analysis,
    harness: Harness,
}

impl Page {
    fn new() -> Self {
        let harness = Harness::new();
        let analysis = Analysis::new();
        Self { analysis, harness }
    }

    /// Sends a request; returns the events that follow.
    fn send(&mut self, request: Value) -> Vec<Value> {
        let request: Request = serde_json::from_value(request).expect("a request");
        let annotator = &mut Annotator::default();
        self.analysis
            .handle(request, annotator, &mut self.harness.context);
        self.harness.events()
    }

    /// Handles the next report of the task; `None` when it has ended.
    fn report(&mut self) -> Option<Vec<Value>> {
        let crate::report::Report::Analysis(report) = self.harness.next_report()? else {
            panic!("a report of another mode");
        };
        // As if it came some time after the one before.
        self.analysis.latest_lines = LatestLines::default();
        self.analysis.report(report, &mut self.harness.context);
        Some(self.harness.events())
    }

    /// The game and the position after a request that shows them.
    fn shown(&mut self, request: Value) -> (Value, Value) {
        let opens = OPENING.contains(&request["type"].as_str().expect("a type"));
        let mut events = self.send(request);
        if opens {
            assert_eq!(events.pop(), Some(json!({"type": "opened"})));
        }
        let [game, position] = events.as_slice() else {
            panic!("not a game and a position: {events:?}");
        };
        assert_eq!(
            (&game["type"], &position["type"]),
            (&json!("game"), &json!("position"))
        );
        (game.clone(), position.clone())
    }

    fn load(&mut self, pgn: &str) -> Value {
        self.shown(json!({"type": "load_pgn", "text": pgn})).0
    }

    /// The text of the only event, an error.
    fn error(&mut self, request: Value) -> String {
        let opens = OPENING.contains(&request["type"].as_str().expect("a type"));
        let events = self.send(request);
        let [event] = events.as_slice() else {
            panic!("not an error: {events:?}");
        };
        let kind = if opens { "not_opened" } else { "error" };
        assert_eq!(event["type"], kind, "{event}");
        event["text"].as_str().expect("text").to_owned()
    }
}

/// The movetext of a game on one line.
fn movetext(game: &Value) -> String {
    let pgn = game["pgn"].as_str().expect("a PGN");
    let (_, moves) = pgn.split_once("\n\n").expect("tags and moves");
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of the node that a line of moves in SAN leads to.
fn node(game: &Value, sans: &str) -> u64 {
    let nodes = game["nodes"].as_array().expect("nodes");
    let root = nodes[0]["id"].as_u64();
    let found = sans.split_whitespace().fold(root, |parent, san| {
        let child = nodes
            .iter()
            .find(|node| node["parent"].as_u64() == parent && node["san"] == san);
        child.unwrap_or_else(|| panic!("{san}: {nodes:?}"))["id"].as_u64()
    });
    found.expect("a number")
}

const GAME: &str = "[Event \"a \\\"quoted\\\" \\\\ <script>alert(1)</script>\"]\n[White \"Müller\"]\n\n\
    {Before.} 1. e4 $1 {[%eval 0.30] Best & \"<b>\"} ({Or} 1. d4 d5 (1... Nf6 2. c4) 2. c4 $14) (1. c4)\n\
    1... e5 2. Nf3 $6 (2. f4 {[%csl Gf4] King's gambit}) 2... Nc6 1-0\n";

#[test]
fn a_pgn_with_variations_comments_and_nags_comes_back() {
    let mut page = Page::new();
    let game = page.load(GAME);
    let pgn = game["pgn"].as_str().expect("a PGN");
    assert!(
        pgn.contains("[Event \"a \\\"quoted\\\" \\\\ <script>alert(1)</script>\"]\n"),
        "{pgn}"
    );
    assert_eq!(
        movetext(&game),
        "{Before.} 1. e4 $1 {[%eval 0.30] Best & \"<b>\"} ({Or} 1. d4 d5 (1... Nf6 2. c4) 2. c4 $14) \
         (1. c4) 1... e5 2. Nf3 $6 (2. f4 {[%csl Gf4] King's gambit}) 2... Nc6 1-0"
    );
    let of = |sans| {
        let id = node(&game, sans);
        let nodes = game["nodes"].as_array().expect("nodes").iter();
        nodes
            .clone()
            .find(|node| node["id"] == id)
            .expect("a node")
            .clone()
    };
    let e4 = of("e4");
    assert_eq!((&e4["number"], &e4["nags"]), (&json!("1."), &json!([1])));
    assert_eq!(
        (&e4["score"], &e4["comment"]),
        (&json!({"cp": 30}), &json!("Best & \"<b>\""))
    );
    assert!(
        e4["points"]
            .as_f64()
            .is_some_and(|points| points > 0.5 && points < 0.7)
    );
    assert_eq!(of("d4")["opening"], "Or");
    assert_eq!(
        of("e4 e5 f4")["comment"],
        "King's gambit",
        "commands are not shown"
    );
    assert_eq!(of("d4 Nf6")["number"], "1...");
    assert_eq!(game["heading"]["white"]["name"], "Müller");
    // Each node is behind its parent.
    let nodes = game["nodes"].as_array().expect("nodes");
    for (index, node) in nodes.iter().enumerate().skip(1) {
        assert!(
            nodes[..index]
                .iter()
                .any(|before| before["id"] == node["parent"]),
            "{node}"
        );
    }
}

#[test]
fn moves_are_played_and_variations_made_promoted_and_deleted() {
    let mut page = Page::new();
    let (_, start) = page.shown(json!({"type": "new"}));
    assert_eq!(start["legal"].as_array().map(Vec::len), Some(20));
    for uci in ["e2e4", "e7e5", "g1f3"] {
        page.shown(json!({"type": "move", "text": uci}));
    }
    let (game, position) = page.shown(json!({"type": "line", "moves": ["b8c6", "f1b5", "a7a6"]}));
    assert_eq!(movetext(&game), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *");
    assert_eq!(position["opening"], "C70 Ruy Lopez: Morphy Defense");
    assert_eq!(position["last"], json!(["a7", "a6"]));
    // A move that is there is followed, another one is a variation.
    let go = |sans| json!({"type": "go", "node": node(&game, sans)});
    assert_eq!(page.send(go("e4 e5")).len(), 1);
    assert_eq!(page.send(json!({"type": "move", "text": "g1f3"})).len(), 1);
    page.send(go("e4"));
    let (game, position) = page.shown(json!({"type": "line", "moves": ["c7c5", "g1f3"]}));
    assert_eq!(
        movetext(&game),
        "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 *"
    );
    assert_eq!(position["path"], json!([0, 1, 0]));
    // What is shown stays when its line becomes the main one.
    let promoted = json!({"type": "promote", "node": node(&game, "e4 c5 Nf3")});
    let (game, position) = page.shown(promoted);
    assert_eq!(
        movetext(&game),
        "1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5 a6) 2. Nf3 *"
    );
    assert_eq!(position["path"], json!([0, 0, 0]));
    let main = json!({"type": "promote", "node": node(&game, "e4 c5")});
    assert_eq!(
        page.error(main),
        "the move is part of the main line already"
    );
    // What is shown is deleted: the move before is shown.
    let (game, position) = page.shown(json!({"type": "delete", "node": node(&game, "e4 c5")}));
    assert_eq!(movetext(&game), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *");
    assert_eq!(position["path"], json!([0]));
    for expected in [
        "1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5 a6) 2. Nf3 *",
        "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
    ] {
        assert_eq!(movetext(&page.shown(json!({"type": "undo"})).0), expected);
    }
}

#[test]
fn what_is_shown_stays_when_something_else_is_deleted() {
    let mut page = Page::new();
    let game = page.load("1. e4 (1. d4 d5) (1. c4 c5 2. Nf3) e5 *");
    page.send(json!({"type": "go", "node": node(&game, "c4 c5")}));
    let (game, position) = page.shown(json!({"type": "delete", "node": node(&game, "d4")}));
    assert_eq!(position["node"], node(&game, "c4 c5"));
    let (game, position) = page.shown(json!({"type": "delete", "node": node(&game, "e4")}));
    assert_eq!(movetext(&game), "1. c4 c5 2. Nf3 *");
    assert_eq!(position["node"], node(&game, "c4 c5"));
}

#[test]
fn comments_and_assessments_are_changed() {
    let mut page = Page::new();
    let game = page.load("1. e4 $14 $2 {old} ({Or} 1. d4 {good}) *");
    let e4 = node(&game, "e4");
    page.send(json!({"type": "comment", "node": e4, "text": "a } b\nc"}));
    let (game, _) = page.shown(json!({"type": "symbols", "node": e4, "nags": [3, 14]}));
    assert_eq!(
        movetext(&game),
        "1. e4 $3 $14 {a ) b c} ({Or} 1. d4 {good}) *"
    );
    let (game, _) = page.shown(json!({"type": "symbols", "node": e4, "nags": [14]}));
    assert!(movetext(&game).starts_with("1. e4 $14 {"));
    // The main line has no comment before its first move but that of the game.
    let (game, _) = page.shown(json!({"type": "promote", "node": node(&game, "d4")}));
    assert_eq!(movetext(&game), "1. d4 {Or good} (1. e4 $14 {a ) b c}) *");
}

#[test]
fn changes_are_undone_and_redone() {
    let mut page = Page::new();
    page.load("1. e4 *");
    let (game, _) = page.shown(json!({"type": "move", "text": "d4"}));
    let [before, after] = ["1. e4 *", "1. e4 (1. d4) *"];
    assert_eq!(
        (movetext(&game).as_str(), &game["redo"]),
        (after, &json!(false))
    );
    let (game, _) = page.shown(json!({"type": "undo"}));
    assert_eq!(
        (movetext(&game).as_str(), &game["redo"]),
        (before, &json!(true))
    );
    let (game, _) = page.shown(json!({"type": "redo"}));
    assert_eq!(
        (movetext(&game).as_str(), &game["redo"]),
        (after, &json!(false))
    );
    // Nothing is redone after another change.
    page.shown(json!({"type": "undo"}));
    page.shown(json!({"type": "move", "text": "c4"}));
    let (game, _) = page.shown(json!({"type": "redo"}));
    assert_eq!(movetext(&game), "1. e4 (1. c4) *");
}

#[test]
fn errors_are_explained_and_change_nothing() {
    let mut page = Page::new();
    let game = page.load(GAME);
    for (request, expected) in [
        (
            json!({"type": "load_fen", "fen": "8/8/8/8/8/8/8/K7 w - - 0 1"}),
            "Black has 0 kings",
        ),
        (json!({"type": "load_pgn", "text": "1. Ke3 *"}), "move 1.: "),
        (
            json!({"type": "load_pgn", "text": " \n"}),
            "the text has no game",
        ),
        (
            json!({"type": "restore", "pgn": "1. e5", "path": []}),
            "move 1.: ",
        ),
        (
            json!({"type": "line", "moves": ["e2e4", "e2e4"]}),
            "illegal move 'e2e4': ",
        ),
        (
            json!({"type": "preview", "moves": ["x"]}),
            "invalid move 'x'",
        ),
        (json!({"type": "go", "node": 99}), "there is no such move"),
        (
            json!({"type": "delete", "node": 0}),
            "the start position cannot be deleted",
        ),
        (
            json!({"type": "delete", "node": 99}),
            "there is no such move",
        ),
        (
            json!({"type": "promote", "node": 99}),
            "there is no such move",
        ),
        (
            json!({"type": "comment", "node": 99, "text": ""}),
            "there is no such move",
        ),
        (
            json!({"type": "choose", "game": 0}),
            "there is no such game",
        ),
    ] {
        let text = page.error(request.clone());
        assert!(text.contains(expected), "{request}: {text}");
    }
    page.analysis.shown(&mut page.harness.context);
    let events = page.harness.events();
    assert_eq!(events[1]["pgn"], game["pgn"]);
    page.send(json!({"type": "new"}));
    let none = page.error(json!({"type": "annotate", "nodes": 1000}));
    assert_eq!(none, "the game has no moves to annotate");
    for request in [
        json!({"type": "move", "text": "a1a3"}),
        json!({"type": "move", "text": "Ra3"}),
    ] {
        assert_eq!(page.send(request)[0]["type"], "illegal");
    }
    let (game, _) = page.shown(json!({"type": "move", "text": "Nf3"}));
    assert_eq!(movetext(&game), "1. Nf3 *");
}

#[test]
fn variations_are_not_nested_deeper_than_a_reader_accepts() {
    let mut page = Page::new();
    let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    let mut events = vec![page.shown(json!({"type": "load_fen", "fen": fen})).1];
    // Of two moves in each position, the second is the variation in which the next two are.
    let mut nested = 0;
    while events
        .last()
        .is_some_and(|event| event["type"] == "position")
        && nested <= MAX_DEPTH
    {
        let position = events.last().expect("a position").clone();
        page.send(json!({"type": "move", "text": position["legal"][0]["uci"]}));
        page.send(json!({"type": "go", "node": position["node"]}));
        events = page.send(json!({"type": "move", "text": position["legal"][1]["uci"]}));
        nested += 1;
    }
    let error = json!({"type": "error", "text": "variations are nested more than 50 deep"});
    assert_eq!((events, nested), (vec![error], MAX_DEPTH + 1));
}

#[test]
fn a_threat_is_what_the_other_side_would_play() {
    let mut page = Page::new();
    let fen = "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1";
    page.send(json!({"type": "load_fen", "fen": fen}));
    page.send(json!({"type": "engine", "on": true, "lines": 1, "threat": true}));
    let events = page.report().expect("a report");
    assert_eq!(events[0]["threat"], true);
    assert_eq!(events[0]["lines"][0]["pv"][0]["san"], "Ra1#");
    // In check there is none, and no search runs.
    let fen = "6k1/5ppp/8/8/8/7P/5PP1/r5K1 w - - 0 1";
    let events = page.send(json!({"type": "load_fen", "fen": fen}));
    let reason = "White is in check and has to move first.";
    assert_eq!(events[1]["no_threat"], reason);
    assert!(!page.harness.context.search.is_running(Mode::Analysis));
}

#[test]
fn the_search_reports_complete_lines_until_it_is_stopped() {
    let mut page = Page::new();
    // Back rank: Re8 mates.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    page.send(json!({"type": "load_fen", "fen": fen}));
    let events = page.send(json!({"type": "engine", "on": true, "lines": 9}));
    let engine = json!({"type": "engine", "on": true, "lines": 5, "threat": false});
    assert_eq!(events, [engine]);
    let lines = loop {
        let events = page.report().expect("a report");
        let lines = events[0].clone();
        assert_eq!(lines["lines"].as_array().map(Vec::len), Some(5));
        if lines["depth"].as_u64() > Some(5) {
            break lines;
        }
    };
    let best = &lines["lines"][0];
    assert_eq!(
        (&best["pv"][0]["san"], &best["score"]),
        (&json!("Re8#"), &json!({"mate": 1}))
    );
    assert_eq!(
        (&best["points"], &best["wdl"]),
        (&json!(1.0), &json!([1000, 0, 0]))
    );
    assert_eq!(best["pv"][0]["squares"], json!(["e1", "e8"]));
    // After the mate there is nothing to search, and going back starts it again.
    page.send(json!({"type": "move", "text": "e1e8"}));
    assert!(!page.harness.context.search.is_running(Mode::Analysis));
    page.send(json!({"type": "go", "node": 0}));
    assert!(page.harness.context.search.is_running(Mode::Analysis));
    assert_eq!(page.report().expect("a report")[0]["node"], 0);
    page.send(json!({"type": "engine", "on": false, "lines": 1}));
    assert!(!page.harness.context.search.is_running(Mode::Analysis));
}

#[test]
fn scores_are_from_whites_view() {
    let mut page = Page::new();
    // Black is a queen up.
    page.send(json!({"type": "load_fen", "fen": "3qk3/8/8/8/8/8/8/4K3 b - - 0 1"}));
    page.send(json!({"type": "engine", "on": true, "lines": 1}));
    let lines = page.report().expect("a report")[0]["lines"][0].clone();
    let score = lines["score"]["cp"]
        .as_i64()
        .or(lines["score"]["mate"].as_i64());
    assert!(score < Some(0), "{lines}");
    assert!(
        lines["points"].as_f64() < Some(0.2) && lines["wdl"][2].as_u64() > Some(500),
        "{lines}"
    );
}

#[test]
fn tags_are_changed_removed_and_checked() {
    let mut page = Page::new();
    page.load("[White \"Anna\"]\n[Annotator \"X\"]\n\n1. e4 *");
    let tags = json!([
        ["White", " Ada  "],
        ["Annotator", ""],
        ["Result", "1-0"],
        ["FEN", "x"]
    ]);
    let (game, _) = page.shown(json!({"type": "tags", "tags": tags}));
    assert_eq!(game["heading"]["white"]["name"], "Ada");
    let pgn = game["pgn"].as_str().expect("a PGN");
    assert!(
        pgn.contains("[Result \"1-0\"]") && pgn.ends_with("1. e4 1-0\n\n"),
        "{pgn}"
    );
    assert!(!pgn.contains("Annotator") && !pgn.contains("FEN"), "{pgn}");
    for (name, value, words) in [
        ("Result", "2-0", "invalid result '2-0'"),
        ("A b", "x", "invalid tag 'A b'"),
        ("", "x", "invalid tag ''"),
    ] {
        let error = page.error(json!({"type": "tags", "tags": [["White", "Eve"], [name, value]]}));
        assert!(error.starts_with(words), "{error}");
    }
    let (game, _) = page.shown(json!({"type": "undo"}));
    assert_eq!(game["heading"]["white"]["name"], "Anna");
}
