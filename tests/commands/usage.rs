//! The command line itself: help, errors in the arguments, and UCI commands as arguments.

use std::io::{BufRead, BufReader};

use crate::{CASTELLAN, commands, fails};

#[test]
fn help_is_a_command_too() {
    let help = |arguments: &[&str]| CASTELLAN.run(arguments, "").success();
    assert_eq!(help(&["help"]), help(&["--help"]));
    for command in commands() {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let text = help(&[&["help"], &words[..]].concat());
        assert_eq!(text, help(&[&words[..], &["--help"]].concat()));
        let usage = format!("\nUsage: castellan {} ", words.join(" "));
        assert!(text.contains(&usage), "{text}");
    }
    fails("help anlyze", &[], 2, "unrecognized subcommand 'anlyze'");
}

#[test]
fn the_nearest_name_is_suggested() {
    for (line, suggestion) in [
        ("analze", "subcommand exists: 'analyze'"),
        ("anlyse x.epd", "subcommand exists: 'analyse'"),
        ("banch", "subcommand exists: 'bench'"),
        ("uic", "subcommand exists: 'uci'"),
        ("book sow", "subcommand exists: 'show'"),
        ("help tridm", "subcommand exists: 'tridim'"),
        ("help book sow", "subcommand exists: 'show'"),
        ("--bench", "subcommand exists: 'bench'"),
        ("analyze --dpeth 3", "argument exists: '--depth'"),
        ("analyze -depth 3", "argument exists: '--depth'"),
        ("epd x --summry", "argument exists: '--summary'"),
        ("analyze --hsh=3", "argument exists: '--hash'"),
        ("book show --bok=x", "argument exists: '--book'"),
        ("analyze --option Hahs=1", "did you mean 'Hash'?"),
        (
            "analyze --option SyzygyPaht=x",
            "did you mean 'SyzygyPath'?",
        ),
        ("completions fsh", "value exists: 'fish'"),
    ] {
        fails(line, &[], 2, suggestion);
    }
    // A UCI command has no help of its own.
    for line in [
        "depth",
        "analyze --xyzzy",
        "analyze -9",
        "xyzzy",
        "help postion",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let error = CASTELLAN.run_failing(&arguments, 2);
        assert!(!error.contains("tip:"), "{error}");
    }
}

#[test]
fn every_usage_error_shows_the_usage_of_its_command() {
    for (line, command) in [
        ("bench deep", "bench"),
        ("bench 0", "bench"),
        ("perft", "perft"),
        ("perft -1", "perft"),
        ("analyze --nodes 0", "analyze"),
        ("analyze --multipv 100000", "analyze"),
        ("analyze --resume", "analyze"),
        ("book", "book"),
        ("book show --book", "book show"),
        ("help book nope", "book"),
        ("fen --to pgn", "fen"),
        ("pgn --eco F", "pgn"),
        ("play --elo 5", "play"),
        ("tridim", "tridim"),
        ("tridim perft", "tridim perft"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let error = CASTELLAN.run_failing(&arguments, 2);
        let usage = format!("\n\nUsage: castellan {command} ");
        assert!(error.contains(&usage), "{error}");
        let more = format!("\n\nFor more information, try 'castellan {command} --help'.\n");
        assert!(error.ends_with(&more), "{error}");
        // Neither advice to write `--` nor the words of a library.
        for word in ["-- ", "digit", "non-zero", "..=1844"] {
            assert!(!error.contains(word), "{error}");
        }
    }
}

#[test]
fn numbers_say_what_is_expected() {
    for (line, expected) in [
        (
            "bench 0",
            "'0' for '[DEPTH]': expected a whole number of 1 or more",
        ),
        (
            "perft x",
            "'x' for '<DEPTH>': expected a whole number of 0 or more",
        ),
        (
            "analyze --jobs +1",
            "'+1' for '--jobs <N>': expected a whole number of 1 or more",
        ),
        ("analyze --multipv 65536", "the number is too large"),
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
