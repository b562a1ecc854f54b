//! Claims, draws, resignations, and the review.

use serde_json::json;

use super::Game;

#[test]
fn a_claim_with_an_intended_move() {
    let mut game = Game::new(json!({"side": "both"}));
    game.moves(&["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]);
    let with = json!([{"uci": "f6g8", "san": "Ng8", "squares": ["f6", "g8"], "rule": "threefold repetition"}]);
    assert_eq!(game.view["claims_with"], with);
    game.request(json!({"type": "claim_draw_with", "text": "f6g8"}));
    assert_eq!(
        game.view["result"]["text"],
        "Draw claimed by threefold repetition."
    );
    let pgn = game.view["pgn"]
        .as_str()
        .expect("a text")
        .replace('\n', " ");
    assert!(pgn.contains("threefold repetition with Ng8"), "{pgn}");
}

#[test]
fn the_review_names_the_blunder() {
    let mut game = Game::new(json!({"side": "black", "move_time": 50}));
    game.simple("review");
    assert_eq!(game.text(), "The game is not over.");
    let mut game = Game::new(json!({"side": "both"}));
    game.moves(&["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"]);
    game.simple("review");
    let mut total = 0;
    while game
        .others
        .last()
        .is_none_or(|event| event["type"] != "review")
    {
        assert!(
            game.others
                .iter()
                .all(|event| event["type"] == "review_progress")
        );
        total += 1;
        game.engine();
    }
    assert!(total > 7, "{total}");
    let review = game.others.pop().expect("the review");
    let nodes = review["nodes"].as_array().expect("nodes");
    let blunder = nodes.iter().find(|node| node["san"] == "Nf6");
    let blunder = blunder.expect("3... Nf6 allows mate");
    assert_eq!(
        (&blunder["nags"], &blunder["score"], &blunder["comment"]),
        (
            &json!([4]),
            &json!({"mate": 1}),
            &json!("Allows mate in 1.")
        )
    );
    let moments = review["moments"].as_array().expect("moments");
    assert!(moments.contains(&blunder["id"]), "{moments:?}");
    assert!(review["summary"][1]["blunders"].as_u64() >= Some(1));
    assert!(
        review["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("WhiteAccuracy"))
    );
}
