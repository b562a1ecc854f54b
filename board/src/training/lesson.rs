//! The exercise that is shown: its hints, two tries, and the answer.

use chrono::NaiveDate;
use formats::notation;
use formats::pgn::{Eval, Nag};
use game::annotation::{Evaluation, MAX_LINE_MOVES, Verdict};
use game::deck::{Answer, Exercise, Opening, Source};
use movegen::{Move, Position};

use crate::legal::{self, BoardView, squares};
use crate::messages::training::{AnswerView, ExerciseView, LineMove, Numbers, TryView};

const MAX_TRIES: usize = 2;
/// Hints tell the origin of the best move, then its destination.
const MAX_HINTS: usize = 2;

#[derive(Debug)]
pub(super) struct Lesson {
    pub(super) exercise: Exercise,
    /// The number of hints that were given.
    hints: usize,
    tries: Vec<TryView>,
    /// The quality of the answer, which hints and bad tries lower.
    quality: Answer,
    answer: Option<AnswerView>,
}

impl Lesson {
    pub(super) fn new(exercise: Exercise) -> Self {
        Self {
            exercise,
            hints: 0,
            tries: Vec::new(),
            quality: Answer::Right,
            answer: None,
        }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// True for a move whose judgement needs a search.
    pub(super) fn is_unknown(&self, mv: Move) -> bool {
        self.exercise.opening.is_none() && self.best() != Some(mv)
    }

    pub(super) fn best(&self) -> Option<Move> {
        self.exercise.best.line.first().copied()
    }

    pub(super) fn hint(&mut self) {
        self.hints = MAX_HINTS.min(self.hints + 1);
        self.quality = self.quality.min(Answer::Helped);
    }

    /// Judges a move; without an evaluation after it, it is the best. Returns true if the exercise
    /// is over.
    pub(super) fn attempt(&mut self, mv: Move, after: Option<&Evaluation>) -> bool {
        let (tried, quality) = self.judge(mv, after);
        self.quality = self.quality.min(quality);
        let is_good = tried.good;
        self.tries.push(tried);
        is_good || self.tries.len() >= MAX_TRIES
    }

    /// Ends the exercise. Returns the quality of the answer.
    pub(super) fn end(&mut self) -> Answer {
        let is_good = self.tries.last().is_some_and(|tried| tried.good);
        if !is_good {
            self.quality = Answer::Wrong;
        }
        self.quality
    }

    /// Shows the answer, and the day on which the exercise comes again.
    pub(super) fn show_answer(&mut self, due: NaiveDate) {
        let exercise = &self.exercise;
        let position = &exercise.position;
        let played = exercise.played.map(|mv| {
            let mark = exercise.assessment.map_or("", Nag::symbol);
            format!("{}{mark} {}", position.san(mv), exercise.reason)
        });
        self.answer = Some(AnswerView {
            good: self.tries.last().is_some_and(|tried| tried.good),
            played: played.map(|text| text.trim_end().to_owned()),
            line: line(position, &exercise.best.line),
            best: self.best().map(|mv| squares(mv, position)),
            due,
        });
    }

    fn judge(&self, mv: Move, after: Option<&Evaluation>) -> (TryView, Answer) {
        let Exercise { position, best, .. } = &self.exercise;
        let san = position.san(mv);
        let best_san = self.best().map(|best| position.san(best));
        let mut tried = TryView {
            good: true,
            text: format!("{san} is the best move."),
            squares: squares(mv, position),
            reason: None,
            line: Vec::new(),
        };
        if let Some(Opening { source, moves, .. }) = &self.exercise.opening {
            tried.good = moves.contains(&mv);
            let is = if tried.good { "is" } else { "is not" };
            let named = match source {
                Source::Repertoire => "the move of your repertoire",
                Source::Book => "a move of the book",
                Source::Usual => "your usual move",
            };
            tried.text = format!("{san} {is} {named}.");
            let quality = if tried.good {
                Answer::Right
            } else {
                Answer::Wrong
            };
            return (tried, quality);
        }
        let Some(after) = after else {
            return (tried, Answer::Right);
        };
        let verdict = Verdict::new(position, mv, best, after);
        // The annotation has searched longer.
        let is_repeated = self.exercise.played == Some(mv);
        let repeated = self.exercise.assessment.filter(|_| is_repeated);
        let Some(nag) = repeated.or(verdict.assessment) else {
            let named = best_san.map_or_else(String::new, |best| format!(", {best}"));
            tried.text = format!("{san} is as good as the best move{named}.");
            return (tried, Answer::Right);
        };
        let mut moves = vec![mv];
        moves.extend(after.line.iter().copied().take(MAX_LINE_MOVES));
        tried.line = line(position, &moves);
        tried.reason = verdict.reason.map(|reason| reason.to_string());
        let san = format!("{san}{}", nag.symbol());
        // The short search may not see what the annotation saw.
        let cost = match verdict.assessment {
            Some(_) => cost(best.eval, after.eval),
            None => cost(None, None),
        };
        tried.good = nag == Nag::DUBIOUS && verdict.keeps_result;
        let (text, quality) = match nag {
            Nag::DUBIOUS if tried.good => {
                let named = best_san.map_or_else(String::new, |best| format!(" {best} is best."));
                let text = format!("{san} keeps the result, but {cost}.{named}");
                (text, Answer::Right)
            }
            Nag::DUBIOUS => (format!("{san} {cost}."), Answer::Helped),
            _ => (format!("{san} is not good: it {cost}."), Answer::Wrong),
        };
        tried.text = text;
        (tried, quality)
    }

    pub(super) fn view(&self, numbers: Numbers, is_judging: bool) -> ExerciseView {
        let exercise = &self.exercise;
        let position = &exercise.position;
        let hint = self.best().map(|mv| squares(mv, position));
        let last = exercise.last.map(|(before, mv)| squares(mv, &before));
        ExerciseView {
            numbers,
            game: exercise.game.clone(),
            ply: exercise.ply,
            heading: exercise.heading.clone(),
            opening: exercise.opening.as_ref().map(|opening| opening.source),
            path: exercise
                .opening
                .as_ref()
                .map_or_else(String::new, |opening| {
                    notation::numbered_moves(&Position::default(), opening.path.iter().copied())
                }),
            color: position.side_to_move().name(),
            board: BoardView::new(position, last),
            before: exercise
                .last
                .map(|(before, _)| BoardView::new(&before, None)),
            legal: match self.answer {
                Some(_) => Vec::new(),
                None => legal::moves(position),
            },
            judging: is_judging,
            more_hints: hint.is_some() && self.hints < MAX_HINTS,
            hint: hint.into_iter().flatten().take(self.hints).collect(),
            tries: self.tries.clone(),
            answer: self.answer.clone(),
        }
    }
}

/// Says what a move costs: in pawns, or by the evaluations if one is a mate.
fn cost(before: Option<Eval>, after: Option<Eval>) -> String {
    let signed = |eval: Eval| match eval {
        Eval::Centipawns(1..) => format!("+{eval}"),
        _ => eval.to_string(),
    };
    match (before, after) {
        (Some(before), Some(after)) => {
            let change = format!("{} instead of {}", signed(after), signed(before));
            match (before, after) {
                (Eval::Centipawns(one), Eval::Centipawns(other)) => {
                    let pawns = f64::from(one.abs_diff(other)) / 100.0;
                    format!("costs {pawns:.1} pawns ({change})")
                }
                _ => format!("leads to {change}"),
            }
        }
        _ => "costs points".to_owned(),
    }
}

fn line(start: &Position, moves: &[Move]) -> Vec<LineMove> {
    let moves = notation::legal_moves(start, moves.iter().copied());
    moves
        .enumerate()
        .map(|(index, (position, mv))| {
            let after = position.play_unchecked(mv);
            LineMove {
                text: notation::line_move(&position, mv, index == 0),
                board: BoardView::new(&after, Some(squares(mv, &position))),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use formats::pgn::{Eval, Nag};
    use game::annotation::{Evaluation, Heading};
    use game::deck::Exercise;
    use movegen::Position;

    use super::Lesson;

    /// The short search may see that it costs much, or no loss at all.
    #[test]
    fn the_move_of_the_game_is_bad_again() {
        let position = Position::default();
        let [best, played] = ["d4", "g4"].map(|san| position.move_from_san(san).expect("legal"));
        let evaluation = |centipawns, line| Evaluation {
            eval: Some(Eval::Centipawns(centipawns)),
            expectation: 0.5,
            line,
        };
        for (after, cost) in [
            (-300, "costs 3.2 pawns (-3.00 instead of +0.20)"),
            (40, "costs points"),
        ] {
            let mut lesson = Lesson::new(Exercise {
                game: None,
                heading: Heading::default(),
                ply: 0,
                groups: Vec::new(),
                position,
                last: None,
                played: Some(played),
                assessment: Some(Nag::BLUNDER),
                reason: String::new(),
                best: evaluation(20, vec![best]),
                opening: None,
            });
            let after = evaluation(after, Vec::new());
            assert!(!lesson.attempt(played, Some(&after)));
            let expected = format!("g4?? is not good: it {cost}.");
            assert_eq!(lesson.tries[0].text, expected);
        }
    }
}
