//! Files that cannot be written or were damaged, sizes, and the variant of a FEN.

use std::fs::{self, OpenOptions};

use formats::pgn::MAX_DEPTH;
use serde_json::json;
use test_common::TempDir;
use test_common::positions::variants;

use super::{Library, Page};
use crate::messages::MAX_REQUEST_BYTES;

#[test]
fn a_move_that_was_not_kept_is_kept_with_the_next() {
    let folder = TempDir::new("board failed");
    let [games, away] = ["games", "away"].map(|name| folder.directory().join(name));
    let library = Library::at(games.clone());
    let mut page = Page::open(&library);
    page.answers("play", &json!({"type": "new", "side": "both"}));
    let mut play = |text: &str| {
        let events = page.answers("play", &json!({"type": "move", "text": text}));
        let (state, notes) = events.split_last().expect("the state");
        assert_eq!(state["type"], "game");
        let notes = notes.iter().map(|note| note["text"].as_str());
        notes.flatten().map(str::to_owned).collect::<String>()
    };
    assert_eq!(play("e4"), "");
    // No folder can be where a file is.
    fs::rename(&games, &away).expect("renamed");
    fs::write(&games, "").expect("written");
    assert!(play("e5").contains("games"));
    fs::remove_file(&games).expect("removed");
    fs::rename(&away, &games).expect("renamed");
    assert_eq!(play("Nf3"), "");
    let [id] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("a game");
    let (_, pgn) = library.read(&id).expect("read").expect("the game");
    assert!(pgn.contains("1. e4 e5 2. Nf3 *"), "{pgn}");
    // Perhaps another page has continued what cannot be read.
    let path = games.join(format!("{id}.pgn"));
    let file = OpenOptions::new().write(true).open(&path);
    let length = 1 << 40;
    file.expect("a file")
        .set_len(length)
        .expect("a sparse file");
    assert!(play("Nc6").contains("too large"));
    assert_eq!(fs::metadata(&path).expect("a file").len(), length);
}

#[test]
fn an_exercise_answered_with_a_clock_that_was_ahead_comes_again() {
    let folder = TempDir::new("board clock");
    let mut page = Page::open(&Library::at(folder.directory().to_owned()));
    let pgn = "[White \"You\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Ke2?? {[%eval -3.0]} (2. Nf3 {[%eval 0.3]}) 2... d6 1-0";
    page.answers(
        "library",
        &json!({"type": "names", "names": {"own": "You", "lichess": "", "chess_com": ""}}),
    );
    page.answers(
        "analysis",
        &json!({"type": "load_pgn", "text": pgn, "id": null}),
    );
    page.answers("analysis", &json!({"type": "keep"}));
    page.send(&json!({"mode": "show", "request": "training"}));
    let solved = page.answers("training", &json!({"type": "solve"}));
    let due = solved.last().expect("the exercise")["answer"]["due"].clone();
    let path = folder.directory().join("profile.json");
    let kept = fs::read_to_string(&path).expect("a profile");
    let ahead = kept.replace(due.as_str().expect("a date"), "2099-01-01");
    assert_ne!(kept, ahead);
    fs::write(&path, ahead).expect("written");
    let done = page.answers("training", &json!({"type": "next"}));
    let [done] = done.try_into().expect("one answer");
    assert_eq!((&done["type"], &done["next"]), (&json!("done"), &due));
    assert_eq!(fs::read_to_string(&path).expect("a profile"), kept);
}

#[test]
fn variations_are_not_nested_deeper_than_a_reader_accepts() {
    let mut page = Page::open(&Library::default());
    let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    let mut events = page.answers("analysis", &json!({"type": "load_fen", "fen": fen}));
    events.pop();
    // Of two moves in each position, the second is the variation in which the next two are.
    let mut nested = 0;
    while let Some(position) = events.pop().filter(|event| event["type"] == "position") {
        let mut play = |number: usize| {
            let mv = &position["legal"][number]["uci"];
            page.answers("analysis", &json!({"type": "move", "text": mv}))
        };
        play(0);
        page.answers("analysis", &json!({"type": "go", "node": position["node"]}));
        let mv = &position["legal"][1]["uci"];
        events = page.answers("analysis", &json!({"type": "move", "text": mv}));
        nested += 1;
    }
    assert_eq!(nested, MAX_DEPTH + 1);
}

/// The page requests it as JSON, in which each quotation mark counts twice.
#[test]
fn a_game_that_could_not_be_restored_is_refused() {
    let mut page = Page::open(&Library::default());
    let mut load = |lines: usize| {
        let text = format!("1. e4 {{{}}} *", ("\"".repeat(70) + "\n").repeat(lines));
        assert!(text.len() < MAX_REQUEST_BYTES);
        page.answers(
            "analysis",
            &json!({"type": "load_pgn", "text": text, "id": null}),
        )
    };
    let restored = json!({"type": "restore", "pgn": load(20_000)[0]["pgn"], "path": [0]});
    assert!(restored.to_string().len() < MAX_REQUEST_BYTES - 100);
    let refused = load(30_000);
    let text = refused[0]["text"].as_str().expect("a text");
    assert!(text.contains("too large"), "{text}");
}

/// A pasted FEN tells its variant; one from the editor and the inspector has a checkbox.
#[test]
fn the_variant_of_a_fen() {
    let mut page = Page::open(&Library::default());
    let castling = |fen: &str| fen.split(' ').nth(2).expect("castling").to_owned();
    for [fen, variant, rights, in_standard] in variants() {
        let dropped = |rights: &str| castling(fen).len() - rights.trim_start_matches('-').len();
        for (told, chess960, rights) in [
            (json!(null), variant == "chess960", rights),
            (json!(false), false, in_standard),
        ] {
            let request = json!({"type": "load_fen", "fen": fen, "chess960": told});
            let events = page.answers("analysis", &request);
            assert_eq!(events[0]["chess960"], chess960, "{fen}");
            let read = events[1]["fen"].as_str().expect("a FEN");
            assert_eq!(castling(read), rights, "{fen}");
            let notes = events.iter().filter(|event| event["type"] == "note");
            assert_eq!(notes.count(), dropped(rights), "{fen}");
        }
        let request = json!({"type": "inspect", "fen": fen, "chess960": false});
        let report = &page.answers("castling", &request)[0];
        let read = report["fen"].as_str().expect("a FEN");
        assert_eq!(
            (&report["chess960"], castling(read)),
            (&json!(false), in_standard.to_owned())
        );
        let notes = report["notes"].as_array().expect("notes");
        assert_eq!(notes.len(), dropped(in_standard), "{fen}");
    }
}
