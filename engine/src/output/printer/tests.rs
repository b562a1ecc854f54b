//! The printer and its log, with outputs that can be inspected or that break.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use test_common::TempDir;

use super::Printer;

/// Shows what was flushed, and breaks when more than `capacity` bytes are written.
#[derive(Clone)]
struct Output {
    pending: Vec<u8>,
    flushed: Arc<Mutex<Vec<u8>>>,
    capacity: usize,
    error: ErrorKind,
}

impl Output {
    fn new(capacity: usize) -> Self {
        Self {
            pending: Vec::new(),
            flushed: Arc::default(),
            capacity,
            error: ErrorKind::BrokenPipe,
        }
    }

    fn text(&self) -> String {
        String::from_utf8(self.flushed.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.capacity {
            return Err(self.error.into());
        }
        self.capacity -= bytes.len();
        self.pending.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed.lock().unwrap().append(&mut self.pending);
        Ok(())
    }
}

fn printer() -> (Output, Printer<Output>) {
    let output = Output::new(usize::MAX);
    (output.clone(), Printer::new(output))
}

fn log_lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn each_call_is_flushed() {
    let (output, printer) = printer();
    printer.line("uciok");
    assert_eq!(output.text(), "uciok\n");
    printer.lines(["a", "b"]);
    assert_eq!(output.text(), "uciok\na\nb\n");
    printer.error("no such thing");
    assert!(
        output
            .text()
            .ends_with("info string error: no such thing\n")
    );
    assert!(!printer.is_closed());
}

#[test]
fn lines_of_one_call_stay_together() {
    const BATCHES: usize = 200;
    let (output, printer) = printer();
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
    let text = output.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3 * 3 * BATCHES);
    for batch in lines.chunks(3) {
        assert!(batch.iter().all(|line| *line == batch[0]), "{batch:?}");
    }
}

#[test]
fn only_an_output_that_its_reader_has_closed_is_no_failure() {
    for (kind, failed) in [
        (ErrorKind::BrokenPipe, false),
        (ErrorKind::StorageFull, true),
    ] {
        let printer = Printer::new(Output {
            error: kind,
            ..Output::new(0)
        });
        printer.line("uciok");
        assert_eq!((printer.is_closed(), printer.has_failed()), (true, failed));
    }
}

#[test]
fn all_handles_notice_a_closed_output_and_write_nothing_more() {
    let output = Output::new(6);
    let printer = Printer::new(output.clone());
    let other = printer.clone();
    printer.line("uciok");
    assert!(!other.is_closed());
    printer.line("readyok");
    assert!(printer.is_closed() && other.is_closed());
    other.line("x");
    other.log_input("quit");
    assert_eq!(output.text(), "uciok\n");
}

#[test]
fn a_log_is_appended_to_an_older_one_and_to_an_empty_file() {
    let folder = TempDir::new("log append");
    for older in ["", "# Castellan 0.0.1; opened\nyesterday\n"] {
        let log = folder.write("a.log", older);
        let (_, printer) = printer();
        printer.log_to(Some(Path::new(&log))).unwrap();
        printer.line("today");
        let text = fs::read_to_string(log).unwrap();
        let added = text.strip_prefix(older).unwrap();
        let lines: Vec<&str> = added.lines().collect();
        assert!(lines[0].starts_with("# Castellan"), "{text}");
        assert!(lines[1].ends_with("<< today"), "{text}");
    }
}

#[test]
fn no_other_file_is_written() {
    let folder = TempDir::new("log elsewhere");
    for text in ["[Event \"?\"]\n", "#", "# Castellani wrote this\n"] {
        let file = folder.write("a.log", text);
        let (_, printer) = printer();
        let error = printer.log_to(Some(Path::new(&file))).unwrap_err();
        assert!(error.to_string().contains("not a debug log"), "{error}");
        printer.line("today");
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
}

#[test]
fn the_previous_log_is_kept_if_the_new_one_cannot_be_opened() {
    let folder = TempDir::new("log kept");
    let log = folder.path("a.log");
    let (_, printer) = printer();
    printer.log_to(Some(Path::new(&log))).unwrap();
    let error = printer.log_to(Some(folder.directory())).unwrap_err();
    assert!(error.to_string().contains("cannot open"), "{error}");
    printer.line("logged");
    assert!(log_lines(&log).last().unwrap().ends_with("<< logged"));
}

/// `/dev/full`, which accepts no bytes, stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_not_opened() {
    let (output, printer) = printer();
    let error = printer.log_to(Some(Path::new("/dev/full"))).unwrap_err();
    assert!(error.to_string().contains("/dev/full"), "{error}");
    printer.line("uciok");
    assert_eq!(output.text(), "uciok\n");
    assert!(!printer.is_closed());
}

/// A pipe without a reader stands in for a disk that fills up.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_breaks_is_closed_with_an_error_and_output_continues() {
    use std::os::fd::AsRawFd;

    let (reader, writer) = io::pipe().unwrap();
    let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
    let (output, printer) = printer();
    printer.log_to(Some(Path::new(&path))).unwrap();
    drop((reader, writer));
    printer.line("uciok");
    printer.line("readyok");
    let text = output.text();
    let lines: Vec<&str> = text.lines().collect();
    let ["uciok", error, "readyok"] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert!(error.starts_with("info string error: cannot write the debug log"));
    assert!(!printer.is_closed());
}
