//! The command line itself: help, errors in the arguments, and UCI commands as arguments.

use std::io::{BufRead, BufReader};

use super::{CASTELLAN, commands, fails};

#[test]
fn help_is_a_command_too() {
    let help = |arguments: &[&str]| CASTELLAN.run(arguments, "").success();
    assert_eq!(help(&["help"]), help(&["--help"]));
    for command in commands() {
        let text = help(&["help", &command]);
        assert_eq!(text, help(&[&command, "--help"]));
        let usage = format!("\nUsage: castellan {command} ");
        assert!(text.contains(&usage), "{text}");
    }
    fails("help anlyze", &[], 2, "unrecognized subcommand 'anlyze'");
}

#[test]
fn the_version_is_that_of_the_package() {
    for word in ["--version", "-V"] {
        let text = CASTELLAN.run(&[word], "").success();
        assert!(text.starts_with("Castellan "), "{text}");
        assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    }
}

#[test]
fn a_similar_name_is_suggested() {
    for (line, suggestion) in [
        (
            "analze",
            "similar subcommands exist: 'annotate', 'analyse', 'analyze'",
        ),
        ("completion", "subcommand exists: 'completions'"),
        ("perft 5", "tip: use 'castellan go perft 5'"),
        ("epd suite.epd", "tip: use 'castellan analyze --json FILE'"),
        ("help bord", "unrecognized subcommand 'bord'"),
        ("analyze --dpeth 3", "argument exists: '--depth'"),
        ("analyze --hsh=3", "argument exists: '--hash'"),
        ("analyze --option Hahs=1", "did you mean 'Hash'?"),
        ("completions fsh", "value exists: 'fish'"),
    ] {
        fails(line, &[], 2, suggestion);
    }
}

#[test]
fn invalid_arguments_are_usage_errors() {
    for (line, expected) in [
        ("--bench", "'--bench'"),
        // Control characters are not printed.
        ("\u{1b}[31m", "unrecognized subcommand ''"),
        ("annotate - --multipv 2", "'--multipv' found"),
        ("completions", "usage"),
        ("analyze --depth 0", "'0' for '--depth"),
        ("analyze --resume", "--out"),
        ("analyze --out x --resume --force", "'--force'"),
        ("analyze --multipv 65536", "65536 is not in 1..=65535"),
        (
            "analyze --hash 0",
            "'0' for '--hash <MB>': expected a whole number from 1 to 33554432",
        ),
    ] {
        fails(line, &[], 2, expected);
    }
    fails(
        "analyze startpos --hash 33554432",
        &[],
        1,
        "a hash table of 33554432 MB",
    );
}

#[test]
fn uci_commands_are_arguments() {
    let session = |lines: &str| CASTELLAN.run(&[], lines).success();
    for (arguments, lines) in [
        (&["uci"][..], "uci\n"),
        (&["isready"], "isready\n"),
        (&["go", "perft", "3"], "go perft 3\n"),
        (&["go perft 3"], "go perft 3\n"),
        (&["d"], "d\n"),
        (&["bench 1"], "bench 1\n"),
        (
            &["position startpos moves e2e4", "flip", "d", "quit", "uci"],
            "position startpos moves e2e4\nflip\nd\nquit\n",
        ),
    ] {
        let (printed, expected) = (CASTELLAN.run(arguments, "").success(), session(lines));
        let without_speed = |text: &str| {
            let lines = text.lines().filter(|line| !line.ends_with(" nps"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            without_speed(&printed),
            without_speed(&expected),
            "{arguments:?}"
        );
    }
    // Each has its result before the next.
    let output = CASTELLAN.run(&["go depth 5", "go depth 6", "go infinite", "stop"], "");
    let depth = |depth: u32| format!("info depth {depth} ");
    let lines = output.success();
    let results: Vec<&str> = lines.split_inclusive("bestmove ").collect();
    let [first, second, _, _] = results.as_slice() else {
        panic!("{lines}");
    };
    assert!(first.contains(&depth(5)), "{lines}");
    assert!(second.contains(&depth(6)), "{lines}");
    for arguments in [
        &["go", "depth", "5"][..],
        &["go depth 5"],
        &["Go", "nodes", "500"],
    ] {
        let output = CASTELLAN.run(arguments, "").success();
        let last = output.lines().last().unwrap_or_default();
        assert!(last.starts_with("bestmove "), "{output}");
        assert_eq!(output.matches("bestmove ").count(), 1, "{output}");
    }
}

#[test]
fn the_first_uci_command_that_fails_ends_the_run() {
    for bad in [
        "position startpos moves e2e5",
        "setoption name Hsah value 1",
        "genfens 1 seed 1 book /nowhere.epd",
    ] {
        let finished = CASTELLAN.run(&[bad, "go depth 1"], "");
        assert_eq!(finished.code, Some(1), "{bad}");
        let lines: Vec<&str> = finished.stdout.lines().collect();
        let [error] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert!(error.starts_with("info string error: "), "{error}");
    }
    // So does one that had to wait for a search.
    let late = "setoption name EvalFile value /nowhere.net";
    let finished = CASTELLAN.run(&["go infinite", late, "stop", "uci"], "");
    assert_eq!(finished.code, Some(1));
    assert!(!finished.stdout.contains("uciok"), "{}", finished.stdout);
}

#[test]
fn an_infinite_search_reads_commands() {
    let mut child = CASTELLAN.spawn(&["go", "infinite"]);
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || output.next().expect("a line").expect("text");
    while !next().starts_with("info depth 3 ") {}
    // The end of the input ends it.
    drop(child.stdin.take());
    while !next().starts_with("bestmove ") {}
    assert!(child.wait().expect("an exit status").success());
}
