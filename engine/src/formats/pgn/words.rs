//! The words of a movetext. The grammar passes over those it does not know, and a game read on
//! without them would be another game (a German one, say, without its knights).

use std::ops::ControlFlow;

use pgn_reader::SanPlus;

use super::Fault;
use super::split::{Text, is_result, without_comments};
use crate::text::excerpt;

/// Beside moves, numbers and results: `e.p.` in its parts, and marks of novelties and diagrams.
const MEANINGLESS: [&[u8]; 5] = [b"e", b"p", b"ep", b"N", b"D"];

/// One word outside comments.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a [u8],
    line: u64,
    /// It stands in no variation.
    main: bool,
}

/// Everything in the movetext can be read.
pub(super) fn check(text: &Text) -> Result<(), Fault> {
    let (first_strange, depth) = walk(text, |word| match is_known(word.text) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(Fault::Word {
            line: word.line,
            word: excerpt(&String::from_utf8_lossy(word.text)),
        }),
    });
    match first_strange {
        Some(fault) => Err(fault),
        None if depth > 0 => Err(Fault::OpenVariation),
        None => Ok(()),
    }
}

/// The line in which the main line's move of this number (from 0) stands.
pub(super) fn line_of_move(text: &Text, ply: usize) -> u64 {
    let mut moves = 0;
    let (line, _) = walk(text, |word| {
        moves += usize::from(word.main && is_move(word.text));
        if moves > ply {
            ControlFlow::Break(word.line)
        } else {
            ControlFlow::Continue(())
        }
    });
    line.unwrap_or(text.movetext.line)
}

/// Shows every word until told to stop; also says how many variations are open at the end.
fn walk<B>(text: &Text, mut show: impl FnMut(Word) -> ControlFlow<B>) -> (Option<B>, usize) {
    let moves = text.bytes.get(text.movetext.at..).unwrap_or_default();
    let mut in_comment = false;
    let mut depth = 0usize;
    for (line, number) in moves.split(|&byte| byte == b'\n').zip(text.movetext.line..) {
        let bare = without_comments(line, &mut in_comment);
        for piece in bare.split_inclusive(|byte| matches!(byte, b'(' | b')')) {
            let main = depth == 0;
            let words = piece.split(|&byte| parts_words(byte));
            for word in words.filter(|word| !word.is_empty()) {
                let shown = show(Word {
                    text: word,
                    line: number,
                    main,
                });
                if let ControlFlow::Break(value) = shown {
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

fn parts_words(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'.' | b'(' | b')' | b'!' | b'?' | b'}')
}

fn is_known(word: &[u8]) -> bool {
    is_move(word)
        || is_result(word)
        || word.starts_with(b"$")
        || word.iter().all(u8::is_ascii_digit)
        || !word.iter().any(u8::is_ascii_alphanumeric)
        || MEANINGLESS.contains(&word)
}

/// It has the shape of a move; the grammar asks the same question.
fn is_move(word: &[u8]) -> bool {
    let bare = match word {
        [bare @ .., b'+' | b'#'] => bare,
        _ => word,
    };
    matches!(bare, b"0-0" | b"0-0-0") || SanPlus::from_ascii(word).is_ok()
}
