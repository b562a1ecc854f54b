//! A game in memory: tags, moves and annotations, and how comments and clocks are written.

use std::collections::HashMap;

use std::fmt;
use std::time::Duration;

use movegen::{Color, Game, Move, Outcome, Position, Square};
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    Won(Color),
    Drawn,
    /// Unfinished, or not recorded.
    Unknown,
}

impl GameResult {
    /// Parses the text of the `Result` tag.
    pub fn parse(text: &str) -> Option<Self> {
        let results = [
            Self::Won(Color::White),
            Self::Won(Color::Black),
            Self::Drawn,
            Self::Unknown,
        ];
        results.into_iter().find(|result| result.as_str() == text)
    }

    /// Returns the text of the `Result` tag and of the game termination marker.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        outcome.winner().map_or(Self::Drawn, GameResult::Won)
    }
}

/// A result contradicts the end of the game, or another that is stated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the result is {known}, found '{found}'")]
pub struct ResultError {
    known: &'static str,
    found: &'static str,
}

/// The tags that are written from the rest of a record.
pub const DERIVED_TAGS: [&str; 3] = ["Result", "FEN", "SetUp"];

/// The tags about the play of both sides, which hold only for all moves of the main line.
pub const ACCURACY_TAGS: [&str; 4] = ["WhiteACPL", "WhiteAccuracy", "BlackACPL", "BlackAccuracy"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub start: Position,
    /// The en passant square of the start's FEN, which `start` keeps only if a capture is legal.
    pub passed_at_start: Option<Square>,
    /// Parts of the text that were not kept: parts of the FEN that the start cannot have, and
    /// variations from an illegal move on; and deviations from the standard.
    pub warnings: Vec<String>,
    /// All tags but [`DERIVED_TAGS`].
    pub tags: Tags,
    pub main_line: Variation,
    pub result: GameResult,
}

impl Record {
    /// Creates a game without moves.
    pub fn new(start: Position) -> Self {
        Self {
            start,
            passed_at_start: None,
            warnings: Vec::new(),
            tags: Tags::default(),
            main_line: Variation::default(),
            result: GameResult::Unknown,
        }
    }

    /// The game of the main line.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for mv in self.moves() {
            // A record has only legal moves.
            if game.push(mv).is_err() {
                break;
            }
        }
        game
    }

    /// The result by the rules at the end of the main line; null moves end its history.
    pub fn result_on_board(&self) -> GameResult {
        let nodes = &self.main_line.moves;
        let game = if nodes.iter().all(|node| node.mv.is_some()) {
            self.game()
        } else {
            let after = |position, node: &MoveNode| node.after(&position);
            Game::new(nodes.iter().fold(self.start, after))
        };
        let outcome = game.outcome();
        outcome.map_or(GameResult::Unknown, GameResult::from)
    }

    /// Sets a result that is known, unless another is.
    pub fn state_result(&mut self, result: GameResult) -> Result<(), ResultError> {
        match self.result {
            _ if result == GameResult::Unknown || result == self.result => {}
            GameResult::Unknown => self.result = result,
            known => {
                let (known, found) = (known.as_str(), result.as_str());
                return Err(ResultError { known, found });
            }
        }
        Ok(())
    }

    /// Returns the moves of the main line, up to a null move.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        let nodes = self.main_line.moves.iter();
        let moves: Vec<Move> = nodes.map_while(|node| node.mv).collect();
        moves.into_iter()
    }
}

/// Tag names and values in their original order. A value has no control characters, which PGN
/// cannot hold, and no blanks around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    list: Vec<(String, String)>,
    /// The place of each name in the list.
    places: HashMap<String, usize>,
}

impl Tags {
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.list.get(*self.places.get(name)?)?;
        Some(value)
    }

    /// Adds a tag or replaces its value. Control characters become blanks.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into().replace(char::is_control, " ");
        let value = value.trim().to_owned();
        let place = *self
            .places
            .entry(name.to_owned())
            .or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some((_, old)) => *old = value,
            None => self.list.push((name.to_owned(), value)),
        }
    }

    pub fn remove(&mut self, name: &str) {
        let Some(removed) = self.places.remove(name) else {
            return;
        };
        self.list.remove(removed);
        for place in self.places.values_mut() {
            *place -= usize::from(*place > removed);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let tags = self.list.iter();
        tags.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// A line of annotated moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variation {
    /// The comment before the first move.
    pub comment: Comment,
    pub moves: Vec<MoveNode>,
}

impl Variation {
    pub fn new(moves: impl IntoIterator<Item = Move>) -> Self {
        Self {
            comment: Comment::default(),
            moves: moves.into_iter().map(MoveNode::new).collect(),
        }
    }

    /// Returns the comment at the end of the line.
    pub fn last_comment(&mut self) -> &mut Comment {
        match self.moves.last_mut() {
            Some(node) => &mut node.comment,
            None => &mut self.comment,
        }
    }
}

/// A move with its annotations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveNode {
    /// `None` is a null move, `--`. In the main line it ends the moves of the game.
    pub mv: Option<Move>,
    pub nags: Vec<Nag>,
    pub comment: Comment,
    /// The alternatives to this move.
    pub variations: Vec<Variation>,
}

impl MoveNode {
    pub fn new(mv: impl Into<Option<Move>>) -> Self {
        Self {
            mv: mv.into(),
            nags: Vec::new(),
            comment: Comment::default(),
            variations: Vec::new(),
        }
    }

    /// The position after the move.
    pub fn after(&self, before: &Position) -> Position {
        after(self.mv, before)
    }

    /// The move in SAN, or `--`.
    pub fn san(&self, before: &Position) -> String {
        san(self.mv, before)
    }
}

/// The position after a move of a variation; a null move is none in check.
pub fn after(mv: Option<Move>, before: &Position) -> Position {
    let after = match mv {
        Some(mv) => Some(before.play_unchecked(mv)),
        None => before.null_move(),
    };
    after.unwrap_or(*before)
}

/// A move of a variation in SAN, or `--`.
pub fn san(mv: Option<Move>, before: &Position) -> String {
    mv.map_or_else(|| "--".to_owned(), |mv| before.san(mv))
}

/// A numeric annotation glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nag(pub u8);

impl Nag {
    pub const MISTAKE: Self = Self(2);
    pub const BLUNDER: Self = Self(4);
    pub const DUBIOUS: Self = Self(6);

    /// True if it assesses the move, from `!` to `?!`.
    pub fn is_move_assessment(self) -> bool {
        (1..=6).contains(&self.0)
    }

    /// Returns the symbol of a move assessment, or nothing.
    pub fn symbol(self) -> &'static str {
        match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            _ => "",
        }
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// The text before the first command, the command without its brackets, and the text after it.
fn split_at_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("[%")?;
    let (command, after) = rest.split_once(']')?;
    Some((before, command, after))
}

/// A comment: free text and the bracketed commands `[%eval]` and `[%clk]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comment {
    pub eval: Option<Eval>,
    /// The clock of the side that moved, after the move.
    pub clock: Option<Duration>,
    pub text: String,
}

impl Comment {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the text without commands such as `[%csl Ra1]`, which are not for reading.
    pub fn shown_text(&self) -> String {
        let mut text = String::new();
        let mut rest = self.text.as_str();
        while let Some((before, _, after)) = split_at_command(rest) {
            text.push_str(before);
            rest = after;
        }
        text.push_str(rest);
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    }

    /// Replaces what [`shown_text`](Comment::shown_text) returns. The commands stay.
    pub fn set_shown_text(&mut self, text: &str) {
        let commands = self.commands().map(|command| format!("[%{command}]"));
        let parts: Vec<String> = commands.chain([text.trim().to_owned()]).collect();
        self.text = parts.join(" ").trim_end().to_owned();
    }

    /// Adds a sentence, unless the text has it already.
    pub fn add_sentence(&mut self, sentence: &str) {
        if !self.text.contains(sentence) {
            let separator = if self.text.is_empty() { "" } else { " " };
            self.text.push_str(separator);
            self.text.push_str(sentence);
        }
    }

    /// The commands in the text, such as `csl Ra1`.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.text.as_str();
        std::iter::from_fn(move || {
            let (_, command, after) = split_at_command(rest)?;
            rest = after;
            Some(command)
        })
    }

    /// Adds the text of a comment. Commands that are not understood stay in the text.
    pub(super) fn add(&mut self, text: &str) {
        let mut rest = text;
        let mut free = String::new();
        while let Some((before, command, after)) = split_at_command(rest) {
            free.push_str(before);
            if !self.add_command(command) {
                free.push_str("[%");
                free.push_str(command);
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

    fn add_command(&mut self, command: &str) -> bool {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["eval", value] => {
                let eval = Eval::parse(value);
                self.eval = eval.or(self.eval);
                eval.is_some()
            }
            ["clk", value] => {
                let clock = parse_clock(value);
                self.clock = clock.or(self.clock);
                clock.is_some()
            }
            _ => false,
        }
    }
}

/// The value of a position for White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    Centipawns(i32),
    /// Moves to mate; negative when White is mated.
    Mate(i32),
}

impl Eval {
    /// Parses `0.34` or `#-3`, optionally followed by a depth as in `0.34,18`.
    fn parse(text: &str) -> Option<Self> {
        const MAX_PAWNS: f64 = 10_000.0;
        let (value, depth) = text.split_once(',').unwrap_or((text, "0"));
        depth.parse::<u32>().ok()?;
        if let Some(moves) = value.strip_prefix('#') {
            // After checkmate some write #0, which says nothing of who has won.
            let moves = moves.parse().ok().filter(|&moves| moves != 0);
            return moves.map(Eval::Mate);
        }
        let pawns: f64 = value.parse().ok()?;
        let centipawns = (100.0 * pawns).round();
        (centipawns.abs() < 100.0 * MAX_PAWNS).then_some(Self::Centipawns(centipawns as i32))
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(value) => write!(f, "{:.2}", f64::from(value) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Parses hours, minutes and seconds, optionally with a fraction: `1:02:03.5`. Hours may be
/// missing.
fn parse_clock(text: &str) -> Option<Duration> {
    const MAX_HOURS: u64 = 10_000;
    let (rest, seconds) = text.rsplit_once(':')?;
    let (hours, minutes) = rest.split_once(':').unwrap_or(("0", rest));
    let (hours, minutes): (u64, u64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds: f64 = seconds.parse().ok()?;
    if hours > MAX_HOURS || minutes > 59 || !(0.0..60.0).contains(&seconds) {
        return None;
    }
    let milliseconds = (1000.0 * seconds).round() as u64;
    Some(Duration::from_millis(
        (hours * 60 + minutes) * 60_000 + milliseconds,
    ))
}

/// Formats a clock as in `[%clk]`.
pub(super) fn format_clock(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut text = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    let fraction = format!(".{:03}", clock.subsec_millis());
    text.push_str(fraction.trim_end_matches('0').trim_end_matches('.'));
    text
}
