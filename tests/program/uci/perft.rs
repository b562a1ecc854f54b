//! `go perft`.

use super::CASTELLAN;
/// Checks a line for each root move, an empty line, and the sum.
fn check_count(lines: &[String], leaves: &str) {
    let [moves @ .., empty, sum] = lines else {
        panic!("{lines:?}");
    };
    assert_eq!(empty, "");
    assert_eq!(*sum, format!("Nodes searched: {leaves}"));
    let counted: u64 = moves
        .iter()
        .map(|line| {
            let (mv, count) = line.split_once(": ").expect("'e2e4: 20'");
            assert!(matches!(mv.len(), 4 | 5), "{line}");
            count.parse::<u64>().expect("a number")
        })
        .sum();
    assert_eq!(counted.to_string(), leaves);
}

#[test]
fn perft_can_be_stopped() {
    for threads in [1, 3] {
        let mut engine = CASTELLAN.uci();
        engine.set_option("Threads", threads);
        engine.send("go perft 4000000000");
        engine.send_silent("");
        engine.send("uci");
        engine.read_until("uciok");
        engine.send("stop");
        let output = engine.read_until("info string error: perft was stopped");
        assert_eq!(output.len(), 1, "{output:?}");
        engine.send("go perft 2");
        check_count(&engine.read_until("Nodes"), "400");
    }
}
