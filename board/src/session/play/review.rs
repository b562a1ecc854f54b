//! The review of a finished game: accuracy, the moments that decided it, and the user's mistakes,
//! for which better moves can be tried.

use formats::notation;
use game::annotation::{self, GameReport, Reason, SideReport};
use game::play::Refusal;
use movegen::Move;
use search::{SearchError, SearchResult};
use serde::Serialize;

use super::view::{MoveView, move_view};
use super::{Event, Play, PlayRequestError, Report, Study, failure};
use crate::session::attempt::Attempt;
use crate::session::evaluation::{EvaluatedGame, Progress, Score};
use crate::session::legal::{self, LegalMove};
use crate::session::{Context, Mode};

/// Per position.
const NODES: u64 = 100_000;
/// The moves that decided a game.
const MOMENTS: usize = 3;

/// A move that cost its side something.
#[derive(Debug, Serialize)]
struct Mistake {
    /// The number of moves before it.
    ply: usize,
    number: String,
    san: String,
    /// `?!`, `?` or `??`.
    mark: &'static str,
    /// True if the user made it.
    own: bool,
    before: Option<Score>,
    after: Option<Score>,
    best: Option<MoveView>,
    /// Why the move is bad, where that can be proven.
    reason: Option<String>,
    /// The legal moves.
    legal: Vec<LegalMove>,
}

/// A position of the game for the graph.
#[derive(Debug, Serialize)]
struct ReviewedPosition {
    /// White's expected score.
    points: f64,
    score: Option<Score>,
    /// The time that the move before it took.
    seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ReviewView {
    white: SideReport,
    black: SideReport,
    mistakes: Vec<Mistake>,
    /// The plies of the mistakes that decided the game.
    moments: Vec<usize>,
    positions: Vec<ReviewedPosition>,
    /// The game with the annotations.
    pgn: String,
}

/// The result of a move that was tried.
#[derive(Debug, Serialize)]
pub(crate) struct Tried {
    ply: usize,
    uci: String,
    /// True if it is as good as the best one.
    good: bool,
    text: String,
}

impl Play {
    /// Starts the review of the game that is over, or shows the one there is.
    pub(super) fn review(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        if !self.game.state().is_over() {
            return Err(Refusal::NotOver.into());
        }
        if self.review.is_none() {
            let players = self.players();
            let record = self.game.state().record(&players.white, &players.black);
            if record.moves().len() == 0 {
                return Err(PlayRequestError::NoMoves);
            }
            self.review = Some(EvaluatedGame::new(record, NODES));
        }
        self.evaluate(context)
    }

    pub(super) fn evaluate(&mut self, context: &mut Context) -> Result<(), PlayRequestError> {
        let Some(review) = &mut self.review else {
            return Ok(());
        };
        if review.is_complete() {
            if let Some(view) = self.review_view() {
                context.send(Event::Review(Box::new(view)));
            }
            return Ok(());
        }
        review.start(Mode::Play, context, Report::Review)?;
        context.send(progress(review));
        self.study = Some(Study::Review);
        Ok(())
    }

    pub(super) fn review_report(&mut self, report: Progress, context: &mut Context) {
        let Some(review) = &mut self.review else {
            return;
        };
        match report {
            Progress::Searched => {
                review.searched += 1;
                context.send(progress(review));
            }
            Progress::Evaluated(evaluations) => {
                review.evaluations.extend(evaluations);
                if review.is_complete() {
                    self.study = None;
                    if let Err(error) = self.evaluate(context) {
                        context.send(failure(&error));
                    }
                }
            }
            Progress::Failed(text) => {
                self.study = None;
                self.review = None;
                context.send(Event::Error { text });
            }
        }
    }

    fn review_view(&self) -> Option<ReviewView> {
        let EvaluatedGame {
            record,
            evaluations,
            ..
        } = self.review.as_ref()?;
        let mut annotated = record.clone();
        let report = annotation::annotate(&mut annotated, evaluations);
        let moves: Vec<Move> = record.moves().collect();
        let played = notation::legal_moves(&record.start, moves);
        let played = played.zip(evaluations.windows(2));
        let played = played.zip(report.losses.iter().zip(&report.reasons));
        let mistakes =
            played
                .enumerate()
                .filter_map(|(ply, (((position, mv), values), (loss, reason)))| {
                    let mark = loss.assessment?.symbol();
                    let [before, after] = values else {
                        return None;
                    };
                    Some(Mistake {
                        ply,
                        number: notation::move_number(&position),
                        san: position.san(mv),
                        mark,
                        own: self.game.state().side.includes(position.side_to_move()),
                        before: before.eval.map(Score::from),
                        after: after.eval.map(Score::from),
                        best: before
                            .line
                            .first()
                            .and_then(|&best| move_view(&position, best)),
                        reason: reason.as_ref().map(Reason::to_string),
                        legal: legal::moves(&position),
                    })
                });
        let mistakes = mistakes.collect();
        let moments = report.decisive(MOMENTS);
        let times = [None].into_iter().chain(annotation::move_seconds(record));
        let positions = evaluations.iter().zip(times).map(|(evaluation, seconds)| {
            let score = evaluation.eval.map(Score::from);
            ReviewedPosition {
                points: (1000.0 * evaluation.expectation).round() / 1000.0,
                score,
                seconds,
            }
        });
        let positions = positions.collect();
        let GameReport { white, black, .. } = report;
        Some(ReviewView {
            white,
            black,
            mistakes,
            moments,
            positions,
            pgn: annotated.pgn(),
        })
    }

    /// A move in place of one of the game that is reviewed.
    fn attempt(&self, ply: usize, uci: &str) -> Option<Attempt> {
        let review = self.review.as_ref()?;
        let moves: Vec<Move> = review.record.moves().take(ply + 1).collect();
        let mut played = notation::legal_moves(&review.record.start, moves).skip(ply);
        let (position, _) = played.next()?;
        Some(Attempt {
            position,
            mv: position.move_from_uci(uci).ok()?,
            before: review.evaluations.get(ply)?.clone(),
        })
    }

    /// Evaluates a move instead of one of the game.
    pub(super) fn try_move(
        &mut self,
        ply: usize,
        uci: String,
        context: &mut Context,
    ) -> Result<(), PlayRequestError> {
        let attempt = self.attempt(ply, &uci).ok_or(PlayRequestError::NoReview)?;
        if let Some(text) = attempt.praise() {
            context.send(Event::Tried(Tried {
                ply,
                uci,
                good: true,
                text,
            }));
            return Ok(());
        }
        let job = attempt.search(&context.engine);
        context.start(Mode::Play, move |stop, reporter| {
            let found = job.run(stop, &mut ());
            reporter.report(Report::Tried(ply, uci, found));
        })?;
        self.study = Some(Study::Try);
        Ok(())
    }

    pub(super) fn take_tried(
        &mut self,
        ply: usize,
        uci: String,
        found: Result<SearchResult, SearchError>,
    ) -> Result<Event, PlayRequestError> {
        let found = found?;
        let attempt = self.attempt(ply, &uci).ok_or(PlayRequestError::NoReview)?;
        let (good, text) = attempt.judgement(&found);
        Ok(Event::Tried(Tried {
            ply,
            uci,
            good,
            text,
        }))
    }
}

fn progress(review: &EvaluatedGame) -> Event {
    Event::ReviewProgress {
        done: review.searched,
        total: review.total(),
    }
}
