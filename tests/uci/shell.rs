//! The program from the shell, and the bench in both places.

use crate::engine::{Engine, piped, shell};

fn number(line: Option<&&str>, unit: &str) -> u64 {
    let line = line.copied().unwrap_or_default();
    let number = line.strip_suffix(unit).and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| panic!("'{line}' is no number of{unit}"))
}

fn bench_nodes(output: &str) -> u64 {
    let lines: Vec<&str> = output.lines().collect();
    let [.., nodes, rate] = lines.as_slice() else {
        panic!("{output}");
    };
    number(Some(rate), " nps");
    number(Some(nodes), " nodes")
}

#[test]
fn the_bench_counts_the_same_everywhere() {
    let (first, complaint, code) = shell(&["bench", "4"]);
    assert_eq!((complaint.as_str(), code), ("", Some(0)));
    let nodes = bench_nodes(&first);
    assert!(nodes > 0);
    let (second, ..) = shell(&["bench", "4"]);
    assert_eq!(bench_nodes(&second), nodes);
    // In a session too, whatever was searched and set before.
    let lines = piped("setoption name Hash value 1\ngo nodes 3000\nisready\nbench 4\nquit\n");
    assert_eq!(bench_nodes(&lines.join("\n")), nodes);
}

#[test]
fn a_bench_can_be_stopped() {
    let mut engine = Engine::start();
    engine.send("bench 200");
    engine.tell("");
    engine.send("stop");
    let said = engine.until("info string error: ");
    assert!(said.iter().all(|line| !line.ends_with(" nps")), "{said:?}");
    engine.quit();
}

#[test]
fn help_and_version() {
    for word in ["--help", "-h"] {
        let (text, _, code) = shell(&[word]);
        assert_eq!(code, Some(0));
        assert!(text.contains("castellan bench"), "{text}");
        assert!(text.contains("castellan book"), "{text}");
        assert!(text.contains("castellan play"), "{text}");
    }
    for word in ["--version", "-V"] {
        let (text, _, code) = shell(&[word]);
        assert_eq!(code, Some(0));
        assert!(text.starts_with("Castellan "), "{text}");
        assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    }
}

#[test]
fn what_it_does_not_know_is_an_error_of_use() {
    for arguments in [
        &["banch"][..],
        &["--bench"],
        &["bench", "deep"],
        &["bench", "0"],
        &["bench", "3", "4"],
        &["book"],
        &["book", "burn"],
        &["book", "make"],
        &["book", "make", "a.pgn", "--depth", "0"],
        &["book", "show"],
        &["uci"],
        &["\u{1b}[31m"],
        &[""],
    ] {
        let (text, complaint, code) = shell(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert_eq!(text, "", "{arguments:?}");
        assert!(complaint.starts_with("castellan: "), "{complaint}");
        assert!(complaint.contains("usage: castellan"), "{complaint}");
        let clean = |line: &str| !line.contains(char::is_control);
        assert!(complaint.lines().all(clean), "{complaint:?}");
    }
}
