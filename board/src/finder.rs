//! The search of the library by position, whose index is made a little at a time between requests.

use std::time::Duration;

use anyhow::Result;
use formats::notation;
use formats::pgn::Record;
use game::annotation::Heading;
use game::library::{self, GameId};
use movegen::{Position, Variant};

use crate::annotator::read;
use crate::context::{Context, Page};
use crate::illegal::sentence;
use crate::messages::finder::{Event, Found, Part, Request};
use crate::own::OwnSide;

/// The time that may pass until the next request is read.
const TURN: Duration = Duration::from_millis(50);
/// The most games that are listed.
const MAX_GAMES: usize = 200;

/// The search that waits for the index, and the work on that.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    wanted: Option<(Part, Position)>,
    /// True if the index has been compared with the library.
    is_checked: bool,
    /// True if games are still to be read.
    is_reading: bool,
}

impl Finder {
    /// Searches as soon as the index is complete.
    pub(crate) fn handle(&mut self, request: &Request, context: &mut Context) {
        let Request::Find {
            part,
            fen,
            chess960,
        } = request;
        match Position::from_fen(fen, Variant::from_chess960(*chess960)) {
            Ok(position) => {
                self.wanted = Some((*part, position));
                self.is_checked = false;
                self.work(context);
            }
            Err(error) => fail(&error, &mut context.page),
        }
    }

    /// Nothing while games are to be read, without limit otherwise.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        (self.is_reading || !self.is_checked).then_some(Duration::ZERO)
    }

    /// Continues to make the index, and answers the search that waits for it.
    pub(crate) fn work(&mut self, context: &mut Context) {
        if self.time_left().is_none() {
            return;
        }
        if let Err(error) = self.try_work(context) {
            self.wanted = None;
            self.is_reading = false;
            fail(&error, &mut context.page);
        }
    }

    fn try_work(&mut self, context: &mut Context) -> Result<()> {
        let mut positions = context.library.positions();
        if !self.is_checked {
            self.is_checked = true;
            positions.check(&context.library)?;
        }
        let left = positions.read(&context.library, TURN);
        self.is_reading = left > 0;
        let done = positions.known();
        let Some((part, position)) = self.wanted else {
            return Ok(());
        };
        if self.is_reading {
            drop(positions);
            let total = done + left;
            context.page.send(Event::Indexing { done, total });
            return Ok(());
        }
        self.wanted = None;
        let found = positions.find(part.into(), &position);
        drop(positions);
        let count = found.len();
        let games = found.into_iter().take(MAX_GAMES);
        let games = games.filter_map(|(id, ply)| Found::new(id, ply, context));
        let games = games.collect();
        context.page.send(Event::Found { part, count, games });
        Ok(())
    }
}

impl From<Part> for library::Part {
    fn from(part: Part) -> Self {
        match part {
            Part::Position => Self::All,
            Part::Pawns => Self::Pawns,
            Part::Material => Self::Material,
        }
    }
}

impl Found {
    fn new(id: GameId, ply: usize, context: &Context) -> Option<Self> {
        let record = read(&context.library, &id)?;
        Some(Self {
            id,
            ply,
            heading: Heading::new(&record),
            own: OwnSide::new(&record, &context.names),
            next: next_move(&record, ply),
        })
    }
}

/// The move after some others, with its number.
fn next_move(record: &Record, ply: usize) -> Option<String> {
    let (position, mv) = notation::legal_moves(&record.start, record.moves()).nth(ply)?;
    let number = notation::move_number(&position);
    Some(format!("{number} {}", position.san(mv)))
}

fn fail(error: &impl ToString, page: &mut Page) {
    page.send(Event::Failed {
        text: sentence(error),
    });
}
