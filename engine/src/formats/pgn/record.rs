//! A game as a PGN has it: tags, moves, and what people and programs say beside the moves.
//! Knows how each small thing is written, and nothing of files.

use std::fmt;
use std::time::Duration;

use movegen::{Color, Move, Outcome, Position, Square, Variant};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Score {
    Won(Color),
    Drawn,
    /// Broken off, or nobody wrote it down.
    Unknown,
}

impl Score {
    /// As the `Result` tag has it, and the mark behind the moves.
    pub(crate) fn result(self) -> &'static str {
        match self {
            Score::Won(Color::White) => "1-0",
            Score::Won(Color::Black) => "0-1",
            Score::Drawn => "1/2-1/2",
            Score::Unknown => "*",
        }
    }
}

impl From<Outcome> for Score {
    fn from(outcome: Outcome) -> Score {
        outcome.winner().map_or(Score::Drawn, Score::Won)
    }
}

/// A game, as far as it was to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) start: Position,
    /// The square a pawn has passed over to reach the start, as the FEN says.
    pub(crate) passed_at_start: Option<Square>,
    pub(crate) variant: Variant,
    /// All but those that follow from the rest: `Result`, `FEN` and `SetUp`.
    pub(crate) tags: Tags,
    pub(crate) line: Line,
    pub(crate) score: Score,
}

impl Record {
    /// The game before its first move.
    pub(crate) fn new(start: Position, variant: Variant) -> Record {
        Record {
            start,
            passed_at_start: None,
            variant,
            tags: Tags::default(),
            line: Line::default(),
            score: Score::Unknown,
        }
    }

    /// The moves played.
    pub(crate) fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.line.steps.iter().map(|step| step.mv)
    }
}

/// Names and values, in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tags(Vec<(String, String)>);

impl Tags {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut tags = self.0.iter();
        tags.find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// A name has one value, the last one given.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let tags = self.0.iter();
        tags.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Moves one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// What is said before the first move.
    pub(crate) preface: Comment,
    pub(crate) steps: Vec<Step>,
}

impl Line {
    pub(crate) fn of(moves: impl IntoIterator<Item = Move>) -> Line {
        Line {
            preface: Comment::default(),
            steps: moves.into_iter().map(Step::new).collect(),
        }
    }

    /// The place for what is said now.
    pub(crate) fn last_comment(&mut self) -> &mut Comment {
        match self.steps.last_mut() {
            Some(step) => &mut step.comment,
            None => &mut self.preface,
        }
    }
}

/// A move, and what is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) mv: Move,
    pub(crate) marks: Vec<Mark>,
    pub(crate) comment: Comment,
    /// What could have been played in its place.
    pub(crate) variations: Vec<Line>,
}

impl Step {
    pub(crate) fn new(mv: Move) -> Step {
        Step {
            mv,
            marks: Vec::new(),
            comment: Comment::default(),
            variations: Vec::new(),
        }
    }
}

/// A judgement by its number, a "numeric annotation glyph".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u8);

impl Mark {
    pub(crate) const MISTAKE: Mark = Mark(2);
    pub(crate) const BLUNDER: Mark = Mark(4);
    pub(crate) const DUBIOUS: Mark = Mark(6);

    /// It says how good the move was, from `!` to `?!`.
    pub(crate) fn judges_the_move(self) -> bool {
        (1..=6).contains(&self.0)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// A comment: free text, and what programs put there in brackets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) eval: Option<Eval>,
    /// What the mover's clock shows after the move.
    pub(crate) clock: Option<Duration>,
    pub(crate) text: String,
}

impl Comment {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Comment::default()
    }

    /// Takes a comment's text in, beside what is there.
    pub(super) fn add(&mut self, text: &str) {
        let mut rest = text;
        let mut free = String::new();
        while let Some((before, inside, after)) = brackets(rest) {
            free.push_str(before);
            if !self.understand(inside) {
                free.push_str("[%");
                free.push_str(inside);
                free.push(']');
            }
            rest = after;
        }
        free.push_str(rest);
        for word in free.split_whitespace() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
    }

    fn understand(&mut self, inside: &str) -> bool {
        let words: Vec<&str> = inside.split_whitespace().collect();
        match words.as_slice() {
            ["eval", value] => match Eval::read(value) {
                Some(eval) => self.eval = Some(eval),
                None => return false,
            },
            ["clk", value] => match read_clock(value) {
                Some(clock) => self.clock = Some(clock),
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

/// Takes a text apart around its first `[%...]`.
fn brackets(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("[%")?;
    let (inside, after) = rest.split_once(']')?;
    Some((before, inside, after))
}

/// A value of a position, for White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Eval {
    Centipawns(i32),
    /// In so many moves; White is mated where it is negative.
    Mate(i32),
}

impl Eval {
    /// `0.34`, `#-3`, with or without a depth behind.
    fn read(text: &str) -> Option<Eval> {
        /// More is no value of a position.
        const MOST_PAWNS: f64 = 10_000.0;
        let (value, depth) = text.split_once(',').unwrap_or((text, "0"));
        depth.parse::<u32>().ok()?;
        if let Some(moves) = value.strip_prefix('#') {
            return moves.parse().ok().map(Eval::Mate);
        }
        let pawns: f64 = value.parse().ok()?;
        (pawns.abs() < MOST_PAWNS).then(|| Eval::Centipawns((100.0 * pawns).round() as i32))
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Eval::Centipawns(value) => write!(f, "{:.2}", f64::from(value) / 100.0),
            Eval::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Hours, minutes and seconds, the last perhaps with a fraction.
fn read_clock(text: &str) -> Option<Duration> {
    /// No clock of a game shows more.
    const MOST_HOURS: u64 = 10_000;
    let mut parts = text.splitn(3, ':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let (hours, minutes): (u64, u64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds: f64 = seconds.parse().ok()?;
    if hours > MOST_HOURS || minutes > 59 || !(0.0..60.0).contains(&seconds) {
        return None;
    }
    let milliseconds = (1000.0 * seconds).round() as u64;
    Some(Duration::from_millis(
        (hours * 60 + minutes) * 60_000 + milliseconds,
    ))
}

/// A clock as `[%clk]` has it.
pub(super) fn clock_text(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut text = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    let fraction = format!(".{:03}", clock.subsec_millis());
    text.push_str(fraction.trim_end_matches('0').trim_end_matches('.'));
    text
}
