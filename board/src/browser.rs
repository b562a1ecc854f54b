//! The files that the browser keeps for the static page, of which another tab may keep other
//! versions.

use std::path::Path;

use common::files::FileError;
use game::library::{Entry, GameId, Kept, Library, of_file};
use game::profile::{self, Profile};

use crate::messages::browser::Request;

/// Handles a request; returns the game that has another name now, with its new one.
pub(crate) fn handle(
    request: Request,
    library: &Library,
    unkept: &mut Option<String>,
) -> Result<Option<(GameId, GameId)>, FileError> {
    match request {
        Request::Unkept { error } => {
            *unkept = error.map(|error| {
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
