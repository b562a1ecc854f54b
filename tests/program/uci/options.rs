//! The options: handshake, values, errors and effects.

use super::CASTELLAN;
use std::fs;
use test_common::{
    TempDir, UciEngine,
    positions::{CHECKMATE, MATE_IN_ONE, STALEMATE, START},
};

use super::search_output::infos;

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
    let options = lines.get(2..lines.len() - 1).unwrap_or_default();
    for line in options {
        assert!(line.starts_with("option name "), "{line}");
    }
    let max = 33_554_432;
    let hash = format!("option name Hash type spin default 16 min 1 max {max}");
    assert_eq!(options[0], hash);
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_threads_is_given_back() {
    let mut engine = CASTELLAN.uci();
    let mut set = |threads: u32| {
        engine.set_option("Threads", threads);
        engine.query("isready");
        test_common::resident_memory(engine.process_id())
    };
    let before = set(1);
    // The system provides their memory only when it is used: blocks of memory that are used again.
    let after: Vec<u64> = (0..10).map(|_| (set(64), set(1)).1).collect();
    assert!(
        after.iter().all(|&now| now < before + 100),
        "{before} MiB, then {after:?}"
    );
}

/// More memory than any machine has: the table is refused, not the value.
#[test]
fn a_hash_table_without_memory_is_refused_and_the_old_one_kept() {
    let mut engine = CASTELLAN.uci();
    let nodes = |engine: &mut UciEngine| {
        let infos = infos(&engine.go("go depth 9"));
        infos.last().map(|info| info.nodes)
    };
    let with_empty_table = nodes(&mut engine);
    for hash in ["33554432", "16777216"] {
        let error = engine.query_error(&format!("setoption name Hash value {hash}"));
        assert!(
            error.contains(&format!("a hash table of {hash} MB")),
            "{error}"
        );
        assert!(error.ends_with("; Hash is unchanged"), "{error}");
    }
    // It still knows the position.
    assert!(nodes(&mut engine) < with_empty_table);
    let error = engine.query_error("setoption name Hash value 33554433");
    assert!(error.contains("from 1 to 33554432"), "{error}");
}

#[test]
fn show_wdl() {
    let mut engine = CASTELLAN.uci();
    let lines = engine.go("go depth 4");
    assert!(infos(&lines).iter().all(|info| info.chances.is_none()));
    engine.set_option("UCI_ShowWDL", true);
    for fen in [START, MATE_IN_ONE] {
        engine.set_fen(fen);
        let lines = engine.go("go depth 4");
        for info in infos(&lines) {
            let chances = info.chances.expect("win, draw and loss");
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{info:?}");
        }
    }
    for (fen, expected) in [
        (CHECKMATE, "info depth 0 score mate 0 wdl 0 0 1000"),
        (STALEMATE, "info depth 0 score cp 0 wdl 0 1000 0"),
    ] {
        engine.set_fen(fen);
        assert_eq!(engine.go("go depth 4")[0], expected);
    }
}

#[cfg(not(feature = "tune"))]
#[test]
fn tune_needs_a_tuning_build() {
    let mut engine = CASTELLAN.uci();
    assert!(engine.query_error("tune").contains("feature 'tune'"));
}

#[cfg(feature = "tune")]
#[test]
fn a_tuning_build_lists_parameters_and_sets_them() {
    let mut engine = CASTELLAN.uci();
    let rows = engine.query("tune");
    let handshake = option_lines(&mut engine);
    assert!(!rows.is_empty());
    for row in &rows {
        let words: Vec<&str> = row.split(", ").collect();
        let [name, "int", default, min, max, step, "0.0025"] = words.as_slice() else {
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
    engine.go("go depth 3");
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
    drop(engine);
    let text = fs::read_to_string(log).expect("a log");
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
    assert!(
        !text.contains("moves e2e4"),
        "written after closing: {text}"
    );
}

/// A pipe without a reader, on which opening it would block.
#[cfg(unix)]
#[test]
fn a_named_pipe_does_not_stop_the_session() {
    let folder = TempDir::new("pipe");
    let pipe = folder.path("a pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    let mut engine = CASTELLAN.uci();
    for option in ["Debug Log File", "EvalFile", "BookFile"] {
        let error = engine.query_error(&format!("setoption name {option} value {pipe}"));
        assert!(error.contains("a pipe"), "{error}");
    }
    engine.query(&format!("setoption name SyzygyPath value {pipe}"));
    engine.go("go depth 1");
}
