//! The session of a page in WebAssembly, which has one thread: a task runs after the request that
//! started it, and while it runs, its search polls for the next requests.
//!
//! Requests are lines of standard input, events those of standard output.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use common::input::stdin_is_ready;
use game::library::Library;
use service::background::{run_pending, set_poll};
use service::{Engine, OptionTable};

use crate::annotator::Annotator;
use crate::context::Context;
use crate::report::Input;
use crate::session::Session;

/// The size of the hash table in MB.
const HASH: u32 = 32;
/// The folder that the page keeps.
const GAMES: &str = "/games";
/// The longest time between two calls; the caller of `serve` knows when a request arrives.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

struct Page {
    session: Session,
    /// Reports of the running task.
    reports: Receiver<Input>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::new(Page::new());
}

/// Handles what has arrived, and runs the tasks that this starts. Returns how many milliseconds the
/// caller may wait for a request until it calls again.
#[unsafe(no_mangle)]
pub extern "C" fn serve() -> u32 {
    poll(Duration::ZERO);
    while run_pending() {
        poll(Duration::ZERO);
    }
    let wait = PAGE.with_borrow(Page::time_left).as_micros().div_ceil(1000);
    u32::try_from(wait).unwrap_or(u32::MAX)
}

/// Handles what has arrived, after waiting at most this long.
fn poll(longest: Duration) {
    PAGE.with_borrow_mut(|page| {
        page.handle_inputs();
        if !longest.is_zero() {
            // If nothing arrives, something may be due.
            let _ = stdin_is_ready(longest.min(page.time_left()));
            page.handle_inputs();
        }
    });
}

impl Page {
    fn new() -> Self {
        set_poll(poll);
        let mut engine = Engine::new(OptionTable::default());
        // Within the option's range.
        let _ = engine.set("Hash", HASH);
        let (sender, reports) = channel();
        let send = |event| writeln!(io::stdout(), "{event}").is_ok();
        let annotator = Annotator::new(Library::at(GAMES.into()), engine.builder());
        let mut session = Session::new(Context::new(engine, annotator, sender, Box::new(send)));
        session.greet();
        Self { session, reports }
    }

    fn handle_inputs(&mut self) {
        loop {
            match self.reports.try_recv() {
                Ok(Input::Task(id, report)) => self.session.handle_task(id, report),
                Ok(Input::Annotator(report)) => self.session.handle_annotator(report),
                Err(_) => match request() {
                    Some(line) => self.session.handle_request(&line),
                    None => break,
                },
            }
        }
        self.session.time_out();
    }

    fn time_left(&self) -> Duration {
        let left = self.session.time_left();
        left.map_or(LONGEST_WAIT, |left| left.min(LONGEST_WAIT))
    }
}

fn request() -> Option<String> {
    if !stdin_is_ready(Duration::ZERO) {
        return None;
    }
    let mut line = String::new();
    let length = io::stdin().read_line(&mut line).ok()?;
    (length > 0).then_some(line)
}
