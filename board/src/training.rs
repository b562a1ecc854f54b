//! The mode Train: the user's mistakes as exercises, and their progress.

mod lesson;

use std::path::PathBuf;

use chrono::{Local, NaiveDate};
use common::files::FileError;
use formats::pgn::Record;
use game::annotation::Evaluation;
use game::deck::{Card, Cards, Deck, Exercise, correct_dates};
use game::library::{self, GameId};
use game::own_openings::Openings;
use game::profile::Profile;
use game::progress::Study;
use game::repertoire::Repertoire;
use movegen::{Game, Move, Position};
use search::{Limits, SearchError};
use service::background::TaskError;
use thiserror::Error;

use crate::annotator;
use crate::context::{Context, Page};
use crate::illegal;
use crate::messages::Mode;
use crate::messages::training::{Event, Numbers, Request};
use crate::openings::book_moves;
use crate::own::changed_games;
use crate::report::TrainingReport;
use crate::task::Search;
use lesson::Lesson;

/// The nodes to judge a move.
const NODES: u64 = 200_000;
/// The exercises a day.
const DAILY: usize = 10;
const MAX_DAILY: usize = 1000;

#[derive(Debug, Error)]
enum Error {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error("cannot search: {0}")]
    Search(#[from] SearchError),
    #[error("there is no exercise to answer")]
    NoExercise,
    #[error("there is nothing to undo")]
    NothingToUndo,
}

#[derive(Debug, Default)]
pub(crate) struct Training {
    /// The hash of the games that were read last.
    library: Option<u64>,
    /// The repertoire and the file of the book that the deck is made of.
    repertoire: Repertoire,
    book: Option<PathBuf>,
    deck: Deck,
    study: Study,
    /// The games that are not annotated, and whether they are the user's.
    wanting: Vec<(GameId, bool)>,
    /// The exercise that is shown.
    lesson: Option<Lesson>,
    /// The groups in which all exercises are to be.
    groups: Vec<String>,
    /// The exercises beyond the daily number, and their day.
    extra: (NaiveDate, usize),
    /// The exercises that were dropped or deferred, with their cards before and after.
    aside: Vec<(Exercise, Option<Card>, Card)>,
}

impl Training {
    /// The page shows this mode: reads the library, which may have other games.
    pub(crate) fn shown(&mut self, context: &mut Context) {
        let done = self.read(context);
        self.send_wanting(&mut context.page);
        let done = done.and_then(|()| self.show(context));
        report(done, &mut context.page);
    }

    /// Forgets the exercises, after a change of the names.
    pub(crate) fn forget(&mut self, search: &mut Search) {
        search.stop(Mode::Training);
        self.lesson = None;
        self.aside.clear();
        self.library = None;
    }

    pub(crate) fn handle(&mut self, request: Request, context: &mut Context) {
        let done = self.try_handle(request, context);
        report(done, &mut context.page);
    }

    pub(crate) fn report(
        &mut self,
        TrainingReport(mv, found): TrainingReport,
        context: &mut Context,
    ) {
        let done = found.map_err(Error::from).and_then(|found| {
            let position = &self.open_lesson()?.exercise.position;
            let after = position.try_play(mv).ok_or(Error::NoExercise)?;
            let after = Evaluation::new(&found, &after);
            self.tried(mv, Some(&after), context)
        });
        let is_unanswered = done.is_err() && self.lesson.is_some();
        report(done, &mut context.page);
        if is_unanswered {
            context.search.stop(Mode::Training);
            let shown = self.show(context);
            report(shown, &mut context.page);
        }
    }

    fn try_handle(&mut self, request: Request, context: &mut Context) -> Result<(), Error> {
        match request {
            Request::Next => return self.show_next(None, context),
            Request::Annotate { nodes, own } => {
                self.read(context)?;
                let nodes = annotator::clamp_nodes(nodes);
                let games = self.wanting.iter().filter(|(_, is_own)| *is_own || !own);
                let games: Vec<GameId> = games.map(|(id, _)| id.clone()).collect();
                let builder = context.search.engine.builder();
                context.annotator.add(&games, nodes, builder)?;
                self.send_wanting(&mut context.page);
                return Ok(());
            }
            Request::CancelAnnotation => return Ok(context.annotator.cancel()?),
            Request::Drop => return self.put_aside(Card::dropped, context),
            Request::Later => return self.put_aside(Card::deferred, context),
            Request::Undo => return self.undo(context),
            Request::Restore => {
                Profile::change(&context.library, |profile| {
                    for key in self.deck.dropped(&profile.exercises) {
                        if let Some(card) = profile.exercises.get_mut(&key) {
                            card.dropped = false;
                            card.due = card.due.min(today());
                        }
                    }
                })?;
                return self.show(context);
            }
            Request::Filter { groups } => {
                self.groups = groups;
                return self.show_next(None, context);
            }
            Request::Daily { count } => {
                let count = count.clamp(1, MAX_DAILY);
                Profile::change(&context.library, |profile| profile.daily = Some(count))?;
                return self.show(context);
            }
            Request::More => {
                let profile = Profile::read(&context.library)?;
                self.extra = (today(), self.extra() + daily(&profile));
                return self.show(context);
            }
            _ => {}
        }
        let lesson = self.open_lesson()?;
        match request {
            Request::Move { text } => {
                let game = Game::new(lesson.exercise.position);
                match illegal::read_move(&game, &text) {
                    Ok(mv) => self.attempt(mv, context),
                    Err(why) => {
                        context.page.send(Event::Illegal(why));
                        Ok(())
                    }
                }
            }
            Request::Hint => {
                lesson.hint();
                self.show(context)
            }
            Request::Solve => self.end(context),
            _ => Ok(()),
        }
    }

    /// Shows this exercise, or the next that is due.
    fn show_next(&mut self, lesson: Option<Lesson>, context: &mut Context) -> Result<(), Error> {
        context.search.stop(Mode::Training);
        self.lesson = lesson;
        self.show(context)
    }

    /// Drops or defers the exercise that is shown.
    fn put_aside(
        &mut self,
        card: fn(Option<&Card>, NaiveDate) -> Card,
        context: &mut Context,
    ) -> Result<(), Error> {
        let lesson = self.lesson.as_ref().ok_or(Error::NoExercise)?;
        let exercise = lesson.exercise.clone();
        let key = exercise.key();
        let mut aside = None;
        Profile::change(&context.library, |profile| {
            let before = profile.exercises.get(&key).copied();
            let after = card(before.as_ref(), today());
            profile.exercises.insert(key, after);
            aside = Some((exercise, before, after));
        })?;
        self.aside.extend(aside);
        self.show_next(None, context)
    }

    /// Brings back the exercise that was put aside last, and shows it.
    fn undo(&mut self, context: &mut Context) -> Result<(), Error> {
        let mut last = None;
        Profile::change(&context.library, |profile| {
            self.forget_changed(&profile.exercises);
            last = self.aside.last().cloned();
            if let Some((exercise, before, _)) = &last {
                let key = exercise.key();
                match before {
                    Some(card) => profile.exercises.insert(key, *card),
                    None => profile.exercises.remove(&key),
                };
            }
        })?;
        let (exercise, ..) = last.ok_or(Error::NothingToUndo)?;
        self.aside.pop();
        self.show_next(Some(Lesson::new(exercise)), context)
    }

    /// Forgets the exercises put aside that have changed since: an answer is not undone.
    fn forget_changed(&mut self, cards: &Cards) {
        self.aside
            .retain(|(exercise, _, after)| cards.get(&exercise.key()) == Some(after));
    }

    /// The exercises of today beyond the daily number.
    fn extra(&self) -> usize {
        let (day, count) = self.extra;
        if day == today() { count } else { 0 }
    }

    /// The exercise that is shown, if it is not answered.
    fn open_lesson(&mut self) -> Result<&mut Lesson, Error> {
        let lesson = self.lesson.as_mut().filter(|lesson| !lesson.is_answered());
        lesson.ok_or(Error::NoExercise)
    }

    /// Reads the user's annotated games, the latest first, unless the library is as it was.
    fn read(&mut self, context: &mut Context) -> Result<(), Error> {
        let repertoire = Profile::read(&context.library)?.repertoire;
        let book = &context.search.engine.config().book_file;
        if repertoire != self.repertoire || *book != self.book {
            self.library = None;
            self.repertoire = repertoire;
            self.book.clone_from(book);
        }
        let Some(games) = changed_games(&context.library, &mut self.library)? else {
            return Ok(());
        };
        let mut mistakes = Deck::default();
        let mut openings = Openings::default();
        self.study = Study::default();
        self.wanting.clear();
        for (id, pgn) in games {
            let Some(record) = library::record(&pgn) else {
                continue;
            };
            let side = context.names.side(&record);
            if let Some(side) = side {
                mistakes.add(&id, &record, side);
                openings.add(&id, &record, side);
                self.study.add(&id, &record, side);
            }
            if annotator::is_wanting(&record) {
                self.wanting.push((id, side.is_some()));
            }
        }
        // In a position of the repertoire its move is asked for, elsewhere the better one.
        let book = |position: &Position| book_moves(&context.search.engine, position);
        let drills = openings.drills(&self.repertoire).into_iter();
        let left = openings.departures(&self.repertoire, book);
        self.deck = drills.chain(mistakes).chain(left).collect();
        context.page.send(Event::Progress(self.study.progress()));
        Ok(())
    }

    /// Adds a game that is annotated now, unless it was read since.
    pub(crate) fn add(
        &mut self,
        id: &GameId,
        record: &Record,
        is_shown: bool,
        context: &mut Context,
    ) {
        let count = self.wanting.len();
        self.wanting.retain(|(other, _)| other != id);
        if self.wanting.len() == count {
            return;
        }
        if is_shown {
            self.send_wanting(&mut context.page);
        }
        let Some(side) = context.names.side(record) else {
            return;
        };
        self.deck.add(id, record, side);
        self.study.add(id, record, side);
        if is_shown {
            context.page.send(Event::Progress(self.study.progress()));
            let done = self.show(context);
            report(done, &mut context.page);
        }
    }

    fn send_wanting(&self, page: &mut Page) {
        page.send(Event::Annotation {
            wanting: self.wanting.len(),
            own: self.wanting.iter().filter(|(_, is_own)| *is_own).count(),
        });
    }

    /// Shows the exercise that there is, or the next that is due.
    fn show(&mut self, context: &mut Context) -> Result<(), Error> {
        let mut profile = Profile::read(&context.library)?;
        let daily = daily(&profile);
        let cards = &mut profile.exercises;
        if correct_dates(cards, today()) {
            Profile::change(&context.library, |profile| {
                correct_dates(&mut profile.exercises, today());
            })?;
        }
        self.forget_changed(cards);
        let practice = self.deck.practice(cards, today(), &self.groups);
        let numbers = Numbers {
            count: self.deck.len(),
            due: practice.due,
            done: practice.done,
            today: daily + self.extra(),
            daily,
            dropped: self.deck.dropped(cards).len(),
            can_undo: !self.aside.is_empty(),
        };
        if self.lesson.is_none() && numbers.done < numbers.today {
            self.lesson = practice.next.cloned().map(Lesson::new);
        }
        let is_judging = context.search.is_running(Mode::Training);
        let event = match &self.lesson {
            Some(lesson) => Event::Exercise(Box::new(lesson.view(numbers, is_judging))),
            None => Event::Done {
                numbers,
                next: self.deck.next_due(cards),
            },
        };
        context.page.send(event);
        Ok(())
    }

    /// Judges a move; only the best needs no search.
    fn attempt(&mut self, mv: Move, context: &mut Context) -> Result<(), Error> {
        let lesson = self.open_lesson()?;
        if !lesson.is_unknown(mv) {
            return self.tried(mv, None, context);
        }
        let after = Game::new(lesson.exercise.position.play_unchecked(mv));
        let job = context.search.engine.analysis(after, Limits::nodes(NODES));
        context
            .search
            .start(Mode::Training, move |stop, reporter| {
                reporter.report(TrainingReport(mv, job.run(stop, &mut ())));
            })?;
        self.show(context)
    }

    /// Takes a move with the evaluation after it; the best one needs none.
    fn tried(
        &mut self,
        mv: Move,
        after: Option<&Evaluation>,
        context: &mut Context,
    ) -> Result<(), Error> {
        context.search.stop(Mode::Training);
        if self.open_lesson()?.attempt(mv, after) {
            return self.end(context);
        }
        self.show(context)
    }

    /// Ends the exercise, and keeps the day on which it comes again.
    fn end(&mut self, context: &mut Context) -> Result<(), Error> {
        context.search.stop(Mode::Training);
        let lesson = self.open_lesson()?;
        let answer = lesson.end();
        let key = lesson.exercise.key();
        let mut due = today();
        Profile::change(&context.library, |profile| {
            let card = Card::answered(profile.exercises.get(&key), answer, due);
            due = card.due;
            profile.exercises.insert(key, card);
        })?;
        lesson.show_answer(due);
        self.show(context)
    }
}

/// The number of exercises a day.
fn daily(profile: &Profile) -> usize {
    profile.daily.unwrap_or(DAILY).min(MAX_DAILY)
}

fn today() -> NaiveDate {
    Local::now().date_naive()
}

fn report(done: Result<(), Error>, page: &mut Page) {
    if let Err(error) = done {
        page.send(Event::Error {
            text: illegal::sentence(&error),
        });
    }
}
