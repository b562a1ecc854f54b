//! The solutions of a position of a test suite, from its EPD operations.

use movegen::{Move, Position};

use crate::CommandError;
use crate::output::score::UciScore;
use common::excerpt;
use common::words::{found, whole_number};
use formats::epd::EpdLine;
use formats::typed_move;

/// Conditions on the best move and its score, all of which must hold.
#[derive(Debug)]
pub(crate) struct Goal {
    /// `bm`: one of these, unless empty.
    best: Vec<Move>,
    /// `am`: none of these.
    avoid: Vec<Move>,
    /// `dm`: a mate in at most this many moves; if negative, being mated in exactly as many.
    mate: Option<i32>,
    /// `c0`: the points of the moves, if it lists points.
    points: Vec<(Move, u32)>,
}

impl Goal {
    /// Fails if a move of an operation is illegal; `None` if there is no operation of these.
    pub(crate) fn parse(line: &EpdLine, position: &Position) -> Result<Option<Goal>, CommandError> {
        let named = |code| line.operands(code).unwrap_or_default();
        let mut mate = match line.operand("dm") {
            Some(text) => Some(parse_mate("dm", text)?),
            None => None,
        };
        let mut best = Vec::new();
        for text in named("bm") {
            match text.strip_prefix('#') {
                Some(moves) => mate = Some(parse_mate("bm", moves)?),
                None => best.push(parse_move("bm", text, position)?),
            }
        }
        let avoid = named("am")
            .iter()
            .map(|text| parse_move("am", text, position));
        let avoid = avoid.collect::<Result<_, _>>()?;
        let points = line
            .operand("c0")
            .and_then(|text| parse_points(text, position));
        let goal = Goal {
            best,
            avoid,
            mate,
            points: points.unwrap_or_default(),
        };
        let empty = goal.best.is_empty() && goal.avoid.is_empty() && goal.mate.is_none();
        Ok((!empty || !goal.points.is_empty()).then_some(goal))
    }

    /// True if this best move with this score is a solution. If there are only points, it must
    /// be a move with the most points.
    pub(super) fn is_met(&self, mv: Move, score: UciScore) -> bool {
        let only_points = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        let found = if only_points {
            self.points_of(mv) == self.most_points()
        } else {
            self.best.is_empty() || self.best.contains(&mv)
        };
        found && !self.avoid.contains(&mv) && self.mate.is_none_or(|moves| is_mate(score, moves))
    }

    /// Returns the points of a move; `None` if no points are listed.
    pub(super) fn points_of(&self, mv: Move) -> Option<u32> {
        let listed = self.points.iter().find(|(listed, _)| *listed == mv);
        let points = listed.map_or(0, |(_, points)| *points);
        (!self.points.is_empty()).then_some(points)
    }

    pub(super) fn most_points(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }
}

/// A mate of the side to move must have the exact distance: a defender aims at the longest, and
/// the attacker at the shortest.
fn is_mate(score: UciScore, moves: i32) -> bool {
    match score {
        UciScore::Mate(found) if moves > 0 => (1..=moves).contains(&found),
        UciScore::Mate(found) => found == moves,
        UciScore::Cp(_) => false,
    }
}

fn parse_mate(code: &'static str, text: &str) -> Result<i32, CommandError> {
    let moves = whole_number(text).and_then(|moves| i32::try_from(moves).ok());
    moves.filter(|moves| *moves != 0).ok_or_else(|| {
        let found = found(&excerpt(text));
        format!("{code}: expected a number of moves other than 0, found {found}").into()
    })
}

fn parse_move(code: &'static str, text: &str, position: &Position) -> Result<Move, CommandError> {
    typed_move::parse_in(position, text).map_err(|error| format!("{code}: {error}").into())
}

/// Parses `Nf3=100, e4=60`; `None` for any other comment.
fn parse_points(text: &str, position: &Position) -> Option<Vec<(Move, u32)>> {
    let mut points = Vec::new();
    for entry in text.split(',') {
        // A promotion has an equals sign too.
        let (mv, number) = entry.trim().rsplit_once('=')?;
        let mv = parse_move("c0", mv.trim(), position).ok()?;
        points.push((mv, number.trim().parse().ok()?));
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use movegen::{Move, Position, Variant};

    use super::Goal;
    use crate::CommandError;
    use crate::output::score::UciScore;
    use formats::epd::EpdLine;

    const BOARD: &str = "4k3/P7/8/8/8/8/4P3/R3K3 w Q -";
    const LEVEL: UciScore = UciScore::Cp(0);

    fn parse(operations: &str) -> Result<Option<Goal>, CommandError> {
        let line = EpdLine::parse(&format!("{BOARD} {operations}")).expect(operations);
        Goal::parse(&line, &position())
    }

    fn goal(operations: &str) -> Goal {
        parse(operations).expect(operations).expect("a goal")
    }

    fn position() -> Position {
        Position::from_fen(&format!("{BOARD} 0 1"), Variant::Standard).expect(BOARD)
    }

    fn mv(text: &str) -> Move {
        position().move_from_san(text).expect(text)
    }

    #[test]
    fn best_moves_mates_and_points() {
        use UciScore::{Cp, Mate};
        for (operations, solved, unsolved) in [
            (
                "bm e4 O-O-O a7a8q;",
                &[("e4", LEVEL), ("O-O-O", LEVEL), ("a8=Q", LEVEL)][..],
                &[("e3", LEVEL)][..],
            ),
            ("am e4 a8=N;", &[("e3", LEVEL)], &[("e4", LEVEL)]),
            ("bm e4 e3; am e3;", &[("e4", LEVEL)], &[("e3", LEVEL)]),
            ("bm e4; dm 2;", &[("e4", Mate(2))], &[("e3", Mate(2))]),
            ("bm #-2;", &[("e4", Mate(-2))], &[("e4", Mate(-1))]),
            ("c0 \"e4=10\";", &[("e4", LEVEL)], &[("e3", LEVEL)]),
        ] {
            let goal = goal(operations);
            let is_met = |&(text, score): &(&str, UciScore)| goal.is_met(mv(text), score);
            assert!(solved.iter().all(is_met), "{operations}");
            assert!(!unsolved.iter().any(is_met), "{operations}");
        }
        for operations in ["dm 3;", "bm #3;", "bm #+3;"] {
            let goal = goal(operations);
            for (score, expected) in [
                (Mate(3), true),
                (Mate(1), true),
                (Mate(4), false),
                (Mate(-3), false),
                (Mate(0), false),
                (Cp(9999), false),
            ] {
                assert_eq!(goal.is_met(mv("e4"), score), expected, "{score:?}");
            }
        }
    }

    #[test]
    fn points() {
        let scored = goal("bm e4; c0 \"e4=100, a8=Q=40, O-O-O=7\";");
        assert_eq!(scored.most_points(), Some(100));
        for (text, points) in [("e4", 100), ("a8=Q", 40), ("O-O-O", 7), ("e3", 0)] {
            assert_eq!(scored.points_of(mv(text)), Some(points), "{text}");
        }
        for remark in ["a good move", "e4=best", "e4=100, e9=1", ""] {
            let goal = goal(&format!("bm e4; c0 \"{remark}\";"));
            assert_eq!(goal.points_of(mv("e4")), None, "{remark}");
        }
    }

    #[test]
    fn invalid_goals_are_errors() {
        for operations in ["id \"only a name\";", "bm;"] {
            assert!(parse(operations).expect(operations).is_none());
        }
        for (operations, expected) in [
            (
                "dm x;",
                "dm: expected a number of moves other than 0, found 'x'",
            ),
            (
                "dm 0;",
                "dm: expected a number of moves other than 0, found '0'",
            ),
            (
                "bm #;",
                "bm: expected a number of moves other than 0, found nothing",
            ),
            ("dm 99999999999;", "dm: expected a number"),
            ("bm Nf3;", "bm: "),
            ("am e9;", "am: "),
        ] {
            let error = parse(operations).expect_err(operations).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
