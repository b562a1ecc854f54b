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

/// The legal move that a text means, or the reason there is none.
pub(crate) fn read_move(game: &Game, text: &str) -> Result<Move, Illegal> {
    parse_move(game, text).map_err(|error| match error {
        TypedMoveError::Uci(UciMoveError::Illegal { reasons, .. })
        | TypedMoveError::San(SanError::Illegal { reasons, .. }) => {
            illegal(game.position(), &reasons)
        }
        error => Illegal {
            text: sentence(&error),
            marks: Vec::new(),
            arrows: Vec::new(),
        },
    })
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
