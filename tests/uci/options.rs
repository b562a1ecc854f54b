//! The options: handshake, values, errors and effects.

use crate::CASTELLAN;
use std::fs;
use test_common::{TempDir, UciEngine, positions::START};

use crate::search_output::{check_search, game, infos};

fn option_lines(engine: &mut UciEngine) -> Vec<String> {
    engine.send("uci");
    engine.read_until("uciok")
}

#[test]
fn the_handshake() {
    let mut engine = CASTELLAN.uci();
    let lines = option_lines(&mut engine);
    assert!(lines[0].starts_with("id name Castellan"), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for name in [
        "Hash type spin default 16 min 1 max ",
        "Threads type spin default 1 min 1 max 1024",
        "Ponder type check default false",
        "MultiPV type spin default 1 min 1 max 218",
        "Move Overhead type spin default 10 min 0 max ",
        "Clear Hash type button",
        "SyzygyPath type string default <empty>",
        "SyzygyProbeDepth type spin default 1 min 1 max 100",
        "SyzygyProbeLimit type spin default 7 min 0 max 7",
        "Syzygy50MoveRule type check default true",
        "OwnBook type check default false",
        "BookFile type string default <empty>",
        "BookDepth type spin default 255 min 1 max 999",
        "BookBest type check default false",
        "BookSeed type spin default 0 min 0 max 2147483647",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1600 min 800 max 3000",
        "Skill Level type spin default 20 min 0 max 20",
        "StrengthSeed type spin default 0 min 0 max 2147483647",
        "UCI_Chess960 type check default false",
        "UCI_ShowWDL type check default false",
        "UCI_AnalyseMode type check default false",
        "UCI_Opponent type string default <empty>",
        "UCI_EngineAbout type string default ",
        "EvalFile type string default <empty>",
        "Debug Log File type string default <empty>",
    ] {
        let start = format!("option name {name}");
        let found = lines.iter().filter(|line| line.starts_with(&start));
        assert_eq!(found.count(), 1, "{name} in {lines:?}");
    }
    assert!(lines.iter().all(|line| !line.contains("type filename")));
    engine.quit();
}

#[test]
fn names_in_any_case_and_values_with_blanks() {
    let mut engine = CASTELLAN.uci();
    for line in [
        "setoption name hash value 2",
        "setoption name HASH value 1",
        "SetOption Name mOvE oVeRhEaD Value 50",
        "setoption name clear hash",
        "setoption name Clear Hash value",
        "setoption name Ponder value TRUE",
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
        "setoption name UCI_Opponent value <empty>",
        "setoption name UCI_Opponent value",
        "setoption name UCI_ShowWDL value false",
        "setoption name Threads value 2",
    ] {
        engine.send_silent(line);
    }
    check_search(&game(START), &engine.go("go depth 3"));
    engine.quit();
}

#[test]
fn errors_name_option_and_range() {
    let mut engine = CASTELLAN.uci();
    for (line, words) in [
        ("Threads value 1025", &["Threads", "1 to 1024", "1025"][..]),
        ("Threads value 0", &["Threads", "1 to 1024"]),
        ("MultiPV value 0", &["MultiPV", "1 to 218"]),
        ("Hash value abc", &["Hash", "whole number", "'abc'"]),
        ("Hash value", &["Hash", "whole number", "''"]),
        ("Hash value 1.5", &["Hash", "whole number", "'1.5'"]),
        ("Hash value -4", &["Hash", "-4"]),
        ("Hash value 4000000000", &["Hash", "expected 1 to"]),
        ("Move Overhead value 100000", &["Move Overhead", "0 to"]),
        ("OwnBook value 1", &["OwnBook", "true or false"]),
        ("BookSeed value -1", &["BookSeed", "0 to 2147483647"]),
        (
            "SyzygyProbeDepth value 0",
            &["SyzygyProbeDepth", "1 to 100"],
        ),
        ("SyzygyProbeLimit value 8", &["SyzygyProbeLimit", "0 to 7"]),
        ("UCI_Chess960 value 1", &["UCI_Chess960", "true or false"]),
        ("Clear Hash value now", &["Clear Hash", "button"]),
        ("Hahs value 3", &["'Hahs'", "Hash, Threads"]),
    ] {
        let error = engine.query_error(&format!("setoption name {line}"));
        for word in words {
            assert!(error.contains(word), "{line}: no '{word}' in {error}");
        }
    }
    engine.quit();
}

#[test]
fn hash_and_threads_may_change_at_any_time() {
    let mut engine = CASTELLAN.uci();
    for (hash, threads) in [(1, 1), (64, 3), (2, 2), (16, 1)] {
        engine.set_option("Hash", hash);
        engine.set_option("Threads", threads);
        check_search(&game(START), &engine.go("go depth 5"));
        engine.send("go infinite");
        let output = engine.read_until("info depth 2 ");
        engine.send(&format!("setoption name Hash value {}", hash + 1));
        engine.send(&format!("setoption name Threads value {}", threads + 1));
        check_search(&game(START), &engine.finish(output, "stop"));
        check_search(&game(START), &engine.go("go depth 5"));
    }
    engine.quit();
}

#[test]
fn many_threads() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("Threads", 200);
    check_search(&game(START), &engine.go("go movetime 50"));
    engine.set_option("Threads", 1);
    check_search(&game(START), &engine.go("go depth 4"));
    engine.quit();
}

#[test]
fn show_wdl() {
    let mut engine = CASTELLAN.uci();
    let lines = engine.go("go depth 4");
    assert!(infos(&lines).iter().all(|info| info.chances.is_none()));
    engine.set_option("UCI_ShowWDL", true);
    for fen in [START, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"] {
        engine.send_silent(&format!("position fen {fen}"));
        let lines = engine.go("go depth 4");
        for info in infos(&lines) {
            let chances = info.chances.expect("win, draw and loss");
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{info:?}");
        }
    }
    engine.quit();
}

#[cfg(not(feature = "tune"))]
#[test]
fn tune_needs_a_tuning_build() {
    let mut engine = CASTELLAN.uci();
    assert!(engine.query_error("tune").contains("feature 'tune'"));
    engine.quit();
}

#[cfg(feature = "tune")]
#[test]
fn a_tuning_build_lists_parameters_and_sets_them() {
    let mut engine = CASTELLAN.uci();
    let rows = engine.query("tune");
    let handshake = option_lines(&mut engine);
    assert!(!rows.is_empty());
    for row in &rows {
        let words: Vec<&str> = row.split(' ').collect();
        let ["info", "string", "tune", name, default, min, max, step] = words.as_slice() else {
            panic!("{row}");
        };
        assert!(step.parse::<u32>().expect(row) > 0, "{row}");
        let option = format!("option name {name} type spin default {default} min {min} max {max}");
        assert!(handshake.contains(&option), "{option}");
        engine.send_silent(&format!("setoption name {name} value {min}"));
        engine.send_silent(&format!("setoption name {name} value {max}"));
        engine.query_error(&format!("setoption name {name} value {max}0000000"));
        engine.send_silent(&format!("setoption name {name} value {default}"));
    }
    check_search(&game(START), &engine.go("go depth 3"));
    engine.quit();
}

#[test]
fn the_debug_log_records_input_and_output_with_times() {
    let folder = TempDir::new("both directions");
    let log = folder.path("a session.log");
    let mut engine = CASTELLAN.uci();
    engine.set_option("Debug Log File", &log);
    engine.go("position startpos\ngo depth 2");
    engine.send_silent("setoption name Debug Log File value");
    engine.send_silent("position startpos moves e2e4");
    engine.quit();
    let text = fs::read_to_string(log).expect("there is a log");
    let stamped = |line: &str| {
        let time = line.split_whitespace().next().unwrap_or_default();
        line.starts_with('#') || time.parse::<f64>().is_ok()
    };
    assert!(text.lines().all(stamped), "{text}");
    for line in [
        ">> position startpos",
        ">> go depth 2",
        "<< info depth 1 ",
        "<< bestmove ",
    ] {
        assert!(text.contains(line), "no '{line}' in {text}");
    }
    assert!(!text.contains("moves e2e4"), "closed by then: {text}");
}

#[test]
fn a_debug_log_that_cannot_be_opened_is_an_error() {
    let mut engine = CASTELLAN.uci();
    let error = engine.query_error("setoption name Debug Log File value /no such folder/x.log");
    assert!(error.contains("/no such folder/x.log"), "{error}");
    engine.quit();
}
