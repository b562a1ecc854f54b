//! Legal moves as the page's board takes them.

use std::collections::BTreeSet;

use formats::notation;
use movegen::{Move, Position, Setup, Square};
use serde::Serialize;

/// A legal move and the squares that a person may name for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct LegalMove {
    pub(crate) uci: String,
    pub(crate) san: String,
    from: String,
    /// The destination; for castling also the square of the rook.
    to: Vec<String>,
    /// The letter of the piece a pawn promotes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<char>,
}

/// A move as the page names and draws it.
#[derive(Debug, Serialize)]
pub(crate) struct NamedMove {
    uci: String,
    san: String,
    squares: [Square; 2],
}

impl NamedMove {
    pub(crate) fn new(mv: Move, position: &Position) -> Self {
        Self {
            uci: mv.uci(position.variant()).to_string(),
            san: position.san(mv),
            squares: squares(mv, position),
        }
    }
}

/// A position and the move before it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct BoardView {
    pub(crate) fen: String,
    pub(crate) last: Option<[Square; 2]>,
    pub(crate) check: bool,
}

impl BoardView {
    pub(crate) fn new(position: &Position, last: Option<[Square; 2]>) -> Self {
        Self {
            fen: notation::fen(position, position.variant()),
            last,
            check: position.in_check(),
        }
    }

    /// The position after some moves.
    pub(crate) fn after(start: &Position, moves: &[Move]) -> Self {
        let mut board = Self::new(start, None);
        for (position, mv) in notation::legal_moves(start, moves.iter().copied()) {
            let last = squares(mv, &position);
            board = Self::new(&position.play_unchecked(mv), Some(last));
        }
        board
    }
}

/// The legal moves of the side to move.
pub(crate) fn moves(position: &Position) -> Vec<LegalMove> {
    let legal = position.legal_moves();
    legal.iter().map(|mv| legal_move(position, *mv)).collect()
}

fn legal_move(position: &Position, mv: Move) -> LegalMove {
    let mut to = BTreeSet::from([mv.to()]);
    if let Some(side) = mv.castling_side() {
        // A king that stays, or makes one step, can only be dropped on its rook.
        let target = side.king_target(position.side_to_move());
        let steps = target.file().index().abs_diff(mv.from().file().index());
        if steps > 1 {
            to.insert(target);
        }
    }
    LegalMove {
        uci: mv.uci(position.variant()).to_string(),
        san: position.san(mv),
        from: mv.from().to_string(),
        to: to.iter().map(ToString::to_string).collect(),
        promotion: mv.promotion_role().map(movegen::Role::letter),
    }
}

/// The position with the other side to move; the reason, if that is impossible.
pub(crate) fn passed(position: &Position) -> Result<Position, String> {
    let mut setup = Setup::from(position);
    setup.side_to_move = !setup.side_to_move;
    setup.en_passant = None;
    let passed = setup.position(position.variant());
    passed.map(|passed| passed.position).map_err(|_| {
        let mover = position.side_to_move();
        format!("{mover} is in check and has to move first.")
    })
}

/// The name of a color in messages.
pub(crate) type ColorName = &'static str;

/// Origin and destination of the piece that moves; in castling those of the king.
pub(crate) fn squares(mv: Move, position: &Position) -> [Square; 2] {
    let to = match mv.castling_side() {
        Some(side) => side.king_target(position.side_to_move()),
        None => mv.to(),
    };
    [mv.from(), to]
}
