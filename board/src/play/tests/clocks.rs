//! Clocks, pauses and hints.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use super::Game;
use crate::messages::Mode;

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
    game.harness.context.search.stop(Mode::Play);
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
fn a_paused_game_waits() {
    let mut game = Game::new(json!({"side": "both", "clock": "3+2"}));
    game.moves(&["e4", "e5"]);
    assert_eq!(game.view["can_pause"], true);
    game.simple("pause");
    assert_eq!(
        (&game.view["paused"], game.play.time_left()),
        (&json!(true), None)
    );
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
