//! Every `unsafe` is in the table of docs/unsafe.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use test_common::{repository_file, repository_path};

/// The number of times that each file of a directory has `unsafe` in its code, as a word.
fn count(directory: &Path, counts: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            count(&path, counts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let code = text.lines().filter(|line| !line.trim().starts_with("//"));
            let words = code.flat_map(|line| {
                line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            });
            let found = words.filter(|word| *word == "unsafe").count();
            if found > 0 {
                let root = repository_path("");
                let path = path.strip_prefix(root).expect("a file of the repository");
                counts.insert(path.to_str().expect("UTF-8").replace('\\', "/"), found);
            }
        }
    }
}

#[test]
fn every_unsafe_is_documented() {
    let mut documented = BTreeMap::new();
    for row in repository_file("docs/unsafe.md").lines() {
        let Some((files, rest)) = row
            .strip_prefix("| `")
            .and_then(|row| row.split_once(" | "))
        else {
            continue;
        };
        let files = files.split(',').map(|file| file.trim().replace('`', ""));
        let (counts, _) = rest.split_once(" | ").expect("a count");
        let counts = counts
            .split('+')
            .map(|count| count.trim().parse().expect("a count"));
        documented.extend(files.zip(counts));
    }
    let mut found = BTreeMap::new();
    for member in [
        "board", "common", "engine", "game", "movegen", "search", "training", "tridim",
    ] {
        count(&repository_path(member).join("src"), &mut found);
    }
    assert_eq!(found, documented, "docs/unsafe.md is not up to date");
}
