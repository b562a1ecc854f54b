//! The settings of the engine, which every page may change for itself: the options that the table
//! of options has for it.

use std::thread;

use service::{Engine, OptionKind, memory};

use crate::illegal;
use crate::messages::engine::{Event, Field, FieldKind, Request};

pub(crate) fn settings(engine: &Engine, problems: Vec<String>) -> Event {
    let has_files = cfg!(not(target_family = "wasm"));
    let shown = engine.options().iter().filter_map(|option| {
        let kind = match option.kind() {
            OptionKind::Check => FieldKind::Check,
            OptionKind::Spin { min, max } => FieldKind::Number { min, max },
            OptionKind::String if has_files => FieldKind::File,
            OptionKind::String | OptionKind::Button => return None,
        };
        Some(Field {
            name: option.name,
            label: option.label?,
            value: option.text(),
            kind,
            note: note(engine, option.name),
        })
    });
    let config = engine.config();
    let threads = match cores() {
        1 => "1 thread".to_owned(),
        cores => format!("{} of {cores} threads", config.threads),
    };
    Event {
        options: shown.collect(),
        summary: format!("{threads}, {} MB", config.hash),
        problems,
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn note(engine: &Engine, option: &str) -> String {
    match option {
        "Threads" => format!("of {}", common::plural(cores(), "core")),
        "Hash" => memory::available_mebibytes()
            .map_or_else(String::new, |free| format!("{free} MB of memory available")),
        "SyzygyPath" if engine.config().syzygy_path.is_empty() => String::new(),
        "SyzygyPath" => match engine.tablebases().count() {
            count if count.wdl == 0 => "no tables found".to_owned(),
            count => format!("{} tables, up to {} pieces", count.wdl, count.pieces),
        },
        "BookFile" => "shown in Analyze".to_owned(),
        _ => String::new(),
    }
}

/// Sets what is wanted, as far as it is possible; returns why the rest is not.
pub(crate) fn configure(engine: &mut Engine, request: &Request) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, value) in &request.options {
        let value = value.trim();
        let mut options = engine.options().iter();
        let current = options.find(|option| option.label.is_some() && option.name == name);
        // Files are opened again only if others are chosen.
        if current.is_none_or(|option| option.text() == value) {
            continue;
        }
        match engine.set(name, value) {
            Ok(skipped) => problems.extend(skipped.iter().map(illegal::sentence)),
            Err(error) => problems.push(illegal::sentence(&error)),
        }
    }
    problems
}
