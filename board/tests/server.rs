//! The real server: who may use it, its limits, and what a new start keeps.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use test_common::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, Message, WebSocket};

const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    process: Child,
    port: u16,
    token: String,
}

impl Server {
    fn start(state: &TempDir, port: u16) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_castellan-board"))
            .args(["--no-browser", "--hash", "1", "--port", &port.to_string()])
            .env("XDG_STATE_HOME", state.directory())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = process.stdout.take().expect("its output");
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        read.expect("its first line");
        let (_, rest) = line.split_once("127.0.0.1:").expect("an address");
        let (port, token) = rest.trim_end().split_once("/?token=").expect("a token");
        Server {
            process,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
        }
    }

    fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The status line of the answer to a request.
    fn status(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let limited = stream.set_read_timeout(Some(PATIENCE));
        limited.expect("a time limit");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer.lines().next().unwrap_or_default().to_owned()
    }

    /// A WebSocket as a page of this origin opens it with this token, or the status of the refusal.
    fn connect(&self, origin: Option<&str>, token: &str) -> Result<Page, u16> {
        let address = format!("ws://127.0.0.1:{}/socket?token={token}", self.port);
        let mut request = address.into_client_request().expect("an address");
        if let Some(origin) = origin {
            let origin = HeaderValue::from_str(origin).expect("an origin");
            request.headers_mut().insert("origin", origin);
        }
        match tungstenite::connect(request) {
            Ok((socket, _)) => {
                let MaybeTlsStream::Plain(stream) = socket.get_ref() else {
                    panic!("a plain connection");
                };
                let limited = stream.set_read_timeout(Some(PATIENCE));
                limited.expect("a time limit");
                Ok(Page(socket))
            }
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    fn socket(&self) -> Page {
        let socket = self.connect(Some(&self.origin()), &self.token);
        socket.expect("a socket")
    }

    fn page(&self) -> Page {
        let mut page = self.socket();
        let hello = page.event().expect("an event");
        assert_eq!(hello["event"]["type"], "hello");
        page
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Page(WebSocket<MaybeTlsStream<TcpStream>>);

impl Page {
    fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("sent");
    }

    /// The next event, or the reason for which the server has closed the connection.
    fn event(&mut self) -> Result<Value, String> {
        match self.0.read() {
            Ok(Message::Text(text)) => Ok(serde_json::from_str(&text).expect("JSON")),
            Ok(Message::Close(frame)) => {
                Err(frame.map_or(String::new(), |frame| frame.reason.to_string()))
            }
            Ok(message) => panic!("unexpected {message:?}"),
            // The server need not wait for the rest of a message.
            Err(_) => Err(String::new()),
        }
    }
}

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
        (&page, "127.0.0.1", "403 Forbidden"),
        ("/", &host, "403 Forbidden"),
        ("/?token=", &host, "403 Forbidden"),
        ("/script.js", &host, "200 OK"),
        ("/script.js", "evil.example", "403 Forbidden"),
        ("/other", &host, "404 Not Found"),
    ] {
        let status = server.status(path, host);
        assert_eq!(status, format!("HTTP/1.1 {expected}"), "{path} of {host}");
    }
    let origin = server.origin();
    for (origin, token) in [
        (None, token),
        (Some("http://evil.example"), token),
        (Some("null"), token),
        (Some("http://127.0.0.1:1"), token),
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
        assert_eq!(event["event"]["type"], "error", "{text}");
    }
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let request = json!({ "type": "inspect", "fen": fen, "chess960": false });
    page.send(&json!({ "mode": "castling", "request": request }).to_string());
    let report = page.event().expect("an answer");
    assert_eq!(report["event"]["type"], "report");

    let mut oversized = server.page();
    // The server may close before it has read all of it.
    let _ = oversized.0.send(Message::text("x".repeat(5 << 20)));
    assert!(oversized.event().is_err());
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
