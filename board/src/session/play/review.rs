//! The review of a finished game: accuracy, the moments that decided it, and the mistakes.

use formats::notation;
use game::annotation::{self, GameReport, Reason, SideReport};
use game::library::GameKind;
use game::play::Refusal;
use movegen::Move;
use serde::Serialize;

use super::{Event, Play, PlayRequestError, Report, failure};
use crate::session::evaluation::{EvaluatedGame, Progress, Score};
use crate::session::illegal::sentence;
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
    /// In SAN.
    best: Option<String>,
    /// Why the move is bad, where that can be proven.
    reason: Option<String>,
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
                context.page.send(Event::Review(Box::new(view)));
            }
            return Ok(());
        }
        review.start(Mode::Play, &mut context.search, Report::Review)?;
        context.page.send(progress(review));
        self.is_reviewing = true;
        Ok(())
    }

    pub(super) fn review_report(&mut self, report: Progress, context: &mut Context) {
        let Some(review) = &mut self.review else {
            return;
        };
        match report {
            Progress::Searched => {
                review.searched += 1;
                context.page.send(progress(review));
            }
            Progress::Evaluated(evaluations) => {
                review.evaluations.extend(evaluations);
                if review.is_complete() {
                    self.is_reviewing = false;
                    self.keep_annotated(context);
                    if let Err(error) = self.evaluate(context) {
                        context.page.send(failure(&error));
                    }
                }
            }
            Progress::Failed(text) => {
                self.is_reviewing = false;
                self.review = None;
                context.page.send(Event::Error { text });
            }
        }
    }

    /// Keeps the annotated game in place of the one in the library, for the exercises.
    fn keep_annotated(&self, context: &mut Context) {
        let Some((review, id)) = self.review.as_ref().zip(self.id.as_ref()) else {
            return;
        };
        let mut annotated = review.record.clone();
        annotation::annotate(&mut annotated, &review.evaluations);
        if let Err(error) = context.library.keep(id, GameKind::Chess, &annotated.pgn()) {
            context.page.send(Event::Note {
                text: sentence(&error),
            });
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
                        best: before.line.first().map(|&best| position.san(best)),
                        reason: reason.as_ref().map(Reason::to_string),
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
}

fn progress(review: &EvaluatedGame) -> Event {
    Event::ReviewProgress {
        done: review.searched,
        total: review.total(),
    }
}
