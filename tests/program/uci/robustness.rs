//! Invalid input, input during a search, and when `bestmove` may be printed.

use super::CASTELLAN;
use std::io::{BufRead, BufReader, Write};
use test_common::positions::{CHECKMATE, MATE_IN_ONE, STALEMATE, START};

use super::search_output::{assert_only_infos, check_search, game, infos};

/// Invalid lines of all kinds.
const BAD_LINES: &[&str] = &[
    "hello",
    "position",
    "position e2e4",
    "position startpos e2e4",
    "position fen",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "position startpos moves e2e5",
    "position startpos moves e2e4 0000",
    "setoption name",
    "setoption name Nothing value 3",
    "setoption name Hash value 0",
    "setoption name Clear Hash value 3",
    "debug maybe",
    "bench 0",
];

#[test]
fn invalid_lines_are_errors_and_change_nothing() {
    let mut engine = CASTELLAN.uci();
    engine.set_option("MultiPV", 3);
    engine.send_silent("position startpos moves e2e4 e7e5 g1f3");
    let before = engine.query("d");
    for line in BAD_LINES {
        engine.query_error(line);
        assert_eq!(engine.query("d"), before, "{line}");
    }
    // After a refused position nothing is searched.
    engine.send_silent("position startpos");
    let lines = engine.go("go depth 3");
    let most = infos(&lines).iter().map(|info| info.line).max();
    assert_eq!(most, Some(3), "MultiPV is unchanged");
}

#[test]
fn subcommands_of_the_program_are_no_uci_commands() {
    let mut engine = CASTELLAN.uci();
    for name in [
        "analyze",
        "analyse",
        "annotate",
        "board",
        "completions",
        "fen",
        "man",
        "pgn",
        "play",
    ] {
        let error = engine.query_error(&format!("{} X", name.to_uppercase()));
        let expected = format!("'{name}' is not a UCI command; ");
        assert!(error.contains(&expected), "{error}");
        let advice = format!("'castellan {name}'");
        assert!(error.contains(&advice), "{error}");
    }
    // A command of a game, even a mistyped one.
    let error = engine.query_error("resgin");
    assert!(error.contains("'resign' is not a UCI command; "), "{error}");
    assert!(error.contains("'castellan play'"), "{error}");
}

#[test]
fn invalid_lines_do_not_stop_a_search() {
    let mut engine = CASTELLAN.uci();
    engine.send("go infinite");
    let mut output = Vec::new();
    for line in BAD_LINES {
        engine.send(line);
        output.extend(engine.read_until("info string error: "));
    }
    assert!(
        output.iter().all(|line| !line.starts_with("bestmove")),
        "{output:?}"
    );
    check_search(&game(START), &engine.finish(output, "stop"));
}

#[test]
fn arbitrary_bytes() {
    let mut engine = CASTELLAN.uci();
    let mut everything: Vec<u8> = (0..=255).collect();
    everything.push(b'\n');
    engine.send_bytes(&everything);
    engine.send_bytes(b"\xff\xfe\n\0\0\0\n\r\r\n\n\n\t \n");
    engine.send_bytes(b"position startpos moves \0\n");
    let mut long = b"position startpos moves".to_vec();
    long.extend(b" e2e4".repeat(1 << 19));
    long.push(b'\n');
    engine.send_bytes(&long);
    let mut endless = vec![b'x'; 3 << 20];
    endless.push(b'\n');
    engine.send_bytes(&endless);
    let output = engine.query("");
    assert!(!output.is_empty());
    for line in output {
        assert!(line.starts_with("info string error: "), "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    assert_eq!(engine.display("Fen"), START);
}

#[test]
fn stop_right_after_go_a_thousand_times() {
    let mut engine = CASTELLAN.uci();
    let start = game(START);
    for round in 0..1000 {
        let go = ["go infinite", "go", "go ponder", "go depth 50 infinite"][round % 4];
        let lines = engine.go(&format!("{go}\nstop"));
        check_search(&start, &lines);
        let bests = lines.iter().filter(|line| line.starts_with("bestmove"));
        assert_eq!(bests.count(), 1);
    }
    engine.assert_quiet();
}

#[test]
fn a_storm_of_stop_and_ponderhit_ends_one_search() {
    let mut engine = CASTELLAN.uci();
    let storm = "stop\nponderhit\n".repeat(10_000);
    for go in ["go infinite", "go ponder wtime 100000 btime 100000"] {
        let mut output = engine.query(&format!("{go}\n{storm}"));
        if !output.iter().any(|line| line.starts_with("bestmove")) {
            output.extend(engine.read_until("bestmove"));
        }
        check_search(&game(START), &output);
        engine.send_silent(&storm);
        engine.assert_quiet();
    }
}

#[test]
fn a_game_of_a_hundred_thousand_plies() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = shuffle.iter().copied().cycle().take(100_000).collect();
    let mut engine = CASTELLAN.uci();
    engine.send_silent(&format!("position startpos moves {}", moves.join(" ")));
    let fen = engine.display("Fen");
    assert!(fen.starts_with(START.trim_end_matches("0 1")), "{fen}");
    assert!(fen.ends_with(" 50001"), "{fen}");
    engine.go("go nodes 1000");
}

/// More memory and threads than the system grants are refused, and what was there goes on.
#[cfg(target_os = "linux")]
#[test]
fn limited_address_space() {
    const KIBIBYTES: u32 = 600_000;
    let limited = format!("ulimit -v {KIBIBYTES} && exec \"$0\"");
    let mut engine = std::process::Command::new("sh")
        .args(["-c", &limited])
        .arg(CASTELLAN.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = engine.stdin.take().expect("standard input is a pipe");
    input
        .write_all(
            b"setoption name Hash value 1000\nsetoption name Threads value 1024\n\
              go nodes 1000\n",
        )
        .expect("the input is read");
    drop(input);
    let output = engine.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    for expected in [
        "hash table of 1000 MB; it remains at 16 MB",
        "cannot start 1024 search threads",
        "\nbestmove ",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn no_bestmove_before_stop_or_ponderhit() {
    for (fen, go) in [
        (START, "go infinite depth 1"),
        (START, "go depth 2 ponder"),
        (START, "go ponder wtime 1 btime 1"),
        (START, "go infinite movetime 1"),
        (START, "go infinite nodes 1"),
        (MATE_IN_ONE, "go infinite"),
        (MATE_IN_ONE, "go ponder"),
        (MATE_IN_ONE, "go infinite mate 1"),
        (CHECKMATE, "go infinite"),
        (STALEMATE, "go ponder"),
    ] {
        let mut engine = CASTELLAN.uci();
        engine.set_fen(fen);
        engine.send(go);
        engine.read_until("info depth");
        for _ in 0..3 {
            assert_only_infos(&engine.unsolicited());
        }
        engine.go("stop");
    }
}

#[test]
fn commands_during_a_search_are_executed_when_possible() {
    let mut engine = CASTELLAN.uci();
    let after = game("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.send("go infinite");
    engine.send("position startpos moves e2e4");
    engine.send("setoption name MultiPV value 2");
    engine.send("setoption name Hash value 2");
    engine.send("setoption name Threads value 2");
    engine.send("setoption name Clear Hash");
    engine.send("ucinewgame");
    engine.send("uci");
    let output = engine.read_until("uciok");
    assert!(
        output.iter().all(|line| !line.starts_with("bestmove")),
        "{output:?}"
    );
    check_search(&game(START), &engine.finish(output, "stop"));
    let lines = engine.go("go depth 5");
    check_search(&after, &lines);
    assert!(infos(&lines).iter().any(|info| info.line == 2));
}

#[test]
fn a_new_go_ends_the_running_search_with_its_bestmove() {
    let mut engine = CASTELLAN.uci();
    engine.send("go infinite\nposition startpos moves d2d4\ngo depth 3");
    check_search(&game(START), &engine.read_until("bestmove"));
    let black = game("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
    check_search(&black, &engine.read_until("bestmove"));
    engine.assert_quiet();
}

#[test]
fn quit_ends_any_search() {
    for go in [
        "go infinite",
        "go ponder",
        "go depth 200",
        "go movetime 10000000",
        "go",
    ] {
        let mut engine = CASTELLAN.uci();
        engine.send(go);
        engine.read_until("info depth");
    }
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut child = CASTELLAN.spawn(&[]);
    let mut input = child.stdin.take().expect("standard input is a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    input.write_all(b"uci\n").expect("the input is read");
    let mut line = String::new();
    output.read_line(&mut line).expect("output");
    drop(output);
    // The input stays open: only the closed output can end the program.
    input
        .write_all(b"go infinite\n")
        .expect("the input is read");
    let status = child.wait().expect("cannot wait for the engine");
    assert!(status.success(), "{status}");
    let mut message = String::new();
    let mut stderr = child.stderr.take().expect("standard error is a pipe");
    std::io::Read::read_to_string(&mut stderr, &mut message).expect("text");
    assert_eq!(message, "");
}
