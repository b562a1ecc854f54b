//! The settings of the engine, which every page may change for itself.

use std::env;
use std::thread;

use serde::{Deserialize, Serialize};
use service::{Engine, MAX_THREADS, memory};

use super::illegal;

/// The user's changes; the rest stays.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Request {
    threads: Option<usize>,
    /// In MB.
    hash: Option<usize>,
    /// Directories with Syzygy tablebases, separated as in PATH.
    syzygy: Option<String>,
    /// The file of a Polyglot book; none if it is empty.
    book: Option<String>,
}

/// The settings, and the resources of the machine.
#[derive(Debug, Serialize)]
pub(crate) struct Event {
    threads: usize,
    hash: usize,
    syzygy: String,
    book: String,
    cores: usize,
    max_threads: u32,
    /// True if there are files to choose tablebases and a book from.
    has_files: bool,
    /// The available memory in MB, if the system tells.
    memory: Option<usize>,
    /// The number of tables, and the pieces of the largest.
    tables: usize,
    pieces: u32,
    /// The reason something could not be set.
    problems: Vec<String>,
}

impl Event {
    pub(crate) fn new(engine: &Engine, problems: Vec<String>) -> Self {
        let config = engine.config();
        let count = engine.tablebases().count();
        let syzygy = env::join_paths(&config.syzygy_path).unwrap_or_default();
        let book = config.book_file.as_ref();
        Self {
            threads: config.threads,
            hash: config.hash,
            syzygy: syzygy.to_string_lossy().into_owned(),
            book: book.map_or_else(String::new, |path| path.display().to_string()),
            cores: thread::available_parallelism().map_or(1, usize::from),
            max_threads: MAX_THREADS,
            has_files: cfg!(not(target_family = "wasm")),
            memory: memory::available_mebibytes(),
            tables: count.wdl,
            pieces: count.pieces,
            problems,
        }
    }
}

/// Sets what is wanted, as far as it is possible; returns why the rest is not.
pub(crate) fn configure(engine: &mut Engine, request: &Request) -> Vec<String> {
    let text = |text: &Option<String>| text.as_deref().map(|text| text.trim().to_owned());
    let mut problems = Vec::new();
    for (name, value) in [
        ("Threads", request.threads.map(|number| number.to_string())),
        ("Hash", request.hash.map(|number| number.to_string())),
        ("SyzygyPath", text(&request.syzygy)),
        ("BookFile", text(&request.book)),
    ] {
        let Some(value) = value else {
            continue;
        };
        // Files are opened again only if others are chosen.
        let is_set = engine.parse(name, &value).is_ok_and(|assignment| {
            let mut config = engine.config().clone();
            assignment.apply(&mut config);
            config == *engine.config()
        });
        if is_set {
            continue;
        }
        match engine.set(name, value) {
            Ok(skipped) => problems.extend(skipped.iter().map(illegal::sentence)),
            Err(error) => problems.push(illegal::sentence(&error)),
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{Event, Request, configure};
    use crate::session::harness::{Harness, json};

    /// The settings after a request, as the page gets them.
    fn after(request: &str) -> serde_json::Value {
        let mut engine = Harness::new().context.search.engine;
        let request: Request = serde_json::from_str(request).expect("a request");
        let problems = configure(&mut engine, &request);
        json(Event::new(&engine, problems))
    }

    #[test]
    fn what_is_not_chosen_stays() {
        let event = after("{}");
        assert_eq!((&event["threads"], &event["hash"]), (&1.into(), &1.into()));
        let event = after(r#"{"threads":3,"hash":2}"#);
        assert_eq!((&event["threads"], &event["hash"]), (&3.into(), &2.into()));
        assert_eq!(event["problems"], serde_json::json!([]));
    }

    #[test]
    fn what_is_impossible_is_explained() {
        let event = after(
            r#"{"threads":0,"hash":99999999999,"syzygy":"/nowhere/at/all","book":"/no/book"}"#,
        );
        assert_eq!((&event["threads"], &event["hash"]), (&1.into(), &1.into()));
        assert_eq!((&event["tables"], &event["book"]), (&0.into(), &"".into()));
        let problems = event["problems"].as_array().expect("problems");
        let words = [
            "'0' for option Threads",
            "'99999999999' for option Hash",
            "/nowhere/at/all",
            "/no/book",
        ];
        assert_eq!(problems.len(), words.len(), "{problems:?}");
        for (problem, words) in problems.iter().zip(words) {
            assert!(problem.as_str().is_some_and(|text| text.contains(words)));
        }
    }

    #[test]
    fn tablebases_are_found() {
        let folder = test_common::repository_path("tests/data/syzygy");
        let event = after(&format!(
            r#"{{"syzygy":{:?}}}"#,
            folder.display().to_string()
        ));
        assert!(event["tables"].as_u64() > Some(0), "{event}");
        assert_eq!(event["problems"], serde_json::json!([]));
    }
}
