//! `go`: every key alone and in combination.

use std::time::Duration;

use proptest::prelude::*;

use movegen::Color;

use super::{GoError, GoRequest, KEYS, MAX_TIME_MS};
use crate::uci::command::{Command, CommandError};

fn go(line: &str) -> GoRequest {
    match Command::parse(line) {
        Ok(Some(Command::Go(request))) => request,
        other => panic!("{line:?} gave {other:?}"),
    }
}

fn error(line: &str) -> GoError {
    match Command::parse(line) {
        Err(CommandError::Go(error)) => error,
        other => panic!("{line:?} gave {other:?}"),
    }
}

fn ms(milliseconds: u64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds))
}

#[test]
fn a_bare_go_has_no_limits() {
    for line in ["go", "go ", "go\t", " GO \r", "go     "] {
        assert_eq!(go(line), GoRequest::default(), "{line:?}");
    }
}

#[test]
fn every_key_alone() {
    let cases: [(&str, fn(&mut GoRequest)); KEYS.len()] = [
        ("depth 12", |request| request.depth = Some(12)),
        ("nodes 34", |request| request.nodes = Some(34)),
        ("movetime 56", |request| request.movetime = ms(56)),
        ("wtime 78", |request| request.wtime = ms(78)),
        ("btime 90", |request| request.btime = ms(90)),
        ("winc 1", |request| request.winc = ms(1)),
        ("binc 2", |request| request.binc = ms(2)),
        ("movestogo 3", |request| request.movestogo = Some(3)),
        ("mate 4", |request| request.mate = Some(4)),
        ("infinite", |request| request.infinite = true),
        ("ponder", |request| request.ponder = true),
        ("searchmoves e2e4", |request| {
            request.searchmoves = Some(vec!["e2e4".to_owned()]);
        }),
        ("perft 5", |request| request.perft = Some(5)),
    ];
    for ((text, set), key) in cases.into_iter().zip(KEYS) {
        assert!(text.starts_with(key), "{text}");
        let mut expected = GoRequest::default();
        set(&mut expected);
        assert_eq!(go(&format!("go {text}")), expected);
        assert_eq!(go(&format!("GO {}", text.to_ascii_uppercase())), expected);
    }
}

#[test]
fn ponder_and_infinite_combine_with_clocks() {
    let request = go("go ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 40");
    assert!(request.ponder);
    assert_eq!((request.wtime, request.btime), (ms(1000), ms(2000)));
    assert_eq!((request.winc, request.binc), (ms(10), ms(20)));
    assert_eq!(request.movestogo, Some(40));

    let request = go("go wtime 1000 infinite btime 2000 ponder");
    assert!(request.infinite && request.ponder);
    assert_eq!((request.wtime, request.btime), (ms(1000), ms(2000)));
}

#[test]
fn movetime_combines_with_other_limits() {
    let request = go("go movetime 500 wtime 1000 depth 9 nodes 7 mate 3 btime 1 infinite");
    assert_eq!(request.movetime, ms(500));
    assert_eq!((request.wtime, request.btime), (ms(1000), ms(1)));
    assert_eq!((request.depth, request.nodes), (Some(9), Some(7)));
    assert_eq!(request.mate, Some(3));
    assert!(request.infinite);
}

#[test]
fn numbers_of_any_length_are_read() {
    for number in [0, 9, 10, 99, 100, 255, 256, 300, 999, 1000, 12_345] {
        assert_eq!(go(&format!("go depth {number}")).depth, Some(number));
        assert_eq!(go(&format!("go mate {number}")).mate, Some(number));
        assert_eq!(
            go(&format!("go movestogo {number}")).movestogo,
            Some(number)
        );
        assert_eq!(go(&format!("go perft {number}")).perft, Some(number));
    }
    for number in [999_999_999_999, 1_000_000_000_000, 5_000_000_000_000_000] {
        assert_eq!(go(&format!("go nodes {number}")).nodes, Some(number));
    }
    assert_eq!(go("go depth 007 mate 0000000256").mate, Some(256));
    assert_eq!(go("go depth 007 mate 0000000256").depth, Some(7));
}

#[test]
fn huge_numbers_saturate() {
    let huge = "9".repeat(400);
    let request = go(&format!(
        "go depth {huge} nodes {huge} movetime {huge} wtime {huge} btime {huge} winc {huge} \
         binc {huge} movestogo {huge} mate {huge} perft {huge}"
    ));
    assert_eq!(request.depth, Some(u32::MAX));
    assert_eq!(request.movestogo, Some(u32::MAX));
    assert_eq!(request.mate, Some(u32::MAX));
    assert_eq!(request.perft, Some(u32::MAX));
    assert_eq!(request.nodes, u64::try_from(i64::MAX).ok());
    for time in [
        request.movetime,
        request.wtime,
        request.btime,
        request.winc,
        request.binc,
    ] {
        assert_eq!(time, ms(MAX_TIME_MS));
    }
}

#[test]
fn negative_times_count_as_zero() {
    let request = go("go wtime -5 btime -99999999999999999999 winc -1 binc -0 movetime -300");
    for time in [
        request.wtime,
        request.btime,
        request.winc,
        request.binc,
        request.movetime,
    ] {
        assert_eq!(time, ms(0));
    }
    assert_eq!(go("go wtime +250").wtime, ms(250));
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
    let request = go("go searchmoves E2E4 0000 Nf3 zzzz e7e8Q depth 4");
    assert_eq!(
        request.searchmoves,
        Some(
            ["e2e4", "0000", "Nf3", "zzzz", "e7e8q"]
                .map(str::to_owned)
                .to_vec()
        )
    );
    assert_eq!(request.depth, Some(4));
    let request = go("go searchmoves depth 4");
    assert_eq!(request.searchmoves, Some(vec![]));
    assert_eq!(request.depth, Some(4));
}

#[test]
fn errors_name_key_text_and_expectation() {
    for name in KEYS {
        if matches!(name, "infinite" | "ponder" | "searchmoves") {
            continue;
        }
        for text in [
            "", "abc", "1.5", "0x10", "-", "5wtime", "infinite", "5\0", "١",
        ] {
            let error = self::error(&format!("go infinite {name} {text}"));
            let GoError::Value { key, expected, .. } = &error else {
                panic!("{name} {text:?} gave {error:?}");
            };
            assert_eq!(*key, name);
            let message = error.to_string();
            assert!(
                message.contains(name) && message.contains(expected),
                "{message}"
            );
            let quoted = if text.is_empty() {
                "nothing".to_owned()
            } else {
                text.replace('\0', "\\u{0}")
            };
            assert!(message.contains(&quoted), "{message}");
        }
    }
}

#[test]
fn negative_counts_are_errors() {
    for name in ["depth", "nodes", "mate", "movestogo", "perft"] {
        let message = error(&format!("go {name} -1")).to_string();
        assert!(
            message.contains("0 or more") && message.contains("'-1'"),
            "{message}"
        );
    }
}

#[test]
fn errors_for_unknown_keys_list_the_known() {
    let error = self::error("go depth 5 wtine 1000");
    let GoError::UnknownKey { word } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(word, "wtine");
    for name in KEYS {
        assert!(error.to_string().contains(name));
    }
    assert!(matches!(self::error("go 5"), GoError::UnknownKey { .. }));
    assert!(matches!(
        self::error("go wtime5"),
        GoError::UnknownKey { .. }
    ));
}

fn remaining(line: &str, side: Color) -> Option<Duration> {
    go(line).limits(side, Vec::new()).clocks[side.index()].remaining
}

#[test]
fn the_side_to_move_has_a_clock_if_any_was_given() {
    for side in Color::ALL {
        for line in ["go wtime 100", "go btime 100", "go winc 100 binc 100"] {
            let clock = Some(Duration::from_millis(100));
            assert_eq!(remaining(line, side), clock, "{line} {side}");
        }
        assert_eq!(remaining("go depth 3", side), None);
    }
    let both = "go wtime 1000 btime 2000";
    assert_eq!(remaining(both, Color::White), Some(Duration::from_secs(1)));
    assert_eq!(remaining(both, Color::Black), Some(Duration::from_secs(2)));
}

#[test]
fn a_search_without_limits_is_infinite() {
    let infinite = |line| go(line).limits(Color::White, Vec::new()).infinite;
    for line in ["go", "go infinite", "go searchmoves e2e4", "go movestogo 3"] {
        assert!(infinite(line), "{line}");
    }
    for line in [
        "go depth 1",
        "go mate 2",
        "go nodes 5",
        "go movetime 1",
        "go wtime 1",
    ] {
        assert!(!infinite(line), "{line}");
    }
    assert!(!infinite("go ponder"), "a ponder hit ends it");
}

#[test]
fn limits_are_at_least_one() {
    let limits = go("go depth 0 nodes 0 mate 0").limits(Color::White, Vec::new());
    assert_eq!(limits.depth, Some(1));
    assert_eq!(limits.nodes, Some(1));
    assert_eq!(limits.mate, Some(1));
}

/// A small number as often as a large one.
fn count() -> impl Strategy<Value = u32> {
    prop_oneof![0..1100u32, any::<u32>()]
}

fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![0..5000u64, 0..=MAX_TIME_MS].prop_map(Duration::from_millis)
}

fn moves() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-h][1-8][a-h][1-8][qrbn]?", 0..5)
}

fn request() -> impl Strategy<Value = GoRequest> {
    let clocks = [(); 5].map(|()| prop::option::of(time()));
    let counts = [(); 4].map(|()| prop::option::of(count()));
    let nodes = prop_oneof![0..2_000_000_000_000u64, 0..=i64::MAX.unsigned_abs()];
    (
        clocks,
        counts,
        prop::option::of(nodes),
        any::<[bool; 2]>(),
        prop::option::of(moves()),
    )
        .prop_map(|(clocks, counts, nodes, [infinite, ponder], searchmoves)| {
            let [movetime, wtime, btime, winc, binc] = clocks;
            let [depth, movestogo, mate, perft] = counts;
            GoRequest {
                depth,
                nodes,
                movetime,
                wtime,
                btime,
                winc,
                binc,
                movestogo,
                mate,
                infinite,
                ponder,
                searchmoves,
                perft,
            }
        })
}

/// The parts of a line for a request, each a key with its value.
fn pieces(request: &GoRequest) -> Vec<String> {
    let number = |name: &str, value: Option<u64>| value.map(|value| format!("{name} {value}"));
    let time = |name: &str, value: Option<Duration>| {
        value.map(|value| format!("{name} {}", value.as_millis()))
    };
    [
        number("depth", request.depth.map(u64::from)),
        number("nodes", request.nodes),
        number("movestogo", request.movestogo.map(u64::from)),
        number("mate", request.mate.map(u64::from)),
        number("perft", request.perft.map(u64::from)),
        time("movetime", request.movetime),
        time("wtime", request.wtime),
        time("btime", request.btime),
        time("winc", request.winc),
        time("binc", request.binc),
        request.infinite.then(|| "infinite".to_owned()),
        request.ponder.then(|| "ponder".to_owned()),
        request
            .searchmoves
            .as_ref()
            .map(|moves| format!("searchmoves {}", moves.join(" "))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_request_is_read_back_in_any_order(
        (request, pieces) in request().prop_flat_map(|request| {
            let pieces = pieces(&request);
            (Just(request), Just(pieces).prop_shuffle())
        })
    ) {
        prop_assert_eq!(go(&format!("go {}", pieces.join(" "))), request);
    }
}
