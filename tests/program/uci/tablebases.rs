//! The tablebase options.

use super::CASTELLAN;
use std::fs;
use std::path::Path;
use test_common::TempDir;

/// A rook against a bare king.
const WON: &str = "position fen 8/8/8/3k4/8/8/8/4K2R w - - 0 1";
const FOUND: &str = "info string found 7 WDL and 7 DTZ tablebases with up to 4 pieces";
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

fn folder() -> String {
    test_common::repository_path("tests/data/syzygy")
        .display()
        .to_string()
}

fn path(folders: &str) -> String {
    format!("setoption name SyzygyPath value {folders}")
}

fn hits(lines: &[String]) -> u64 {
    let last = lines.iter().rfind(|line| line.contains(" tbhits "));
    let mut words = last.expect("a line with hits").split_whitespace();
    words.find(|&word| word == "tbhits").expect("tbhits");
    words.next().expect("a number").parse().expect("a number")
}

#[test]
fn tablebases_are_counted_and_probed() {
    let mut engine = CASTELLAN.uci();
    let before = engine.go(&format!("{WON}\ngo depth 4"));
    assert_eq!(hits(&before), 0);
    assert_eq!(engine.query(&path(&folder())), [FOUND]);
    let with = engine.go(&format!("{WON}\ngo depth 4"));
    assert!(hits(&with) > 0, "{with:?}");
    let won = |line: &String| line.contains(" score cp 199") || line.contains(" score mate ");
    assert!(
        with.iter()
            .filter(|line| line.contains(" depth 4 "))
            .all(won),
        "{with:?}"
    );
    for line in [
        "setoption name SyzygyProbeLimit value 2",
        "setoption name SyzygyPath value",
    ] {
        engine.send_silent(line);
        let without = engine.go(&format!("{WON}\ngo depth 4"));
        assert_eq!(hits(&without), 0, "{line}");
    }
    engine.quit();
}

#[test]
fn directories_are_combined_and_unreadable_ones_reported() {
    let own = TempDir::new("some  tables");
    for name in ["KRvK.rtbw", "KRvK.rtbz", "KQvK.rtbw", "KQvK.rtbz"] {
        let table = fs::read(Path::new(&folder()).join(name)).expect("a file");
        own.write(name, table);
    }
    let mut engine = CASTELLAN.uci();
    let own_path = own.path("");
    let all = format!(
        "/no such folder{SEPARATOR}{own_path}{SEPARATOR}{}",
        folder()
    );
    let output = engine.query(&path(&all));
    let [missing, found] = output.as_slice() else {
        panic!("{output:?}");
    };
    assert!(missing.starts_with("info string error: "), "{missing}");
    assert!(
        missing.contains("cannot read the tablebase directory '/no such folder'"),
        "{missing}"
    );
    assert_eq!(found, FOUND);
    let output = engine.query(&path(&own_path));
    assert_eq!(
        output,
        ["info string found 2 WDL and 2 DTZ tablebases with up to 3 pieces"]
    );
    assert!(hits(&engine.go(&format!("{WON}\ngo depth 2"))) > 0);
    let output = engine.query(&path("/no such folder"));
    assert_eq!(
        output.last().map(String::as_str),
        Some("info string found no tablebases")
    );
    engine.quit();
}

#[test]
fn a_path_set_during_a_search_takes_effect_afterwards() {
    let mut engine = CASTELLAN.uci();
    engine.send(&format!("{WON}\ngo infinite"));
    engine.send(&path(&folder()));
    engine.send("stop");
    engine.read_until("bestmove");
    engine.send("isready");
    let output = engine.read_until("readyok");
    assert!(output.iter().any(|line| line == FOUND), "{output:?}");
    assert!(hits(&engine.go("go depth 2")) > 0);
    engine.quit();
}

#[test]
fn syzygy_50_move_rule_off() {
    let mut engine = CASTELLAN.uci();
    engine.query(&path(&folder()));
    let late = "position fen 8/8/8/3k4/8/8/8/4K2R w - - 90 80\ngo depth 3";
    let drawn = engine.go(late);
    assert!(
        drawn.iter().any(|line| line.contains(" score cp 1 ")),
        "{drawn:?}"
    );
    engine.set_option("Syzygy50MoveRule", false);
    let won = engine.go(late);
    assert!(
        won.iter().any(|line| line.contains(" score cp 199")),
        "{won:?}"
    );
    engine.quit();
}
