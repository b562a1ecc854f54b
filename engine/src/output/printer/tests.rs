//! The printer and its log, with outputs that can be looked into or that break.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use super::Printer;

/// An output that shows what was flushed to it, and breaks after so many bytes.
#[derive(Clone)]
struct Wire {
    pending: Vec<u8>,
    flushed: Arc<Mutex<Vec<u8>>>,
    room: usize,
}

impl Wire {
    fn new(room: usize) -> Wire {
        Wire {
            pending: Vec::new(),
            flushed: Arc::default(),
            room,
        }
    }

    fn text(&self) -> String {
        String::from_utf8(self.flushed.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.room {
            return Err(ErrorKind::BrokenPipe.into());
        }
        self.room -= bytes.len();
        self.pending.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed.lock().unwrap().append(&mut self.pending);
        Ok(())
    }
}

fn printer() -> (Wire, Printer<Wire>) {
    let wire = Wire::new(usize::MAX);
    (wire.clone(), Printer::new(wire))
}

/// A file of its own for each test, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Scratch {
        let name = format!("castellan-{}-{test}.log", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.0).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn each_call_is_out_when_it_returns() {
    let (wire, printer) = printer();
    printer.line("uciok");
    assert_eq!(wire.text(), "uciok\n");
    printer.lines(["a", "b"]);
    assert_eq!(wire.text(), "uciok\na\nb\n");
    printer.error("no such thing");
    assert!(wire.text().ends_with("info string error: no such thing\n"));
    assert!(!printer.is_closed());
}

#[test]
fn lines_of_one_call_stay_together() {
    const BATCHES: usize = 200;
    let (wire, printer) = printer();
    thread::scope(|scope| {
        for name in ["x", "y", "z"] {
            let printer = printer.clone();
            scope.spawn(move || {
                for _ in 0..BATCHES {
                    printer.lines([name; 3]);
                }
            });
        }
    });
    let text = wire.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3 * 3 * BATCHES);
    for batch in lines.chunks(3) {
        assert!(batch.iter().all(|line| *line == batch[0]), "{batch:?}");
    }
}

#[test]
fn a_closed_pipe_is_noticed_by_all_and_nothing_more_is_written() {
    let wire = Wire::new(6);
    let printer = Printer::new(wire.clone());
    let other = printer.clone();
    printer.line("uciok");
    assert!(!other.is_closed());
    printer.line("readyok");
    assert!(printer.is_closed() && other.is_closed());
    other.line("x");
    other.log_input("quit");
    assert_eq!(wire.text(), "uciok\n");
}

#[test]
fn the_log_has_both_directions_in_order_with_times() {
    let file = Scratch::new("order");
    let (_, printer) = printer();
    printer.line("before");
    printer.log_to(Some(&file.0)).unwrap();
    printer.log_input("isready");
    printer.line("readyok");
    printer.log_input("go");
    printer.lines(["info depth 1", "bestmove e2e4"]);
    printer.log_to(None).unwrap();
    printer.line("after");

    let lines = file.lines();
    assert!(lines[0].starts_with("# Castellan"), "{}", lines[0]);
    let mut times = Vec::new();
    let mut said = Vec::new();
    for line in &lines[1..] {
        let (time, rest) = line.trim_start().split_once(' ').unwrap();
        times.push(time.parse::<f64>().unwrap());
        said.push(rest);
    }
    assert_eq!(
        said,
        [
            ">> isready",
            "<< readyok",
            ">> go",
            "<< info depth 1",
            "<< bestmove e2e4"
        ]
    );
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn a_log_goes_behind_what_the_file_holds() {
    let file = Scratch::new("append");
    fs::write(&file.0, "yesterday\n").unwrap();
    let (_, printer) = printer();
    printer.log_to(Some(&file.0)).unwrap();
    printer.line("today");
    let lines = file.lines();
    assert_eq!(lines[0], "yesterday");
    assert!(lines[2].ends_with("<< today"), "{lines:?}");
}

#[test]
fn a_log_that_cannot_be_opened_leaves_the_old_one() {
    let file = Scratch::new("kept");
    let (_, printer) = printer();
    printer.log_to(Some(&file.0)).unwrap();
    let error = printer.log_to(Some(&std::env::temp_dir())).unwrap_err();
    assert!(error.to_string().contains("cannot open"), "{error}");
    printer.line("still here");
    assert!(file.lines().last().unwrap().ends_with("<< still here"));
}

/// A device that takes no byte stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_refused_and_the_wire_goes_on() {
    let (wire, printer) = printer();
    let error = printer
        .log_to(Some(std::path::Path::new("/dev/full")))
        .unwrap_err();
    assert!(error.to_string().contains("/dev/full"), "{error}");
    printer.line("uciok");
    assert_eq!(wire.text(), "uciok\n");
    assert!(!printer.is_closed());
}

/// A pipe whose reader goes away stands in for a disk that fills up.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_breaks_is_closed_with_a_word_and_the_wire_goes_on() {
    use std::os::fd::AsRawFd;

    let (reader, writer) = io::pipe().unwrap();
    let path = PathBuf::from(format!("/proc/self/fd/{}", writer.as_raw_fd()));
    let (wire, printer) = printer();
    printer.log_to(Some(&path)).unwrap();
    drop((reader, writer));
    printer.line("uciok");
    printer.line("readyok");
    let text = wire.text();
    let lines: Vec<&str> = text.lines().collect();
    let ["uciok", complaint, "readyok"] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert!(complaint.starts_with("info string error: cannot write the debug log"));
    assert!(!printer.is_closed());
}
