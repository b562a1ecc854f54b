//! The files that the browser keeps for the static page, of which another tab may keep other versions.

use std::path::Path;

use common::files::FileError;
use game::library::{Entry, GameId, Kept, of_file};
use game::profile::{self, Profile};
use serde::Deserialize;

use super::Context;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The browser has not kept a change of a file, which another tab had changed before. The library has the text of
    /// that tab.
    Refused {
        name: String,
        before: Option<String>,
        /// None for a file that was deleted.
        after: Option<String>,
    },
    /// The reason for which the browser keeps nothing; none if it does again.
    Unkept { error: Option<String> },
}

/// Handles a request; returns the game that has another name now, with its new one.
pub(super) fn handle(
    request: Request,
    context: &mut Context,
) -> Result<Option<(GameId, GameId)>, FileError> {
    let library = &context.library;
    match request {
        Request::Unkept { error } => {
            context.unkept = error.map(|error| {
                format!(
                    "this browser does not keep your games ({error}): they last as long as this page; 'Download all' \
                     under 'Games…' saves them"
                )
            });
        }
        Request::Refused {
            name,
            before,
            after: Some(after),
        } => {
            if name == profile::FILE {
                Profile::merge(library, &before.unwrap_or_default(), &after)?;
            } else if let Some((id, kind)) = of_file(Path::new(&name)) {
                let mut entry = Entry {
                    id: id.clone(),
                    text: before,
                };
                let place = library.keep(&mut entry, kind, &after)?;
                return Ok((place == Kept::Apart).then_some((id, entry.id)));
            }
        }
        // The other tab has what was to be deleted.
        Request::Refused { after: None, .. } => {}
    }
    Ok(None)
}
