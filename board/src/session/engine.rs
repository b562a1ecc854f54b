//! The settings of the engine, which every page may change for itself.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use search::Tablebases;
use serde::{Deserialize, Serialize};
use service::memory;

use super::illegal;
use crate::{Config, UserBook};

/// As on the command line; in WebAssembly there is one.
const MAX_THREADS: usize = if cfg!(target_family = "wasm") {
    1
} else {
    1024
};

/// What the user has chosen; the rest stays.
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

/// What is set, and what the machine has.
#[derive(Debug, Serialize)]
pub(crate) struct Event {
    threads: usize,
    hash: usize,
    syzygy: String,
    book: String,
    cores: usize,
    max_threads: usize,
    /// Whether there are files to choose tablebases and a book from.
    has_files: bool,
    /// What is available, in MB, if the system tells.
    memory: Option<usize>,
    /// How many tables there are, and the pieces of the largest.
    tables: usize,
    pieces: u32,
    /// Why something could not be set.
    problems: Vec<String>,
}

impl Event {
    pub(crate) fn new(config: &Config, problems: Vec<String>) -> Event {
        let count = config.tablebases.count();
        Event {
            threads: config.threads,
            hash: config.hash,
            syzygy: config.syzygy.clone(),
            book: config.book_path().to_owned(),
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

/// Returns the configuration that is wanted, as far as it is possible, and why it is not.
pub(crate) fn configure(current: &Config, request: &Request) -> (Config, Vec<String>) {
    let mut config = current.clone();
    let mut problems = Vec::new();
    match request.threads.unwrap_or(current.threads) {
        threads @ 1..=MAX_THREADS => config.threads = threads,
        threads => problems.push(format!(
            "Cannot use {threads} threads: expected 1 to {MAX_THREADS}."
        )),
    }
    match request.hash.unwrap_or(current.hash) {
        0 => problems.push("Cannot use a hash table of 0 MB: expected 1 or more.".to_owned()),
        hash => match memory::check_hash(hash) {
            Ok(()) => config.hash = hash,
            Err(error) => problems.push(illegal::sentence(&error)),
        },
    }
    if let Some(directories) = &request.syzygy
        && directories.trim() != current.syzygy
    {
        let split = env::split_paths(directories.trim());
        let paths: Vec<PathBuf> = split.filter(|path| !path.as_os_str().is_empty()).collect();
        let (tablebases, errors) = Tablebases::find(&paths);
        problems.extend(errors.iter().map(illegal::sentence));
        config.syzygy = directories.trim().to_owned();
        config.tablebases = Arc::new(tablebases);
    }
    if let Some(path) = request.book.as_deref().map(str::trim)
        && path != current.book_path()
    {
        config.book = match path {
            "" => None,
            path => UserBook::open(path)
                .inspect_err(|error| problems.push(illegal::sentence(error)))
                .ok(),
        };
    }
    (config, problems)
}

#[cfg(test)]
mod tests {
    use super::{Config, Event, Request, configure};
    use crate::session::harness::{Harness, json};

    fn config() -> Config {
        Harness::new().context.config
    }

    #[test]
    fn what_is_not_chosen_stays() {
        let (config, problems) = configure(&config(), &Request::default());
        assert!(problems.is_empty() && !config.differs(&self::config()));
        let request = serde_json::from_str(r#"{"threads":3,"hash":2}"#).expect("a request");
        let (config, problems) = configure(&config, &request);
        assert_eq!((config.threads, config.hash, problems), (3, 2, vec![]));
    }

    #[test]
    fn what_is_impossible_is_explained() {
        let text = r#"{"threads":0,"hash":99999999999,"syzygy":"/nowhere/at/all"}"#;
        let request = serde_json::from_str(text).expect("a request");
        let (config, problems) = configure(&config(), &request);
        assert_eq!((config.threads, config.hash), (1, 1));
        let event = json(Event::new(&config, problems));
        let problems = event["problems"].as_array().expect("problems");
        let words = ["0 threads", "99999999999 MB", "/nowhere/at/all"];
        assert_eq!(problems.len(), words.len(), "{problems:?}");
        for (problem, words) in problems.iter().zip(words) {
            assert!(problem.as_str().is_some_and(|text| text.contains(words)));
        }
        assert_eq!(event["tables"], 0);
    }

    #[test]
    fn tablebases_are_found() {
        let folder = test_common::repository_path("tests/data/syzygy");
        let request = Request {
            syzygy: Some(folder.display().to_string()),
            ..Request::default()
        };
        let (config, problems) = configure(&config(), &request);
        let event = json(Event::new(&config, problems.clone()));
        assert!(problems.is_empty() && event["tables"].as_u64() > Some(0));
    }
}
