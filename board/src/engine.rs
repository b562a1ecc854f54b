//! The settings of the engine, which every page may change for itself: the options that the table
//! of options has for it.

use std::thread;

use service::{Engine, memory};

use crate::illegal;
use crate::messages::engine::{Event, Field, Request};

pub(crate) fn settings(engine: &Engine, problems: Vec<String>) -> Event {
    let has_files = cfg!(not(target_family = "wasm"));
    let shown = engine.options().iter().filter_map(|option| {
        let field = Field {
            name: option.name,
            label: option.label?,
            value: option.text(),
            range: option.range(),
            note: note(engine, option.name),
        };
        (has_files || field.range.is_some()).then_some(field)
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Request, configure, settings};
    use crate::context::harness::{Harness, json};

    /// The settings after a request, as the page gets them, and the values by name.
    fn after(options: &[(&str, &str)]) -> (Value, impl Fn(&str) -> String + use<>) {
        let mut engine = Harness::new().context.search.engine.another();
        let request = serde_json::from_value(json!({ "options": options }));
        let request: Request = request.expect("a request");
        let problems = configure(&mut engine, &request);
        let event = json(settings(&engine, problems));
        let fields = event["options"].as_array().cloned().unwrap_or_default();
        let value = move |name: &str| {
            let field = fields.iter().find(|field| field["name"] == name);
            let field = field.unwrap_or_else(|| panic!("{name} is no setting"));
            format!("{} {}", field["value"], field["note"]).replace('"', "")
        };
        (event, value)
    }

    #[test]
    fn what_is_not_chosen_stays() {
        let (_, value) = after(&[]);
        assert!(value("Threads").starts_with("1 of ") && value("Hash").starts_with("1 "));
        let (event, value) = after(&[("Threads", "3"), ("Hash", " 2 "), ("Ponder", "true")]);
        assert!(value("Threads").starts_with("3 of ") && value("Hash").starts_with("2 "));
        assert_eq!(event["problems"], json!([]));
    }

    #[test]
    fn what_is_impossible_is_explained() {
        let (event, value) = after(&[
            ("Threads", "0"),
            ("Hash", "99999999999"),
            ("SyzygyPath", "/nowhere/at/all"),
            ("BookFile", "/no/book"),
        ]);
        assert!(value("Threads").starts_with("1 of ") && value("Hash").starts_with("1 "));
        assert_eq!(value("SyzygyPath"), "/nowhere/at/all no tables found");
        assert_eq!(value("BookFile"), " shown in Analyze");
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
        let (event, value) = after(&[("SyzygyPath", &folder.display().to_string())]);
        assert!(value("SyzygyPath").ends_with("7 tables, up to 4 pieces"));
        assert_eq!(event["problems"], json!([]));
    }
}
