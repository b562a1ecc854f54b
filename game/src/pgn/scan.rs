//! Scans PGN text line by line, without its grammar: where each game begins and ends, even if it
//! is invalid, and in which line each move is. Movetext is rewritten as the grammar knows it, which
//! skips other words and `;` comments.

use std::borrow::Cow;
use std::io::{self, BufRead};

use super::PgnError;
use super::word::{self, Word};
use common::excerpt;
use common::input::{InputError, LONGEST_LINE, LineReader};

const MAX_GAME_BYTES: usize = 1 << 24;

/// The grammar reads a tag as a whole into a buffer of 16 KiB.
const LONGEST_TAG: usize = 16_000;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The beginning of the first tag of every game.
const EVENT_TAG: &[u8] = b"[Event \"";

/// The text of one game.
#[derive(Debug)]
pub(super) struct GameText {
    /// From 1.
    pub(super) number: u64,
    pub(super) first_line: u64,
    pub(super) bytes: Vec<u8>,
    /// The line in the file of each move of the main line.
    move_lines: Vec<u64>,
    /// Set if the game is invalid without being parsed.
    pub(super) error: Option<PgnError>,
}

impl GameText {
    /// Returns the line of a move of the main line; plies count from 0.
    pub(super) fn line_of_move(&self, ply: usize) -> u64 {
        // Broken tags may contain moves.
        self.move_lines.get(ply).copied().unwrap_or(self.first_line)
    }
}

/// Splits a file into games.
#[derive(Debug)]
pub(super) struct GameScanner<R> {
    lines: LineReader<R>,
    /// The number of lines read.
    line: u64,
    games: u64,
    /// A line that has been read and belongs to the next game.
    next: Option<Line>,
}

#[derive(Debug)]
enum Line {
    /// Without surrounding white space.
    Complete(Vec<u8>),
    TooLong,
}

impl Line {
    fn bytes(&self) -> &[u8] {
        match self {
            Line::Complete(bytes) => bytes,
            Line::TooLong => b"",
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Line::Complete(bytes) if bytes.is_empty())
    }
}

impl<R: BufRead> GameScanner<R> {
    pub(super) fn new(input: R) -> GameScanner<R> {
        GameScanner {
            lines: LineReader::new(input),
            line: 0,
            games: 0,
            next: None,
        }
    }

    pub(super) fn next_text(&mut self) -> io::Result<Option<GameText>> {
        let Some(first) = self.first_line()? else {
            return Ok(None);
        };
        self.games += 1;
        let mut game = PartialGame::new(self.games, self.line);
        game.add(&first, self.line);
        while let Some(line) = self.next_line(game.comment.is_some())? {
            if game.ends_before(&line) {
                self.next = Some(line);
                break;
            }
            game.add(&line, self.line);
        }
        Ok(Some(game.finish()))
    }

    fn first_line(&mut self) -> io::Result<Option<Line>> {
        if self.next.is_some() {
            return Ok(self.next.take());
        }
        while let Some(line) = self.next_line(false)? {
            if !line.is_blank() && !line.bytes().starts_with(b"%") {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn next_line(&mut self, in_comment: bool) -> io::Result<Option<Line>> {
        self.line += 1;
        let line = match self.lines.next_bytes() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(None),
            Err(InputError::Read(error)) => return Err(error),
            Err(InputError::TooLong { .. } | InputError::NotUtf8 { .. }) => {
                return Ok(Some(Line::TooLong));
            }
        };
        let mut bytes = line.as_slice();
        // Also between files that have been joined, but not in the text of a comment.
        if let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK)
            && (!in_comment || rest.starts_with(EVENT_TAG))
        {
            bytes = rest;
        }
        Ok(Some(Line::Complete(bytes.trim_ascii().to_vec())))
    }
}

/// A game whose end has not been found.
#[derive(Debug)]
struct PartialGame {
    text: GameText,
    in_tags: bool,
    has_event: bool,
    after_blank: bool,
    /// The line in which the open comment was opened.
    comment: Option<u64>,
    /// How many variations are open.
    depth: usize,
    unknown_word: Option<PgnError>,
    ending: Ending,
}

/// What the last lines of movetext ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Moves,
    Result,
    ResultAndBlankLine,
}

impl PartialGame {
    fn new(number: u64, first_line: u64) -> PartialGame {
        PartialGame {
            text: GameText {
                number,
                first_line,
                bytes: Vec::new(),
                move_lines: Vec::new(),
                error: None,
            },
            in_tags: true,
            has_event: false,
            after_blank: false,
            comment: None,
            depth: 0,
            unknown_word: None,
            ending: Ending::Moves,
        }
    }

    /// Whether this line belongs to the next game.
    fn ends_before(&self, line: &Line) -> bool {
        let after_result = self.ending == Ending::ResultAndBlankLine && !line.is_blank();
        let line = line.bytes();
        let event = line.starts_with(EVENT_TAG);
        if self.comment.is_some() {
            // Only a comment that was never closed contains an Event tag.
            event
        } else if self.in_tags {
            event && (self.has_event || self.after_blank)
        } else {
            line.starts_with(b"[") || after_result
        }
    }

    fn add(&mut self, line: &Line, number: u64) {
        let too_long = |limit| Some(PgnError::TooLong { limit });
        if matches!(line, Line::TooLong) {
            self.in_tags = false;
            self.text.error = too_long(LONGEST_LINE);
        }
        self.after_blank = line.is_blank();
        let bytes = line.bytes();
        let line = if self.in_tags && (bytes.is_empty() || bytes.starts_with(b"[")) {
            self.has_event |= bytes.starts_with(EVENT_TAG);
            if bytes.len() > LONGEST_TAG && self.text.error.is_none() {
                self.text.error = Some(PgnError::TagTooLong {
                    line: number,
                    limit: LONGEST_TAG,
                });
            }
            Cow::Borrowed(bytes)
        } else {
            self.in_tags = false;
            Cow::Owned(self.add_movetext(bytes, number))
        };
        if self.text.bytes.len() + line.len() > MAX_GAME_BYTES {
            self.text.error = too_long(MAX_GAME_BYTES);
            self.text.bytes.clear();
        }
        if self.text.error.is_none() {
            // For the grammar an empty line would end the game.
            let line = if line.is_empty() { b" " } else { &*line };
            self.text.bytes.extend(line);
            self.text.bytes.push(b'\n');
        }
    }

    /// Tracks comments and results, to find the end of the game. Returns the line as the grammar
    /// understands it.
    fn add_movetext(&mut self, line: &[u8], number: u64) -> Vec<u8> {
        let was_open = self.comment;
        let mut open = was_open.is_some();
        let bare = without_comments(line, &mut open);
        self.comment = open.then(|| was_open.unwrap_or(number));
        if line.is_empty() && self.ending == Ending::Result {
            self.ending = Ending::ResultAndBlankLine;
        }
        let mut text = Vec::with_capacity(line.len() + 2);
        let mut word = Vec::new();
        for (&bare, &byte) in bare.iter().zip(line) {
            let ends = word::is_separator(bare);
            if ends || bare == b'$' {
                self.add_words(&word, number, &mut text);
                word.clear();
            }
            match ends {
                true => text.push(byte),
                false => word.push(byte),
            }
            match bare {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.add_words(&word, number, &mut text);
        // Only a `;` comment cuts the line short.
        if let Some((_, [b';', comment @ ..])) = line.split_at_checked(bare.len()) {
            push_comment(comment, &mut text);
        }
        text
    }

    /// Adds what is between two separators: a word, a result, or both.
    fn add_words(&mut self, word: &[u8], number: u64, text: &mut Vec<u8>) {
        let (word, result) = word::split_result(word);
        if !word.is_empty() {
            self.ending = Ending::Moves;
            self.add_word(word, number, text);
        }
        if !result.is_empty() {
            self.ending = Ending::Result;
            text.push(b' ');
            text.extend(result);
        }
    }

    fn add_word(&mut self, word: &[u8], number: u64, text: &mut Vec<u8>) {
        match Word::read(word) {
            Word::Move(mv) => {
                if self.depth == 0 && self.text.error.is_none() {
                    self.text.move_lines.push(number);
                }
                text.extend(&*mv);
            }
            Word::Number => text.extend(word),
            Word::Nag(nag) => text.extend(format!(" ${nag}").bytes()),
            Word::Nothing => {}
            Word::Text => push_comment(word, text),
            Word::Unknown => {
                self.unknown_word.get_or_insert_with(|| PgnError::Word {
                    line: number,
                    word: excerpt(&String::from_utf8_lossy(word)),
                });
            }
        }
    }

    fn finish(mut self) -> GameText {
        let unclosed_comment = self.comment.map(|line| PgnError::UnclosedComment { line });
        let unclosed_variation = (self.depth > 0).then_some(PgnError::UnclosedVariation);
        let error = self.text.error.or(unclosed_comment);
        self.text.error = error.or(self.unknown_word).or(unclosed_variation);
        self.text
    }
}

/// Replaces comments by blanks. `open` is whether a comment in braces is open before the line,
/// and becomes whether one is open after it.
fn without_comments(line: &[u8], open: &mut bool) -> Vec<u8> {
    if !*open && line.starts_with(b"%") {
        return Vec::new();
    }
    let mut bare = Vec::with_capacity(line.len());
    for &byte in line {
        match (byte, *open) {
            (b'}', true) => *open = false,
            (b'{', false) => *open = true,
            (b';', false) => break,
            (byte, false) => {
                bare.push(byte);
                continue;
            }
            (_, true) => {}
        }
        bare.push(b' ');
    }
    bare
}

/// Appends a comment in braces.
fn push_comment(comment: &[u8], text: &mut Vec<u8>) {
    text.push(b'{');
    text.extend(comment.iter().map(|&byte| match byte {
        b'}' => b')',
        byte => byte,
    }));
    text.push(b'}');
}
