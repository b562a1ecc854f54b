//! Better moves than mistakes, own games, and drawings.

use game::library::{GameId, GameKind, Library};
use serde_json::json;
use test_common::TempDir;

use super::{Page, node};

/// Black allows mate with 3... Nf6; the better move is a variation, as annotations add it.
const ANNOTATED: &str = "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Bc4 {[%eval 0.2]} Nc6 {[%eval 0.2]} \
                         3. Qh5 {[%eval 0.0]} Nf6?? {[%eval #1]} (3... g6) 4. Qxf7# 1-0";

#[test]
fn a_move_is_tried_instead_of_a_mistake() {
    let mut page = Page::new();
    let game = page.load(ANNOTATED);
    let before = node(&game, "e4 e5 Bc4 Nc6 Qh5");
    let best = page.send(json!({"type": "try", "node": before, "uci": "g7g6"}));
    assert_eq!(best[0]["good"], true);
    assert_eq!(best[0]["text"], "g6 is the best move.");
    let mut tried = |uci: &str| {
        let sent = page.send(json!({"type": "try", "node": before, "uci": uci}));
        assert_eq!(sent.len(), 0, "{sent:?}");
        page.report().expect("the search").remove(0)
    };
    let bad = tried("a7a6");
    assert_eq!(bad["text"], "a6??: try another move.");
    assert_eq!(
        (&bad["good"], &bad["node"]),
        (&json!(false), &json!(before))
    );
    assert_eq!(tried("d8e7")["text"], "Qe7 is a good move.");
    page.load("1. e4 e5");
    let error = page.error(json!({"type": "try", "node": 0, "uci": "d2d4"}));
    assert!(error.contains("annotate the game first"), "{error}");
}

#[test]
fn the_moves_of_own_games_are_shown_with_their_results() {
    let folder = TempDir::new("board own games");
    let mut page = Page::new();
    let library = Library::at(folder.directory().to_owned());
    page.harness.context.library = library.clone();
    let keep = |pgn: &str| {
        library
            .keep(&GameId::now(), GameKind::Chess, pgn)
            .expect("written");
    };
    keep("1. e4 e5 1-0\n\n");
    keep("1. d4 0-1\n\n");
    keep("1. e4 c5 *\n\n");
    let events = page.send(json!({"type": "own_games", "on": true}));
    let moves = &events[0]["own_games"];
    assert_eq!(moves.as_array().map(Vec::len), Some(2), "{moves}");
    // The games of a file are kept, and then shown too.
    page.send(json!({"type": "load_pgn", "text": "1. e4 c5 1/2-1/2\n\n1. e4 e6 1/2-1/2\n\n"}));
    let kept = page.send(json!({"type": "keep_choices"}));
    assert_eq!(kept, [json!({"type": "kept", "count": 2})]);
    assert_eq!(library.games().expect("a folder").len(), 5);
    let events = page.send(json!({"type": "go", "node": 0}));
    let e4 = &events[0]["own_games"][0];
    let results = ["white", "draws", "black"].map(|result| e4[result].as_u64());
    assert_eq!(
        (&e4["san"], results),
        (&json!("e4"), [Some(1), Some(2), Some(0)])
    );
    let events = page.send(json!({"type": "own_games", "on": false}));
    assert_eq!(events[0]["own_games"], json!(null));
}

#[test]
fn a_game_is_kept_in_place_of_its_earlier_state() {
    let folder = TempDir::new("board kept game");
    let library = Library::at(folder.directory().to_owned());
    let mut page = Page::new();
    page.harness.context.library = library.clone();
    let texts = || -> Vec<String> {
        let found = library
            .games()
            .expect("a folder")
            .into_iter()
            .filter_map(|id| library.read(&id).ok()?);
        found
            .map(|(_, pgn)| {
                pgn.trim_end()
                    .rsplit('\n')
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    };
    let keep = |page: &mut Page| {
        assert_eq!(
            page.send(json!({"type": "keep"})),
            [json!({"type": "kept", "count": 1})]
        );
    };
    page.load("1. e4 e5 *");
    keep(&mut page);
    page.send(json!({"type": "comment", "node": 1, "text": "Best"}));
    keep(&mut page);
    assert_eq!(texts(), ["1. e4 {Best} 1... e5 *"]);
    // Another game; and the first one from the library, and after a reload.
    let first = library.games().expect("a folder").remove(0);
    page.load("1. d4 *");
    keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 {Best} 1... e5 *"]);
    page.send(json!({"type": "load_pgn", "text": "1. e4 c5 *", "id": first}));
    keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 c5 *"]);
    page.send(json!({"type": "restore", "pgn": "1. e4 c6 *", "path": [], "id": first}));
    keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 c6 *"]);
    // What was undone is the game before, with its own name.
    page.send(json!({"type": "load_pgn", "text": "1. c4 *", "id": null}));
    page.send(json!({"type": "undo"}));
    keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 c6 *"]);
}

#[test]
fn drawings_are_kept_with_the_game() {
    let mut page = Page::new();
    let game = page.load("1. e4 {Good} e5");
    let e4 = node(&game, "e4");
    let shapes = json!([{"from": "e7", "to": "e5", "color": "red"}]);
    page.send(json!({"type": "go", "node": e4}));
    let (game, position) = page.shown(json!({"type": "shapes", "node": e4, "shapes": shapes}));
    assert_eq!(position["shapes"], shapes);
    let pgn = game["pgn"].as_str().unwrap_or_default();
    assert!(pgn.contains("{[%cal Re7e5] Good}"), "{pgn}");
}
