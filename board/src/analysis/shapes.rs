//! Arrows and circles in the comments of a game: `[%cal Ge2e4,Rd1h5]` and `[%csl Yd5]`.

use std::fmt;

use formats::pgn::Comment;

use crate::messages::analysis::{Shape, ShapeColor};

impl ShapeColor {
    const LETTERS: [(ShapeColor, &str); 4] = [
        (Self::Green, "G"),
        (Self::Red, "R"),
        (Self::Yellow, "Y"),
        (Self::Blue, "B"),
    ];

    fn letter(self) -> &'static str {
        let mut letters = Self::LETTERS.into_iter();
        letters
            .find_map(|(color, letter)| (color == self).then_some(letter))
            .unwrap_or("G")
    }
}

/// Replaces the shapes of a comment.
pub(super) fn set(comment: &mut Comment, shapes: &[Shape]) {
    let text = comment.shown_text();
    let kept = comment.commands().filter(|command| {
        let name = command.split(' ').next();
        !matches!(name, Some("cal" | "csl"))
    });
    let mut parts: Vec<String> = kept.map(|command| format!("[%{command}]")).collect();
    for (name, is_arrow) in [("csl", false), ("cal", true)] {
        let drawn = shapes.iter().filter(|shape| shape.to.is_some() == is_arrow);
        let list: Vec<String> = drawn.map(Shape::to_string).collect();
        if !list.is_empty() {
            parts.push(format!("[%{name} {}]", list.join(",")));
        }
    }
    parts.push(text);
    comment.text = parts.join(" ").trim_end().to_owned();
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, color } = self;
        write!(f, "{}{from}", color.letter())?;
        to.map_or(Ok(()), |to| write!(f, "{to}"))
    }
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
    let first = text.get(..1)?;
    let mut letters = ShapeColor::LETTERS.into_iter();
    let (color, _) = letters.find(|(_, letter)| *letter == first)?;
    let from = text.get(1..3)?.parse().ok()?;
    let to = match text.get(3..)? {
        "" => None,
        to => Some(to.parse().ok()?),
    };
    Some(Shape { from, to, color })
}

#[cfg(test)]
mod tests {
    use formats::pgn::Comment;

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
    fn shapes_are_replaced_and_the_rest_stays() {
        let mut comment = Comment {
            text: "The [%evp 0,1] idea [%csl Yd5] is [%cal Ge2e4] clear".to_owned(),
            ..Comment::default()
        };
        let drawn = serde_json::json!([
            { "from": "a1", "to": "a8", "color": "blue" },
            { "from": "h5", "to": null, "color": "red" },
        ]);
        let shapes: Vec<super::Shape> = serde_json::from_value(drawn).expect("valid");
        super::set(&mut comment, &shapes);
        assert_eq!(
            comment.text,
            "[%evp 0,1] [%csl Rh5] [%cal Ba1a8] The idea is clear"
        );
        super::set(&mut comment, &[]);
        assert_eq!(comment.text, "[%evp 0,1] The idea is clear");
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
