//! Keys from a Windows console.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// Keys arrive one by one, without echo, and Ctrl-C is a key. Left when dropped.
pub(super) struct Keyboard(());

impl Keyboard {
    /// `None` if this is not a console: other terminals are pipes to a Windows program.
    pub(super) fn enter() -> Option<Keyboard> {
        enable_raw_mode().ok()?;
        Some(Keyboard(()))
    }

    /// The keys pressed by now, as a terminal sends them; waits for the first one, but not for
    /// long. Fails if there can be no more.
    pub(super) fn read(&self) -> io::Result<String> {
        let mut keys = String::new();
        let mut wait = Duration::from_millis(super::TICK.into());
        while event::poll(wait)? {
            if let Event::Key(key) = event::read()? {
                keys.extend(character(key));
            }
            wait = Duration::ZERO;
        }
        Ok(keys)
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// The character a terminal sends for a key, unless it is of no use here, as arrows are.
fn character(key: KeyEvent) -> Option<char> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    // Together they are AltGr.
    let control = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Enter => Some('\r'),
        KeyCode::Backspace => Some('\u{8}'),
        KeyCode::Char('c') if control == KeyModifiers::CONTROL => Some('\u{3}'),
        KeyCode::Char('d') if control == KeyModifiers::CONTROL => Some('\u{4}'),
        KeyCode::Char(letter) if control != KeyModifiers::CONTROL => Some(letter),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::character;
    use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

    #[test]
    fn keys_as_a_terminal_sends_them() {
        let none = KeyModifiers::NONE;
        let control = KeyModifiers::CONTROL;
        for (code, modifiers, expected) in [
            (KeyCode::Char('e'), none, Some('e')),
            (KeyCode::Char('N'), KeyModifiers::SHIFT, Some('N')),
            (KeyCode::Char('@'), control | KeyModifiers::ALT, Some('@')),
            (KeyCode::Char('c'), control, Some('\u{3}')),
            (KeyCode::Char('d'), control, Some('\u{4}')),
            (KeyCode::Char('a'), control, None),
            (KeyCode::Enter, none, Some('\r')),
            (KeyCode::Backspace, none, Some('\u{8}')),
            (KeyCode::Up, none, None),
        ] {
            let mut key = KeyEvent::new(code, modifiers);
            assert_eq!(character(key), expected, "{key:?}");
            key.kind = KeyEventKind::Release;
            assert_eq!(character(key), None, "{key:?}");
        }
    }
}
