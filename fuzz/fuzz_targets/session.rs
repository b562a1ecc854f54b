//! Whole sessions: any lines, with real searches behind them. Nothing may panic or hang, and
//! every answer is whole lines.
//!
//! Left out are lines that would only cost time or disk: many threads, large tables, counts
//! and benches of any depth, log files.

#![no_main]

use std::io::{self, Cursor, Write};

use castellan::uci::options::OptionTable;
use castellan::output::printer::Printer;
use castellan::uci::session::Session;
use libfuzzer_sys::fuzz_target;

const HASH_MIB: u32 = 4;

/// A session that is longer tells nothing more.
const MOST_LINES: usize = 24;

const COSTLY: [&str; 4] = ["threads", "log file", "perft", "bench"];

/// Every answer comes as whole lines without a control character in them.
struct Wire;

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).expect("answers are text");
        assert!(text.ends_with('\n'), "{text:?}");
        let clean = |line: &str| !line.contains(char::is_control);
        assert!(text.lines().all(clean), "{text:?}");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let lines = text.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !COSTLY.iter().any(|word| line.contains(word))
    });
    // However it was left, it can be stopped, asked for a move, and sent away.
    let mut input: String = lines
        .take(MOST_LINES)
        .flat_map(|line| [line, "\n"])
        .collect();
    input.push_str("\nstop\ngo nodes 100\nisready\nquit\n");
    let printer = Printer::new(Wire);
    let session = Session::new(printer, OptionTable::new(HASH_MIB)).expect("4 MiB can be had");
    session
        .run(Cursor::new(input))
        .expect("memory can always be read");
});
