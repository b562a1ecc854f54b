//! The reason a move is illegal, in words and as marks on the board.

use common::capitalized;
use game::play::{TypedMoveError, parse_move};
use movegen::{
    Attackers, CastlingError, Game, IllegalMove, Move, Position, Reasons, SanError, Square,
    UciMoveError,
};
use serde::Serialize;

/// An illegal move as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Illegal {
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark>,
    /// From attackers to what they attack.
    pub(crate) arrows: Vec<Arrow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Mark {
    pub(crate) square: Square,
    pub(crate) kind: MarkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MarkKind {
    /// The king may not stand here.
    Attacked,
    /// A piece that gives check, pins, or attacks a square.
    Attacker,
    /// A piece in the way, or a square whose piece is the obstacle.
    Blocker,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Arrow {
    from: Square,
    to: Square,
    kind: &'static str,
}

/// A message as a sentence.
pub(crate) fn sentence(message: &impl ToString) -> String {
    let message = capitalized(&message.to_string());
    let end = if message.ends_with('.') { "" } else { "." };
    message + end
}

/// The legal move that a typed text means.
pub(crate) fn read_move(game: &Game, text: &str) -> Result<Move, Illegal> {
    parse_move(game, text).map_err(|error| typed(game, &error))
}

/// The reason a typed text is not a legal move.
pub(crate) fn typed(game: &Game, error: &TypedMoveError) -> Illegal {
    match error {
        TypedMoveError::Uci(UciMoveError::Illegal { reasons, .. })
        | TypedMoveError::San(SanError::Illegal { reasons, .. }) => {
            illegal(game.position(), reasons)
        }
        error => Illegal {
            text: sentence(error),
            marks: Vec::new(),
            arrows: Vec::new(),
        },
    }
}

/// Every reason in words, and the squares they are about.
fn illegal(position: &Position, reasons: &Reasons) -> Illegal {
    use MarkKind::{Attacked, Attacker, Blocker};
    let king = position.king(position.side_to_move());
    let mut marks = Vec::new();
    let mut arrows = Vec::new();
    let mut mark = |square, kind| {
        let mark = Mark { square, kind };
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    };
    let mut attack = |from, to| {
        arrows.push(Arrow {
            from,
            to,
            kind: "threat",
        });
    };
    for reason in reasons.iter() {
        let (attackers, target) = match reason {
            IllegalMove::OwnPiece(square)
            | IllegalMove::Blocked { square, .. }
            | IllegalMove::NoEnPassant { pawn: square, .. }
            | IllegalMove::Castling(
                CastlingError::Blocked { square, .. }
                | CastlingError::KingMoved { home: square, .. }
                | CastlingError::RookMoved { home: square, .. }
                | CastlingError::RookCaptured { home: square, .. }
                | CastlingError::RookNotHome { home: square, .. }
                | CastlingError::OtherRook { home: square, .. },
            ) => {
                mark(square, Blocker);
                (Attackers::default(), square)
            }
            IllegalMove::InCheck(attackers)
            | IllegalMove::DoubleCheck(attackers)
            | IllegalMove::EnPassantCheck(attackers)
            | IllegalMove::Castling(CastlingError::InCheck {
                checkers: attackers,
                ..
            }) => (attackers, king),
            IllegalMove::Pinned(pin) => (pin.pinner.into(), king),
            IllegalMove::KingAttacked {
                to: square,
                attackers,
            }
            | IllegalMove::Castling(CastlingError::Attacked {
                square, attackers, ..
            }) => {
                mark(square, Attacked);
                (attackers, square)
            }
            _ => continue,
        };
        for attacker in attackers.iter() {
            mark(attacker.square, Attacker);
            attack(attacker.square, target);
        }
    }
    Illegal {
        text: sentence(&format!("{reasons:#}")),
        marks,
        arrows,
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Game, Position, Square, Variant};

    use super::{MarkKind, read_move};

    fn explained(fen: &str, from: Square, to: Square) -> (String, Vec<(Square, MarkKind)>) {
        let position = Position::from_fen(fen, Variant::Standard).expect("legal");
        let game = Game::new(position);
        let illegal = read_move(&game, &format!("{from}{to}")).expect_err("an illegal move");
        let marks = illegal.marks.iter().map(|mark| (mark.square, mark.kind));
        (illegal.text, marks.collect())
    }

    #[test]
    fn the_squares_of_the_reason_are_marked() {
        use MarkKind::{Attacked, Attacker, Blocker};
        let pinned = explained("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", Square::E2, Square::C3);
        assert_eq!(
            pinned,
            (
                "The knight on e2 is pinned to its king by the rook on e8.".to_owned(),
                vec![(Square::E8, Attacker)]
            )
        );
        let blocked = explained("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", Square::A1, Square::A5);
        assert_eq!(blocked.1, [(Square::A2, Blocker)]);
        let check = explained("4r1k1/8/8/8/8/8/8/N3K3 w - - 0 1", Square::A1, Square::B3);
        assert_eq!(check.1, [(Square::E8, Attacker)]);
        let step = explained("4k3/8/8/8/8/8/7r/4K3 w - - 0 1", Square::E1, Square::E2);
        assert_eq!(step.1, [(Square::E2, Attacked), (Square::H2, Attacker)]);
    }

    #[test]
    fn typed_moves_are_explained_too() {
        let game = Game::default();
        let explained = |text| read_move(&game, text).expect_err("not a legal move");
        let blocked = explained("Ra3");
        assert_eq!(blocked.marks.len(), 1);
        assert!(
            blocked.text.ends_with("a2 is occupied."),
            "{}",
            blocked.text
        );
        let nonsense = explained("castle");
        assert!(nonsense.marks.is_empty());
        assert!(nonsense.text.starts_with("Invalid move 'castle'"));
    }
}
