//! `castellan epd`: solved positions and the summary.

use serde_json::{Value, json};

use super::{CASTELLAN, fails};

const QUICK: [&str; 5] = ["epd", "-", "--json", "--nodes", "2000"];

/// Ra8 is mate.
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

fn suite() -> String {
    [
        format!("{BACK_RANK} bm Ra8; id \"Mates.001\"; c0 \"Ra8=10, Kf2=4\";"),
        format!("{BACK_RANK} bm Kf2; id \"Mates.002\"; c0 \"Kf2=10, Ra8=4\";"),
        format!("{BACK_RANK} am Ra8#; id \"Avoid.1\";"),
        format!("{BACK_RANK} am Kf2 Kg2; dm 1; id \"Avoid.2\";"),
        format!("{BACK_RANK} dm 2; id \"Mates.003\";"),
        format!("{KINGS} dm 5;"),
        format!("{BACK_RANK} bm Ra8; c0 \"the back rank\";"),
    ]
    .map(|line| line + "\n")
    .concat()
}

#[test]
fn moves_mates_and_points() {
    let finished = CASTELLAN.run(&QUICK, suite());
    let mut lines = finished.json();
    finished.success();
    let sums = lines.pop().expect("the summary");
    let of = |name: &str| -> Vec<Value> { lines.iter().map(|line| line[name].clone()).collect() };
    assert_eq!(
        of("solved"),
        [true, false, false, true, true, false, true].map(Value::from)
    );
    assert_eq!(
        of("points"),
        [
            json!(10),
            json!(4),
            json!(null),
            json!(null),
            json!(null),
            json!(null),
            json!(null)
        ]
    );
    assert_eq!(
        of("theme")[..6],
        ["Mates", "Mates", "Avoid", "Avoid", "Mates"]
            .map(Value::from)
            .into_iter()
            .chain([Value::Null])
            .collect::<Vec<_>>()[..]
    );
    for line in &lines {
        assert_eq!(
            line["solved"] == true,
            line["solution"].is_object(),
            "{line}"
        );
        if let Some(nodes) = line["solution"]["nodes"].as_u64() {
            assert!(
                line["nodes"].as_u64().is_some_and(|all| nodes <= all),
                "{line}"
            );
        }
    }
    let names = |sums: &Value| {
        (
            sums["positions"].clone(),
            sums["solved"].clone(),
            sums["points"].clone(),
            sums["most"].clone(),
        )
    };
    assert_eq!(
        names(&sums["total"]),
        (json!(7), json!(4), json!(14), json!(20))
    );
    let themes = sums["themes"].as_array().expect("themes");
    let theme = |name: &str| {
        names(
            themes
                .iter()
                .find(|sums| sums["theme"] == name)
                .expect(name),
        )
    };
    assert_eq!(themes.len(), 3);
    assert_eq!(theme("Mates"), (json!(3), json!(2), json!(14), json!(20)));
    assert_eq!(theme("Avoid"), (json!(2), json!(1), json!(0), json!(0)));
    assert_eq!(theme("(no id)"), (json!(2), json!(1), json!(0), json!(0)));
    // The sums are those of the lines.
    let nodes = |line: &Value| line["nodes"].as_u64().expect("a number");
    assert_eq!(lines.iter().map(nodes).sum::<u64>(), nodes(&sums["total"]));
}

#[test]
fn text_output_ends_with_a_table() {
    let stdout = CASTELLAN
        .run(&["epd", "-", "--nodes", "2000", "--no-time"], suite())
        .success();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 7 + 5, "{stdout}");
    assert!(
        lines[0].starts_with("1 Mates.001: Ra8# solved 10/10 depth "),
        "{stdout}"
    );
    assert_eq!(lines[1], "2 Mates.002: Ra8# not solved 4/10");
    let cells = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(cells(lines[8])[..5], ["Mates", "3", "2", "66.7", "14/20"]);
    assert_eq!(cells(lines[11])[..5], ["all", "7", "4", "57.1", "14/20"]);
    let sums = CASTELLAN
        .run(
            &["epd", "-", "--nodes", "2000", "--no-time", "--summary"],
            suite(),
        )
        .success();
    assert_eq!(sums.lines().collect::<Vec<_>>(), lines[7..]);
}

#[test]
fn bad_lines_are_reported_and_do_not_affect_others() {
    let text = format!(
        "\u{feff}{BACK_RANK} bm Ra8;\r\n\r\n{BACK_RANK} bm Rb8;\r\n{BACK_RANK} id \"nothing to find\";\r\n\
         not a position\r\nR5k1/5ppp/8/8/8/8/8/4K3 b - - bm Kh8;\r\n{BACK_RANK} dm soon;\r\n\
         {BACK_RANK} bm Ra8;"
    );
    let finished = CASTELLAN.run(&QUICK, text);
    let lines = finished.json();
    assert_eq!(finished.code, Some(1));
    assert_eq!(
        finished.stderr,
        "castellan: invalid positions: 5 of 7, the first in line 3\n"
    );
    assert_eq!(lines.len(), 8);
    for (line, word) in [
        (1, "'Rb8'"),
        (2, "bm, am, dm"),
        (3, "'not'"),
        (4, "no legal move"),
        (5, "'soon'"),
    ] {
        let error = lines[line]["error"].as_str().expect("text");
        assert!(error.contains(word), "{error}");
    }
    assert_eq!(
        (&lines[0]["solved"], &lines[6]["solved"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(lines[7]["errors"], 5);
}

#[test]
fn a_missing_suite_is_an_error_and_an_empty_one_is_not() {
    assert_eq!(CASTELLAN.run(&QUICK, "").json()[0]["total"]["positions"], 0);
    fails("epd /nowhere/suite.epd", &[], 1, "/nowhere/suite.epd");
}
