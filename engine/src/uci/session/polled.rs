//! A session without threads: a search begins when a line has been executed, and polls for further
//! ones.

use std::cell::RefCell;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use common::input::{InputError, LineReader, stdin_is_ready};
use service::background::{run_pending, set_poll};

use super::Session;
use super::task::Needed;
use crate::uci::command::UciCommand;

struct Polled<W, R> {
    session: Session<W>,
    input: LineReader<R>,
    /// Input that has to wait for the end of the work.
    held: Option<Result<Option<String>, InputError>>,
}

impl<W: Write + Send + 'static> Session<W> {
    /// Executes lines until `quit`, the end of the input, or until the output is closed. Fails only
    /// if the input cannot be read. The input must be standard input.
    pub fn run(self, input: impl BufRead + 'static) -> Result<(), InputError> {
        let polled = Rc::new(RefCell::new(Polled {
            session: self,
            input: LineReader::new(input),
            held: None,
        }));
        let poll = Rc::clone(&polled);
        set_poll(move |longest| match poll.try_borrow_mut() {
            Ok(mut polled) => polled.poll(longest),
            // A command waits for the end of the work.
            Err(_) => thread::sleep(longest),
        });
        let mut flow = Ok(ControlFlow::Continue(()));
        while let Ok(ControlFlow::Continue(())) = flow {
            run_pending();
            flow = polled.borrow_mut().step();
        }
        polled.borrow_mut().session.stop_and_wait();
        flow.map(drop)
    }

    /// True if input cannot be handled before the end of the task, which is stopped if necessary.
    fn waits_before(&mut self, input: &Result<Option<String>, InputError>) -> bool {
        let needed = match input {
            Ok(Some(line)) => match UciCommand::parse(line) {
                Ok(Some(command)) => self.needed_by(&command),
                _ => Needed::Nothing,
            },
            Ok(None) if self.task.is_endless() => Needed::Stop,
            Ok(None) => Needed::End,
            Err(InputError::Read(_)) => Needed::Stop,
            Err(_) => Needed::Nothing,
        };
        if matches!(needed, Needed::Stop) {
            self.stop();
        }
        !matches!(needed, Needed::Nothing)
    }
}

impl<W: Write + Send + 'static, R: BufRead> Polled<W, R> {
    fn step(&mut self) -> Result<ControlFlow<()>, InputError> {
        let input = self.held.take();
        let input = input.unwrap_or_else(|| self.input.next_line());
        self.session.handle_input(input)
    }

    /// Executes the lines that arrive until there is one that has to wait.
    fn poll(&mut self, mut longest: Duration) {
        if self.held.is_some() {
            return thread::sleep(longest);
        }
        while self.input.has_more() || stdin_is_ready(longest) {
            longest = Duration::ZERO;
            let input = self.input.next_line();
            if self.session.waits_before(&input) {
                self.held = Some(input);
                return;
            }
            // Neither the end of the input nor an error, which have to wait.
            let _ = self.session.handle_input(input);
        }
    }
}
