//! The messages of the static page about the files that the browser keeps.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The browser has not kept a change of a file, which another tab had changed before. The
    /// library has the text of that tab.
    Refused {
        name: String,
        before: Option<String>,
        /// None for a file that was deleted.
        after: Option<String>,
    },
    /// The reason for which the browser keeps nothing; none if it does again.
    Unkept { error: Option<String> },
}
