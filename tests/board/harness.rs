//! A server and its pages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use test_common::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, Message, WebSocket};

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Server {
    pub(crate) fn start(state: &TempDir, port: u16) -> Self {
        Self::of(Self::command(state, port).arg("--no-browser"))
    }

    pub(crate) fn command(state: &TempDir, port: u16) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_castellan-board"));
        command
            .args(["--hash", "1", "--port", &port.to_string()])
            .env("XDG_STATE_HOME", state.directory())
            .stdout(Stdio::piped());
        command
    }

    pub(crate) fn of(command: &mut Command) -> Self {
        let mut process = command.spawn().expect("the server starts");
        let stdout = process.stdout.take().expect("its output");
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        read.expect("its first line");
        let (_, rest) = line.split_once("127.0.0.1:").expect("an address");
        let (port, token) = rest.trim_end().split_once("/?token=").expect("a token");
        Self {
            process,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
        }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A connection that has sent nothing.
    pub(crate) fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let limited = stream.set_read_timeout(Some(PATIENCE));
        limited.expect("a time limit");
        stream
    }

    /// The status line of the answer to a request.
    pub(crate) fn status(&self, path: &str, host: &str) -> String {
        let mut stream = self.stream();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer.lines().next().unwrap_or_default().to_owned()
    }

    /// A WebSocket as a page of this origin opens it with this token, or the status of the refusal.
    pub(crate) fn connect(&self, origin: Option<&str>, token: &str) -> Result<Page, u16> {
        let address = format!("ws://127.0.0.1:{}/socket?token={token}", self.port);
        let mut request = address.into_client_request().expect("an address");
        if let Some(origin) = origin {
            let origin = HeaderValue::from_str(origin).expect("an origin");
            request.headers_mut().insert("origin", origin);
        }
        match tungstenite::connect(request) {
            Ok((socket, _)) => {
                let mut page = Page(socket);
                let limited = page.stream().set_read_timeout(Some(PATIENCE));
                limited.expect("a time limit");
                Ok(page)
            }
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn socket(&self) -> Page {
        let socket = self.connect(Some(&self.origin()), &self.token);
        socket.expect("a socket")
    }

    pub(crate) fn page(&self) -> Page {
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

pub(crate) struct Page(pub(crate) WebSocket<MaybeTlsStream<TcpStream>>);

impl Page {
    /// The stream under the WebSocket.
    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        match self.0.get_mut() {
            MaybeTlsStream::Plain(stream) => stream,
            other => panic!("a plain connection, not {other:?}"),
        }
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("sent");
    }

    /// The next event, or the reason for which the server has closed the connection.
    pub(crate) fn event(&mut self) -> Result<Value, String> {
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
