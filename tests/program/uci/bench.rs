//! The benchmark on the command line and in a session.

use super::CASTELLAN;
use test_common::Finished;

fn number(line: &str, unit: &str) -> u64 {
    let number = line.strip_suffix(unit).and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| panic!("expected a number of{unit}, found '{line}'"))
}

fn bench_nodes(output: &str) -> u64 {
    let lines: Vec<&str> = output.lines().collect();
    let [.., nodes, rate] = lines.as_slice() else {
        panic!("{output}");
    };
    number(rate, " nps");
    number(nodes, " nodes")
}

#[test]
fn bench_is_deterministic() {
    let Finished {
        stdout: first,
        stderr,
        code,
    } = CASTELLAN.run(&["bench", "4"], "");
    assert_eq!((stderr.as_str(), code), ("", Some(0)));
    let nodes = bench_nodes(&first);
    assert!(nodes > 0);
    let second = CASTELLAN.run(&["bench", "4"], "");
    assert_eq!(bench_nodes(&second.stdout), nodes);
    // In a session too, whatever was searched or set before.
    let lines = CASTELLAN
        .uci_session("setoption name Hash value 1\ngo nodes 3000\nisready\nbench 4\nquit\n");
    assert_eq!(bench_nodes(&lines.join("\n")), nodes);
}

#[test]
fn a_bench_can_be_stopped() {
    let mut engine = CASTELLAN.uci();
    engine.send("bench 200");
    engine.send_silent("");
    engine.send("stop");
    let output = engine.read_until("info string error: ");
    assert!(
        output.iter().all(|line| !line.ends_with(" nps")),
        "{output:?}"
    );
}
