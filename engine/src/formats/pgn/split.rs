//! Where one game of a PGN ends and the next begins, line by line, whatever is wrong inside.

use std::io::{self, BufRead};

use super::Fault;
use crate::input::{InputError, LONGEST_LINE, LineReader};

/// No game anyone would annotate is longer.
const LONGEST_GAME: usize = 1 << 24;

/// Some programs put this before the first line they write.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What every game's first tag begins with.
const EVENT_TAG: &[u8] = b"[Event \"";

/// The text of one game.
#[derive(Debug)]
pub(super) struct Text {
    /// From 1.
    pub(super) number: u64,
    pub(super) first_line: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) movetext: Movetext,
    /// Why there is no use in reading it.
    pub(super) fault: Option<Fault>,
}

/// Where the moves stand in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Movetext {
    /// In bytes from its beginning.
    pub(super) at: usize,
    /// In the whole file.
    pub(super) line: u64,
}

#[derive(Debug)]
pub(super) struct Splitter<R> {
    lines: LineReader<R>,
    /// How many have been read.
    line: u64,
    games: u64,
    /// The line that ended the last game by beginning the next.
    held: Option<Line>,
}

#[derive(Debug)]
enum Line {
    /// Without blanks around it.
    Whole(Vec<u8>),
    /// Longer than a line can be, and not kept.
    TooLong,
}

impl Line {
    fn bytes(&self) -> &[u8] {
        match self {
            Line::Whole(bytes) => bytes,
            Line::TooLong => b"",
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Line::Whole(bytes) if bytes.is_empty())
    }
}

impl<R: BufRead> Splitter<R> {
    pub(super) fn new(input: R) -> Splitter<R> {
        Splitter {
            lines: LineReader::new(input),
            line: 0,
            games: 0,
            held: None,
        }
    }

    pub(super) fn next_text(&mut self) -> io::Result<Option<Text>> {
        let Some(first) = self.first_line()? else {
            return Ok(None);
        };
        self.games += 1;
        let mut building = Building::new(self.games, self.line);
        building.add(&first, self.line);
        while let Some(line) = self.next_line()? {
            if building.ends_before(&line) {
                self.held = Some(line);
                break;
            }
            building.add(&line, self.line);
        }
        Ok(Some(building.finish()))
    }

    fn first_line(&mut self) -> io::Result<Option<Line>> {
        if self.held.is_some() {
            return Ok(self.held.take());
        }
        while let Some(line) = self.next_line()? {
            if !line.is_blank() && !line.bytes().starts_with(b"%") {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
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
        if self.line == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        Ok(Some(Line::Whole(bytes.trim_ascii().to_vec())))
    }
}

/// A game whose end has not been seen.
#[derive(Debug)]
struct Building {
    text: Text,
    in_tags: bool,
    has_event: bool,
    /// A blank line was the last.
    after_blank: bool,
    /// The line in which a comment was opened that is still open.
    comment: Option<u64>,
    /// The last word was a result, and what came since.
    ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    NotSeen,
    Result,
    ResultAndBlankLine,
}

impl Building {
    fn new(number: u64, first_line: u64) -> Building {
        Building {
            text: Text {
                number,
                first_line,
                bytes: Vec::new(),
                movetext: Movetext {
                    at: 0,
                    line: first_line,
                },
                fault: None,
            },
            in_tags: true,
            has_event: false,
            after_blank: false,
            comment: None,
            ending: Ending::NotSeen,
        }
    }

    /// This line belongs to the next game.
    fn ends_before(&self, line: &Line) -> bool {
        let starts_anew = self.ending == Ending::ResultAndBlankLine && !line.is_blank();
        let line = line.bytes();
        let event = line.starts_with(EVENT_TAG);
        if self.comment.is_some() {
            // In no comment, but in a file whose comment was never closed.
            event
        } else if self.in_tags {
            event && (self.has_event || self.after_blank)
        } else {
            line.starts_with(b"[") || starts_anew
        }
    }

    fn add(&mut self, line: &Line, number: u64) {
        let too_long = |limit| Some(Fault::TooLong { limit });
        if matches!(line, Line::TooLong) {
            self.in_tags = false;
            self.text.fault = too_long(LONGEST_LINE);
        }
        self.after_blank = line.is_blank();
        let line = line.bytes();
        if self.in_tags && (line.is_empty() || line.starts_with(b"[")) {
            self.has_event |= line.starts_with(EVENT_TAG);
        } else {
            self.in_tags = false;
            self.look_at(line, number);
        }
        if self.text.bytes.len() + line.len() > LONGEST_GAME {
            self.text.fault = too_long(LONGEST_GAME);
            self.text.bytes.clear();
        }
        if self.text.fault.is_none() {
            // A blank line would end the game for the grammar.
            self.text
                .bytes
                .extend(if line.is_empty() { b" " } else { line });
            self.text.bytes.push(b'\n');
        }
        if self.in_tags {
            self.text.movetext = Movetext {
                at: self.text.bytes.len(),
                line: number + 1,
            };
        }
    }

    /// What a line of moves means for where the game ends.
    fn look_at(&mut self, line: &[u8], number: u64) {
        let was_open = self.comment;
        let mut open = was_open.is_some();
        let bare = without_comments(line, &mut open);
        self.comment = open.then(|| was_open.unwrap_or(number));
        let last = bare
            .split(u8::is_ascii_whitespace)
            .rfind(|word| !word.is_empty());
        self.ending = match (last, self.ending) {
            (Some(word), _) if is_result(word) => Ending::Result,
            (Some(_), _) => Ending::NotSeen,
            (None, Ending::Result) if line.is_empty() => Ending::ResultAndBlankLine,
            (None, ending) => ending,
        };
    }

    fn finish(mut self) -> Text {
        if let (Some(line), None) = (self.comment, &self.text.fault) {
            self.text.fault = Some(Fault::OpenComment { line });
        }
        self.text
    }
}

/// A line with a blank for every byte of a comment; `open` says whether one is open before and
/// after it.
pub(super) fn without_comments(line: &[u8], open: &mut bool) -> Vec<u8> {
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

/// The text with comments to the end of a line as comments in braces, which are the only ones that
/// the grammar tells of.
pub(super) fn braced(text: &Text) -> Vec<u8> {
    let (tags, moves) = text
        .bytes
        .split_at_checked(text.movetext.at)
        .unwrap_or((&text.bytes, &[]));
    let mut whole = tags.to_vec();
    let mut open = false;
    for line in moves.split_inclusive(|&byte| byte == b'\n') {
        let bare = without_comments(line.trim_ascii_end(), &mut open);
        // What is left of the line ends where such a comment begins; no other cuts it short.
        match line.get(bare.len()..) {
            Some([b';', said @ ..]) => {
                whole.extend(line.iter().take(bare.len()));
                whole.push(b'{');
                let said = said.trim_ascii_end().iter();
                whole.extend(said.map(|&byte| if byte == b'}' { b')' } else { byte }));
                whole.extend(b"}\n");
            }
            _ => whole.extend(line),
        }
    }
    whole
}

pub(super) fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*") || word == "½-½".as_bytes()
}
