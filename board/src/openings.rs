//! The mode Openings: the openings of the user's own games, and their repertoire.

use std::collections::HashMap;
use std::io::Cursor;

use anyhow::Result;
use formats::explorer::{Played, Results};
use formats::pgn::Games;
use formats::{notation, openings as names};
use game::deck::Exercise;
use game::library;
use game::own_openings::{CostlyLine, Openings as OwnOpenings};
use game::profile::Profile;
use game::repertoire::{Imported, Repertoire};
use movegen::{Color, Game, Move, Position};
use service::Engine;

use crate::context::Context;
use crate::illegal;
use crate::legal::{self, BoardView, NamedMove, squares};
use crate::messages::analysis::OwnMoveView;
use crate::messages::openings::{
    CostlyView, Departure, Event, KnownMove, Overview, PathMove, PositionView, Request,
};
use crate::own::changed_games;

/// The most lines and games that are listed.
const MAX_LISTED: usize = 50;

#[derive(Debug, Default)]
pub(crate) struct Openings {
    /// The hash of the games that were read last.
    library: Option<u64>,
    own: OwnOpenings,
}

/// The moves of the book in a position, the best first.
pub(crate) fn book_moves(engine: &Engine, position: &Position) -> Vec<Move> {
    let found = engine.book_moves(&Game::new(*position));
    let moves = found.into_iter().flat_map(|found| found.moves);
    let played = moves.filter(|known| known.weight > 0);
    played.map(|known| known.mv).collect()
}

impl Openings {
    /// The page shows this mode: reads the library, which may have other games.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        let done = self.read(context).and_then(|()| self.show(context));
        report(done, context);
    }

    /// Reads the games again, after a change of the names.
    pub(crate) fn forget(&mut self) {
        self.library = None;
    }

    pub(crate) fn handle(&self, request: Request, context: &mut Context) {
        let done = self.try_handle(request, context);
        report(done, context);
    }

    /// Reads the user's games, unless the library is as it was.
    fn read(&mut self, context: &Context) -> Result<()> {
        if let Some(games) = changed_games(&context.library, &mut self.library)? {
            self.own = OwnOpenings::default();
            for (id, pgn) in games {
                if let Some(record) = library::record(&pgn)
                    && let Some(side) = context.names.side(&record)
                {
                    self.own.add(&id, &record, side);
                }
            }
        }
        Ok(())
    }

    fn show(&self, context: &mut Context) -> Result<()> {
        let repertoire = Profile::read(&context.library)?.repertoire;
        let book = |position: &Position| book_moves(&context.search.engine, position);
        let left = self.own.departures(&repertoire, book);
        for color in Color::ALL {
            let overview = self.overview(color, &repertoire, &left);
            context.page.send(Event::Overview(overview));
        }
        Ok(())
    }

    fn overview(&self, color: Color, repertoire: &Repertoire, left: &[Exercise]) -> Overview {
        let mut places: HashMap<(String, Option<Move>), Departure> = HashMap::new();
        let of_color = |exercise: &&Exercise| exercise.position.side_to_move() == color;
        for exercise in left.iter().filter(of_color) {
            let place = (exercise.key(), exercise.played);
            if let Some(known) = places.get_mut(&place) {
                known.games += 1;
            } else if let Some(departure) = Departure::new(exercise) {
                places.insert(place, departure);
            }
        }
        let mut left: Vec<Departure> = places.into_values().collect();
        left.sort_by(|one, other| (other.games, &other.id).cmp(&(one.games, &one.id)));
        left.truncate(MAX_LISTED);
        let costly = self.own.costly_lines(color).into_iter().take(MAX_LISTED);
        Overview {
            color,
            games: self.own.count(color),
            repertoire: repertoire.lines(color).len(),
            costly: costly
                .filter_map(|line| CostlyView::new(color, &line))
                .collect(),
            left,
        }
    }

    fn try_handle(&self, request: Request, context: &mut Context) -> Result<()> {
        match request {
            Request::Go { color, moves, text } => {
                let mut game = line(&moves)?;
                if let Some(text) = text {
                    match illegal::read_move(&game, &text) {
                        Ok(mv) => _ = game.play(mv)?,
                        Err(why) => {
                            context.page.send(Event::Illegal(why));
                            return Ok(());
                        }
                    }
                }
                self.show_position(color, &game, context)
            }
            Request::Mark { color, moves } => {
                let game = line(&moves)?;
                let marked: Vec<Move> = game.moves().collect();
                Profile::change(&context.library, |profile| {
                    profile.repertoire.mark(color, &marked);
                })?;
                self.show(context)
            }
            Request::Unmark { color, moves } => {
                let game = line(&moves)?;
                let start = *game.start();
                let played = notation::legal_moves(&start, game.moves());
                let own = played.filter(|(position, _)| position.side_to_move() == color);
                if let Some((position, _)) = own.last() {
                    Profile::change(&context.library, |profile| {
                        profile.repertoire.remove(&position);
                    })?;
                }
                self.show(context)
            }
            Request::Import { color, pgn } => {
                let event = import(color, &pgn, context)?;
                context.page.send(event);
                self.show(context)
            }
            Request::Export { color } => {
                let repertoire = Profile::read(&context.library)?.repertoire;
                let pgn = repertoire.pgn(color);
                context.page.send(Event::Exported { color, pgn });
                Ok(())
            }
        }
    }

    fn show_position(&self, color: Color, game: &Game, context: &mut Context) -> Result<()> {
        let repertoire = Profile::read(&context.library)?.repertoire;
        let position = game.position();
        let book = book_moves(&context.search.engine, position);
        let marked = repertoire.get(position);
        let mut known = self.own.moves(color, position);
        for mv in marked.into_iter().chain(book.iter().copied()) {
            if !known.iter().any(|(other, _)| *other == mv) {
                known.push((mv, Played::default()));
            }
        }
        let is_own = position.side_to_move() == color;
        let known = known.into_iter().map(|(mv, played)| KnownMove {
            results: OwnMoveView::new(color, position, mv, played.results),
            loss: played.average_loss().filter(|_| is_own).map(pawns),
            evaluated: played.evaluated,
            repertoire: marked == Some(mv),
            book: book.contains(&mv),
        });
        let start = *game.start();
        let mut last = None;
        let mut is_marked = false;
        let mut path = Vec::new();
        for (index, (before, mv)) in notation::legal_moves(&start, game.moves()).enumerate() {
            if before.side_to_move() == color {
                let is_first = path.len() < 2;
                is_marked = (is_first || is_marked) && repertoire.get(&before) == Some(mv);
            }
            last = Some(squares(mv, &before));
            path.push(PathMove {
                uci: mv.uci(before.variant()).to_string(),
                text: notation::line_move(&before, mv, index == 0),
            });
        }
        let opening = names::find(&start, game.moves());
        context.page.send(Event::Position(Box::new(PositionView {
            color,
            path,
            board: BoardView::new(position, last),
            legal: legal::moves(position),
            opening: opening.map(|(eco, name)| format!("{eco} {name}")),
            known: known.collect(),
            marked: is_marked,
        })));
        Ok(())
    }
}

/// Adds the games of a PGN that begin at the initial position to the repertoire.
fn import(color: Color, pgn: &str, context: &Context) -> Result<Event> {
    let mut games = Games::new(Cursor::new(pgn), None);
    let (mut records, mut unread) = (Vec::new(), 0);
    while let Some(game) = games.next_game()? {
        match game {
            Ok(record) if record.start == Position::default() => records.push(record),
            _ => unread += 1,
        }
    }
    let mut sum = Imported::default();
    Profile::change(&context.library, |profile| {
        for record in records {
            let imported = profile.repertoire.add(color, record);
            sum.added += imported.added;
            sum.other += imported.other;
        }
    })?;
    Ok(Event::Imported {
        added: sum.added,
        other: sum.other,
        unread,
    })
}

/// The game of a line from the initial position.
fn line(moves: &[String]) -> Result<Game> {
    let mut game = Game::default();
    for text in moves {
        game.play(game.move_from_uci(text)?)?;
    }
    Ok(game)
}

fn pawns(centipawns: f64) -> f64 {
    centipawns.round() / 100.0
}

impl OwnMoveView {
    /// A move of the user's games with a color.
    pub(crate) fn new(side: Color, position: &Position, mv: Move, results: Results) -> Self {
        let Results {
            white,
            draws,
            black,
        } = results;
        let (wins, losses) = match side {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let points = f64::from(wins) + f64::from(draws) / 2.0;
        Self {
            mv: NamedMove::new(mv, position),
            wins,
            draws,
            losses,
            score: (100.0 * points / f64::from(results.total().max(1))).round(),
        }
    }
}

impl CostlyView {
    fn new(color: Color, CostlyLine { moves, played }: &CostlyLine) -> Option<Self> {
        let start = Position::default();
        let (position, mv) = notation::legal_moves(&start, moves.iter().copied()).last()?;
        let uci = moves.iter().map(|mv| mv.uci(start.variant()).to_string());
        Some(Self {
            moves: uci.collect(),
            text: notation::numbered_moves(&start, moves.iter().copied()),
            results: OwnMoveView::new(color, &position, mv, played.results),
            loss: pawns(played.average_loss()?),
            evaluated: played.evaluated,
        })
    }
}

impl Departure {
    fn new(exercise: &Exercise) -> Option<Self> {
        let position = &exercise.position;
        let opening = exercise.opening.as_ref()?;
        let number = notation::move_number(position);
        Some(Self {
            id: exercise.game.clone()?,
            ply: exercise.ply,
            heading: exercise.heading.clone(),
            played: format!("{number} {}", position.san(exercise.played?)),
            known: position.san(*opening.moves.first()?),
            source: opening.source,
            games: 1,
        })
    }
}

fn report(done: Result<()>, context: &mut Context) {
    if let Err(error) = done {
        context.page.send(Event::Error {
            text: illegal::sentence(&error),
        });
    }
}
