//! `go`: every key alone and in combination.

use std::time::Duration;

use movegen::Color;

use super::{GoError, GoRequest, KEYS, MAX_TIME_MS};
use crate::uci::command::UciCommand;

fn parsed(line: &str) -> GoRequest {
    match UciCommand::parse(line) {
        Ok(Some(UciCommand::Go(request))) => request,
        other => panic!("{line:?} gave {other:?}"),
    }
}

/// Without anything ignored.
fn go(line: &str) -> GoRequest {
    let request = parsed(line);
    assert_eq!(request.ignored, [], "{line:?}");
    request
}

/// The only part that is ignored, and the rest.
fn ignored(line: &str) -> (GoError, GoRequest) {
    let mut request = parsed(line);
    let error = request.ignored.pop().expect(line);
    assert_eq!(request.ignored, [], "{line:?}");
    (error, request)
}

fn ms(milliseconds: u64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds))
}

fn times(request: &GoRequest) -> [Option<Duration>; 5] {
    [
        request.movetime,
        request.wtime,
        request.btime,
        request.winc,
        request.binc,
    ]
}

#[test]
fn a_bare_go_has_no_limits() {
    for line in ["go", "go ", "go\t", " GO \r", "go     "] {
        assert_eq!(go(line), GoRequest::default(), "{line:?}");
    }
}

#[test]
fn numbers_may_have_signs_and_leading_zeros() {
    assert_eq!(go("go depth 007 mate 0000000256").depth, Some(7));
    assert_eq!(go("go depth 007 mate 0000000256").mate, Some(256));
    assert_eq!(go("go wtime +250").wtime, ms(250));
    let request = go("go wtime -5 btime -99999999999999999999 winc -1 binc -0 movetime -300");
    assert_eq!(times(&request), [ms(0); 5], "negative times count as 0");
}

#[test]
fn huge_numbers_saturate() {
    let huge = "9".repeat(400);
    let numeric = KEYS.iter().filter(|key| takes_number(key));
    let limits: Vec<String> = numeric.map(|key| format!("{key} {huge}")).collect();
    let request = go(&format!("go {}", limits.join(" ")));
    let max = Some(u32::MAX);
    assert_eq!((request.depth, request.mate), (max, max));
    assert_eq!((request.movestogo, request.perft), (max, max));
    assert_eq!(request.nodes, Some(i64::MAX.unsigned_abs()));
    assert_eq!(times(&request), [ms(MAX_TIME_MS); 5]);
}

fn takes_number(key: &str) -> bool {
    !matches!(key, "infinite" | "ponder" | "searchmoves")
}

#[test]
fn decimals_are_rounded_down() {
    let request = go("go wtime 1000.9 btime -0.5 depth 3.99 nodes 12. movestogo 99999999999.5");
    assert_eq!((request.wtime, request.btime), (ms(1000), ms(0)));
    assert_eq!((request.depth, request.nodes), (Some(3), Some(12)));
    assert_eq!(request.movestogo, Some(u32::MAX));
}

#[test]
fn a_key_without_its_value_leaves_the_next_key_alone() {
    let (_, request) = ignored("go depth infinite searchmoves e2e4 d2d4");
    assert_eq!(request, go("go infinite searchmoves e2e4 d2d4"));
    let (_, request) = ignored("go movestogo -1 wtime 1000 btime 1000");
    assert_eq!(request, go("go wtime 1000 btime 1000"));
}

#[test]
fn the_last_of_a_repeated_key_counts() {
    let request =
        go("go depth 3 wtime 5 depth 300 wtime 6 searchmoves a2a3 ponder searchmoves b2b3");
    assert_eq!(request.depth, Some(300));
    assert_eq!(request.wtime, ms(6));
    assert_eq!(request.searchmoves, Some(vec!["b2b3".to_owned()]));
    assert!(request.ponder);
}

#[test]
fn searchmoves_end_at_the_next_key_and_keep_every_word() {
    for (line, expected) in [
        (
            "go searchmoves E2E4 0000 Nf3 zzzz e7e8Q depth 4",
            &["E2E4", "0000", "Nf3", "zzzz", "e7e8Q"][..],
        ),
        ("go searchmoves 1.d4 1. Nc3 depth 4", &["d4", "Nc3"]),
        ("go searchmoves depth 4", &[]),
    ] {
        let request = go(line);
        assert_eq!(request.searchmoves.as_deref().expect(line), expected);
        assert_eq!(request.depth, Some(4));
    }
}

#[test]
fn errors_name_the_key_the_text_and_what_was_expected() {
    let texts = [
        "", "abc", "1.x", ".5", "1.-5", "0x10", "-", "5wtime", "infinite", "5\0", "١",
    ];
    for key in KEYS.into_iter().filter(|key| takes_number(key)) {
        let is_time = key.ends_with("time") || key.ends_with("inc");
        let expected = if is_time {
            "a whole number of milliseconds"
        } else {
            "a whole number, 0 or more"
        };
        // A clock that has run out may be negative.
        for text in texts.iter().chain((!is_time).then_some(&"-1")) {
            let found = match *text {
                "" => "nothing".to_owned(),
                text => format!("'{}'", text.replace('\0', "\\u{0}")),
            };
            let (error, rest) = ignored(&format!("go infinite {key} {text}"));
            let full = format!("expected {expected} after 'go {key}', found {found}");
            assert_eq!(error.to_string(), full);
            assert_eq!(rest, go("go infinite"));
        }
    }
    for (line, word, rest) in [
        ("go depth 5 wtine 1000", "'wtine'", "go depth 5"),
        ("go foo 3 depth 3", "'foo'", "go depth 3"),
        ("go depth 3 joho", "'joho'", "go depth 3"),
        ("go 5", "'5'", "go"),
        ("go wtime5 movetime 9", "'wtime5'", "go movetime 9"),
    ] {
        let (error, request) = ignored(line);
        assert_eq!(request, go(rest), "{line}");
        let message = error.to_string();
        for part in KEYS.into_iter().chain([word, "unknown limit"]) {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn the_side_to_move_has_a_clock_if_any_was_given() {
    let remaining = |line, side: Color| {
        let limits = go(line).limits(side, Vec::new());
        limits.clocks[side.index()].remaining
    };
    for side in Color::ALL {
        for line in ["go wtime 100", "go btime 100", "go winc 100 binc 100"] {
            assert_eq!(remaining(line, side), ms(100), "{line} {side}");
        }
        assert_eq!(remaining("go depth 3", side), None);
    }
    let both = "go wtime 1000 btime 2000";
    assert_eq!(remaining(both, Color::White), ms(1000));
    assert_eq!(remaining(both, Color::Black), ms(2000));
}

#[test]
fn a_search_without_limits_is_infinite() {
    for (line, infinite) in [
        ("go", true),
        ("go infinite", true),
        ("go searchmoves e2e4", true),
        ("go movestogo 3", true),
        ("go depth 1", false),
        ("go mate 2", false),
        ("go nodes 5", false),
        ("go movetime 1", false),
        ("go wtime 1", false),
        // `ponderhit` ends it.
        ("go ponder", false),
    ] {
        let limits = go(line).limits(Color::White, Vec::new());
        assert_eq!(limits.infinite, infinite, "{line}");
    }
}

#[test]
fn limits_are_at_least_one() {
    let limits = go("go depth 0 nodes 0 mate 0").limits(Color::White, Vec::new());
    assert_eq!(limits.depth, Some(1));
    assert_eq!(limits.nodes, Some(1));
    assert_eq!(limits.mate, Some(1));
}

#[test]
fn keys_are_read_alone_and_in_any_order_and_case() {
    // Each argument with what alone it sets; all numbers differ.
    type Set = fn(&mut GoRequest);
    let arguments: [(&str, Set); 13] = [
        ("depth 3", |go| go.depth = Some(3)),
        ("nodes 4000000000", |go| go.nodes = Some(4_000_000_000)),
        ("movetime 5", |go| go.movetime = ms(5)),
        ("wtime 6", |go| go.wtime = ms(6)),
        ("btime 7", |go| go.btime = ms(7)),
        ("winc 8", |go| go.winc = ms(8)),
        ("binc 9", |go| go.binc = ms(9)),
        ("movestogo 10", |go| go.movestogo = Some(10)),
        ("mate 1100", |go| go.mate = Some(1100)),
        ("perft 12", |go| go.perft = Some(12)),
        ("infinite", |go| go.infinite = true),
        ("ponder", |go| go.ponder = true),
        ("searchmoves E2E4 0000", |go| {
            go.searchmoves = Some(vec!["E2E4".to_owned(), "0000".to_owned()]);
        }),
    ];
    assert_eq!(arguments.len(), KEYS.len());
    for first in 0..arguments.len() {
        for count in [1, 2, arguments.len()] {
            let some = arguments.iter().cycle().skip(first).take(count);
            let mut expected = GoRequest::default();
            some.clone().for_each(|(_, set)| set(&mut expected));
            let words: Vec<&str> = some.map(|(argument, _)| *argument).collect();
            let line = format!("go {}", words.join(" "));
            assert_eq!(go(&line), expected, "{line}");
            assert_eq!(go(&line.to_ascii_uppercase()), expected, "{line}");
        }
    }
}
