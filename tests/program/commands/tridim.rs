//! `castellan tridim`: analysis and perft.

use super::CASTELLAN;

/// Castling is legal on both sides.
const CASTLES: &str = "W:4/4/4/4,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:2/2,KL6b:2/2 \
                       w - 0 9";
/// Black is checkmated by the queen on z8.
const CHECKMATE: &str =
    "W:4/4/4/4,N:4/4/4/4,B:4/1N2/4/2K1,QL1w:2/2,KL1w:2/2,QL6b:k1/Q1,KL6b:2/2 b - 0 9";

/// White mates with the queen.
const MATE_IN_ONE: &str =
    "W:4/4/4/K3,N:4/2Q1/4/4,B:4/1N2/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 9";

#[test]
fn perft_counts() {
    let output = CASTELLAN.run(&["tridim", "perft", "3"], "").success();
    assert!(output.ends_with("\nLeaves: 9128\n"), "{output}");
    assert_eq!(output.lines().count(), 21);
    assert_eq!(
        CASTELLAN.run(&["tridim", "perft", "0"], "").success(),
        "Leaves: 1\n"
    );
    let one = CASTELLAN
        .run(&["tridim", "perft", "1", CASTLES], "")
        .success();
    assert!(
        one.contains("\nO-O: 1\n") && one.contains("\nO-O-O: 1\n"),
        "{one}"
    );
    let wrong = CASTELLAN.run_failing(&["tridim", "perft", "x"], 2);
    assert!(wrong.contains("'x'"), "{wrong}");
}

#[test]
fn analyze_prints_text_and_json() {
    let ended = CASTELLAN.run(
        &["tridim", "analyze", "--depth", "2", "--json", CASTLES],
        "",
    );
    let json = ended.json();
    let [answer] = json.as_slice() else {
        panic!("{}", ended.stdout);
    };
    assert_eq!(answer["position"], CASTLES);
    assert_eq!(answer["state"], "none");
    assert_eq!(answer["depth"], 2);
    assert!(answer["score"]["cp"].is_number() || answer["score"]["mate"].is_number());
    assert_eq!(answer["castling"][0]["open"], true);
    assert_eq!(answer["castling"][1]["open"], false);
    assert!(
        answer["castling"][1]["reason"]
            .as_str()
            .is_some_and(|why| why.contains("rank 0 of QL1"))
    );
    let legal = answer["legal"].as_array().expect("a list");
    assert!(legal.contains(&"O-O".into()));
    assert_eq!(answer["line"][0], answer["bestmove"]);
    // Moves are written alike everywhere: this one mates, and has no mark.
    let mate = CASTELLAN.run(
        &["tridim", "analyze", "--depth", "2", "--json", MATE_IN_ONE],
        "",
    );
    let mate = &mate.json()[0];
    assert_eq!(mate["bestmove"], "Qc5N-z8QL6");
    let moves = mate["legal"].as_array().expect("a list");
    assert!(moves.contains(&mate["bestmove"]));
    // Kind, boards and squares of castling.
    let castling = &answer["castling"];
    assert_eq!(castling[0]["kind"], "kingside on KL");
    assert_eq!(castling[0]["move"], "O-O");
    assert_eq!(castling[0]["boards"][0], "KL1");
    assert_eq!(castling[0]["king"]["from"], "d0KL1");
    assert_eq!(castling[0]["king"]["to"], "e0KL1");
    assert_eq!(castling[0]["rook"]["from"], "e0KL1");
    assert!(castling[1]["king"].is_null());
    assert_eq!(castling[2]["boards"].as_array().map(Vec::len), Some(2));
    assert_eq!(castling[2]["rook"]["to"], "d0KL1");

    let mated = CASTELLAN
        .run(&["tridim", "analyze", "--json", CHECKMATE], "")
        .json();
    assert_eq!(mated[0]["state"], "checkmate");
    assert_eq!(mated[0]["score"]["mate"], 0);
    assert!(mated[0]["bestmove"].is_null());
    let words = CASTELLAN
        .run(&["tridim", "analyze", "--depth", "1", CASTLES], "")
        .success();
    for start in [
        "Position: ",
        "State: none",
        "Best: ",
        "Score: ",
        "Depth: 1, ",
        "Line: ",
    ] {
        assert!(
            words.lines().any(|line| line.starts_with(start)),
            "{start}: {words}"
        );
    }
    let wrong = CASTELLAN.run_failing(&["tridim", "analyze", "W:4"], 1);
    assert!(
        wrong.contains("board W: found 1 rank, expected 4"),
        "{wrong}"
    );
}
