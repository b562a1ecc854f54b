//! The tablebase options.

use super::CASTELLAN;

/// A rook against a bare king.
const WON: &str = "position fen 8/8/8/3k4/8/8/8/4K2R w - - 0 1";
const FOUND: &str = "info string found 7 WDL and 7 DTZ tablebases with up to 4 pieces";
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
}
