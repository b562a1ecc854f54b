//! Reads a game line by line: where it ends, even if it is invalid, and its tags, moves and
//! annotations. Moves are played as they are read.

use std::borrow::Cow;

use movegen::{Game, Position, START_FEN, San, Validated, Variant};

use super::record::{DERIVED_TAGS, GameResult, MoveNode, Nag, Record, Tags, Variation};
use super::word::{self, Word};
use super::{MoveError, PgnError};
use crate::notation;
use common::excerpt;
use common::input::LONGEST_LINE;

/// The deepest nesting of variations; code that walks through a game may recurse.
pub const MAX_DEPTH: usize = 50;

/// The end of a warning about a null move in the main line; the moves from there on are kept.
pub const NULL_MOVE: &str = "null move in the game, whose moves end before it";

const MAX_GAME_BYTES: usize = 1 << 24;

/// The beginning of the first tag of every game.
pub(super) const EVENT_TAG: &[u8] = b"[Event \"";

/// A game whose end has not been read.
#[derive(Debug)]
pub(super) struct GameReader {
    record: Record,
    main: Branch,
    /// The variant of a game without a `Variant` tag.
    variant: Option<Variant>,
    /// The variations being kept, the innermost last.
    variations: Vec<Branch>,
    /// The number of open variations.
    depth: usize,
    /// The line in which the open comment was opened.
    comment: Option<u64>,
    /// The text of the comment so far, or of the lines with `;` since the last tag.
    comment_text: Vec<u8>,
    /// The number of the current line.
    line: u64,
    bytes: usize,
    in_tags: bool,
    has_event: bool,
    /// A word of the main line is a move, legal or not.
    has_moves: bool,
    after_blank: bool,
    ending: Ending,
    /// After the first error only the end of the game is looked for.
    error: Option<PgnError>,
}

/// The end of the last lines of movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Moves,
    Result,
    ResultAndBlankLine,
}

impl GameReader {
    pub(super) fn new(variant: Option<Variant>) -> Self {
        let start = Position::default();
        Self {
            variant,
            record: Record::new(start),
            main: Branch::new(start),
            variations: Vec::new(),
            depth: 0,
            comment: None,
            comment_text: Vec::new(),
            line: 0,
            bytes: 0,
            in_tags: true,
            has_event: false,
            has_moves: false,
            after_blank: false,
            ending: Ending::Moves,
            error: None,
        }
    }

    /// True if there are only lines with `;` so far.
    pub(super) fn has_only_comments(&self) -> bool {
        let has_tags = self.record.tags.iter().next().is_some();
        self.in_tags && !has_tags && !self.comment_text.is_empty() && self.error.is_none()
    }

    pub(super) fn in_comment(&self) -> bool {
        self.comment.is_some()
    }

    /// True if this line belongs to the next game: also if its first move follows one in a line
    /// before.
    pub(super) fn ends_before(&mut self, line: &[u8]) -> bool {
        let event = line.starts_with(EVENT_TAG);
        if self.comment.is_some() {
            // Only a comment that was never closed contains an Event tag.
            event
        } else if self.in_tags {
            let has_tags = self.record.tags.iter().next().is_some();
            event && (self.has_event || self.after_blank && has_tags)
        } else {
            let is_first_move = line
                .strip_prefix(b"1.")
                .is_some_and(|rest| !rest.trim_ascii_start().starts_with(b"."));
            let restarts = is_first_move && self.depth == 0 && self.has_moves;
            if restarts && self.ending == Ending::Moves {
                let warning = format!("line {}: expected a result before the next game", self.line);
                self.record.warnings.push(warning);
            }
            restarts
                || line.starts_with(b"[")
                || self.ending == Ending::ResultAndBlankLine && !line.is_empty()
        }
    }

    /// Adds a line without surrounding white space; `None` is one that is too long.
    pub(super) fn add(&mut self, line: Option<&[u8]>, number: u64) {
        self.line = number;
        let text = line.unwrap_or_default();
        self.bytes += text.len() + 1;
        if line.is_none() || self.bytes > MAX_GAME_BYTES {
            let limit = line.map_or(LONGEST_LINE, |_| MAX_GAME_BYTES);
            self.error = Some(PgnError::TooLong { limit });
        }
        self.after_blank = line.is_some_and(<[u8]>::is_empty);
        let is_escape = self.comment.is_none() && text.starts_with(b"%");
        if self.in_tags {
            self.has_event |= text.starts_with(EVENT_TAG);
            if text.starts_with(b"[") {
                // Comments among the tags are not kept.
                self.comment_text.clear();
            }
            let movetext = self.add_tags(text);
            if let Some(comment) = movetext.strip_prefix(b";") {
                self.add_comment_line(comment);
            } else if !movetext.is_empty() && !is_escape || line.is_none() {
                self.begin_movetext();
                self.add_movetext(movetext);
            }
        } else if !is_escape {
            self.add_movetext(text);
        }
    }

    /// Adds the tags of a line, and returns what follows them.
    fn add_tags<'a>(&mut self, mut line: &'a [u8]) -> &'a [u8] {
        while let Some(tag) = line.strip_prefix(b"[") {
            let Some((name, rest)) = split_at(tag, |byte| matches!(byte, b'"' | b']')) else {
                return b"";
            };
            line = rest;
            if let Some(quoted) = rest.strip_prefix(b"\"") {
                let (value, rest) = split_value(quoted);
                let value = unescaped(decode(value));
                self.record.tags.set(decode(name).trim(), value.trim());
                line = rest;
            }
            let end = split_at(line, |byte| byte == b']');
            line = end.map_or(&b""[..], |(_, rest)| rest.get(1..).unwrap_or_default());
            line = line.trim_ascii_start();
        }
        line
    }

    fn begin_movetext(&mut self) {
        self.in_tags = false;
        if let Err(error) = self.set_up() {
            self.error.get_or_insert(error);
        }
        let comment = std::mem::take(&mut self.comment_text);
        self.add_comment(&comment);
    }

    /// The start of the game and its result from the tags.
    fn set_up(&mut self) -> Result<(), PgnError> {
        let record = &mut self.record;
        let variant = variant(&record.tags, self.variant)?;
        let fen = record.tags.get("FEN");
        if fen.is_some() || variant.is_some_and(|variant| variant != record.start.variant()) {
            let read = Validated::from_fen(fen.unwrap_or(START_FEN), variant)?;
            record.start = read.position;
            record.passed_at_start = read.en_passant;
            let dropped = read.dropped.iter().map(ToString::to_string);
            record.warnings.extend(dropped);
            self.main = Branch::new(record.start);
        }
        let result = record.tags.get("Result").and_then(word::result);
        record.result = result.unwrap_or(GameResult::Unknown);
        for name in DERIVED_TAGS {
            record.tags.remove(name);
        }
        Ok(())
    }

    fn add_movetext(&mut self, line: &[u8]) {
        if line.is_empty() && self.ending == Ending::Result {
            self.ending = Ending::ResultAndBlankLine;
        }
        let mut rest = line;
        loop {
            if self.comment.is_some() {
                let end = split_at(rest, |byte| byte == b'}');
                let (text, after) = end.unwrap_or((rest, b""));
                self.add_comment_line(text);
                if end.is_none() {
                    return;
                }
                self.comment = None;
                let text = std::mem::take(&mut self.comment_text);
                self.add_comment(&text);
                rest = after;
            }
            let Some((&first, tail)) = rest.split_first() else {
                return;
            };
            let length = match first {
                b'!' | b'?' if matches!(tail, [b'!' | b'?', ..]) => 2,
                _ if word::is_separator(first) => 1,
                _ => {
                    let end = tail.iter().position(|&byte| word::ends(byte));
                    end.map_or(rest.len(), |end| end + 1)
                }
            };
            let (token, after) = rest.split_at_checked(length).unwrap_or((rest, b""));
            rest = after;
            match token {
                b"{" => self.comment = Some(self.line),
                b";" => return self.add_comment(tail),
                b"(" => self.begin_variation(),
                b")" => self.end_variation(),
                b"!" => self.add_nag(Nag(1)),
                b"?" => self.add_nag(Nag(2)),
                b"!!" => self.add_nag(Nag(3)),
                b"??" => self.add_nag(Nag(4)),
                b"!?" => self.add_nag(Nag(5)),
                b"?!" => self.add_nag(Nag(6)),
                _ if word::is_separator(first) => {}
                _ if token.is_ascii() => self.add_word(token),
                _ => {
                    // Typeset movetext has no-break spaces and ellipses, also in Windows-1252.
                    let text = decode(token);
                    let words = text.split(|letter: char| letter.is_whitespace() || letter == '…');
                    for word in words.filter(|word| !word.is_empty()) {
                        self.add_word(word.as_bytes());
                    }
                }
            }
        }
    }

    fn add_word(&mut self, text: &[u8]) {
        self.ending = Ending::Moves;
        let word = Word::read(text);
        let is_move = matches!(
            word,
            Word::Move(_) | Word::Unknown | Word::Result(Some(_), _)
        );
        self.has_moves |= is_move && self.depth == 0;
        match word {
            Word::Move(san) => self.play(san),
            Word::Number | Word::Nothing => {}
            Word::Nag(nag) => self.add_nag(Nag(nag)),
            Word::Text => self.add_comment(text),
            Word::Result(before, result) => {
                if let Some(san) = before {
                    self.play(san);
                }
                self.ending = Ending::Result;
                let is_whole = ["-1/2", "–1/2"].map(|end| text.ends_with(end.as_bytes()));
                if text.ends_with(b"1/2") && is_whole == [false; 2] && self.keeps_annotations() {
                    let warning = format!("line {}: result '1/2' read as '1/2-1/2'", self.line);
                    self.record.warnings.push(warning);
                }
                // The tag takes precedence: it is what people correct.
                if self.depth == 0 && self.record.result == GameResult::Unknown {
                    self.record.result = result;
                }
            }
            Word::Unknown => {
                self.error.get_or_insert_with(|| PgnError::Word {
                    line: self.line,
                    word: excerpt(&String::from_utf8_lossy(text)),
                });
            }
        }
    }

    /// Plays a move; `None` is a null move.
    fn play(&mut self, san: Option<San>) {
        if self.error.is_some() {
            return;
        }
        if self.depth > 0 {
            if let Some(branch) = self.variations.last_mut()
                && !branch.cut
                && let Err(error) = branch.play(san)
            {
                branch.cut = true;
                let (line, number) = (self.line, notation::move_number(&branch.after));
                let warning = format!("line {line}, variation cut at move {number}: {error}");
                self.record.warnings.push(warning);
            }
            return;
        }
        if san.is_none() && self.main.line.moves.iter().all(|node| node.mv.is_some()) {
            let number = notation::move_number(&self.main.after);
            let line = self.line;
            self.record
                .warnings
                .push(format!("line {line}, move {number}: {NULL_MOVE}"));
        }
        if let Err(source) = self.main.play(san) {
            self.error = Some(PgnError::Move {
                line: self.line,
                number: notation::move_number(&self.main.after),
                source: self.with_history(san).unwrap_or(source),
            });
        }
    }

    /// The error of an illegal move of the main line with what the game says about it, such as the
    /// move by which a castling right was lost.
    fn with_history(&self, san: Option<San>) -> Option<MoveError> {
        let mut game = Game::new(self.record.start);
        for node in &self.main.line.moves {
            game.push(node.mv?).ok()?;
        }
        game.move_from_san(&san?.to_string())
            .err()
            .map(MoveError::San)
    }

    fn keeps_annotations(&self) -> bool {
        self.error.is_none() && !self.branch().cut
    }

    fn branch(&self) -> &Branch {
        self.variations.last().unwrap_or(&self.main)
    }

    fn branch_mut(&mut self) -> &mut Branch {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    fn add_nag(&mut self, nag: Nag) {
        if self.keeps_annotations() {
            let line = &mut self.branch_mut().line;
            match line.moves.last_mut() {
                Some(node) if node.nags.contains(&nag) => {}
                Some(node) => node.nags.push(nag),
                None => line.comment.add(&nag.to_string()),
            }
        }
    }

    /// Adds a line to a comment that may go on.
    fn add_comment_line(&mut self, text: &[u8]) {
        if self.keeps_annotations() {
            self.comment_text.extend(text);
            self.comment_text.push(b'\n');
        }
    }

    fn add_comment(&mut self, text: &[u8]) {
        if self.keeps_annotations() {
            self.branch_mut().line.last_comment().add(&decode(text));
        }
    }

    fn begin_variation(&mut self) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let limit = MAX_DEPTH;
            self.error.get_or_insert(PgnError::TooDeep { limit });
        } else {
            let branch = self.branch();
            self.variations.push(Branch {
                cut: branch.cut,
                ..Branch::new(branch.before)
            });
        }
    }

    fn end_variation(&mut self) {
        if self.depth > 0 {
            // A result in a variation does not end the game.
            self.ending = Ending::Moves;
        }
        self.depth = self.depth.saturating_sub(1);
        if self.error.is_none()
            && let Some(variation) = self.variations.pop()
        {
            let (line, branch) = (variation.into_line(), self.branch_mut());
            if line.moves.is_empty() {
                branch.line.last_comment().add(&line.comment.text);
            } else {
                branch.add_variation(line);
            }
        }
    }

    /// The game; with an error what there is before an invalid move.
    pub(super) fn finish(mut self) -> Result<Record, (PgnError, Option<Box<Record>>)> {
        if self.in_tags {
            self.begin_movetext();
        }
        let unclosed_comment = self.comment.map(|line| PgnError::UnclosedComment { line });
        let unclosed_variation = (self.depth > 0).then_some(PgnError::UnclosedVariation);
        let error = self.error.or(unclosed_comment).or(unclosed_variation);
        let mut record = Record {
            main_line: self.main.into_line(),
            ..self.record
        };
        let Some(error) = error else {
            return Ok(record);
        };
        let is_move = matches!(error, PgnError::Move { .. } | PgnError::Word { .. });
        let has_part = is_move && record.moves().len() > 0;
        if let PgnError::Move { source, .. } = &error {
            record.main_line.last_comment().add(&source.to_string());
        }
        Err((error, has_part.then(|| record.into())))
    }
}

/// Splits before the first byte that is wanted.
fn split_at(text: &[u8], mut is_wanted: impl FnMut(u8) -> bool) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&byte| is_wanted(byte))?;
    text.split_at_checked(at)
}

/// The value of a tag with its escapes, and what begins with the quotation mark that closes it.
fn split_value(quoted: &[u8]) -> (&[u8], &[u8]) {
    let mut is_escaped = false;
    let closes = |byte| {
        let closes = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        closes
    };
    split_at(quoted, closes).unwrap_or((quoted, b""))
}

/// Removes the escapes of quotation marks and backslashes.
fn unescaped(value: Cow<'_, str>) -> Cow<'_, str> {
    if value.contains('\\') {
        value.replace("\\\"", "\"").replace("\\\\", "\\").into()
    } else {
        value
    }
}

/// Decodes UTF-8; bytes that are not are of Latin-1 or Windows-1252, which older programs write.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let chunks = bytes.utf8_chunks();
            let texts = chunks.flat_map(|chunk| {
                let others = chunk.invalid().iter().copied().map(windows_1252);
                chunk.valid().chars().chain(others)
            });
            texts.collect()
        }
    }
}

/// The character of a byte: that of Latin-1, except where Windows-1252 has one instead of a control
/// character.
fn windows_1252(byte: u8) -> char {
    const FROM_0X80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let listed = byte
        .checked_sub(0x80)
        .and_then(|at| FROM_0X80.chars().nth(at.into()));
    listed.unwrap_or(char::from(byte))
}

/// The variant by the names that programs and sites use. A game of standard chess may have a FEN of
/// Chess960; a game without a name is of the variant `unnamed`.
fn variant(tags: &Tags, unnamed: Option<Variant>) -> Result<Option<Variant>, PgnError> {
    let Some(name) = tags.get("Variant") else {
        return Ok(unnamed);
    };
    let lower = name.to_ascii_lowercase();
    let has = |part| lower.contains(part);
    if has("960") || has("fischer") {
        return Ok(Some(Variant::Chess960));
    }
    match lower.as_str() {
        "" | "?" | "-" => Ok(unnamed),
        "chess" | "standard" | "classical" | "normal" | "from position" => Ok(None),
        _ => Err(PgnError::Variant(excerpt(name))),
    }
}

/// A line of moves that is being read.
#[derive(Debug)]
struct Branch {
    line: Variation,
    /// Alternatives to the first move that precede it.
    first: Vec<Variation>,
    /// The positions before and after the last move.
    before: Position,
    after: Position,
    /// Set after an illegal move: the rest of the variation is skipped.
    cut: bool,
}

impl Branch {
    fn new(start: Position) -> Self {
        Self {
            line: Variation::default(),
            first: Vec::new(),
            before: start,
            after: start,
            cut: false,
        }
    }

    /// Plays a move or a null move.
    fn play(&mut self, san: Option<San>) -> Result<(), MoveError> {
        let mv = match san {
            Some(san) => Some(self.after.find_san(san)?),
            None if self.after.in_check() => return Err(MoveError::NullInCheck),
            None => None,
        };
        self.push(MoveNode::new(mv));
        Ok(())
    }

    fn push(&mut self, node: MoveNode) {
        self.before = self.after;
        self.after = node.after(&self.before);
        self.line.moves.push(MoveNode {
            variations: std::mem::take(&mut self.first),
            ..node
        });
    }

    fn add_variation(&mut self, variation: Variation) {
        let last = self.line.moves.last_mut();
        last.map_or(&mut self.first, |node| &mut node.variations)
            .push(variation);
    }

    /// Ends the line. Alternatives to no move become comments.
    fn into_line(mut self) -> Variation {
        for variation in self.first {
            let moves = variation.moves.iter().map_while(|node| node.mv);
            let text = notation::numbered_moves(&self.before, moves);
            self.line.last_comment().add(&text);
        }
        self.line
    }
}
