//! Pages and connections that behave badly: the others are served as before.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_common::TempDir;
use tungstenite::Message;

use crate::harness::{PATIENCE, Page, Server};

/// The server's limit.
const MAX_MESSAGE_BYTES: usize = 4 << 20;

fn analysis(request: &Value) -> String {
    json!({ "mode": "analysis", "request": request }).to_string()
}

/// Asserts that a page is answered.
pub(crate) fn assert_serves(page: &mut Page) {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let request = json!({ "type": "inspect", "fen": fen, "chess960": false });
    page.send(&json!({ "mode": "castling", "request": request }).to_string());
    loop {
        let event = page.event().expect("an answer");
        if event["event"]["type"] == "report" {
            return;
        }
    }
}

#[test]
fn connections_without_a_complete_request_end() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut page = server.page();
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    let beginnings = [
        String::new(),
        "GET / HT".to_owned(),
        format!("GET /board/main.js HTTP/1.1\r\n{host}X-Slow: "),
        "\0\u{1}\u{2}".to_owned(),
        format!(
            "GET /socket?token={} HTTP/1.1\r\n{host}Upgrade: websocket\r\n",
            server.token
        ),
        // A complete request, and no other on the connection that is kept.
        format!("GET /board/main.js HTTP/1.1\r\n{host}\r\n"),
    ];
    let mut streams: Vec<TcpStream> = Vec::new();
    for beginning in beginnings.iter().cycle().take(300) {
        let mut stream = server.stream();
        stream.write_all(beginning.as_bytes()).expect("sent");
        streams.push(stream);
    }
    assert_serves(&mut page);
    assert_serves(&mut server.page());
    let own_host = format!("127.0.0.1:{}", server.port);
    assert_eq!(
        server.status("/board/main.js", &own_host),
        "HTTP/1.1 200 OK"
    );
    for mut stream in streams {
        // A time limit of the reading would be an error of another kind.
        match stream.read_to_end(&mut Vec::new()) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
    }
    assert_serves(&mut page);
}

#[test]
fn a_flood_of_requests_is_answered_or_refused() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut page = server.page();
    let mut flood = server.page();
    const REQUESTS: usize = 10_000;
    let sent = (0..REQUESTS)
        .take_while(|_| flood.0.send(Message::text("{")).is_ok())
        .count();
    let mut answers = 0;
    while answers < sent {
        match flood.event() {
            Ok(event) => assert_eq!(event["event"]["type"], "note"),
            // The connection may be reset before the reason is read.
            Err(reason) => {
                assert!(["", "too many requests"].contains(&&*reason), "{reason}");
                break;
            }
        }
        answers += 1;
    }
    assert_serves(&mut page);
    assert_serves(&mut server.page());
}

#[test]
fn the_largest_and_the_deepest_messages_are_errors() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut page = server.page();
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"mode":"play","request":{{"type":"restore","saved":{open}{close}}}}}"#)
    };
    for text in [
        "x".repeat(MAX_MESSAGE_BYTES),
        "[".repeat(MAX_MESSAGE_BYTES),
        r#"{"a":"#.repeat(MAX_MESSAGE_BYTES / 5),
        nested(100),
        nested(1_000_000),
        analysis(&json!({ "type": "load_pgn", "text": "(".repeat(1_000_000) })),
        analysis(&json!({ "type": "load_fen", "fen": "k".repeat(1_000_000) })),
        analysis(&json!({ "type": "go", "node": u64::MAX })),
        analysis(&json!({ "type": "restore", "pgn": "", "path": vec![u64::MAX; 1000] })),
    ] {
        page.send(&text);
        let event = page.event().expect("an answer");
        let start: String = text.chars().take(60).collect();
        let kind = event["event"]["type"].as_str().expect("a type");
        assert!(
            ["not_opened", "error", "note"].contains(&kind),
            "{start}: {kind}"
        );
        assert!(event.to_string().len() < 2000, "{start}");
    }
    assert_serves(&mut page);

    let mut larger = server.page();
    // The server may close before it has read all of it.
    let _ = larger
        .0
        .send(Message::text("x".repeat(MAX_MESSAGE_BYTES + 1)));
    assert!(larger.event().is_err());
    assert_serves(&mut page);
}

#[test]
fn broken_frames_end_their_connection_only() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut page = server.page();
    // With a mask of zeros.
    for frame in [
        // Invalid UTF-8 in a text.
        &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe][..],
        // Without a mask.
        &[0x81, 1, b'{'],
        // An unknown opcode, and a reserved bit.
        &[0x83, 0x80, 0, 0, 0, 0],
        &[0xc1, 0x80, 0, 0, 0, 0],
        // A length of 2^63 bytes.
        &[0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        // A ping in fragments, and a continuation of nothing.
        &[0x09, 0x80, 0, 0, 0, 0],
        &[0x80, 0x80, 0, 0, 0, 0],
    ] {
        let mut broken = server.page();
        broken.stream().write_all(frame).expect("sent");
        assert!(broken.event().is_err(), "{frame:02x?}");
    }
    assert_serves(&mut page);
}

/// Clock ticks of processor time that a process has used.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a running process");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let times = fields.split_whitespace().skip(11).take(2);
    times
        .map(|time| time.parse::<u64>().expect("a number"))
        .sum()
}

#[test]
#[cfg(target_os = "linux")]
fn the_search_of_a_page_ends_with_it() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let used = || processor_time(server.process.id());
    for is_closed in [true, false] {
        let mut page = server.page();
        page.send(&analysis(&json!({ "type": "new" })));
        page.send(&analysis(
            &json!({ "type": "engine", "on": true, "lines": 1 }),
        ));
        while page.event().expect("an event")["event"]["type"] != "lines" {}
        let before = used();
        while used() < before + 5 {
            sleep(Duration::from_millis(20));
        }
        if is_closed {
            page.0.close(None).expect("closed");
        } else {
            drop(page);
        }
        let rests = (0..100).any(|_| {
            let before = used();
            sleep(Duration::from_millis(300));
            used() == before
        });
        assert!(rests, "the search goes on without its page");
    }
}

/// The number of connections that the server accepts before a page is opened.
const CONNECTIONS: usize = 512;

#[test]
fn connections_that_never_read_or_never_end_make_room() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    // More answers than the buffers of a connection take.
    let request = format!("GET /style.css HTTP/1.1\r\n{host}\r\n");
    let mut streams: Vec<TcpStream> = Vec::new();
    for _ in 1..CONNECTIONS {
        let mut stream = server.stream();
        stream
            .write_all(request.repeat(1000).as_bytes())
            .expect("sent");
        streams.push(stream);
    }
    let mut lasting = server.stream();
    let mut answer = [0; 1 << 16];
    let start = Instant::now();
    while lasting.write_all(request.as_bytes()).is_ok()
        && lasting.read(&mut answer).is_ok_and(|length| length > 0)
    {
        assert!(start.elapsed() < PATIENCE, "the connection is kept");
        sleep(Duration::from_millis(500));
    }
    assert_serves(&mut server.page());
}

#[test]
#[cfg(target_os = "linux")]
fn answers_to_pings_that_nobody_reads_use_no_memory() {
    let state = TempDir::new("board");
    let server = Server::start(&state, 0);
    let mut page = server.page();
    let mut pinging = server.page();
    let memory = || test_common::resident_memory(server.process.id());
    let before = memory();
    let stream = pinging.stream();
    let limited = stream.set_write_timeout(Some(Duration::from_secs(1)));
    limited.expect("a time limit");
    // The largest that a ping may have, with a mask of zeros.
    let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat();
    let block = ping.repeat(1000);
    for _ in 0..1000 {
        if stream.write_all(&block).is_err() {
            break;
        }
    }
    let used = memory().saturating_sub(before);
    assert!(used < 32, "{used} MiB");
    assert_serves(&mut page);
}
