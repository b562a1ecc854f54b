//! The output of a search in UCI: `info` lines and `bestmove`.

use std::fmt::{Display, Write as _};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use movegen::{Move, Variant};
use search::{Chances, Info, Observer, SearchResult};
use service::strength::{Chooser, choice};

use crate::output::printer::Printer;
use crate::output::score::{UciBound, UciScore};

/// `currmove` is printed only after this time: before, it changes too fast to be read.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// Prints one search. Prints a `bestmove` even if the search panics.
#[derive(Debug)]
pub(crate) struct UciObserver<W: Write + Send> {
    pub(crate) printer: Printer<W>,
    pub(crate) notation: Variant,
    pub(crate) show_wdl: bool,
    /// The number of lines to print; more may be searched.
    pub(crate) lines: usize,
    pub(crate) started: Instant,
    /// Set just before `bestmove` is printed.
    pub(crate) answered: Arc<AtomicBool>,
    /// Chooses the move at limited strength.
    pub(crate) chooser: Option<Chooser>,
    /// Some legal move, printed if the search panics.
    pub(crate) fallback: Option<Move>,
}

impl<W: Write + Send> UciObserver<W> {
    /// Prints an arbitrary legal move where a search has failed.
    pub(crate) fn fail(&self, error: impl Display) {
        self.printer
            .error(format_args!("{error}; playing an arbitrary legal move"));
        self.best_move(self.fallback, None);
    }

    fn best_move(&self, best: Option<Move>, ponder: Option<Move>) {
        self.answered.store(true, Ordering::Release);
        let mv = |mv: Move| mv.uci(self.notation);
        self.printer.line_or_exit(match (best, ponder) {
            (Some(best), Some(ponder)) => format!("bestmove {} ponder {}", mv(best), mv(ponder)),
            (Some(best), None) => format!("bestmove {}", mv(best)),
            (None, _) => "bestmove (none)".to_owned(),
        });
    }
}

impl<W: Write + Send> Observer for UciObserver<W> {
    fn info(&mut self, info: &Info) {
        if info.line <= self.lines {
            let line = info_line(info, self.notation, self.show_wdl);
            self.printer.line_or_exit(line);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        if self.started.elapsed() >= CURRENT_MOVE_AFTER {
            let mv = mv.uci(self.notation);
            self.printer.line_or_exit(format_args!(
                "info depth {depth} currmove {mv} currmovenumber {number}"
            ));
        }
    }

    fn no_mate(&mut self, moves: u32) {
        let noun = if moves == 1 { "move" } else { "moves" };
        self.printer.line_or_exit(format_args!(
            "info string no mate in {moves} {noun}, for or against"
        ));
    }

    fn result(&mut self, result: &SearchResult) {
        let (best, ponder, chosen) = choice(self.chooser, result);
        if let Some(line) = chosen
            && self.lines == 1
            && best != result.best_move
        {
            // The last line printed starts with the move that is played.
            self.info(&Info {
                line: 1,
                depth: line.depth.max(result.depth),
                nodes: result.nodes,
                time: result.time,
                ..line.clone()
            });
        }
        self.best_move(best, ponder);
    }
}

impl<W: Write + Send> Drop for UciObserver<W> {
    fn drop(&mut self) {
        if thread::panicking() && !self.answered.load(Ordering::Acquire) {
            self.fail("the search failed with an internal error");
        }
    }
}

fn info_line(info: &Info, notation: Variant, show_wdl: bool) -> String {
    let wdl = match (show_wdl, info.chances) {
        (true, Chances { win, draw, loss }) => format!(" wdl {win} {draw} {loss}"),
        (false, _) => String::new(),
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{}{} nodes {} nps {} hashfull {} tbhits {} \
         time {}",
        info.depth,
        info.selective_depth,
        info.line,
        UciScore::of(info),
        UciBound::of(info.bound).map_or("", UciBound::text),
        wdl,
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

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Instant;

    use movegen::{Move, Position, Variant};
    use search::Observer;

    use super::{CURRENT_MOVE_AFTER, UciObserver};
    use crate::output::printer::Printer;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Output {
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            text.lines().map(str::to_owned).collect()
        }
    }

    fn mv(text: &str) -> Move {
        Position::default().move_from_uci(text).unwrap()
    }

    fn observer(answered: bool) -> (UciObserver<Output>, Output) {
        let output = Output::default();
        let observer = UciObserver {
            printer: Printer::new(output.clone()),
            notation: Variant::Standard,
            show_wdl: false,
            lines: 1,
            started: Instant::now(),
            answered: Arc::new(AtomicBool::new(answered)),
            chooser: None,
            fallback: Some(mv("e2e4")),
        };
        (observer, output)
    }

    /// The output when an observer is dropped, with or without a panic.
    fn output_of_drop(panics: bool, answered: bool) -> Vec<String> {
        let (observer, output) = observer(answered);
        let thread = thread::spawn(move || {
            let observer = observer;
            assert!(!panics, "a panic in the search");
            observer.answered.load(Ordering::Relaxed)
        });
        assert_eq!(thread.join().is_err(), panics);
        output.lines()
    }

    #[test]
    fn a_search_that_panics_still_prints_one_bestmove() {
        let lines = output_of_drop(true, false);
        let [error, best] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert!(error.starts_with("info string error: "));
        assert_eq!(best, "bestmove e2e4");
        assert_eq!(output_of_drop(true, true), [""; 0]);
        assert_eq!(output_of_drop(false, false), [""; 0]);
    }

    #[test]
    fn the_current_move_is_printed_after_three_seconds() {
        let (mut observer, output) = observer(true);
        observer.current_move(7, mv("e2e4"), 1);
        assert_eq!(output.lines(), [""; 0]);
        observer.started -= CURRENT_MOVE_AFTER;
        observer.current_move(7, mv("g1f3"), 3);
        let expected = ["info depth 7 currmove g1f3 currmovenumber 3"];
        assert_eq!(output.lines(), expected);
    }
}
