//! What solves a position of a test suite, from its EPD operations.

use movegen::{Move, Position};
use thiserror::Error;

use crate::formats::epd::EpdLine;
use crate::output::json::JsonScore;
use crate::text::whole_number;
use common::excerpt;

/// Conditions on the best move and its score, all of which must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Goal {
    /// `bm`: one of these, unless empty.
    best: Vec<Move>,
    /// `am`: none of these.
    avoid: Vec<Move>,
    /// `dm`: a mate in at most this many moves; if negative, being mated in exactly as many.
    mate: Option<i32>,
    /// `c0`: the points of the moves, if it lists points.
    points: Vec<(Move, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum GoalError {
    #[error("no goal: expected bm, am, dm, or c0 with points")]
    Nothing,
    #[error("{code}: {reason}")]
    Move { code: &'static str, reason: String },
    #[error("dm: expected a number of moves, found '{text}'")]
    Mate { text: String },
}

impl Goal {
    pub(super) fn parse(line: &EpdLine, position: &Position) -> Result<Goal, GoalError> {
        let named = |code| line.operands(code).unwrap_or_default();
        let mut mate = match line.operand("dm") {
            Some(text) => Some(parse_mate(text)?),
            None => None,
        };
        let mut best = Vec::new();
        for text in named("bm") {
            match text.strip_prefix('#') {
                Some(moves) => mate = Some(parse_mate(moves)?),
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
        match empty && goal.points.is_empty() {
            true => Err(GoalError::Nothing),
            false => Ok(goal),
        }
    }

    /// Whether this best move with this score is a solution. If there are only points, it must
    /// be a move with the most points.
    pub(super) fn is_met(&self, mv: Move, score: JsonScore) -> bool {
        let only_points = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        let found = match only_points {
            true => self.points_of(mv) == self.most_points(),
            false => self.best.is_empty() || self.best.contains(&mv),
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
fn is_mate(score: JsonScore, moves: i32) -> bool {
    match score {
        JsonScore::Mate(found) if moves > 0 => (1..=moves).contains(&found),
        JsonScore::Mate(found) => found == moves,
        JsonScore::Cp(_) => false,
    }
}

fn parse_mate(text: &str) -> Result<i32, GoalError> {
    let moves = whole_number(text).and_then(|moves| i32::try_from(moves).ok());
    moves
        .filter(|moves| *moves != 0)
        .ok_or_else(|| GoalError::Mate {
            text: excerpt(text),
        })
}

/// Parses a move in SAN or in UCI notation.
fn parse_move(code: &'static str, text: &str, position: &Position) -> Result<Move, GoalError> {
    position.move_from_san(text).or_else(|error| {
        let uci = position.move_from_uci(text);
        uci.map_err(|_| GoalError::Move {
            code,
            reason: error.to_string(),
        })
    })
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

    use super::{Goal, GoalError};
    use crate::formats::epd::EpdLine;
    use crate::output::json::JsonScore;

    const BOARD: &str = "4k3/P7/8/8/8/8/4P3/R3K3 w Q -";
    const LEVEL: JsonScore = JsonScore::Cp(0);

    fn parse(operations: &str) -> Result<Goal, GoalError> {
        let line = EpdLine::parse(&format!("{BOARD} {operations}")).expect(operations);
        Goal::parse(&line, &position())
    }

    fn goal(operations: &str) -> Goal {
        parse(operations).expect(operations)
    }

    fn position() -> Position {
        Position::from_fen(&format!("{BOARD} 0 1"), Variant::Standard).expect(BOARD)
    }

    fn mv(text: &str) -> Move {
        position().move_from_san(text).expect(text)
    }

    #[test]
    fn best_moves_and_moves_to_avoid() {
        let best = goal("bm e4 O-O-O a7a8q;");
        for text in ["e4", "O-O-O", "a8=Q"] {
            assert!(best.is_met(mv(text), LEVEL), "{text}");
        }
        assert!(!best.is_met(mv("e3"), LEVEL));
        let avoid = goal("am e4 a8=N;");
        assert!(avoid.is_met(mv("e3"), LEVEL));
        assert!(!avoid.is_met(mv("e4"), LEVEL));
        let both = goal("bm e4 e3; am e3;");
        assert!(both.is_met(mv("e4"), LEVEL));
        assert!(!both.is_met(mv("e3"), LEVEL));
    }

    #[test]
    fn mates_by_distance() {
        for text in ["dm 3;", "bm #3;", "bm #+3;"] {
            let mate = goal(text);
            let met = |moves| mate.is_met(mv("e4"), JsonScore::Mate(moves));
            assert!(met(3) && met(1), "{text}");
            assert!(!met(4) && !met(-3) && !met(0), "{text}");
            assert!(!mate.is_met(mv("e4"), JsonScore::Cp(9999)), "{text}");
        }
        let mated = goal("bm #-2;");
        assert!(mated.is_met(mv("e4"), JsonScore::Mate(-2)));
        assert!(!mated.is_met(mv("e4"), JsonScore::Mate(-1)));
        let with_move = goal("bm e4; dm 2;");
        assert!(with_move.is_met(mv("e4"), JsonScore::Mate(2)));
        assert!(!with_move.is_met(mv("e3"), JsonScore::Mate(2)));
    }

    #[test]
    fn points() {
        let scored = goal("bm e4; c0 \"e4=100, a8=Q=40, O-O-O=7\";");
        assert_eq!(scored.most_points(), Some(100));
        for (text, points) in [("e4", 100), ("a8=Q", 40), ("O-O-O", 7), ("e3", 0)] {
            assert_eq!(scored.points_of(mv(text)), Some(points), "{text}");
        }
        let only = goal("c0 \"e4=10\";");
        assert!(only.is_met(mv("e4"), LEVEL) && !only.is_met(mv("e3"), LEVEL));
        for remark in ["a good move", "e4=best", "e4=100, e9=1", ""] {
            let goal = goal(&format!("bm e4; c0 \"{remark}\";"));
            assert_eq!(goal.points_of(mv("e4")), None, "{remark}");
        }
    }

    #[test]
    fn invalid_goals_are_errors() {
        assert_eq!(parse("id \"only a name\";"), Err(GoalError::Nothing));
        assert_eq!(parse("bm;"), Err(GoalError::Nothing));
        for text in ["dm x;", "dm 0;", "bm #;", "dm 99999999999;"] {
            assert!(matches!(parse(text), Err(GoalError::Mate { .. })), "{text}");
        }
        for (text, code) in [("bm Nf3;", "bm"), ("am e9;", "am")] {
            match parse(text) {
                Err(GoalError::Move { code: named, .. }) => assert_eq!(named, code),
                other => panic!("{other:?}"),
            }
        }
    }
}
