//! What a search finds, as lines on the wire.

use std::fmt::Write as _;
use std::io::Write;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use movegen::{Move, Variant};
use search::{Info, Observer};

use crate::output::json::{JsonBound, JsonScore};
use crate::output::printer::Printer;

/// Before this, which move is being looked at is no news: it changes too fast to be read.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// The listener of one search. Should the search break down, it answers in its place.
#[derive(Debug)]
pub(crate) struct WireReport<W: Write + Send> {
    printer: Printer<W>,
    notation: Variant,
    show_wdl: bool,
    started: Instant,
    answered: Arc<AtomicBool>,
    /// Some legal move, for want of a better one.
    any_move: Option<Move>,
}

impl<W: Write + Send> WireReport<W> {
    /// `answered` is set just before the best move is told; `any_move` is told only in need.
    pub(crate) fn new(
        printer: Printer<W>,
        notation: Variant,
        show_wdl: bool,
        started: Instant,
        answered: Arc<AtomicBool>,
        any_move: Option<Move>,
    ) -> WireReport<W> {
        WireReport {
            printer,
            notation,
            show_wdl,
            started,
            answered,
            any_move,
        }
    }

    /// The end of a search.
    pub(crate) fn best(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.answered.store(true, Ordering::Release);
        self.say(&best_line(best, ponder, self.notation));
    }

    fn say(&self, line: &str) {
        self.printer.line(line);
        if self.printer.is_closed() {
            // The session sleeps on an input that may never end, and nobody hears us.
            process::exit(0);
        }
    }
}

impl<W: Write + Send> Observer for WireReport<W> {
    fn info(&mut self, info: &Info) {
        self.say(&info_line(info, self.notation, self.show_wdl));
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        if self.started.elapsed() >= CURRENT_MOVE_AFTER {
            let mv = mv.uci(self.notation);
            self.say(&format!(
                "info depth {depth} currmove {mv} currmovenumber {number}"
            ));
        }
    }

    fn no_mate(&mut self, moves: u32) {
        let noun = if moves == 1 { "move" } else { "moves" };
        self.say(&format!(
            "info string no mate in {moves} {noun}, for or against"
        ));
    }
}

impl<W: Write + Send> Drop for WireReport<W> {
    fn drop(&mut self) {
        if thread::panicking() && !self.answered.load(Ordering::Acquire) {
            self.printer
                .error("the search broke down; this is just some legal move");
            self.best(self.any_move, None);
        }
    }
}

fn info_line(info: &Info, notation: Variant, show_wdl: bool) -> String {
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{}{} nodes {} nps {} hashfull {} tbhits {} \
         time {}",
        info.depth,
        info.selective_depth,
        info.line,
        JsonScore::of(info),
        JsonBound::of(info.bound).map_or("", JsonBound::uci),
        if show_wdl {
            chances_words(info)
        } else {
            String::new()
        },
        info.nodes,
        info.nodes_per_second(),
        info.hash_full,
        info.tablebase_hits,
        info.time.as_millis(),
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
    }
    for mv in &info.pv {
        // Writing to a string cannot fail.
        let _ = write!(line, " {}", mv.uci(notation));
    }
    line
}

fn chances_words(info: &Info) -> String {
    let chances = info.chances;
    format!(" wdl {} {} {}", chances.win, chances.draw, chances.loss)
}

fn best_line(best: Option<Move>, ponder: Option<Move>, notation: Variant) -> String {
    match (best, ponder) {
        (Some(mv), Some(reply)) => {
            format!(
                "bestmove {} ponder {}",
                mv.uci(notation),
                reply.uci(notation)
            )
        }
        (Some(mv), None) => format!("bestmove {}", mv.uci(notation)),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Instant;

    use movegen::{Position, Variant};

    use super::WireReport;
    use crate::output::printer::Printer;

    #[derive(Clone, Default)]
    struct Wire(Arc<Mutex<Vec<u8>>>);

    impl Write for Wire {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is said when a listener goes, with or without a panic around it.
    fn last_words(panics: bool, answered: bool) -> String {
        let wire = Wire::default();
        let report = WireReport::new(
            Printer::new(wire.clone()),
            Variant::Standard,
            false,
            Instant::now(),
            Arc::new(AtomicBool::new(answered)),
            Position::default().move_from_uci("e2e4").ok(),
        );
        let ended = thread::spawn(move || {
            let report = report;
            assert!(!panics, "as a search might");
            report.answered.load(Ordering::Relaxed)
        });
        assert_eq!(ended.join().is_err(), panics);
        String::from_utf8(wire.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_search_that_breaks_down_still_gives_a_move() {
        let said = last_words(true, false);
        let lines: Vec<&str> = said.lines().collect();
        let [error, best] = lines.as_slice() else {
            panic!("{said}");
        };
        assert!(error.starts_with("info string error: "));
        assert_eq!(*best, "bestmove e2e4");
    }

    #[test]
    fn nothing_is_said_twice_or_without_need() {
        assert_eq!(last_words(true, true), "");
        assert_eq!(last_words(false, false), "");
    }
}
