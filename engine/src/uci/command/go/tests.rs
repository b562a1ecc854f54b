//! What `go` must understand, key by key and in every mixture.

use std::time::Duration;

use proptest::prelude::*;

use super::{GoRequest, KEYS, LONGEST_TIME_MS};
use crate::uci::command::Command;
use crate::uci::error::UciError;

fn go(line: &str) -> GoRequest {
    match Command::parse(line) {
        Ok(Some(Command::Go(request))) => request,
        other => panic!("{line:?} gave {other:?}"),
    }
}

fn refusal(line: &str) -> UciError {
    Command::parse(line).expect_err(line)
}

fn ms(milliseconds: u64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds))
}

#[test]
fn a_bare_go_has_no_limits_and_a_trailing_blank_does_no_harm() {
    for line in ["go", "go ", "go\t", " GO \r", "go     "] {
        assert_eq!(go(line), GoRequest::default(), "{line:?}");
    }
}

#[test]
fn every_key_alone() {
    let none = GoRequest::default;
    let cases = [
        (
            "go depth 12",
            GoRequest {
                depth: Some(12),
                ..none()
            },
        ),
        (
            "go nodes 34",
            GoRequest {
                nodes: Some(34),
                ..none()
            },
        ),
        (
            "go movetime 56",
            GoRequest {
                movetime: ms(56),
                ..none()
            },
        ),
        (
            "go wtime 78",
            GoRequest {
                wtime: ms(78),
                ..none()
            },
        ),
        (
            "go btime 90",
            GoRequest {
                btime: ms(90),
                ..none()
            },
        ),
        (
            "go winc 1",
            GoRequest {
                winc: ms(1),
                ..none()
            },
        ),
        (
            "go binc 2",
            GoRequest {
                binc: ms(2),
                ..none()
            },
        ),
        (
            "go movestogo 3",
            GoRequest {
                movestogo: Some(3),
                ..none()
            },
        ),
        (
            "go mate 4",
            GoRequest {
                mate: Some(4),
                ..none()
            },
        ),
        (
            "go infinite",
            GoRequest {
                infinite: true,
                ..none()
            },
        ),
        (
            "go ponder",
            GoRequest {
                ponder: true,
                ..none()
            },
        ),
        (
            "go perft 5",
            GoRequest {
                perft: Some(5),
                ..none()
            },
        ),
        (
            "go searchmoves e2e4 d2d4",
            GoRequest {
                searchmoves: Some(vec!["e2e4".to_owned(), "d2d4".to_owned()]),
                ..none()
            },
        ),
    ];
    assert_eq!(cases.len(), KEYS.len());
    for (line, expected) in cases {
        assert_eq!(go(line), expected, "{line:?}");
        assert_eq!(go(&line.to_ascii_uppercase()), expected, "{line:?}");
    }
}

#[test]
fn ponder_and_infinite_survive_beside_clocks() {
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
fn movetime_survives_beside_clocks_and_other_limits() {
    let request = go("go movetime 500 wtime 1000 depth 9 nodes 7 mate 3 btime 1 infinite");
    assert_eq!(request.movetime, ms(500));
    assert_eq!((request.wtime, request.btime), (ms(1000), ms(1)));
    assert_eq!((request.depth, request.nodes), (Some(9), Some(7)));
    assert_eq!(request.mate, Some(3));
    assert!(request.infinite);
}

#[test]
fn numbers_the_grammar_panics_on_or_cuts_short_arrive_whole() {
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
        assert_eq!(time, ms(LONGEST_TIME_MS));
    }
}

#[test]
fn negative_times_are_no_time() {
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
fn of_a_repeated_key_the_last_wins() {
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
fn a_bad_or_missing_value_names_key_text_and_remedy() {
    for (name, _) in KEYS {
        if matches!(name, "infinite" | "ponder" | "searchmoves") {
            continue;
        }
        for text in [
            "", "abc", "1.5", "0x10", "-", "5wtime", "infinite", "5\0", "١",
        ] {
            let error = refusal(&format!("go infinite {name} {text}"));
            let UciError::GoValue { key, wanted, .. } = &error else {
                panic!("{name} {text:?} gave {error:?}");
            };
            assert_eq!(*key, name);
            let said = error.to_string();
            assert!(said.contains(name) && said.contains(wanted), "{said}");
            let repeated = if text.is_empty() {
                "nothing".to_owned()
            } else {
                text.replace('\0', "\\u{0}")
            };
            assert!(said.contains(&repeated), "{said}");
        }
    }
}

#[test]
fn counts_below_zero_are_refused() {
    for name in ["depth", "nodes", "mate", "movestogo", "perft"] {
        let said = refusal(&format!("go {name} -1")).to_string();
        assert!(
            said.contains("0 or more") && said.contains("'-1'"),
            "{said}"
        );
    }
}

#[test]
fn an_unknown_word_is_named_with_those_that_are_known() {
    let error = refusal("go depth 5 wtine 1000");
    let UciError::GoToken { token, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(token, "wtine");
    for (name, _) in KEYS {
        assert!(error.to_string().contains(name));
    }
    assert!(matches!(refusal("go 5"), UciError::GoToken { .. }));
    assert!(matches!(refusal("go wtime5"), UciError::GoToken { .. }));
}

/// A number as often at the grammar's edges as anywhere.
fn count() -> impl Strategy<Value = u32> {
    prop_oneof![0..1100u32, any::<u32>()]
}

fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![0..5000u64, 0..=LONGEST_TIME_MS].prop_map(Duration::from_millis)
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

/// The pieces of a line that asks for this, each piece a key with what belongs to it.
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
    fn a_rendered_request_reads_back_in_any_order(
        (request, pieces) in request().prop_flat_map(|request| {
            let pieces = pieces(&request);
            (Just(request), Just(pieces).prop_shuffle())
        })
    ) {
        prop_assert_eq!(go(&format!("go {}", pieces.join(" "))), request);
    }
}
