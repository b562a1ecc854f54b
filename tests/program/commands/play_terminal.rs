//! `castellan play` in a pseudo-terminal: line editing, completion, the status line and Ctrl-C.

use super::CASTELLAN;
use test_common::{TempDir, TerminalSession};

const UP: &str = "\u{1b}[A";
const LEFT: &str = "\u{1b}[D";
const INTERRUPT: &str = "\u{3}";
const END: &str = "\u{4}";

/// A game between two players.
fn both(folder: &TempDir, columns: u16) -> TerminalSession {
    let words = ["play", "--ascii", "--color", "never", "--side", "both"];
    CASTELLAN.terminal(columns, &folder.path(""), &words, &[])
}

#[test]
fn lines_are_edited_recalled_and_completed() {
    let folder = TempDir::new("terminal editing");
    let mut session = both(&folder, 80);
    session.wait_for_prompt();
    // e5, then back to insert what is missing: e2e4 is typed as "e24", left, "e".
    session.keys(&format!("e24{LEFT}e\r"));
    session.wait_for("White: 1. e4");
    session.enter("e5");
    session.enter("Nf3");
    // Two lines up is e5 again, which is no longer legal.
    session.wait_for_prompt();
    session.keys(&format!("{UP}{UP}\r"));
    session.wait_for("illegal move 'e5'");
    // Nf6 and no other word begins like this.
    session.wait_for_prompt();
    session.keys("Nf\t\r");
    session.wait_for("Black: 2... Nf6");
    session.enter("quit-not");
    assert!(session.screen().contains("invalid move 'quit-not'"));
    assert!(!session.screen().contains("[A"), "{}", session.screen());
    session.wait_for_prompt();
    session.keys("quit\r");
    assert!(session.wait().success());
}

#[test]
fn the_first_line_says_who_plays_and_where_help_is() {
    let folder = TempDir::new("terminal greeting");
    for (words, expected) in [
        (
            &["play", "--elo", "1000"][..],
            "White against Castellan at 1000 Elo. 'help' lists",
        ),
        (&["play", "--side", "both"], "Two players. 'help' lists"),
        (&[], "UCI engine; 'help' lists commands"),
    ] {
        let mut session = CASTELLAN.terminal(100, &folder.path(""), words, &[]);
        session.wait_for(expected);
        session.keys("quit\r");
        assert!(session.wait().success());
    }
}

#[test]
fn ctrl_c_and_ctrl_d_say_where_the_game_is_kept() {
    for key in [INTERRUPT, END] {
        let folder = TempDir::new("terminal end");
        let mut session = both(&folder, 80);
        session.enter("e4");
        session.keys(key);
        assert!(session.wait().success());
        let screen = session.screen().replace('\n', "");
        assert!(screen.contains("Game saved to '"), "{screen}");
        assert!(screen.contains("use --resume to continue it."), "{screen}");
        let words = ["play", "--ascii", "--resume"];
        let resumed = CASTELLAN.run_in(&folder.path(""), &words, "moves\n");
        assert!(resumed.success().contains("\n1. e4\n"));
    }
}

/// A search that ends only when it is told to.
const ENDLESS: [&str; 6] = ["play", "--ascii", "--side", "black", "--time", "86400"];

#[test]
fn ctrl_c_makes_the_engine_move_now() {
    let folder = TempDir::new("terminal interrupt");
    let mut session = CASTELLAN.terminal(80, &folder.path(""), &ENDLESS, &[]);
    session.wait_for("thinking");
    session.keys(INTERRUPT);
    session.wait_for("Castellan: 1. ");
    session.wait_for_prompt();
    // The status has gone, and did not show the opponent what the engine plans.
    assert!(
        !session.screen().contains("thinking"),
        "{}",
        session.screen()
    );
    assert!(!session.log().contains("depth"), "{}", session.log());
    session.keys("e5\r");
    session.wait_for("You: 1... ");
    session.wait_for("thinking");
    session.keys(INTERRUPT);
    session.wait_for("Castellan: 2. ");
    session.wait_for_prompt();
    session.keys(END);
    assert!(session.wait().success());
}

#[test]
fn after_the_end_it_says_how_to_go_on() {
    let folder = TempDir::new("terminal new");
    let mut session = both(&folder, 40);
    session.enter("e4");
    session.keys("resign\r");
    session.wait_for("Black resigns. 1-0\nEnter starts a new game, ");
    session.wait_for_prompt();
    session.keys("\r");
    session.enter("moves");
    assert!(session.screen().contains("No move has been played."));
    session.wait_for_prompt();
    session.keys(END);
    assert!(session.wait().success());
}

#[test]
fn colors_unless_disabled() {
    for (variable, value, colored) in [
        ("LANG", "C", true),
        ("NO_COLOR", "", true),
        ("NO_COLOR", "1", false),
        ("TERM", "dumb", false),
    ] {
        let folder = TempDir::new("terminal colors");
        let words = ["play", "--side", "both"];
        let variables = [(variable, value)];
        let mut session = CASTELLAN.terminal(80, &folder.path(""), &words, &variables);
        session.wait_for_prompt();
        session.keys("e4\r");
        session.wait_for("White: 1. e4");
        session.wait_for_prompt();
        session.keys("quit\r");
        assert!(session.wait().success());
        let log = session.log();
        assert_eq!(
            log.contains("\u{1b}[48;5;"),
            colored,
            "{variable}={value}: {log}"
        );
    }
}
