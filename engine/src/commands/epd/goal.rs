//! What is to be found in a position, as its operations say it.

use movegen::{Move, Position};
use thiserror::Error;

use crate::formats::epd::EpdLine;
use crate::output::json::JsonScore;
use crate::text::whole_number;
use common::excerpt;

/// Everything that is said must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Goal {
    /// `bm`: one of these, if there are any.
    best: Vec<Move>,
    /// `am`: none of these.
    avoid: Vec<Move>,
    /// `dm`: a mate in so many moves at most; below zero, the side to move is mated.
    mate: Option<i32>,
    /// `c0`: what moves are worth, where points are listed.
    points: Vec<(Move, u32)>,
}

/// Why it is not clear what to find.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum GoalError {
    #[error("nothing is to be found: expected one of bm, am, dm, or c0 with points")]
    Nothing,
    #[error("{code}: {reason}")]
    Move { code: &'static str, reason: String },
    #[error("dm must be followed by a number of moves, not by '{text}'")]
    Mate { text: String },
}

impl Goal {
    pub(super) fn read(line: &EpdLine, position: &Position) -> Result<Goal, GoalError> {
        let named = |code| line.operands(code).unwrap_or_default();
        let mut mate = match line.operand("dm") {
            Some(text) => Some(distance(text)?),
            None => None,
        };
        let mut best = Vec::new();
        for text in named("bm") {
            match text.strip_prefix('#') {
                Some(moves) => mate = Some(distance(moves)?),
                None => best.push(read_move("bm", text, position)?),
            }
        }
        let avoid = named("am")
            .iter()
            .map(|text| read_move("am", text, position));
        let avoid = avoid.collect::<Result<_, _>>()?;
        let points = line.operand("c0").and_then(|text| points(text, position));
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

    /// Whether this move with this score is what was to be found. Where only points are listed,
    /// it is the move worth most.
    pub(super) fn is_met(&self, mv: Move, score: JsonScore) -> bool {
        let only_points = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        let found = match only_points {
            true => self.points_of(mv) == self.most_points(),
            false => self.best.is_empty() || self.best.contains(&mv),
        };
        found && !self.avoid.contains(&mv) && self.mate.is_none_or(|moves| is_mate(score, moves))
    }

    /// What a move is worth; `None` where no points are listed.
    pub(super) fn points_of(&self, mv: Move) -> Option<u32> {
        let listed = self.points.iter().find(|(listed, _)| *listed == mv);
        let points = listed.map_or(0, |(_, points)| *points);
        (!self.points.is_empty()).then_some(points)
    }

    pub(super) fn most_points(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }
}

/// A mate against the side to move is known only by its exact distance: that it could be
/// mated sooner is no news, and later it need not be.
fn is_mate(score: JsonScore, moves: i32) -> bool {
    match score {
        JsonScore::Mate(found) if moves > 0 => (1..=moves).contains(&found),
        JsonScore::Mate(found) => found == moves,
        JsonScore::Cp(_) => false,
    }
}

fn distance(text: &str) -> Result<i32, GoalError> {
    let moves = whole_number(text).and_then(|moves| i32::try_from(moves).ok());
    moves
        .filter(|moves| *moves != 0)
        .ok_or_else(|| GoalError::Mate {
            text: excerpt(text),
        })
}

/// As people write moves, or as UCI does.
fn read_move(code: &'static str, text: &str, position: &Position) -> Result<Move, GoalError> {
    position.move_from_san(text).or_else(|error| {
        let uci = position.move_from_uci(text);
        uci.map_err(|_| GoalError::Move {
            code,
            reason: error.to_string(),
        })
    })
}

/// `Nf3=100, e4=60`; `None` when it is some other comment.
fn points(text: &str, position: &Position) -> Option<Vec<(Move, u32)>> {
    let mut points = Vec::new();
    for entry in text.split(',') {
        // A promotion has an equals sign too.
        let (mv, number) = entry.trim().rsplit_once('=')?;
        let mv = read_move("c0", mv.trim(), position).ok()?;
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

    fn read(operations: &str) -> Result<Goal, GoalError> {
        let line = EpdLine::read(&format!("{BOARD} {operations}")).expect(operations);
        Goal::read(&line, &position())
    }

    fn goal(operations: &str) -> Goal {
        read(operations).expect(operations)
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
    fn mates_by_their_distance() {
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
    fn points_where_they_are_listed() {
        let scored = goal("bm e4; c0 \"e4=100, a8=Q=40, O-O-O=7\";");
        assert_eq!(scored.most_points(), Some(100));
        for (text, points) in [("e4", 100), ("a8=Q", 40), ("O-O-O", 7), ("e3", 0)] {
            assert_eq!(scored.points_of(mv(text)), Some(points), "{text}");
        }
        let only = goal("c0 \"e4=10\";");
        assert!(only.is_met(mv("e4"), LEVEL) && !only.is_met(mv("e3"), LEVEL));
        for remark in ["a fine move", "e4=best", "e4=100, e9=1", ""] {
            let goal = goal(&format!("bm e4; c0 \"{remark}\";"));
            assert_eq!(goal.points_of(mv("e4")), None, "{remark}");
        }
    }

    #[test]
    fn what_cannot_be_found_is_refused() {
        assert_eq!(read("id \"only a name\";"), Err(GoalError::Nothing));
        assert_eq!(read("bm;"), Err(GoalError::Nothing));
        for text in ["dm x;", "dm 0;", "bm #;", "dm 99999999999;"] {
            assert!(matches!(read(text), Err(GoalError::Mate { .. })), "{text}");
        }
        for (text, code) in [("bm Nf3;", "bm"), ("am e9;", "am")] {
            match read(text) {
                Err(GoalError::Move { code: named, .. }) => assert_eq!(named, code),
                other => panic!("{other:?}"),
            }
        }
    }
}
