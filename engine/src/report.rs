//! What a search finds, as lines on the wire.

use std::fmt::Write as _;
use std::io::Write;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use movegen::{Move, Variant};
use search::{Best, Bound, Info, Report};

use crate::printer::Printer;

/// Before this, which move is being looked at is no news: it changes too fast to be read.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// The listener of one search.
#[derive(Debug)]
pub(crate) struct WireReport<W> {
    printer: Printer<W>,
    notation: Variant,
    show_wdl: bool,
    started: Instant,
    answered: Arc<AtomicBool>,
}

impl<W: Write + Send> WireReport<W> {
    /// `answered` is set just before the best move is told.
    pub(crate) fn new(
        printer: Printer<W>,
        notation: Variant,
        show_wdl: bool,
        started: Instant,
        answered: Arc<AtomicBool>,
    ) -> WireReport<W> {
        WireReport {
            printer,
            notation,
            show_wdl,
            started,
            answered,
        }
    }

    fn say(&self, line: &str) {
        self.printer.line(line);
        if self.printer.is_closed() {
            // The session sleeps on an input that may never end, and nobody hears us.
            process::exit(0);
        }
    }
}

impl<W: Write + Send> Report for WireReport<W> {
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

    fn best(&mut self, best: Best) {
        self.answered.store(true, Ordering::Release);
        self.say(&best_line(best, self.notation));
    }
}

fn info_line(info: &Info, notation: Variant, show_wdl: bool) -> String {
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{}{} nodes {} nps {} hashfull {} tbhits {} \
         time {}",
        info.depth,
        info.selective_depth,
        info.line,
        score_words(info),
        bound_word(info.bound),
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

fn score_words(info: &Info) -> String {
    match info.score.mate_distance() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", info.centipawns),
    }
}

fn chances_words(info: &Info) -> String {
    let chances = info.chances;
    format!(" wdl {} {} {}", chances.win, chances.draw, chances.loss)
}

fn bound_word(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    }
}

fn best_line(best: Best, notation: Variant) -> String {
    match (best.best, best.ponder) {
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
