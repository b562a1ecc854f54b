//! Games and positions that are loaded or restored.

use serde_json::json;
use test_common::positions::variants;

use super::{GAME, Page, movetext, node};
use crate::messages::MAX_REQUEST_BYTES;

#[test]
fn a_game_is_loaded_up_to_an_illegal_move() {
    let mut page = Page::new();
    for text in [
        "1. e4 e5 (1... c5) 2. Ke3 Nc6 *",
        "1. d4 *\n\n[Event \"b\"]\n\n1. e4 e5 (1... c5) 2. Ke3 Nc6 *",
    ] {
        let mut events = page.send(json!({"type": "load_pgn", "text": text}));
        if events[0]["type"] == "choices" {
            assert_eq!(events[0]["games"][1]["moves"], 1);
            events = page.send(json!({"type": "choose", "game": 1}));
        }
        let said = events.pop().expect("events");
        assert_eq!(said["type"], "note");
        let text = said["text"].as_str().expect("a text");
        assert!(
            text.starts_with("The game is loaded up to there: game "),
            "{text}"
        );
        assert!(text.contains("move 2.: "), "{text}");
        assert_eq!(events.pop(), Some(json!({"type": "opened"})));
        let game = movetext(&events[0]);
        assert!(game.starts_with("1. e4 e5 {"), "{game}");
        assert!(game.ends_with("} (1... c5) *"), "{game}");
    }
}

#[test]
fn one_of_several_games_is_chosen() {
    let mut page = Page::new();
    let games = "[Event \"One\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"Two\"]\n\n1. e5 *\n\n\
                 [Event \"Three\"]\n[White \"<i>\"]\n\n1. d4 *\n";
    let events = page.send(json!({"type": "load_pgn", "text": games}));
    let choices = &events[0]["games"];
    assert_eq!((events.len(), &events[0]["type"]), (1, &json!("choices")));
    assert_eq!(
        (&choices[0]["heading"]["event"], &choices[0]["moves"]),
        (&json!("One"), &json!(2))
    );
    let error = choices[1]["error"].as_str().expect("an error");
    assert!(error.starts_with("game 2, line 7, "), "{error}");
    assert!(
        page.error(json!({"type": "choose", "game": 1}))
            .starts_with("game 2")
    );
    let (game, _) = page.shown(json!({"type": "choose", "game": 2}));
    assert_eq!(
        (movetext(&game), &game["heading"]["white"]["name"]),
        ("1. d4 *".to_owned(), &json!("<i>"))
    );
}

#[test]
fn a_game_is_restored_at_its_position() {
    let mut page = Page::new();
    let game = page.load(GAME);
    let events = page.send(json!({"type": "go", "node": node(&game, "d4 Nf6")}));
    let (pgn, path) = (&game["pgn"], &events[0]["path"]);
    let mut later = Page::new();
    let (restored, position) = later.shown(json!({"type": "restore", "pgn": pgn, "path": path}));
    assert_eq!(restored["pgn"], game["pgn"]);
    assert_eq!(position["fen"], events[0]["fen"]);
    // A path that leaves the tree ends there.
    let (_, position) = later.shown(json!({"type": "restore", "pgn": pgn, "path": [0, 9, 9]}));
    assert_eq!(position["path"], json!([0]));
}

/// The page requests it as JSON, in which each quotation mark counts twice.
#[test]
fn a_game_that_could_not_be_restored_is_refused() {
    let mut page = Page::new();
    let comment = |lines: usize| format!("1. e4 {{{}}} *", ("\"".repeat(70) + "\n").repeat(lines));
    let game = page.load(&comment(20_000));
    let restored = json!({"mode": "analysis", "request": {"type": "restore", "pgn": game["pgn"], "path": [0]}});
    assert!(restored.to_string().len() < MAX_REQUEST_BYTES);
    let text = comment(30_000);
    assert!(text.len() < MAX_REQUEST_BYTES);
    let error = page.error(json!({"type": "load_pgn", "text": text}));
    assert!(error.contains("too large"), "{error}");
    let unchanged = page.send(json!({"type": "go", "node": node(&game, "e4")}));
    assert_eq!(unchanged[0]["type"], "position");
}

/// A pasted FEN tells its variant; one from the editor has its checkbox.
#[test]
fn the_variant_of_a_fen() {
    let mut page = Page::new();
    for [fen, variant, rights, in_standard] in variants() {
        let named = fen.split(' ').nth(2).expect("castling").len();
        let chess960 = variant == "chess960";
        for (told, chess960, rights) in [
            (json!(null), chess960, rights),
            (json!(false), false, in_standard),
        ] {
            let events = page.send(json!({"type": "load_fen", "fen": fen, "chess960": told}));
            let of = |kind: &str| {
                events
                    .iter()
                    .filter(|event| event["type"] == kind)
                    .collect::<Vec<_>>()
            };
            assert_eq!(of("game")[0]["chess960"], chess960, "{fen}");
            let read = of("position")[0]["fen"].as_str().expect("a FEN");
            assert_eq!(read.split(' ').nth(2), Some(rights), "{fen}");
            let kept = rights.trim_start_matches('-').len();
            assert_eq!(of("note").len(), named - kept, "{fen}");
        }
    }
}

#[test]
fn castling_with_a_king_that_is_not_at_home_is_refused_with_the_reason() {
    let mut page = Page::new();
    page.send(json!({"type": "load_fen", "fen": "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1"}));
    let refused = &page.send(json!({"type": "move", "text": "O-O"}))[0];
    let text = refused["text"].as_str().expect("a reason");
    assert!(text.contains("the king stands on f1, not on e1"), "{text}");
}

#[test]
fn a_null_move_in_a_variation_is_kept() {
    let mut page = Page::new();
    let text = "1. e4 e5 2. Nf3 (2. -- d5 {threat}) 2... Nc6 *";
    let game = page.load(text);
    let pgn = game["pgn"].as_str().expect("a text").to_owned();
    assert!(pgn.contains("2. Nf3 (2. -- d5 {threat}) 2... Nc6"), "{pgn}");
    let shown = page.send(json!({"type": "go", "node": 5}));
    assert!(
        shown[0]["fen"]
            .as_str()
            .is_some_and(|fen| fen.contains(" w ")),
        "{shown:?}"
    );
}
