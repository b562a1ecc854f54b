//! The real server: who may use it, its limits, and what a new start keeps.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod attacks;
mod claims;
mod harness;
mod model;
#[cfg(unix)]
mod redirect;
mod types;

use std::process::Command;
use std::thread;
use std::time::Duration;

use game::library::{Entry, GameKind, Library};
use game::profile::Profile;
use harness::{Page, Server};
use test_common::TempDir;
use tungstenite::Message;

#[test]
fn only_the_own_page_has_access() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let token = server.token.as_str();
    let host = format!("127.0.0.1:{}", server.port);
    let page = format!("/?token={token}");
    for (path, host, expected) in [
        (page.as_str(), host.as_str(), "200 OK"),
        (&page, &format!("localhost:{}", server.port), "200 OK"),
        (&page, "evil.example", "403 Forbidden"),
        ("/", &host, "403 Forbidden"),
        ("/?token=", &host, "403 Forbidden"),
        ("/board/main.js", &host, "200 OK"),
        ("/board/main.js", "evil.example", "403 Forbidden"),
        ("/other", &host, "404 Not Found"),
    ] {
        let status = server.status(path, host);
        assert_eq!(status, format!("HTTP/1.1 {expected}"), "{path} of {host}");
    }
    let origin = server.origin();
    for (origin, token) in [
        (None, token),
        (Some("http://evil.example"), token),
        (Some(&*origin), ""),
        (Some(&*origin), "00000000000000000000000000000000"),
    ] {
        let refused = server.connect(origin, token).err();
        assert_eq!(refused, Some(403), "{origin:?} with '{token}'");
    }
    server.page();
}

#[test]
fn nonsense_costs_nothing() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut page = server.page();
    let unknown = r#"{"mode":"castling","request":{"type":"x"}}"#;
    for text in ["", "{", "[]", r#"{"mode":"x"}"#, unknown] {
        page.send(text);
        let event = page.event().expect("an answer");
        assert_eq!(event["event"]["type"], "note", "{text}");
    }
    attacks::assert_serves(&mut page);

    let mut binary = server.page();
    binary.0.send(Message::binary(vec![1])).expect("sent");
    assert_eq!(binary.event(), Err("expected text".to_owned()));
    server.page();
}

#[test]
fn the_number_of_pages_is_limited() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut pages: Vec<Page> = (0..8).map(|_| server.page()).collect();
    let reason = server.socket().event().expect_err("a reason");
    assert!(reason.contains("too many pages"), "{reason}");
    pages[3].0.close(None).expect("closed");
    // The session ends in its own time.
    let served = (0..600).any(|_| {
        thread::sleep(Duration::from_millis(100));
        server.socket().event().is_ok()
    });
    assert!(served, "no page after one was closed");
}

#[test]
fn a_new_start_has_the_same_token() {
    let state = TempDir::new("board");
    let first = Server::start(&state, 0);
    let (port, token) = (first.port, first.token.clone());
    drop(first);
    let second = Server::start(&state, port);
    assert_eq!((second.port, &second.token), (port, &token));
    second.page();
}

#[test]
fn the_games_of_the_user_are_annotated_without_a_page() {
    let state = TempDir::new("board annotate");
    let library = Library::at(state.directory().join("castellan/games"));
    for white in ["You", "Bo"] {
        let pgn = format!("[White \"{white}\"]\n\n1. f3 e5 2. g4 Qh4# 0-1");
        let kept = library.keep(&mut Entry::default(), GameKind::Chess, &pgn);
        kept.expect("written");
    }
    Profile::change(&library, |profile| profile.annotating.nodes = 100).expect("written");
    let annotate = || Server::command(&state, 0).arg("--annotate").output();
    let output = annotate().expect("the program runs");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let ids = library.games().expect("readable");
    let texts = ids.iter().map(|id| library.find(id).expect("readable"));
    let texts: Vec<String> = texts.flatten().map(|(_, text)| text).collect();
    for text in &texts {
        assert_eq!(text.contains("%eval"), text.contains("You"), "{text}");
    }
    assert_eq!(texts.len(), 2);
    let profile = Profile::read(&library).expect("a profile");
    assert_eq!(profile.annotating.games, []);
    // Nothing is left to do.
    let output = annotate().expect("the program runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && message.contains("no game of yours"),
        "{message}"
    );
}

#[test]
fn a_port_in_use_is_an_error() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let output = Command::new(env!("CARGO_BIN_EXE_castellan-board"))
        .args(["--no-browser", "--port", &server.port.to_string()])
        .env("XDG_STATE_HOME", state.directory())
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    let expected = format!("castellan-board: cannot listen on port {}: ", server.port);
    assert!(message.starts_with(&expected), "{message}");
}
