//! Arrows and circles in the comments of a game: `[%cal Ge2e4,Rd1h5]` and `[%csl Yd5]`.

use game::pgn::Comment;
use movegen::Square;
use serde::Serialize;

/// A circle, or with `to` an arrow.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Shape {
    from: Square,
    to: Option<Square>,
    color: &'static str,
}

/// The shapes of a comment; what cannot be read is left out.
pub(super) fn shapes(comment: &Comment) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for command in comment.commands() {
        if let Some((name @ ("cal" | "csl"), list)) = command.split_once(' ') {
            let listed = list.split(',').filter_map(|text| shape(text.trim()));
            shapes.extend(listed.filter(|shape| shape.to.is_some() == (name == "cal")));
        }
    }
    shapes
}

fn shape(text: &str) -> Option<Shape> {
    let color = match text.get(..1)? {
        "G" => "green",
        "R" => "red",
        "Y" => "yellow",
        "B" => "blue",
        _ => return None,
    };
    let from = text.get(1..3)?.parse().ok()?;
    let to = match text.get(3..)? {
        "" => None,
        to => Some(to.parse().ok()?),
    };
    Some(Shape { from, to, color })
}

#[cfg(test)]
mod tests {
    use game::pgn::Comment;

    use super::shapes;

    fn read(text: &str) -> serde_json::Value {
        let text = text.to_owned();
        let comment = Comment {
            text,
            ..Comment::default()
        };
        serde_json::to_value(shapes(&comment)).expect("valid JSON")
    }

    #[test]
    fn arrows_and_circles_are_read() {
        let expected = serde_json::json!([
            { "from": "d5", "to": null, "color": "yellow" },
            { "from": "e2", "to": "e4", "color": "green" },
            { "from": "d1", "to": "h5", "color": "red" },
            { "from": "a1", "to": "a8", "color": "blue" },
        ]);
        let text = "The idea [%csl Yd5] is [%cal Ge2e4,Rd1h5, Ba1a8] clear";
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        for text in [
            "",
            "[%cal Ge2]",
            "[%csl Ge2e4]",
            "[%cal Xe2e4,Ge9e4,Gé2e4,G]",
            "[%cal]",
            "[%evp 0,1]",
            "[%csl G",
        ] {
            assert_eq!(read(text), serde_json::json!([]), "{text}");
        }
    }
}
