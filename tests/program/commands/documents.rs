//! The documentation covers every command, every argument and every UCI option that the program
//! reports.

use std::fs;
use std::path::Path;

use test_common::{repository_file, repository_path};

use super::{CASTELLAN, commands};

/// All documents: name and text.
fn documents() -> Vec<(String, String)> {
    let files = fs::read_dir(repository_path("docs")).expect("a directory");
    let paths = files.map(|file| file.expect("a file").path());
    let documents = paths.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let read = |path: &Path| fs::read_to_string(path).expect("UTF-8");
    documents
        .map(|path| (path.display().to_string(), read(&path)))
        .collect()
}

/// The words of a text that look like long options.
fn options(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.len() > 2 && word.starts_with("--"))
        .collect()
}

#[test]
fn every_command_and_option_is_documented() {
    let documents = documents();
    let commands = commands();
    assert!(commands.len() > 6, "{commands:?}");
    for command in &commands {
        let name = format!("castellan {command}");
        let about = documents.iter().filter(|(_, text)| text.contains(&name));
        let documented: Vec<&str> = about.flat_map(|(_, text)| options(text)).collect();
        assert!(!documented.is_empty(), "no document mentions {name}");
        let help = CASTELLAN.run(&[command, "--help"], "").success();
        for option in options(&help) {
            assert!(
                option == "--help" || documented.contains(&option),
                "{option} of {name} is not documented"
            );
        }
    }
}

#[test]
fn every_uci_option_and_command_is_documented() {
    let output = CASTELLAN.run(&[], "uci\nhelp\nquit\n").success();
    let (handshake, help) = output
        .split_once("uciok\n")
        .expect("the end of the options");
    let document = repository_file("docs/uci.md");
    let mut options = 0;
    for line in handshake.lines() {
        let Some((name, value)) = line
            .strip_prefix("option name ")
            .and_then(|option| option.split_once(" type "))
        else {
            continue;
        };
        let row = document.lines().find_map(|row| {
            let mut cells = row.strip_prefix("| ")?.split(" | ");
            let is_named = cells.next()?.contains(&format!("`{name}`"));
            is_named.then(|| [cells.next(), cells.next()].map(Option::unwrap_or_default))
        });
        let [values, default] = row.unwrap_or_else(|| panic!("{name} is not in the table"));
        let stated = match value.split(' ').collect::<Vec<_>>()[..] {
            ["spin", "default", number, "min", min, "max", max] => {
                values.starts_with(&format!("{min} … {max}")) && default == number
            }
            ["check", "default", on] => (values, default) == ("check", on),
            [kind, ..] => values == kind && default.trim().is_empty(),
            [] => false,
        };
        assert!(stated, "{line}: {values}, {default}");
        options += 1;
    }
    assert!(options > 20, "{handshake}");
    let commands: Vec<&str> = help
        .lines()
        .filter_map(|line| line.split([' ', '[']).next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(commands.len() > 10, "{help}");
    let missing: Vec<&str> = commands
        .into_iter()
        .filter(|name| {
            !["`", " "]
                .iter()
                .any(|end| document.contains(&format!("`{name}{end}")))
        })
        .collect();
    assert_eq!(missing, [""; 0]);
}
