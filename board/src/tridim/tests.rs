//! Requests in, events out.

use game::library::{GameKind, Library};
use serde_json::{Value, json};
use test_common::TempDir;

use super::Tridim;
use crate::context::harness::Harness;
use crate::report::{Report, TridimReport};

/// King and rooks at home, nothing between them; White has a pawn before its promotion on b8.
const CASTLING: &str =
    "W:4/4/4/4,N:4/4/4/4,B:4/1P2/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:1k/2,KL6b:2/2 w - 0 9";
/// A draw can be claimed.
const FIFTY_MOVES: &str =
    "W:4/4/4/R1K1,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 100 90";

struct Page {
    harness: Harness,
    tridim: Tridim,
}

impl Page {
    fn new() -> Self {
        let harness = Harness::new();
        let tridim = Tridim::new();
        Self { harness, tridim }
    }

    /// The page of a game.
    fn playing(side: &str, position: &str) -> Self {
        let mut page = Self::new();
        page.game(json!({"type": "new", "side": side, "position": position}));
        page
    }

    /// Sends a request; returns the only event, after which a new game is said to have started.
    fn send(&mut self, request: Value) -> Value {
        let starts = request["type"] == "new";
        let request = serde_json::from_value(request).expect("a request");
        self.tridim.handle(request, &mut self.harness.context);
        let mut events = self.harness.events();
        if starts && events.first().is_some_and(|event| event["type"] == "game") {
            assert_eq!(events.pop(), Some(json!({"type": "started"})));
        }
        assert_eq!(events.len(), 1, "{events:?}");
        events.remove(0)
    }

    /// The state after a request that must be accepted.
    fn game(&mut self, request: Value) -> Value {
        let event = self.send(request);
        assert_eq!(event["type"], "game", "{event}");
        event
    }

    fn play(&mut self, text: &str) -> Value {
        self.game(json!({"type": "move", "text": text}))
    }

    /// The text of the error of a request that must be rejected.
    fn error(&mut self, request: Value) -> String {
        let kind = if request["type"] == "new" {
            "not_started"
        } else {
            "note"
        };
        let event = self.send(request);
        assert_eq!(event["type"], kind, "{event}");
        event["text"].as_str().expect("a text").to_owned()
    }

    /// Follows the running search to its end; returns the events.
    fn reply(&mut self) -> Vec<Value> {
        while let Some(Report::Tridim(report)) = self.harness.next_report() {
            let best = !matches!(report, TridimReport::Iteration(_));
            self.tridim.report(report, &mut self.harness.context);
            if best {
                break;
            }
        }
        self.harness.events()
    }
}

fn texts(game: &Value, kind: &str) -> Vec<String> {
    let legal = game["legal"].as_array().expect("moves").iter();
    let legal = legal.filter(|mv| mv["kind"] == kind);
    legal
        .map(|mv| mv["text"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn a_new_game_and_its_moves() {
    let mut page = Page::new();
    let game = page.game(json!({"type": "new", "side": "both"}));
    assert_eq!(game["position"], tridim::START_TEXT);
    assert_eq!(game["status"], "White to move.");
    assert_eq!(game["boards"].as_array().map(Vec::len), Some(7));
    assert_eq!(game["pieces"].as_array().map(Vec::len), Some(32));
    assert_eq!(game["legal"].as_array().map(Vec::len), Some(20));
    let game = page.play("b2W-b4N");
    assert_eq!(
        game["last"],
        json!({"pieces": [["b2W", "b4N"]], "board": null})
    );
    assert_eq!(game["side_to_move"], "black");
    let game = page.game(json!({"type": "undo"}));
    assert_eq!(
        (&game["position"], &game["can_redo"]),
        (&json!(tridim::START_TEXT), &json!(true))
    );
    assert_eq!(page.error(json!({"type": "undo"})), "No move to undo.");
    let mut game = page.game(json!({"type": "redo"}));
    let time = game["moves"][0]["time"].take();
    assert!(time.as_str().is_some_and(|time| time.ends_with('Z')));
    assert_eq!(
        game["moves"],
        json!([{"number": 1, "color": "white", "text": "b2W-b4N", "castling": null, "time": null}])
    );
}

#[test]
fn an_attack_board_carries_its_piece() {
    let position = "W:4/4/4/K3,N:4/4/4/4,B:4/4/4/4,QL1w:2/N1,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9";
    let mut page = Page::playing("both", position);
    let game = page.play("QL1-QL3");
    let moved = json!({"pieces": [["z0QL1", "z2QL3"]], "board": ["QL1", "QL3"]});
    assert_eq!(game["last"], moved);
    let mut page = Page::new();
    let game =
        page.game(json!({"type": "new", "side": "both", "position": position, "rotation": true}));
    assert!(texts(&game, "board").contains(&"QL1-QL1".to_owned()));
    let game = page.play("QL1-QL1");
    assert_eq!(game["last"]["pieces"], json!([["z0QL1", "a1QL1"]]));
}

#[test]
fn castling_is_listed_with_its_squares_or_the_reason() {
    let mut page = Page::playing("both", CASTLING);
    let game = page.game(json!({"type": "limit", "limit": {"depth": 1}}));
    assert_eq!(texts(&game, "castling"), ["O-O", "O-O-O"]);
    let queenside = &game["castling"][2];
    assert_eq!(queenside["king"], json!({"from": "d0KL1", "to": "a0QL1"}));
    assert_eq!(queenside["rook"], json!({"from": "z0QL1", "to": "d0KL1"}));
    assert_eq!(
        game["castling"][1]["reason"],
        "cannot castle kingside on QL: the king is not on rank 0 of QL1"
    );
    let castling = game["legal"].as_array().expect("moves").iter();
    let to: Vec<&Value> = castling
        .filter(|mv| mv["kind"] == "castling")
        .map(|mv| &mv["to"])
        .collect();
    assert_eq!(to, [&json!(["e0KL1"]), &json!(["a0QL1", "z0QL1"])]);
    let game = page.play("O-O-O");
    assert_eq!(
        game["last"]["pieces"],
        json!([["d0KL1", "a0QL1"], ["z0QL1", "d0KL1"]])
    );
    assert_eq!(
        game["moves"][0]["castling"],
        "queenside: king d0KL1-a0QL1, rook z0QL1-d0KL1"
    );
}

#[test]
fn an_illegal_move_says_why_and_where() {
    let pinned = "W:4/4/1K2/4,N:4/4/1N2/4,B:1r2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9";
    let mut page = Page::playing("both", pinned);
    let event = page.send(json!({"type": "move", "text": "b4N-c6N"}));
    let expected = json!({
        "type": "illegal",
        "text": "the knight on b4N is pinned to its king",
        "squares": ["b4N", "b8B"],
    });
    assert_eq!(event, expected);
    // A pawn that could not move whatever it became.
    let pinned = "W:4/4/4/4,N:4/4/4/4,B:4/rP1K/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9";
    let mut page = Page::playing("both", pinned);
    let event = page.send(json!({"type": "move", "text": "b7B-b8B"}));
    assert_eq!(event["text"], "the pawn on b7B is pinned to its king");
    let event = page.send(json!({"type": "move", "text": "nonsense"}));
    assert_eq!(
        (&event["type"], &event["squares"]),
        (&json!("illegal"), &json!([]))
    );
}

#[test]
fn promotions_are_choices_of_one_target() {
    let page = &mut Page::playing("both", CASTLING);
    let game = page.game(json!({"type": "limit", "limit": {"depth": 1}}));
    let promotions: Vec<&Value> = game["legal"]
        .as_array()
        .expect("moves")
        .iter()
        .filter(|mv| mv["to"] == json!(["b8B"]) && mv["from"] == "b7B")
        .map(|mv| &mv["promotion"])
        .collect();
    assert_eq!(promotions, ["q", "r", "b", "n"]);
    let event = page.send(json!({"type": "move", "text": "b7B-b8B"}));
    assert_eq!(
        event["text"],
        "the move promotes a pawn: add =Q, =R, =B or =N"
    );
    assert_eq!(page.play("b7B-b8B=N")["type"], "game");
}

#[test]
fn a_draw_is_claimed_when_it_can_be() {
    let mut page = Page::new();
    assert!(page.error(json!({"type": "claim"})).contains("claim"));
    let game = page.game(json!({"type": "new", "side": "both", "position": FIFTY_MOVES}));
    assert_eq!(game["claims"], json!(["fifty-move rule"]));
    let game = page.game(json!({"type": "claim"}));
    let ended = "draw claimed by the fifty-move rule. 1/2-1/2";
    assert_eq!(
        (&game["status"], &game["over"]),
        (&json!(ended), &json!(true))
    );
    assert_eq!((&game["legal"], &game["claims"]), (&json!([]), &json!([])));
    // The position stays.
    assert_eq!(game["position"], FIFTY_MOVES);
    let error = "The game is over: draw claimed by the fifty-move rule.";
    assert_eq!(page.error(json!({"type": "go"})), error);
}

#[test]
fn the_engine_replies_and_its_moves_are_undone_with_the_users() {
    let mut page = Page::new();
    page.game(json!({"type": "limit", "limit": {"depth": 2}}));
    let game = page.play("b2W-b4N");
    assert_eq!(
        (&game["thinking"], &game["legal"]),
        (&json!(true), &json!([]))
    );
    assert_eq!(
        page.error(json!({"type": "move", "text": "b7B-b5N"})),
        "It is not your turn."
    );
    let events = page.reply();
    let kinds: Vec<&Value> = events.iter().map(|event| &event["type"]).collect();
    assert_eq!(kinds, ["thinking", "thinking", "game"]);
    let game = &events[2];
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&game["side_to_move"], &game["thinking"]),
        (&json!("white"), &json!(false))
    );
    let game = page.game(json!({"type": "undo"}));
    assert_eq!(game["moves"], json!([]));
}

#[test]
fn a_game_is_restored_and_the_engine_goes_on_when_the_mode_is_shown() {
    let mut page = Page::new();
    let limit = json!({"depth": 1});
    page.game(json!({"type": "limit", "limit": limit}));
    let game = page.play("b2W-b4N");
    let mut other = Page::new();
    let restore = json!({"type": "restore", "saved": game["saved"], "limit": limit});
    let restored = other.game(restore);
    for key in ["position", "moves", "side", "last", "limit"] {
        assert_eq!(restored[key], game[key], "{key}");
    }
    assert_eq!(restored["thinking"], false);
    other.tridim.shown(&mut other.harness.context);
    assert_eq!(other.harness.events()[0]["thinking"], true);
    let after = other.reply().pop().expect("the state");
    assert_eq!(after["moves"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let mut page = Page::new();
    let before = page.game(json!({"type": "limit", "limit": {"seconds": 0.5}}));
    let restore = |saved: Value| json!({"type": "restore", "saved": saved, "limit": {"depth": 1}});
    for (request, expected) in [
        (
            json!({"type": "new", "side": "white", "position": "W:4 w -"}),
            "board W: found 1 rank",
        ),
        (
            json!({"type": "limit", "limit": {"seconds": 0}}),
            "Invalid limit",
        ),
        (
            json!({"type": "limit", "limit": {"seconds": 1e300}}),
            "Invalid limit",
        ),
        (
            json!({"type": "limit", "limit": {"depth": 65}}),
            "Invalid limit",
        ),
        (
            restore(json!(["rotation off", "move b2W-b5N"])),
            "line 2: the pawn on b2W cannot",
        ),
        (restore(json!(["walk"])), "line 1: invalid action 'walk'"),
        (json!({"type": "release"}), "No board is activated."),
        (json!({"type": "redo"}), "No move to redo."),
    ] {
        let error = page.error(request);
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(
        page.game(json!({"type": "limit", "limit": {"seconds": 0.5}})),
        before
    );
}

#[test]
fn an_activated_board_can_be_released() {
    let activated = CASTLING.replace(" w ", " w@QL1 ");
    let mut page = Page::playing("both", &activated);
    let game = page.game(json!({"type": "limit", "limit": {"depth": 1}}));
    assert_eq!(game["activated"], "QL1");
    assert_eq!(texts(&game, "piece"), [""; 0]);
    let game = page.game(json!({"type": "release"}));
    assert_eq!(
        (&game["activated"], &game["position"]),
        (&Value::Null, &json!(CASTLING))
    );
}

#[test]
fn typed_moves_are_read_and_not_played() {
    let mut page = Page::playing("both", CASTLING);
    for text in ["O-O", "0-0"] {
        let event = page.send(json!({"type": "typed", "text": text}));
        assert_eq!(event, json!({"type": "typed", "text": "O-O"}));
    }
    // The king on its rook's square: castling is what is meant.
    let event = page.send(json!({"type": "typed", "text": "Kd0KL1-e0KL1"}));
    assert_eq!(event["type"], "illegal");
    assert_eq!(
        event["text"],
        "e0KL1 is occupied by a piece of the same side; to castle, type O-O"
    );
    assert_eq!(event["squares"], json!(["e0KL1"]));
    let game = page.play("O-O");
    let time = game["moves"][0]["time"].as_str().expect("a time");
    assert!(time.starts_with("20") && time.ends_with('Z'), "{time}");
}

#[test]
fn a_hint_is_a_legal_move_that_is_not_played() {
    let mut page = Page::new();
    page.game(json!({"type": "limit", "limit": {"depth": 1}}));
    let game = page.game(json!({"type": "hint"}));
    assert_eq!(game["thinking"], true);
    let events = page.reply();
    let hint = events.last().expect("the hint");
    assert_eq!(hint["type"], "hint");
    let game = page.game(json!({"type": "limit", "limit": {"depth": 1}}));
    assert_eq!(game["moves"], json!([]));
    let text = hint["text"].as_str().expect("a move");
    assert!(
        ["piece", "board"]
            .iter()
            .any(|kind| texts(&game, kind).contains(&text.to_owned()))
    );
}

#[test]
fn the_places_that_the_king_crosses_are_judged_for_information() {
    let rook = CASTLING.replace("B:4/1P2", "B:2r1/4");
    let mut page = Page::new();
    let game = page.game(json!({"type": "new", "side": "both", "position": rook}));
    let of = |kind: &str| {
        let all = game["castling"].as_array().expect("a list");
        all.iter().find(|one| one["kind"] == kind).expect("a kind")
    };
    assert_eq!(of("queenside")["open"], true);
    assert_eq!(
        of("queenside")["crossed"],
        json!([{"column": "c0", "attackers": ["c8B"]}, {"column": "b0", "attackers": []}])
    );
    assert_eq!(of("kingside on KL")["crossed"], json!([]));
}

#[test]
fn a_game_is_kept_in_the_library_and_continued_there() {
    let folder = TempDir::new("board tridim library");
    let library = Library::at(folder.directory().to_owned());
    let mut pages = [Page::new(), Page::new()];
    for page in &mut pages {
        page.harness.context.library = library.clone();
    }
    let [one, other] = &mut pages;
    let game = one.game(json!({"type": "new", "side": "both"}));
    assert_eq!(library.games().expect("a folder"), []);
    let game = one.play(game["legal"][0]["text"].as_str().expect("a move"));
    let texts = || {
        library
            .games()
            .expect("a folder")
            .into_iter()
            .filter_map(|id| library.read(&id).ok()?)
    };
    let lines = |game: &Value| serde_json::from_value::<Vec<String>>(game["saved"].clone());
    let text = |game: &Value| {
        let lines = lines(game).expect("lines").join("\n");
        (
            GameKind::Tridim,
            format!("castellan tridim game 1\n{lines}\n"),
        )
    };
    assert_eq!(texts().collect::<Vec<_>>(), [text(&game)]);
    // Another page goes on with it, and then the first one, with a game of its own.
    let limit = json!({"depth": 1});
    let restore =
        json!({"type": "restore", "saved": game["saved"], "id": game["id"], "limit": limit});
    let restored = other.game(restore);
    let longer = other.play(restored["legal"][0]["text"].as_str().expect("a move"));
    assert_eq!(longer["id"], game["id"]);
    assert_eq!(texts().collect::<Vec<_>>(), [text(&longer)]);
    let request = json!({"type": "move", "text": game["legal"][1]["text"]});
    let request = serde_json::from_value(request).expect("a request");
    one.tridim.handle(request, &mut one.harness.context);
    let events = one.harness.events();
    assert!(
        events[0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("changed elsewhere"))
    );
    assert_ne!(events[1]["id"], game["id"]);
    assert_eq!(
        texts().collect::<Vec<_>>(),
        [text(&events[1]), text(&longer)]
    );
}
