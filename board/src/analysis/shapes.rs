//! Arrows and circles in the comments of a game: `[%cal Ge2e4,Rd1h5]` and `[%csl Yd5]`.

use std::fmt;

use formats::pgn::Comment;

use crate::messages::analysis::{Shape, ShapeColor};

impl ShapeColor {
    const LETTERS: [(Self, &str); 4] = [
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
