//! A status line while the program works, and what the user types meanwhile.

#[cfg_attr(windows, path = "watch/windows.rs")]
#[cfg_attr(unix, path = "watch/unix.rs")]
#[cfg_attr(target_family = "wasm", path = "watch/none.rs")]
mod keyboard;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::Work;
use keyboard::Keyboard;

/// The interval between refreshes of the status, in milliseconds.
const TICK: u8 = 50;

/// The input typed during the work.
#[derive(Debug, Default)]
pub(super) struct Typed {
    /// Lines that do not stop the work.
    pub(super) complete: Vec<String>,
    pub(super) rest: String,
    /// Ctrl-C, Ctrl-D or a closed terminal.
    pub(super) ended: bool,
}

/// Does the work while another thread shows its status and reads the keys.
pub(super) fn watch<T>(width: usize, work: &impl Work, run: impl FnOnce() -> T) -> (T, Typed) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = thread::Builder::new().spawn_scoped(scope, || watch_keys(width, work, &done));
        let result = run();
        done.store(true, Ordering::Relaxed);
        // Without a watcher nothing was typed.
        let typed = watcher.ok().and_then(|watcher| watcher.join().ok());
        (result, typed.unwrap_or_default())
    })
}

fn watch_keys(width: usize, work: &impl Work, done: &AtomicBool) -> Typed {
    let mut typed = Typed::default();
    let Some(keyboard) = Keyboard::enter() else {
        return typed;
    };
    let mut line = StatusLine::default();
    while !done.load(Ordering::Relaxed) {
        match keyboard.read() {
            Ok(keys) => take(&keys, &mut typed, work),
            Err(_) => {
                typed.ended = true;
                work.stop();
                break;
            }
        }
        // In the last column the cursor would wrap.
        line.show(fit(&work.status(), width.saturating_sub(1)));
    }
    typed
}

/// Takes the keys that arrived: lines, corrections, and the keys that end the input.
fn take(keys: &str, typed: &mut Typed, work: &impl Work) {
    const INTERRUPT: char = '\u{3}';
    const END: char = '\u{4}';
    let mut keys = keys.chars().peekable();
    while let Some(key) = keys.next() {
        match key {
            '\r' | '\n' => {
                let line = std::mem::take(&mut typed.rest);
                match line.trim() {
                    "" | "go" => work.stop(),
                    "quit" | "exit" => {
                        work.stop();
                        typed.complete.push(line);
                    }
                    _ => typed.complete.push(line),
                }
            }
            '\u{8}' | '\u{7f}' => {
                typed.rest.pop();
            }
            INTERRUPT | END => {
                typed.ended = true;
                work.stop();
            }
            // An arrow or function key, such as ESC [ A: nothing to edit here.
            '\u{1b}' => {
                if keys.next_if(|key| matches!(key, '[' | 'O')).is_some() {
                    let is_final = |key: char| ('@'..='~').contains(&key);
                    while keys.next().is_some_and(|key| !is_final(key)) {}
                }
            }
            key if key.is_control() => {}
            key => typed.rest.push(key),
        }
    }
}

/// The words of a text that fit, without a move number at the end.
fn fit(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let start: String = text.chars().take(width).collect();
    // The last word may be incomplete.
    let words = start.rsplit_once(' ').map_or("", |(words, _)| words);
    let complete = words.trim_end_matches(|letter: char| letter == '.' || letter.is_ascii_digit());
    if complete.ends_with(' ') {
        complete.trim_end().to_owned()
    } else {
        words.to_owned()
    }
}

/// The status on the cursor's line; cleared when dropped.
#[derive(Default)]
struct StatusLine(String);

impl StatusLine {
    fn show(&mut self, status: String) {
        if self.0 != status {
            print(&format!("\r{status}\u{1b}[K"));
            self.0 = status;
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            print("\r\u{1b}[K");
        }
    }
}

fn print(text: &str) {
    let mut output = io::stdout();
    // The next real output notices that the terminal has gone.
    let _ = output.write_all(text.as_bytes());
    let _ = output.flush();
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{Typed, Work, fit, take};

    /// Counts how often it is stopped.
    #[derive(Default)]
    struct Stops(AtomicU32);

    impl Work for Stops {
        fn status(&self) -> String {
            String::new()
        }

        fn stop(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn keys_that_arrive_together() {
        for (keys, complete, rest, ended, stops) in [
            ("e5\rd", &["e5"][..], "d", false, 0),
            ("e6\u{7f}5\r\r", &["e5"], "", false, 1),
            ("go\rquit\r", &["quit"], "", false, 2),
            // Arrow, function and delete keys are ignored, what follows them is not.
            ("\u{1b}[Ae5\r\u{1b}OP\u{1b}[3~\r", &["e5"], "", false, 1),
            ("\u{1b}[1;5C\u{3}", &[], "", true, 1),
        ] {
            let (mut typed, work) = (Typed::default(), Stops::default());
            take(keys, &mut typed, &work);
            assert_eq!(typed.complete, complete, "{keys:?}");
            assert_eq!(
                (typed.rest.as_str(), typed.ended),
                (rest, ended),
                "{keys:?}"
            );
            assert_eq!(work.0.into_inner(), stops, "{keys:?}");
        }
    }

    #[test]
    fn a_status_is_cut_between_moves() {
        let text = "depth 9  +0.31  0:04 left  12. Nf3 Nc6 13. Bb5";
        assert_eq!(fit(text, 80), text);
        assert_eq!(fit(text, 45), "depth 9  +0.31  0:04 left  12. Nf3 Nc6");
        assert_eq!(fit(text, 39), "depth 9  +0.31  0:04 left  12. Nf3 Nc6");
        assert_eq!(fit(text, 37), "depth 9  +0.31  0:04 left  12. Nf3");
        assert_eq!(fit(text, 30), "depth 9  +0.31  0:04 left");
        assert_eq!(fit(text, 12), "depth 9");
    }
}
