//! Writes a game as PGN in export format. Each game ends with a blank line.

use std::fmt::Write;

use movegen::{Color, Position, Variant};

use super::record::{Comment, DERIVED_TAGS, Record, Variation, format_clock};

/// The export format has lines shorter than 80 characters.
const MAX_COLUMNS: usize = 79;

/// The seven tag roster without `Result`, which is the last, and the values when unknown.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

impl Record {
    /// Returns the text of the game.
    pub fn pgn(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.all_tags() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "[{name} \"{}\"]", escaped(&value));
        }
        text.push('\n');
        let mut words = Movetext::default();
        words.variation(&self.main_line, &self.start);
        words.push(self.result.as_str());
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
        tags.push(("Result", self.result.as_str().to_owned()));
        match self.start.variant() {
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
        let named: Vec<&str> = tags.iter().map(|(name, _)| *name).collect();
        let others = self.tags.iter().filter(|(name, _)| {
            !named.contains(name) && !DERIVED_TAGS.contains(name) && is_tag_name(name)
        });
        tags.extend(others.map(|(name, value)| (name, value.to_owned())));
        tags
    }
}

/// True if every PGN reader accepts this as a tag name; others are not written.
pub fn is_tag_name(text: &str) -> bool {
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
            _ => text.push(character),
        }
    }
    text
}

/// Movetext as words between which a line may be broken.
#[derive(Default)]
struct Movetext {
    words: Vec<String>,
    /// Opening brackets for the next word.
    opening: String,
}

impl Movetext {
    fn push(&mut self, word: impl AsRef<str>) {
        let mut whole = std::mem::take(&mut self.opening);
        whole.push_str(word.as_ref());
        self.words.push(whole);
    }

    /// Appends to the last word.
    fn append(&mut self, text: &str) {
        if let Some(last) = self.words.last_mut() {
            last.push_str(text);
        }
    }

    fn variation(&mut self, line: &Variation, start: &Position) {
        self.comment(&line.comment);
        let mut position = *start;
        let mut needs_number = true;
        for node in &line.moves {
            let number = position.fullmove_number();
            match position.side_to_move() {
                Color::White => self.push(format!("{number}.")),
                Color::Black if needs_number => self.push(format!("{number}...")),
                Color::Black => {}
            }
            self.push(node.san(&position));
            for nag in &node.nags {
                self.push(nag.to_string());
            }
            self.comment(&node.comment);
            let variations = node.variations.iter().filter(|line| !line.moves.is_empty());
            needs_number = !node.comment.is_empty();
            for variation in variations {
                self.opening.push('(');
                self.variation(variation, &position);
                self.append(")");
                needs_number = true;
            }
            position = node.after(&position);
        }
    }

    fn comment(&mut self, comment: &Comment) {
        let mut pieces: Vec<String> = Vec::new();
        let eval = comment.eval.map(|eval| format!("[%eval {eval}]"));
        let clock = comment
            .clock
            .map(|clock| format!("[%clk {}]", format_clock(clock)));
        // At the beginning of a line simple readers take these for a tag, an escape or a comment.
        let not_first = ['[', '%', ';'];
        // Only a closing brace ends a comment.
        let text = comment.text.replace('}', ")");
        let words = text
            .split(|letter: char| letter.is_whitespace() || letter.is_control())
            .filter(|word| !word.is_empty())
            .map(str::to_owned);
        for word in eval.into_iter().chain(clock).chain(words) {
            match pieces.last_mut() {
                Some(last) if word.starts_with(not_first) => {
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
            if column > 0 && column + 1 + length > MAX_COLUMNS {
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
