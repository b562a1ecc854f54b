//! `EvalFile`: valid networks are used, other files rejected.

use super::CASTELLAN;
use search::nnue::{Network, Shape, Tensor};
use test_common::{
    TempDir, UciEngine,
    positions::{KIWIPETE, START},
};

use super::search_output::{check_search, game};

/// A small network that values the own pieces, with this description.
fn network(description: &str) -> Network {
    let shape = Shape::without_king_buckets(64, 8).expect("a shape");
    let own = |place: usize| place / 64 % 768 < 384;
    Network::from_fn(shape, 400, description, |tensor, place| match tensor {
        Tensor::FeatureWeights => i32::from(own(place)) * (place % 16) as i32,
        Tensor::OutputWeights if place % 128 < 64 => 3,
        Tensor::OutputWeights => -3,
        _ => 0,
    })
    .expect("a network")
}

fn set(path: &str) -> String {
    format!("setoption name EvalFile value {path}")
}

/// The name of the network in use.
fn in_use(engine: &mut UciEngine) -> String {
    network_name(&engine.query("eval"))
}

fn network_name(output: &[String]) -> String {
    let line = output.iter().find_map(|line| line.strip_prefix("Network "));
    line.expect("a network").to_owned()
}

fn bench_nodes(engine: &mut UciEngine) -> String {
    engine.send("bench 3");
    let output = engine.read_until_suffix(" nps");
    output[output.len() - 2].clone()
}

#[test]
fn a_network_is_used_until_cleared() {
    let folder = TempDir::new("a network with blanks");
    let path = folder.write("the first.net", network("the first").to_bytes());
    let mut engine = CASTELLAN.uci();
    let built_in = in_use(&mut engine);
    let usual_nodes = bench_nodes(&mut engine);
    engine.send_silent(&set(&path));
    let name = "(768 -> 64)x2 -> 8: the first";
    assert_eq!(in_use(&mut engine), name);
    for fen in [START, KIWIPETE] {
        engine.set_fen(fen);
        check_search(&game(fen), &engine.go("go depth 5"));
    }
    assert_ne!(bench_nodes(&mut engine), usual_nodes);
    engine.send_silent("ucinewgame");
    assert_eq!(in_use(&mut engine), name);
    engine.send_silent("setoption name EvalFile value <empty>");
    assert_eq!(in_use(&mut engine), built_in);
    assert_eq!(bench_nodes(&mut engine), usual_nodes);
}

#[test]
fn invalid_networks_are_rejected_and_the_previous_one_is_kept() {
    let folder = TempDir::new("no networks");
    let good = network("the good one").to_bytes();
    let bad = [
        (folder.write("text", b"1. e4 e5 2. Nf3\n"), "CASTLNET"),
        (folder.write("cut off", &good[..good.len() - 1]), "bytes"),
        (folder.write("huge", vec![7; 80 << 20]), "too large"),
        (folder.path("missing"), "missing"),
        (folder.path(""), "not a regular file"),
    ];
    let mut engine = CASTELLAN.uci();
    engine.send_silent(&set(&folder.write("good", &good)));
    let before = in_use(&mut engine);
    for (path, word) in &bad {
        let error = engine.query_error(&set(path));
        assert!(error.contains(word), "{error}");
        assert!(error.contains(path), "{error}");
        assert!(error.ends_with("; EvalFile is unchanged"), "{error}");
        assert_eq!(in_use(&mut engine), before);
    }
    check_search(&game(START), &engine.go("go depth 4"));
}

#[test]
fn a_running_search_keeps_its_network() {
    let folder = TempDir::new("in a search");
    let path = folder.write("a.net", network("the next").to_bytes());
    let mut engine = CASTELLAN.uci();
    let built_in = in_use(&mut engine);
    engine.set_option("Threads", 2);
    engine.send("go infinite");
    let mut output = engine.read_until("info depth 3 ");
    engine.send(&set(&path));
    let meanwhile = engine.query("eval");
    assert_eq!(network_name(&meanwhile), built_in);
    output.extend(meanwhile);
    check_search(&game(START), &engine.finish(output, "stop"));
    assert_ne!(in_use(&mut engine), built_in);
    check_search(&game(START), &engine.go("go depth 5"));
}
