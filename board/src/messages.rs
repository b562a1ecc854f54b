//! The messages between a page and its session: JSON. `tests/board/types.rs` makes the page's types
//! from these.

pub(crate) mod analysis;
pub(crate) mod browser;
pub(crate) mod castling;
pub(crate) mod editor;
pub(crate) mod engine;
pub(crate) mod finder;
pub(crate) mod library;
pub(crate) mod openings;
pub(crate) mod play;
pub(crate) mod training;
pub(crate) mod tridim;

use game::profile::Names;
use serde::{Deserialize, Serialize};

/// Enough for the PGN of a long annotated game.
pub(crate) const MAX_REQUEST_BYTES: usize = 4 << 20;

/// The parts of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    Play,
    Analysis,
    Training,
    Openings,
    Castling,
    Tridim,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "mode", content = "request", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The page now shows this mode.
    Show(Mode),
    Play(play::Request),
    Analysis(analysis::Request),
    Training(training::Request),
    Openings(openings::Request),
    Castling(castling::Request),
    Tridim(tridim::Request),
    Editor(editor::Request),
    Finder(finder::Request),
    Engine(engine::Request),
    Library(library::Request),
    Browser(browser::Request),
}

#[derive(Debug, Serialize)]
#[serde(tag = "mode", content = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    Session(SessionEvent),
    Play(play::Event),
    Analysis(analysis::Event),
    Training(training::Event),
    Openings(openings::Event),
    Castling(castling::Event),
    Tridim(tridim::Event),
    Editor(editor::Event),
    Finder(finder::Event),
    Engine(engine::Event),
    Library(library::Event),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum SessionEvent {
    /// The first event of every session.
    Hello {
        program: &'static str,
        /// The settings of the command line.
        engine: engine::Event,
        names: Names,
    },
    /// A message for the user.
    Note { text: String },
    /// The annotation of games in the background; `None` when none waits any more.
    Annotation { running: Option<AnnotatorView> },
}

/// The progress so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct AnnotatorView {
    pub(crate) games: usize,
    pub(crate) of_games: usize,
    pub(crate) positions: usize,
    pub(crate) of_positions: usize,
    /// `None` until it can be told from the speed.
    pub(crate) seconds_left: Option<u64>,
}

macro_rules! variants {
    ($($target:ident::$variant:ident($inner:ty)),* $(,)?) => {
        $(impl From<$inner> for $target {
            fn from(inner: $inner) -> $target {
                $target::$variant(inner)
            }
        })*
    };
}

pub(crate) use variants;

variants! {
    Event::Session(SessionEvent),
    Event::Play(play::Event),
    Event::Analysis(analysis::Event),
    Event::Training(training::Event),
    Event::Openings(openings::Event),
    Event::Castling(castling::Event),
    Event::Tridim(tridim::Event),
    Event::Editor(editor::Event),
    Event::Finder(finder::Event),
    Event::Engine(engine::Event),
    Event::Library(library::Event),
}
