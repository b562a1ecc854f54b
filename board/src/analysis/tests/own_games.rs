//! Own games, and drawings.

use game::library::{Entry, GameId, GameKind, Library};
use serde_json::{Value, json};
use test_common::TempDir;

use super::{Page, node};

#[test]
fn the_moves_of_own_games_are_shown_with_their_results() {
    let folder = TempDir::new("board own games");
    let mut page = Page::new();
    let library = Library::at(folder.directory().to_owned());
    page.harness.context.library = library.clone();
    let keep = |pgn: &str| {
        library
            .keep(&mut Entry::default(), GameKind::Chess, pgn)
            .expect("written");
    };
    keep("[White \"Ada\"]\n\n1. e4 e5 1-0\n\n");
    keep("[White \"Ada\"]\n\n1. d4 0-1\n\n");
    keep("[White \"Ada\"]\n\n1. e4 c5 *\n\n");
    keep("[White \"Bo\"]\n\n1. c4 1-0\n\n");
    page.harness.context.names.lichess = "ada".to_owned();
    let moves = |events: &[Value], side: usize| -> Vec<String> {
        let moves = events[0]["own_games"][side].as_array().expect("moves");
        let texts = moves.iter().map(|mv| {
            let san = mv["san"].as_str().expect("SAN");
            let [wins, draws, losses, score] =
                ["wins", "draws", "losses", "score"].map(|key| &mv[key]);
            format!("{san} {wins} {draws} {losses} {score}")
        });
        texts.collect()
    };
    let events = page.send(json!({"type": "own_games", "on": true}));
    // The latest game first.
    assert_eq!(moves(&events, 0), ["d4 0 0 1 0.0", "e4 1 0 0 100.0"]);
    assert_eq!(moves(&events, 1), [""; 0]);
    // The games of a file are kept, then shown too, and deleted again.
    let text = "[Black \"Ada\"]\n\n1. e4 c5 1/2-1/2\n\n[Black \"ADA\"]\n\n1. e4 e6 0-1\n\n";
    let choices = page.send(json!({"type": "load_pgn", "text": text}));
    let own = json!({"color": "black", "result": "drew"});
    assert_eq!(choices[0]["games"][0]["own"], own);
    let kept = page.send(json!({"type": "keep_choices"}));
    assert_eq!(kept, [json!({"type": "kept", "count": 2, "choices": true})]);
    assert_eq!(library.games().expect("a folder").len(), 6);
    let events = page.send(json!({"type": "go", "node": 0}));
    assert_eq!(moves(&events, 1), ["e4 1 1 0 75.0"]);
    let deleted = page.send(json!({"type": "delete_kept"}));
    assert_eq!(deleted, [json!({"type": "kept_deleted", "count": 2})]);
    assert_eq!(library.games().expect("a folder").len(), 4);
    // Under another name.
    page.harness.context.names.lichess = "bo".to_owned();
    page.analysis.forget_own_games();
    let events = page.send(json!({"type": "go", "node": 0}));
    assert_eq!(moves(&events, 0), ["c4 1 0 0 100.0"]);
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
        let [kept, game] = page.send(json!({"type": "keep"})).try_into().expect("two");
        assert_eq!(kept, json!({"type": "kept", "count": 1, "choices": false}));
        game
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
    let (_, text) = library.read(&first).expect("read").expect("a game");
    page.send(json!({"type": "load_pgn", "text": text, "id": first}));
    page.send(json!({"type": "delete", "node": 2}));
    let game = keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 {Best} *"]);
    let restore = json!({"type": "restore", "pgn": "1. e4 c6 *", "path": [], "id": first,
        "based_on": game["based_on"]});
    page.send(restore);
    keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 c6 *"]);
    // What was undone is the game before, with its own name.
    page.send(json!({"type": "load_pgn", "text": "1. c4 *", "id": null}));
    page.send(json!({"type": "undo"}));
    keep(&mut page);
    assert_eq!(texts(), ["1. d4 *", "1. e4 c6 *"]);
}

#[test]
fn what_others_have_changed_meanwhile_stays() {
    let folder = TempDir::new("board kept by two");
    let library = Library::at(folder.directory().to_owned());
    let mut page = Page::new();
    page.harness.context.library = library.clone();
    let text = |id: &GameId| {
        let (_, pgn) = library.read(id).expect("read").expect("a game");
        pgn.trim_end().rsplit('\n').next().map(str::to_owned)
    };
    page.load("1. e4 e5 1-0");
    page.send(json!({"type": "keep"}));
    let id = library.games().expect("a folder").remove(0);
    let annotate = |before: &str, after: &str| {
        let changed = library.change(&id, |_, pgn| Some(pgn.replace(before, after)));
        changed.expect("written");
    };
    annotate("1. e4", "1. e4 $6 {[%eval 0.20] Slow.} 1...");
    page.send(json!({"type": "comment", "node": 1, "text": "Best"}));
    let events = page.send(json!({"type": "keep"}));
    let message = events.last().expect("an event")["text"].as_str();
    assert!(
        message.is_some_and(|text| text.contains("both changes")),
        "{events:?}"
    );
    let both = "1. e4 $6 {[%eval 0.20] Best Slow.} 1... e5 1-0";
    assert_eq!(text(&id).as_deref(), Some(both));
    // What the page has removed is gone all the same, and nothing else.
    page.send(json!({"type": "undo"}));
    page.send(json!({"type": "keep"}));
    let theirs = "1. e4 $6 {[%eval 0.20] Slow.} 1... e5 1-0";
    assert_eq!(text(&id).as_deref(), Some(theirs));
    // After a new start, with which it is not known what the page has read.
    let restore = json!({"type": "restore", "pgn": "1. e4 e5 {Good} 1-0", "path": [], "id": id});
    page.send(restore.clone());
    page.send(json!({"type": "keep"}));
    assert_eq!(text(&id), Some(theirs.replace("e5", "e5 {Good}")));
    // Both have other moves: each is kept, also when the page goes on.
    annotate("e5", "c5");
    page.send(json!({"type": "go", "node": 2}));
    page.send(json!({"type": "move", "text": "g1f3"}));
    let events = page.send(json!({"type": "keep"}));
    let message = events.last().expect("an event")["text"].as_str();
    assert!(
        message.is_some_and(|text| text.contains("of its own")),
        "{events:?}"
    );
    page.send(json!({"type": "undo"}));
    page.send(json!({"type": "keep"}));
    let [new, old] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("two games");
    assert_eq!(old, id);
    assert_eq!(text(&new).as_deref(), Some("1. e4 e5 {Good} 1-0"));
    assert_eq!(text(&old), Some(theirs.replace("e5", "c5 {Good}")));
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
