//! The page in the home directory with which a browser is started.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use test_common::TempDir;

use crate::harness::Server;

/// A server that starts one of the browsers of a folder, with a home directory of its own.
fn server(home: &TempDir, browsers: &TempDir) -> Server {
    Server::of(
        Server::command(home, 0)
            .env("HOME", home.directory())
            .env("PATH", browsers.directory())
            .stderr(Stdio::piped()),
    )
}

fn pages(home: &TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.directory()).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|end| end == "html"));
    pages.collect()
}

#[test]
fn the_page_is_valid_once_and_does_not_outlive_the_server() {
    let (home, browsers) = (TempDir::new("board home"), TempDir::new("board browser"));
    let browser = browsers.write("xdg-open", "#!/bin/sh\n");
    fs::set_permissions(browser, fs::Permissions::from_mode(0o755)).expect("a program");
    let mut server = server(&home, &browsers);
    let page = loop {
        let written = pages(&home).pop().map(fs::read_to_string);
        match written {
            Some(Ok(page)) if page.ends_with('\n') => break page,
            _ => thread::sleep(Duration::from_millis(10)),
        }
    };
    assert!(!page.contains(&server.token), "{page}");
    let (_, rest) = page.split_once("/?once=").expect("an address");
    let (once, _) = rest.split_once('"').expect("its end");
    let host = format!("127.0.0.1:{}", server.port);
    for expected in ["303 See Other", "403 Forbidden"] {
        let status = server.status(&format!("/?once={once}"), &host);
        assert_eq!(status, format!("HTTP/1.1 {expected}"));
    }
    let id = server.process.id().to_string();
    let killed = Command::new("kill").arg(id).status().expect("kill");
    assert!(killed.success());
    let status = server.process.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    assert_eq!(pages(&home), [] as [PathBuf; 0]);
}

#[test]
fn without_a_browser_there_is_no_page() {
    let (home, browsers) = (TempDir::new("board home"), TempDir::new("board browser"));
    let mut server = server(&home, &browsers);
    let mut stderr = server.process.stderr.take().expect("a pipe");
    let mut message = Vec::new();
    while !message.ends_with(b"\n") {
        let mut byte = [0];
        stderr.read_exact(&mut byte).expect("a line");
        message.extend(byte);
    }
    let message = String::from_utf8_lossy(&message).into_owned();
    assert!(message.contains("cannot start a browser"), "{message}");
    assert_eq!(pages(&home), [] as [PathBuf; 0]);
}
