//! Transcripts: requests of pages, and the events that answer them.
//!
//! `> MODE TYPE {…}` is a request of the page, `2> …` one of another page with the same library;
//! below it are all its answers in turn, each as `TYPE {…}` with some of its fields. `~ TYPE {…}`
//! waits for an answer of a search, whatever comes before it. In an answer `…` stands for any part
//! of a text, and as the first part of a list for any others; a number stands for a list of that
//! length, and `$name` for a value that later lines repeat.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use test_common::{TempDir, repository_path};

use super::{Library, Page};

macro_rules! transcripts {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(#[test]
        fn $name() {
            Transcript::follow(stringify!($name));
        })*
    };
}

transcripts! { analysis castling library openings play training tridim }

fn text(name: &str) -> String {
    let path = format!("board/src/session/tests/requests/{name}.txt");
    fs::read_to_string(repository_path(&path)).expect("a transcript")
}

struct Transcript {
    pages: [Page; 2],
    /// The page of the last request.
    page: usize,
    /// The values of names.
    known: HashMap<String, Value>,
}

impl Transcript {
    fn follow(name: &str) {
        let folder = TempDir::new(name);
        let library = Library::at(folder.directory().to_owned());
        let mut transcript = Self {
            pages: [(); 2].map(|()| Page::open(&library)),
            page: 0,
            known: HashMap::new(),
        };
        for (line, number) in text(name).lines().chain(["> end"]).zip(1..) {
            if let Err(problem) = transcript.step(line) {
                panic!("{name}.txt:{number}: {line}\n{problem}");
            }
        }
    }

    fn step(&mut self, line: &str) -> Result<(), String> {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("" | "#", _) => Ok(()),
            (page @ (">" | "2>"), request) => {
                if let Some(event) = self.pages[self.page].next_event() {
                    return Err(format!("not before {event:.1000}"));
                }
                self.page = usize::from(page == "2>");
                if request != "end" {
                    let request = self.request(request);
                    self.pages[self.page].send(&request);
                }
                Ok(())
            }
            ("~", event) => {
                let expected = parsed(event);
                let end = Instant::now() + Duration::from_secs(60);
                let mut last = Err("no answer".to_owned());
                while Instant::now() < end {
                    let page = &mut self.pages[self.page];
                    if let Some(event) = page.next_event() {
                        last = self.check(&expected, &event);
                        if last.is_ok() {
                            return Ok(());
                        }
                    } else {
                        let left = page.session.time_left();
                        let wait = left.unwrap_or(Duration::MAX).min(Duration::from_secs(1));
                        if page.handle(wait).is_err() {
                            page.session.time_out();
                        }
                    }
                }
                last
            }
            _ => match self.pages[self.page].next_event() {
                Some(event) => {
                    let compared = self.compare(&parsed(line), &event);
                    compared.map_err(|problem| format!("{problem}\nin {event:.2000}"))
                }
                None => Err("no answer".to_owned()),
            },
        }
    }

    fn request(&self, text: &str) -> Value {
        let (mode, request) = text.split_once(' ').expect("a mode and a request");
        let mut request = match mode {
            "show" => json!(request),
            _ => parsed(request),
        };
        self.fill(&mut request);
        json!({"mode": mode, "request": request})
    }

    /// Puts known values in the place of their names.
    fn fill(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(known) = self.known.get(text) {
                    *value = known.clone();
                }
            }
            Value::Array(parts) => parts.iter_mut().for_each(|part| self.fill(part)),
            Value::Object(parts) => parts.values_mut().for_each(|part| self.fill(part)),
            _ => {}
        }
    }

    /// Compares values; if they differ, no names get to be known.
    fn check(&mut self, expected: &Value, found: &Value) -> Result<(), String> {
        let known = self.known.clone();
        self.compare(expected, found)
            .inspect_err(|_| self.known = known)
    }

    fn compare(&mut self, expected: &Value, found: &Value) -> Result<(), String> {
        let is_same = match (expected, found) {
            (Value::Object(parts), _) => {
                for (key, part) in parts {
                    self.compare(part, &found[key])
                        .map_err(|problem| format!("{key}: {problem}"))?;
                }
                true
            }
            (Value::Array(parts), Value::Array(others)) if parts.first() == Some(&json!("…")) => {
                for part in parts.iter().skip(1) {
                    if !others.iter().any(|other| self.check(part, other).is_ok()) {
                        return Err(format!("found no {part} in {found:.1000}"));
                    }
                }
                true
            }
            (Value::Number(count), Value::Array(parts)) => {
                count.as_u64() == Some(parts.len() as u64)
            }
            (Value::Array(parts), Value::Array(others)) => {
                for (part, other) in parts.iter().zip(others) {
                    self.compare(part, other)?;
                }
                parts.len() == others.len()
            }
            (Value::String(name), _) if name.starts_with('$') => {
                self.known.entry(name.clone()).or_insert(found.clone()) == found
            }
            (Value::String(text), Value::String(other)) => {
                // Movetext is broken into lines.
                let [text, other] = [text, other].map(|text| text.replace('\n', " "));
                is_like(&text, &other)
            }
            _ => expected == found,
        };
        is_same
            .then_some(())
            .ok_or_else(|| format!("found {found:.1000}"))
    }
}

/// True for a text with something in the place of each `…`.
fn is_like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A request or an event: its type, if it has one, and its fields.
fn parsed(text: &str) -> Value {
    let (kind, fields) = text.split_at(text.find('{').unwrap_or(text.len()));
    let mut value: Value = match fields {
        "" => Map::new().into(),
        fields => serde_json::from_str(fields).unwrap_or_else(|error| panic!("{text}: {error}")),
    };
    if !kind.is_empty() {
        value["type"] = json!(kind.trim());
    }
    value
}

#[test]
fn there_is_a_transcript_of_every_request() {
    let text: String = NAMES.iter().map(|name| text(name)).collect();
    let requests = text.lines().filter_map(|line| line.split_once("> "));
    let used: BTreeSet<(&str, &str)> = requests
        .filter_map(|(_, request)| {
            let mut words = request.split(' ');
            Some((words.next()?, words.next()?))
        })
        .collect();
    let mut page = Page::open(&Library::default());
    for mode in [
        "analysis", "browser", "castling", "editor", "finder", "library", "openings", "play",
        "training", "tridim",
    ] {
        page.send(&json!({"mode": mode, "request": {"type": "?"}}));
        let event = page.next_event().expect("an answer");
        let text = event["text"].as_str().expect("a text").to_owned();
        let (_, names) = text.split_once("expected ").expect("the names");
        for name in names.split('`').skip(1).step_by(2) {
            assert!(used.contains(&(mode, name)), "{mode} {name}");
        }
    }
}
