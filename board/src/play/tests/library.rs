//! Games of the library, and the names in them.

use std::fs;

use game::library::Library;
use serde_json::json;
use test_common::TempDir;

use super::{Game, Request};

#[test]
fn the_user_has_a_name_and_the_game_an_opening() {
    let mut game = Game::new(json!({"side": "black", "elo": 1000}));
    game.harness.context.names.own = " Ada  Byron ".to_owned();
    game.request(json!({"type": "new", "side": "black", "elo": 1000}));
    assert_eq!(game.view["players"]["black"], "Ada Byron");
    game.engine();
    let folder = TempDir::new("board name");
    let library = Library::at(folder.directory().to_owned());
    game.harness.context.library = library.clone();
    game.request(json!({"type": "move", "text": "a6"}));
    let [id] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("one game");
    game.request(json!({"type": "continue", "id": id}));
    assert_eq!(game.view["side"], "black");
    assert_eq!(game.view["players"]["black"], "Ada Byron");
    let mut both = Game::new(json!({"side": "both"}));
    both.harness.context.names.own = "Castellan 9".to_owned();
    both.moves(&["d4", "d5", "c4"]);
    assert_eq!(both.view["opening"], "D06 Queen's Gambit");
    both.request(json!({"type": "new", "side": "white"}));
    assert_eq!(both.view["players"]["white"], "You");
}

#[test]
fn a_game_continued_on_two_pages_becomes_two_games() {
    let folder = TempDir::new("board two pages");
    let library = Library::at(folder.directory().to_owned());
    let mut pages = [(); 2].map(|()| {
        let mut page = Game::new(json!({"side": "both"}));
        page.harness.context.library = library.clone();
        page
    });
    let [one, other] = &mut pages;
    one.request(json!({"type": "new", "side": "both"}));
    one.request(json!({"type": "move", "text": "e2e4"}));
    let [id] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("one game");
    other.request(json!({"type": "continue", "id": id}));
    one.request(json!({"type": "move", "text": "e7e5"}));
    other.request(json!({"type": "move", "text": "c7c5"}));
    one.request(json!({"type": "move", "text": "g1f3"}));
    other.request(json!({"type": "move", "text": "b1c3"}));
    let [new, old] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("two games");
    assert_eq!(old, id);
    for (id, moves) in [(old, "1. e4 e5 2. Nf3"), (new, "1. e4 c5 2. Nc3")] {
        let (_, pgn) = library.read(&id).expect("the game").expect("a folder");
        assert!(pgn.contains(moves), "{pgn}");
    }
}

/// The texts of the games, the latest first, without their tags.
fn texts(library: &Library) -> Vec<String> {
    let ids = library.games().expect("a folder").into_iter();
    let texts = ids.filter_map(|id| library.read(&id).expect("readable"));
    let moves = texts.map(|(_, pgn)| pgn.trim_end().rsplit('\n').next().map(str::to_owned));
    moves.flatten().collect()
}

#[test]
fn what_others_say_about_a_game_stays() {
    let folder = TempDir::new("board comments");
    let library = Library::at(folder.directory().to_owned());
    let mut page = Game::new(json!({"side": "both"}));
    page.harness.context.library = library.clone();
    page.moves(&["e4"]);
    let comment = |mv: &str| {
        let [id] = library
            .games()
            .expect("a folder")
            .try_into()
            .expect("a game");
        let changed = library.change(&id, |_, pgn| {
            Some(pgn.replace(mv, &format!("{mv} {{Mine}}")))
        });
        changed.expect("written");
        id
    };
    comment("1. e4");
    page.moves(&["e5"]);
    assert_eq!(texts(&library), ["1. e4 {Mine} 1... e5 *"]);
    // The page has no comments, also of a game that it has read.
    let id = comment("e5");
    page.request(json!({"type": "continue", "id": id}));
    page.moves(&["Nf3"]);
    assert_eq!(texts(&library), ["1. e4 {Mine} 1... e5 {Mine} 2. Nf3 *"]);
    page.request(json!({"type": "takeback"}));
    assert_eq!(texts(&library), ["1. e4 {Mine} 1... e5 {Mine} *"]);
    assert_eq!(page.others, [] as [serde_json::Value; 0]);
}

#[test]
fn a_game_that_was_resigned_on_another_page_stays_resigned() {
    let folder = TempDir::new("board resigned");
    let library = Library::at(folder.directory().to_owned());
    let mut pages = [(); 2].map(|()| {
        let mut page = Game::new(json!({"side": "both"}));
        page.harness.context.library = library.clone();
        page
    });
    let [one, other] = &mut pages;
    one.moves(&["e4"]);
    let id = library.games().expect("a folder").remove(0);
    other.request(json!({"type": "continue", "id": id}));
    one.request(json!({"type": "resign"}));
    other.moves(&["e5"]);
    assert_eq!(texts(&library), ["1. e4 e5 *", "1. e4 {Black resigns} 1-0"]);
    assert!(
        other.text().contains("changed elsewhere"),
        "{}",
        other.text()
    );
}

#[test]
fn a_mvthat_was_not_kept_is_kept_with_the_next() {
    let folder = TempDir::new("board failed");
    let (games, away) = (
        folder.directory().join("games"),
        folder.directory().join("away"),
    );
    let library = Library::at(games.clone());
    let mut page = Game::new(json!({"side": "both"}));
    page.harness.context.library = library.clone();
    page.moves(&["e4"]);
    assert_eq!(page.others, [] as [serde_json::Value; 0]);
    // No folder can be where a file is.
    fs::rename(&games, &away).expect("renamed");
    fs::write(&games, "").expect("written");
    page.moves(&["e5"]);
    assert!(page.text().contains("games"), "{}", page.text());
    fs::remove_file(&games).expect("removed");
    fs::rename(&away, &games).expect("renamed");
    page.moves(&["Nf3"]);
    assert_eq!(page.others, [] as [serde_json::Value; 0]);
    let [id] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("one game");
    let (_, pgn) = library.read(&id).expect("read").expect("the game");
    assert!(pgn.contains("1. e4 e5 2. Nf3 *"), "{pgn}");

    // Perhaps another page has continued what cannot be read.
    let path = games.join(format!("{id}.pgn"));
    let file = fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("a file");
    let length = 1 << 40;
    file.set_len(length).expect("a sparse file");
    page.moves(&["Nc6"]);
    assert!(page.text().contains("too large"), "{}", page.text());
    assert_eq!(fs::metadata(&path).expect("a file").len(), length);
}

#[test]
fn games_of_the_library_are_continued() {
    let folder = TempDir::new("board library");
    let mut game = Game::new(json!({"side": "both"}));
    let library = Library::at(folder.directory().to_owned());
    game.harness.context.library = library.clone();
    game.request(json!({"type": "new", "side": "black", "clock": "5+3", "elo": 900}));
    assert_eq!(library.games().expect("a folder"), []);
    game.engine();
    let [id] = library
        .games()
        .expect("a folder")
        .try_into()
        .expect("one game");
    let uci = game.view["legal"][0]["uci"].clone();
    game.request(json!({"type": "move", "text": uci}));
    game.engine();
    assert_eq!(
        library.games().expect("a folder"),
        std::slice::from_ref(&id)
    );
    let before = game.view.clone();
    game.request(json!({"type": "new", "side": "both"}));
    game.request(json!({"type": "continue", "id": id}));
    for key in ["fen", "side", "players"] {
        assert_eq!(game.view[key], before[key], "{key}");
    }
    assert_eq!(game.view["clocks"]["control"], "300+3");
    assert_eq!(game.plies(), 3);
    library
        .delete(std::slice::from_ref(&id))
        .expect("it exists");
    game.request(json!({"type": "continue", "id": id}));
    assert!(game.text().starts_with("Cannot read"), "{}", game.text());
    let escape: Result<Request, _> =
        serde_json::from_value(json!({"type": "continue", "id": "../../etc"}));
    assert!(escape.is_err());
}
