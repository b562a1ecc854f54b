//! Scans PGN text without its grammar: where each game begins and ends, whatever is wrong
//! inside, and whether the movetext has only words that the grammar knows. The grammar skips
//! unknown words, and a game read without them would be another game: a German one, say,
//! without its knight moves.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use pgn_reader::SanPlus;

use super::PgnError;
use common::excerpt;
use common::input::{InputError, LONGEST_LINE, LineReader};

const MAX_GAME_BYTES: usize = 1 << 24;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The beginning of the first tag of every game.
const EVENT_TAG: &[u8] = b"[Event \"";

/// Known words besides moves, numbers and results: `e.p.` in its parts, and the marks of a novelty
/// and a diagram.
const IGNORED_WORDS: [&[u8]; 5] = [b"e", b"p", b"ep", b"N", b"D"];

/// The text of one game.
#[derive(Debug)]
pub(super) struct GameText {
    /// From 1.
    pub(super) number: u64,
    pub(super) first_line: u64,
    pub(super) bytes: Vec<u8>,
    /// The offset of the movetext in `bytes`.
    movetext: usize,
    /// The line in the file in which the movetext begins.
    movetext_line: u64,
    /// Set if the game is invalid without being parsed.
    pub(super) error: Option<PgnError>,
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
        while let Some(line) = self.next_line()? {
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
                movetext: 0,
                movetext_line: first_line,
                error: None,
            },
            in_tags: true,
            has_event: false,
            after_blank: false,
            comment: None,
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
        let line = line.bytes();
        if self.in_tags && (line.is_empty() || line.starts_with(b"[")) {
            self.has_event |= line.starts_with(EVENT_TAG);
        } else {
            self.in_tags = false;
            self.add_movetext(line, number);
        }
        if self.text.bytes.len() + line.len() > MAX_GAME_BYTES {
            self.text.error = too_long(MAX_GAME_BYTES);
            self.text.bytes.clear();
        }
        if self.text.error.is_none() {
            // For the grammar an empty line would end the game.
            let line = if line.is_empty() { b" " } else { line };
            self.text.bytes.extend(line);
            self.text.bytes.push(b'\n');
        }
        if self.in_tags {
            self.text.movetext = self.text.bytes.len();
            self.text.movetext_line = number + 1;
        }
    }

    /// Tracks comments and results, to find the end of the game.
    fn add_movetext(&mut self, line: &[u8], number: u64) {
        let was_open = self.comment;
        let mut open = was_open.is_some();
        let bare = without_comments(line, &mut open);
        self.comment = open.then(|| was_open.unwrap_or(number));
        let last = bare
            .split(u8::is_ascii_whitespace)
            .rfind(|word| !word.is_empty());
        self.ending = match (last, self.ending) {
            (Some(word), _) if is_result(word) => Ending::Result,
            (Some(_), _) => Ending::Moves,
            (None, Ending::Result) if line.is_empty() => Ending::ResultAndBlankLine,
            (None, ending) => ending,
        };
    }

    fn finish(mut self) -> GameText {
        if let (Some(line), None) = (self.comment, &self.text.error) {
            self.text.error = Some(PgnError::UnclosedComment { line });
        }
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

/// Returns the text with `;` comments turned into comments in braces, the only ones that the
/// grammar reports.
pub(super) fn with_braces(text: &GameText) -> Vec<u8> {
    let (tags, moves) = text
        .bytes
        .split_at_checked(text.movetext)
        .unwrap_or((&text.bytes, &[]));
    let mut whole = tags.to_vec();
    let mut open = false;
    for line in moves.split_inclusive(|&byte| byte == b'\n') {
        let bare = without_comments(line.trim_ascii_end(), &mut open);
        // Only a `;` comment cuts the line short.
        match line.get(bare.len()..) {
            Some([b';', comment @ ..]) => {
                whole.extend(line.iter().take(bare.len()));
                whole.push(b'{');
                let comment = comment.trim_ascii_end().iter();
                whole.extend(comment.map(|&byte| if byte == b'}' { b')' } else { byte }));
                whole.extend(b"}\n");
            }
            _ => whole.extend(line),
        }
    }
    whole
}

/// A word of the movetext outside comments.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a [u8],
    line: u64,
    in_main_line: bool,
}

/// Fails if the movetext has an unknown word or an unclosed variation.
pub(super) fn check_words(text: &GameText) -> Result<(), PgnError> {
    let (unknown, depth) = for_each_word(text, |word| match is_known(word.text) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(PgnError::Word {
            line: word.line,
            word: excerpt(&String::from_utf8_lossy(word.text)),
        }),
    });
    match unknown {
        Some(error) => Err(error),
        None if depth > 0 => Err(PgnError::UnclosedVariation),
        None => Ok(()),
    }
}

/// Returns the line of a move of the main line; plies count from 0.
pub(super) fn line_of_move(text: &GameText, ply: usize) -> u64 {
    let mut moves = 0;
    let (line, _) = for_each_word(text, |word| {
        moves += usize::from(word.in_main_line && is_move(word.text));
        if moves > ply {
            ControlFlow::Break(word.line)
        } else {
            ControlFlow::Continue(())
        }
    });
    line.unwrap_or(text.movetext_line)
}

/// Visits every word until `visit` breaks. Also returns how many variations are open at the end.
fn for_each_word<B>(
    text: &GameText,
    mut visit: impl FnMut(Word) -> ControlFlow<B>,
) -> (Option<B>, usize) {
    let moves = text.bytes.get(text.movetext..).unwrap_or_default();
    let mut in_comment = false;
    let mut depth = 0usize;
    for (line, number) in moves.split(|&byte| byte == b'\n').zip(text.movetext_line..) {
        let bare = without_comments(line, &mut in_comment);
        for piece in bare.split_inclusive(|byte| matches!(byte, b'(' | b')')) {
            let words = piece.split(|&byte| is_separator(byte));
            for text in words.filter(|word| !word.is_empty()) {
                let word = Word {
                    text,
                    line: number,
                    in_main_line: depth == 0,
                };
                if let ControlFlow::Break(value) = visit(word) {
                    return (Some(value), depth);
                }
            }
            match piece.last() {
                Some(b'(') => depth += 1,
                Some(b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    (None, depth)
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'.' | b'(' | b')' | b'!' | b'?' | b'}')
}

fn is_known(word: &[u8]) -> bool {
    is_move(word)
        || is_result(word)
        || word.starts_with(b"$")
        || word.iter().all(u8::is_ascii_digit)
        || !word.iter().any(u8::is_ascii_alphanumeric)
        || IGNORED_WORDS.contains(&word)
}

/// Whether a word has the form of a move, by the grammar's own test.
fn is_move(word: &[u8]) -> bool {
    let bare = match word {
        [bare @ .., b'+' | b'#'] => bare,
        _ => word,
    };
    matches!(bare, b"0-0" | b"0-0-0") || SanPlus::from_ascii(word).is_ok()
}

fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*") || word == "½-½".as_bytes()
}
