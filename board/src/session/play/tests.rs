//! Games played through requests, as a page plays them.

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Play, Request};
use crate::session::harness::Harness;
use crate::session::{Mode, Report};

mod library;

struct Game {
    play: Play,
    harness: Harness,
    /// The last state.
    view: Value,
    /// The events since the last request, without states.
    others: Vec<Value>,
}

impl Game {
    fn new(new: Value) -> Game {
        let harness = Harness::new();
        let play = Play::new();
        let mut game = Game {
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

    fn both(fen: &str) -> Game {
        Game::new(json!({"side": "both", "start": {"kind": "fen", "fen": fen}}))
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
            self.request(json!({"type": "typed", "text": text}));
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
    game.request(json!({"type": "move", "uci": "e1e2"}));
    assert_eq!(game.text(), "The game is over.");
    game.simple("takeback");
    assert_eq!(game.view["result"], Value::Null);
    game.simple("redo");
    assert_eq!(game.view["result"]["result"], "0-1");
}

#[test]
fn the_engine_replies_and_takebacks_undo_both_moves() {
    let mut game = Game::new(json!({"side": "black", "move_time": 50, "elo": 800}));
    assert_eq!(game.view["thinking"], "move");
    assert_eq!(game.view["can_take_back"], false);
    game.engine();
    assert_eq!(
        (game.plies(), game.view["movable"].as_str()),
        (1, Some("black"))
    );
    // The engine has moved first: there is no move of the user's to take back.
    game.simple("takeback");
    assert_eq!(game.text(), "No move to undo.");
    let uci = game.view["legal"][0]["uci"].clone();
    game.request(json!({"type": "move", "uci": uci}));
    assert_eq!(
        (game.plies(), game.view["thinking"].as_str()),
        (2, Some("move"))
    );
    game.request(json!({"type": "move", "uci": "e7e5"}));
    assert_eq!(game.text(), "It is not your turn.");
    game.engine();
    assert_eq!(game.plies(), 3);
    game.simple("takeback");
    assert_eq!(game.plies(), 1);
    game.simple("redo");
    assert_eq!(game.plies(), 3);
    // While the engine thinks, it undoes one.
    game.simple("takeback");
    game.request(json!({"type": "move", "uci": uci}));
    game.simple("takeback");
    assert_eq!((game.plies(), game.view["thinking"].as_str()), (1, None));
}

#[test]
fn illegal_moves_change_nothing() {
    let mut game = Game::both("r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1");
    let before = game.view.clone();
    for request in [
        json!({"type": "move", "uci": "e1g1"}),
        json!({"type": "explain", "from": "e1", "to": "g1"}),
        json!({"type": "typed", "text": "O-O"}),
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
fn claims_are_announced() {
    let mut game = Game::both("4k3/8/8/8/8/8/8/R3K3 w - - 98 90");
    assert_eq!(
        (&game.view["claims"], &game.view["claims_with"]),
        (&json!([]), &json!([]))
    );
    game.simple("claim_draw");
    assert!(
        game.text().starts_with("Draw cannot be claimed"),
        "{}",
        game.text()
    );
    game.moves(&["Ra2"]);
    let with = game.view["claims_with"].as_array().expect("a list");
    let (san, rule) = (json!("Kd7"), json!("fifty-move rule"));
    assert!(
        with.iter()
            .any(|claim| claim["san"] == san && claim["rule"] == rule)
    );
    game.moves(&["Kd7"]);
    assert_eq!(game.view["claims"], json!(["fifty-move rule"]));
    game.simple("claim_draw");
    assert_eq!(
        game.view["result"],
        json!({"text": "Draw claimed by the fifty-move rule.", "result": "1/2-1/2"})
    );
    // The board still shows the end of that game.
    assert_eq!(game.sans(), ["Ra2", "Kd7"]);
    assert!(
        game.view["fen"]
            .as_str()
            .expect("a FEN")
            .starts_with("8/3k4/8")
    );
    game.request(json!({"type": "move", "uci": "e2e4"}));
    assert_eq!(game.text(), "The game is over.");
}

#[test]
fn a_claim_with_an_intended_move() {
    let mut game = Game::new(json!({"side": "both"}));
    game.moves(&["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]);
    let with = json!([{"uci": "f6g8", "san": "Ng8", "rule": "threefold repetition"}]);
    assert_eq!(game.view["claims_with"], with);
    game.request(json!({"type": "claim_draw_with", "uci": "f6g8"}));
    assert_eq!(
        game.view["result"]["text"],
        "Draw claimed by threefold repetition."
    );
    let pgn = game.view["pgn"]
        .as_str()
        .expect("a text")
        .replace('\n', " ");
    assert!(pgn.contains("threefold repetition with Ng8"), "{pgn}");
}

#[test]
fn a_premove_is_played_if_it_is_legal() {
    let start = json!({"kind": "fen", "fen": "7k/8/8/8/8/8/p7/1n5K w - - 0 1"});
    let mut game = Game::new(json!({"side": "black", "move_time": 50, "start": start}));
    let premove = json!({"type": "premove", "from": "a2", "to": "a1", "promotion": "r"});
    game.request(premove.clone());
    assert_eq!(
        game.view["premoves"][0],
        json!({"from": "a2", "to": "a1", "promotion": "rook"})
    );
    game.simple("cancel_premove");
    assert_eq!(game.view["premoves"], json!([]));
    game.request(premove);
    game.engine();
    assert_eq!(game.sans()[1..], ["a1=R"]);
    game.request(json!({"type": "premove", "from": "h8", "to": "h1", "promotion": null}));
    game.engine();
    // It was illegal: it is forgotten.
    assert_eq!((game.plies(), &game.view["premoves"]), (3, &json!([])));
}

#[test]
fn premoves_wait_in_a_row() {
    let start = json!({"kind": "fen", "fen": "7k/8/8/8/8/8/p7/1n5K w - - 0 1"});
    let mut game = Game::new(json!({"side": "black", "move_time": 50, "start": start}));
    for (from, to, promotion) in [
        ("a2", "a1", json!("r")),
        ("a1", "a5", Value::Null),
        ("a5", "h8", Value::Null),
        ("a5", "a6", Value::Null),
    ] {
        let premove = json!({"type": "premove", "from": from, "to": to, "promotion": promotion});
        game.request(premove);
    }
    game.engine();
    assert_eq!(game.view["premoves"].as_array().map(Vec::len), Some(3));
    game.engine();
    assert_eq!(game.sans()[3..], ["Ra5"]);
    // Those after an illegal one are forgotten with it.
    game.engine();
    assert_eq!((game.plies(), &game.view["premoves"]), (5, &json!([])));
}

#[test]
fn flags_fall_by_the_clock_of_the_server() {
    let mut game = Game::new(json!({"side": "both", "clock": "0.01+0"}));
    // The clocks start with the first move.
    assert_eq!(game.play.time_left(), None);
    game.moves(&["e4"]);
    assert_eq!(game.view["clocks"]["running"], "black");
    assert_eq!(game.view["clocks"]["white"], 600);
    let left = game.play.time_left().expect("a running clock");
    sleep(left + Duration::from_millis(1));
    assert_eq!(game.play.time_left(), Some(Duration::ZERO));
    game.play.check_clock(&mut game.harness.context);
    game.take_events();
    assert_eq!(
        game.view["result"],
        json!({"text": "Black loses on time.", "result": "1-0"})
    );
    assert_eq!(game.view["clocks"]["black"], 0);
    assert_eq!(game.play.time_left(), None);
}

#[test]
fn the_engine_and_its_clock_wait_for_the_page() {
    let mut game = Game::new(json!({"clock": "1+0"}));
    game.moves(&["e4"]);
    assert_eq!(game.view["thinking"], "move");
    assert!(game.play.time_left().is_some());
    // The page shows another mode.
    game.harness.context.stop(Mode::Play);
    game.play.hidden();
    assert_eq!(game.play.time_left(), None);
    game.play.shown(&mut game.harness.context);
    assert!(game.play.time_left().is_some());
    game.engine();
    assert_eq!(
        (game.plies(), game.view["clocks"]["running"].as_str()),
        (2, Some("white"))
    );
}

#[test]
fn draws_and_resignations() {
    let mut two = Game::new(json!({"side": "both"}));
    two.simple("offer_draw");
    assert_eq!(two.view["result"]["text"], "Draw by agreement.");

    // The engine is a queen up, then a queen down.
    let fen = |piece| format!("4k3/8/8/8/8/8/8/{piece}3K3 w - - 0 1");
    for (piece, result) in [("q", Value::Null), ("Q", json!("1/2-1/2"))] {
        let start = json!({"kind": "fen", "fen": fen(piece)});
        let mut game = Game::new(json!({"move_time": 50, "start": start}));
        game.simple("offer_draw");
        game.engine();
        assert_eq!(game.view["result"]["result"], result, "{piece}");
        if piece == "q" {
            assert_eq!(game.text(), "Castellan declines the draw: it is better.");
            assert_eq!(game.view["can_offer_draw"], false);
        }
    }

    let mut game = Game::new(json!({"side": "black", "move_time": 50}));
    game.simple("resign");
    assert_eq!(
        game.view["result"],
        json!({"text": "Black resigns.", "result": "1-0"})
    );
    assert_eq!(game.view["thinking"], Value::Null);
}

#[test]
fn a_hint_is_a_legal_move_and_costs_no_time() {
    let mut game = Game::new(json!({"move_time": 50, "clock": "1+0"}));
    game.simple("hint");
    assert_eq!(game.view["thinking"], "hint");
    game.engine();
    let hint = game.view["hint"]["uci"].clone();
    game.request(json!({"type": "move", "uci": hint}));
    assert_eq!((game.plies(), &game.view["hint"]), (1, &Value::Null));
}

#[test]
fn a_saved_game_is_restored() {
    let mut game = Game::new(
        json!({"side": "white", "elo": 900, "move_time": 50, "clock": "5+3",
               "start": {"kind": "chess960", "number": 42}}),
    );
    let uci = game.view["legal"][0]["uci"].clone();
    game.request(json!({"type": "move", "uci": uci}));
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
        format!("{} at 900", game::NAME)
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

#[test]
fn a_rematch_changes_sides_and_keeps_the_rest() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    let start = json!({"kind": "fen", "fen": fen});
    let mut game =
        Game::new(json!({"start": start, "clock": "3+2", "elo": 1200, "move_time": null}));
    game.simple("rematch");
    assert_eq!(game.text(), "The game is not over.");
    game.moves(&["Re8#"]);
    game.simple("rematch");
    assert_eq!((game.plies(), &game.view["side"]), (0, &json!("black")));
    assert_eq!(game.view["start"]["fen"], fen);
    assert_eq!(game.view["clocks"]["control"], "180+2");
    let white = game.view["players"]["white"].as_str().expect("a name");
    assert!(white.ends_with(" at 1200"), "{white}");
    assert_eq!(game.view["thinking"], "move");
}

#[test]
fn a_paused_game_waits() {
    let mut game = Game::new(json!({"side": "both"}));
    game.moves(&["e4"]);
    assert_eq!(game.view["can_pause"], false);
    let mut game = Game::new(json!({"side": "both", "clock": "3+2"}));
    game.simple("pause");
    assert_eq!(game.text(), "The game has no clocks that run.");
    game.moves(&["e4", "e5"]);
    assert_eq!(game.view["can_pause"], true);
    game.simple("pause");
    assert_eq!(
        (&game.view["paused"], game.play.time_left()),
        (&json!(true), None)
    );
    game.request(json!({"type": "typed", "text": "Nf3"}));
    assert_eq!(game.text(), "The game is paused.");
    let saved = game.view["saved"].clone();
    game.request(json!({"type": "restore", "saved": saved}));
    assert_eq!(
        (&game.view["paused"], game.play.time_left()),
        (&json!(true), None)
    );
    game.simple("resume");
    assert!(game.play.time_left().is_some());
    game.moves(&["Nf3"]);
    assert_eq!(game.view["paused"], false);
}

#[test]
fn the_review_names_the_blunder_and_judges_other_moves() {
    let mut game = Game::new(json!({"side": "black", "move_time": 50}));
    game.simple("review");
    assert_eq!(game.text(), "The game is not over.");
    let mut game = Game::new(json!({"side": "both"}));
    game.moves(&["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"]);
    game.simple("review");
    let mut total = 0;
    while game
        .others
        .last()
        .is_none_or(|event| event["type"] != "review")
    {
        assert!(
            game.others
                .iter()
                .all(|event| event["type"] == "review_progress")
        );
        total += 1;
        game.engine();
    }
    assert!(total > 7, "{total}");
    let review = game.others.pop().expect("the review");
    let mistakes = review["mistakes"].as_array().expect("mistakes");
    let blunder = mistakes.iter().find(|mistake| mistake["ply"] == 5);
    let blunder = blunder.expect("3... Nf6 allows mate");
    assert_eq!(
        (&blunder["san"], &blunder["mark"]),
        (&json!("Nf6"), &json!("??"))
    );
    assert_eq!(
        (&blunder["after"], &blunder["own"]),
        (&json!({"mate": 1}), &json!(true))
    );
    assert_eq!(blunder["reason"], "Allows mate in 1.");
    assert_eq!(review["positions"].as_array().map(Vec::len), Some(8));
    assert_eq!(review["positions"][6]["score"], json!({"mate": 1}));
    assert!(
        review["moments"]
            .as_array()
            .is_some_and(|plies| plies.contains(&json!(5)))
    );
    assert!(review["black"]["blunders"].as_u64() >= Some(1));
    assert!(
        review["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("WhiteAccuracy"))
    );
    // Another move that allows mate, one that does not, and the best one.
    for (uci, good) in [("a7a6", false), ("g7g6", true)] {
        game.request(json!({"type": "try", "ply": 5, "uci": uci}));
        if game.others.is_empty() {
            game.engine();
        }
        let tried = game.others.last().expect("an answer");
        assert_eq!(
            (&tried["uci"], &tried["good"]),
            (&json!(uci), &json!(good)),
            "{tried}"
        );
    }
    game.request(json!({"type": "try", "ply": 5, "uci": blunder["best"]["uci"]}));
    assert!(
        game.text().ends_with("is the best move."),
        "{}",
        game.text()
    );
    game.request(json!({"type": "try", "ply": 99, "uci": "e2e4"}));
    assert_eq!(game.text(), "There is no such move in the review.");
    // A game that goes on has none.
    game.simple("takeback");
    game.request(json!({"type": "try", "ply": 5, "uci": "g7g6"}));
    assert_eq!(game.text(), "There is no such move in the review.");
}
