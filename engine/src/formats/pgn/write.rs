//! The writer: a record as the text that goes into a file, so that any reader finds in it what
//! the record says. Games stand apart by a blank line, which ends each text.

use std::fmt::Write;

use movegen::{Color, Position, Variant};

use super::record::{Comment, Line, Record, clock_text};

/// The standard wants lines shorter than 80.
const LONGEST_LINE: usize = 79;

/// The tags every game has, and what stands there when nothing is known. `Result` is the last.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that follow from the record itself.
const DERIVED: [&str; 3] = ["Result", "FEN", "SetUp"];

impl Record {
    /// The game's text.
    pub(crate) fn pgn(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.all_tags() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "[{name} \"{}\"]", escaped(&value));
        }
        text.push('\n');
        let mut words = Words::default();
        words.line(&self.line, &self.start);
        words.push(self.score.result());
        words.wrap(&mut text);
        text.push_str("\n\n");
        text
    }

    fn all_tags(&self) -> Vec<(&str, String)> {
        let roster = ROSTER.map(|(name, unknown)| {
            let value = self.tags.get(name).unwrap_or(unknown);
            (name, value.to_owned())
        });
        let mut tags = roster.to_vec();
        tags.push(("Result", self.score.result().to_owned()));
        match self.variant {
            Variant::Standard if self.start == Position::default() => {}
            Variant::Standard => {
                tags.push(("SetUp", "1".to_owned()));
                tags.push(("FEN", self.start.fen()));
            }
            Variant::Chess960 => {
                tags.push(("Variant", "Chess960".to_owned()));
                tags.push(("SetUp", "1".to_owned()));
                tags.push(("FEN", self.start.shredder_fen()));
            }
        }
        for (name, value) in self.tags.iter() {
            let there = tags.iter().any(|(known, _)| *known == name);
            if !there && !DERIVED.contains(&name) && is_name(name) {
                tags.push((name, value.to_owned()));
            }
        }
        tags
    }
}

/// What every reader takes for the name of a tag.
fn is_name(text: &str) -> bool {
    let mut letters = text.bytes();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphanumeric())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
}

fn escaped(value: &str) -> String {
    let mut text = String::new();
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            _ if character.is_control() => text.push(' '),
            _ => text.push(character),
        }
    }
    text
}

/// Pieces of movetext between which a line may end.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// An opening bracket, for the front of the next word.
    opening: String,
}

impl Words {
    fn push(&mut self, word: impl AsRef<str>) {
        let mut whole = std::mem::take(&mut self.opening);
        whole.push_str(word.as_ref());
        self.words.push(whole);
    }

    /// Onto the end of the last word.
    fn append(&mut self, text: &str) {
        if let Some(last) = self.words.last_mut() {
            last.push_str(text);
        }
    }

    fn line(&mut self, line: &Line, start: &Position) {
        self.comment(&line.preface);
        let mut position = *start;
        let mut say_number = true;
        for step in &line.steps {
            let number = position.fullmove_number();
            match position.side_to_move() {
                Color::White => self.push(format!("{number}.")),
                Color::Black if say_number => self.push(format!("{number}...")),
                Color::Black => {}
            }
            self.push(position.san(step.mv));
            for mark in &step.marks {
                self.push(mark.to_string());
            }
            self.comment(&step.comment);
            let variations = step.variations.iter().filter(|line| !line.steps.is_empty());
            say_number = !step.comment.is_empty();
            for variation in variations {
                self.opening.push('(');
                self.line(variation, &position);
                self.append(")");
                say_number = true;
            }
            position = position.play_unchecked(step.mv);
        }
    }

    fn comment(&mut self, comment: &Comment) {
        let mut pieces: Vec<String> = Vec::new();
        let eval = comment.eval.map(|eval| format!("[%eval {eval}]"));
        let clock = comment
            .clock
            .map(|clock| format!("[%clk {}]", clock_text(clock)));
        // In front of a line these would be a tag or an escape for simple readers.
        let must_not_begin_a_line = ['[', '%', ';'];
        // Nothing but this ends a comment.
        let text = comment.text.replace('}', ")");
        let words = text
            .split(|letter: char| letter.is_whitespace() || letter.is_control())
            .filter(|word| !word.is_empty())
            .map(str::to_owned);
        for word in eval.into_iter().chain(clock).chain(words) {
            match pieces.last_mut() {
                Some(last) if word.starts_with(must_not_begin_a_line) => {
                    last.push(' ');
                    last.push_str(&word);
                }
                _ => pieces.push(word),
            }
        }
        if pieces.is_empty() {
            return;
        }
        self.opening.push('{');
        for piece in pieces {
            self.push(piece);
        }
        self.append("}");
    }

    fn wrap(self, text: &mut String) {
        let mut column = 0;
        for word in self.words {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > LONGEST_LINE {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(&word);
            column += length;
        }
    }
}

#[cfg(test)]
mod tests;
