//! Any lines as a UCI session: no panic, no hang, and all output is complete lines.
//!
//! Lines that would only cost time or disk space are left out: many threads, large tables, perft,
//! bench and genfens of any depth, log files.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use castellan::output::printer::Printer;
use castellan::uci::session::Session;
use service::OptionTable;

const HASH_MIB: u32 = 4;

/// Longer sessions find nothing more.
const MAX_LINES: usize = 24;

const COSTLY: [&str; 5] = ["threads", "log file", "perft", "bench", "genfens"];

/// Every write, kept for the end: a panic in a search does not make the session panic.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<Vec<u8>>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output {
    /// Checks that every write is complete lines without control characters, and that no search
    /// failed. Returns the text.
    fn checked(&self) -> String {
        let writes = self.0.lock().expect("no panic");
        for bytes in writes.iter() {
            let text = str::from_utf8(bytes).expect("UTF-8");
            assert!(text.ends_with('\n'), "{text:?}");
            let clean = |line: &str| !line.contains(char::is_control);
            assert!(text.lines().all(clean), "{text:?}");
        }
        let output = String::from_utf8_lossy(&writes.concat()).into_owned();
        assert!(!output.contains("internal error"), "{output}");
        output
    }
}

pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines = text.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !COSTLY.iter().any(|word| line.contains(word))
    });
    // In any state it can be stopped, search, and exit.
    let mut input: String = lines
        .take(MAX_LINES)
        .flat_map(|line| [line, "\n"])
        .collect();
    input.push_str("\nstop\ngo nodes 100\nisready\nquit\n");
    let output = Output::default();
    let printer = Printer::new(output.clone());
    let session = Session::new(printer, OptionTable::new(HASH_MIB), Vec::new());
    let session = session.expect("4 MiB of memory");
    session.run(Cursor::new(input)).expect("input from memory");
    let output = output.checked();
    for answer in ["readyok\n", "bestmove "] {
        assert!(text.contains("quit") || output.contains(answer), "{output}");
    }
}
