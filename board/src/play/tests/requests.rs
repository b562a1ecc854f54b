//! The answer to each request.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Game, Request};

/// Sends requests in turn, and remembers their types.
struct Asked {
    game: Game,
    types: BTreeSet<String>,
}

impl Asked {
    fn new() -> Self {
        Self {
            game: Game::new(json!({"side": "white", "move_time": 50, "clock": "5+3"})),
            types: BTreeSet::from(["new".to_owned()]),
        }
    }

    /// The state after a request that is answered by nothing else.
    fn state(&mut self, request: Value) -> &Value {
        let asked = request.to_string();
        self.send(request);
        assert_eq!(self.game.others, [Value::Null; 0], "{asked}");
        &self.game.view
    }

    /// The only other event that answers a request.
    fn event(&mut self, request: Value) -> &Value {
        let asked = request.to_string();
        self.send(request);
        assert_eq!(self.game.others.len(), 1, "{asked}: {:?}", self.game.others);
        &self.game.others[0]
    }

    fn error(&mut self, request: Value) -> String {
        let event = self.event(request);
        assert_eq!(event["type"], "error", "{event}");
        event["text"].as_str().expect("text").to_owned()
    }

    fn send(&mut self, request: Value) {
        self.types
            .insert(request["type"].as_str().expect("a type").to_owned());
        self.game.request(request);
    }
}

#[test]
fn every_request_is_answered() {
    let of = |kind: &str| json!({"type": kind});
    let mut asked = Asked::new();
    assert_eq!(asked.state(of("state"))["movable"], "white");
    assert_eq!(asked.error(of("redo")), "No move to redo.");
    assert!(
        asked
            .error(of("claim_draw"))
            .starts_with("Draw cannot be claimed")
    );
    let intended = json!({"type": "claim_draw_with", "text": "e2e4"});
    assert!(asked.error(intended).starts_with("Draw cannot be claimed"));
    assert_eq!(asked.error(of("rematch")), "The game is not over.");
    let illegal = asked.event(json!({"type": "move", "text": "e2e5"}));
    assert_eq!(illegal["type"], "illegal");

    // While the engine thinks, moves wait, until they are canceled.
    let moved = asked.state(json!({"type": "move", "text": "e2e4"}));
    assert_eq!(moved["moves"][0]["san"], "e4");
    let premove = json!({"type": "premove", "from": "d2", "to": "d4", "promotion": null});
    assert_eq!(asked.state(premove)["premoves"][0]["to"], "d4");
    assert_eq!(asked.state(of("cancel_premove"))["premoves"], json!([]));
    asked.send(of("move_now"));
    asked.game.engine();
    assert_eq!(asked.game.plies(), 2, "no premove is left");

    asked.state(of("hint"));
    asked.game.engine();
    assert_eq!(
        asked.game.view["hint"]["uci"].as_str().map(str::len),
        Some(4)
    );
    let running = |view: &Value| view["clocks"]["running"].clone();
    assert_eq!(running(asked.state(of("pause"))), Value::Null);
    assert_eq!(running(asked.state(of("resume"))), "white");
    asked.state(of("takeback"));
    assert_eq!(asked.game.plies(), 0);
    asked.state(of("redo"));
    assert_eq!(asked.game.plies(), 2);
    let refused = asked.event(json!({"type": "move", "text": "Nf9"}));
    assert_eq!(refused["type"], "illegal");

    // What the engine says is passed on.
    asked.state(of("offer_draw"));
    asked.game.engine();
    let said = &asked.game.others[0];
    assert_eq!(said["type"], "note");
    assert!(
        said["text"]
            .as_str()
            .is_some_and(|text| text.contains("declines the draw"))
    );

    let saved = asked.game.view["saved"].clone();
    assert_eq!(asked.state(of("resign"))["result"]["result"], "0-1");
    asked.send(of("review"));
    asked.game.engine();
    assert_eq!(asked.game.others[0]["type"], "review_progress");
    assert_eq!(asked.state(of("rematch"))["movable"], "black");
    assert_eq!(
        asked.state(json!({"type": "restore", "saved": saved}))["result"],
        Value::Null
    );
    let gone = asked.error(json!({"type": "continue", "id": "2020-1"}));
    assert!(gone.contains("no such game"), "{gone}");

    let error = serde_json::from_value::<Request>(of("?")).expect_err("no request");
    let error = error.to_string();
    let (_, names) = error.split_once("expected one of").expect("the names");
    let all: BTreeSet<String> = names
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    assert_eq!(asked.types, all);
}
