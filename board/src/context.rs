//! The handles that the modes share: the page, its one search, the library, and the user's names in
//! it.

use std::sync::mpsc::Sender;

use game::library::{Entry, GameKind, Kept, Library};
use game::profile::{Names, Profile};
use service::Engine;

use crate::annotator::Annotator;
use crate::illegal::sentence;
use crate::messages::{Event, SessionEvent, library};
use crate::report::Input;
use crate::task::Search;

/// Message when the same game was changed in a way that excludes what is kept here.
pub(crate) const CHANGED_ELSEWHERE: &str = "the game was changed elsewhere: the library keeps that, \
                                            and what is here as a game of its own";

pub(crate) struct Context {
    pub(crate) search: Search,
    pub(crate) library: Library,
    pub(crate) annotator: Annotator,
    /// The user's names.
    pub(crate) names: Names,
    pub(crate) page: Page,
}

impl Context {
    pub(crate) fn new(
        engine: Engine,
        annotator: Annotator,
        inputs: Sender<Input>,
        send_event: SendEvent,
    ) -> Self {
        let library = annotator.library().clone();
        annotator.tell(inputs.clone());
        // What cannot be read is reported when it is to be changed.
        let profile = Profile::read(&library).unwrap_or_default();
        Self {
            names: profile.names,
            search: Search::new(engine, annotator.clone(), inputs),
            library,
            annotator,
            page: Page {
                send_event,
                gone: false,
            },
        }
    }

    /// Takes the names that another page has set; true if there are such.
    pub(crate) fn read_names(&mut self) -> bool {
        // What cannot be read is reported when it is to be changed.
        let Ok(Profile { names, .. }) = Profile::read(&self.library) else {
            return false;
        };
        let is_changed = self.library.folder().is_some() && names != self.names;
        if is_changed {
            self.names.clone_from(&names);
            self.page.send(library::Event::Names { names });
        }
        is_changed
    }

    /// Keeps a game in the library, unless it is kept. A failure leaves what is there, and the next
    /// move tries again.
    pub(crate) fn keep(&mut self, entry: &mut Entry, kind: GameKind, text: &str) {
        if entry.text.as_deref() == Some(text) {
            return;
        }
        match self.library.keep(entry, kind, text) {
            Ok(Kept::Here | Kept::Merged) => {}
            Ok(Kept::Apart) => self.page.note(&CHANGED_ELSEWHERE),
            Err(error) => self.page.note(&error),
        }
    }
}

/// Sends an event to the page; false if it accepts no more.
pub(crate) type SendEvent = Box<dyn FnMut(String) -> bool + Send>;

/// The page in the browser, to which events are sent.
pub(crate) struct Page {
    send_event: SendEvent,
    /// True once it accepts no more events.
    pub(crate) gone: bool,
}

impl Page {
    /// Sends an event, waiting for its turn.
    pub(crate) fn send(&mut self, event: impl Into<Event>) {
        let message = serde_json::to_string(&event.into());
        self.gone |= !message.is_ok_and(&mut self.send_event);
    }

    /// Shows the user a message, as a sentence.
    pub(crate) fn note(&mut self, message: &impl ToString) {
        let text = sentence(message);
        self.send(SessionEvent::Note { text });
    }
}
