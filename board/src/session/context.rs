//! What the modes of a page share: its engine with its one search, the library, and the page itself.

use std::sync::mpsc::Sender;

use game::library::Library;
use game::profile::{Names, Profile};
use service::Engine;

use super::annotator::Annotator;
use super::task::{Search, Tasks};
use super::{Event, Input};

pub(crate) struct Context {
    pub(crate) search: Search,
    pub(crate) library: Library,
    /// The reason for which the browser does not keep the games of the static page, if it does not.
    pub(crate) unkept: Option<String>,
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
            unkept: None,
            names: profile.names,
            annotator: Annotator::default(),
            search: Search {
                engine,
                tasks: Tasks::new(inputs),
            },
            library,
            page: Page {
                send_event,
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
    /// It no longer accepts events.
    pub(super) gone: bool,
}

impl Page {
    /// Sends an event, waiting for its turn.
    pub(crate) fn send(&mut self, event: impl Into<Event>) {
        let message = serde_json::to_string(&event.into());
        self.gone |= !message.is_ok_and(&mut self.send_event);
    }
}
