//! The contents of a page, without a browser.

use movegen::{Game, Position, Variant};

use super::page;
use crate::commands::annotate::evaluate::Evaluation;
use crate::commands::annotate::notes::annotate;
use crate::formats::pgn::{Eval, Record, Variation};

fn page_of(moves: &str, change: impl Fn(&mut Record)) -> String {
    let mut game = Game::default();
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_san(text).expect(text);
        game.push(mv).expect("legal");
    }
    let mut record = Record {
        main_line: Variation::new(game.moves()),
        ..Record::new(Position::default(), Variant::Standard)
    };
    change(&mut record);
    let evaluations: Vec<Evaluation> = (0..=record.moves().len())
        .map(|ply| Evaluation {
            eval: Some(Eval::Centipawns(0)),
            // Each move loses what the one before gained.
            expectation: if ply % 2 == 0 { 0.8 } else { 0.2 },
            line: Vec::new(),
        })
        .collect();
    let report = annotate(&mut record, &evaluations);
    page(&record, &evaluations, &report).expect("a page")
}

fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"game\">").expect("the data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn the_page_is_self_contained() {
    let page = page_of("e4 e5", |_| {});
    for word in ["http://", "https://", "src=", "url(", "@import", "<link"] {
        let found = page.matches(word).count();
        // The SVG namespace is not an address.
        let allowed = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(found, if word == "http://" { allowed } else { 0 }, "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn names_and_comments_cannot_inject_markup() {
    let evil = "</script><script>alert(1)</script><!-- \u{2028} & \"";
    let page = page_of("e4", |record| {
        record.tags.set("White", evil);
        record.tags.set("Event", evil);
        record.main_line.moves[0].comment.text = evil.to_owned();
    });
    assert_eq!(
        page.matches("<script").count(),
        2,
        "the data and the script"
    );
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--"));
    let data = data(&page);
    assert_eq!(data["white"], evil);
    assert_eq!(data["positions"][1]["comment"], evil);
}

#[test]
fn data_has_positions_and_key_moments() {
    let page = page_of("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O", |_| {});
    let data = data(&page);
    let positions = data["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 8);
    assert_eq!(
        positions[0]["board"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    );
    assert_eq!(
        positions[7]["board"],
        "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1"
    );
    assert_eq!(positions[7]["squares"], serde_json::json!(["e1", "g1"]));
    assert_eq!(positions[2]["number"], "1...");
    assert_eq!(
        (&positions[1]["mark"], &positions[1]["points"]),
        (&"??".into(), &0.2.into())
    );
    assert_eq!(
        data["moments"],
        serde_json::json!([1, 2, 3, 4, 5, 6]),
        "at most six"
    );
    assert_eq!(
        (&data["white"], &data["occasion"]),
        (&"White".into(), &"".into())
    );
}
