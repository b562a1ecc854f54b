//! What the modes of a page share: its engine with its one search, the library, and the page itself.

use std::collections::HashMap;
use std::sync::mpsc::Sender;

use game::library::Library;
use game::profile::{Names, Profile};
use serde_json::{Value, json};
use service::Engine;

use super::annotator::Annotator;
use super::changes::changes;
use super::task::{Search, Tasks};
use super::{Event, Input};

pub(crate) struct Context {
    pub(crate) search: Search,
    pub(crate) library: Library,
    /// The user's names.
    pub(crate) names: Names,
    pub(crate) annotator: Annotator,
    pub(crate) page: Page,
}

impl Context {
    pub(crate) fn new(
        engine: Engine,
        library: Library,
        inputs: Sender<Input>,
        send_event: SendEvent,
    ) -> Self {
        // What cannot be read is reported when it is to be changed.
        let profile = Profile::read(&library).unwrap_or_default();
        Self {
            names: profile.names,
            annotator: Annotator::default(),
            search: Search {
                engine,
                tasks: Tasks::new(inputs),
            },
            library,
            page: Page {
                send_event,
                states: HashMap::new(),
                gone: false,
            },
        }
    }
}

/// Sends an event to the page; false if it accepts no more.
pub(crate) type SendEvent = Box<dyn FnMut(String) -> bool + Send>;

/// The page in the browser, to which events are sent.
pub(crate) struct Page {
    send_event: SendEvent,
    /// The state of each mode that the page has.
    states: HashMap<String, Value>,
    /// It no longer accepts events.
    pub(super) gone: bool,
}

impl Page {
    /// Sends an event, waiting for its turn; of the state of a game only what has changed.
    pub(crate) fn send(&mut self, event: impl Into<Event>) {
        let sent = match serde_json::to_value(event.into()) {
            Ok(message) => {
                let message = self.without_what_is_known(message);
                (self.send_event)(message.to_string())
            }
            Err(_) => false,
        };
        self.gone |= !sent;
    }

    fn without_what_is_known(&mut self, message: Value) -> Value {
        let Some((mode, event)) = message.get("mode").zip(message.get("event")) else {
            return message;
        };
        if event.get("type").is_none_or(|kind| kind != "game") {
            return message;
        }
        let before = self.states.insert(mode.to_string(), event.clone());
        match before {
            Some(before) => json!({"mode": mode, "changes": changes(&before, event)}),
            None => message,
        }
    }
}
