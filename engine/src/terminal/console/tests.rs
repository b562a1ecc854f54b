//! Games as transcripts: each line after `> ` is typed, the others are printed, without boards.

mod chess;

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};

use game::play::GameState;

use super::Console;
use crate::terminal::Terminal;
use crate::terminal::chess::Chess;

/// The terminal as a user sees it.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Types one line after the other; each is echoed when it is read.
struct Keyboard {
    lines: Vec<String>,
    /// The part of the last line that has not been read.
    rest: Vec<u8>,
    screen: Screen,
}

impl Read for Keyboard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Keyboard {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.rest.is_empty()
            && let Some(line) = self.lines.pop()
        {
            writeln!(self.screen, "> {line}")?;
            self.rest = format!("{line}\n").into_bytes();
        }
        Ok(&self.rest)
    }

    fn consume(&mut self, amount: usize) {
        self.rest.drain(..amount);
    }
}

/// All that is printed while these lines are typed.
fn screen_of(chess: Chess, state: GameState, typed: &[&str]) -> String {
    let screen = Screen::default();
    let keyboard = Keyboard {
        lines: typed.iter().rev().map(|&line| line.to_owned()).collect(),
        rest: Vec::new(),
        screen: screen.clone(),
    };
    let terminal = Terminal::piped(keyboard, screen.clone());
    let console = Console::new(terminal, chess, state, "You".to_owned(), false);
    console.run().expect("the terminal works");
    let bytes = screen.0.lock().expect("one thread").clone();
    String::from_utf8(bytes).expect("text")
}

/// Asserts that a game takes this course. The first line that a typed one leads to may follow it
/// after several blanks, and a line that ends with `…` may go on.
#[track_caller]
fn check((chess, state): (Chess, GameState), transcript: &str) {
    let mut typed = Vec::new();
    let mut expected = Vec::new();
    for line in transcript.lines().map(str::trim) {
        let (first, then) = line.split_once("    ").unwrap_or((line, ""));
        typed.extend(first.strip_prefix("> "));
        expected.extend([first.trim(), then.trim()]);
    }
    expected.retain(|line| !line.is_empty());
    let screen = screen_of(chess, state, &typed);
    let is_board =
        |line: &&str| line.is_empty() || line.starts_with(' ') || line.ends_with(" to move.");
    let lines: Vec<&str> = screen.lines().filter(|line| !is_board(line)).collect();
    let is_as_expected = |(line, expected): (&&str, &&str)| match expected.strip_suffix('…') {
        Some(start) => line.starts_with(start),
        None => line == expected,
    };
    let matches = lines.len() == expected.len() && lines.iter().zip(&expected).all(is_as_expected);
    assert!(
        matches,
        "expected:\n{}\nfound:\n{}",
        expected.join("\n"),
        lines.join("\n")
    );
}
