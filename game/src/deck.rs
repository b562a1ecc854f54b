//! The user's mistakes as a deck of exercises, repeated by the
//! [Leitner system](https://en.wikipedia.org/wiki/Leitner_system).

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;

use chrono::{Days, NaiveDate};
use formats::pgn::{Nag, Record};
use movegen::{Color, Move, Position};
use serde::{Deserialize, Serialize};

use crate::annotation::{Evaluation, Heading, expectation_of_eval};
use crate::library::GameId;
use crate::progress;
use crate::repertoire::position_key;

/// The days until an exercise of each box is repeated: the sizes of Leitner's own boxes.
const DAYS: [u64; 5] = [1, 2, 5, 8, 14];
/// The expected points of the better move: those of a position that is not decided.
const UNDECIDED: RangeInclusive<f64> = 0.25..=0.9;

/// The source of the move that an exercise of an opening asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Repertoire,
    Book,
    /// The user's usual move.
    Usual,
}

/// A known move of an opening that is to be found.
#[derive(Debug, Clone)]
pub struct Opening {
    pub source: Source,
    /// The moves that are right, the best first.
    pub moves: Vec<Move>,
    /// The moves before it, without a game.
    pub path: Vec<Move>,
}

/// A mistake of the user, where a better move is to be found, or a known move of an opening.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// `None` for one of the repertoire.
    pub game: Option<GameId>,
    pub heading: Heading,
    /// The number of moves before it.
    pub ply: usize,
    /// The names of its groups: phase, color, opening and the symbol of the mistake.
    pub groups: Vec<String>,
    pub position: Position,
    /// The position and the move before it.
    pub last: Option<(Position, Move)>,
    pub played: Option<Move>,
    pub assessment: Option<Nag>,
    /// The reason in words that the annotation gives, if any.
    pub reason: String,
    pub best: Evaluation,
    pub opening: Option<Opening>,
}

impl Exercise {
    /// Names the exercise, whatever games the position occurs in: a FEN without its counters.
    pub fn key(&self) -> String {
        position_key(&self.position)
    }
}

/// The quality of an answer, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// A mistake was tried, or the exercise given up.
    Wrong,
    /// The answer is right after a hint, or after an inaccuracy.
    Helped,
    Right,
}

/// An exercise in its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// From 1 on.
    #[serde(rename = "box")]
    number: usize,
    pub due: NaiveDate,
    /// The day of the last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<NaiveDate>,
    /// True if it is of no use and never comes again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dropped: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The exercises that have been answered, by their keys.
pub type Cards = BTreeMap<String, Card>;

impl Card {
    /// The card after an answer: in the next box, in the same or in the first one.
    pub fn answered(before: Option<&Self>, answer: Answer, today: NaiveDate) -> Self {
        let last = before.map_or(1, |card| card.number.clamp(1, DAYS.len()));
        let number = match answer {
            Answer::Wrong => 1,
            Answer::Helped => last,
            Answer::Right => DAYS.len().min(last + 1),
        };
        Self {
            number,
            due: latest_due(number, today),
            answered: Some(today),
            dropped: false,
        }
    }

    /// The card that was answered or dropped last, of two copies of a deck.
    pub fn latest(self, other: Self) -> Self {
        if other.changed() > self.changed() {
            other
        } else {
            self
        }
    }

    /// The day of the last answer, or on which the exercise was dropped; to defer it is no change.
    fn changed(&self) -> Option<NaiveDate> {
        // An exercise in the first box may never have been answered.
        if !self.dropped && (self.answered.is_some() || self.number == 1) {
            return self.answered;
        }
        // Older cards do not have the day of the answer, which follows from the box.
        let days = latest_due(self.number, NaiveDate::default()) - NaiveDate::default();
        self.due.checked_sub_signed(days)
    }

    /// The card of an exercise that comes again tomorrow, in its box.
    pub fn deferred(before: Option<&Self>, today: NaiveDate) -> Self {
        Self {
            number: before.map_or(1, |card| card.number),
            due: latest_due(1, today),
            answered: before.and_then(|card| card.answered),
            dropped: false,
        }
    }

    /// The card of an exercise that never comes again.
    pub fn dropped(before: Option<&Self>, today: NaiveDate) -> Self {
        let card = Self::deferred(before, today);
        Self {
            due: latest_due(card.number, today),
            dropped: true,
            ..card
        }
    }
}

/// The day on which an exercise that is put into a box today is due.
fn latest_due(number: usize, today: NaiveDate) -> NaiveDate {
    let days = DAYS.get(number.clamp(1, DAYS.len()) - 1).copied();
    let days = Days::new(days.unwrap_or(1));
    today.checked_add_days(days).unwrap_or(NaiveDate::MAX)
}

/// Exercises that were answered when the clock was ahead count as answered today. Returns true if
/// there are any.
pub fn correct_dates(cards: &mut Cards, today: NaiveDate) -> bool {
    let mut is_changed = false;
    for card in cards.values_mut() {
        let before = *card;
        card.due = card.due.min(latest_due(card.number, today));
        card.answered = card.answered.map(|day| day.min(today));
        is_changed |= *card != before;
    }
    is_changed
}

/// The exercises of a day.
#[derive(Debug)]
pub struct Practice<'a> {
    pub next: Option<&'a Exercise>,
    /// The number of exercises that are due.
    pub due: usize,
    /// The number of exercises that have been answered today.
    pub done: usize,
}

/// The exercises, at most one for each position.
#[derive(Debug, Clone, Default)]
pub struct Deck {
    exercises: Vec<Exercise>,
    keys: HashSet<String>,
}

impl Deck {
    /// Adds the mistakes of a side in an annotated game.
    pub fn add(&mut self, game: &GameId, record: &Record, side: Color) {
        let mut position = record.start;
        let mut last = None;
        let mut eval = record.main_line.comment.eval;
        let heading = LazyCell::new(|| Heading::new(record));
        for (ply, node) in record.main_line.moves.iter().enumerate() {
            let Some(mv) = node.mv else {
                return;
            };
            let bad = |nag: &&Nag| matches!(**nag, Nag::MISTAKE | Nag::BLUNDER);
            if position.side_to_move() == side
                && let Some(&assessment) = node.nags.iter().find(bad)
            {
                // The annotation puts the engine's line beside a mistake, with its evaluation.
                let better = node.variations.iter().map(|line| line.moves.as_slice());
                let evaluated = better.clone().find(|moves| {
                    moves
                        .iter()
                        .take(1)
                        .any(|first| first.comment.eval.is_some())
                });
                let line = evaluated.or_else(|| better.clone().next()).unwrap_or(&[]);
                let best = line.first().and_then(|first| first.comment.eval).or(eval);
                let expected = best.map(|eval| expectation_of_eval(eval, &position));
                let own = expected.map(|white| match side {
                    Color::White => white,
                    Color::Black => 1.0 - white,
                });
                if own.is_some_and(|own| UNDECIDED.contains(&own)) {
                    let groups = progress::groups(&heading, &position, ply);
                    let groups = groups.into_iter().map(|(_, name)| name);
                    self.insert(Exercise {
                        game: Some(game.clone()),
                        heading: heading.clone(),
                        ply,
                        groups: groups.chain([assessment.symbol().to_owned()]).collect(),
                        position,
                        last,
                        played: Some(mv),
                        assessment: Some(assessment),
                        reason: node.comment.shown_text(),
                        best: Evaluation {
                            eval: best,
                            expectation: expected.unwrap_or(0.5),
                            line: line.iter().map_while(|node| node.mv).collect(),
                        },
                        opening: None,
                    });
                }
            }
            eval = node.comment.eval;
            last = Some((position, mv));
            position = position.play_unchecked(mv);
        }
    }

    fn insert(&mut self, exercise: Exercise) {
        if self.keys.insert(exercise.key()) {
            self.exercises.push(exercise);
        }
    }

    pub fn len(&self) -> usize {
        self.exercises.len()
    }

    pub fn is_empty(&self) -> bool {
        self.exercises.is_empty()
    }

    /// The exercises that are due, the longest due first, then those never answered.
    pub fn due(&self, cards: &Cards, today: NaiveDate) -> Vec<&Exercise> {
        let dated = self.exercises.iter().filter_map(|exercise| {
            let card = cards.get(&exercise.key());
            let is_due = card.is_none_or(|card| card.due <= today && !card.dropped);
            is_due.then(|| (card.map_or(NaiveDate::MAX, |card| card.due), exercise))
        });
        let mut due: Vec<_> = dated.collect();
        due.sort_by_key(|&(due, _)| due);
        due.into_iter().map(|(_, exercise)| exercise).collect()
    }

    /// The exercises of a day in all of these groups. The next is one to be repeated rather than a
    /// new one, a blunder rather than a mistake, and of the game and the phase that have occurred
    /// least today.
    pub fn practice(&self, cards: &Cards, today: NaiveDate, groups: &[String]) -> Practice<'_> {
        let mut done = 0;
        let (mut games, mut phases) = (HashMap::new(), HashMap::new());
        for exercise in &self.exercises {
            let card = cards.get(&exercise.key());
            if card.is_some_and(|card| card.answered == Some(today)) {
                done += 1;
                *games.entry(&exercise.game).or_insert(0) += 1;
                *phases.entry(exercise.groups.first()).or_insert(0) += 1;
            }
        }
        let mut due = self.due(cards, today);
        due.retain(|exercise| groups.iter().all(|name| exercise.groups.contains(name)));
        let next = due.iter().min_by_key(|exercise| {
            (
                !cards.contains_key(&exercise.key()),
                exercise.assessment != Some(Nag::BLUNDER),
                games.get(&exercise.game).copied().unwrap_or(0),
                phases.get(&exercise.groups.first()).copied().unwrap_or(0),
            )
        });
        Practice {
            next: next.copied(),
            due: due.len(),
            done,
        }
    }

    /// The keys of the exercises that were dropped.
    pub fn dropped(&self, cards: &Cards) -> Vec<String> {
        let keys = self.exercises.iter().map(Exercise::key);
        keys.filter(|key| cards.get(key).is_some_and(|card| card.dropped))
            .collect()
    }

    /// The first day on which one of the answered exercises is due.
    pub fn next_due(&self, cards: &Cards) -> Option<NaiveDate> {
        let keys = self.exercises.iter().map(Exercise::key);
        let cards = keys.filter_map(|key| cards.get(&key).filter(|card| !card.dropped));
        cards.map(|card| card.due).min()
    }
}

/// A deck of these exercises, of each position the first.
impl FromIterator<Exercise> for Deck {
    fn from_iter<T: IntoIterator<Item = Exercise>>(exercises: T) -> Self {
        let mut deck = Self::default();
        exercises.into_iter().for_each(|one| deck.insert(one));
        deck
    }
}

impl IntoIterator for Deck {
    type Item = Exercise;
    type IntoIter = std::vec::IntoIter<Exercise>;

    fn into_iter(self) -> Self::IntoIter {
        self.exercises.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use chrono::NaiveDate;
    use formats::pgn::{Games, Record};
    use movegen::Color;

    use super::{Answer, Card, Cards, Deck, correct_dates};
    use crate::library::GameId;

    fn record(pgn: &str) -> Record {
        let mut games = Games::new(Cursor::new(pgn), None);
        games
            .next_game()
            .expect("read")
            .expect("one")
            .expect("valid")
    }

    fn deck(pgn: &str, side: Color) -> Deck {
        let mut deck = Deck::default();
        deck.add(&GameId::now(), &record(pgn), side);
        deck
    }

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, number).expect("a day")
    }

    #[test]
    fn mistakes_of_undecided_positions_are_exercises() {
        // 1... e5? from an even position; 2. Ke2? is White's; 2... Qh4? of a lost position,
        // 3... a6?! an inaccuracy.
        let pgn = "1. e4 {[%eval 0.3]} e5 $2 {[%eval 0.9] Loses a pawn after d4.} \
                   (1... c5 {[%eval 0.3]} 2. Nf3 d6) 2. Ke2 $4 {[%eval 9.0]} \
                   Qh4 $2 {[%eval 12.0]} 3. Nf3 {[%eval 0.2]} a6 $6 {[%eval 0.8]} *";
        let black = deck(pgn, Color::Black);
        let [exercise] = black.exercises.as_slice() else {
            panic!("{:?}", black.exercises);
        };
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert!(exercise.key().starts_with(start), "{}", exercise.key());
        assert_eq!(exercise.ply, 1);
        assert_eq!(exercise.reason, "Loses a pawn after d4.");
        let line: Vec<String> = exercise
            .best
            .line
            .iter()
            .map(|mv| mv.to().to_string())
            .collect();
        assert_eq!(line, ["c5", "f3", "d6"]);
        // Without a variation the evaluation is that of the position before.
        assert_eq!(deck(pgn, Color::White).len(), 1);
        // The same position in another game is the same exercise.
        let mut twice = deck(pgn, Color::Black);
        twice.add(&GameId::now(), &record(pgn), Color::Black);
        assert_eq!(twice.len(), 1);
    }

    #[test]
    fn boxes_are_those_of_leitner() {
        let mut card = None;
        let mut days = Vec::new();
        for _ in 0..5 {
            card = Some(Card::answered(card.as_ref(), Answer::Right, day(1)));
            days.extend(card.map(|card| (card.due - day(1)).num_days()));
        }
        assert_eq!(days, [2, 5, 8, 14, 14]);
        let helped = Card::answered(card.as_ref(), Answer::Helped, day(1));
        assert_eq!(helped.due, day(15));
        assert_eq!(Card::answered(None, Answer::Helped, day(1)).due, day(2));
        let again = Card::answered(card.as_ref(), Answer::Wrong, day(1));
        assert_eq!(again.due, day(2));
        let json = serde_json::to_string(&again).expect("JSON");
        let expected = r#"{"box":1,"due":"2026-03-02","answered":"2026-03-01"}"#;
        assert_eq!(json, expected);
        // A box that somebody has written by hand.
        let odd = serde_json::from_str(r#"{"box":99,"due":"2026-03-02"}"#).expect("a card");
        assert_eq!(
            Card::answered(Some(&odd), Answer::Right, day(1)).due,
            day(15)
        );
    }

    #[test]
    fn a_clock_that_was_ahead_hides_no_exercise() {
        let ahead = NaiveDate::from_ymd_opt(2028, 1, 1).expect("a day");
        let mut card = Card::answered(None, Answer::Right, ahead);
        let mut cards = Cards::new();
        cards.insert("ahead".to_owned(), card);
        card.due = day(3);
        cards.insert("right".to_owned(), card);
        assert!(correct_dates(&mut cards, day(1)));
        let due = |cards: &Cards| ["ahead", "right"].map(|key| cards[key].due);
        assert_eq!(due(&cards), [day(3), day(3)]);
        let days = ["ahead", "right"].map(|key| cards[key].answered);
        assert_eq!(days, [Some(day(1)); 2]);
        // The next day changes nothing.
        assert!(!correct_dates(&mut cards, day(2)));
        assert_eq!(due(&cards), [day(3), day(3)]);
    }

    /// Ten exercises: on the first day every second answer is right, on the second day the wrong
    /// ones come again, on the third the right ones of the first.
    #[test]
    fn ten_exercises_over_two_days() {
        let firsts = ["a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4", "e3", "e4"];
        let mut deck = Deck::default();
        for first in firsts {
            let pgn = format!("1. {first} {{[%eval 0.0]}} h5 $2 {{[%eval 1.2]}} *");
            deck.add(&GameId::now(), &record(&pgn), Color::Black);
        }
        let mut cards = Cards::new();
        let session = |cards: &mut Cards, today, is_good: fn(usize) -> bool| {
            let mut count = 0;
            while let Some(key) = deck.due(cards, today).first().map(|one| one.key()) {
                let answer = if is_good(count) {
                    Answer::Right
                } else {
                    Answer::Wrong
                };
                let card = Card::answered(cards.get(&key), answer, today);
                cards.insert(key, card);
                count += 1;
            }
            count
        };
        assert_eq!(deck.due(&cards, day(1)).len(), 10);
        assert_eq!(session(&mut cards, day(1), |number| number % 2 == 0), 10);
        assert_eq!(deck.next_due(&cards), Some(day(2)));
        assert_eq!(session(&mut cards, day(2), |_| true), 5);
        assert_eq!(deck.due(&cards, day(2)).len(), 0);
        // Right on the first day: two days later; right on the second: four.
        assert_eq!(session(&mut cards, day(3), |_| true), 5);
        assert_eq!(deck.due(&cards, day(4)).len(), 5);
        assert_eq!(deck.next_due(&cards), Some(day(4)));
    }

    /// Blunders come first, then what has occurred least today; those that are put aside do not.
    #[test]
    fn a_day_is_mixed() {
        let mut deck = Deck::default();
        // Of the first game two mistakes, of the second a mistake, of the third a blunder.
        let two =
            "1. e4 {[%eval 0.0]} e5 $2 {[%eval 1.2]} 2. d4 {[%eval 0.0]} h5 $2 {[%eval 1.2]} *";
        let one = "1. d4 {[%eval 0.0]} h5 $2 {[%eval 1.2]} *";
        let blunder = "1. c4 {[%eval 0.0]} h5 $4 {[%eval 2.2]} *";
        for (number, pgn) in [two, one, blunder].into_iter().enumerate() {
            let id = GameId::try_from(format!("2026030{number}-120000000-0")).expect("valid");
            deck.add(&id, &record(pgn), Color::Black);
        }
        let mut cards = Cards::new();
        let next = |cards: &mut Cards, card: fn(Option<&Card>, NaiveDate) -> Card| {
            let exercise = deck.practice(cards, day(1), &[]).next.expect("one is due");
            cards.insert(exercise.key(), card(cards.get(&exercise.key()), day(1)));
            let (_, mv) = exercise.last.expect("a move before");
            (mv.to().to_string(), exercise.groups.join(", "))
        };
        let right = |card: Option<&Card>, today| Card::answered(card, Answer::Right, today);
        let (first, groups) = next(&mut cards, right);
        assert_eq!(
            (&*first, &*groups),
            ("c4", "Opening, Black, English Opening, ??")
        );
        assert_eq!(next(&mut cards, right).0, "e4");
        assert_eq!(next(&mut cards, Card::deferred).0, "d4");
        assert_eq!(next(&mut cards, Card::dropped).0, "d4");
        let practice = |today, groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
            let practice = deck.practice(&cards, today, &groups);
            (practice.due, practice.done)
        };
        assert_eq!(practice(day(1), &[]), (0, 2));
        assert_eq!(practice(day(2), &[]), (1, 0));
        assert_eq!(practice(day(15), &[]), (3, 0));
        assert_eq!(practice(day(15), &["??"]), (1, 0));
        assert_eq!(practice(day(15), &["Black", "?"]), (2, 0));
        assert_eq!(practice(day(15), &["Endgame"]), (0, 0));
        assert_eq!(deck.dropped(&cards).len(), 1);
    }
}
