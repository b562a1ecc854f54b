//! The openings of the user's own games: a tree of moves for each color with results and losses,
//! the lines that cost most, and where a game left the move that was to be played.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use formats::explorer::{Explorer, Played};
use formats::notation;
use formats::pgn::{GameResult, Record};
use movegen::{Color, Move, Position};

use crate::annotation::{Evaluation, Heading};
use crate::deck::{Exercise, Opening, Source};
use crate::library::GameId;
use crate::progress::{groups, losses};
use crate::repertoire::{KnownMove, Repertoire};

/// The plies of the openings.
const MAX_PLIES: usize = 24;
/// The games that make a move usual, if they are most of those with the position.
const USUAL_GAMES: u32 = 3;
/// The average loss, in centipawns, from which a usual move is none to be repeated.
const BAD_LOSS: f64 = 50.0;
/// The average loss, in centipawns, and the number of games from which a line costs something.
const COSTLY_LOSS: f64 = 20.0;
const COSTLY_GAMES: u32 = 2;
/// The moves after an opening's move that an answer shows.
const ANSWER_MOVES: usize = 5;
/// The name of the group of all these exercises.
const GROUP: &str = "Openings";

/// The beginning of a game of the user.
#[derive(Debug)]
struct Beginning {
    id: GameId,
    heading: Heading,
    side: Color,
    start: Position,
    moves: Vec<Move>,
    losses: Vec<Option<u32>>,
}

/// A line that ends with a move of the user that cost something.
#[derive(Debug)]
pub struct CostlyLine {
    pub moves: Vec<Move>,
    pub played: Played,
}

/// The user's games by their openings.
#[derive(Debug, Default)]
pub struct Openings {
    /// The games with White, and those with Black.
    explorers: [Explorer; 2],
    games: Vec<Beginning>,
}

impl Openings {
    /// Adds a game in which the user played a side, unless it has no result.
    pub fn add(&mut self, id: &GameId, record: &Record, side: Color) {
        if record.result == GameResult::Unknown {
            return;
        }
        let losses = losses(record, side).into_iter();
        let losses = losses.map(|loss| Some(loss?.centipawns.max(0).unsigned_abs()));
        let losses: Vec<Option<u32>> = losses.take(MAX_PLIES).collect();
        let [white, black] = &mut self.explorers;
        let explorer = if side == Color::White { white } else { black };
        explorer.add(record, &losses);
        self.games.push(Beginning {
            id: id.clone(),
            heading: Heading::new(record),
            side,
            start: record.start,
            moves: record.moves().take(MAX_PLIES).collect(),
            losses,
        });
    }

    fn explorer(&self, side: Color) -> &Explorer {
        let [white, black] = &self.explorers;
        if side == Color::White { white } else { black }
    }

    /// The number of games of a side.
    pub fn count(&self, side: Color) -> usize {
        self.games.iter().filter(|game| game.side == side).count()
    }

    /// The moves in a position of the games of a side, the most frequent first.
    pub fn moves(&self, side: Color, position: &Position) -> Vec<(Move, Played)> {
        self.explorer(side).moves(position)
    }

    /// The lines from the initial position that cost the user most in all their games.
    pub fn costly_lines(&self, side: Color) -> Vec<CostlyLine> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![(Vec::new(), Position::default())];
        while let Some((path, position)) = open.pop() {
            if path.len() >= MAX_PLIES || !seen.insert(position.key()) {
                continue;
            }
            let moves = self.moves(side, &position);
            if games(&moves) < COSTLY_GAMES {
                continue;
            }
            // The line by which it is reached most comes first.
            for (mv, played) in moves.into_iter().rev() {
                let moves: Vec<Move> = path.iter().copied().chain([mv]).collect();
                let is_costly = played
                    .average_loss()
                    .is_some_and(|loss| loss >= COSTLY_LOSS);
                open.push((moves.clone(), position.play_unchecked(mv)));
                if is_costly && played.evaluated >= COSTLY_GAMES {
                    found.push(CostlyLine { moves, played });
                }
            }
        }
        found.sort_by_key(|line| Reverse(line.played.lost));
        found
    }

    /// The user's usual move in a position where they played another one, with this loss: unless
    /// that was no worse or is played often, too, or the usual move has cost much.
    fn usual(&self, side: Color, position: &Position, mv: Move, lost: Option<u32>) -> Option<Move> {
        let moves = self.moves(side, position);
        let is_often = |played: &Played| played.results.total() >= USUAL_GAMES;
        let &(usual, played) = moves.first().filter(|(_, played)| is_often(played))?;
        let is_most = 2 * played.results.total() > games(&moves);
        let average = played.average_loss();
        let is_bad = average.is_some_and(|loss| loss >= BAD_LOSS);
        let is_usual = |(other, played): &(Move, Played)| *other == mv && is_often(played);
        let is_worse = |lost| average.is_none_or(|loss| f64::from(lost) > loss);
        let is_left = !moves.iter().any(is_usual) && lost.is_none_or(is_worse);
        (is_most && !is_bad && is_left).then_some(usual)
    }

    /// The first move of each game that left the user's repertoire, the moves that `book` has for a
    /// position, or else the usual move; the latest first.
    pub fn departures(
        &self,
        repertoire: &Repertoire,
        book: impl Fn(&Position) -> Vec<Move>,
    ) -> Vec<Exercise> {
        let known: RefCell<HashMap<u64, Vec<Move>>> = RefCell::default();
        let book = |position: &Position| {
            let mut known = known.borrow_mut();
            let moves = known.entry(position.key());
            moves.or_insert_with(|| book(position)).clone()
        };
        let games = self.games.iter();
        let found = games.filter_map(|game| self.departure(game, repertoire, &book));
        let mut found: Vec<Exercise> = found.collect();
        found.sort_by(|one, other| other.game.cmp(&one.game));
        found
    }

    fn departure(
        &self,
        game: &Beginning,
        repertoire: &Repertoire,
        book: &impl Fn(&Position) -> Vec<Move>,
    ) -> Option<Exercise> {
        let mut last = None;
        // After a position that is not in the book it is not asked for others.
        let mut is_in_book = true;
        let moves = notation::legal_moves(&game.start, game.moves.iter().copied());
        for (ply, (position, mv)) in moves.enumerate() {
            if position.side_to_move() == game.side {
                let lost = game.losses.get(ply).copied().flatten();
                let (source, moves) = if let Some(known) = repertoire.get(&position) {
                    (Source::Repertoire, vec![known])
                } else {
                    let moves = if is_in_book {
                        book(&position)
                    } else {
                        Vec::new()
                    };
                    is_in_book = !moves.is_empty();
                    if moves.is_empty() {
                        let usual = self.usual(game.side, &position, mv, lost);
                        (Source::Usual, vec![usual.unwrap_or(mv)])
                    } else {
                        (Source::Book, moves)
                    }
                };
                if !moves.contains(&mv) {
                    let mut exercise = Exercise::opening(&position, ply, &game.heading);
                    exercise.game = Some(game.id.clone());
                    exercise.last = last;
                    exercise.played = Some(mv);
                    exercise.best.line = self.line(game.side, &position, moves.first(), repertoire);
                    exercise.opening = Some(Opening {
                        source,
                        moves,
                        path: Vec::new(),
                    });
                    return Some(exercise);
                }
            }
            last = Some((position, mv));
        }
        None
    }

    /// A move of the user, and the most frequent replies of the opponents with the moves of the
    /// repertoire or the usual ones.
    fn line(
        &self,
        side: Color,
        position: &Position,
        first: Option<&Move>,
        repertoire: &Repertoire,
    ) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut next = first.copied();
        while let Some(mv) = next.filter(|_| line.len() < ANSWER_MOVES) {
            line.push(mv);
            position = position.play_unchecked(mv);
            let is_own = position.side_to_move() == side;
            let known = repertoire.get(&position).filter(|_| is_own);
            next = known.or_else(|| Some(self.moves(side, &position).first()?.0));
        }
        line
    }

    /// The positions of the repertoire as exercises.
    pub fn drills(&self, repertoire: &Repertoire) -> Vec<Exercise> {
        let lines = Color::ALL.into_iter().flat_map(|side| {
            let lines = repertoire.lines(side).into_iter();
            lines.map(move |known| (side, known))
        });
        let drills = lines.map(|(side, KnownMove { path, position, mv })| {
            let mut record = Record::new(Position::default());
            record.main_line = formats::pgn::Variation::new(path.iter().copied().chain([mv]));
            let mut exercise = Exercise::opening(&position, path.len(), &Heading::new(&record));
            let moves = notation::legal_moves(&record.start, path.iter().copied());
            exercise.last = moves.last();
            exercise.best.line = self.line(side, &position, Some(&mv), repertoire);
            exercise.opening = Some(Opening {
                source: Source::Repertoire,
                moves: vec![mv],
                path,
            });
            exercise
        });
        drills.collect()
    }
}

/// The number of games with these moves of a position.
fn games(moves: &[(Move, Played)]) -> u32 {
    let games = moves.iter().map(|(_, played)| played.results.total());
    games.sum()
}

impl Exercise {
    /// An exercise of the openings, without what is to be found.
    fn opening(position: &Position, ply: usize, heading: &Heading) -> Self {
        let groups = groups(heading, position, ply).into_iter();
        Self {
            game: None,
            heading: heading.clone(),
            ply,
            groups: groups
                .map(|(_, name)| name)
                .chain([GROUP.to_owned()])
                .collect(),
            position: *position,
            last: None,
            played: None,
            assessment: None,
            reason: String::new(),
            best: Evaluation {
                eval: None,
                expectation: 0.5,
                line: Vec::new(),
            },
            opening: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use formats::notation;
    use movegen::{Color, Move, Position};
    use test_common::{game_after, positions::START};

    use super::Openings;
    use crate::deck::{Exercise, Source};
    use crate::library::{GameId, record};
    use crate::repertoire::Repertoire;

    /// Games with White: three with 2. Nf3, and one with 2. f4, which lost 70 centipawns; the last
    /// is not over.
    const GAMES: [&str; 6] = [
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]} Nc6 {[%eval 0.3]} 3. Bc4 {[%eval -0.1]} 1-0",
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]} Nc6 {[%eval 0.3]} 3. Bc4 {[%eval -0.3]} 0-1",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2",
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. f4 {[%eval -0.4]} 1-0",
        "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nc3 {[%eval 0.3]} 1-0",
        "1. e4 e5 2. d4 *",
    ];

    fn openings() -> Openings {
        let mut openings = Openings::default();
        for (number, pgn) in GAMES.into_iter().enumerate() {
            let id = GameId::try_from(number.to_string()).expect("valid");
            openings.add(&id, &record(pgn).expect("valid"), Color::White);
        }
        openings
    }

    fn san(position: &Position, moves: &[Move]) -> String {
        notation::numbered_moves(position, moves.iter().copied())
    }

    /// Game, source, the move of the game, and the line that is to be found.
    fn shown(exercise: &Exercise) -> (Option<String>, Source, Option<String>, String) {
        let position = &exercise.position;
        let opening = exercise.opening.as_ref().expect("of an opening");
        (
            exercise.game.as_ref().map(ToString::to_string),
            opening.source,
            exercise.played.map(|mv| position.san(mv)),
            san(position, &exercise.best.line),
        )
    }

    #[test]
    fn costly_lines_have_cost_something_more_than_once() {
        let openings = openings();
        let [line] = &*openings.costly_lines(Color::White) else {
            panic!("{:?}", openings.costly_lines(Color::White));
        };
        // 40 and 60 centipawns.
        assert_eq!(
            san(&Position::default(), &line.moves),
            "1. e4 e5 2. Nf3 Nc6 3. Bc4"
        );
        assert_eq!(line.played.average_loss(), Some(50.0));
        assert!(openings.costly_lines(Color::Black).is_empty());
        assert_eq!(openings.count(Color::White), 5);
    }

    #[test]
    fn a_move_that_is_played_often_leaves_nothing() {
        let left = |counts: [(&str, usize); 3]| {
            let mut openings = Openings::default();
            for (mv, count) in counts {
                let record = record(&format!("1. {mv} 1-0")).expect("valid");
                for _ in 0..count {
                    openings.add(&GameId::now(), &record, Color::White);
                }
            }
            let departures = openings.departures(&Repertoire::default(), |_| Vec::new());
            let found = departures.iter().map(|one| shown(one).2.expect("a move"));
            found.collect::<Vec<String>>()
        };
        assert_eq!(left([("e4", 6), ("d4", 3), ("c4", 2)]), ["c4", "c4"]);
        // No move is played in most games, or in three.
        assert_eq!(left([("e4", 3), ("d4", 2), ("c4", 1)]), [""; 0]);
        assert_eq!(left([("e4", 2), ("d4", 1), ("c4", 0)]), [""; 0]);
    }

    #[test]
    fn games_leave_the_usual_move_the_book_and_the_repertoire() {
        let openings = openings();
        let no_book = |_: &Position| Vec::new();
        let mut repertoire = Repertoire::default();
        let departures = openings.departures(&repertoire, no_book);
        // Nc3 was no worse.
        let usual = "2. Nf3 Nc6 3. Bc4".to_owned();
        let left = |game: &str, source, mv: &str, line: &str| {
            (
                Some(game.to_owned()),
                source,
                Some(mv.to_owned()),
                line.to_owned(),
            )
        };
        let found: Vec<_> = departures.iter().map(shown).collect();
        assert_eq!(found, [left("3", Source::Usual, "f4", &usual)]);
        let groups = ["Opening", "White", "King's Gambit", "Openings"];
        assert_eq!(departures[0].groups, groups);

        let line: Vec<Move> = game_after(START, "e4 e5 Nf3 Nc6 Bb5").moves().collect();
        let mut spanish = Repertoire::default();
        spanish.mark(Color::White, &line);
        let book = |position: &Position| spanish.get(position).into_iter().collect();
        let found = openings.departures(&repertoire, book);
        let found: Vec<_> = found.iter().map(shown).collect();
        let second = |game, mv| left(game, Source::Book, mv, &usual);
        let third = |game| left(game, Source::Book, "Bc4", "3. Bb5");
        let expected = [
            second("4", "Nc3"),
            second("3", "f4"),
            third("1"),
            third("0"),
        ];
        assert_eq!(found, expected);

        repertoire.mark(Color::White, &line);
        let found = openings.departures(&repertoire, no_book);
        let games: Vec<_> = found
            .iter()
            .map(|one| shown(one).0.expect("a game"))
            .collect();
        assert_eq!(games, ["4", "3", "1", "0"]);
        let drills = openings.drills(&repertoire);
        let drilled: Vec<_> = drills.iter().map(|one| shown(one).3).collect();
        assert_eq!(
            drilled,
            ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "2. Nf3 Nc6 3. Bb5", "3. Bb5"]
        );
        let (before, mv) = drills[1].last.expect("a move before");
        assert_eq!(before.san(mv), "e5");
        // The opponents of White do not play one's own moves with Black.
        let sicilian: Vec<Move> = game_after(START, "e4 c5").moves().collect();
        repertoire.mark(Color::Black, &sicilian);
        assert_eq!(shown(&openings.drills(&repertoire)[0]).3, drilled[0]);
    }
}
